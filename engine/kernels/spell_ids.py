"""From ids back to bytes: one pass that adds up how long the text is, and one that copies.

Pieces are copied eight bytes at a time, the last ones beyond their end: the next piece is written over that. Most
pieces are shorter than that, so there is one load and one store a token.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.kernels.jit import kernel
from engine.kernels.memory import load64, store64


@kernel("int64(int64[::1], int64[::1])")
def total(ids: NDArray[np.int64], sizes: NDArray[np.int64]) -> int:
    """Return how many bytes ids stand for; -1 if one of them stands for nothing.

    Args:
        ids: int64[n].
        sizes: int64[pieces], bytes of each piece, -1 where an id is not used.
    """
    bytes_ = 0
    for id in ids:
        if id < 0 or id >= sizes.size or sizes[id] < 0:
            return -1
        bytes_ += sizes[id]
    return bytes_


@kernel("void(int64[::1], int64[::1], int64[::1], uint8[::1], uint8[::1])")
def spell(
    ids: NDArray[np.int64],
    starts: NDArray[np.int64],
    sizes: NDArray[np.int64],
    blob: NDArray[np.uint8],
    out: NDArray[np.uint8],
) -> None:
    """Write the pieces of ids, all of them in use, one after another.

    Args:
        ids: int64[n].
        starts: int64[pieces], where each piece starts in `blob`.
        sizes: int64[pieces], how many bytes it has.
        blob: uint8[], the pieces, with 8 spare bytes behind them.
        out: uint8[], as large as their bytes and 8 more.
    """
    at = 0
    for id in ids:
        start, size = starts[id], sizes[id]
        store64(out, at, load64(blob, start))
        for i in range(8, size, 8):
            store64(out, at + i, load64(blob, start + i))
        at += size
