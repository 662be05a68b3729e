"""Merging in Python, for any score and tie rule: it serves from the first second, and everywhere."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from engine.pairs import Pair, PairIndex
from engine.ranking import ByCount, ByScore, Ranking
from engine.ties import Tie, tie_key


class PythonMerging:
    """Words under way to be merged.

    Attributes:
        length: Tokens of the corpus before the first step.
    """

    def __init__(
        self,
        words: Iterable[tuple[Sequence[int], int]],
        pieces: Sequence[bytes],
        join: Callable[[bytes, bytes], bytes],
        least: int,
        by_score: bool,
        tie: Tie,
        seed: int,
    ) -> None:
        """Index the pairs of a corpus.

        Args:
            words: The ids of the symbols of each word, and its count.
            pieces: The piece of each id.
            join: Writes the piece that two pieces make.
            least: Least count of a pair.
            by_score: True for WordPiece's score, False for the count.
            tie: Which of equally good pairs wins.
            seed: Of the rule "random".
        """
        self._pieces = list(pieces)
        self._join = join
        self._least = least
        self._index = index = PairIndex(words, len(pieces))
        key = tie_key(tie, self._pieces, index.leftmost, seed)
        self._ranking: Ranking = ByScore(index, key, least) if by_score else ByCount(index, key)
        self.length = index.length

    @property
    def more(self) -> bool:
        """Whether there is a pair to merge."""
        return self._best() is not None

    @property
    def stands(self) -> bool:
        """Whether any pair stands, however rare."""
        return bool(self._index.counts)

    def advance(self, steps: int) -> NDArray[np.int64]:
        """Merge up to `steps` pairs; return int64[steps taken, 7], the columns of the history in their order."""
        index, ranking = self._index, self._ranking
        rows: list[tuple[int, ...]] = []
        while len(rows) < steps and (pair := self._best()) is not None:
            left, right = pair
            row = left, right, index.counts[pair], index.units[left], index.units[right], ranking.ties(pair)
            self._pieces.append(self._join(self._pieces[left], self._pieces[right]))
            ranking.update(pair, index.merge(pair))
            rows.append((*row, index.length))
        return np.array(rows, np.int64).reshape(-1, 7)

    def _best(self) -> Pair | None:
        pair = self._ranking.best()
        return None if pair is None or self._index.counts[pair] < self._least else pair
