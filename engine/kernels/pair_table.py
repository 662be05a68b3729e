"""The table of merges: from two symbols to the rank by which they merge.

A merge is one number, left id << 42 | right id << 21 | rank + 1; 0 is an empty place. So it is eight bytes, and those
of 100,000 pieces stay near; eight of them are compared at once, in one line of memory, and what does not fit there
stands in the next one. No branch of a look-up depends on what is found: as often as not it is nothing.

Behind n places, a power of two and at least 16, stands a sieve of 4 * n bits, as n / 16 more numbers: the bit of each
merge is set, and hardly one in ten of the others. It is a sixteenth of the table, so it stays near where the table does
not, and most pairs that do not merge are told by it alone.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.kernels.bits import lowest
from engine.kernels.byte_keys import Ints
from engine.kernels.jit import inlined, kernel
from engine.kernels.memory import address, alike8, load8, load32, load64, unforeseen

Ints32 = NDArray[np.int32]

NONE = -1
NEVER = np.int64(2**22 - 1)
"""The turn of two symbols that do not merge."""

LARGEST = 2**21 - 2
"""Ids and ranks are at most this."""

LOW = np.int64(2**21 - 1)
_MIX = np.int64(0x9E3779B97F4A7C15 - 2**64)


@inlined
def mask_of(pairs: Ints) -> int:
    """Return the number of places of a table - 1."""
    return (pairs.size // 17 << 4) - 1


@inlined
def _spread(pair: int) -> int:
    return np.int64(np.uint64(pair * _MIX) >> np.uint64(32))


@inlined
def line_of(pair: int, pairs: int, mask: int) -> int:
    """Return the first place of the line where a pair, left id << 21 | right id, may stand in the table at an address.

    It is 0 where the sieve says that the pair is not in the table.
    """
    spread = _spread(pair)
    bit = spread * (mask + 1) >> 30
    found = load8(pairs, 8 * (mask + 1) + (bit >> 3)) >> (bit & 7) & 1
    return spread & mask & ~7 & -found


@inlined
def rank_of(pair: int, pairs: int, mask: int) -> int:
    """Look a pair up in the table at an address; -1 if it does not merge."""
    return rank_at(pair, line_of(pair, pairs, mask), pairs, mask)


@inlined
def rank_at(pair: int, line: int, pairs: int, mask: int) -> int:
    """Look a pair up of which the line is known."""
    alike = alike8(pairs, 8 * line, 21, pair)
    missed = unforeseen(alike - 1) >> 63
    while missed & np.int64(load64(pairs, 8 * line + 56)):  # the line is full
        line = (line + 8) & mask
        alike = alike8(pairs, 8 * line, 21, pair)
        missed = unforeseen(alike - 1) >> 63
    found = np.int64(load64(pairs, 8 * (line + lowest(alike | 128))))
    return unforeseen((found & LOW & ~missed) - 1)


@inlined
def turn_of(rank: int, learned: int, ties: int, tied: int) -> int:
    """Return when the merge of a rank has its turn; `NEVER` if it does not count."""
    counts = unforeseen(rank - learned) >> 63
    turn = (rank | ~counts) & NEVER  # -1 has all bits of `NEVER`
    if ties and turn != NEVER:
        turn = load32(tied, 4 * turn)
    return turn


@inlined
def enter(pair: int, rank: int, pairs: Ints) -> None:
    """Put a pair into a table that has room; the last of equal ones counts."""
    mask = mask_of(pairs)
    spread = _spread(pair)
    bit = spread * (mask + 1) >> 30
    pairs[mask + 1 + (bit >> 6)] |= np.int64(1) << (bit & 63)
    place = spread & mask & ~7
    while pairs[place] != 0 and pairs[place] >> 21 != pair:
        place = (place + 1) & mask
    pairs[place] = pair << 21 | (rank + 1)


@kernel("void(int64[::1], int64[::1], int64[::1], int64[::1])")
def fill_pairs(lefts: Ints, rights: Ints, ranks: Ints, pairs: Ints) -> None:
    """Put pairs of ids into an empty table of more slots."""
    for i in range(lefts.size):
        enter(lefts[i] << 21 | rights[i], ranks[i], pairs)


@kernel("void(int32[::1], int64[::1], int32[::1])")
def fill_dense(first: Ints32, pairs: Ints, dense: Ints32) -> None:
    """Note by which rank every two bytes merge, so that the first look-ups of a word stay near."""
    table, mask = address(pairs), mask_of(pairs)
    for a in range(256):
        for b in range(256):
            rank = rank_of(np.int64(first[a]) << 21 | np.int64(first[b]), table, mask)
            dense[a << 8 | b] = rank if rank >= 0 else NEVER
