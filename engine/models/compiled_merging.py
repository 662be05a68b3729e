"""Merging by count in compiled loops: the same run as that of `PythonMerging`, many times faster."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from engine.kernels import merging, merging_by_score

Ints: TypeAlias = NDArray[np.int64]

_COLUMNS = 7
_FEW = 520  # symbols for which a table of all pairs stays near


class CompiledMerging:
    """Words under way to be merged, as the arrays that engine/kernels/merging.py describes.

    Attributes:
        length: Tokens of the corpus before the first step.
    """

    def __init__(
        self,
        symbols: NDArray[np.int32],
        stops: Ints,
        weights: Ints,
        alphabet_size: int,
        least: int,
        by_place: bool,
    ) -> None:
        """Index the pairs of a corpus.

        Args:
            symbols: int32[n], those of all words.
            stops: int64[words], where each word stops among them.
            weights: int64[words], the count of each, below 2**31.
            alphabet_size: All symbols are below it.
            least: Least count of a pair.
            by_place: Of equally frequent pairs the one that stands first wins, not the one with the smallest ids.
        """
        self._least, self._by_place = least, by_place
        self._cells = merging.lay_out(symbols, stops, weights)
        self._state = np.zeros(8, np.int64)
        self._state[merging.SYMBOLS] = alphabet_size
        self._units = np.zeros(alphabet_size, np.int64)
        self._widths = np.ones(alphabet_size, np.int32)
        self._sums = np.zeros((alphabet_size, 8), np.int64)
        self._index()
        self.length = int(self._state[merging.LENGTH])
        self._shortest = int(weights[np.diff(stops, prepend=0) > 0].sum())

    @property
    def more(self) -> bool:
        """Whether there is a pair to merge."""
        return self._best() >= 0

    @property
    def stands(self) -> bool:
        """Whether any pair stands, however rare."""
        return int(self._state[merging.LENGTH]) > self._shortest

    def advance(self, steps: int) -> Ints:
        """Merge up to `steps` pairs; return int64[steps taken, 7], the columns of the history in their order."""
        history = np.empty((steps, _COLUMNS), np.int64)
        first = int(self._state[merging.SYMBOLS])
        while True:
            answer = self._advance(history, int(self._state[merging.SYMBOLS]) - first)
            if answer in (merging.DONE, merging.NO_PAIR):
                return history[: int(self._state[merging.SYMBOLS]) - first]
            self._grow(answer)

    def _index(self) -> None:
        """Number the pairs and list where they stand."""
        symbols = len(self._units)
        numbers = np.empty(len(self._cells), np.int32)
        self._make_pairs(1 << 14)
        self._make_slots(1 << 16)
        while True:
            square = np.full(symbols**2 if symbols <= _FEW else 0, -1, np.int32)
            arrays = self._cells, self._pairs, self._slots, square, self._units, self._state, numbers
            answer = merging.count_pairs(*arrays)
            if answer == merging.DONE:
                break
            if answer == merging.MORE_PAIRS:
                self._make_pairs(4 * len(self._pairs))
            self._make_slots(4 * len(self._slots))
        self._pool = np.empty(len(self._cells) + (1 << 10), np.int32)
        merging.list_pairs(self._pairs, numbers, self._pool, self._state, self._least)
        self._rank()

    def _rank(self) -> None:
        """Make the heap; the first step fills it."""
        self._heap = np.empty((len(self._pairs), 3), np.int64)
        self._waiting = np.empty(len(self._pairs), np.int32)

    def _best(self) -> int:
        arrays = self._cells, self._pairs, self._heap, self._pool, self._widths, self._state
        return merging.best(*arrays, self._least, self._by_place)

    def _advance(self, history: Ints, done: int) -> int:
        words = self._cells, self._pairs, self._slots, self._heap, self._waiting, self._pool, self._widths
        counts = self._units, self._sums, self._state
        return merging.advance(*words, *counts, history, done, self._least, self._by_place)

    def _make_pairs(self, size: int) -> None:
        self._pairs = np.empty((size, 4), np.int64)

    def _make_slots(self, size: int) -> None:
        self._slots = np.full((size, 2), -1, np.int64)

    def _grow(self, answer: int) -> None:
        """Make room for the next step."""
        if answer == merging.MORE_PAIRS:
            self._grow_pairs(2 * len(self._pairs) + 2 * int(self._state[merging.SYMBOLS]))
        elif answer == merging.MORE_SLOTS:
            old = self._slots
            self._make_slots(4 * len(old))
            merging.rehash(old, self._slots)
        elif answer == merging.MORE_SYMBOLS:
            self._grow_symbols(2 * len(self._sums))
        else:
            merging.forget_dead(self._cells, self._pairs, self._pool, self._state, self._least)
            if 3 * int(self._state[merging.OCCURRENCES]) > len(self._pool):  # a step lists up to twice what it merges
                self._pool.resize(2 * len(self._pool), refcheck=False)

    def _grow_pairs(self, size: int) -> None:
        self._pairs.resize((size, 4), refcheck=False)
        self._heap.resize((size, 3), refcheck=False)
        self._waiting.resize(size, refcheck=False)

    def _grow_symbols(self, size: int) -> None:
        self._sums.resize((size, 8), refcheck=False)
        self._widths.resize(size, refcheck=False)
        self._units.resize(size, refcheck=False)


class CompiledMergingByScore(CompiledMerging):
    """The same by WordPiece's score, with the arrays that engine/kernels/merging_by_score.py adds.

    The corpus has less than 2**31 tokens.
    """

    def _rank(self) -> None:
        self._links = np.empty((len(self._pairs), 2), np.int32)
        self._heads = np.full((len(self._units), 3), -1, np.int32)
        self._heads[:, 2] = 0
        self._make_heap(4 * int(self._state[merging.PAIRS]) + (1 << 10))
        ranked = self._cells, self._pairs, self._heap, self._scores, self._links, self._heads
        merging_by_score.begin(*ranked, self._pool, self._widths, self._units, self._state, self._least, self._by_place)

    def _best(self) -> int:
        return merging_by_score.best(self._heap, self._scores, self._pairs, self._units, self._state)

    def _advance(self, history: Ints, done: int) -> int:
        ranked = self._cells, self._pairs, self._slots, self._heap, self._scores, self._links, self._heads
        counts = self._waiting, self._pool, self._widths, self._units, self._sums, self._state
        return merging_by_score.advance(*ranked, *counts, history, done, self._least, self._by_place)

    def _grow(self, answer: int) -> None:
        if answer != merging_by_score.MORE_HEAP:
            super()._grow(answer)
            return
        old = self._heap
        current = self._pairs, self._units, self._state
        merging_by_score.refresh(old, old, self._scores, *current)
        if 2 * int(self._state[merging.QUEUED]) > len(old):
            self._make_heap(2 * len(old))
            merging_by_score.refresh(old, self._heap, self._scores, *current)

    def _make_heap(self, size: int) -> None:
        self._heap = np.empty((size, 4), np.int64)
        self._scores = np.empty(size, np.float64)
        self._waiting = np.empty(size, np.int32)

    def _grow_pairs(self, size: int) -> None:
        self._pairs.resize((size, 4), refcheck=False)
        self._links.resize((size, 2), refcheck=False)

    def _grow_symbols(self, size: int) -> None:
        before = len(self._heads)
        super()._grow_symbols(size)
        self._heads.resize((size, 3), refcheck=False)
        self._heads[before:, :2] = -1
