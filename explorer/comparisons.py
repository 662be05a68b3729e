"""Sections of Tokenize that show what would be different: other splits, and overlaps merged from the other side."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import streamlit as st

from explorer import words_comparisons as words
from explorer.components.piece_rows import PieceRow, piece_rows
from explorer.frame import section
from explorer.page_state import PageState
from explorer.settings import Setting, flag, line
from explorer.views.comparisons import MOST_WORDS, Row, fills, overlaps, splits
from explorer.views.reading import Reading
from explorer.words import plain, sentence

COMPARISON_SETTINGS: Mapping[str, Setting[Any]] = {"splits": flag(False), "overlaps": flag(False), "pattern": line()}


def comparisons(view: PageState, readings: Mapping[str, Reading]) -> bool:
    """Draw both sections, closed at first; what is in a closed one is not worked out. Return whether one is open."""
    for name in COMPARISON_SETTINGS:
        view.widget(name)
    with section("tokenize-other"):
        other_splits = st.expander(words.SPLITS, on_change="rerun", key=view.widget("splits"))
        if other_splits.open:
            with other_splits:
                st.caption(words.SPLITS_NOTE)
                show_splits(view)
        other_side = st.expander(words.OVERLAPS, on_change="rerun", key=view.widget("overlaps"))
        if other_side.open:
            with other_side:
                st.caption(words.OVERLAPS_NOTE)
                for side, reading in readings.items():
                    show_overlaps(side, reading, view["text"])
    return bool(other_splits.open or other_side.open)


def show_splits(view: PageState) -> None:
    """Draw the beginning of the text in every named split, and in one of the reader's own."""
    own = st.text_input(words.OWN, key=view.widget("pattern"), placeholder=words.OWN_HINT)
    text = view["text"]
    try:
        rows = splits(text, own)
    except ValueError as error:
        st.warning(sentence(error))
        rows = splits(text)
    drawn = [_drawn(row, words.number(len(row.pieces))) for row in rows]
    piece_rows(drawn, name=words.SPLITS, key="tokenize.split-rows")


def show_overlaps(side: str, reading: Reading, text: str) -> None:
    """Draw the pre-tokens that would come out differently."""
    found = overlaps(reading.tokenizer, text)
    st.markdown(f"**{plain(reading.name)}** · {words.differences(len(found))}")
    rows: list[PieceRow] = []
    for each in found[:MOST_WORDS]:
        rows.append(_drawn(Row(words.LEFT, each.left, fills(each.left)), words.number(len(each.left))))
        rows.append(_drawn(Row(words.RIGHT, each.right, fills(each.right)), words.number(len(each.right))))
    if rows:
        piece_rows(rows, name=words.OVERLAPS, key=f"tokenize.{side}.overlap-rows")


def _drawn(row: Row, note: str) -> PieceRow:
    return {"label": row.label, "pieces": [piece.hex() for piece in row.pieces], "slots": row.slots, "note": note}
