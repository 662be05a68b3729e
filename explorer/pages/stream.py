"""Stream: what is seen while the tokens of a text arrive one by one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

from explorer import words_stream as words
from explorer.chooser import prepared, tokenizer_choice
from explorer.components.stream_player import stream_player
from explorer.components.text_editor import text_editor
from explorer.frame import LARGE, follow, header, section
from explorer.page_state import PageState
from explorer.settings import Setting, choice, text, tokenizer
from explorer.tokenizers import catalogue
from explorer.views.streaming import cut, stream, token_chunks
from explorer.words import EDITOR, EMPTY_EDITOR, sentence

MOST_BYTES = 4000
MOST_CUTS = 200
EXAMPLES = {"Go€→🙂": (3, 7, 10), "Go语言🙂": (3, 7, 10), "नमस्ते 👩🏽‍🚀!": (2, 8, 20, 23, 30)}


def read_cuts(written: str) -> tuple[int, ...]:
    """Read cuts from a link.

    Raises:
        ValueError: One is no whole number, or there are too many.
    """
    parts = written.split(",") if written else []
    if len(parts) > MOST_CUTS or not all(part.isdecimal() and len(part) < 6 for part in parts):
        raise ValueError(f"cuts are at most {MOST_CUTS} byte offsets; got {written[:40]!r}")
    return tuple(map(int, parts))


def write_cuts(cuts: Sequence[int]) -> str:
    """Write cuts into a link."""
    return ",".join(map(str, cuts))


FIRST = next(iter(EXAMPLES))
SETTINGS: Mapping[str, Setting[Any]] = {
    "text": text(FIRST),
    "code": tokenizer("gpt2", catalogue()),
    "by": choice("cuts", list(words.SOURCES)),
    "cuts": Setting(EXAMPLES[FIRST], read_cuts, write_cuts, fleeting=True),
    "stop": text(""),
    "large": LARGE,
}


@st.fragment
def main() -> None:
    """Draw the page; all of it follows the text."""
    view = PageState("stream", SETTINGS)
    header(view, "stream", "Stream", words.STREAM)
    edit(view)
    try:
        chunks, labels = parts(view)
        made = stream(chunks, labels, [line for line in view["stop"].splitlines() if line])
    except ValueError as error:
        st.warning(sentence(error))
    else:
        moved = stream_player(
            made.parts,
            end=made.end,
            stopped=made.stopped,
            movable=view["by"] == "cuts",
            key="stream.player",
            large=view["large"],
        )
        if view["by"] == "cuts" and moved is not None and moved != st.session_state.get("stream.moved"):
            st.session_state["stream.moved"] = moved
            view["cuts"] = tuple(moved)
            st.rerun(scope="fragment")
    with section("stream-method"), st.expander(words.METHOD_TITLE):
        st.markdown(words.METHOD)
    follow(view, "stream")


def edit(view: PageState) -> None:
    """Draw the text, the examples, and how it is cut."""
    view["text"] = text_editor(
        view["text"], key="stream.editor", version=view.opened, label=EDITOR, placeholder=EMPTY_EDITOR, rows=2
    )

    def show() -> None:
        name = st.session_state["stream.example"]
        if name is not None:
            view.put(text=name, cuts=EXAMPLES[name], by="cuts")

    st.session_state["stream.example"] = view["text"] if view["text"] in EXAMPLES else None
    with st.container(key="stream-choice", horizontal=True, vertical_alignment="center"):
        st.pills(words.EXAMPLES, list(EXAMPLES), key="stream.example", on_change=show, label_visibility="collapsed")
        st.segmented_control(
            words.SOURCE,
            list(words.SOURCES),
            key=view.widget("by"),
            format_func=lambda by: f"{words.SOURCE.lower()} {words.SOURCES[by]}",
            label_visibility="collapsed",
            help=words.SOURCE_HELP,
            required=True,
        )
    left, right = st.columns(2, gap="medium")
    with left:
        tokenizer_choice(view, "code", "Tokenizer")
    with right:
        st.text_area(
            words.STOP, key=view.widget("stop"), height=68, placeholder=words.STOP_HELP, label_visibility="collapsed"
        )


def parts(view: PageState) -> tuple[list[bytes], list[str]]:
    """Return the parts of the stream: tokens, or what lies between the cuts."""
    data = view["text"].encode()
    if len(data) > MOST_BYTES:
        st.caption(words.TOO_LONG.format(bytes=len(data)))
    shown = data[:MOST_BYTES].decode("utf-8", "ignore")
    if view["by"] == "tokens":
        return token_chunks(prepared(view["code"]), shown)
    chunks = cut(shown.encode(), view["cuts"])
    return chunks, [f"part {number}" for number, _ in enumerate(chunks, 1)]


main()
