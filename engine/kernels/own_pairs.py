"""From a vocabulary, in which any two pieces merge if what they make is a piece too, to the pairs that ever do merge.

Each piece comes of one pair only: that which is left when the piece alone is merged up to there. For as long as it is
made inside a word, nothing merges across its edges, so its symbols go the same way there. A model whose merges are
looked up by the bytes they make, over a million pairs for 100,000 pieces, is thereby one with as many pairs as pieces.
"""

from __future__ import annotations

import numpy as np

from engine.kernels.byte_keys import MISSING, Bytes, Ints, Words, find, same
from engine.kernels.jit import helper, inlined, kernel, maker
from engine.kernels.memory import address, load16, load32, load64
from engine.kernels.merge_long_words import merge_many
from engine.kernels.merge_words import (
    FEW,
    IDS,
    LANE,
    LANES,
    MERGES,
    MODEL,
    NEXT,
    SYMBOLS,
    Model,
    begin,
    begin_lanes,
    cut,
    lane_at,
    merge_step,
)
from engine.kernels.pair_table import NEVER, NONE, Ints32, enter, mask_of, turn_of
from engine.kernels.utf8_text import code_point

_ALL = np.uint64(2**64 - 1)
_MORE = np.int64(-2)
"""A piece of which more than two symbols are left."""


@helper
def _known(text: Bytes, start: int, size: int, rules: Ints, first: Ints32) -> bool:
    """Say whether all symbols of a piece are in the alphabet; others never merge."""
    at = start
    while at < start + size:
        point, width = code_point(text, at) if rules[0] == 1 else (np.int64(text[at]), 1)
        if point >= first.size or first[point] == NONE:
            return False
        at += width
    return True


@maker
def _last_pair(
    text: Bytes, start: int, size: int, rules: Ints, first: Ints32, last: Ints32, fallback: Ints32, tied: Ints32,
    slots: Words,
) -> int:  # fmt: skip
    """Merge a piece by what its bytes make, until it is one; return the pair it came of, -1 if it never is."""
    ids, starts = np.empty(size + 2, np.int32), np.empty(size + 2, np.int32)
    count = cut(text, start, size, rules, first, last, fallback, address(ids), address(starts))
    raw, table, mask = address(text), address(slots), (slots.size >> 2) - 1
    ties, turns = tied.size, address(tied)
    found = np.empty(size + 2, np.int64)
    for i in range(count - 1):
        found[i] = find(raw, start + starts[i], np.int64(starts[i + 2] - starts[i]), table, mask, raw)
    while count > 1:
        place, best = 0, NEVER
        for i in range(count - 1):
            turn = NEVER if found[i] == MISSING else turn_of(found[i] & 0xFFFFFFFF, rules[4], ties, turns)
            if turn < best:
                place, best = i, turn
        if best == NEVER:
            break
        if count == 2:
            return np.int64(ids[0]) << 21 | np.int64(ids[1])
        ids[place] = found[place] >> 32
        for i in range(place + 1, count - 1):
            ids[i], starts[i], found[i] = ids[i + 1], starts[i + 1], found[i + 1]
        starts[count - 1] = starts[count]
        count -= 1
        for i in range(max(place - 1, 0), min(place + 1, count - 1)):
            found[i] = find(raw, start + starts[i], np.int64(starts[i + 2] - starts[i]), table, mask, raw)
    return np.int64(NONE)


@inlined
def _last_two(lane: int) -> int:
    """Return the pair that is left in a lane; `_MORE` if more are left, `NONE` if less."""
    left = np.int64(load64(lane, SYMBOLS)) - np.int64(load64(lane, MERGES))
    second = load16(lane, NEXT + 2)
    pair = load32(lane, IDS + 4) << 21 | load32(lane, IDS + 4 * second)
    return pair if left == 2 else _MORE if left > 2 else np.int64(NONE)


@helper
def _holds(text: int, start: int, size: int, part: int, part_size: int) -> bool:
    """Say whether a piece has another one inside; both stand in a text at an address."""
    mask = _ALL >> np.uint64(64 - 8 * min(part_size, 8))
    wanted = load64(text, part) & mask
    for at in range(start, start + size - part_size + 1):
        if load64(text, at) & mask == wanted and (part_size <= 8 or same(text, at, text, part, part_size)):
            return True
    return False


@kernel(f"void(uint8[::1], int64[::1], int64[::1], int64[::1], uint64[::1], {MODEL}, uint8[::1])", makes_arrays=True)
def derive(text: Bytes, starts_of: Ints, sizes: Ints, ranks_of: Ints, slots: Words, model: Model, room: Bytes) -> None:
    """Fill the pairs of a model.

    What comes of lower ranks is known already, and nothing else merges before; if no two have one turn. So a piece is
    merged by the pairs so far, many pieces at a time: one that has another one of them inside is merged again.

    Args:
        text: The bytes of all pieces, with 16 spare ones behind them.
        starts_of: int64[n], where the piece of each merge starts, in order of ranks.
        sizes: int64[n], how many bytes it has.
        ranks_of: int64[n], its rank, rising.
        slots: uint64[], piece -> rank + (id << 32), in slots of `byte_keys` over `text`.
        model: As `merge_words` says; its pairs are empty, and it has no table of two bytes.
        room: uint8[merge_words.ROOM], for words on their way.
    """
    rules, first, last, fallback, pairs = model[0], model[1], model[2], model[3], model[4]
    products, tied, lanes, raw = model[5], model[6], address(room), address(text)
    table, mask, made, turns = address(pairs), mask_of(pairs), address(products), address(tied)
    numbers, found = np.empty(LANES, np.int64), np.empty(LANES, np.int64)
    i = 0
    while i < starts_of.size:
        begin_lanes(lanes)
        begun = 0
        while i < starts_of.size and begun < LANES:
            start, size = starts_of[i], sizes[i]
            if size > 1 and ranks_of[i] < rules[4] and _known(text, start, size, rules, first):
                if tied.size or size >= FEW:
                    break
                begin(text, start, size, lanes + begun * LANE, rules, first, last, fallback, pairs, tied)
                numbers[begun] = i
                begun += 1
            i += 1
        working = begun
        while working:
            working = merge_step(working, lanes, table, mask, made, 0, turns, rules[4], rules[6])
        for j in range(begun):
            found[j] = _last_two(lanes + j * LANE)
        for j in range(begun):
            start, size = starts_of[numbers[j]], sizes[numbers[j]]
            for k in range(j):
                if _holds(raw, start, size, starts_of[numbers[k]], sizes[numbers[k]]):
                    begin(text, start, size, lane_at(lanes, 0), rules, first, last, fallback, pairs, tied)
                    while merge_step(1, lanes, table, mask, made, 0, turns, rules[4], rules[6]):
                        pass
                    found[j] = _last_two(lane_at(lanes, 0))
                    break
            if found[j] == _MORE:
                found[j] = _last_pair(text, start, size, rules, first, last, fallback, tied, slots)
            if found[j] != NONE:
                enter(found[j], ranks_of[numbers[j]], pairs)
        if begun == 0 and i < starts_of.size:  # a piece that no lane takes
            start, size = starts_of[i], sizes[i]
            pair = _MORE
            if tied.size == 0:
                ids = np.empty(size + 2, np.int32)
                left, _ = merge_many(
                    text, start, size, rules, first, last, fallback, pairs, products, tied,
                    ids, np.empty(size + 2, np.int32), np.empty(size + 2, np.int32),
                )  # fmt: skip
                if left <= 2:
                    pair = np.int64(ids[0]) << 21 | np.int64(ids[1]) if left == 2 else np.int64(NONE)
            if pair == _MORE:
                pair = _last_pair(text, start, size, rules, first, last, fallback, tied, slots)
            if pair != NONE:
                enter(pair, ranks_of[i], pairs)
            i += 1
