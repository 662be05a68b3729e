"""Counting distinct spans of bytes, in order of first appearance.

`records[number]` is (low, high, count, where it stops in `arena`) of a span; the bytes of all of them lie there one
after another. Low and high are the bytes of a span of less than 16 and its size, so they tell it from all others. Of a
longer one they are hashes and its size, and its bytes are compared. `slots[place]` is upper hash << 32 | number + 1, 0
where there is none; its place is the first free one from `upper hash` on, modulo the size of the table.

Fast, because slots are small and records dense, those of frequent words first; and because 64 slots, then 64 records,
are asked for before the first of them is read, so that the memory's delays overlap.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.kernels.jit import helper, inlined, kernel
from engine.kernels.memory import load64, prefetch, store64

Bytes = NDArray[np.uint8]
Ints = NDArray[np.int64]
Words = NDArray[np.uint64]

SLACK = 16
"""Bytes behind the last one of an arena that may be overwritten."""

BATCH = 64
"""Spans that are counted together."""

_MASKS = np.array(
    [[(1 << 8 * min(size, 8)) - 1, (1 << 8 * max(size - 8, 0)) - 1] for size in range(16)], np.uint64
).ravel()
_ZERO, _ONE, _HALF, _SIZE = np.uint64(0), np.uint64(1), np.uint64(32), np.uint64(56)
_NUMBER = np.uint64(0xFFFFFFFF)
_LONG = np.uint64(0xFF << 56)


@inlined
def _upper_hash(low: int, high: int) -> int:
    mixed = (low * np.uint64(0x9E3779B97F4A7C15)) ^ (high * np.uint64(0xC2B2AE3D27D4EB4F))
    mixed ^= mixed >> _HALF
    return (mixed * np.uint64(0xD6E8FEB86659FD93)) >> _HALF


@helper
def _hashes(raw: Bytes, start: int, size: int) -> tuple[int, int]:
    """Hash 16 bytes or more, below 2**32, twice and independently; the second hash leaves room for the size."""
    low, high = np.uint64(size) * np.uint64(0x9E3779B97F4A7C15), np.uint64(0x1234567)
    last = start + size - 8
    i = start
    while True:
        word = load64(raw, min(i, last))
        low = (low ^ word) * np.uint64(0x9FB21C651E98DF25)
        low ^= low >> _HALF
        high = (high + word) * np.uint64(0xC2B2AE3D27D4EB4F)
        high ^= high >> np.uint64(29)
        if i >= last:
            return low, high >> np.uint64(40) << _HALF | _LONG | np.uint64(size)
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


@kernel(
    "int64(uint8[::1], int64[:,::1], int64, int64, int64[::1], uint64[::1], uint64[:,::1], uint8[::1], int64[::1])",
    makes_arrays=True,
)
def count(
    raw: Bytes,
    spans: Ints,
    first: int,
    many: int,
    weights: Ints,
    slots: Words,
    records: Words,
    arena: Bytes,
    state: Ints,
) -> int:
    """Count spans as long as there is room for `BATCH` of them, even if all are new.

    Args:
        raw: uint8[n + 16], text with padding.
        spans: int64[many or more, 2], start and stop of each, rising, below 2**32 bytes apart.
        first: The first one to count.
        many: The one behind the last one.
        weights: int64[many], how much each counts; int64[1] for all alike.
        slots: uint64[power of two], see above; at most half of them are used.
        records: uint64[, 4].
        arena: uint8[], the bytes, and `SLACK` more.
        state: int64[2]: distinct spans so far, and bytes of the arena that are taken.

    Returns:
        The first one that is not counted.
    """
    most, room = min(records.shape[0], slots.shape[0] // 2), arena.shape[0] - SLACK
    lows, highs, uppers = np.empty(BATCH, np.uint64), np.empty(BATCH, np.uint64), np.empty(BATCH, np.uint64)
    places = np.empty(BATCH, np.int64)
    mask = slots.shape[0] - 1
    step = np.int64(weights.shape[0] > 1)
    while first < many:
        batch = min(BATCH, many - first)
        size = spans[first + batch - 1, 1] - spans[first, 0]
        if state[0] + batch > most or state[1] + size > room:
            break
        for j in range(batch):
            start = np.int64(load64(spans, 2 * (first + j)))
            size = np.int64(load64(spans, 2 * (first + j) + 1)) - start
            if size < 16:
                low = load64(raw, start) & load64(_MASKS, 2 * size)
                high = load64(raw, start + 8) & load64(_MASKS, 2 * size + 1) | np.uint64(size) << _SIZE
            else:
                low, high = _hashes(raw, start, size)
            upper = _upper_hash(low, high)
            prefetch(slots, np.int64(upper) & mask)
            lows[j], highs[j], uppers[j] = low, high, upper
        for j in range(batch):
            place = np.int64(uppers[j]) & mask
            slot = load64(slots, place)
            while slot >> _HALF != uppers[j] and slot != _ZERO:
                place = (place + 1) & mask
                slot = load64(slots, place)
            prefetch(records, 4 * np.int64(slot & _NUMBER) - 4 * np.int64(slot != _ZERO))
            places[j] = place
        for j in range(batch):
            place = places[j]
            number = np.int64(load64(slots, place) & _NUMBER) - 1  # read again, for it may just have come
            while True:
                if number < 0:  # its bytes are copied by eight, and what is too many is overwritten
                    start = spans[first + j, 0]
                    size = spans[first + j, 1] - start
                    number, end = state[0], state[1]
                    for at in range(0, size, 8):
                        store64(arena, end + at, load64(raw, start + at))
                    state[0], state[1] = number + 1, end + size
                    records[number, 0], records[number, 1], records[number, 2] = lows[j], highs[j], _ZERO
                    records[number, 3] = np.uint64(end + size)
                    slots[place] = uppers[j] << _HALF | np.uint64(number + 1)
                    break
                same = load64(records, 4 * number) == lows[j] and load64(records, 4 * number + 1) == highs[j]
                if same and highs[j] >= _LONG:
                    start = spans[first + j, 0]
                    size = spans[first + j, 1] - start
                    same = _same(raw, start, arena, np.int64(load64(records, 4 * number + 3)) - size, size)
                if same:
                    break
                place = (place + 1) & mask
                number = np.int64(slots[place] & _NUMBER) - 1
            weight = load64(weights, (first + j) * step)
            store64(records, 4 * number + 2, load64(records, 4 * number + 2) + weight)
        first += batch
    return first


@kernel("void(uint64[::1], uint64[::1])")
def rehash(old: Words, new: Words) -> None:
    """Enter the spans of one table into a larger one, which is all 0."""
    mask = new.shape[0] - 1
    for i in range(old.shape[0]):
        if old[i] != _ZERO:
            place = np.int64(old[i] >> _HALF) & mask
            while new[place] != _ZERO:
                place = (place + 1) & mask
            new[place] = old[i]
