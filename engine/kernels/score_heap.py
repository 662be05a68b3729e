"""Pairs in a heap, the best score first.

`heap[i]` is (count, product of the counts of the two symbols, key, number of the pair), `scores[i]` the ratio of the
first two. Each entry has four below it. Of equal scores the smallest key comes first.

Exact, because scores that floating point cannot tell apart are compared as fractions, in 128 bits.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.kernels.jit import helper, inlined
from engine.kernels.pair_places import QUEUED, Ints

Floats = NDArray[np.float64]

_CLOSE = 1e-12
_HALF = np.uint64(32)
_LOW = np.uint64(0xFFFFFFFF)


@helper
def _product(a: int, b: int) -> tuple[int, int]:
    """Multiply two numbers below 2**63: the upper and the lower 64 bits."""
    x, y = np.uint64(a), np.uint64(b)
    low = (x & _LOW) * (y & _LOW)
    middle = (x >> _HALF) * (y & _LOW) + (low >> _HALF)
    other = (x & _LOW) * (y >> _HALF) + (middle & _LOW)
    return (x >> _HALF) * (y >> _HALF) + (middle >> _HALF) + (other >> _HALF), other << _HALF | (low & _LOW)


@helper
def compare(count: int, product: int, other_count: int, other_product: int) -> int:
    """Return 1, 0 or -1: whether the first fraction is larger, as large, or smaller."""
    high, low = _product(count, other_product)
    other_high, other_low = _product(other_count, product)
    if high != other_high:
        return 1 if high > other_high else -1
    if low != other_low:
        return 1 if low > other_low else -1
    return 0


@helper
def _before(heap: Ints, scores: Floats, i: int, j: int) -> bool:
    if abs(scores[i] - scores[j]) > _CLOSE * scores[i]:
        return scores[i] > scores[j]
    order = compare(heap[i, 0], heap[i, 1], heap[j, 0], heap[j, 1])
    return order > 0 or (order == 0 and heap[i, 2] < heap[j, 2])


@inlined
def _swap(heap: Ints, scores: Floats, i: int, j: int) -> None:
    for column in range(4):
        heap[i, column], heap[j, column] = heap[j, column], heap[i, column]
    scores[i], scores[j] = scores[j], scores[i]


@helper
def sink(heap: Ints, scores: Floats, i: int, size: int) -> None:
    """Let an entry sink to where it belongs, in a heap of `size`."""
    while 4 * i + 1 < size:
        best = 4 * i + 1
        for child in range(best + 1, min(best + 4, size)):
            if _before(heap, scores, child, best):
                best = child
        if not _before(heap, scores, best, i):
            break
        _swap(heap, scores, i, best)
        i = best


@helper
def drop(heap: Ints, scores: Floats, state: Ints) -> None:
    """Take the first entry away; `state` counts them in QUEUED."""
    state[QUEUED] -= 1
    last = state[QUEUED]
    if last > 0:
        for column in range(4):
            heap[0, column] = heap[last, column]
        scores[0] = scores[last]
        sink(heap, scores, 0, last)


@helper
def queue(heap: Ints, scores: Floats, state: Ints, count: int, product: int, key: int, p: int) -> None:
    """Add an entry."""
    i = state[QUEUED]
    heap[i, 0], heap[i, 1], heap[i, 2], heap[i, 3] = count, product, key, p
    scores[i] = count / product
    state[QUEUED] += 1
    while i > 0 and _before(heap, scores, i, (i - 1) >> 2):
        _swap(heap, scores, i, (i - 1) >> 2)
        i = (i - 1) >> 2
