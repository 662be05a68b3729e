"""A long table of pieces that scrolls smoothly: the browser holds a few hundred of its rows at a time."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypedDict, cast

import streamlit as st

from explorer.components import load

_component = load("piece_table")

WINDOW = 300
"""Rows that are sent at a time."""


class Column(TypedDict):
    """One column: its name in settings, its head, whether it holds numbers, whether it can be sorted by."""

    name: str
    label: str
    number: bool
    sorts: bool


def _ignore() -> None:
    """Give the state key the callback without which it does not exist before the first scrolling."""


def first_row(key: str, version: str, total: int) -> int:
    """Return from which row on the browser wants to have rows.

    Args:
        key: the widget key.
        version: what the rows depend on: where it has changed, the table begins at its top.
        total: the number of rows.
    """
    state = st.session_state.get(key)
    wanted = state.get("wanted") if isinstance(state, Mapping) else None
    if not isinstance(wanted, Mapping) or wanted.get("version") != version:
        return 0
    return max(0, min(int(wanted.get("first", 0)), total - 1))


def piece_table(
    columns: Sequence[Column],
    rows: Sequence[Mapping[str, object]],
    *,
    total: int,
    first: int,
    version: str,
    sort: str,
    falling: bool,
    on_sort: Callable[[str], None],
    name: str,
    key: str,
    large: bool = False,
) -> None:
    """Draw the table.

    Args:
        columns: the columns; the first is the piece itself.
        rows: the rows from `first` on, at most `WINDOW`: `piece`, hex of its bytes; its `slot` and `kind`; `href`,
            where it links to; and `cells`, text or numbers, for the columns after the first.
        total: how many rows there are in all.
        first: which row the first of them is, from 0; `first_row` says what the browser wants.
        version: what the rows depend on.
        sort: the name of the column by which they are sorted.
        falling: whether the largest come first.
        on_sort: called before the next run with the name of the column that the reader chose.
        name: what a screen reader calls the table.
        key: the widget key.
        large: for a projector.
    """

    def sorted_by() -> None:
        column = cast("str | None", st.session_state[key].sort)
        if column in {each["name"] for each in columns if each["sorts"]}:
            on_sort(str(column))

    data = {
        "columns": list(columns),
        "rows": list(rows),
        "total": total,
        "first": first,
        "version": version,
        "sort": sort,
        "falling": falling,
        "name": name,
        "large": large,
    }
    _component(key=key, data=data, on_wanted_change=_ignore, on_sort_change=sorted_by)
