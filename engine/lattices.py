"""The lattices of many words at once: every way to cut each of them into known pieces, as arrays.

A word of n code points has n + 1 nodes, one before each code point and one at its end. An edge is a piece that stands
between two nodes of a word. All words advance together, one node a round, so the sums run in NumPy; they run in an
order that is fixed by the words alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from engine.alignment import code_points

Ints: TypeAlias = NDArray[np.int64]
Floats: TypeAlias = NDArray[np.float64]
_Round: TypeAlias = tuple[Ints, Ints, Ints]


class Seeds(NamedTuple):
    """The substrings of a corpus that stand often enough.

    Attributes:
        texts: The substrings, single characters first.
        counts: int64[n], how often each stands, overlaps included, weighted by the words' counts.
        singles: How many of them are single characters.
    """

    texts: list[str]
    counts: Ints
    singles: int


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


@dataclass(frozen=True, eq=False)
class Lattices:
    """Lattices of words.

    Attributes:
        first: int64[words], the node before each word; its last node is `last`.
        last: int64[words].
        pieces: int64[edges], the piece of each edge.
        starts: int64[edges], the node it leaves.
        stops: int64[edges], the node it reaches.
        offsets: int64[nodes], how many code points of its word stand before a node.
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

    def forward(self, log_probs: Floats) -> Floats:
        """Return float64[nodes]: log of the summed probability of all ways from a word's start to each node."""
        alpha = np.full(len(self.offsets), -np.inf)
        alpha[self.first] = 0.0
        for edges, nodes, heads in self._by_stop:
            alpha[nodes] = _log_sums(alpha[self.starts[edges]] + log_probs[self.pieces[edges]], heads)
        return alpha

    def backward(self, log_probs: Floats) -> Floats:
        """Return float64[nodes]: log of the summed probability of all ways from each node to its word's end."""
        beta = np.full(len(self.offsets), -np.inf)
        beta[self.last] = 0.0
        for edges, nodes, heads in reversed(self._by_start):
            beta[nodes] = _log_sums(beta[self.stops[edges]] + log_probs[self.pieces[edges]], heads)
        return beta

    def expected(self, log_probs: Floats, weights: Floats) -> tuple[Floats, Floats]:
        """Count how often each piece is expected to stand, over all ways to cut the words.

        Args:
            log_probs: float64[pieces].
            weights: float64[words], the count of each word.

        Returns:
            float64[pieces], the expected counts; and float64[words], the log probability of each word.
        """
        alpha, beta = self.forward(log_probs), self.backward(log_probs)
        totals = alpha[self.last]
        word = np.searchsorted(self.first, self.starts, side="right") - 1
        share = alpha[self.starts] + log_probs[self.pieces] + beta[self.stops] - totals[word]
        counts: Floats = np.bincount(self.pieces, np.exp(share) * weights[word], len(log_probs)).astype(np.float64)
        return counts, totals

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
        return list(_rounds(self.stops, self.offsets))

    @cached_property
    def _by_start(self) -> list[_Round]:
        return list(_rounds(self.starts, self.offsets))

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


def lattices(words: Sequence[str], pieces: dict[str, int], longest: int) -> Lattices:
    """Find every occurrence of the pieces, of at most `longest` code points, in the words."""
    first, last, offsets = _nodes(words)
    found: list[tuple[int, int, int]] = []
    for word, node in zip(words, first.tolist(), strict=True):
        for start in range(len(word)):
            for stop in range(start + 1, min(len(word), start + longest) + 1):
                piece = pieces.get(word[start:stop])
                if piece is not None:
                    found.append((piece, node + start, node + stop))
    piece, start, stop = np.ascontiguousarray(np.array(found, np.int64).reshape(-1, 3).T)
    return Lattices(first, last, piece, start, stop, offsets)


def seeds(
    words: Sequence[str], weights: Ints, longest: int, least: int, branching: bool = False
) -> tuple[Seeds, Lattices]:
    """Collect the substrings of at most `longest` code points that stand `least` times, and all characters.

    Substrings of n code points are named by those of n - 1 and a character, so each length is one sort, and a
    substring that is too rare is not made longer.

    Args:
        words: The distinct words.
        weights: int64[words], the count of each.
        longest: Code points of a substring at most.
        least: How often it must stand.
        branching: Whether two different characters must follow it, the end of a word being one: the inner nodes of a
            suffix tree.

    Returns:
        The substrings, and the lattices that they span over the words.
    """
    first, last, offsets = _nodes(words)
    text = code_points("".join(words)).astype(np.int64)
    sizes = np.array([len(word) for word in words], np.int64)
    room = np.repeat(np.cumsum(sizes), sizes) - np.arange(len(text))
    node = np.arange(len(text)) + np.repeat(np.arange(len(words)), sizes)
    weight = np.repeat(weights, sizes)
    joined = "".join(words)
    names, place, letter = np.unique(text, return_index=True, return_inverse=True)
    texts = [joined[i] for i in place.tolist()]
    counts = [np.bincount(letter, weight, len(names)).astype(np.int64)]
    edges = [(letter.astype(np.int64), node, node + 1)]
    padded = np.append(letter, -1)
    at, gram, total = np.arange(len(text)), letter.astype(np.int64), len(names)
    for length in range(2, longest + 1):
        fits = room[at] >= length
        at = at[fits]
        if not len(at):
            break
        key = gram[fits] * len(names) + letter[at + length - 1]
        found, place, gram = np.unique(key, return_index=True, return_inverse=True)
        count = np.bincount(gram, weight[at], len(found)).astype(np.int64)
        often = count >= least
        chosen = often
        if branching:
            follower = np.where(room[at] > length, padded[at + length], -1)
            chosen = often & (np.bincount(gram, follower != follower[place][gram], len(found)) > 0)
        texts += [joined[i : i + length] for i in at[place[chosen]].tolist()]
        counts.append(count[chosen])
        taken = chosen[gram]
        renamed = np.cumsum(chosen) - 1 + total
        edges.append((renamed[gram[taken]], node[at[taken]], node[at[taken]] + length))
        total += int(chosen.sum())
        kept = often[gram]
        at, gram = at[kept], gram[kept]
    piece, start, stop = (np.concatenate(column) for column in zip(*edges, strict=True))
    return Seeds(texts, np.concatenate(counts), len(names)), Lattices(first, last, piece, start, stop, offsets)


def _nodes(words: Sequence[str]) -> tuple[Ints, Ints, Ints]:
    """Number the nodes: the first and last of each word, and the offset of each node in its word."""
    sizes = np.array([len(word) + 1 for word in words], np.int64)
    first = np.cumsum(sizes) - sizes
    return first, first + sizes - 1, np.arange(int(sizes.sum())) - np.repeat(first, sizes)


def _rounds(nodes: Ints, offsets: Ints) -> Iterator[_Round]:
    """Group edges by the node at one of their ends, and nodes by their offset, which tells the order of work.

    Yields:
        The edges of a round, sorted by node; the distinct nodes; where each node's edges begin.
    """
    order = np.lexsort((nodes, offsets[nodes]))
    sorted_offsets = offsets[nodes[order]]
    cuts = np.flatnonzero(np.diff(sorted_offsets)) + 1
    for edges in np.split(order, cuts) if len(order) else []:
        distinct, heads = np.unique(nodes[edges], return_index=True)
        yield edges, distinct, heads


def _log_sums(values: Floats, heads: Ints) -> Floats:
    """Sum exp(values) within each group, in logs; a group of -inf stays -inf."""
    tops = np.maximum.reduceat(values, heads)
    sizes = np.diff(heads, append=len(values))
    finite = np.where(np.isfinite(tops), tops, 0.0)
    with np.errstate(divide="ignore"):
        sums: Floats = np.log(np.add.reduceat(np.exp(values - np.repeat(finite, sizes)), heads)) + finite
    return sums
