"""The words of a corpus while their pairs are being merged, with all counts kept up to date.

The distinct words lie one after another in one row of cells, one cell a symbol. A piece that spans several cells has
its id in its first and its last cell. How many cells a piece spans is a constant of the piece, so the neighbours of an
occurrence are found by arithmetic, and an occurrence is the position of its first cell for as long as it lives. New
neighbours only ever arise beside the newest piece: a pair's occurrences are listed once, and its count can only fall.
"""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import NamedTuple, TypeAlias

Pair: TypeAlias = tuple[int, int]

_EDGE = -1  # between two words
_INSIDE = -2  # the first cell of the right part of a merged piece


class Change(NamedTuple):
    """What a merge did to one pair: how often it stood before and after, weighted by the words' counts."""

    pair: Pair
    before: int
    after: int


class PairIndex:
    """Weighted words, cut into pieces, and the counts of pieces and neighbouring pairs.

    Attributes:
        counts: A pair that still stands -> how often, overlaps included: "eee" has (e, e) twice.
        units: `units[id]` is how often a piece stands.
        length: Tokens of the corpus.
    """

    def __init__(self, words: Iterable[tuple[Sequence[int], int]], alphabet_size: int) -> None:
        """Index words, each given as the ids of its symbols and its count; ids are below `alphabet_size`."""
        self.counts: dict[Pair, int] = {}
        self.units = [0] * alphabet_size
        self.length = 0
        self._widths = [1] * alphabet_size
        self._cells: list[int] = [_EDGE]
        self._weights: list[int] = [0]
        self._occurrences: dict[Pair, array[int]] = defaultdict(lambda: array("q"))
        counts: defaultdict[Pair, int] = defaultdict(int)
        for ids, weight in words:
            previous = _EDGE
            position = len(self._cells)
            for id in ids:
                self.units[id] += weight
                if previous >= 0:
                    pair = previous, id
                    counts[pair] += weight
                    self._occurrences[pair].append(position - 1)
                previous = id
                position += 1
            self.length += weight * len(ids)
            self._cells.extend(ids)
            self._weights.extend([weight] * len(ids))
            self._cells.append(_EDGE)
            self._weights.append(0)
        self.counts = dict(counts)

    def leftmost(self, pair: Pair) -> int:
        """Return the cell where a pair that still stands stands first; words in the order in which they came."""
        left, right = pair
        cells, width, positions = self._cells, self._widths[left], self._occurrences[pair]
        gone = 0
        while cells[positions[gone]] != left or cells[positions[gone] + width] != right:
            gone += 1
        del positions[:gone]
        return positions[0]

    def merge(self, pair: Pair) -> list[Change]:
        """Merge a pair wherever it stands, leftmost on overlap; the new id is the next one.

        Returns:
            Every pair whose count changed, the merged one and the new ones included.
        """
        left, right = pair
        cells, weights = self._cells, self._weights
        left_width, right_width = self._widths[left], self._widths[right]
        width = left_width + right_width
        new = len(self._widths)
        self._widths.append(width)
        # Neighbours are gathered by id, so that each distinct one costs a single look-up in `counts`.
        before: defaultdict[int, int] = defaultdict(int)
        after: defaultdict[int, int] = defaultdict(int)
        starts: defaultdict[Pair, array[int]] = defaultdict(lambda: array("q"))
        merged = 0
        for i in self._occurrences.pop(pair):
            if cells[i] != left or cells[i + left_width] != right:
                continue  # taken by an earlier merge
            weight = weights[i]
            previous, following = cells[i - 1], cells[i + width]
            if previous >= 0:
                before[previous] += weight
                starts[previous, new].append(i - self._widths[previous])
            if following >= 0:
                after[following] += weight
                starts[new, following].append(i)
            cells[i] = new
            cells[i + left_width] = _INSIDE
            cells[i + width - 1] = new
            merged += weight
        self.units[left] -= merged
        self.units[right] -= merged
        self.units.append(merged)
        self.length -= merged
        return self._recount(pair, new, before, after, starts)

    def _recount(
        self, pair: Pair, new: int, before: dict[int, int], after: dict[int, int], starts: dict[Pair, array[int]]
    ) -> list[Change]:
        left, right = pair
        deltas: defaultdict[Pair, int] = defaultdict(int)
        for id, weight in before.items():
            deltas[id, left] -= weight
            deltas[id, new] += weight
        for id, weight in after.items():
            deltas[right, id] -= weight
            deltas[new, id] += weight
        deltas[pair] = -self.counts[pair]
        changes: list[Change] = []
        for changed, delta in deltas.items():
            old = self.counts.get(changed, 0)
            count = old + delta
            if count > 0:
                self.counts[changed] = count
                if changed in starts:
                    self._occurrences[changed] = starts[changed]
            else:
                self.counts.pop(changed, None)
                self._occurrences.pop(changed, None)
            if count != old:
                changes.append(Change(changed, old, count))
        return changes
