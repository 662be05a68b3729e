"""A section of Vocabulary: the pieces that several vocabularies have, and those that only one has."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import streamlit as st

import engine
from explorer import words_vocabulary as words
from explorer.cards import card_base
from explorer.chooser import NONE, prepared, tokenizer_choice
from explorer.components.piece_table import WINDOW, Column, first_row, piece_table
from explorer.components.sorted_table import Cell, Chip, sorted_table
from explorer.page_state import PageState
from explorer.palette import slot
from explorer.settings import Setting, flag, number, tokenizer
from explorer.state import name_of, table_of
from explorer.tokenizers import catalogue
from explorer.views.languages import as_csv
from explorer.views.overlap import Region, overlap
from explorer.views.vocabulary import Table
from explorer.words import plain, sentence

OTHERS = ("other", "third", "fourth")
NO_PART = -1
OVERLAP_SETTINGS: Mapping[str, Setting[Any]] = {
    "overlap": flag(False),
    **{name: tokenizer("o200k_base" if name == "other" else NONE, (NONE, *catalogue())) for name in OTHERS},
    "part": number(NO_PART, NO_PART, 2 ** (len(OTHERS) + 1) - 2),
}
COLUMNS: tuple[Column, ...] = (
    {"name": "piece", "label": words.COLUMNS["piece"], "number": False, "sorts": False},
    {"name": "hex", "label": words.COLUMNS["hex"], "number": False, "sorts": False},
    {"name": "bytes", "label": words.COLUMNS["bytes"], "number": True, "sorts": False},
)
_EXAMPLES = 24
_LONGEST = 24
_LONGEST_ROW = 60


def overlaps(view: PageState, chosen: engine.Tokenizer) -> None:
    """Draw the choice of the others and, once the section is opened, the parts of the overlap."""
    for name in (*OTHERS, "part"):
        view.widget(name)
    opened = st.expander(words.OVERLAP, on_change="rerun", key=view.widget("overlap"))
    if not opened.open:
        return
    with opened:
        st.caption(words.OVERLAP_NOTE)
        tables = {name_of(view["code"]): table_of(view["code"], chosen)}
        codes = {name_of(view["code"]): view["code"]}
        for name, column in zip(OTHERS, st.columns(len(OTHERS), gap="medium"), strict=True):
            with column:
                tokenizer_choice(view, name, words.WITH, none=words.NO_OTHER)
                if view[name] not in (NONE, view["code"]):
                    try:
                        tables[name_of(view[name])] = table_of(view[name], prepared(view[name]))
                        codes[name_of(view[name])] = view[name]
                    except ValueError as error:
                        st.warning(plain(sentence(error)))
        if len(tables) > 1:
            regions = overlap(tables)
            cards = Cards(codes, tables)
            show(regions, tables, cards, view["large"])
            pieces(view, regions, cards, len(tables))


@dataclass(frozen=True)
class Cards:
    """Where the cards of pieces are.

    Attributes:
        codes: The code of each vocabulary by its name.
        tables: The vocabularies.
    """

    codes: Mapping[str, str]
    tables: Mapping[str, Table]

    def chip(self, region: Region, piece: bytes) -> Chip:
        """Return the start of a piece, with a link to its card in the first vocabulary that has it."""
        first = region.members[0]
        href = f"{card_base(self.codes[first])}{self.tables[first].ids_of_meanings[piece]}"
        return {"piece": piece[:_LONGEST_ROW].hex(), "slot": slot(piece), "kind": "token", "href": href}


def show(regions: Sequence[Region], tables: Mapping[str, Table], cards: Cards, large: bool) -> None:
    """Draw one row for each part of the overlap."""
    total = sum(len(region.pieces) for region in regions)
    names = [words.region(region.members, len(tables)) for region in regions]
    rows: list[list[Cell]] = [
        [
            name,
            len(region.members),
            len(region.pieces),
            round(100 * len(region.pieces) / max(total, 1), 2),
            [cards.chip(region, piece) for piece in _examples(region)],
        ]
        for name, region in zip(names, regions, strict=True)
    ]
    sorted_table(words.REGION_COLUMNS, rows, name=words.OVERLAP, key="vocabulary.regions", large=large)

    def file() -> str:
        return as_csv(list(_lines(names, regions, list(tables))))

    st.download_button(words.CSV, file, "overlap.csv", "text/csv", on_click="ignore", key="vocabulary.overlap-csv")


def pieces(view: PageState, regions: Sequence[Region], cards: Cards, of: int) -> None:
    """Draw the choice of a part, and all pieces of it."""
    if view["part"] >= len(regions):
        view.put(part=NO_PART)
    st.selectbox(
        words.PART,
        [NO_PART, *range(len(regions))],
        key=view.widget("part"),
        format_func=lambda part: words.NO_PART if part == NO_PART else words.region(regions[part].members, of),
    )
    if view["part"] == NO_PART:
        return
    region, key = regions[view["part"]], "vocabulary.part-table"
    found = region.pieces
    version = repr((view["code"], *(view[name] for name in OTHERS), view["part"]))
    first = first_row(key, version, len(found))
    piece_table(
        COLUMNS,
        [
            {**cards.chip(region, piece), "cells": [piece[:_LONGEST_ROW].hex(" ").upper(), len(piece)]}
            for piece in found[first : first + WINDOW]
        ],
        total=len(found),
        first=first,
        version=version,
        sort="",
        falling=False,
        on_sort=lambda column: None,
        name=words.region(regions[view["part"]].members, of),
        key=key,
        large=view["large"],
    )


def _examples(region: Region) -> list[bytes]:
    """Choose the first pieces that a reader can read in a row: of several letters, and none too long."""
    short = (piece for piece in region.pieces if 1 < len(piece) <= _LONGEST)
    return [piece for piece, _ in zip(short, range(_EXAMPLES), strict=False)]


def _lines(
    names: Sequence[str], regions: Sequence[Region], members: Sequence[str]
) -> Iterator[dict[str, str | int | float | None]]:
    for name, region in zip(names, regions, strict=True):
        held: dict[str, str | int | float | None] = {member: int(member in region.members) for member in members}
        for piece in region.pieces:
            yield {"part": name, "stands for, hex": piece.hex(), "text": piece.decode("utf-8", "replace"), **held}
