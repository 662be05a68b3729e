"""Merging pairs of neighbors, the most frequent first, on weighted words that lie one after another.

Cells hold the words: `cells[i]` is (symbol, weight of the word); -1 stands between two words, before the first and
after the last. A symbol of several cells has its id in its first and its last one. An occurrence of a pair is the
position of the first cell of its right part, for as long as it lives; so the neighbors are found by arithmetic.

Pairs are numbered in order of creation. `pairs[p]` is (left << 32 | right, count, start, size): the occurrences are
`pool[start : start + size]`, ascending, the dead ones among them. All are listed in the step that creates the newer of
the two symbols, so a count can only fall. `slots[h]` is (left << 32 | right, p) or (-1, -1): the pairs by hash.

`heap[i]` is (count, key, p), four children a node; of equal counts the smallest key wins. A count that fell is mended
when it comes up. Only pairs of a count of `state[THRESHOLD]` or more are in the heap, which so stays small; when it
runs empty, the threshold falls and all pairs are looked through.

Fast, because a step touches nothing but the occurrences of one pair, fetched ahead; because losses and gains are first
summed by neighbor, in `sums[symbol]`, so that each different neighbor costs one look-up; and because nothing is
allocated: when an array is too small for the next step, the caller gets to know which and gives a larger one.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.kernels.jit import helper, inlined, kernel
from engine.kernels.memory import prefetch

Ints = NDArray[np.int64]
Ints32 = NDArray[np.int32]

# What the numbers in `state` are.
PAIRS, OCCURRENCES, QUEUED, THRESHOLD, LEVEL, TIES, LENGTH, SYMBOLS = range(8)
# What `advance` says.
DONE, NO_PAIR, MORE_PAIRS, MORE_POOL, MORE_SLOTS, MORE_SYMBOLS = range(6)

_AHEAD = 12  # occurrences between asking for a cell and reading it
_FALL = 4  # the threshold is divided by this
_INSIDE = -2  # a cell within a symbol
_LOSS_LEFT, _LOSS_RIGHT, _GAIN_LEFT, _GAIN_RIGHT, _SIZE_LEFT, _SIZE_RIGHT, _NEXT_LEFT, _NEXT_RIGHT = range(8)


@inlined
def _hash(key: int, mask: int) -> int:
    return np.int64((np.uint64(key) * np.uint64(0x9E3779B97F4A7C15)) >> np.uint64(20)) & mask


@helper
def find(slots: Ints, key: int) -> int:
    """Return the number of a pair, or -1."""
    mask = slots.shape[0] - 1
    i = _hash(key, mask)
    while slots[i, 0] != key and slots[i, 0] >= 0:
        i = (i + 1) & mask
    return slots[i, 1]


@helper
def _enter(slots: Ints, key: int, pair: int) -> None:
    mask = slots.shape[0] - 1
    i = _hash(key, mask)
    while slots[i, 0] >= 0:
        i = (i + 1) & mask
    slots[i, 0] = key
    slots[i, 1] = pair


@kernel("void(int64[:,::1], int64[:,::1])")
def rehash(old: Ints, new: Ints) -> None:
    """Enter the pairs of one table into a larger one, which is all -1; the sizes are powers of two."""
    for i in range(old.shape[0]):
        if old[i, 0] >= 0:
            _enter(new, old[i, 0], old[i, 1])


@inlined
def _before(count: int, key: int, other_count: int, other_key: int) -> bool:
    return count > other_count or (count == other_count and key < other_key)


@helper
def _rise(heap: Ints, i: int) -> None:
    count, key, pair = heap[i, 0], heap[i, 1], heap[i, 2]
    while i > 0:
        parent = (i - 1) >> 2
        if not _before(count, key, heap[parent, 0], heap[parent, 1]):
            break
        heap[i, 0], heap[i, 1], heap[i, 2] = heap[parent, 0], heap[parent, 1], heap[parent, 2]
        i = parent
    heap[i, 0], heap[i, 1], heap[i, 2] = count, key, pair


@helper
def _sink(heap: Ints, size: int) -> None:
    """Move the root down to where it belongs."""
    count, key, pair = heap[0, 0], heap[0, 1], heap[0, 2]
    i = 0
    while 4 * i + 1 < size:
        best = 4 * i + 1
        for child in range(best + 1, min(best + 4, size)):
            if _before(heap[child, 0], heap[child, 1], heap[best, 0], heap[best, 1]):
                best = child
        if not _before(heap[best, 0], heap[best, 1], count, key):
            break
        heap[i, 0], heap[i, 1], heap[i, 2] = heap[best, 0], heap[best, 1], heap[best, 2]
        i = best
    heap[i, 0], heap[i, 1], heap[i, 2] = count, key, pair


@helper
def _drop(heap: Ints, state: Ints) -> None:
    state[QUEUED] -= 1
    last = state[QUEUED]
    if last > 0:
        heap[0, 0], heap[0, 1], heap[0, 2] = heap[last, 0], heap[last, 1], heap[last, 2]
        _sink(heap, last)


@helper
def key_of(pairs: Ints, pool: Ints32, cells: Ints32, widths: Ints32, by_place: bool, p: int) -> int:
    """Return what decides between equal counts: the ids, or where the pair stands first; forget the dead before it."""
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


@helper
def _queue(heap: Ints, state: Ints, count: int, key: int, p: int) -> None:
    i = state[QUEUED]
    heap[i, 0], heap[i, 1], heap[i, 2] = count, key, p
    state[QUEUED] += 1
    _rise(heap, i)


@helper
def _best(
    cells: Ints32, pairs: Ints, pool: Ints32, heap: Ints, widths: Ints32, state: Ints, least: int, place: bool
) -> int:
    """Bring the pair that wins to the root; return it, or -1 if none stands `least` times."""
    while True:
        while state[QUEUED] > 0:
            p = heap[0, 2]
            count = pairs[p, 1]
            if count == heap[0, 0]:
                return p
            if count < state[THRESHOLD]:
                _drop(heap, state)
            else:
                heap[0, 0] = count
                heap[0, 1] = key_of(pairs, pool, cells, widths, place, p)
                _sink(heap, state[QUEUED])
        if state[THRESHOLD] <= least:
            return -1
        before = state[THRESHOLD]
        state[THRESHOLD] = max(least, before // _FALL)
        for p in range(state[PAIRS]):
            count = pairs[p, 1]
            if state[THRESHOLD] <= count < before:
                _queue(heap, state, count, key_of(pairs, pool, cells, widths, place, p), p)


@helper
def _count_ties(heap: Ints, pairs: Ints, size: int, level: int, waiting: Ints32) -> int:
    """Count the pairs that stand exactly `level` times, which is the count of the root.

    No count in the heap is too low, so they hang together below the root.
    """
    ties = 0
    waiting[0] = 0
    end = 1
    while end > 0:
        end -= 1
        i = waiting[end]
        ties += pairs[heap[i, 2], 1] == level
        for child in range(4 * i + 1, min(4 * i + 5, size)):
            if heap[child, 0] == level:
                waiting[end] = child
                end += 1
    return ties


@helper
def _merge(
    cells: Ints32,
    pool: Ints32,
    widths: Ints32,
    slots: Ints,
    sums: Ints,
    start: int,
    size: int,
    pair: tuple[int, int, int],
    merged: Ints32,
    lefts: Ints32,
    rights: Ints32,
) -> tuple[int, int, int, int]:
    """Merge a pair wherever it lives, and sum what its neighbors lose.

    Returns:
        How many occurrences were merged, the sum of their weights, and how many different neighbors stood on each side;
        `merged` has the places, `lefts` and `rights` those neighbors.
    """
    left, right, new = pair
    mask = slots.shape[0] - 1
    left_width, right_width = np.int64(widths[left]), np.int64(widths[right])
    many = weight_in_all = many_left = many_right = 0
    for j in range(start, start + size):
        if j + _AHEAD < start + size:
            prefetch(cells, 2 * np.int64(pool[j + _AHEAD]))
        place = np.int64(pool[j])
        if cells[place - 1, 0] != left or cells[place, 0] != right:
            continue  # an earlier merge took it
        weight = np.int64(cells[place, 1])
        first, after = place - left_width, place + right_width
        before = cells[first - 1, 0]
        if before >= 0 and before != new:
            if sums[before, _LOSS_LEFT] == 0:
                lefts[many_left] = before
                many_left += 1
                prefetch(slots, 2 * _hash(np.int64(before) << 32 | left, mask))
            sums[before, _LOSS_LEFT] += weight
        following = cells[after, 0]
        if following >= 0:
            if sums[following, _LOSS_RIGHT] == 0:
                rights[many_right] = following
                many_right += 1
                prefetch(slots, 2 * _hash(right << 32 | np.int64(following), mask))
            sums[following, _LOSS_RIGHT] += weight
        cells[place - 1, 0] = _INSIDE
        cells[place, 0] = _INSIDE
        cells[first, 0] = new
        cells[after - 1, 0] = new
        merged[many] = place
        many += 1
        weight_in_all += weight
    return many, weight_in_all, many_left, many_right


@helper
def _lose(pairs: Ints, slots: Ints, key: int, loss: int, level: int) -> int:
    """Lower the count of a pair, if it is still followed; return 1 if it stood exactly `level` times."""
    p = find(slots, key)
    if p < 0:
        return 0
    was = pairs[p, 1]
    pairs[p, 1] = was - loss
    return np.int64(was == level)


@helper
def _gain(
    cells: Ints32,
    slots: Ints,
    sums: Ints,
    widths: Ints32,
    pair: tuple[int, int, int],
    merged: Ints32,
    many: int,
    lefts: Ints32,
    rights: Ints32,
) -> tuple[int, int]:
    """Sum what the new symbol gains by neighbor; return how many different ones stand on each side."""
    left, right, new = pair
    mask = slots.shape[0] - 1
    left_width, right_width = np.int64(widths[left]), np.int64(widths[right])
    many_left = many_right = 0
    for j in range(many):
        place = np.int64(merged[j])
        weight = np.int64(cells[place, 1])
        before = cells[place - left_width - 1, 0]
        if before >= 0 and before != new:  # two new ones side by side are seen from the left one
            if sums[before, _SIZE_LEFT] == 0:
                lefts[many_left] = before
                many_left += 1
                prefetch(slots, 2 * _hash(np.int64(before) << 32 | new, mask))
            sums[before, _SIZE_LEFT] += 1
            sums[before, _GAIN_LEFT] += weight
        following = cells[place + right_width, 0]
        if following >= 0:
            if sums[following, _SIZE_RIGHT] == 0:
                rights[many_right] = following
                many_right += 1
                prefetch(slots, 2 * _hash(new << 32 | np.int64(following), mask))
            sums[following, _SIZE_RIGHT] += 1
            sums[following, _GAIN_RIGHT] += weight
    return many_left, many_right


@helper
def _create(pairs: Ints, slots: Ints, state: Ints, key: int, count: int, size: int, least: int) -> int:
    """Number a new pair and give it room for its occurrences; return where that starts, or -1 if it is too rare."""
    if count < least:
        return -1
    p, start = state[PAIRS], state[OCCURRENCES]
    pairs[p, 0], pairs[p, 1], pairs[p, 2], pairs[p, 3] = key, count, start, size
    _enter(slots, key, p)
    state[PAIRS] += 1
    state[OCCURRENCES] += size
    return start


@helper
def _list(
    cells: Ints32, sums: Ints, widths: Ints32, pool: Ints32, pair: tuple[int, int, int], merged: Ints32, many: int
) -> None:
    """Write down where the new pairs stand."""
    left, right, new = pair
    left_width, right_width = np.int64(widths[left]), np.int64(widths[right])
    for j in range(many):
        place = np.int64(merged[j])
        before = cells[place - left_width - 1, 0]
        if before >= 0 and before != new and sums[before, _NEXT_LEFT] >= 0:
            pool[sums[before, _NEXT_LEFT]] = place - left_width
            sums[before, _NEXT_LEFT] += 1
        following = cells[place + right_width, 0]
        if following >= 0 and sums[following, _NEXT_RIGHT] >= 0:
            pool[sums[following, _NEXT_RIGHT]] = place + right_width
            sums[following, _NEXT_RIGHT] += 1


@helper
def apply(
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
    merged: Ints32,
    lefts: Ints32,
    rights: Ints32,
) -> int:
    """Merge pair p into the next symbol, with all that follows for counts and occurrences.

    There must be room; `merged`, `lefts` and `rights` are for one's own use. The new pairs are the last ones.

    Returns:
        How many pairs stood as often as p did and, p included, do so no more.
    """
    key, level = pairs[p, 0], pairs[p, 1]
    left, right, new = key >> 32, key & 0xFFFFFFFF, state[SYMBOLS]
    ids = (left, right, new)
    widths[new] = widths[left] + widths[right]
    many, weight, many_left, many_right = _merge(
        cells, pool, widths, slots, sums, pairs[p, 2], pairs[p, 3], ids, merged, lefts, rights
    )
    pairs[p, 1] = 0
    fewer = 1
    for j in range(many_left):
        other = np.int64(lefts[j])
        if other << 32 | left != key:
            fewer += _lose(pairs, slots, other << 32 | left, sums[other, _LOSS_LEFT], level)
        sums[other, _LOSS_LEFT] = 0
    for j in range(many_right):
        other = np.int64(rights[j])
        if right << 32 | other != key:
            fewer += _lose(pairs, slots, right << 32 | other, sums[other, _LOSS_RIGHT], level)
        sums[other, _LOSS_RIGHT] = 0
    units[left] -= weight
    units[right] -= weight
    units[new] = weight
    state[LENGTH] -= weight
    state[SYMBOLS] += 1
    many_left, many_right = _gain(cells, slots, sums, widths, ids, merged, many, lefts, rights)
    for j in range(many_left):
        other = np.int64(lefts[j])
        sums[other, _NEXT_LEFT] = _create(
            pairs, slots, state, other << 32 | new, sums[other, _GAIN_LEFT], sums[other, _SIZE_LEFT], least
        )
    for j in range(many_right):
        other = np.int64(rights[j])
        sums[other, _NEXT_RIGHT] = _create(
            pairs, slots, state, new << 32 | other, sums[other, _GAIN_RIGHT], sums[other, _SIZE_RIGHT], least
        )
    _list(cells, sums, widths, pool, ids, merged, many)
    for j in range(many_left):
        sums[lefts[j], :] = 0
    for j in range(many_right):
        sums[rights[j], :] = 0
    return fewer


_STEP = """int64(int32[:,::1], int64[:,::1], int64[:,::1], int64[:,::1], int32[::1], int32[::1], int32[::1], int64[::1],
    int64[:,::1], int64[::1], int64[:,::1], int64, int64, boolean)"""


@kernel(_STEP)
def advance(
    cells: Ints32,
    pairs: Ints,
    slots: Ints,
    heap: Ints,
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
        cells: int32[n, 2], see above.
        pairs: int64[pairs, 4].
        slots: int64[power of two, 2].
        heap: int64[pairs, 3].
        waiting: int32[pairs], for one's own use.
        pool: int32[occurrences].
        widths: int32[symbols], in cells.
        units: int64[symbols], how often each stands.
        sums: int64[symbols, 8], for one's own use; all 0.
        state: int64[8].
        history: int64[steps, 7]: left and right symbol, count of the pair and of each of them, ties, length after.
        done: Rows of `history` that are there already.
        least: Least count of a pair.
        by_place: Of equal counts the pair that stands first wins, not the one with the smallest ids.

    Returns:
        DONE, NO_PAIR or what there must be MORE of. `state[SYMBOLS]` tells how many symbols there are.
    """
    lefts = np.empty(sums.shape[0], np.int32)
    rights = np.empty(sums.shape[0], np.int32)
    merged = np.empty(1024, np.int32)
    for k in range(done, history.shape[0]):
        p = _best(cells, pairs, pool, heap, widths, state, least, by_place)
        if p < 0:
            return NO_PAIR
        size = pairs[p, 3]
        new = state[SYMBOLS]
        pairs_then = state[PAIRS] + 2 * min(size, new + 1)
        if pairs_then > pairs.shape[0]:
            return MORE_PAIRS
        if 2 * pairs_then > slots.shape[0]:
            return MORE_SLOTS
        if state[OCCURRENCES] + 2 * size > pool.shape[0]:
            return MORE_POOL
        if new >= sums.shape[0]:
            return MORE_SYMBOLS
        if size > merged.shape[0]:
            merged = np.empty(2 * size, np.int32)
        left, right, level = pairs[p, 0] >> 32, pairs[p, 0] & 0xFFFFFFFF, pairs[p, 1]
        if level != state[LEVEL]:
            state[LEVEL] = level
            state[TIES] = _count_ties(heap, pairs, state[QUEUED], level, waiting)
        history[k, 0], history[k, 1], history[k, 2] = left, right, level
        history[k, 3], history[k, 4], history[k, 5] = units[left], units[right], state[TIES]
        _drop(heap, state)
        first = state[PAIRS]
        state[TIES] -= apply(cells, pairs, slots, pool, widths, units, sums, state, p, least, merged, lefts, rights)
        for p in range(first, state[PAIRS]):
            count = pairs[p, 1]
            state[TIES] += count == level
            if count >= state[THRESHOLD]:
                _queue(heap, state, count, key_of(pairs, pool, cells, widths, by_place, p), p)
        history[k, 6] = state[LENGTH]
    return DONE


@kernel("int64(int32[:,::1], int64[:,::1], int64[:,::1], int32[::1], int32[::1], int64[::1], int64, boolean)")
def best(
    cells: Ints32, pairs: Ints, heap: Ints, pool: Ints32, widths: Ints32, state: Ints, least: int, by_place: bool
) -> int:
    """Return the number of the pair that `advance` would merge next, or -1."""
    return _best(cells, pairs, pool, heap, widths, state, least, by_place)


@kernel("int32[:,::1](int32[::1], int64[::1], int64[::1])")
def lay_out(symbols: Ints32, stops: Ints, weights: Ints) -> Ints32:
    """Lay out words as cells: int32[symbols + words + 1, 2].

    Args:
        symbols: int32[n], those of all words.
        stops: int64[words], where each word stops among them.
        weights: int64[words], below 2**31.
    """
    cells = np.empty((symbols.shape[0] + stops.shape[0] + 1, 2), np.int32)
    cells[0, 0], cells[0, 1] = -1, 0
    start, end = np.int64(0), 1
    for word in range(stops.shape[0]):
        for i in range(start, stops[word]):
            cells[end, 0], cells[end, 1] = symbols[i], weights[word]
            end += 1
        cells[end, 0], cells[end, 1] = -1, 0
        end += 1
        start = stops[word]
    return cells


@kernel("int64(int32[:,::1], int64[:,::1], int64[:,::1], int32[::1], int64[::1], int64[::1], int32[::1])")
def count_pairs(
    cells: Ints32, pairs: Ints, slots: Ints, square: Ints32, units: Ints, state: Ints, numbers: Ints32
) -> int:
    """Number and count the pairs of untouched cells.

    Args:
        cells: int32[n, 2].
        pairs: int64[pairs, 4]; filled but for where the occurrences start.
        slots: int64[power of two, 2], all -1.
        square: int32[symbols * symbols], all -1, for one's own use: it finds a pair sooner than `slots` does. Empty if
            there are too many symbols.
        units: int64[symbols], how often each stands; written.
        state: int64[8]; PAIRS and LENGTH are written.
        numbers: int32[n]; the number of the pair whose right part each cell is, or -1.

    Returns:
        DONE, MORE_PAIRS or MORE_SLOTS; then it must be called again from the start.
    """
    many = length = 0
    numbers[0] = -1
    units[:] = 0
    for i in range(1, cells.shape[0]):
        right, left = np.int64(cells[i, 0]), np.int64(cells[i - 1, 0])
        numbers[i] = -1
        if right < 0:
            continue
        length += cells[i, 1]
        units[right] += cells[i, 1]
        if left < 0:
            continue
        key = left << 32 | right
        place = left * units.shape[0] + right
        p = np.int64(square[place]) if square.shape[0] else find(slots, key)
        if p < 0:
            if many == pairs.shape[0]:
                return MORE_PAIRS
            if 2 * many >= slots.shape[0]:
                return MORE_SLOTS
            p = many
            pairs[p, 0], pairs[p, 1], pairs[p, 3] = key, 0, 0
            _enter(slots, key, p)
            if square.shape[0]:
                square[place] = p
            many += 1
        numbers[i] = p
        pairs[p, 1] += cells[i, 1]
        pairs[p, 3] += 1
    state[PAIRS], state[LENGTH] = many, length
    return DONE


@kernel("void(int64[:,::1], int32[::1], int32[::1], int64[::1], int64)")
def list_pairs(pairs: Ints, numbers: Ints32, pool: Ints32, state: Ints, least: int) -> None:
    """Write down where each pair of `least` or more stands; `pool` has room for all. Set OCCURRENCES and THRESHOLD."""
    start = top = 0
    for p in range(state[PAIRS]):
        pairs[p, 2] = start
        if pairs[p, 1] >= least:
            start += pairs[p, 3]
        top = max(top, pairs[p, 1])
    for i in range(numbers.shape[0]):
        p = np.int64(numbers[i])
        if p >= 0 and pairs[p, 1] >= least:
            pool[pairs[p, 2]] = i
            pairs[p, 2] += 1
    for p in range(state[PAIRS]):
        if pairs[p, 1] < least:
            pairs[p, 3] = 0
        pairs[p, 2] -= pairs[p, 3]
    state[OCCURRENCES] = start
    state[THRESHOLD] = top + 1


@kernel("void(int32[:,::1], int64[:,::1], int32[::1], int64[::1], int64)")
def forget_dead(cells: Ints32, pairs: Ints, pool: Ints32, state: Ints, least: int) -> None:
    """Drop the occurrences that merges took and those of rare pairs, and move the rest together."""
    end = 0
    for p in range(state[PAIRS]):
        left, right = pairs[p, 0] >> 32, pairs[p, 0] & 0xFFFFFFFF
        start, size = pairs[p, 2], pairs[p, 3]
        pairs[p, 2] = end
        if pairs[p, 1] >= least:
            for j in range(start, start + size):
                place = np.int64(pool[j])
                if cells[place - 1, 0] == left and cells[place, 0] == right:
                    pool[end] = place
                    end += 1
        pairs[p, 3] = end - pairs[p, 2]
    state[OCCURRENCES] = end
