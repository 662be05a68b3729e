"""Which pair is merged next: the one of the highest count. Pairs, cells and occurrences are those of `pair_places`.

Merges are taken level by level: a level is a count that pairs have. Nobody lowers the count of a pair when a merge
takes some of its occurrences. It is a bound, and is set right when its turn comes: then the living occurrences are
added up, and the dead ones forgotten. A pair that stands on the level after that is a member of it: `members[i]` is
(key, p), a heap, and of all members the smallest key wins. A member that loses an occurrence is one no more; that is
noticed at once, by `table`, the members by hash. So members have no dead, and TIES is how many they are.

All other pairs wait in `buckets`, a radix heap: in bucket b those whose count differs from the level in bit b - 1, and
in none above it. `links[p]` is the next pair in the same bucket; -1 ends it. As the level only falls, a pair changes
its bucket a few times, and never upwards.

Fast, because a loss costs nothing unless several pairs are tied, and then a look-up in a table of those only.
"""

from __future__ import annotations

import numpy as np

from engine.kernels.jit import helper, inlined
from engine.kernels.memory import bit_length, read32, read64
from engine.kernels.pair_places import QUEUED, TIES, Ints, Ints32, forget_dead, key_of
from engine.kernels.pair_slots import enter, find

# Numbers of `state` that have a meaning only here: the level, the mask of `table`, and how many pairs were entered in
# it. The heap of members has QUEUED entries.
LEVEL, MASK, _ENTERED = 6, 7, 8

_SMALLEST = 16  # slots of a table of members


@inlined
def wait(pairs: Ints, links: Ints32, buckets: Ints, level: int, p: int) -> None:
    """Let a pair wait for its level."""
    bucket = bit_length(level ^ read64(pairs, 4 * p + 1))
    links[p] = buckets[bucket]
    buckets[bucket] = p


@helper
def _push(members: Ints, state: Ints, key: int, p: int) -> None:
    i = state[QUEUED]
    state[QUEUED] += 1
    while i > 0:
        parent = (i - 1) >> 1
        if members[parent, 0] < key:
            break
        members[i, 0], members[i, 1] = members[parent, 0], members[parent, 1]
        i = parent
    members[i, 0], members[i, 1] = key, p


@helper
def pop(members: Ints, state: Ints) -> None:
    """Take the member that wins away."""
    state[QUEUED] -= 1
    size = state[QUEUED]
    key, p = members[size, 0], members[size, 1]
    i = 0
    while 2 * i + 1 < size:
        best = 2 * i + 1
        if best + 1 < size:
            best += members[best + 1, 0] < members[best, 0]
        if members[best, 0] >= key:
            break
        members[i, 0], members[i, 1] = members[best, 0], members[best, 1]
        i = best
    members[i, 0], members[i, 1] = key, p


@helper
def _tabulate(members: Ints, table: Ints, pairs: Ints, state: Ints) -> None:
    """Enter all members into an empty table that is no larger than it must be."""
    size = _SMALLEST
    while size < 4 * state[QUEUED] and 2 * size <= table.shape[0]:
        size *= 2
    table[:size, 1] = 0
    for i in range(state[QUEUED]):
        p = members[i, 1]
        enter(table, size - 1, pairs[p, 0], p)
    state[MASK], state[_ENTERED] = size - 1, state[QUEUED]


@helper
def join(members: Ints, table: Ints, pairs: Ints, state: Ints, key: int, p: int) -> None:
    """Make a new pair, which has the count of the level, a member of it."""
    _push(members, state, key, p)
    state[TIES] += 1
    state[_ENTERED] += 1
    if 2 * state[_ENTERED] > state[MASK]:
        _tabulate(members, table, pairs, state)
    else:
        enter(table, state[MASK], pairs[p, 0], p)


@helper
def _descend(pairs: Ints, links: Ints32, buckets: Ints, state: Ints) -> bool:
    """Go down to the highest count that a pair may have, so that all pairs of that count are in bucket 0."""
    bucket = 0
    while buckets[bucket] < 0:
        bucket += 1
        if bucket == buckets.shape[0]:
            return False
    if bucket > 0:
        first = p = buckets[bucket]
        buckets[bucket] = -1
        level = np.int64(0)
        while p >= 0:
            level = max(level, read64(pairs, 4 * p + 1))
            p = read32(links, p)
        state[LEVEL] = level
        p = first
        while p >= 0:
            following = read32(links, p)
            wait(pairs, links, buckets, level, p)
            p = following
    return True


@helper
def _gather(
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
) -> None:
    """Set the counts of the pairs in bucket 0 right; those that stand on the level become its members."""
    p = buckets[0]
    buckets[0] = -1
    while p >= 0:
        following = read32(links, p)
        count = forget_dead(cells, pool, pairs, p, pairs[p, 2])
        pairs[p, 1] = count
        if count == state[LEVEL]:
            _push(members, state, key_of(pairs, pool, cells, widths, by_place, p), p)
        elif count >= least:
            wait(pairs, links, buckets, state[LEVEL], p)
        p = following
    state[TIES] = state[QUEUED]
    _tabulate(members, table, pairs, state)


@helper
def next_pair(
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
    """Bring the pair that wins to the root of the members; return it, or -1 if none stands `least` times."""
    while True:
        while state[QUEUED] > 0:
            p = members[0, 1]
            if pairs[p, 1] == state[LEVEL]:
                return p
            pop(members, state)
            if pairs[p, 1] >= least:
                wait(pairs, links, buckets, state[LEVEL], p)
        if not _descend(pairs, links, buckets, state) or state[LEVEL] < least:
            return -1
        _gather(cells, pairs, pool, widths, members, table, links, buckets, state, least, by_place)


@inlined
def lose(pairs: Ints, table: Ints, state: Ints, key: int) -> None:
    """Note that a pair has lost an occurrence, if it is a member."""
    p = find(table, state[MASK], key)
    if p >= 0 and pairs[p, 1] == state[LEVEL]:
        pairs[p, 1] -= 1
        state[TIES] -= 1
