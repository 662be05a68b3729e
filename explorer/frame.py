"""What all pages have around them: the title with its sentence and the link, and the address of the view."""

from __future__ import annotations

import gc
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from explorer import words, words_files
from explorer.components.address import address
from explorer.components.copy_link import copy_link
from explorer.file_codes import FILE, TokenizerFile
from explorer.missing_files import ask_for_files
from explorer.page_state import PageState, hand_over
from explorer.palette import Theme
from explorer.settings import flag

LARGE = flag(False, everywhere=True)
"""The setting "large" of a page; a teacher who turns it on has it on every page."""

_HERE = Path(__file__).parent


def header(view: PageState, page: str, title: str, sentence: str, note: str | None = None) -> None:
    """Draw the title, one sentence beside it, "Large" and "Copy link" at the end; problems of an opened link below.

    Large makes what Streamlit draws readable from the last row of a hall; components are told of it one by one.

    Args:
        view: The settings of the page, "large" among them.
        page: Its name in keys.
        title: The title.
        sentence: What the page shows.
        note: What a link cannot hold, as a sentence; None if it holds all.
    """
    files = [TokenizerFile.read(code).name for code in view.codes() if code.startswith(FILE)]
    if note is None and files:
        note = words_files.not_held(files)
    if note is None and "corpus" in view.query()[1]:
        note = words_files.CORPUS_NOT_HELD
    key = view.widget("large")
    if view["large"]:
        st.html(_HERE / "large.css")
    with st.container(horizontal=True, vertical_alignment="bottom", key=f"{page}-header"):
        st.title(title, anchor=False, width="content")
        st.caption(sentence, width="stretch")
        st.toggle(words.LARGE, key=key, help=words.LARGE_HELP)
        copy_link(key=f"{page}-copy", too_long=note)
    for problem in view.problems:
        st.warning(words.plain(problem))
    ask_for_files(view)


def follow(view: PageState, page: str) -> None:
    """Bring the address in step with the settings; call it last, and in each fragment that changes them."""
    query, _ = view.query()
    address(query, view.lasting(), lambda popped: _pop(page, popped), key=f"{page}-address")
    view.drawn()


def _pop(page: str, query: str) -> None:
    st.session_state[f"view.{page}.popped"] = query


def theme() -> Theme:
    """Return the theme the reader sees."""
    return "dark" if st.context.theme.type == "dark" else "light"


def style() -> None:
    """Set what the theme cannot say; a constant, so no text of a visitor comes near it."""
    st.html(_HERE / "style.css")


def to_page(label: str, page: str, settings: Mapping[str, Any], *, key: str) -> None:
    """Draw a way to another page, which then shows these settings; its others stay as they were."""
    if st.button(label, key=key, type="tertiary"):
        hand_over(page, **settings)
        st.switch_page(f"explorer/pages/{page}.py")


def section(name: str) -> DeltaGenerator:
    """Return a container below a hairline: what explains begins here."""
    return st.container(key=f"{name}-section")


@st.cache_resource(show_spinner=False)
def settle() -> bool:
    """Take all that was imported out of the garbage collector's sight, once.

    Streamlit collects after every run of a page; without this, each collection walks through every object of every
    library, which is most of the time of a small rerun; and any training waits for a collection that another begins.
    """
    gc.collect()
    gc.freeze()
    return True
