"""Compare: one text, read by two to six tokenizers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

from engine.alignment import graphemes
from explorer import links, words
from explorer import words_compare as said
from explorer.approaches import APPROACH_SETTINGS, approaches
from explorer.cards import card_base
from explorer.chooser import NONE, prepared, tokenizer_choice
from explorer.components.choices import choices
from explorer.components.figure import figure
from explorer.components.legend import Switch, legend
from explorer.components.sorted_table import Cell, sorted_table
from explorer.components.text_editor import text_editor
from explorer.components.token_strip import token_strip
from explorer.examples import EXAMPLES, FIRST, example_of
from explorer.frame import LARGE, follow, header, section
from explorer.page_state import PageState
from explorer.settings import Setting, flag, line, number, text, tokenizer
from explorer.state import name_of
from explorer.tokenizers import ENGLISH, catalogue
from explorer.views.comparison_table import comparison_table, numbers_each
from explorer.views.disagreements import Disagreements, disagreements
from explorer.views.languages import as_csv
from explorer.views.reading import Reading, figures, read
from explorer.views.strip import strip
from explorer.walk import walker
from explorer.way_parts import NOWHERE, notation, way

ALWAYS = ("first", "second")
FIRSTS = {"first": ENGLISH, "second": "gpt2", "third": "o200k_base"}
SETTINGS: Mapping[str, Setting[Any]] = {
    "text": text(EXAMPLES[FIRST]),
    **{place: tokenizer(FIRSTS.get(place, NONE), (NONE, *catalogue())) for place in said.PLACES},
    "marks": flag(True),
    "letters": flag(False),
    "specials": flag(False),
    "large": LARGE,
    "at": number(NOWHERE, NOWHERE, 10_000_000, fleeting=True),
    "price": line(),
    "window": line(),
    **APPROACH_SETTINGS,
}


@st.fragment
def compare() -> None:
    """Draw the page; all of it follows the text."""
    view = PageState("compare", SETTINGS)
    for name in (*said.PLACES, "price", "window"):
        view.widget(name)
    size = links.packed_size(view["text"])
    header(view, "compare", "Compare", said.COMPARE, words.too_long(size) if size > links.LONGEST else None)
    edit(view)
    walk = st.container(key="compare-walk")
    with st.container(key="compare-readings"):
        readings, found = choose(view)
    with walk:
        walker(view, found, len(readings))
    explain(view)
    with section("compare-table"):
        table(view, list(readings.values()))
    with section("compare-why"):
        why(view, readings, found)
    with section("compare-approaches"):
        approaches(view)
    follow(view, "compare")


def edit(view: PageState) -> None:
    """Draw the editor, the examples, and what the text measures."""
    written = text_editor(
        view["text"], key="compare.editor", version=view.opened, label=words.EDITOR, placeholder=words.EMPTY_EDITOR
    )
    view["text"] = written
    choices(
        list(EXAMPLES),
        example_of(written),
        lambda name: view.put(text=EXAMPLES[name], at=NOWHERE),
        key="compare.example",
        label=words.EXAMPLES,
        note=words.counts(len(graphemes(written)), len(written), len(written.encode("utf-8", "replace"))),
        large=view["large"],
    )


def choose(view: PageState) -> tuple[dict[str, Reading], Disagreements]:
    """Draw the tokenizers and what each makes of the text, in rows of two or three."""
    taken = [place for place in said.PLACES if view[place] != NONE or place in ALWAYS]
    readings: dict[str, Reading] = {}
    places: dict[str, Any] = {}
    for place, column in zip(taken, grid(len(taken)), strict=False):
        with column:
            tokenizer_choice(view, place, said.PLACES[place], none=None if place in ALWAYS else said.NONE)
            try:
                readings[place] = read(name_of(view[place]), prepared(view[place]), view["text"], view["specials"])
                places[place] = st.container()
            except ValueError as error:
                st.warning(words.plain(words.sentence(error)))
    found = disagreements([reading.encoding for reading in readings.values()])
    drawn = figures(list(readings.values()), view["large"])
    rows = grid_rows(len(taken))
    for (place, reading), data in zip(readings.items(), drawn, strict=True):
        beside = [other for other in readings if rows[taken.index(other)] == rows[taken.index(place)]]
        reserve = max(len(readings[other].lost) for other in beside)
        with places[place]:
            figure({**data, "reserve": reserve}, key=f"compare.{place}.figure")
            look(view, place, reading, found)
    if len(taken) < len(said.PLACES):
        st.button(said.ADD, on_click=add, args=(view,), key="compare.add")
    return readings, found


def grid_rows(number: int) -> list[int]:
    """Return the row of each of so many tokenizers: rows of two, or of three where that fills them better."""
    wide = 3 if number in (3, 5, 6) else 2
    return [i // wide for i in range(number)]


def grid(number: int) -> list[Any]:
    """Return a column for each of so many tokenizers."""
    rows = grid_rows(number)
    wide = rows.count(0)
    return [column for _ in range(max(rows, default=-1) + 1) for column in st.columns(wide, gap="medium")]


def add(view: PageState) -> None:
    """Put a tokenizer of the catalog that is not there yet into the first empty place."""
    used = {view[place] for place in said.PLACES}
    place = next(place for place in said.PLACES if view[place] == NONE)
    view.put(**{place: next(code for code in catalogue() if code not in used)})


def look(view: PageState, place: str, reading: Reading, found: Disagreements) -> None:
    """Draw the tokens of one reading, with the boundaries that not all have."""
    data = strip(
        reading.encoding,
        reading.tokenizer,
        reading.name,
        group=view.page,
        marks=view["marks"],
        large=view["large"],
        notation=notation(view),
        card=card_base(view[place]),
    )
    chosen = token_strip({**data, "differs": found.cuts}, key=f"compare.{place}.strip")
    if chosen != st.session_state.get(f"compare.{place}.chosen"):
        st.session_state[f"compare.{place}.chosen"] = chosen
        view["at"] = NOWHERE if chosen is None else first_letter(view["text"], *chosen)


def first_letter(text: str, start: int, stop: int) -> int:
    """Return the first byte of a span that is no white space, which some tokenizers drop; else its first byte."""
    span = text.encode("utf-8", "replace")[start:stop].decode("utf-8", "replace")
    spaces = len(span) - len(span.lstrip())
    return start + len(span[:spaces].encode()) if spaces < len(span) else start


def explain(view: PageState) -> None:
    """Draw what the marks mean, and the switches."""

    def flip(name: str) -> None:
        view[name] = not view[name]

    st.caption(said.MARKS)
    switches: list[Switch] = [
        {"name": name, "label": label, "help": words.SWITCH_HELP[name], "on": view[name]}
        for name, label in words.SWITCHES.items()
    ]
    legend(switches, flip, key="compare.legend", large=view["large"])


def table(view: PageState, readings: Sequence[Reading]) -> None:
    """Draw the numbers, with costs and shares where the reader gives a price and a window."""
    st.header(said.TABLE, anchor=False)
    left, right = st.columns(2, gap="medium")
    with left:
        st.text_input(said.PRICE, key=view.widget("price"), help=said.PRICE_HELP, placeholder=said.PRICE_HINT)
    with right:
        st.text_input(said.WINDOW, key=view.widget("window"), help=said.WINDOW_HELP, placeholder=said.WINDOW_HINT)
    given = [each(view, name, len(readings)) for name in ("price", "window")]
    rows = comparison_table(readings, *given)
    columns = list(rows[0]) if rows else []
    cells: list[list[Cell]] = [list(row.values()) for row in rows]
    sorted_table(columns, cells, name=said.TABLE, key="compare.table", large=view["large"])
    if given[0] != [None] * len(readings):
        st.caption(said.COST_NOTE)
    st.download_button(said.CSV, as_csv(rows), "compare.csv", "text/csv", on_click="ignore", key="compare.csv")


def each(view: PageState, name: str, places: int) -> list[float | None]:
    """Return the numbers that were typed; a mistake is said, and then there are none."""
    try:
        return numbers_each(view[name], places)
    except ValueError as error:
        st.warning(words.plain(words.sentence(error)))
        return [None] * places


def why(view: PageState, readings: Mapping[str, Reading], found: Disagreements) -> None:
    """Draw how each tokenizer cut the pre-token that the reader chose; before that, where they first disagree."""
    st.header(said.WHY, anchor=False)
    st.caption(said.WHY_NOTE)
    first = found.places[0][0] if found.places else 0
    for column, (place, reading) in zip(grid(len(readings)), readings.items(), strict=False):
        with column:
            way(view, "compare", place, reading, first)


compare()
