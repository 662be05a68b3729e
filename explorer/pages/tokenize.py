"""Tokenize: one text, read by one or two tokenizers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import streamlit as st

from engine.alignment import graphemes
from explorer import links, words
from explorer.cards import card_base
from explorer.chooser import NONE, prepared, tokenizer_choice
from explorer.comparisons import COMPARISON_SETTINGS, comparisons
from explorer.components.choices import choices
from explorer.components.figure import figure
from explorer.components.legend import Switch, legend
from explorer.components.text_editor import text_editor
from explorer.components.token_strip import token_strip
from explorer.examples import CHAT, EXAMPLES, FIRST, example_of
from explorer.files import exchange
from explorer.frame import LARGE, follow, header, section
from explorer.page_state import PageState
from explorer.settings import Setting, flag, number, text, tokenizer
from explorer.state import name_of
from explorer.tokenizers import DEFAULTS, catalogue
from explorer.views.ids import read_ids
from explorer.views.reading import Reading, figures, read
from explorer.views.strip import decoded, strip
from explorer.way_parts import NOWHERE, notation, way

ENGLISH, TEN_LANGUAGES = DEFAULTS
SIDES = {"first": words.FIRST, "second": words.SECOND}
SETTINGS: Mapping[str, Setting[Any]] = {
    "text": text(EXAMPLES[FIRST]),
    "first": tokenizer(ENGLISH, catalogue(), begins="gpt2"),
    "second": tokenizer(TEN_LANGUAGES, (NONE, *catalogue()), begins="o200k_base"),
    "marks": flag(True),
    "letters": flag(False, everywhere=True),
    "specials": flag(False),
    "large": LARGE,
    "at": number(NOWHERE, NOWHERE, 10_000_000, fleeting=True),
    "ids": text(""),
    **COMPARISON_SETTINGS,
}


def tokenize() -> None:
    """Draw the page: what follows the text while one types, and around it what changes seldom."""
    view = PageState("tokenize", SETTINGS)
    for name in (*SIDES, *COMPARISON_SETTINGS):
        view.widget(name)
    size = links.packed_size(view["text"])
    sentence = words.TOKENIZE_ONE if view["second"] == NONE else words.TOKENIZE
    header(view, "tokenize", "Tokenize", sentence, words.too_long(size) if size > links.LONGEST else None)
    st.session_state["tokenize.around"] = around(view)
    readings = live()
    compared = comparisons(view, readings)
    exchange(view, readings)
    st.session_state["tokenize.compared"] = view["text"] if compared else None
    view.drawn()


@st.fragment
def live() -> dict[str, Reading]:
    """Draw what follows the text; as little as can be, for all of it is sent anew with each letter."""
    view = PageState("tokenize", SETTINGS)
    for side in SIDES:
        view.widget(side)
    edit(view)
    with st.container(key="tokenize-readings"):
        readings = choose(view)
    explain(view)
    with section("tokenize-way"):
        for column, (side, reading) in zip(beside(readings), readings.items(), strict=True):
            with column:
                way(view, "tokenize", side, reading)
    with section("tokenize-ids"):
        st.subheader(words.IDS_TITLE, anchor=False)
        decode(view, readings)
    follow(view, "tokenize")
    compared = st.session_state.get("tokenize.compared")
    if around(view) != st.session_state["tokenize.around"] or compared not in (None, view["text"]):
        st.rerun()
    return readings


def around(view: PageState) -> tuple[object, ...]:
    """Return what the parts of the page around the live one depend on."""
    too_long = links.packed_size(view["text"]) if links.packed_size(view["text"]) > links.LONGEST else 0
    return view.opened, view["first"], view["second"], too_long


def edit(view: PageState) -> None:
    """Draw the editor, the examples, and what the text measures."""
    text = text_editor(
        view["text"], key="tokenize.editor", version=view.opened, label=words.EDITOR, placeholder=words.EMPTY_EDITOR
    )
    view["text"] = text

    def show(name: str) -> None:
        view.put(text=EXAMPLES[name], at=NOWHERE, specials=name == CHAT)

    choices(
        list(EXAMPLES),
        example_of(text),
        show,
        key="tokenize.example",
        label=words.EXAMPLES,
        note=words.counts(len(graphemes(text)), len(text), len(text.encode())),
        large=view["large"],
    )


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
        card=card_base(view[side]),
    )
    chosen = token_strip(data, key=f"tokenize.{side}.strip")
    if chosen != st.session_state.get(f"tokenize.{side}.chosen"):
        st.session_state[f"tokenize.{side}.chosen"] = chosen
        view["at"] = NOWHERE if chosen is None else chosen[0]


def explain(view: PageState) -> None:
    """Draw what the marks mean, and the switches."""

    def flip(name: str) -> None:
        view[name] = not view[name]

    switches: list[Switch] = [
        {"name": name, "label": label, "help": words.SWITCH_HELP[name], "on": view[name]}
        for name, label in words.SWITCHES.items()
    ]
    legend(switches, flip, key="tokenize.legend", large=view["large"])


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
                data = decoded(
                    ids,
                    reading.tokenizer,
                    reading.name,
                    group="tokenize.ids",
                    marks=view["marks"],
                    large=view["large"],
                )
            except ValueError as error:
                st.warning(words.plain(words.sentence(error)))
                continue
            st.caption(words.plain(words.decoded_by(reading.name, len(ids), str(data["text"]))))
            token_strip(data, key=f"tokenize.{side}.decoded")


def beside(readings: Mapping[str, Reading]) -> list[Any]:
    """Return a column for each reading."""
    return list(st.columns(len(readings), gap="medium")) if readings else []


tokenize()
