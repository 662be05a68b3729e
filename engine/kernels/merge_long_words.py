"""Merging the symbols of a word of any length, lowest rank first and leftmost on overlap."""

from __future__ import annotations

import numpy as np

from engine.kernels.byte_keys import Bytes, Ints
from engine.kernels.jit import helper, maker
from engine.kernels.memory import address, bit_length, load64, store64
from engine.kernels.merge_words import cut, product
from engine.kernels.pair_table import NEVER, NONE, Ints32, mask_of, rank_of, turn_of

_ID, _AFTER, _BEFORE, _RANK = range(4)


@helper
def _push(heap: int, size: int, value: int) -> None:
    """Add a value to a heap of four children a node, int64[] at an address."""
    i = size
    while i > 0:
        above = (i - 1) >> 2
        higher = np.int64(load64(heap, 8 * above))
        if higher <= value:
            break
        store64(heap, 8 * i, higher)
        i = above
    store64(heap, 8 * i, value)


@helper
def _pop(heap: int, size: int) -> None:
    """Take the least value off a heap, which has `size` values then."""
    value = np.int64(load64(heap, 8 * size))
    i = 0
    while True:
        child = 4 * i + 1
        if child >= size:
            break
        least, lowest_value = child, np.int64(load64(heap, 8 * child))
        for other in range(child + 1, min(child + 4, size)):
            if np.int64(load64(heap, 8 * other)) < lowest_value:
                least, lowest_value = other, np.int64(load64(heap, 8 * other))
        if lowest_value >= value:
            break
        store64(heap, 8 * i, lowest_value)
        i = least
    store64(heap, 8 * i, value)


@maker
def merge_many(
    text: Bytes, start: int, size: int,
    rules: Ints, first: Ints32, last: Ints32, fallback: Ints32, pairs: Ints, products: Ints32, tied: Ints32,
    ids: Ints32, starts: Ints32, fired: Ints32,
) -> tuple[int, int]:  # fmt: skip
    """Cut a word of any length and merge its symbols in O(n log n): waiting turns over a doubly linked list.

    What waits is the turn and the place as one number. All that waits at first is sorted, and read in order; so is what
    comes in order later, as in a long run of one letter. The rest stands in a heap. What is known of a symbol (its id,
    what follows, what was before, by which rank it merges) is one row of 16 bytes, so that a merge in a word that is
    larger than the nearer memory waits for few lines of it.

    Fills `ids`, `starts` (in bytes of the word, the end of the last token too) and `fired`, int32[size + 2] each.

    Returns:
        How many tokens there are, and how many merges fired.
    """
    learned, base = rules[4], rules[6]
    count = cut(text, start, size, rules, first, last, fallback, address(ids), address(starts))
    table, mask, ties, turns, made = address(pairs), mask_of(pairs), tied.size, address(tied), address(products)
    symbols = np.empty((count, 4), np.int32)
    queue, heap = np.empty(3 * count, np.int64), np.empty(3 * count, np.int64)
    bits = bit_length(count)
    front = back = waiting = merges = 0
    for i in range(count):
        rank = np.int64(NONE)
        if i + 1 < count:
            rank = rank_of(np.int64(ids[i]) << 21 | np.int64(ids[i + 1]), table, mask)
        turn = turn_of(rank, learned, ties, turns)
        symbols[i, _ID], symbols[i, _AFTER], symbols[i, _BEFORE] = ids[i], i + 1, i - 1
        symbols[i, _RANK] = rank if turn != NEVER else NONE
        if turn != NEVER:
            queue[back] = turn << bits | i
            back += 1
    queue[:back].sort()
    while True:
        i = order = np.int64(NONE)
        while order == NONE and (front < back or waiting):
            if front < back and (waiting == 0 or queue[front] < heap[0]):
                best = queue[front]
                front += 1
            else:
                best = heap[0]
                waiting -= 1
                _pop(address(heap), waiting)
            order = best >> bits
            i = best - (order << bits)
            rank = np.int64(symbols[i, _RANK])
            if rank == NONE or turn_of(rank, learned, ties, turns) != order:
                order = np.int64(NONE)  # one of the two has been merged meanwhile
        if order == NONE:
            break
        fired[merges] = order
        merges += 1
        j = np.int64(symbols[i, _AFTER])
        k = np.int64(symbols[j, _AFTER])
        symbols[i, _ID] = product(np.int64(symbols[i, _RANK]), base, made)
        symbols[i, _AFTER] = k
        symbols[i, _RANK] = symbols[j, _RANK] = NONE
        if k < count:
            symbols[k, _BEFORE] = i
        for at in (i, np.int64(symbols[i, _BEFORE])):
            if at < 0 or symbols[at, _AFTER] >= count:
                continue
            right = np.int64(symbols[np.int64(symbols[at, _AFTER]), _ID])
            rank = rank_of(np.int64(symbols[at, _ID]) << 21 | right, table, mask)
            turn = turn_of(rank, learned, ties, turns)
            symbols[at, _RANK] = rank if turn != NEVER else NONE
            if turn != NEVER:
                value = turn << bits | at
                if front == back or value >= queue[back - 1]:
                    queue[back] = value
                    back += 1
                else:
                    _push(address(heap), waiting, value)
                    waiting += 1
    left = 0
    i = 0
    while i < count:
        ids[left] = symbols[i, _ID]
        starts[left] = starts[i]
        left += 1
        i = np.int64(symbols[i, _AFTER])
    starts[left] = size
    return left, merges
