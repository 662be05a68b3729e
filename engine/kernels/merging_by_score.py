"""Merging pairs of neighbors, the best score first.

The score is the count of the pair / (count of the left symbol * count of the right one). Cells, pairs, slots and
occurrences are those of `merging`. A score rises when one of the two symbols becomes rarer, so each pair that touches a
merged symbol is queued anew, once, with what it is worth then. `heap[i]` is (count, product of the counts of its
symbols, key, p), `scores[i]` their ratio; an entry whose numbers are no longer those of its pair is dropped when it
comes up. `links[p]` is the next pair with the same left symbol, and with the same right one; `heads[symbol]` are the
first of each kind, and how many there are of both.

Exact, because scores that floating point cannot tell apart are compared as fractions, in 128 bits; all counts of
symbols are below 2**31. Fast, for the reasons given there.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.kernels.jit import helper, inlined, kernel
from engine.kernels.merging import (
    DONE,
    LENGTH,
    MORE_PAIRS,
    MORE_POOL,
    MORE_SLOTS,
    MORE_SYMBOLS,
    NO_PAIR,
    OCCURRENCES,
    PAIRS,
    QUEUED,
    SYMBOLS,
    TIES,
    Ints,
    Ints32,
    apply,
    key_of,
)

Floats = NDArray[np.float64]

MORE_HEAP = 6
# Numbers of `state` that have another meaning here: the score that `TIES` belongs to.
_COUNT, _PRODUCT = 3, 4
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
def _compare(count: int, product: int, other_count: int, other_product: int) -> int:
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
    order = _compare(heap[i, 0], heap[i, 1], heap[j, 0], heap[j, 1])
    return order > 0 or (order == 0 and heap[i, 2] < heap[j, 2])


@inlined
def _swap(heap: Ints, scores: Floats, i: int, j: int) -> None:
    for column in range(4):
        heap[i, column], heap[j, column] = heap[j, column], heap[i, column]
    scores[i], scores[j] = scores[j], scores[i]


@helper
def _sink(heap: Ints, scores: Floats, i: int, size: int) -> None:
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
def _drop(heap: Ints, scores: Floats, state: Ints) -> None:
    state[QUEUED] -= 1
    last = state[QUEUED]
    if last > 0:
        heap[0, :] = heap[last, :]
        scores[0] = scores[last]
        _sink(heap, scores, 0, last)


@helper
def _queue(heap: Ints, scores: Floats, state: Ints, count: int, product: int, key: int, p: int) -> None:
    i = state[QUEUED]
    heap[i, 0], heap[i, 1], heap[i, 2], heap[i, 3] = count, product, key, p
    scores[i] = count / product
    state[QUEUED] += 1
    while i > 0 and _before(heap, scores, i, (i - 1) >> 2):
        _swap(heap, scores, i, (i - 1) >> 2)
        i = (i - 1) >> 2


@inlined
def _worth(pairs: Ints, units: Ints, p: int) -> int:
    """Return the product of the counts of the two symbols of a pair."""
    return units[pairs[p, 0] >> 32] * units[pairs[p, 0] & 0xFFFFFFFF]


@inlined
def _holds(heap: Ints, pairs: Ints, units: Ints, i: int) -> bool:
    p = heap[i, 3]
    return pairs[p, 1] == heap[i, 0] and _worth(pairs, units, p) == heap[i, 1]


@helper
def _best(heap: Ints, scores: Floats, pairs: Ints, units: Ints, state: Ints) -> int:
    """Bring the pair that wins to the root; return it, or -1 if there is none."""
    while state[QUEUED] > 0:
        if _holds(heap, pairs, units, 0):
            return heap[0, 3]
        _drop(heap, scores, state)
    return -1


@helper
def _count_ties(heap: Ints, pairs: Ints, units: Ints, size: int, waiting: Ints32) -> int:
    """Count the pairs whose score is that of the root: in a heap they hang together below it."""
    ties = 0
    waiting[0] = 0
    end = 1
    while end > 0:
        end -= 1
        i = waiting[end]
        ties += _holds(heap, pairs, units, i)
        for child in range(4 * i + 1, min(4 * i + 5, size)):
            if _compare(heap[child, 0], heap[child, 1], heap[0, 0], heap[0, 1]) == 0:
                waiting[end] = child
                end += 1
    return ties


@helper
def _link(links: Ints32, heads: Ints32, pairs: Ints, p: int) -> None:
    left, right = pairs[p, 0] >> 32, pairs[p, 0] & 0xFFFFFFFF
    links[p, 0], heads[left, 0] = heads[left, 0], p
    links[p, 1], heads[right, 1] = heads[right, 1], p
    heads[left, 2] += 1
    heads[right, 2] += 1


@helper
def _touching(
    links: Ints32, heads: Ints32, pairs: Ints, symbol: int, but: int, least: int, found: Ints32, many: int
) -> int:
    """Append the pairs that touch a symbol, but not `but`, to `found`, unlink the rare ones; return their number."""
    for side in range(2):
        before = -1
        p = np.int64(heads[symbol, side])
        while p >= 0:
            following = np.int64(links[p, side])
            left, right = pairs[p, 0] >> 32, pairs[p, 0] & 0xFFFFFFFF
            if pairs[p, 1] < least:
                if before < 0:
                    heads[symbol, side] = following
                else:
                    links[before, side] = following
                heads[symbol, 2] -= 1
            else:
                before = p
                if left != but and right != but and not (side == 1 and left == right):
                    found[many] = p
                    many += 1
            p = following
    return many


@kernel("void(int64[:,::1], int64[:,::1], float64[::1], int64[:,::1], int64[::1], int64[::1])")
def refresh(old: Ints, heap: Ints, scores: Floats, pairs: Ints, units: Ints, state: Ints) -> None:
    """Copy the entries that hold from one heap into another, which may be the same."""
    size = 0
    for i in range(state[QUEUED]):
        if _holds(old, pairs, units, i):
            heap[size, :] = old[i, :]
            scores[size] = heap[size, 0] / heap[size, 1]
            size += 1
    state[QUEUED] = size
    for i in range(size - 1, -1, -1):
        _sink(heap, scores, i, size)


_BEGIN = """void(int32[:,::1], int64[:,::1], int64[:,::1], float64[::1], int32[:,::1], int32[:,::1], int32[::1],
    int32[::1], int64[::1], int64[::1], int64, boolean)"""


@kernel(_BEGIN)
def begin(
    cells: Ints32,
    pairs: Ints,
    heap: Ints,
    scores: Floats,
    links: Ints32,
    heads: Ints32,
    pool: Ints32,
    widths: Ints32,
    units: Ints,
    state: Ints,
    least: int,
    by_place: bool,
) -> None:
    """Link and queue the pairs that were counted."""
    state[QUEUED] = state[_COUNT] = state[TIES] = 0
    state[_PRODUCT] = 1
    for p in range(state[PAIRS]):
        if pairs[p, 1] >= least:
            _link(links, heads, pairs, p)
            key = key_of(pairs, pool, cells, widths, by_place, p)
            _queue(heap, scores, state, pairs[p, 1], _worth(pairs, units, p), key, p)


@kernel("int64(int64[:,::1], float64[::1], int64[:,::1], int64[::1], int64[::1])")
def best(heap: Ints, scores: Floats, pairs: Ints, units: Ints, state: Ints) -> int:
    """Return the number of the pair that `advance` would merge next, or -1."""
    return _best(heap, scores, pairs, units, state)


_STEP = """int64(int32[:,::1], int64[:,::1], int64[:,::1], int64[:,::1], float64[::1], int32[:,::1], int32[:,::1],
    int32[::1], int32[::1], int32[::1], int64[::1], int64[:,::1], int64[::1], int64[:,::1], int64, int64, boolean)"""


@kernel(_STEP)
def advance(
    cells: Ints32,
    pairs: Ints,
    slots: Ints,
    heap: Ints,
    scores: Floats,
    links: Ints32,
    heads: Ints32,
    waiting: Ints32,
    pool: Ints32,
    widths: Ints32,
    units: Ints,
    sums: Ints,
    state: Ints,
    history: Ints,
    done: int,
    least: int,
    by_place: bool,
) -> int:
    """Merge until `history` is full, no pair stands `least` times, or an array is too small for the next step.

    Args:
        cells: int32[n, 2], as in `merging.advance`, like all that is not named here.
        pairs: int64[pairs, 4].
        slots: int64[power of two, 2].
        heap: int64[entries, 4].
        scores: float64[entries].
        links: int32[pairs, 2].
        heads: int32[symbols, 3]; -1, -1, 0 where there are no pairs.
        waiting: int32[entries], for one's own use.
        pool: int32[occurrences].
        widths: int32[symbols].
        units: int64[symbols], each below 2**31.
        sums: int64[symbols, 8].
        state: int64[8].
        history: int64[steps, 7].
        done: Rows of `history` that are there already.
        least: Least count of a pair.
        by_place: Of equal scores the pair that stands first wins, not the one with the smallest ids.

    Returns:
        DONE, NO_PAIR or what there must be MORE of.
    """
    lefts = np.empty(sums.shape[0], np.int32)
    rights = np.empty(sums.shape[0], np.int32)
    merged = np.empty(1024, np.int32)
    touched = np.empty(1024, np.int32)
    for k in range(done, history.shape[0]):
        p = _best(heap, scores, pairs, units, state)
        if p < 0:
            return NO_PAIR
        size = pairs[p, 3]
        new = state[SYMBOLS]
        left, right = pairs[p, 0] >> 32, pairs[p, 0] & 0xFFFFFFFF
        gained = 2 * min(size, new + 1)
        changed = np.int64(heads[left, 2]) + np.int64(heads[right, 2])
        if state[PAIRS] + gained > pairs.shape[0]:
            return MORE_PAIRS
        if 2 * (state[PAIRS] + gained) > slots.shape[0]:
            return MORE_SLOTS
        if state[OCCURRENCES] + 2 * size > pool.shape[0]:
            return MORE_POOL
        if new >= sums.shape[0]:
            return MORE_SYMBOLS
        if state[QUEUED] + gained + changed > heap.shape[0]:
            return MORE_HEAP
        if size > merged.shape[0]:
            merged = np.empty(2 * size, np.int32)
        if changed > touched.shape[0]:
            touched = np.empty(2 * changed, np.int32)
        if _compare(heap[0, 0], heap[0, 1], state[_COUNT], state[_PRODUCT]) != 0:
            state[_COUNT], state[_PRODUCT] = heap[0, 0], heap[0, 1]
            state[TIES] = _count_ties(heap, pairs, units, state[QUEUED], waiting)
        count, product = state[_COUNT], state[_PRODUCT]
        history[k, 0], history[k, 1], history[k, 2] = left, right, pairs[p, 1]
        history[k, 3], history[k, 4], history[k, 5] = units[left], units[right], state[TIES]
        _drop(heap, scores, state)
        many = _touching(links, heads, pairs, left, -1, least, touched, 0)
        if right != left:
            many = _touching(links, heads, pairs, right, left, least, touched, many)
        for j in range(many):
            other = np.int64(touched[j])
            state[TIES] -= _compare(pairs[other, 1], _worth(pairs, units, other), count, product) == 0
        first = state[PAIRS]
        apply(cells, pairs, slots, pool, widths, units, sums, state, p, least, merged, lefts, rights)
        for j in range(many + state[PAIRS] - first):
            other = np.int64(touched[j]) if j < many else first + j - many
            if j >= many:
                _link(links, heads, pairs, other)
            if pairs[other, 1] >= least:
                worth = _worth(pairs, units, other)
                key = key_of(pairs, pool, cells, widths, by_place, other)
                _queue(heap, scores, state, pairs[other, 1], worth, key, other)
                state[TIES] += _compare(pairs[other, 1], worth, count, product) == 0
        history[k, 6] = state[LENGTH]
    return DONE
