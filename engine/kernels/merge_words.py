"""Merging the symbols of one word, lowest rank first and leftmost on overlap.

A model is ten arrays, the same in every loop here, so they are given as one tuple:

- rules: int64[7]: whether the table of merges is keyed by the bytes that a merge makes (1) or by pairs of ids (0);
  whether symbols are code points (1) or bytes (0); the unknown id; whether unknown symbols in a row are one (1); the id
  of a mark behind each word, or `NONE`; how many merges there are, as those of this rank and above do not count; bytes
  of the longest piece.
- first: int32[n], the id of each byte or code point, or `NONE`.
- last: int32[n], the same for the last symbol of a word; empty if it is like the others.
- fallback: int32[256], ids of the bytes that a missing code point is written with; empty if it is unknown.
- table: uint64[], merges -> rank + (id of what is made << 32): slots of `byte_keys`, or by turns a pair of ids,
  (left << 32 | right) + 1, and its value; 0 is an empty slot.
- blob: uint8[], the bytes behind the first kind of table.
- tied: int32[n], of each rank the last one with the same score, which tells the turn; empty: the rank does.
- dense: int64[65536], what the table says of two bytes; empty if symbols are no bytes.
- whole: uint64[], words that are a piece at once, in slots of `byte_keys`, with such values; empty if there are none.
- whole_blob: uint8[], the bytes of these words.

Ids below `NONE` belong to symbols that take no part in merging: id i is written as -2 - i.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.kernels.byte_keys import MISSING, Bytes, Ints, Words, find
from engine.kernels.jit import helper, inlined, kernel
from engine.kernels.memory import load8
from engine.kernels.utf8_text import code_point

Ints32 = NDArray[np.int32]
Model = tuple[Ints, Ints32, Ints32, Ints32, Words, Bytes, Ints32, Ints, Words, Bytes]

MODEL = (
    "Tuple((int64[::1], int32[::1], int32[::1], int32[::1], uint64[::1], uint8[::1], int32[::1], int64[::1],"
    "uint64[::1], uint8[::1]))"
)
NONE = -1
NEVER = np.int64(2**62)
"""The turn of two symbols that do not merge."""

_FEW = 96
"""Up to this many symbols, looking through all of them is faster than a heap."""

_LOW = np.int64(0xFFFFFFFF)
_MIX = np.uint64(0x9E3779B97F4A7C15)
_SHIFT = np.uint64(29)


@inlined
def pair_slot(pair: int, mask: int) -> int:
    """Return where a pair would stand in a table of pairs."""
    mix = np.uint64(pair) * _MIX
    mix ^= mix >> _SHIFT
    return np.int64(mix) & mask


@inlined
def find_pair(left: int, right: int, table: Words) -> int:
    """Look a pair of ids up."""
    pair = (np.int64(left) << 32 | np.int64(right)) + 1
    mask = (table.size >> 1) - 1
    slot = pair_slot(pair, mask)
    value = MISSING
    while True:
        known = np.int64(table[2 * slot])
        if known == pair:
            value = np.int64(table[2 * slot + 1])
            break
        if known == 0:
            break
        slot = (slot + 1) & mask
    return value


@kernel("void(int64[::1], int64[::1], int64[::1], uint64[::1])")
def fill_pairs(lefts: Ints, rights: Ints, values: Ints, table: Words) -> None:
    """Put pairs of ids into an empty table of at least twice as many slots; the last of equal ones counts."""
    mask = (table.size >> 1) - 1
    for i in range(lefts.size):
        pair = (lefts[i] << 32 | rights[i]) + 1
        slot = pair_slot(pair, mask)
        while table[2 * slot] != 0 and np.int64(table[2 * slot]) != pair:
            slot = (slot + 1) & mask
        table[2 * slot] = np.uint64(pair)
        table[2 * slot + 1] = np.uint64(values[i])


@kernel("void(int64[::1], int32[::1], uint64[::1], uint8[::1], int64[::1])")
def fill_dense(rules: Ints, first: Ints32, table: Words, blob: Bytes, dense: Ints) -> None:
    """Note for every two bytes what the table says of them, so that the first look-ups of a word stay near."""
    two = np.zeros(32, np.uint8)
    for a in range(256):
        for b in range(256):
            two[0], two[1] = a, b
            if rules[0] == 1:
                known = first[a] >= 0 and first[b] >= 0
                dense[a << 8 | b] = find(two, 0, 2, table, blob) if known else MISSING
            else:
                dense[a << 8 | b] = find_pair(first[a], first[b], table)


@inlined
def turn_of(found: int, learned: int, tied: Ints32) -> int:
    """Return when a merge has its turn, its order << 32 | the id that it makes; `NEVER` if it does not count."""
    rank = found & _LOW
    turn = NEVER
    if found != MISSING and rank < learned:
        turn = (np.int64(tied[rank]) if tied.size else rank) << 32 | found >> 32
    return turn


@inlined
def turn(
    text: Bytes, begin: int, end: int, left: int, right: int, rules: Ints, table: Words, blob: Bytes, tied: Ints32
) -> int:
    """Return when two neighbors have their turn; they stand at bytes `begin` to `end` of the text.

    Arrays are given one by one: to take them out of a model counts references, each time.
    """
    found = MISSING
    if rules[0] == 0:
        found = find_pair(left, right, table)
    elif left >= 0 and right >= 0 and end - begin <= rules[6]:
        found = find(text, begin, end - begin, table, blob)
    return turn_of(found, rules[5], tied)


@inlined
def _append(id: int, at: int, ids: Ints32, starts: Ints32, count: int, rules: Ints) -> int:
    """Add a symbol that starts at a byte of the word, unless it goes on with the unknown one before."""
    if not (rules[3] == 1 and count > 0 and id == rules[2] and ids[count - 1] == id):
        ids[count] = id
        starts[count] = at
        count += 1
    return count


@helper
def symbols(text: Bytes, start: int, size: int, model: Model, ids: Ints32, starts: Ints32) -> int:
    """Cut a word into its first symbols; return how many. `starts` gets one entry more, the size."""
    rules, first, last, fallback = model[0], model[1], model[2], model[3]
    count = 0
    at = 0
    while at < size:
        point, width = code_point(text, start + at) if rules[1] == 1 else (load8(text, start + at), 1)
        known = last if last.size and at + width == size else first
        id = np.int64(known[point]) if point < known.size else np.int64(NONE)
        if id != NONE:
            count = _append(id, at, ids, starts, count, rules)
        elif fallback.size:
            for i in range(width):
                ids[count] = fallback[load8(text, start + at + i)]
                starts[count] = at + i
                count += 1
        else:
            count = _append(rules[2], at, ids, starts, count, rules)
        at += width
    if size and rules[4] != NONE:
        ids[count] = rules[4]
        starts[count] = size
        count += 1
    starts[count] = size
    return count


@helper
def _first_turns(text: Bytes, start: int, count: int, model: Model, ids: Ints32, starts: Ints32, turns: Ints) -> None:
    rules, last, table, blob, tied, dense = model[0], model[2], model[4], model[5], model[6], model[7]
    plain = dense.size > 0
    for i in range(count - 1):
        if plain and starts[i + 2] - starts[i] == 2 and (i + 2 < count or (last.size == 0 and rules[4] == NONE)):
            found = dense[load8(text, start + starts[i]) << 8 | load8(text, start + starts[i] + 1)]
            turns[i] = turn_of(found, rules[5], tied)
        else:
            turns[i] = turn(
                text, start + starts[i], start + starts[i + 2], ids[i], ids[i + 1], rules, table, blob, tied
            )


@helper
def _merge_few(
    text: Bytes, start: int, count: int, model: Model, ids: Ints32, starts: Ints32, turns: Ints, fired: Ints32
) -> tuple[int, int]:
    """Merge until nothing has a turn, each time looking through all neighbors; return (symbols left, merges)."""
    rules, table, blob, tied = model[0], model[4], model[5], model[6]
    merges = 0
    while count > 1:
        place, best = 0, turns[0]
        for i in range(1, count - 1):
            if turns[i] >> 32 < best >> 32:
                place, best = i, turns[i]
        if best == NEVER:
            break
        fired[merges] = best >> 32
        merges += 1
        ids[place] = best & _LOW
        for i in range(place + 1, count - 1):
            ids[i] = ids[i + 1]
            starts[i] = starts[i + 1]
        starts[count - 1] = starts[count]
        for i in range(place + 1, count - 2):
            turns[i] = turns[i + 1]
        count -= 1
        for i in range(max(place - 1, 0), min(place + 1, count - 1)):
            turns[i] = turn(
                text, start + starts[i], start + starts[i + 2], ids[i], ids[i + 1], rules, table, blob, tied
            )
    return count, merges


@helper
def _push(heap: Ints, size: int, value: int) -> None:
    i = size
    while i > 0:
        above = (i - 1) >> 2
        if heap[above] <= value:
            break
        heap[i] = heap[above]
        i = above
    heap[i] = value


@helper
def _sink(heap: Ints, size: int, i: int, value: int) -> None:
    """Let a value sink from place i of a heap with four children a node."""
    while True:
        child = 4 * i + 1
        if child >= size:
            break
        least = child
        for other in range(child + 1, min(child + 4, size)):
            if heap[other] < heap[least]:
                least = other
        if heap[least] >= value:
            break
        heap[i] = heap[least]
        i = least
    heap[i] = value


@helper
def _merge_many(
    text: Bytes, start: int, count: int, model: Model, ids: Ints32, starts: Ints32, turns: Ints, fired: Ints32
) -> tuple[int, int]:
    """Do the same in O(n log n): a heap of order * n + place over a doubly linked list."""
    rules, table, blob, tied = model[0], model[4], model[5], model[6]
    following = np.arange(1, count + 1).astype(np.int32)
    previous = np.arange(-1, count - 1).astype(np.int32)
    heap = np.empty(2 * count, np.int64)
    size = 0
    for i in range(count - 1):
        if turns[i] != NEVER:
            heap[size] = (turns[i] >> 32) * count + i
            size += 1
    for i in range((size - 2) >> 2, -1, -1):
        _sink(heap, size, i, heap[i])
    merges = 0
    while size:
        best = heap[0]
        size -= 1
        if size:
            _sink(heap, size, 0, heap[size])
        order = best // count
        i = best - order * count
        if turns[i] >> 32 != order:
            continue  # one of the two has been merged meanwhile
        fired[merges] = order
        merges += 1
        j = following[i]
        k = following[j]
        ids[i] = turns[i] & _LOW
        following[i] = k
        turns[i] = NEVER
        turns[j] = NEVER
        if k < count:
            previous[k] = i
            end = starts[following[k]]
            turns[i] = turn(text, start + starts[i], start + end, ids[i], ids[k], rules, table, blob, tied)
            if turns[i] != NEVER:
                _push(heap, size, (turns[i] >> 32) * count + i)
                size += 1
        h = previous[i]
        if h >= 0:
            end = starts[k]
            turns[h] = turn(text, start + starts[h], start + end, ids[h], ids[i], rules, table, blob, tied)
            if turns[h] != NEVER:
                _push(heap, size, (turns[h] >> 32) * count + h)
                size += 1
    left = 0
    i = 0
    while i < count:
        ids[left] = ids[i]
        starts[left] = starts[i]
        left += 1
        i = following[i]
    starts[left] = starts[count]
    return left, merges


@helper
def merge(
    text: Bytes, start: int, count: int, model: Model, ids: Ints32, starts: Ints32, turns: Ints, fired: Ints32
) -> tuple[int, int]:
    """Merge the symbols of a word, in place.

    Returns:
        How many are left, and how many merges fired, whose orders stand in `fired`.
    """
    if count < 2:
        return count, 0
    _first_turns(text, start, count, model, ids, starts, turns)
    if count <= _FEW:
        return _merge_few(text, start, count, model, ids, starts, turns, fired)
    return _merge_many(text, start, count, model, ids, starts, turns, fired)
