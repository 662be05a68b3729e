"""Dividing words where no piece crosses, so that what many words have in common is looked at once.

A word can be divided after a code point if no edge passes it: every way to cut the word cuts there. The parts then
stand alone. Equal parts of all words become one word with the sum of their counts; words that stay whole stand among
them. The result is sorted again and shares beginnings, as engine/kernels/lattices.py says.

`ends[place]` says whether a part of a divided word ends behind a place, or a word that stays whole. A row of `parts`
is (start, size, weight): where a part first stands, its code points, and how much it counts.
"""

from __future__ import annotations

import numpy as np

from engine.kernels.jit import inlined, kernel
from engine.kernels.lattices import EDGES, WORDS, Bytes, Ints, Ints32, Pieces
from engine.kernels.memory import prefetch
from engine.kernels.sorting import Points, compared

DIVIDED, WHOLE = 1, 2

_MIX = np.uint64(0x9E3779B97F4A7C15)
_SHIFT = np.uint64(32)
_U = np.uint64
_AHEAD = 16  # words ahead at which memory is asked for


@kernel(f"void(int64, int64, {WORDS}, uint8[::1], uint8[::1], uint32[::1], uint8[::1], int64[::1])")
def mark(
    first: int, last: int, stops: Ints, shared: Ints, heads: Ints, many: Bytes, widths: Bytes, begins: Points,
    ends: Bytes, state: Ints,
) -> None:  # fmt: skip
    """Find where words can be divided.

    Args:
        first: The first word to look at; it shares nothing.
        last: The word before which to stop.
        stops: See `lattices.expect`, and so on to `widths`.
        shared: See there.
        heads: See there.
        many: See there; it is written for the nodes that a word shares, too.
        widths: See there.
        begins: uint32[code points], the first edge that ends at the node after each place is written there.
        ends: uint8[code points], all 0; `DIVIDED` is written where a part ends, `WHOLE` at the end of other words.
        state: int64[2]: how many parts and how many whole words there are so far.
    """
    before = 0
    for word in range(first, last):
        place = stops[word - 1] if word else 0
        size = stops[word] - place
        for depth in range(shared[word]):
            begins[place + depth], many[place + depth] = begins[before + depth], many[before + depth]
        edge = heads[word]
        for depth in range(shared[word], size):
            begins[_U(place + depth)] = edge
            edge += many[_U(place + depth)]
        lowest = size
        parts = 1
        for depth in range(size - 1, 0, -1):
            lowest = min(lowest, depth + 1 - widths[begins[_U(place + depth)]])  # the longest edge comes first
            if lowest >= depth:
                ends[place + depth - 1] = DIVIDED
                parts += 1
        ends[place + size - 1] = WHOLE if parts == 1 else DIVIDED
        state[0 if parts > 1 else 1] += parts
        before = place


@kernel("int64(int64, int64, uint32[::1], int64[::1], int64[::1], uint8[::1], int32[::1], int64[:,::1], int64)")
def collect(
    first: int, last: int, points: Points, stops: Ints, weights: Ints, ends: Bytes, slots: Ints32, parts: Ints,
    found: int,
) -> int:  # fmt: skip
    """Collect the different parts of words, and add up how much each counts.

    Args:
        first: The first word to look at.
        last: The word before which to stop.
        points: uint32[code points], those of all words.
        stops: See `mark`.
        weights: int64[words], how much each counts.
        ends: See `mark`.
        slots: int32[power of two, more than there are parts], the number of a part from 1 on, or 0.
        parts: int64[parts, 3], the rows are written there.
        found: How many there are already.

    Returns:
        How many there are now.
    """
    mask = slots.size - 1
    for word in range(first, last):
        start = stops[word - 1] if word else 0
        if ends[stops[word] - 1] == WHOLE:
            continue
        hashed = np.uint64(0)
        for place in range(start, stops[word]):
            hashed = (hashed ^ np.uint64(points[place])) * _MIX
            hashed ^= hashed >> _SHIFT
            if ends[place] == 0:
                continue
            size = place + 1 - start
            slot = np.int64(hashed) & mask
            while slots[slot] != 0:
                row = slots[slot] - 1
                if compared(points, parts[row, 0], parts[row, 1], start, size, 0) == 0:
                    break
                slot = (slot + 1) & mask
            if slots[slot] == 0:
                parts[found, 0], parts[found, 1], parts[found, 2] = start, size, 0
                found += 1
                slots[slot] = found
            parts[slots[slot] - 1, 2] += weights[word]
            start, hashed = place + 1, np.uint64(0)
    return found


@inlined
def _copy(row: int, parts: Ints, written: int, rows: Ints) -> None:
    rows[written, 0], rows[written, 1], rows[written, 2] = parts[row, 0], parts[row, 1], parts[row, 2]


@kernel(
    "int64(int64, int64, uint32[::1], int64[::1], int64[::1], uint8[::1], int64[:,::1], int64[::1], int64[:,::1],"
    "int64[::1])"
)
def merge(
    first: int, last: int, points: Points, stops: Ints, weights: Ints, ends: Bytes, parts: Ints, order: Ints,
    rows: Ints, state: Ints,
) -> int:  # fmt: skip
    """Put the words that stay whole among the parts of the others.

    Args:
        first: The first word to look at.
        last: The word before which to stop; after the last of all words no part is left.
        points: See `collect`.
        stops: See there.
        weights: See there.
        ends: See there.
        parts: See there.
        order: See `sorting.sort`.
        rows: int64[words and parts, 3], as `parts`, in order; they are written there.
        state: int64[2]: how many parts are read, and how many rows are written so far.

    Returns:
        How many rows are written.
    """
    read, written = state[0], state[1]
    for word in range(first, last):
        if ends[stops[word] - 1] != WHOLE:
            continue
        start = stops[word - 1] if word else 0
        size = stops[word] - start
        weight = weights[word]
        while read < order.size:
            row = order[read]
            order_of_both = compared(points, parts[row, 0], parts[row, 1], start, size, 0)
            if order_of_both > 0:
                break
            read += 1
            if order_of_both == 0:
                weight += parts[row, 2]
                break
            _copy(row, parts, written, rows)
            written += 1
        rows[written, 0], rows[written, 1], rows[written, 2] = start, size, weight
        written += 1
    if last == stops.size:
        for i in range(read, order.size):
            _copy(order[i], parts, written, rows)
            written += 1
        read = order.size
    state[0], state[1] = read, written
    return written


@kernel("int64(int64, int64, uint32[::1], int64[:,::1], int64, uint8[::1], int64[::1])")
def share(first: int, last: int, points: Points, rows: Ints, limit: int, many: Bytes, shared: Ints) -> int:
    """Count the code points that each word has in common with the one before.

    Args:
        first: The first word to look at.
        last: The word before which to stop.
        points: See `collect`.
        rows: See `merge`.
        limit: What words share at most.
        many: See `mark`.
        shared: int64[words], the numbers are written there; where -1 stands, the word shares nothing.

    Returns:
        How many edges the words have beyond what they share.
    """
    edges = 0
    for word in range(first, last):
        if word + _AHEAD < last:
            prefetch(points, rows[word + _AHEAD, 0])
            prefetch(many, rows[word + _AHEAD, 0])
        start, size = rows[word, 0], rows[word, 1]
        depth = 0
        if shared[word] != -1:
            before = rows[word - 1, 0]
            most = min(limit, size, rows[word - 1, 1])
            while depth < most and points[start + depth] == points[before + depth]:
                depth += 1
        shared[word] = depth
        for place in range(start + depth, start + size):
            edges += many[place]
    return edges


@kernel(f"int64(int64, int64, uint32[::1], {EDGES}, uint32[::1], int64[:,::1], {WORDS}, uint32[::1], {EDGES}, int64)")
def lay_out(
    first: int, last: int, points: Points, many: Bytes, pieces: Pieces, widths: Bytes, begins: Points, rows: Ints,
    stops: Ints, shared: Ints, heads: Ints, new_points: Points, new_many: Bytes, new_pieces: Pieces,
    new_widths: Bytes, written: int,
) -> int:  # fmt: skip
    """Lay out the words and the edges of rows.

    Args:
        first: The first word to look at.
        last: The word before which to stop.
        points: See `collect`.
        many: See `mark`.
        pieces: See there.
        widths: See there.
        begins: See there.
        rows: See `merge`.
        stops: int64[words], where each word is to stop.
        shared: See `share`.
        heads: int64[words + 1], the first edge of each is written there.
        new_points: uint32[code points], written.
        new_many: uint8[code points], likewise.
        new_pieces: uint32[edges], likewise.
        new_widths: uint8[edges], likewise.
        written: How many edges are written already.

    Returns:
        How many are written now.
    """
    for word in range(first, last):
        if word + _AHEAD < last:
            ahead = rows[word + _AHEAD, 0]
            prefetch(points, ahead)
            prefetch(many, ahead)
            prefetch(begins, ahead)
            edge = begins[rows[word + _AHEAD // 2, 0] + shared[word + _AHEAD // 2]]
            prefetch(pieces, edge)
            prefetch(widths, edge)
        heads[word] = written
        start, size = rows[word, 0], rows[word, 1]
        place = stops[word] - size
        for depth in range(size):
            new_points[place + depth] = points[start + depth]
        depth = shared[word]
        while depth < size:
            edge = np.int64(begins[start + depth])
            until = edge
            while depth < size and begins[start + depth] == until:  # they mostly lie one after another
                new_many[place + depth] = many[start + depth]
                until += many[start + depth]
                depth += 1
            for i in range(until - edge):
                new_pieces[written + i], new_widths[written + i] = pieces[edge + i], widths[edge + i]
            written += until - edge
    return written
