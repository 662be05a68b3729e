"""Counting distinct spans of bytes, in order of first appearance.

`slots[h]` is (first eight bytes, next eight bytes, length << 32 | number + 1, count) of a span, by its hash; all 0
where there is none. A span of more than 16 bytes has two hashes in place of its bytes, and is compared byte by byte.
The bytes of each distinct span lie one after another in `arena`; `stops[number]` is where it stops there.

Fast, because a short span is told from all others by three comparisons, in the one place where its count stands, too;
and because 64 places are asked for before the first of them is read, so that the memory's delays overlap.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.kernels.jit import helper, inlined, kernel
from engine.kernels.memory import load8, load64, prefetch

Bytes = NDArray[np.uint8]
Ints = NDArray[np.int64]
Words = NDArray[np.uint64]

_BATCH = 64
_SHORT = 16
_MASKS = np.array([[(1 << 8 * min(size, 8)) - 1, (1 << 8 * max(size - 8, 0)) - 1] for size in range(17)], np.uint64)


@inlined
def _hash(low: int, high: int, size: int) -> int:
    mixed = (low * np.uint64(0x9E3779B97F4A7C15)) ^ (high * np.uint64(0xC2B2AE3D27D4EB4F)) ^ np.uint64(size)
    mixed ^= mixed >> np.uint64(32)
    mixed *= np.uint64(0xD6E8FEB86659FD93)
    return mixed ^ (mixed >> np.uint64(32))


@helper
def _hashes(raw: Bytes, start: int, size: int) -> tuple[int, int]:
    """Hash more than 16 bytes, twice and independently."""
    low, high = np.uint64(size) * np.uint64(0x9E3779B97F4A7C15), np.uint64(0x1234567)
    last = start + size - 8
    i = start
    while True:
        word = load64(raw, min(i, last))
        low = (low ^ word) * np.uint64(0x9FB21C651E98DF25)
        low ^= low >> np.uint64(32)
        high = (high + word) * np.uint64(0xC2B2AE3D27D4EB4F)
        high ^= high >> np.uint64(29)
        if i >= last:
            return low, high
        i += 8


@helper
def _same(raw: Bytes, i: int, other: Bytes, j: int, size: int) -> bool:
    """Compare eight bytes or more."""
    last = size - 8
    at = 0
    while at < last:
        if load64(raw, i + at) != load64(other, j + at):
            return False
        at += 8
    return load64(raw, i + last) == load64(other, j + last)


@helper
def _add(raw: Bytes, start: int, size: int, arena: Bytes, stops: Ints, state: Ints) -> int:
    """Keep the bytes of a new span; return its number."""
    number, end = state[0], state[1]
    for i in range(size):
        arena[end + i] = load8(raw, start + i)
    state[0], state[1] = number + 1, end + size
    stops[number] = end + size
    return number


@kernel("void(uint8[::1], int64[:,::1], int64, int64[::1], uint64[:,::1], uint8[::1], int64[::1], int64[::1])")
def count(
    raw: Bytes, spans: Ints, many: int, weights: Ints, slots: Words, arena: Bytes, stops: Ints, state: Ints
) -> None:
    """Count spans.

    Args:
        raw: uint8[n + 16], text with padding.
        spans: int64[many or more, 2], start and stop of each, below 2**32 bytes apart.
        many: How many of them.
        weights: int64[many], how much each counts; int64[1] for all alike.
        slots: uint64[power of two, 4], see above; more than twice as many as there may be distinct spans afterwards.
        arena: uint8[], with room for the bytes of all new spans.
        stops: int64[], with room likewise.
        state: int64[2]: distinct spans so far, and bytes of the arena that are taken.
    """
    low, high, place = np.empty(_BATCH, np.uint64), np.empty(_BATCH, np.uint64), np.empty(_BATCH, np.int64)
    mask = np.uint64(slots.shape[0] - 1)
    step = np.int64(weights.shape[0] > 1)
    for first in range(0, many, _BATCH):
        batch = min(_BATCH, many - first)
        for j in range(batch):
            start = spans[first + j, 0]
            size = spans[first + j, 1] - start
            if size <= _SHORT:
                low[j], high[j] = load64(raw, start) & _MASKS[size, 0], load64(raw, start + 8) & _MASKS[size, 1]
            else:
                low[j], high[j] = _hashes(raw, start, size)
            place[j] = np.int64(_hash(low[j], high[j], size) & mask)
            prefetch(slots, 4 * place[j])
        for j in range(batch):
            start = spans[first + j, 0]
            size = spans[first + j, 1] - start
            weight = np.uint64(weights[(first + j) * step])
            h = place[j]
            while True:
                entry = slots[h, 2]
                if entry == 0:
                    number = _add(raw, start, size, arena, stops, state)
                    slots[h, 0], slots[h, 1] = low[j], high[j]
                    slots[h, 2], slots[h, 3] = np.uint64(size << 32 | (number + 1)), weight
                    break
                if slots[h, 0] == low[j] and slots[h, 1] == high[j] and np.int64(entry >> np.uint64(32)) == size:
                    number = np.int64(entry & np.uint64(0xFFFFFFFF)) - 1
                    if size <= _SHORT or _same(raw, start, arena, stops[number] - size, size):
                        slots[h, 3] += weight
                        break
                h = (h + 1) & np.int64(mask)


@kernel("void(uint64[:,::1], uint64[:,::1])")
def rehash(old: Words, new: Words) -> None:
    """Enter the spans of one table into a larger one, which is all 0."""
    mask = np.uint64(new.shape[0] - 1)
    for i in range(old.shape[0]):
        if old[i, 2] != 0:
            h = np.int64(_hash(old[i, 0], old[i, 1], np.int64(old[i, 2] >> np.uint64(32))) & mask)
            while new[h, 2] != 0:
                h = (h + 1) & np.int64(mask)
            new[h, :] = old[i, :]


@kernel("void(uint64[:,::1], int64[::1])")
def gather(slots: Words, counts: Ints) -> None:
    """Write the count of each distinct span, by its number."""
    for i in range(slots.shape[0]):
        if slots[i, 2] != 0:
            counts[np.int64(slots[i, 2] & np.uint64(0xFFFFFFFF)) - 1] = np.int64(slots[i, 3])
