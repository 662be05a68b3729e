"""Finding the substrings of words that stand often, one length after another.

The words are sorted and share their beginnings, as engine/kernels/lattices.py says. A substring ends at a node and
stands there as often as the words that have this node; so only the nodes that a word adds are looked at.

A substring of n code points is named by its first code point and the number of the rest: 64 bits that are one key for
one substring, so nothing is ever compared letter by letter.

`nodes[i]` is a node at which longer substrings may end, in order: the place before it, shifted by 6 bits, plus how many
code points of its word stand before it, up to 63. `numbers[i]` is the number of the substring of one code point less
that ends there. The list gets shorter with each length.

`slots[h]` is (key, number) of a substring, 0 and 0 where there is none. `found[number]` is (count, about); `about` is
the first place where the substring ends, shifted by 22 bits, plus one more than the code point that always follows it,
0 for the end of the word, or plus `BRANCHES` if different ones do.

Fast, because numbers run in the order of the places: what comes together stands together, and nothing is sorted; and
because what a node will need is asked for some nodes before.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.kernels.bits import highest
from engine.kernels.jit import inlined, kernel
from engine.kernels.memory import prefetch

Bytes = NDArray[np.uint8]
Ints = NDArray[np.int64]
Ints32 = NDArray[np.int32]
Masks = NDArray[np.uint32]

BRANCHES = 1 << 21
PLACE_BITS = 22

TAKEN, GROWS = 2, 1

_POINT_BITS = 21
_DEPTH_BITS = 6
_DEEPEST = (1 << _DEPTH_BITS) - 1
_FAR, _NEAR = 24, 12  # nodes ahead at which a slot is asked for, and what it leads to
_MIX = np.uint64(0x9E3779B97F4A7C15)
_SHIFT = np.uint64(32)


@inlined
def _slot(key: int, mask: int) -> int:
    return np.int64((np.uint64(key) * _MIX) >> _SHIFT) & mask


@kernel(
    "void(uint32[::1], int64[::1], int64[::1], int64[::1], int64, int64, int64[::1], uint32[::1], int64[::1],"
    "int64[::1])"
)
def gather(
    points: Masks, stops: Ints, shared: Ints, weights: Ints, first: int, last: int, counts: Ints, followers: Masks,
    sums: Ints, next: Ints,
) -> None:  # fmt: skip
    """Say how often each node stands, and what follows it.

    Args:
        points: uint32[n], the code points of all words.
        stops: int64[words], where each word stops among them.
        shared: int64[words], how many it shares with the word before.
        weights: int64[words], how much it counts.
        first: The first word to look at; it shares nothing.
        last: The word before which to stop; it shares nothing.
        counts: int64[n], how often the node after each place stands is written there.
        followers: uint32[n], what follows it, as in `about`, is written there.
        sums: int64[nodes of the longest word], all 0.
        next: int64[], likewise, all -1.
    """
    for word in range(last - 1, first - 1, -1):
        start = stops[word - 1] if word else 0
        size = stops[word] - start
        sums[size] += weights[word]
        next[size] = 0 if next[size] == -1 else BRANCHES
        for depth in range(size, shared[word], -1):
            place = start + depth - 1
            counts[place], followers[place] = sums[depth], next[depth]
            sums[depth - 1] += sums[depth]
            point = np.int64(points[place]) + 1
            next[depth - 1] = point if next[depth - 1] == -1 or next[depth - 1] == point else BRANCHES
            sums[depth], next[depth] = 0, -1
        sums[0], next[0] = 0, -1


@kernel("int64(int64[::1], int64[::1], int64, int64, int64[::1], int64)")
def list_nodes(stops: Ints, shared: Ints, first: int, last: int, nodes: Ints, written: int) -> int:
    """List the nodes that words add.

    Args:
        stops: See `gather`.
        shared: See there.
        first: The first word to look at.
        last: The word before which to stop.
        nodes: int64[nodes], written.
        written: How many there are already.

    Returns:
        How many there are now.
    """
    for word in range(first, last):
        start = stops[word - 1] if word else 0
        for place in range(start + shared[word], stops[word]):
            nodes[written] = place << _DEPTH_BITS | min(place + 1 - start, _DEEPEST)
            written += 1
    return written


@inlined
def _key(node: int, number: int, points: Masks, size: int) -> int:
    return (np.int64(number) << _POINT_BITS | np.int64(points[(node >> _DEPTH_BITS) - size + 1])) + 1


@kernel(
    "int64(uint32[::1], int64[::1], uint32[::1], int64, int64, int64, int64[::1], int32[::1], int64[:,::1],"
    "int64[:,::1], int64)"
)
def number(
    points: Masks, counts: Ints, followers: Masks, first: int, last: int, size: int, nodes: Ints, numbers: Ints32,
    slots: Ints, found: Ints, many: int,
) -> int:  # fmt: skip
    """Number and count the substrings of one length.

    Args:
        points: See `gather`.
        counts: See there.
        followers: See there.
        first: The first node to look at.
        last: The node before which to stop.
        size: Code points of a substring.
        nodes: int64[nodes], those with so many code points before them.
        numbers: int32[nodes], those of one code point less; then those of this length.
        slots: int64[power of two, 2], more than there may be substrings afterwards; at most 2**32.
        found: int64[substrings, 2], with room for all that there may be afterwards.
        many: How many substrings have been numbered before.

    Returns:
        How many are numbered now.
    """
    mask = slots.shape[0] - 1
    for i in range(first, last):
        if i + _FAR < last:
            prefetch(slots, 2 * _slot(_key(nodes[i + _FAR], numbers[i + _FAR], points, size), mask))
            key = _key(nodes[i + _NEAR], numbers[i + _NEAR], points, size)
            slot = _slot(key, mask)
            if slots[slot, 0] == key:
                prefetch(found, 2 * slots[slot, 1])
        place = nodes[i] >> _DEPTH_BITS
        key = _key(nodes[i], numbers[i], points, size)
        follower = np.int64(followers[place])
        slot = _slot(key, mask)
        while slots[slot, 0] != key and slots[slot, 0] != 0:
            slot = (slot + 1) & mask
        if slots[slot, 0] == 0:
            slots[slot, 0], slots[slot, 1] = key, many
            found[many, 0], found[many, 1] = counts[place], place << PLACE_BITS | follower
            numbers[i] = many
            many += 1
        else:
            which = slots[slot, 1]
            numbers[i] = which
            found[which, 0] += counts[place]
            if (found[which, 1] & (2 * BRANCHES - 1)) != follower:
                found[which, 1] |= BRANCHES
    return many


@kernel("void(int64[:,::1], int64[:,::1])")
def rehash(old: Ints, new: Ints) -> None:
    """Enter the substrings of one table into a larger one, which is all 0."""
    mask = new.shape[0] - 1
    for i in range(old.shape[0]):
        if old[i, 0] != 0:
            slot = _slot(old[i, 0], mask)
            while new[slot, 0] != 0:
                slot = (slot + 1) & mask
            new[slot, 0], new[slot, 1] = old[i, 0], old[i, 1]


@kernel("void(int64, int64, int64, int32[::1], int64[::1], int32[::1], uint32[::1], int32[::1], int64[::1])")
def settle(
    first: int, last: int, size: int, verdicts: Ints32, nodes: Ints, numbers: Ints32, masks: Masks, taken: Ints32,
    state: Ints,
) -> None:  # fmt: skip
    """Note where the substrings that are taken stand, and list the nodes where longer ones may.

    Args:
        first: The first node to look at.
        last: The node before which to stop.
        size: Code points of a substring.
        verdicts: int32[substrings], `TAKEN` times one more than the piece that each is which is taken, plus `GROWS`
            for those of which longer ones may be taken.
        nodes: int64[nodes]; those that stay move up.
        numbers: int32[nodes], likewise.
        masks: uint32[code points]; bit size - 1 is set where one that is taken ends.
        taken: int32[]; the pieces are written there, node after node.
        state: int64[2]: how many nodes stay and how many pieces are written so far.
    """
    left, written = state[0], state[1]
    for i in range(first, last):
        if i + _FAR < last:
            prefetch(verdicts, numbers[i + _FAR])
        node, which = nodes[i], numbers[i]
        verdict = verdicts[which]
        is_taken = verdict >= TAKEN  # whether it is, is hard to guess, so this never jumps
        masks[node >> _DEPTH_BITS] |= np.uint32(np.int64(is_taken) << (size - 1))
        taken[written] = verdict // TAKEN - 1
        written += is_taken
        nodes[left], numbers[left] = node, which
        left += (verdict & GROWS) & ((node & _DEEPEST) > size)
    state[0], state[1] = left, written


@kernel(
    "int64(int64[::1], int64[::1], int64, int64, uint32[::1], int32[::1], int64[::1], int32[::1], int64[::1],"
    "uint8[::1], uint32[::1], uint8[::1], int64)"
)
def lay_out(
    stops: Ints, shared: Ints, first: int, last: int, masks: Masks, taken: Ints32, cursors: Ints, renamed: Ints32,
    heads: Ints, many: Bytes, pieces: Masks, widths: Bytes, written: int,
) -> int:  # fmt: skip
    """Turn what was found length by length into the edges of each word, place by place.

    Args:
        stops: See `gather`.
        shared: See there.
        first: The first word to look at.
        last: The word before which to stop.
        masks: uint32[n], see `settle`.
        taken: int32[], the pieces of all lengths, see `settle`.
        cursors: int64[longest], where the next piece of each length stands in `taken`.
        renamed: int32[pieces], the new number of each.
        heads: int64[words + 1], the first edge of each word is written there.
        many: uint8[n], how many edges end after each place is written there.
        pieces: uint32[edges], the piece of each edge is written there.
        widths: uint8[edges], its code points are written there; those of a place descend.
        written: How many edges there are already.

    Returns:
        How many edges there are now.
    """
    for word in range(first, last):
        heads[word] = written
        start = stops[word - 1] if word else 0
        for place in range(start + shared[word], stops[word]):
            before = written
            mask = np.int64(masks[place])
            while mask != 0:
                size = highest(mask)
                mask ^= np.int64(1) << size
                pieces[written] = renamed[taken[cursors[size]]]
                widths[written] = size + 1
                cursors[size] += 1
                written += 1
            many[place] = written - before
    return written
