"""A table that the reader sorts by any of its columns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias, TypedDict

from explorer.components import load

_component = load("sorted_table")


class Chip(TypedDict):
    """A piece in a cell: hex of its bytes, its fill (None: neutral), its kind, and where it links to."""

    piece: str
    slot: int | None
    kind: str
    href: str


Cell: TypeAlias = str | int | float | Sequence[Chip] | None


def sorted_table(
    columns: Sequence[str],
    rows: Sequence[Sequence[Cell]],
    *,
    name: str,
    key: str,
    large: bool = False,
    height: int | None = None,
) -> None:
    """Draw a table; a click on the head of a column sorts by it, a second one turns the order around.

    Args:
        columns: the heads. A column is of numbers where every cell that is not None is one.
        rows: the cells: text, a number, None for nothing, or chips of pieces.
        name: what a screen reader calls the table.
        key: the widget key.
        large: for a projector.
        height: in CSS pixels, at most; a longer table scrolls below its heads. None: as long as it is.
    """
    cells = [list(row) for row in rows]
    data = {"columns": list(columns), "rows": cells, "name": name, "large": large, "height": height}
    _component(key=key, data=data)
