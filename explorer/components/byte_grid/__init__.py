"""The 256 bytes in a square: what stands for each in a byte-level vocabulary, and how often it occurs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypedDict

from explorer.components import load

_component = load("byte_grid")


class ByteCell(TypedDict):
    """One byte of the alphabet.

    `value` 0..255; `shown` its printable form, one character; `id` its id in the vocabulary, None where it has none;
    `direct` whether the byte stands for itself (188 do) or is shown as a character from U+0100 up; `count` how often
    it occurs in the text.
    """

    value: int
    shown: str
    id: int | None
    direct: bool
    count: int


def byte_grid(cells: Sequence[ByteCell], *, key: str, label: str = "The 256 bytes", large: bool = False) -> None:
    """Draw the 256 bytes as a grid of 16 x 16, tinted by count, with a readout of the byte pointed at.

    Args:
        cells: one for each of the 256 values, in any order.
        key: the widget key.
        label: the name a screen reader says.
        large: for a projector.

    Raises:
        ValueError: the cells are not the 256 values, each once.
    """
    values = [cell["value"] for cell in cells]
    if sorted(values) != list(range(256)):
        raise ValueError(
            f"cells must be the 256 byte values, each once; got {len(values)} with {len(set(values))} values"
        )
    _component(key=key, data={"cells": list(cells), "label": label, "large": large})
