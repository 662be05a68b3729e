"""Merging the symbols of words, lowest rank first and leftmost on overlap.

A model is eleven arrays, the same in every loop, so Python gives them as one tuple. Loops give them on one by one: to
take an array out of a tuple counts references.

- rules: int64[7]: whether symbols are code points (1) or bytes (0); the unknown id; whether unknown symbols in a row
  are one (1); the id of a mark behind each word, or `NONE`; how many merges there are, as those of this rank and above
  do not count; bytes of the longest piece in `whole`; what is added to a rank to make an id, or `NONE`.
- first: int32[n], the id of each byte or code point, or `NONE`.
- last: int32[n], the same for the last symbol of a word; empty if it is like the others.
- fallback: int32[256], ids of the bytes that a missing code point is written with; empty if it is unknown.
- pairs: int64[17 * n / 16], merges, as `pair_table` says.
- products: int32[n], the id that the merge of each rank makes, read only where no number is added to ranks.
- tied: int32[n], of each rank the last one with the same score, which tells the turn; empty: the rank does.
- dense: int32[65536], the rank by which two bytes merge, or `NEVER`; empty if a symbol is not told by its byte alone.
- whole: uint64[], words that are a piece at once, in slots of `byte_keys`, their values rank + (id << 32); empty if
  there are none.
- whole_blob: uint8[], the bytes of these words.
- sieve: uint8[], the sieve of `whole`, as `byte_keys` says.

Words of up to some hundred symbols, nearly all, are merged `LANES` at a time: each step chooses the next merge of every
word, asks for the pairs that come of it, and reads them only then. So one waits for memory once a step, not once a
merge; and what is known of a word, a turn for each place, is a few registers that are compared at once. A lane has
`WIDTH` places: an edge, the symbols, an edge; it is `LANE` bytes, its parts at these distances:

- `IDS`: int32[WIDTH], the symbol at each place; a symbol that is merged into another one stays where it is.
- `STARTS`: int32[WIDTH], the byte of the word where it starts; behind the last one, where the word ends.
- `_TURNS`: int32[WIDTH], when it merges with what follows: turn << 9 | place.
- `_RANKS`: int32[WIDTH], by which rank; only where turns are no ranks.
- `FIRED`: int32[WIDTH], the turns of the merges so far, in order.
- `NEXT`, `_PREVIOUS`: uint16[WIDTH], the place of the symbol behind it, and before it, edges included.
- `SYMBOLS`: int64, how many there were at first.
- `ABOUT`: int64, free for whoever began the lane.
- `MERGES`: int64, merges so far.
- `_TOP`: int64, places in use, rounded up to 32.
"""

from __future__ import annotations

import numpy as np

from engine.kernels.byte_keys import Bytes, Ints, Words
from engine.kernels.jit import helper, inlined
from engine.kernels.memory import (
    address,
    least32,
    load8,
    load16,
    load32,
    load64,
    prefetch,
    store16,
    store32,
    store64,
)
from engine.kernels.pair_table import LARGEST, NEVER, NONE, Ints32, line_of, mask_of, rank_at, rank_of, turn_of
from engine.kernels.utf8_text import code_point

Model = tuple[Ints, Ints32, Ints32, Ints32, Ints, Ints32, Ints32, Ints32, Words, Bytes, Bytes]

MODEL = (
    "Tuple((int64[::1], int32[::1], int32[::1], int32[::1], int64[::1], int32[::1], int32[::1], int32[::1],"
    "uint64[::1], uint8[::1], uint8[::1]))"
)
LANES = 32
WIDTH = 288
"""Places of a lane: an edge, the symbols, an edge."""
FEW = WIDTH - 4
"""A word of fewer bytes fits into a lane."""

IDS, STARTS, _TURNS, _RANKS, FIRED = (4 * WIDTH * i for i in range(5))
NEXT, _PREVIOUS = (20 * WIDTH + 2 * WIDTH * i for i in range(2))
SYMBOLS, ABOUT, MERGES, _TOP = (24 * WIDTH + 8 * i for i in range(4))
LANE = 24 * WIDTH + 64
_WORKING, _CHOSEN = LANES * LANE, LANES * (LANE + 8)
ROOM = LANES * (LANE + 56)
"""Bytes of all lanes, and of what is noted about them while they merge."""

_EDGE = np.int64(LARGEST + 1)
"""A symbol that merges with nothing."""
_LAST = np.int64(2**31 - 1)
_PLACE = np.int64(2**9 - 1)
_FOUR = np.int64(0x0001_0001_0001_0001)
"""A number in each of four places."""


@inlined
def product(rank: int, base: int, products: int) -> int:
    """Return the id that the merge of a rank makes; `products` is an address."""
    return rank + base if base != NONE else load32(products, 4 * rank)


@helper
def cut(
    text: Bytes, start: int, size: int, rules: Ints, first: Ints32, last: Ints32, fallback: Ints32,
    ids: int, starts: int,
) -> int:  # fmt: skip
    """Cut a word into its first symbols; return how many.

    Their ids, and the bytes of the word where they start, are written to two addresses as int32; the latter with one
    entry more, the size.
    """
    count = 0
    at = 0
    unknown = rules[1]
    while at < size:
        point, width = code_point(text, start + at) if rules[0] == 1 else (load8(text, start + at), 1)
        known = last if last.size and at + width == size else first
        id = np.int64(known[point]) if point < known.size else np.int64(NONE)
        if id == NONE and fallback.size:
            for i in range(width):
                store32(ids, 4 * count, np.int64(fallback[load8(text, start + at + i)]))
                store32(starts, 4 * count, at + i)
                count += 1
        else:
            id = unknown if id == NONE else id
            if not (rules[2] == 1 and count > 0 and id == unknown and load32(ids, 4 * count - 4) == id):
                store32(ids, 4 * count, id)  # else it goes on with the unknown one before
                store32(starts, 4 * count, at)
                count += 1
        at += width
    if size and rules[3] != NONE:
        store32(ids, 4 * count, rules[3])
        store32(starts, 4 * count, size)
        count += 1
    store32(starts, 4 * count, size)
    return count


@helper
def _close(lane: int, count: int) -> None:
    """Put the edges around the symbols of a lane, of which nothing is merged yet."""
    top = (count + 32) & ~31
    store32(lane, _TURNS, _LAST)
    for i in range(max(count, 1), top):
        store32(lane, _TURNS + 4 * i, _LAST)
    store32(lane, IDS, _EDGE)
    store32(lane, IDS + 4 * (count + 1), _EDGE)
    following, before = np.int64(0x0004_0003_0002_0001), np.int64(0x0002_0001_0000_0000)
    for i in range(0, count + 2, 4):
        store64(lane, NEXT + 2 * i, following + i * _FOUR)
        store64(lane, _PREVIOUS + 2 * i, before + i * _FOUR - (1 if i else 0))
    store64(lane, SYMBOLS, count)
    store64(lane, MERGES, 0)
    store64(lane, _TOP, top)


@helper
def begin_bytes(text: int, size: int, lane: int, learned: int, first: int, dense: int) -> None:
    """Put a word of fewer than `FEW` bytes into a lane, where a byte tells its symbol, and two of them their rank.

    Args:
        text: Address of the word.
        size: Its bytes.
        lane: Address of the lane.
        learned: How many merges count.
        first: Address of `first` of the model.
        dense: Address of `dense` of the model.
    """
    before = load8(text, 0)
    store32(lane, IDS + 4, load32(first, 4 * before))
    store32(lane, STARTS + 4, 0)
    for i in range(1, size):
        byte = load8(text, i)
        store32(lane, IDS + 4 + 4 * i, load32(first, 4 * byte))
        store32(lane, STARTS + 4 + 4 * i, i)
        rank = load32(dense, (before << 8 | byte) * 4)
        store32(lane, _TURNS + 4 * i, (rank if rank < learned else NEVER) << 9 | i)
        before = byte
    store32(lane, STARTS + 4 + 4 * size, size)
    _close(lane, size)


@helper
def begin(
    text: Bytes, start: int, size: int, lane: int,
    rules: Ints, first: Ints32, last: Ints32, fallback: Ints32, pairs: Ints, tied: Ints32,
) -> int:  # fmt: skip
    """Put a word of fewer than `FEW` bytes into a lane, whatever its symbols; return how many they are."""
    count = cut(text, start, size, rules, first, last, fallback, lane + IDS + 4, lane + STARTS + 4)
    table, mask, ties, turns = address(pairs), mask_of(pairs), tied.size, address(tied)
    for i in range(1, count):
        rank = rank_of(load32(lane, IDS + 4 * i) << 21 | load32(lane, IDS + 4 * i + 4), table, mask)
        store32(lane, _TURNS + 4 * i, turn_of(rank, rules[4], ties, turns) << 9 | i)
        store32(lane, _RANKS + 4 * i, rank)
    _close(lane, count)
    return count


@helper
def begin_lanes(room: int) -> None:
    """Name the lanes that stand in a room."""
    for i in range(LANES):
        store64(room, _WORKING + 8 * i, room + i * LANE)


@inlined
def lane_at(room: int, i: int) -> int:
    """Return the address of the lane that is named in a place; `merge_step` has those that work in the first ones."""
    return np.int64(load64(room, _WORKING + 8 * i))


@helper
def merge_step(
    many: int, room: int, pairs: int, mask: int, products: int, ties: int, tied: int, learned: int, base: int
) -> int:
    """Merge once in each of the lanes that are named first.

    Args:
        many: How many lanes.
        room: Address of `ROOM` bytes, which begin with the lanes.
        pairs: Address of `pairs` of the model.
        mask: Their places - 1.
        products: Address of `products` of the model.
        ties: The size of `tied` of the model.
        tied: Its address.
        learned: How many merges count.
        base: What is added to a rank to make an id, or `NONE`.

    Returns:
        How many lanes go on; those in which nothing has a turn are named behind them.
    """
    working, chosen = room + _WORKING, room + _CHOSEN
    i = 0
    while i < many:
        lane = np.int64(load64(working, 8 * i))
        best = least32(lane, _TURNS)
        for place in range(32, np.int64(load64(lane, _TOP)), 32):
            best = min(best, least32(lane, _TURNS + 4 * place))
        if best >= NEVER << 9:
            many -= 1
            store64(working, 8 * i, np.int64(load64(working, 8 * many)))
            store64(working, 8 * many, lane)
            continue
        place = best & _PLACE
        new = product(load32(lane, _RANKS + 4 * place) if ties else best >> 9, base, products)
        merges = np.int64(load64(lane, MERGES))
        store32(lane, FIRED + 4 * merges, best >> 9)
        store64(lane, MERGES, merges + 1)
        gone = load16(lane, NEXT + 2 * place)
        after, before = load16(lane, NEXT + 2 * gone), load16(lane, _PREVIOUS + 2 * place)
        store16(lane, NEXT + 2 * place, after)
        store16(lane, _PREVIOUS + 2 * after, place)
        store32(lane, IDS + 4 * place, new)
        store32(lane, _TURNS + 4 * gone, _LAST)
        left, right = load32(lane, IDS + 4 * before) << 21 | new, new << 21 | load32(lane, IDS + 4 * after)
        left_line, right_line = line_of(left, pairs, mask), line_of(right, pairs, mask)
        prefetch(pairs, 8 * left_line)
        prefetch(pairs, 8 * right_line)
        store64(chosen, 48 * i, left)
        store64(chosen, 48 * i + 8, right)
        store64(chosen, 48 * i + 16, before)
        store64(chosen, 48 * i + 24, place)
        store64(chosen, 48 * i + 32, left_line)
        store64(chosen, 48 * i + 40, right_line)
        i += 1
    for i in range(many):
        lane = np.int64(load64(working, 8 * i))
        for side in range(0, 16, 8):
            pair, line = np.int64(load64(chosen, 48 * i + side)), np.int64(load64(chosen, 48 * i + 32 + side))
            rank = rank_at(pair, line, pairs, mask)
            place = np.int64(load64(chosen, 48 * i + 16 + side))
            store32(lane, _TURNS + 4 * place, turn_of(rank, learned, ties, tied) << 9 | place)
            if ties:
                store32(lane, _RANKS + 4 * place, rank)
    return many


@helper
def gather(lane: int) -> int:
    """Move the tokens of a lane to its first places after the edge; return how many."""
    count = np.int64(load64(lane, SYMBOLS))
    size = load32(lane, STARTS + 4 + 4 * count)
    left, place = 0, np.int64(1)
    while place <= count:
        left += 1
        store32(lane, IDS + 4 * left, load32(lane, IDS + 4 * place))
        store32(lane, STARTS + 4 * left, load32(lane, STARTS + 4 * place))
        place = load16(lane, NEXT + 2 * place)
    store32(lane, STARTS + 4 + 4 * left, size)
    return left
