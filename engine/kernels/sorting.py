"""Sorting stretches of a text by their code points.

A row of `parts` is (start, size, ...) of a stretch.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.kernels.jit import helper, inlined, kernel

Ints = NDArray[np.int64]
Points = NDArray[np.uint32]

_FEW = 12  # parts that are sorted by insertion
_STACK = 256  # the smaller of three groups are left for later: two for each time that the largest is halved


@inlined
def compared(points: Points, one: int, size: int, other: int, other_size: int, depth: int) -> int:
    """Compare two stretches that begin alike: below 0, 0 or above 0."""
    while depth < size and depth < other_size:
        difference = np.int64(points[one + depth]) - np.int64(points[other + depth])
        if difference != 0:
            return difference
        depth += 1
    return size - other_size


@inlined
def _letter(points: Points, parts: Ints, row: int, depth: int) -> int:
    """Return the code point of a part at a depth plus 1, or 0 behind its end."""
    return np.int64(points[parts[row, 0] + depth]) + 1 if depth < parts[row, 1] else np.int64(0)


@helper
def _insert(points: Points, parts: Ints, order: Ints, low: int, high: int, depth: int) -> None:
    """Sort a few parts that begin alike."""
    for i in range(low + 1, high):
        row = order[i]
        start, size = parts[row, 0], parts[row, 1]
        j = i
        while j > low and compared(points, parts[order[j - 1], 0], parts[order[j - 1], 1], start, size, depth) > 0:
            order[j] = order[j - 1]
            j -= 1
        order[j] = row


@kernel("void(uint32[::1], int64[:,::1], int64[::1])", makes_arrays=True)
def sort(points: Points, parts: Ints, order: Ints) -> None:
    """Sort parts by their code points: three groups at a time, below, alike and above at one depth.

    Source: Bentley and Sedgewick 1997, Fast algorithms for sorting and searching strings.

    Args:
        points: uint32[n], the text.
        parts: int64[parts, 2 or more]; all differ.
        order: int64[parts], their numbers, which are put in order.
    """
    stack = np.empty((_STACK, 3), np.int64)
    stack[0, 0], stack[0, 1], stack[0, 2] = 0, order.size, 0
    waiting = 1
    while waiting:
        waiting -= 1
        low, high, depth = stack[waiting, 0], stack[waiting, 1], stack[waiting, 2]
        if high - low <= _FEW:
            _insert(points, parts, order, low, high, depth)
            continue
        one = _letter(points, parts, order[low], depth)
        two = _letter(points, parts, order[(low + high) // 2], depth)
        three = _letter(points, parts, order[high - 1], depth)
        pivot = max(min(one, two), min(max(one, two), three))
        below, i, above = low, low, high
        while i < above:
            letter = _letter(points, parts, order[i], depth)
            if letter < pivot:
                order[below], order[i] = order[i], order[below]
                below += 1
                i += 1
            elif letter > pivot:
                above -= 1
                order[above], order[i] = order[i], order[above]
            else:
                i += 1
        largest = max(below - low, above - below, high - above)
        for turn in range(2):  # the largest goes below the others
            for start, stop, deeper in ((low, below, 0), (below, above, 1), (above, high, 0)):
                if (stop - start == largest) == (turn == 0) and stop - start > 1 and (deeper == 0 or pivot > 0):
                    stack[waiting, 0], stack[waiting, 1], stack[waiting, 2] = start, stop, depth + deeper
                    waiting += 1
