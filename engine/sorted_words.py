"""The distinct words of a corpus, in order, so that neighbors share what both begin with."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.counts import Ints, PreTokenCounts
from engine.room import repeated, to_text

_KEY = 16  # bytes of a word that are compared at a time, as two numbers
_ROUNDS = 4  # of such comparisons, before the rest is compared one by one
_BLOCK = 2048  # code points of a block, about: its sums stay near
MOST_SHARED = 48
"""Code points that words share at most."""


class Words(NamedTuple):
    """The distinct words of a corpus, in the order of their code points, so that neighbors begin alike.

    A word shares with the one before what both begin with. They come in blocks, the first of which shares nothing.

    Attributes:
        text: All of them, one after another; none is empty.
        points: uint32[n], its code points.
        stops: int64[words], where each word stops in it, in code points.
        weights: int64[words], the count of each.
        shared: int64[words], how many code points each shares with the one before.
        blocks: int64[blocks + 1], the first word of each block, and how many words there are.

    >>> words = Words.of({"so": 2, "": 1, "é": 1, "as": 3, "son": 1})
    >>> words.text, words.stops.tolist(), words.weights.tolist(), words.shared.tolist()
    ('assosoné', [2, 4, 7, 8], [3, 2, 1, 1], [0, 0, 2, 0])
    """

    text: str
    points: NDArray[np.uint32]
    stops: Ints
    weights: Ints
    shared: Ints
    blocks: Ints

    @classmethod
    def of(cls, counts: Mapping[str, int]) -> Words:
        """Sort the words of a corpus, word -> count."""
        laid_out = PreTokenCounts.of(counts)
        points, stops = laid_out.code_points()
        starts = np.concatenate([[0], stops])[: len(stops)]
        order = _sorted(laid_out.raw, laid_out.stops)
        order = order[stops[order] > starts[order]]
        sizes = (stops - starts)[order]
        new_stops = np.cumsum(sizes)
        new_starts = new_stops - sizes
        points = points[repeated(starts[order] - new_starts, sizes) + np.arange(int(sizes.sum()))]
        firsts = block_heads(new_starts)
        shared = _shared(points, new_starts, sizes)
        shared[firsts] = 0
        text = to_text(points)
        return cls(text, points, new_stops, laid_out.counts[order], shared, np.append(firsts, len(order)))

    @property
    def characters(self) -> int:
        """How many different characters the words have."""
        seen = np.zeros(0x110000, np.bool_)
        seen[self.points] = True
        return int(seen.sum())


def block_heads(starts: Ints) -> Ints:
    """Return the first word of each block; `starts` is where each word starts among all code points."""
    return np.flatnonzero(np.diff(starts // _BLOCK, prepend=-1))


def _shared(points: NDArray[np.uint32], starts: Ints, sizes: Ints) -> Ints:
    """Count the code points that each word has in common with the one before, up to a limit."""
    shared = np.zeros(len(starts), np.int64)
    alike = np.arange(1, len(starts))
    for depth in range(MOST_SHARED):
        alike = alike[(sizes[alike] > depth) & (sizes[alike - 1] > depth)]
        alike = alike[points[starts[alike] + depth] == points[starts[alike - 1] + depth]]
        shared[alike] = depth + 1
    return shared


def _sorted(raw: NDArray[np.uint8], stops: Ints) -> Ints:
    """Return the order of words by their UTF-8, which is that of their code points; `stops` is where each stops."""
    starts = np.concatenate([[0], stops])[: len(stops)]
    padded = np.append(raw, np.uint8(0))
    order, tied = (
        np.arange(len(stops)),
        np.arange(len(stops)),
    )  # `tied`: the places in the order of those that are not told apart yet
    group = np.zeros(len(stops), np.int64)
    for at in range(0, _ROUNDS * _KEY, _KEY):
        if not len(tied):
            break
        words = order[tied]
        places = starts[words, None] + np.arange(at, at + _KEY)
        heads = padded[np.where(places < stops[words, None], places, len(raw))]
        keys = heads.view(">u8").astype(np.uint64)
        by = np.lexsort((keys[:, 1], keys[:, 0], group))
        order[tied] = words[by]
        keys, group = keys[by], group[by]
        same = (keys[1:] == keys[:-1]).all(axis=1) & (group[1:] == group[:-1])
        follows, leads = np.append(False, same), np.append(same, False)
        group = np.cumsum(~follows)[follows | leads]
        tied = tied[follows | leads]
    for each in np.split(tied, np.flatnonzero(np.diff(group)) + 1):  # the few that begin alike
        alike = order[each].tolist()
        order[each] = sorted(alike, key=lambda word: raw[starts[word] : stops[word]].tobytes())
    return order
