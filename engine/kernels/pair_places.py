"""Words that lie one after another, the pairs of neighbors in them, and what becomes of both when a pair is merged.

Cells hold the words: `cells[i]` is (symbol, weight of the word); -1 stands between two words, before the first and
after the last. A symbol of several cells has its id in its first and its last one. An occurrence of a pair is the
position of the first cell of its right part, for as long as it lives; so the neighbors are found by arithmetic.

Pairs are numbered in order of creation. `pairs[p]` is (left << 32 | right, count, start, size): the occurrences are
`pool[start : start + size]`, ascending, some of them dead. All are listed in the step that creates the newer of the two
symbols, so a count can only fall.

`sums` is for one's own use and all 0 between two steps. `sums[symbol + 1]` is what the new symbol gains by a neighbor:
(weight and number of times it stands on the left, the same on the right). Row 0 is for the ends of words.

Fast, because a step touches nothing but the occurrences of one pair, fetched ahead; because no branch hangs on what
stands there, so that the processor need not guess; and because gains are summed by neighbor, so that each different
neighbor costs one entry.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.kernels.jit import helper, inlined, kernel
from engine.kernels.memory import prefetch, read32, read64, store32, write64
from engine.kernels.pair_slots import enter, find

Ints = NDArray[np.int64]
Ints32 = NDArray[np.int32]

# What the numbers in `state` are.
PAIRS, OCCURRENCES, QUEUED, TIES, LENGTH, SYMBOLS = range(6)
# What `advance` says.
DONE, NO_PAIR, MORE_PAIRS, MORE_POOL, MORE_SLOTS, MORE_SYMBOLS = range(6)

_AHEAD = 12  # occurrences between asking for a cell and reading it
_NOBODY = -1


@helper
def forget_dead(cells: Ints32, pool: Ints32, pairs: Ints, p: int, to: int) -> int:
    """Move the living occurrences of a pair to a place in the pool, at or before theirs; return their weight."""
    left, right = pairs[p, 0] >> 32, pairs[p, 0] & 0xFFFFFFFF
    start, stop = pairs[p, 2], pairs[p, 2] + pairs[p, 3]
    end = to
    weight = 0
    for j in range(start, stop):
        if j + _AHEAD < stop:
            prefetch(cells, 2 * read32(pool, j + _AHEAD))
        place = read32(pool, j)
        lives = np.int64((read32(cells, 2 * place - 2) == left) & (read32(cells, 2 * place) == right))
        store32(pool, end, place)
        end += lives
        weight += read32(cells, 2 * place + 1) & -lives
    pairs[p, 2], pairs[p, 3] = to, end - to
    return weight


@helper
def merge(
    cells: Ints32,
    pool: Ints32,
    widths: Ints32,
    sums: Ints,
    pair: tuple[int, int, int],
    start: int,
    size: int,
    befores: Ints32,
    followings: Ints32,
    lefts: Ints32,
    rights: Ints32,
) -> tuple[int, int, int, int]:
    """Merge a pair wherever it lives, and sum what the new symbol gains by neighbor.

    Args:
        cells: int32[n, 2].
        pool: int32[occurrences]; those of the pair become the ones that were merged.
        widths: int32[symbols], in cells.
        sums: int64[symbols + 1, 4], all 0; written.
        pair: The left, the right and the new symbol.
        start: Where the occurrences of the pair stand in the pool; none is dead unless both symbols are the same.
        size: How many they are.
        befores: int32[size]; what stands to the left of each that was merged.
        followings: int32[size]; what stands to the right, or -1 if that is the new symbol, seen from its other side.
        lefts: int32[symbols + 2]; the different neighbors on the left, -1 for the start of a word.
        rights: int32[symbols + 2]; the same on the right, some of which are merged away later on.

    Returns:
        How many were merged, the sum of their weights, and how many `lefts` and `rights` there are.
    """
    left, right, new = pair
    left_width, right_width = np.int64(widths[left]), np.int64(widths[right])
    many = weight_in_all = many_left = many_right = 0
    for j in range(start, start + size):
        if j + _AHEAD < start + size:
            prefetch(cells, 2 * read32(pool, j + _AHEAD))
        place = read32(pool, j)
        if left == right and (read32(cells, 2 * place - 2) != left or read32(cells, 2 * place) != right):
            continue  # the one before it took its left part
        weight = read32(cells, 2 * place + 1)
        first, after = place - left_width, place + right_width
        before, following = read32(cells, 2 * first - 2), read32(cells, 2 * after)
        store32(cells, 2 * first, new)
        store32(cells, 2 * after - 2, new)
        store32(pool, start + many, place)
        store32(befores, many, before)
        store32(followings, many, following)
        if before == new:
            store32(followings, many - 1, _NOBODY)
        many += 1
        row = 4 * (before + 1)
        seen = read64(sums, row + 1)
        store32(lefts, many_left, before)
        many_left += seen == 0
        write64(sums, row, read64(sums, row) + weight)
        write64(sums, row + 1, seen + 1)
        row = 4 * (following + 1)
        seen = read64(sums, row + 3)
        store32(rights, many_right, following)
        many_right += seen == 0
        write64(sums, row + 2, read64(sums, row + 2) + weight)
        write64(sums, row + 3, seen + 1)
        weight_in_all += weight
    return many, weight_in_all, many_left, many_right


@inlined
def create(pairs: Ints, state: Ints, key: int, count: int, size: int) -> int:
    """Number a new pair and give it room for its occurrences; return its number."""
    p = state[PAIRS]
    pairs[p, 0], pairs[p, 1], pairs[p, 2], pairs[p, 3] = key, count, state[OCCURRENCES], size
    state[PAIRS] += 1
    state[OCCURRENCES] += size
    return p


@helper
def list_new(
    pool: Ints32,
    sums: Ints,
    start: int,
    many: int,
    left_width: int,
    right_width: int,
    befores: Ints32,
    followings: Ints32,
) -> None:
    """Write down where the new pairs stand.

    `sums[symbol + 1]` says in its second and last number where in the pool the next occurrence of the pair with that
    neighbor goes, -1 if the pair is not followed.
    """
    sums[0, 3] = -1
    for j in range(many):
        place = read32(pool, start + j)
        row = 4 * (read32(befores, j) + 1)
        to = read64(sums, row + 1)
        if to >= 0:
            store32(pool, to, place - left_width)
            write64(sums, row + 1, to + 1)
        row = 4 * (read32(followings, j) + 1)
        to = read64(sums, row + 3)
        if to >= 0:
            store32(pool, to, place + right_width)
            write64(sums, row + 3, to + 1)


@helper
def clear(sums: Ints, lefts: Ints32, many_left: int, rights: Ints32, many_right: int) -> None:
    """Make all sums 0 again."""
    sums[0, 3] = 0
    for j in range(many_left):
        write64(sums, 4 * read32(lefts, j) + 4, 0)
        write64(sums, 4 * read32(lefts, j) + 5, 0)
    for j in range(many_right):
        write64(sums, 4 * read32(rights, j) + 6, 0)
        write64(sums, 4 * read32(rights, j) + 7, 0)


@helper
def key_of(pairs: Ints, pool: Ints32, cells: Ints32, widths: Ints32, by_place: bool, p: int) -> int:
    """Return what decides between equals: the ids, or where the pair stands first; forget the dead before it."""
    key = pairs[p, 0]
    if not by_place:
        return key
    left, right = key >> 32, key & 0xFFFFFFFF
    start = pairs[p, 2]
    while cells[pool[start] - 1, 0] != left or cells[pool[start], 0] != right:
        start += 1
    pairs[p, 3] -= start - pairs[p, 2]
    pairs[p, 2] = start
    return np.int64(pool[start]) - widths[left]


@kernel("void(int32[::1], int64[::1], int64[::1], int32[:,::1])")
def lay_out(symbols: Ints32, stops: Ints, weights: Ints, cells: Ints32) -> None:
    """Lay out words as cells.

    Args:
        symbols: int32[n], those of all words.
        stops: int64[words], where each word stops among them.
        weights: int64[words], below 2**31.
        cells: int32[symbols + words + 1, 2]; written.
    """
    cells[0, 0], cells[0, 1] = -1, 0
    start, end = np.int64(0), 1
    for word in range(stops.shape[0]):
        for i in range(start, stops[word]):
            cells[end, 0], cells[end, 1] = symbols[i], weights[word]
            end += 1
        cells[end, 0], cells[end, 1] = -1, 0
        end += 1
        start = stops[word]


@kernel("int64(int32[:,::1], int32[::1])")
def close_up(cells: Ints32, widths: Ints32) -> int:
    """Give each token one cell, in the order in which they stand; return how many cells there are then.

    Args:
        cells: int32[n, 2]; the first ones are those.
        widths: int32[symbols], in cells.
    """
    end = i = np.int64(0)
    while i < cells.shape[0]:
        symbol = cells[i, 0]
        cells[end, 0], cells[end, 1] = symbol, cells[i, 1]
        end += 1
        i += np.int64(widths[symbol]) if symbol >= 0 else 1
    return end


@kernel("int64(int32[:,::1], int64[:,::1], int64[:,::1], int32[::1], int64[::1], int64[::1])")
def count_pairs(cells: Ints32, pairs: Ints, slots: Ints, square: Ints32, units: Ints, state: Ints) -> int:
    """Number and count the pairs of cells that hold one token each.

    Args:
        cells: int32[n, 2].
        pairs: int64[pairs, 4]; filled but for where the occurrences start.
        slots: int64[power of two, 2], all 0; see `pair_slots`.
        square: int32[symbols * symbols], all -1: it finds a pair sooner than `slots` does. Empty if there are too many
            symbols.
        units: int64[symbols], how often each stands; written.
        state: int64[8]; PAIRS and LENGTH are written.

    Returns:
        DONE, MORE_PAIRS or MORE_SLOTS; then it must be called again from the start.
    """
    many = length = 0
    units[:] = 0
    symbols, mask, dense = units.shape[0], slots.shape[0] - 1, square.shape[0] > 0
    left = np.int64(-1)
    for i in range(1, cells.shape[0]):
        right, weight = read32(cells, 2 * i), read32(cells, 2 * i + 1)
        if right >= 0:
            length += weight
            units[right] += weight
            if left >= 0:
                key = left << 32 | right
                p = read32(square, left * symbols + right) if dense else find(slots, mask, key)
                if p < 0:
                    if many == pairs.shape[0]:
                        return MORE_PAIRS
                    if 2 * many >= slots.shape[0]:
                        return MORE_SLOTS
                    p = many
                    pairs[p, 0], pairs[p, 1], pairs[p, 3] = key, 0, 0
                    enter(slots, mask, key, p)
                    if dense:
                        square[left * symbols + right] = p
                    many += 1
                write64(pairs, 4 * p + 1, read64(pairs, 4 * p + 1) + weight)
                write64(pairs, 4 * p + 3, read64(pairs, 4 * p + 3) + 1)
        left = right
    state[PAIRS], state[LENGTH] = many, length
    return DONE


@kernel("void(int32[:,::1], int64[:,::1], int64[:,::1], int32[::1], int64, int32[::1], int64[::1], int64)")
def list_pairs(
    cells: Ints32, pairs: Ints, slots: Ints, square: Ints32, symbols: int, pool: Ints32, state: Ints, least: int
) -> None:
    """Write down where each pair of `least` or more stands; `pool` has room for all. Set OCCURRENCES."""
    start = 0
    for p in range(state[PAIRS]):
        if pairs[p, 1] < least:
            pairs[p, 3] = 0
        start += pairs[p, 3]
        pairs[p, 2] = start
    state[OCCURRENCES] = start
    mask, dense = slots.shape[0] - 1, square.shape[0] > 0
    right = np.int64(-1)
    for i in range(cells.shape[0] - 1, 0, -1):  # from the end, so that `start` is left where it belongs
        left = read32(cells, 2 * i - 2)
        if left >= 0 and right >= 0:
            p = read32(square, left * symbols + right) if dense else find(slots, mask, left << 32 | right)
            if read64(pairs, 4 * p + 3) > 0:
                to = read64(pairs, 4 * p + 2) - 1
                write64(pairs, 4 * p + 2, to)
                store32(pool, to, i)
        right = left


@kernel("void(int32[:,::1], int64[:,::1], int32[::1], int64[::1], int64)")
def compact(cells: Ints32, pairs: Ints, pool: Ints32, state: Ints, least: int) -> None:
    """Drop the dead occurrences and those of rare pairs, and move the rest together."""
    end = 0
    for p in range(state[PAIRS]):
        if pairs[p, 1] < least:
            pairs[p, 3] = 0
        forget_dead(cells, pool, pairs, p, end)
        end += pairs[p, 3]
    state[OCCURRENCES] = end
