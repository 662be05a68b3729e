"""From ids back to bytes: one pass that adds up how long the text is, and one that copies.

An id has one entry of 16 bytes: the first eight bytes of its piece, and where the piece stands. Most pieces are no
longer, so there is one place in memory to wait for, one load and one store a token; eight bytes are stored even so, and
the next piece is written over what is too much.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.kernels.jit import inlined, kernel
from engine.kernels.memory import address, load64, store64

_SIZE = np.int64(2**32 - 1)

SPARE = 8
"""Bytes behind what is written that may be overwritten."""


@kernel("int64(int32[::1], int64[:, ::1])")
def total(ids: NDArray[np.int32], entries: NDArray[np.int64]) -> int:
    """Return how many bytes ids stand for; -1 if one of them stands for nothing.

    Args:
        ids: int32[n].
        entries: int64[pieces, 2], the first eight bytes of each piece; where it starts << 32 | its size, or -1 where an
            id is not used.
    """
    bytes_ = 0
    pieces = np.uint64(entries.shape[0])
    places = address(entries)
    for id in ids:
        if np.uint64(np.int64(id)) >= pieces:  # as such a number, one below 0 is large
            return -1
        about = np.int64(load64(places, 16 * np.int64(id) + 8))
        if about < 0:
            return -1
        bytes_ += about & _SIZE
    return bytes_


@inlined
def write_piece(entry: int, pieces: int, at: int) -> int:
    """Write a piece from its entry and the address of all pieces to an address; return where it ends."""
    about = np.int64(load64(entry, 8))
    size = about & _SIZE
    store64(at, 0, np.int64(load64(entry, 0)))
    if size > 8:
        piece = pieces + (about >> 32)
        for i in range(8, size, 8):
            store64(at, i, np.int64(load64(piece, i)))
    return at + size


@kernel("void(int32[::1], int64[:, ::1], uint8[::1], uint8[::1])")
def spell(ids: NDArray[np.int32], entries: NDArray[np.int64], blob: NDArray[np.uint8], out: NDArray[np.uint8]) -> None:
    """Write the pieces of ids, all of them in use, one after another.

    Args:
        ids: int32[n].
        entries: As `total` reads them.
        blob: uint8[], the pieces, with 8 spare bytes behind them.
        out: uint8[], as large as their bytes and `SPARE` more.
    """
    places, pieces, at = address(entries), address(blob), address(out)
    for id in ids:
        at = write_piece(places + 16 * np.int64(id), pieces, at)
