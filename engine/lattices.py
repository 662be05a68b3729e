"""The lattices of many words at once: every way to cut each of them into known pieces, as arrays.

A word of n code points has n + 1 nodes, one before each code point and one at its end. An edge is a piece that stands
between two nodes of a word. All words advance together, one node a round, so the sums run in NumPy.

A sum of probabilities is a number and a power of two by which it is to be multiplied, as those of a long word are too
small for one number alone. Nothing is rounded by that, and all sums run in the order of the words and of the nodes, the
shorter piece first: so they are, to the last bit, those of engine/kernels/lattices.py.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from engine.counts import Ints

Powers: TypeAlias = NDArray[np.int32]
Floats: TypeAlias = NDArray[np.float64]
_Round: TypeAlias = tuple[Ints, Ints, Ints]


class Best(NamedTuple):
    """The best path through each lattice.

    Attributes:
        scores: float64[words], its log probability; -inf where there is none.
        words: int64[n], the word of each piece on the paths.
        pieces: int64[n], those pieces, from the last to the first within a word.
    """

    scores: Floats
    words: Ints
    pieces: Ints


class Followed(NamedTuple):
    """The words of a corpus, cut in the best way and in all.

    Attributes:
        used: int64[pieces], how often each stands on the best paths.
        likelihood: The natural logarithm of the corpus's probability over all paths; 0 where not asked for.
    """

    used: Ints
    likelihood: float


class Replaced(NamedTuple):
    """The best path through each piece without the piece itself.

    Attributes:
        scores: float64[pieces], its log probability; -inf where there is none.
        parts: int64[pieces], how many pieces it has.
        pieces: int64[n], those of all paths, path after path, from the first to the last.
    """

    scores: Floats
    parts: Ints
    pieces: Ints


@dataclass(frozen=True, eq=False)
class Lattices:
    """Lattices of words that may share their first nodes.

    Attributes:
        first: int64[words], the node before each word; the one behind it is `last`.
        last: int64[words].
        pieces: int64[edges], the piece of each edge.
        starts: int64[edges], the node it leaves.
        stops: int64[edges], the node it reaches.
        offsets: int64[nodes], how many code points of a word stand before a node.
    """

    first: Ints
    last: Ints
    pieces: Ints
    starts: Ints
    stops: Ints
    offsets: Ints

    def keep(self, renamed: Ints) -> Lattices:
        """Leave out the edges of pieces that are gone; `renamed[piece]` is the new number of a piece, or -1."""
        pieces = renamed[self.pieces]
        alive = pieces >= 0
        edges = pieces[alive], self.starts[alive], self.stops[alive]
        return Lattices(self.first, self.last, *edges, self.offsets)

    def without_whole(self) -> Lattices:
        """Leave out the edges that span a whole word."""
        whole = np.zeros(len(self.offsets), np.bool_)
        whole[self.first] = True
        end = np.zeros(len(self.offsets), np.bool_)
        end[self.last] = True
        inner = ~(whole[self.starts] & end[self.stops])
        edges = self.pieces[inner], self.starts[inner], self.stops[inner]
        return Lattices(self.first, self.last, *edges, self.offsets)

    def forward(self, log_probs: Floats) -> tuple[Floats, Powers]:
        """Sum, for each node, the probabilities of all ways from its word's start to it.

        Every code point of the words is a piece.

        Returns:
            float64[nodes] and int32[nodes], the power of two by which each is to be multiplied.
        """
        probs = np.exp(log_probs)
        sums = np.zeros(len(self.offsets))
        sums[self.first] = 1.0
        powers = np.zeros(len(self.offsets), np.int32)
        for edges, nodes, heads in self._by_stop:
            values = sums[self.starts[edges]] * probs[self.pieces[edges]]
            sums[nodes], powers[nodes] = _summed(values, powers[self.starts[edges]], heads)
        return sums, powers

    def expected(self, log_probs: Floats, weights: Ints) -> Floats:
        """Count how often each piece is expected to stand, over all ways to cut the words.

        Args:
            log_probs: float64[pieces].
            weights: int64[words], the count of each word.

        Returns:
            float64[pieces], the expected counts.
        """
        probs = np.exp(log_probs)
        ahead, ahead_powers = self.forward(log_probs)
        ends, end_powers = np.zeros_like(ahead), np.zeros_like(ahead_powers)
        ends[self.last], end_powers[self.last] = weights / ahead[self.last], -ahead_powers[self.last]
        gains, powers = ends.copy(), end_powers.copy()
        for edges, nodes, heads in reversed(self._by_start):
            values = probs[self.pieces[edges]] * gains[self.stops[edges]]
            summed = _summed(values, powers[self.stops[edges]], heads)
            gains[nodes], powers[nodes] = _added(*summed, ends[nodes], end_powers[nodes])
        ways = ahead[self.starts] * (probs[self.pieces] * gains[self.stops])
        share = np.ldexp(ways, ahead_powers[self.starts] + powers[self.stops])
        return np.bincount(self.pieces, share, len(log_probs)).astype(np.float64)

    def best(self, log_probs: Floats) -> Best:
        """Find the most probable way to cut each word (Viterbi); of equals the one with the longest last piece."""
        score = np.full(len(self.offsets), -np.inf)
        score[self.first] = 0.0
        arrived = np.full(len(self.offsets), -1, np.int64)
        for edges, nodes, heads in self._by_stop:
            sums = score[self.starts[edges]] + log_probs[self.pieces[edges]]
            tops = np.maximum.reduceat(sums, heads)
            sizes = np.diff(heads, append=len(sums))
            winners = np.flatnonzero(sums == np.repeat(tops, sizes))
            group = np.repeat(np.arange(len(heads)), sizes)[winners]
            _, leading = np.unique(group, return_index=True)
            score[nodes] = tops
            arrived[nodes] = edges[winners[leading]]
        return Best(score[self.last], *self._traced(arrived, np.isfinite(score[self.last])))

    @cached_property
    def _by_stop(self) -> list[_Round]:
        return list(_rounds(self.stops, self.offsets, self.starts))

    @cached_property
    def _by_start(self) -> list[_Round]:
        return list(_rounds(self.starts, self.offsets, -self.stops))

    def _traced(self, arrived: Ints, reached: NDArray[np.bool_]) -> tuple[Ints, Ints]:
        words: list[Ints] = []
        pieces: list[Ints] = []
        word = np.flatnonzero(reached)
        node = self.last[word]
        while True:
            going = node > self.first[word]
            word, node = word[going], node[going]
            if not len(word):
                break
            edge = arrived[node]
            words.append(word)
            pieces.append(self.pieces[edge])
            node = self.starts[edge]
        empty = [np.empty(0, np.int64)]
        return np.concatenate(words or empty), np.concatenate(pieces or empty)


def lattices(words: Sequence[str], pieces: Mapping[str, int], longest: int) -> Lattices:
    """Find every occurrence of the pieces, of at most `longest` code points, in the words; nothing is shared."""
    sizes = np.fromiter(map(len, words), np.int64, len(words))
    first = np.cumsum(sizes + 1) - sizes - 1
    found: list[tuple[int, int, int]] = []
    for word, node in zip(words, first.tolist(), strict=True):
        for stop in range(len(word), 0, -1):
            for start in range(max(0, stop - longest), stop):
                piece = pieces.get(word[start:stop])
                if piece is not None:
                    found.append((piece, node + start, node + stop))
    piece, start, stop = np.ascontiguousarray(np.array(found, np.int64).reshape(-1, 3).T)
    offsets = np.arange(int(sizes.sum()) + len(sizes)) - np.repeat(first, sizes + 1)
    return Lattices(first, first + sizes, piece, start, stop, offsets)


def logs(sums: Floats, powers: NDArray[np.integer[Any]]) -> Floats:
    """Return the natural logarithms of numbers times powers of two."""
    parts, more = np.frexp(sums)
    with np.errstate(divide="ignore"):
        result: Floats = np.log(parts) + (powers + more) * np.log(2.0)
    return result


def _rounds(nodes: Ints, offsets: Ints, others: Ints) -> Iterator[_Round]:
    """Group edges by the node at one of their ends, and nodes by their offset, which tells the order of work.

    Yields:
        The edges of a round, sorted by node, then by `others`; the distinct nodes; where each node's edges begin.
    """
    order = np.lexsort((others, nodes, offsets[nodes]))
    sorted_offsets = offsets[nodes[order]]
    cuts = np.flatnonzero(np.diff(sorted_offsets)) + 1
    for edges in np.split(order, cuts) if len(order) else []:
        distinct, heads = np.unique(nodes[edges], return_index=True)
        yield edges, distinct, heads


def _added(values: Floats, powers: Powers, others: Floats, other_powers: Powers) -> tuple[Floats, Powers]:
    """Add numbers times powers of two, where the others are not 0."""
    tops = np.where(others == 0, powers, np.maximum(powers, other_powers))
    sums, more = np.frexp(np.ldexp(values, powers - tops) + np.ldexp(others, other_powers - tops))
    return sums, tops + more


def _summed(values: Floats, powers: Powers, heads: Ints) -> tuple[Floats, Powers]:
    """Sum numbers times powers of two within each group, one after another."""
    tops = np.maximum.reduceat(powers, heads)
    group = np.repeat(np.arange(len(heads)), np.diff(heads, append=len(values)))
    sums, more = np.frexp(np.bincount(group, np.ldexp(values, powers - tops[group]), len(heads)))
    return sums, tops + more
