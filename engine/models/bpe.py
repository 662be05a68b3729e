"""Byte pair encoding: pieces are merged in the order in which they were learned.

Source: Gage 1994 (compression); Sennrich et al. 2016, arXiv:1508.07909 (words); Radford et al. 2019 (bytes, GPT-2).
"""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from engine.models.alphabet import Alphabet
from engine.tokenizer import Cut, State
from engine.vocabulary import Pieces

Pair: TypeAlias = tuple[int, int]

_ABSORBED = -2  # apart from -1, which a caller may use for "unknown"


class Fired(NamedTuple):
    """One merge as it was applied: its rank, and the positions of its two parts among the first symbols."""

    rank: int
    left: int
    right: int


@dataclass(frozen=True, eq=False)
class BPE:
    """A BPE model.

    Attributes:
        alphabet: How a pre-token becomes symbols.
        vocabulary: The pieces.
        ranks: A pair of ids -> the rank of its merge, from 0. Several pairs may have one rank.
        products: `products[rank]` is the id that the merge makes.
        learned: Merges of this rank and above are not applied, so a prefix of a model costs nothing.

    >>> from engine.tokenizer import Tokenizer
    >>> alphabet = Alphabet("bytes", {bytes([b]): b for b in range(256)})
    >>> model = BPE(alphabet, Pieces([bytes([b]) for b in range(256)] + [b"aa"]), {(97, 97): 0}, [256], 1)
    >>> Tokenizer(model).encode("aaa").ids.tolist()
    [256, 97]
    """

    alphabet: Alphabet
    vocabulary: Pieces
    ranks: Mapping[Pair, int]
    products: Sequence[int]
    learned: int

    @property
    def lossless(self) -> bool:
        """Whether every pre-token comes back byte for byte."""
        return self.alphabet.complete

    @property
    def unknown(self) -> int | None:
        """Id of the token for a symbol outside the alphabet; None if there is none."""
        return self.alphabet.unknown

    def prefix(self, learned: int, vocabulary: Pieces) -> BPE:
        """Return the model of the first `learned` merges."""
        return replace(self, learned=learned, vocabulary=vocabulary)

    def encode(self, word: str) -> Cut:
        """Merge the pair of lowest rank, leftmost on overlap, until none is left."""
        first = self.alphabet.cut(word)
        ids = list(first.ids)
        for rank, left, right in self.merges(ids):
            ids[left], ids[right] = self.products[rank], _ABSORBED
        return _alive(ids, first.stops)

    def merges(self, ids: Sequence[int]) -> list[Fired]:
        """List the merges that turn symbols into tokens, in the order in which they fire.

        Time is O(n log n) in the number of symbols: a heap of candidate pairs over a doubly linked list.
        """
        current: list[int] = list(ids)
        size = len(current)
        following = list(range(1, size + 1))
        previous = list(range(-1, size - 1))
        ranks, products, limit = self.ranks, self.products, self.learned
        heap: list[tuple[int, int, int, int]] = []
        for i in range(size - 1):
            rank = ranks.get((current[i], current[i + 1]), limit)
            if rank < limit:
                heap.append((rank, i, current[i], current[i + 1]))
        heapq.heapify(heap)
        fired: list[Fired] = []
        while heap:
            rank, i, left, right = heapq.heappop(heap)
            j = following[i]
            if current[i] != left or j >= size or current[j] != right:
                continue  # one of the two has been merged meanwhile
            new = current[i] = products[rank]
            current[j] = _ABSORBED
            fired.append(Fired(rank, i, j))
            k = following[i] = following[j]
            h = previous[i]
            if k < size:
                previous[k] = i
                rank = ranks.get((new, current[k]), limit)
                if rank < limit:
                    heapq.heappush(heap, (rank, i, new, current[k]))
            if h >= 0:
                rank = ranks.get((current[h], new), limit)
                if rank < limit:
                    heapq.heappush(heap, (rank, h, current[h], new))
        return fired

    def states(self, word: str) -> Iterator[State]:
        """Yield the symbols, then the state after each merge, all its occurrences at once."""
        first = self.alphabet.cut(word)
        yield State(first)
        ids = list(first.ids)
        for rank, fired in groupby(self.merges(ids), key=lambda merge: merge.rank):
            for _, left, right in fired:
                ids[left], ids[right] = self.products[rank], _ABSORBED
            yield State(_alive(ids, first.stops), self.products[rank], rank)

    def meaning(self, id: int) -> bytes:
        """Return the bytes that a piece stands for: without the mark of a word's end."""
        return self.alphabet.meaning(self.vocabulary[id])

    def decode(self, ids: Sequence[int], space: bytes) -> bytes:
        """Join the pieces; the mark of a word's end becomes `space`, except at the very end."""
        pieces = [self.vocabulary[id] for id in ids]
        mark = self.alphabet.end_of_word.encode()
        if not mark:
            return b"".join(pieces)
        text = b"".join(piece.removesuffix(mark) + space if piece.endswith(mark) else piece for piece in pieces)
        return text.removesuffix(space) if pieces and pieces[-1].endswith(mark) else text

    def lengths(self, words: Counter[str]) -> NDArray[np.int64]:
        """Count the tokens of `words` with the first k merges: int64[learned + 1], k from 0."""
        lengths = np.zeros(self.learned + 1, np.int64)
        for word, count in words.items():
            ids = self.alphabet.cut(word).ids
            lengths[0] += count * len(ids)
            for merge in self.merges(ids):
                lengths[merge.rank + 1] -= count
        return np.cumsum(lengths)


def _alive(ids: Sequence[int], stops: Sequence[int]) -> Cut:
    """Leave out what was absorbed; a token stops where the next one that is left starts."""
    starts = [i for i, id in enumerate(ids) if id != _ABSORBED]
    return Cut(tuple(ids[i] for i in starts), tuple(stops[i - 1] for i in [*starts[1:], len(ids)] if i))
