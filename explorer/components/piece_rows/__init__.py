"""Rows of pieces, to be compared line by line."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NotRequired, TypedDict

from explorer.components import load

_component = load("piece_rows")


class PieceRow(TypedDict):
    """One row.

    Attributes:
        label: what is compared.
        pieces: the bytes of each piece, in hex.
        slots: the fill of each piece; None leaves it neutral.
        note: what is said at the end of the row.
        hrefs: where the card of each piece is; without it there are none.
    """

    label: str
    pieces: list[str]
    slots: list[int] | None
    note: str
    hrefs: NotRequired[list[str]]


def piece_rows(rows: Sequence[PieceRow], *, name: str, key: str, large: bool = False) -> None:
    """Draw rows of pieces with their labels and notes.

    Args:
        rows: The rows.
        name: What a screen reader calls them.
        key: The widget key.
        large: For a projector.
    """
    _component(key=key, data={"rows": list(rows), "name": name, "large": large})
