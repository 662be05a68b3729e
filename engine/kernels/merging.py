"""Merging pairs of neighbors, the most frequent first. Cells, pairs, occurrences and sums are those of `pair_places`.

Which pair is the next, and what of `members`, `table`, `links` and `buckets` says so, `pair_levels` tells. When an
array is too small for the next step, the caller gets to know which and gives a larger one.
"""

from __future__ import annotations

import numpy as np

from engine.kernels.jit import helper, kernel
from engine.kernels.memory import read32, read64, write64
from engine.kernels.pair_levels import LEVEL, join, lose, next_pair, pop, wait
from engine.kernels.pair_places import (
    DONE,
    LENGTH,
    MORE_PAIRS,
    MORE_POOL,
    MORE_SYMBOLS,
    NO_PAIR,
    OCCURRENCES,
    PAIRS,
    SYMBOLS,
    TIES,
    Ints,
    Ints32,
    clear,
    create,
    key_of,
    list_new,
    merge,
)

_FEW = 1024  # occurrences of a pair that there is room for at first


@helper
def _apply(
    cells: Ints32,
    pairs: Ints,
    pool: Ints32,
    widths: Ints32,
    units: Ints,
    sums: Ints,
    table: Ints,
    state: Ints,
    p: int,
    least: int,
    befores: Ints32,
    followings: Ints32,
    lefts: Ints32,
    rights: Ints32,
) -> None:
    """Merge pair p, which is a member no more, into the next symbol. The new pairs are the last ones."""
    key, start = pairs[p, 0], pairs[p, 2]
    left, right, new = key >> 32, key & 0xFFFFFFFF, state[SYMBOLS]
    many, weight, many_left, many_right = merge(
        cells, pool, widths, sums, (left, right, new), start, pairs[p, 3], befores, followings, lefts, rights
    )
    pairs[p, 1] = pairs[p, 3] = 0
    units[left] -= weight
    units[right] -= weight
    units[new] = weight
    widths[new] = widths[left] + widths[right]
    state[LENGTH] -= weight
    state[SYMBOLS] += 1
    sums[left + 1, 2] -= sums[new + 1, 0]  # these have the new symbol on their right by now
    sums[left + 1, 3] -= sums[new + 1, 1]
    if state[TIES] > 0:
        for j in range(many_left):
            other = read32(lefts, j)
            if other != new:
                lose(pairs, table, state, other << 32 | left)
        for j in range(many_right):
            lose(pairs, table, state, right << 32 | read32(rights, j))
    first = state[PAIRS]
    for j in range(many_left):
        other = read32(lefts, j)
        row = 4 * (other + 1)
        count, size = read64(sums, row), read64(sums, row + 1)
        write64(sums, row + 1, -1)
        if other >= 0 and count >= least:
            write64(sums, row + 1, state[OCCURRENCES])
            create(pairs, state, other << 32 | new, count, size)
    for j in range(many_right):
        other = read32(rights, j)
        row = 4 * (other + 1)
        count, size = read64(sums, row + 2), read64(sums, row + 3)
        write64(sums, row + 3, -1)
        if other >= 0 and count >= least:
            write64(sums, row + 3, state[OCCURRENCES])
            create(pairs, state, new << 32 | other, count, size)
    if state[PAIRS] > first:
        list_new(pool, sums, start, many, np.int64(widths[left]), np.int64(widths[right]), befores, followings)
    clear(sums, lefts, many_left, rights, many_right)


@helper
def _advance(
    cells: Ints32,
    pairs: Ints,
    pool: Ints32,
    widths: Ints32,
    units: Ints,
    sums: Ints,
    members: Ints,
    table: Ints,
    links: Ints32,
    buckets: Ints,
    state: Ints,
    history: Ints,
    done: int,
    least: int,
    by_place: bool,
    befores: Ints32,
    followings: Ints32,
    lefts: Ints32,
    rights: Ints32,
) -> tuple[int, int]:
    """Do the work of `advance`; return its answer, or -n if n occurrences have no room, and which row is next."""
    for k in range(done, history.shape[0]):
        p = next_pair(cells, pairs, pool, widths, members, table, links, buckets, state, least, by_place)
        if p < 0:
            return NO_PAIR, k
        size, new = pairs[p, 3], state[SYMBOLS]
        if state[PAIRS] + 2 * min(size, new + 1) > pairs.shape[0]:
            return MORE_PAIRS, k
        if state[OCCURRENCES] + 2 * size > pool.shape[0]:
            return MORE_POOL, k
        if new + 1 >= sums.shape[0]:
            return MORE_SYMBOLS, k
        if size > befores.shape[0]:
            return -size, k
        left, right, level = pairs[p, 0] >> 32, pairs[p, 0] & 0xFFFFFFFF, state[LEVEL]
        history[k, 0], history[k, 1], history[k, 2] = left, right, level
        history[k, 3], history[k, 4], history[k, 5] = units[left], units[right], state[TIES]
        pop(members, state)
        state[TIES] -= 1
        pairs[p, 1] = 0
        first = state[PAIRS]
        _apply(cells, pairs, pool, widths, units, sums, table, state, p, least, befores, followings, lefts, rights)
        for p in range(first, state[PAIRS]):
            if pairs[p, 1] == level:
                join(members, table, pairs, state, key_of(pairs, pool, cells, widths, by_place, p), p)
            else:
                wait(pairs, links, buckets, level, p)
        history[k, 6] = state[LENGTH]
    return DONE, history.shape[0]


_STEP = """int64(int32[:,::1], int64[:,::1], int32[::1], int32[::1], int64[::1], int64[:,::1], int64[:,::1],
    int64[:,::1], int32[::1], int64[::1], int64[::1], int64[:,::1], int64, int64, boolean)"""


@kernel(_STEP, makes_arrays=True)
def advance(
    cells: Ints32,
    pairs: Ints,
    pool: Ints32,
    widths: Ints32,
    units: Ints,
    sums: Ints,
    members: Ints,
    table: Ints,
    links: Ints32,
    buckets: Ints,
    state: Ints,
    history: Ints,
    done: int,
    least: int,
    by_place: bool,
) -> int:
    """Merge until `history` is full, no pair stands `least` times, or an array is too small for the next step.

    Args:
        cells: int32[n, 2], as in `pair_places`, like the next three and `sums`.
        pairs: int64[pairs, 4].
        pool: int32[occurrences].
        widths: int32[symbols], in cells.
        units: int64[symbols], how often each stands.
        sums: int64[symbols + 1, 4].
        members: int64[pairs, 2], see above.
        table: int64[power of two, at least 2 * pairs; 2].
        links: int32[pairs].
        buckets: int64[65]; all -1 where nobody waits.
        state: int64[9].
        history: int64[steps, 7]: left and right symbol, count of the pair and of each of them, ties, length after.
        done: Rows of `history` that are there already.
        least: Least count of a pair; from call to call it may rise up to the count of the last merge.
        by_place: Of equal counts the pair that stands first wins, not the one with the smallest ids.

    Returns:
        DONE, NO_PAIR or what there must be MORE of. `state[SYMBOLS]` tells how many symbols there are.
    """
    lefts = np.empty(sums.shape[0] + 1, np.int32)
    rights = np.empty(sums.shape[0] + 1, np.int32)
    room = np.int64(_FEW)
    while True:
        befores, followings = np.empty(room, np.int32), np.empty(room, np.int32)
        answer, done = _advance(
            cells, pairs, pool, widths, units, sums, members, table, links, buckets, state, history,
            done, least, by_place, befores, followings, lefts, rights,
        )  # fmt: skip
        if answer >= 0:
            return answer
        room = -2 * answer


_BEST = """int64(int32[:,::1], int64[:,::1], int32[::1], int32[::1], int64[:,::1], int64[:,::1], int32[::1], int64[::1],
    int64[::1], int64, boolean)"""


@kernel(_BEST)
def best(
    cells: Ints32,
    pairs: Ints,
    pool: Ints32,
    widths: Ints32,
    members: Ints,
    table: Ints,
    links: Ints32,
    buckets: Ints,
    state: Ints,
    least: int,
    by_place: bool,
) -> int:
    """Return the number of the pair that `advance` would merge next, or -1."""
    return next_pair(cells, pairs, pool, widths, members, table, links, buckets, state, least, by_place)


@kernel("void(int64[:,::1], int32[::1], int64[::1], int64[::1], int64)")
def begin(pairs: Ints, links: Ints32, buckets: Ints, state: Ints, least: int) -> None:
    """Let the pairs that were counted wait for their turn."""
    level = np.int64(0)
    for p in range(state[PAIRS]):
        level = max(level, pairs[p, 1])
    state[LEVEL] = level
    for p in range(state[PAIRS]):
        if pairs[p, 1] >= least:
            wait(pairs, links, buckets, level, p)
