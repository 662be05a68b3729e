"""The unigram language model: of all ways to cut a text, the most probable one.

Source: Kudo 2018, arXiv:1804.10959 (the model); Viterbi 1967 (the search); google/sentencepiece, src/unigram_model.cc,
`EncodeOptimized` of version 0.2.3 (unknown characters, user-defined pieces, which of two equal paths wins, and where
sums in single precision start anew).
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.alignment import byte_starts
from engine.model import Cut, State
from engine.piece_table import PieceNumbers, PieceTable
from engine.vocabulary import Pieces

if TYPE_CHECKING:
    from engine.models.unigram_loops import UnigramLoops

UNKNOWN_PENALTY = 10.0
"""An unknown character costs this much more than the least probable piece."""

_LARGEST_SUM = 100_000.0
"""SentencePiece starts its sums anew beyond, as single precision has few digits left for what comes after."""


class Edge(NamedTuple):
    """A piece that stands somewhere in a word: its id, where it starts and stops in code points, and its score."""

    id: int
    start: int
    stop: int
    score: float


@dataclass(frozen=True, eq=False)
class Unigram:
    """A Unigram model.

    Attributes:
        vocabulary: The pieces.
        ids: Each piece that may be used, as text -> its id.
        scores: Natural log probability of each id.
        unknown: Id of the token for a character that no piece covers.
        learned: How many pieces came from training.
        fallback: Ids of the 256 byte pieces that an unknown character is written with; () for none.
        favored: Ids of user-defined pieces, which win over any others.
        single: True: scores are added in single precision along the whole word, as SentencePiece does.
        joins_unknown: Whether unknown characters in a row are one token.

    >>> from engine.tokenizer import Tokenizer
    >>> pieces = ["<unk>", "h", "u", "g", "hug"]
    >>> ids = {piece: id for id, piece in enumerate(pieces) if id}
    >>> model = Unigram(Pieces([piece.encode() for piece in pieces]), ids, [0, -2, -2, -2, -3], 0)
    >>> Tokenizer(model).encode("hugu").pieces
    [b'hug', b'u']
    """

    vocabulary: Pieces
    ids: Mapping[str, int]
    scores: Sequence[float]
    unknown: int
    learned: int = 0
    fallback: Sequence[int] = ()
    favored: frozenset[int] = frozenset()
    single: bool = False
    joins_unknown: bool = True

    @property
    def lossless(self) -> bool:
        """Whether every pre-token comes back byte for byte."""
        return bool(self.fallback)

    def encode(self, word: str) -> Cut:
        """Take the most probable path; of equal ones, the one whose last piece was found first."""
        path = self.path(word)
        offsets = byte_starts(word).tolist()
        ids: list[int] = []
        stops: list[int] = []
        for id, start, stop, _ in path:
            if id != self.unknown:
                ids.append(id)
                stops.append(offsets[stop])
            elif self.fallback:
                ids += [self.fallback[byte] for byte in word[start:stop].encode()]
                stops += range(offsets[start] + 1, offsets[stop] + 1)
            elif ids and ids[-1] == self.unknown and self.joins_unknown:
                stops[-1] = offsets[stop]
            else:
                ids.append(id)
                stops.append(offsets[stop])
        return Cut(tuple(ids), tuple(stops))

    def edges(self, word: str) -> Iterator[Edge]:
        """Yield every piece that stands in a word, from left to right, the shorter first: the lattice."""
        find, longest, scores, favored = self.ids.get, self._longest, self.scores, self.favored_scores
        for start, character in enumerate(word):
            covered = False
            for stop in range(start + 1, min(len(word), start + longest.get(character, 0)) + 1):
                id = find(word[start:stop])
                if id is not None:
                    covered = covered or stop == start + 1
                    yield Edge(id, start, stop, favored[id] if id in favored else scores[id])
            if not covered:
                yield Edge(self.unknown, start, start + 1, self.unknown_score)

    def path(self, word: str) -> list[Edge]:
        """Return the most probable path through the lattice (Viterbi)."""
        kind = "f" if self.single else "d"
        best = array(kind, [0.0]) * (len(word) + 1)
        rounded = array(kind, [0.0])
        ending: list[Edge | None] = [None] * (len(word) + 1)
        furthest = 0
        for edge in self.edges(word):
            if self.single and abs(best[edge.start]) > _LARGEST_SUM:
                _start_anew(best, edge.start, furthest)
            furthest = max(furthest, edge.stop)
            rounded[0] = best[edge.start] + edge.score
            if ending[edge.stop] is None or rounded[0] > best[edge.stop]:
                best[edge.stop] = rounded[0]
                ending[edge.stop] = edge
        path: list[Edge] = []
        at = len(word)
        while at:
            last = ending[at]
            if last is None:  # no character is without an edge
                break
            path.append(last)
            at = last.start
        return path[::-1]

    def states(self, word: str) -> Iterator[State]:
        """Yield the word uncut, then the state after each piece of the best path."""
        ids, stops = self.encode(word)
        for taken in range(len(ids) + 1):
            yield State(Cut(ids[:taken], stops[:taken]), ids[taken - 1] if taken else None)

    def meaning(self, id: int) -> bytes:
        """Return the bytes that a piece stands for: the piece itself, or the byte of a byte piece."""
        byte = self._byte_of.get(id)
        return self.vocabulary[id] if byte is None else bytes([byte])

    def spell(self, ids: Iterable[int], space: bytes) -> Iterator[bytes]:
        """Yield the bytes of each id."""
        return map(self.meaning, ids)

    def adds(self) -> PieceTable:
        """Return what each id adds to a text."""
        return self.vocabulary.packed.put({id: bytes([byte]) for id, byte in self._byte_of.items()})

    def lengths(self, words: Counter[str]) -> NDArray[np.int64]:
        """Count the tokens of `words`: int64[1], as a vocabulary that was loaded knows no rounds."""
        return np.array([sum(count * len(self.encode(word).ids) for word, count in words.items())], np.int64)

    def loops(self) -> UnigramLoops:
        """Return compiled loops that cut as this model does."""
        from engine.models.unigram_loops import UnigramLoops  # not before they are ready

        return UnigramLoops(self)

    @cached_property
    def _byte_of(self) -> dict[int, int]:
        return {id: byte for byte, id in enumerate(self.fallback)}

    @cached_property
    def _longest(self) -> dict[str, int]:
        """Return the length of the longest piece by its first character, in code points."""
        longest: dict[str, int] = {}
        for piece in self.ids:
            longest[piece[0]] = max(longest.get(piece[0], 0), len(piece))
        return longest

    @cached_property
    def unknown_score(self) -> float:
        """What a character costs that no piece covers."""
        known = np.zeros(len(self.scores), np.bool_)
        known[self.ids.numbers if isinstance(self.ids, PieceNumbers) else list(self.ids.values())] = True
        known[list(self.favored)] = False
        score = float(np.array(self.scores, np.float64)[known].min()) if known.any() else 0.0
        score -= UNKNOWN_PENALTY
        return float(np.float32(score)) if self.single else score

    @cached_property
    def favored_scores(self) -> dict[int, float]:
        """Return scores above 0, which no other pieces reach: 0.1 for each byte after the first."""
        return {id: float(np.float32(0.1 * (len(self.vocabulary[id]) - 1))) for id in self.favored}


def _start_anew(best: array[float], start: int, furthest: int) -> None:
    """Take the sum at `start` off all sums that are still needed, those up to `furthest`."""
    offset = best[start]
    for i in range(start, furthest + 1):
        best[i] -= offset
