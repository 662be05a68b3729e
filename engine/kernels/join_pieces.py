"""The bytes of pieces that are made of two earlier ones each, in one row."""

from __future__ import annotations

from engine.kernels.byte_keys import Bytes, Ints
from engine.kernels.jit import kernel


@kernel("void(int64[::1], int64[::1], int64[::1])")
def measure(lefts: Ints, rights: Ints, offsets: Ints) -> None:
    """Tell where each new piece stops.

    Args:
        lefts: int64[new], the id of the left part of each new piece.
        rights: int64[new], the same of the right part.
        offsets: int64[known + new + 1], where each piece starts in the row, and behind the last known one where that
            stops; the rest is filled.
    """
    known = offsets.size - 1 - lefts.size
    for i in range(lefts.size):
        left, right = lefts[i], rights[i]
        size = offsets[left + 1] - offsets[left] + offsets[right + 1] - offsets[right]
        offsets[known + i + 1] = offsets[known + i] + size


@kernel("void(int64[::1], int64[::1], int64[::1], uint8[::1])")
def write(lefts: Ints, rights: Ints, offsets: Ints, row: Bytes) -> None:
    """Write the new pieces behind the known ones; `row` is uint8[offsets[-1]], the others are as above."""
    at = offsets[offsets.size - 1 - lefts.size]
    for i in range(lefts.size):
        for part in (lefts[i], rights[i]):
            for j in range(offsets[part], offsets[part + 1]):
                row[at] = row[j]
                at += 1
