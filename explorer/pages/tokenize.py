"""Tokenize: one text, read by one or two tokenizers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import streamlit as st

from engine.alignment import graphemes
from explorer import links, words
from explorer.chooser import NONE, prepared, tokenizer_choice
from explorer.comparisons import comparisons
from explorer.components.figure import figure
from explorer.components.pipeline import pipeline
from explorer.components.text_editor import text_editor
from explorer.components.token_strip import token_strip
from explorer.examples import CHAT, EXAMPLES, FIRST, example_of
from explorer.files import exchange
from explorer.frame import follow, header, large, legend, section
from explorer.page_state import PageState
from explorer.settings import Setting, flag, number, text, tokenizer
from explorer.state import name_of
from explorer.tokenizers import DEFAULTS, catalogue
from explorer.views.ids import read_ids
from explorer.views.pipeline import pipeline as pipeline_data
from explorer.views.reading import Reading, figures, read
from explorer.views.strip import decoded, strip

ENGLISH, TEN_LANGUAGES = DEFAULTS
NOWHERE = -1
SIDES = {"first": words.FIRST, "second": words.SECOND}
SETTINGS: Mapping[str, Setting[Any]] = {
    "text": text(EXAMPLES[FIRST]),
    "first": tokenizer(ENGLISH, catalogue()),
    "second": tokenizer(TEN_LANGUAGES, (NONE, *catalogue())),
    "marks": flag(True),
    "letters": flag(False),
    "specials": flag(False),
    "large": flag(False),
    "at": number(NOWHERE, NOWHERE, 10_000_000, fleeting=True),
    "ids": text(""),
}


@st.fragment
def tokenize() -> None:
    """Draw the page; all of it follows the text."""
    view = PageState("tokenize", SETTINGS)
    for name in (*SIDES, *words.SWITCHES):
        view.widget(name)
    large(view["large"])
    top = st.container()
    edit(view)
    size = links.packed_size(view["text"])
    with top:
        sentence = words.TOKENIZE_ONE if view["second"] == NONE else words.TOKENIZE
        header(view, "tokenize", "Tokenize", sentence, words.too_long(size) if size > links.LONGEST else None)
    with st.container(key="tokenize-readings"):
        readings = choose(view)
    explain(view)
    with section("tokenize-way"):
        for column, (side, reading) in zip(beside(readings), readings.items(), strict=True):
            with column:
                way(view, side, reading)
    with section("tokenize-ids"):
        st.subheader(words.IDS_TITLE, anchor=False)
        decode(view, readings)
    comparisons(view["text"], readings)
    exchange(view, readings)
    follow(view, "tokenize")


def edit(view: PageState) -> None:
    """Draw the editor, the examples, and what the text measures."""
    view["text"] = text_editor(
        view["text"], key="tokenize.editor", version=view.opened, label=words.EDITOR, placeholder=words.EMPTY_EDITOR
    )
    st.session_state["tokenize.example"] = example_of(view["text"])

    def show() -> None:
        name = st.session_state["tokenize.example"]
        if name is not None:
            view.put(text=EXAMPLES[name], at=NOWHERE, specials=name == CHAT)

    with st.container(key="tokenize-examples", horizontal=True, vertical_alignment="center"):
        names = list(EXAMPLES)
        st.pills(words.EXAMPLES, names, key="tokenize.example", on_change=show, label_visibility="collapsed", wrap=True)
        written = view["text"]
        said = words.counts(len(graphemes(written)), len(written), len(written.encode()))
        st.caption(said, width="content")


def choose(view: PageState) -> dict[str, Reading]:
    """Draw the tokenizers and what each makes of the text; one alone has the whole width for it."""
    columns = st.columns(2, gap="medium")
    readings: dict[str, Reading] = {}
    for column, (side, label) in zip(columns, SIDES.items(), strict=True):
        with column:
            tokenizer_choice(view, side, label, none=words.NONE if side == "second" else None)
            try:
                if view[side] != NONE:
                    chosen = prepared(view[side])
                    readings[side] = read(name_of(view[side]), chosen, view["text"], view["specials"])
            except ValueError as error:
                st.warning(words.plain(words.sentence(error)))
    places = [column for column, side in zip(columns, SIDES, strict=True) if side in readings]
    if view["second"] == NONE:
        places = [st.container()]
    drawn = figures(list(readings.values()), view["large"])
    for place, (side, reading), data in zip(places, readings.items(), drawn, strict=False):
        with place:
            figure(data, key=f"tokenize.{side}.figure")
            look(view, side, reading)
    return readings


def look(view: PageState, side: str, reading: Reading) -> None:
    """Draw the tokens; where a token is chosen, the pipeline goes to its pre-token."""
    data = strip(
        reading.encoding,
        reading.tokenizer,
        reading.name,
        marks=view["marks"],
        large=view["large"],
        notation=notation(view),
    )
    chosen = token_strip(data, key=f"tokenize.{side}.strip")
    if chosen != st.session_state.get(f"tokenize.{side}.chosen"):
        st.session_state[f"tokenize.{side}.chosen"] = chosen
        view["at"] = NOWHERE if chosen is None else chosen[0]


def explain(view: PageState) -> None:
    """Draw what the marks mean, and the switches."""
    with st.container(key="tokenize-legend", horizontal=True, vertical_alignment="center"):
        legend()
        for name, label in words.SWITCHES.items():
            st.toggle(label, key=view.widget(name), help=words.SWITCH_HELP.get(name))


def way(view: PageState, side: str, reading: Reading) -> None:
    """Draw how one tokenizer got to its tokens."""

    def go(at: int) -> None:
        view["at"] = at

    data = pipeline_data(
        reading.encoding,
        reading.tokenizer,
        reading.name,
        at=None if view["at"] == NOWHERE else view["at"],
        large=view["large"],
        notation=notation(view),
    )
    pipeline(data, go, key=f"tokenize.{side}.way")


def decode(view: PageState, readings: dict[str, Reading]) -> None:
    """Draw the field for ids, and what each tokenizer reads in them."""
    view["ids"] = text_editor(
        view["ids"],
        key="tokenize.ids",
        version=view.opened,
        label=words.IDS,
        placeholder=words.EMPTY_IDS,
        rows=1,
    )
    try:
        ids = read_ids(view["ids"])
    except ValueError as error:
        st.warning(words.plain(words.sentence(error)))
        return
    if not ids:
        return
    for column, (side, reading) in zip(beside(readings), readings.items(), strict=True):
        with column:
            try:
                data = decoded(ids, reading.tokenizer, reading.name, group="tokenize.ids", marks=view["marks"])
            except ValueError as error:
                st.warning(words.plain(words.sentence(error)))
                continue
            st.caption(words.plain(words.decoded_by(reading.name, len(ids), str(data["text"]))))
            token_strip(data, key=f"tokenize.{side}.decoded")


def beside(readings: Mapping[str, Reading]) -> list[Any]:
    """Return a column for each reading."""
    return list(st.columns(len(readings), gap="medium")) if readings else []


def notation(view: PageState) -> str:
    """Return how pieces are written."""
    return "bytes" if view["letters"] else "text"


tokenize()
