"""A tree of pieces: each step down is one code point, so all pieces that begin at a place are found on one way.

The tree is a hash table. `steps[slot]` is (node << 21 | code point) + 1, or 0 for an empty slot; `targets[slot]` is the
node that the step leads to; `pieces[node]` is the id of the piece that ends there, or -1. Node 0 is the root; there may
be further roots, numbered from 1.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.kernels.byte_keys import Bytes, Ints
from engine.kernels.jit import helper, inlined, kernel
from engine.kernels.utf8_text import code_point

Ints32 = NDArray[np.int32]
Trie = tuple[Ints, Ints32, Ints32]

TRIE = "Tuple((int64[::1], int32[::1], int32[::1]))"
NOWHERE = -1

_MIX = np.uint64(0x9E3779B97F4A7C15)
_SHIFT = np.uint64(32)


@inlined
def _slot(step: int, mask: int) -> int:
    mix = np.uint64(step) * _MIX
    return np.int64(mix >> _SHIFT) & mask


@helper
def down(node: int, point: int, trie: Trie) -> int:
    """Return the node that a code point leads to, or `NOWHERE`."""
    steps, targets = trie[0], trie[1]
    step = (np.int64(node) << 21 | point) + 1
    mask = steps.size - 1
    slot = _slot(step, mask)
    while steps[slot] != step:
        if steps[slot] == 0:
            return NOWHERE
        slot = (slot + 1) & mask
    return np.int64(targets[slot])


@kernel(f"int64(uint8[::1], int64[::1], int64[::1], int64[::1], int64[::1], int64, {TRIE})")
def plant(blob: Bytes, starts: Ints, stops: Ints, roots: Ints, ids: Ints, nodes: int, trie: Trie) -> int:
    """Add pieces to a tree; return how many nodes it has then.

    Args:
        blob: uint8[], the pieces in UTF-8, with spare bytes behind.
        starts: int64[n], where each piece starts.
        stops: int64[n], where it stops.
        roots: int64[n], from which root it grows.
        ids: int64[n]; of equal pieces the last counts.
        nodes: How many the tree has now, its roots at least.
        trie: Arrays with room for one node a code point more, and `pieces` all -1.
    """
    steps, targets, pieces = trie
    mask = steps.size - 1
    for i in range(starts.size):
        node = roots[i]
        at = starts[i]
        while at < stops[i]:
            point, width = code_point(blob, at)
            at += width
            step = (node << 21 | point) + 1
            slot = _slot(step, mask)
            while steps[slot] != step and steps[slot] != 0:
                slot = (slot + 1) & mask
            if steps[slot] == 0:
                steps[slot] = step
                targets[slot] = nodes
                nodes += 1
            node = np.int64(targets[slot])
        pieces[node] = ids[i]
    return nodes
