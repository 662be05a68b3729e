"""What all pages have around them: the title with its sentence and the link, and the address of the view."""

from __future__ import annotations

import gc
from pathlib import Path

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from explorer import words
from explorer.components.address import address
from explorer.components.copy_link import copy_link
from explorer.page_state import PageState
from explorer.palette import Theme

_HERE = Path(__file__).parent


def header(view: PageState, page: str, title: str, sentence: str, note: str | None = None) -> None:
    """Draw the title, one sentence beside it, and "Copy link" at the end; problems of an opened link below.

    Args:
        view: The settings of the page.
        page: Its name in keys.
        title: The title.
        sentence: What the page shows.
        note: What a link cannot hold, as a sentence; None if it holds all.
    """
    with st.container(horizontal=True, vertical_alignment="bottom", key=f"{page}-header"):
        st.title(title, anchor=False, width="content")
        st.caption(sentence, width="stretch")
        copy_link(key=f"{page}-copy", too_long=note)
    for problem in view.problems:
        st.warning(words.plain(problem))


def follow(view: PageState, page: str) -> None:
    """Bring the address in step with the settings; call it last, and in each fragment that changes them."""
    query, _ = view.query()
    address(query, view.lasting(), lambda popped: _pop(page, popped), key=f"{page}-address")


def _pop(page: str, query: str) -> None:
    st.session_state[f"view.{page}.popped"] = query


def theme() -> Theme:
    """Return the theme the reader sees."""
    return "dark" if st.context.theme.type == "dark" else "light"


def style() -> None:
    """Set what the theme cannot say; a constant, so no text of a visitor comes near it."""
    st.html(_HERE / "style.css")


def large(on: bool) -> None:
    """Make what Streamlit draws readable from the last row of a hall."""
    if on:
        st.html(_HERE / "large.css")


def section(name: str) -> DeltaGenerator:
    """Return a container below a hairline: what explains begins here."""
    return st.container(key=f"{name}-section")


@st.cache_resource(show_spinner=False)
def settle() -> bool:
    """Take all that was imported out of the garbage collector's sight, once.

    Streamlit collects after every run of a page; without this, each collection walks through every object of every
    library, which is most of the time of a small rerun.
    """
    gc.collect()
    gc.freeze()
    return True
