"""Who wins the next step: the pair with the best score, and how many tie with it."""

from __future__ import annotations

import heapq
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from typing import Protocol, TypeAlias

from engine.pairs import Change, Pair, PairIndex
from engine.ties import Key

_Entry: TypeAlias = tuple[int, Key, Pair]


class Ranking(Protocol):
    """The pairs of a corpus in the order in which they would win."""

    def best(self) -> Pair | None:
        """Return the pair that wins, or None if none is left."""

    def ties(self, pair: Pair) -> int:
        """Return how many pairs are as good as this one, itself included."""

    def update(self, merged: Pair, changes: Iterable[Change]) -> None:
        """Take in what a merge changed."""


class ByCount:
    """Rank pairs by count (BPE).

    A pair's count can only fall. So the heap may be stale but never too low: an entry that comes up is either right, or
    is put back where it belongs.
    """

    def __init__(self, index: PairIndex, key: Callable[[Pair], Key]) -> None:
        """Rank the pairs of `index`; `key` is the tie rule."""
        self._counts = index.counts
        self._key = key
        self._tally = Counter(index.counts.values())
        self._heap: list[_Entry] = [(-count, key(pair), pair) for pair, count in index.counts.items()]
        heapq.heapify(self._heap)

    def best(self) -> Pair | None:
        """Return the pair that wins, or None if none is left."""
        heap, counts = self._heap, self._counts
        while heap:
            cost, _, pair = heap[0]
            count = counts.get(pair, 0)
            if count == -cost:
                return pair
            if count:
                heapq.heapreplace(heap, (-count, self._key(pair), pair))
            else:
                heapq.heappop(heap)
        return None

    def ties(self, pair: Pair) -> int:
        """Return how many pairs are as good as this one, itself included."""
        return self._tally[self._counts[pair]]

    def update(self, merged: Pair, changes: Iterable[Change]) -> None:
        """Take in what a merge changed."""
        tally = self._tally
        for pair, before, after in changes:
            if before:
                tally[before] -= 1
            if after:
                tally[after] += 1
            if after and not before:
                heapq.heappush(self._heap, (-after, self._key(pair), pair))


class ByScore:
    """Rank pairs by count(ab) / (count(a) * count(b)) (WordPiece).

    A score rises when one of its parts becomes rarer, so each pair that touches a merged piece is scored again at once.
    Scores are compared exactly, as whole numbers: two different fractions with denominators below 2^b differ by more
    than 2^-2b, so after a shift by 2b bits their whole parts still differ, and equal fractions stay equal.
    """

    def __init__(self, index: PairIndex, key: Callable[[Pair], Key], min_count: int) -> None:
        """Rank the pairs of `index` that stand `min_count` times or more; `key` is the tie rule."""
        self._index = index
        self._min_count = min_count
        self._key = key
        self._shift = 4 * index.length.bit_length()
        self._partners: defaultdict[int, set[Pair]] = defaultdict(set)
        self._entries: dict[Pair, _Entry] = {}
        self._tally: defaultdict[int, int] = defaultdict(int)
        for pair, count in index.counts.items():
            if count >= min_count:
                self._enter(pair, key(pair))
        self._heap = list(self._entries.values())
        heapq.heapify(self._heap)

    def best(self) -> Pair | None:
        """Return the pair that wins, or None if none is left."""
        while self._heap:
            entry = self._heap[0]
            if self._entries.get(entry[2]) is entry:
                return entry[2]
            heapq.heappop(self._heap)
        return None

    def ties(self, pair: Pair) -> int:
        """Return how many pairs are as good as this one, itself included."""
        return self._tally[self._entries[pair][0]]

    def update(self, merged: Pair, changes: Iterable[Change]) -> None:
        """Take in what a merge changed."""
        changed = {pair: after for pair, _, after in changes}
        for pair, after in changed.items():
            if after < self._min_count:
                self._leave(pair)
        for pair, after in changed.items():
            if after >= self._min_count:
                heapq.heappush(self._heap, self._enter(pair, self._key(pair)))
        self._rescore(self._partners[merged[0]] | self._partners[merged[1]], changed)

    def _rescore(self, pairs: set[Pair], but: Mapping[Pair, int]) -> None:
        """Enter pairs whose count has not changed again: their tie key still holds, their score does not."""
        counts, units, shift = self._index.counts, self._index.units, self._shift
        entries, tally, heap = self._entries, self._tally, self._heap
        for pair in pairs:
            if pair not in but:
                old, key, _ = entries[pair]
                cost = -(counts[pair] << shift) // (units[pair[0]] * units[pair[1]])
                if cost != old:
                    tally[old] -= 1
                    tally[cost] += 1
                    entry = entries[pair] = cost, key, pair
                    heapq.heappush(heap, entry)

    def _enter(self, pair: Pair, key: Key) -> _Entry:
        left, right = pair
        units = self._index.units
        cost = -(self._index.counts[pair] << self._shift) // (units[left] * units[right])
        old = self._entries.get(pair)
        if old is None:
            self._partners[left].add(pair)
            self._partners[right].add(pair)
        else:
            self._tally[old[0]] -= 1
        self._tally[cost] += 1
        entry = self._entries[pair] = cost, key, pair
        return entry

    def _leave(self, pair: Pair) -> None:
        entry = self._entries.pop(pair, None)
        if entry is not None:
            self._tally[entry[0]] -= 1
            for id in pair:
                self._partners[id].discard(pair)


def score_of(index: PairIndex, pair: Pair) -> Fraction:
    """Return the WordPiece score of a pair that stands."""
    return Fraction(index.counts[pair], index.units[pair[0]] * index.units[pair[1]])
