"""Training by compiled loops: the same history as `PythonMerging`, many times faster.

Import this only after `engine.kernels.serve` has said yes.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from engine.kernels import merging, merging_by_score, pair_levels, pair_places, pair_slots
from engine.room import larger

Ints: TypeAlias = NDArray[np.int64]

_COLUMNS = 7
_FEW = 520  # symbols for which a table of all pairs stays near

# Natural text, 100 KB to 10 MB and 744 to 31,744 merges: the last merge has a count of 1/8 to 1/32 of tokens / merges,
# and from k merges to K the count falls as (k / K) ** 1.2, a little more or less.
_SPARSE = 32
_DESCENT = 1.5
_FIRST = 64  # merges before the floor is thought of again; then a quarter of those there are


class CompiledMerging:
    """Words under way to be merged, as the arrays of engine/kernels: pair_places.py, pair_levels.py, merging.py.

    Most pairs are rare and never merged. Where the number of steps is known, those below a floor are left out, a guess
    at the count of the last step that rises on the way. Should it have been too high, all pairs are indexed anew with
    a lower one; so the history is the same at any floor.

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
        goal: int | None = None,
    ) -> None:
        """Index the pairs of a corpus.

        Args:
            symbols: int32[n], those of all words.
            stops: int64[words], where each word stops among them.
            weights: int64[words], the count of each, below 2**31.
            alphabet_size: All symbols are below it.
            least: Least count of a pair.
            by_place: Of equally frequent pairs the one that stands first wins, not the one with the smallest ids.
            goal: How many steps there will be at most; None if nobody knows.
        """
        tokens = int(np.diff(stops, prepend=0) @ weights)
        self._least, self._goal, self._first = least, goal, alphabet_size
        self._rules = max(least, int(tokens / (_SPARSE * goal))) if goal else least, by_place
        self._cells = np.empty((len(symbols) + len(stops) + 1, 2), np.int32)
        pair_places.lay_out(symbols, stops, weights, self._cells)
        self._state = np.zeros(9, np.int64)
        self._state[pair_places.SYMBOLS] = alphabet_size
        self._units = np.zeros(alphabet_size, np.int64)
        self._widths = np.ones(alphabet_size, np.int32)
        self._sums = np.zeros((alphabet_size + 1, 4), np.int64)
        # Room that is never used costs nothing: the system gives memory to what is written.
        self._pairs = np.empty((len(self._cells) // 2 + (1 << 10), 4), np.int64)
        self._pool = np.empty(2 * len(self._cells) + (1 << 10), np.int32)
        self._index()
        self.length = int(self._state[pair_places.LENGTH])
        self._shortest = int(weights[np.diff(stops, prepend=0) > 0].sum())

    @property
    def more(self) -> bool:
        """Whether there is a pair to merge."""
        while self._best() < 0:
            if self._rules[0] == self._least:
                return False
            self._lower()
        return True

    @property
    def stands(self) -> bool:
        """Whether any pair stands, however rare."""
        return int(self._state[pair_places.LENGTH]) > self._shortest

    def advance(self, steps: int) -> Ints:
        """Merge up to `steps` pairs; return int64[steps taken, 7], the columns of the history in their order."""
        history = np.empty((steps, _COLUMNS), np.int64)
        before = self._taken
        while (done := self._taken - before) < steps:
            stop = min(steps, done + max(_FIRST, self._taken // 4))
            answer = self._advance(history[:stop], done)
            if answer == pair_places.DONE:
                self._raise(int(history[stop - 1, 2]))
            elif answer != pair_places.NO_PAIR:
                self._grow(answer)
            elif self._rules[0] > self._least:
                self._lower()
            else:
                break
        return history[: self._taken - before]

    @property
    def _taken(self) -> int:
        return int(self._state[pair_places.SYMBOLS]) - self._first

    def _raise(self, count: int) -> None:
        """Guess anew which pairs are too rare, from the count of the last merge."""
        if self._goal:
            floor, by_place = self._rules
            self._rules = max(floor, int(count * (self._taken / self._goal) ** _DESCENT)), by_place

    def _lower(self) -> None:
        """Index all pairs anew with a lower floor; each token has a single cell from now on."""
        floor, by_place = self._rules
        self._rules = max(self._least, floor // 4), by_place
        self._goal = None
        self._cells = self._cells[: pair_places.close_up(self._cells, self._widths)].copy()
        self._widths[:] = 1
        self._state[[pair_places.QUEUED, pair_places.TIES]] = 0
        self._index()

    def _index(self) -> None:
        """Number the pairs and list where they stand."""
        symbols = len(self._units)
        slots = 1 << 15
        while True:
            self._slots = np.zeros((slots, 2), np.int64)
            square = np.full(symbols**2 if symbols <= _FEW else 0, -1, np.int32)
            found = self._slots, square
            answer = pair_places.count_pairs(self._cells, self._pairs, *found, self._units, self._state)
            if answer == pair_places.DONE:
                break
            if answer == pair_places.MORE_PAIRS:
                self._pairs = np.empty((2 * len(self._pairs), 4), np.int64)
            slots *= 4
        pair_places.list_pairs(self._cells, self._pairs, *found, symbols, self._pool, self._state, self._rules[0])
        self._rank()

    def _rank(self) -> None:
        """Let the pairs wait for their turn."""
        del self._slots
        self._buckets = np.full(65, -1, np.int64)
        self._links = np.empty(len(self._pairs), np.int32)
        self._make_members()
        merging.begin(self._pairs, self._links, self._buckets, self._state, self._rules[0])

    def _best(self) -> int:
        words = self._cells, self._pairs, self._pool, self._widths
        return merging.best(*words, self._members, self._table, self._links, self._buckets, self._state, *self._rules)

    def _advance(self, history: Ints, done: int) -> int:
        words = self._cells, self._pairs, self._pool, self._widths, self._units, self._sums
        waiting = self._members, self._table, self._links, self._buckets, self._state
        return merging.advance(*words, *waiting, history, done, *self._rules)

    def _make_members(self) -> None:
        self._members = np.empty((len(self._pairs), 2), np.int64)
        self._table = np.empty((2 << len(self._pairs).bit_length(), 2), np.int64)

    def _grow(self, answer: int) -> None:
        """Make room for the next step."""
        pairs, symbols = self._state[[pair_places.PAIRS, pair_places.SYMBOLS]].tolist()
        if answer == pair_places.MORE_PAIRS:
            self._pairs = larger(self._pairs, pairs, 2 * len(self._pairs) + 2 * symbols)
            self._grow_pairs(pairs)
        elif answer == pair_places.MORE_SYMBOLS:
            self._sums = np.zeros((2 * symbols + 1, 4), np.int64)
            self._widths = larger(self._widths, symbols, 2 * symbols)
            self._units = larger(self._units, symbols, 2 * symbols)
        else:
            pair_places.compact(self._cells, self._pairs, self._pool, self._state, self._rules[0])
            taken = int(self._state[pair_places.OCCURRENCES])
            if 3 * taken > len(self._pool):  # a step lists up to twice what it merges
                self._pool = larger(self._pool, taken, 2 * len(self._pool))

    def _grow_pairs(self, pairs: int) -> None:
        """Make the arrays larger that go with the pairs."""
        self._links = larger(self._links, pairs, len(self._pairs))
        waiting, mask = self._state[[pair_places.QUEUED, pair_levels.MASK]].tolist()
        members, table = self._members, self._table
        self._make_members()
        self._members[:waiting] = members[:waiting]
        self._table[: mask + 1] = table[: mask + 1]


class CompiledMergingByScore(CompiledMerging):
    """The same by WordPiece's score, with the arrays that engine/kernels/merging_by_score.py adds.

    The corpus has less than 2**31 tokens.
    """

    def _rank(self) -> None:
        self._links = np.empty((len(self._pairs), 2), np.int32)
        self._heads = _no_pairs(len(self._units))
        self._make_heap(4 * int(self._state[pair_places.PAIRS]) + (1 << 10))
        ranked = self._cells, self._pairs, self._heap, self._scores, self._links, self._heads
        merging_by_score.begin(*ranked, self._pool, self._widths, self._units, self._state, *self._rules)

    def _best(self) -> int:
        return merging_by_score.best(self._heap, self._scores, self._pairs, self._units, self._state)

    def _advance(self, history: Ints, done: int) -> int:
        ranked = self._cells, self._pairs, self._slots, self._heap, self._scores, self._links, self._heads
        counts = self._waiting, self._pool, self._widths, self._units, self._sums, self._state
        return merging_by_score.advance(*ranked, *counts, history, done, *self._rules)

    def _grow(self, answer: int) -> None:
        if answer == merging_by_score.MORE_HEAP:
            self._grow_heap()
        elif answer == pair_places.MORE_SLOTS:
            old = self._slots
            self._slots = np.zeros((4 * len(old), 2), np.int64)
            pair_slots.rehash(old, self._slots)
        else:
            super()._grow(answer)
            if answer == pair_places.MORE_SYMBOLS:
                heads = self._heads
                self._heads = _no_pairs(len(self._units))
                self._heads[: len(heads)] = heads

    def _grow_heap(self) -> None:
        old = self._heap
        current = self._pairs, self._units, self._state
        merging_by_score.refresh(old, old, self._scores, *current)
        if 2 * int(self._state[pair_places.QUEUED]) > len(old):
            self._make_heap(2 * len(old))
            merging_by_score.refresh(old, self._heap, self._scores, *current)

    def _make_heap(self, size: int) -> None:
        self._heap = np.empty((size, 4), np.int64)
        self._scores = np.empty(size, np.float64)
        self._waiting = np.empty(size, np.int32)

    def _grow_pairs(self, pairs: int) -> None:
        self._links = larger(self._links, pairs, len(self._pairs))


def _no_pairs(symbols: int) -> NDArray[np.int32]:
    heads = np.full((symbols, 3), -1, np.int32)
    heads[:, 2] = 0
    return heads
