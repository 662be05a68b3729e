"""Merging pairs of neighbors, the best score first.

The score is the count of the pair / (count of the left symbol * count of the right one). Cells, pairs, occurrences and
sums are those of `pair_places`, slots those of `pair_slots`. A score rises when one of the two symbols becomes rarer,
so each pair that touches a merged symbol is queued anew, once, with what it is worth then, in the heap of `score_heap`.
An entry whose numbers are no longer those of its pair is dropped when it comes up. `links[p]` is the next pair with the
same left symbol, and with the same right one; `heads[symbol]` are the first of each kind, and how many there are of
both.

All counts of symbols are below 2**31. Fast, for the reasons given there.
"""

from __future__ import annotations

import numpy as np

from engine.kernels.jit import helper, inlined, kernel
from engine.kernels.memory import prefetch, read32, read64, write64
from engine.kernels.pair_places import (
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
    clear,
    create,
    forget_dead,
    key_of,
    list_new,
    merge,
)
from engine.kernels.pair_slots import enter, find, slot_of
from engine.kernels.score_heap import Floats, compare, drop, queue, sink

MORE_HEAP = 6
# Numbers of `state` that have another meaning here: the score that `TIES` belongs to.
_COUNT, _PRODUCT = 6, 7

_FEW = 1024  # pairs, or occurrences of one, that there is room for at first


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
        drop(heap, scores, state)
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
            if compare(heap[child, 0], heap[child, 1], heap[0, 0], heap[0, 1]) == 0:
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


@inlined
def _lose(pairs: Ints, slots: Ints, key: int, loss: int) -> None:
    p = find(slots, slots.shape[0] - 1, key)
    if p >= 0:
        pairs[p, 1] -= loss


@helper
def _apply(
    cells: Ints32,
    pairs: Ints,
    slots: Ints,
    pool: Ints32,
    widths: Ints32,
    units: Ints,
    sums: Ints,
    state: Ints,
    p: int,
    least: int,
    befores: Ints32,
    followings: Ints32,
    lefts: Ints32,
    rights: Ints32,
) -> None:
    """Merge pair p into the next symbol, and set all counts right. The new pairs are the last ones."""
    key, start, mask = pairs[p, 0], pairs[p, 2], slots.shape[0] - 1
    left, right, new = key >> 32, key & 0xFFFFFFFF, state[SYMBOLS]
    forget_dead(cells, pool, pairs, p, start)
    many, weight, many_left, many_right = merge(
        cells, pool, widths, sums, (left, right, new), start, pairs[p, 3], befores, followings, lefts, rights
    )
    for j in range(many_left):
        prefetch(slots, 2 * slot_of(read32(lefts, j) << 32 | left, mask))
        prefetch(slots, 2 * slot_of(read32(lefts, j) << 32 | new, mask))
    for j in range(many_right):
        prefetch(slots, 2 * slot_of(right << 32 | read32(rights, j), mask))
        prefetch(slots, 2 * slot_of(new << 32 | read32(rights, j), mask))
    units[left] -= weight
    units[right] -= weight
    units[new] = weight
    widths[new] = widths[left] + widths[right]
    state[LENGTH] -= weight
    state[SYMBOLS] += 1
    first = state[PAIRS]
    for j in range(many_right):
        other = read32(rights, j)
        _lose(pairs, slots, right << 32 | other, read64(sums, 4 * other + 6))
    sums[left + 1, 2] -= sums[new + 1, 0]  # these have the new symbol on their right by now
    sums[left + 1, 3] -= sums[new + 1, 1]
    for j in range(many_left):
        other = read32(lefts, j)
        row = 4 * (other + 1)
        count, size = read64(sums, row), read64(sums, row + 1)
        write64(sums, row + 1, -1)
        if other != new:
            _lose(pairs, slots, other << 32 | left, count)
        if other >= 0 and count >= least:
            write64(sums, row + 1, state[OCCURRENCES])
            enter(slots, mask, other << 32 | new, create(pairs, state, other << 32 | new, count, size))
    for j in range(many_right):
        other = read32(rights, j)
        row = 4 * (other + 1)
        count, size = read64(sums, row + 2), read64(sums, row + 3)
        write64(sums, row + 3, -1)
        if other >= 0 and count >= least:
            write64(sums, row + 3, state[OCCURRENCES])
            enter(slots, mask, new << 32 | other, create(pairs, state, new << 32 | other, count, size))
    pairs[p, 1] = pairs[p, 3] = 0
    if state[PAIRS] > first:
        list_new(pool, sums, start, many, np.int64(widths[left]), np.int64(widths[right]), befores, followings)
    clear(sums, lefts, many_left, rights, many_right)


@kernel("void(int64[:,::1], int64[:,::1], float64[::1], int64[:,::1], int64[::1], int64[::1])")
def refresh(old: Ints, heap: Ints, scores: Floats, pairs: Ints, units: Ints, state: Ints) -> None:
    """Copy the entries that hold from one heap into another, which may be the same."""
    size = 0
    for i in range(state[QUEUED]):
        if _holds(old, pairs, units, i):
            for column in range(4):
                heap[size, column] = old[i, column]
            scores[size] = heap[size, 0] / heap[size, 1]
            size += 1
    state[QUEUED] = size
    for i in range(size - 1, -1, -1):
        sink(heap, scores, i, size)


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
            queue(heap, scores, state, pairs[p, 1], _worth(pairs, units, p), key, p)


@kernel("int64(int64[:,::1], float64[::1], int64[:,::1], int64[::1], int64[::1])")
def best(heap: Ints, scores: Floats, pairs: Ints, units: Ints, state: Ints) -> int:
    """Return the number of the pair that `advance` would merge next, or -1."""
    return _best(heap, scores, pairs, units, state)


@helper
def _advance(
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
    befores: Ints32,
    followings: Ints32,
    touched: Ints32,
    lefts: Ints32,
    rights: Ints32,
) -> tuple[int, int]:
    """Do the work of `advance`; return its answer, or -n if n places have no room, and which row is next."""
    for k in range(done, history.shape[0]):
        p = _best(heap, scores, pairs, units, state)
        if p < 0:
            return NO_PAIR, k
        size = pairs[p, 3]
        new = state[SYMBOLS]
        left, right = pairs[p, 0] >> 32, pairs[p, 0] & 0xFFFFFFFF
        gained = 2 * min(size, new + 1)
        changed = np.int64(heads[left, 2]) + np.int64(heads[right, 2])
        if state[PAIRS] + gained > pairs.shape[0]:
            return MORE_PAIRS, k
        if 2 * (state[PAIRS] + gained) > slots.shape[0]:
            return MORE_SLOTS, k
        if state[OCCURRENCES] + 2 * size > pool.shape[0]:
            return MORE_POOL, k
        if new + 1 >= sums.shape[0]:
            return MORE_SYMBOLS, k
        if state[QUEUED] + gained + changed > heap.shape[0]:
            return MORE_HEAP, k
        if max(size, changed) > befores.shape[0]:
            return -max(size, changed), k
        if compare(heap[0, 0], heap[0, 1], state[_COUNT], state[_PRODUCT]) != 0:
            state[_COUNT], state[_PRODUCT] = heap[0, 0], heap[0, 1]
            state[TIES] = _count_ties(heap, pairs, units, state[QUEUED], waiting)
        count, product = state[_COUNT], state[_PRODUCT]
        history[k, 0], history[k, 1], history[k, 2] = left, right, pairs[p, 1]
        history[k, 3], history[k, 4], history[k, 5] = units[left], units[right], state[TIES]
        drop(heap, scores, state)
        many = _touching(links, heads, pairs, left, -1, least, touched, 0)
        if right != left:
            many = _touching(links, heads, pairs, right, left, least, touched, many)
        for j in range(many):
            other = np.int64(touched[j])
            state[TIES] -= compare(pairs[other, 1], _worth(pairs, units, other), count, product) == 0
        first = state[PAIRS]
        _apply(cells, pairs, slots, pool, widths, units, sums, state, p, least, befores, followings, lefts, rights)
        for j in range(many + state[PAIRS] - first):
            other = np.int64(touched[j]) if j < many else first + j - many
            if j >= many:
                _link(links, heads, pairs, other)
            if pairs[other, 1] >= least:
                worth = _worth(pairs, units, other)
                key = key_of(pairs, pool, cells, widths, by_place, other)
                queue(heap, scores, state, pairs[other, 1], worth, key, other)
                state[TIES] += compare(pairs[other, 1], worth, count, product) == 0
        history[k, 6] = state[LENGTH]
    return DONE, history.shape[0]


_STEP = """int64(int32[:,::1], int64[:,::1], int64[:,::1], int64[:,::1], float64[::1], int32[:,::1], int32[:,::1],
    int32[::1], int32[::1], int32[::1], int64[::1], int64[:,::1], int64[::1], int64[:,::1], int64, int64, boolean)"""


@kernel(_STEP, makes_arrays=True)
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
        cells: int32[n, 2], as in `pair_places`, like all that is not named here.
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
        sums: int64[symbols + 1, 4].
        state: int64[9].
        history: int64[steps, 7].
        done: Rows of `history` that are there already.
        least: Least count of a pair.
        by_place: Of equal scores the pair that stands first wins, not the one with the smallest ids.

    Returns:
        DONE, NO_PAIR or what there must be MORE of.
    """
    lefts = np.empty(sums.shape[0] + 1, np.int32)
    rights = np.empty(sums.shape[0] + 1, np.int32)
    room = np.int64(_FEW)
    while True:
        befores, followings, touched = np.empty(room, np.int32), np.empty(room, np.int32), np.empty(room, np.int32)
        answer, done = _advance(
            cells, pairs, slots, heap, scores, links, heads, waiting, pool, widths, units, sums, state, history,
            done, least, by_place, befores, followings, touched, lefts, rights,
        )  # fmt: skip
        if answer >= 0:
            return answer
        room = -2 * answer
