"""Pairs of symbols by hash.

`slots[h]` is (left << 32 | right, number of the pair + 1), or (anything, 0) where there is none. A table may be the
first part of a larger array, as its mask says: a power of two less one.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.kernels.jit import inlined, kernel
from engine.kernels.memory import read64, write64

Ints = NDArray[np.int64]


@inlined
def slot_of(key: int, mask: int) -> int:
    """Return where the search for a pair starts."""
    return np.int64((np.uint64(key) * np.uint64(0x9E3779B97F4A7C15)) >> np.uint64(20)) & mask


@inlined
def find(slots: Ints, mask: int, key: int) -> int:
    """Return the number of a pair, or -1."""
    i = slot_of(key, mask)
    while read64(slots, 2 * i + 1) != 0 and read64(slots, 2 * i) != key:
        i = (i + 1) & mask
    return read64(slots, 2 * i + 1) - 1


@inlined
def enter(slots: Ints, mask: int, key: int, pair: int) -> None:
    """Put a pair into a table where it is missing and more than its own place is free."""
    i = slot_of(key, mask)
    while read64(slots, 2 * i + 1) != 0:
        i = (i + 1) & mask
    write64(slots, 2 * i, key)
    write64(slots, 2 * i + 1, pair + 1)


@kernel("void(int64[:,::1], int64[:,::1])")
def rehash(old: Ints, new: Ints) -> None:
    """Enter the pairs of one table into a larger one, which is all 0."""
    for i in range(old.shape[0]):
        if old[i, 1] != 0:
            enter(new, new.shape[0] - 1, old[i, 0], old[i, 1] - 1)
