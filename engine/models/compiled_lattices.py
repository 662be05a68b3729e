"""The lattices of a corpus under training, in compiled loops: the same results as those of `PythonLattices`."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from engine.counts import Ints
from engine.kernels import dividing, lattices, replacing, sorting, substrings
from engine.lattices import Floats, Followed, Replaced, logs
from engine.room import larger
from engine.seeds import in_order
from engine.slices import Slices
from engine.sorted_words import MOST_SHARED, Words, block_heads

_SLICE = 1 << 16  # code points that a call finds substrings of: some 5 ms
_EDGES = 1 << 22  # edges that a call passes: some 50 ms
_WORTH_KEEPING = 0.7


class CompiledLattices:
    """Every way to cut the words of a corpus into the pieces that are left, as engine/kernels/lattices.py has them.

    A call of a loop takes a tenth of a second at most, or one word. The edges of pieces that are gone stay, with a
    probability of 0, until three tenths of the pieces are gone.

    Attributes:
        seeds: The pieces at the start.
    """

    def __init__(self, words: Words, longest: int, least: int, branching: bool) -> None:
        """Find the seed pieces; the arguments are those of `engine.seeds.seeds`, `longest` up to 32."""
        self._points, self._weights = words.points, words.weights
        self._blocks, self._stops, self._shared = words.blocks, words.stops, words.shared
        found = _Substrings(words, longest, least, branching)
        self.seeds, renamed = in_order(words.text, *found.columns())
        self._heads = np.zeros(len(words.stops) + 1, np.int64)
        self._edges = found.lay_out(renamed, self._heads)
        self._sizes = self.seeds.texts.sizes  # code points of each piece
        self._alive = np.arange(len(self._sizes))  # the number here of each piece that is left
        self._make_room()

    def keep(self, renamed: Ints) -> None:
        """Go on without the pieces that are gone; `renamed[piece]` is the new number of a piece, or -1."""
        self._alive = self._alive[renamed >= 0]
        if len(self._alive) <= _WORTH_KEEPING * len(self._sizes):
            self._leave_out()

    def divide(self) -> None:
        """Divide words where no piece crosses, and go on with their different parts."""
        if len(self._alive) < len(self._sizes):
            self._leave_out()
        many, _, widths = self._edges
        begins, ends = np.empty(len(self._points), np.uint32), np.zeros(len(self._points), np.uint8)
        state = np.zeros(2, np.int64)
        for first, last in self._calls():
            dividing.mark(*self._words(first, last), many, widths, begins, ends, state)
        self._lay_out(self._parts(ends, *state.tolist()), begins)
        self._make_room()

    def _lay_out(self, rows: Ints, begins: NDArray[np.uint32]) -> None:
        """Go on with the words of `rows`, whose edges stand where `begins` says."""
        points, (many, pieces, widths) = self._points, self._edges
        stops = np.cumsum(rows[:, 1])
        heads = block_heads(stops - rows[:, 1])
        shared = np.zeros(len(rows), np.int64)
        shared[heads] = -1
        calls = list(_divided(stops, _SLICE))
        edges = sum(dividing.share(*call, points, rows, MOST_SHARED, many, shared) for call in calls)
        self._points, self._heads = np.empty(int(stops[-1]), np.uint32), np.empty(len(rows) + 1, np.int64)
        self._edges = np.empty(len(self._points), np.uint8), np.empty(edges, np.uint32), np.empty(edges, np.uint8)
        written = 0
        for first, last in calls:
            old = points, many, pieces, widths, begins, rows
            new = stops, shared, self._heads, self._points
            written = dividing.lay_out(first, last, *old, *new, *self._edges, written)
        self._heads[-1] = written
        self._blocks, self._stops, self._shared = np.append(heads, len(rows)), stops, shared
        self._weights = rows[:, 2].copy()

    def _parts(self, ends: NDArray[np.uint8], many: int, whole: int) -> Ints:
        """Return the different parts of divided words, `many` before, and the `whole` words, as rows in order."""
        slots = np.zeros(1 << (2 * many).bit_length(), np.int32)
        parts = np.empty((many, 3), np.int64)
        words = self._points, self._stops, self._weights, ends
        found = 0
        for first, last in self._calls():
            found = dividing.collect(first, last, *words, slots, parts, found)
        order = np.arange(found)
        sorting.sort(self._points, parts, order)
        rows, state = np.empty((found + whole, 3), np.int64), np.zeros(2, np.int64)
        written = 0
        for first, last in self._calls():
            written = dividing.merge(first, last, *words, parts, order, rows, state)
        return rows[:written]

    def _leave_out(self) -> None:
        """Leave out the edges of pieces that are gone."""
        names = np.full(len(self._sizes), -1, np.int32)
        names[self._alive] = np.arange(len(self._alive))
        state = np.zeros(2, np.int64)
        for first, last in list(self._calls()):
            lattices.keep(*self._words(first, last), *self._edges, names, state)
        left = int(state[1])
        self._heads[-1] = left
        for column in self._edges[1:]:
            column.resize(left, refcheck=False)
        self._sizes = self._sizes[self._alive]
        self._alive = np.arange(len(self._alive))

    def _make_room(self) -> None:
        """Make room for what a pass knows of the nodes of a block, and of a word."""
        starts = np.concatenate([[0], self._stops])
        blocks = np.diff(starts[self._blocks]) + np.diff(self._blocks)
        longest = _nodes(self._stops)
        nodes = max(longest, int(blocks.max(initial=0)))
        self._sums, self._powers = np.empty(nodes), np.empty(nodes, np.int64)
        self._more_sums, self._more_powers = np.zeros(longest), np.empty(longest, np.int64)

    def expected(self, log_probs: Floats) -> Floats:
        """Return float64[pieces], how often each is expected to stand over all ways to cut the words."""
        table = self._table(np.exp(log_probs), 0.0)
        self._more_sums[:] = 0.0
        sums, more = (self._sums, self._powers), (self._more_sums, self._more_powers)
        for first, last in self._calls_of_blocks():
            words = self._blocks, first, last, self._stops, self._shared, self._heads, self._weights
            lattices.expect(*words, *self._edges, table, *sums, *more)
        return table[1::2][self._alive]

    def follow(self, log_probs: Floats, summing: bool) -> Followed:
        """Find the best path through each word, and, if `summing`, the probability of all by all paths."""
        table = self._table(np.exp(log_probs), log_probs)
        used = np.zeros(len(self._sizes), np.int64)
        totals, powers = np.ones(len(self._stops)), np.zeros(len(self._stops), np.int64)
        results = used, totals, powers
        sums, more = (self._sums, self._powers), (self._more_sums, self._more_powers)
        for first, last in self._calls():
            words = first, last, summing, self._stops, self._shared, self._heads, self._weights
            lattices.follow(*words, *self._edges, table, *results, *sums, *more)
        likelihood = float((logs(totals, powers) * self._weights).sum()) if summing else 0.0
        return Followed(used[self._alive], likelihood)

    def replace(self, log_probs: Floats, texts: Slices) -> Replaced:
        """Find the best path through each piece without the piece itself."""
        known = np.full(len(self._sizes), -np.inf)
        known[self._alive] = log_probs
        done = np.ones(len(known), np.uint8)
        done[self._alive] = self._sizes[self._alive] == 1
        scores, parts = np.full(len(known), -np.inf), np.zeros(len(known), np.int64)
        places = np.cumsum(self._sizes, dtype=np.int64) - self._sizes
        written = np.empty(int(self._sizes.sum(dtype=np.int64)), np.uint32)
        ends = np.empty(2 * len(self._more_powers), np.int64)
        for first, last in self._calls():
            words = self._words(first, last)
            replacing.replace(*words, *self._edges, known, done, places, scores, parts, written, ends)
        names = np.full(len(known), -1)
        names[self._alive] = np.arange(len(self._alive))
        parts = parts[self._alive]
        taken = np.repeat(places[self._alive] - (np.cumsum(parts) - parts), parts) + np.arange(int(parts.sum()))
        return Replaced(scores[self._alive], parts, names[written[taken]])

    def _words(self, first: int, last: int) -> tuple[int, int, Ints, Ints, Ints]:
        return first, last, self._stops, self._shared, self._heads

    def _table(self, even: Floats, odd: Floats | float) -> Floats:
        """Lay out two numbers a piece in turns; those of pieces that are gone are 0 and -inf."""
        table = np.empty((len(self._sizes), 2))
        table[:] = 0.0, odd if isinstance(odd, float) else -np.inf
        table[self._alive, 0] = even
        table[self._alive, 1] = odd
        return table.reshape(-1)

    def _calls(self) -> Iterator[tuple[int, int]]:
        """Divide the words among calls."""
        for first, last in self._calls_of_blocks():
            yield int(self._blocks[first]), int(self._blocks[last])

    def _calls_of_blocks(self) -> Iterator[tuple[int, int]]:
        yield from _divided(self._heads[self._blocks[1:]], _EDGES)


def _nodes(stops: Ints) -> int:
    """Return how many nodes the longest word has."""
    return int(np.diff(stops, prepend=0).max(initial=0)) + 1


class _Substrings:
    """The substrings of a corpus that stand often, as engine/kernels/substrings.py finds them."""

    def __init__(self, words: Words, longest: int, least: int, branching: bool) -> None:
        self._points, self._stops, self._shared = words.points, words.stops, words.shared
        self._gather(words)
        self._nodes = self._listed()
        self._numbers = np.zeros(len(self._nodes), np.int32)
        self._masks = np.zeros(len(self._points), np.uint32)
        self._taken = np.empty(longest * len(self._nodes), np.int32)  # memory that nobody writes to costs nothing
        self._cursors = np.zeros(longest, np.int64)
        self._written = 0
        self._columns: list[tuple[Ints, Ints, Ints]] = []
        self._pieces = 0
        for size in range(1, longest + 1):
            if not self._lengthen(size, least, branching):
                break

    def columns(self) -> tuple[Ints, Ints, Ints]:
        """Return, for each substring, where it first stands, its code points, and its count: int64[n] each."""
        empty = np.empty((3, 0), np.int64)
        places, sizes, counts = np.concatenate([empty, *map(np.array, self._columns)], axis=1)
        return places, sizes, counts

    def lay_out(self, renamed: Ints, heads: Ints) -> tuple[NDArray[np.uint8], NDArray[np.uint32], NDArray[np.uint8]]:
        """Return the edges of all words: `many`, `pieces` and `widths`; the first edge of each word goes to `heads`.

        Args:
            renamed: int64[substrings], the number of each as a piece.
            heads: int64[words + 1].
        """
        many = np.empty(len(self._points), np.uint8)
        pieces, widths = np.empty(self._written, np.uint32), np.empty(self._written, np.uint8)
        names = renamed.astype(np.int32)
        written = 0
        for first, last in _divided(self._stops, _SLICE):
            found = self._masks, self._taken, self._cursors, names
            words = self._stops, self._shared, first, last
            written = substrings.lay_out(*words, *found, heads, many, pieces, widths, written)
        heads[-1] = written
        return many, pieces, widths

    def _gather(self, words: Words) -> None:
        """Say how often each node stands, and what follows it."""
        self._counts = np.zeros(len(self._points), np.int64)
        self._followers = np.zeros(len(self._points), np.uint32)
        sums, following = np.zeros(_nodes(words.stops), np.int64), np.full(_nodes(words.stops), -1)
        for first, last in _divided(self._stops[words.blocks[1:] - 1], _SLICE):
            bounds = int(words.blocks[first]), int(words.blocks[last])
            corpus = self._points, self._stops, self._shared, words.weights
            substrings.gather(*corpus, *bounds, self._counts, self._followers, sums, following)

    def _listed(self) -> Ints:
        """List the nodes that words add."""
        sizes = np.diff(self._stops, prepend=0)
        nodes = np.empty(int((sizes - self._shared).sum()), np.int64)
        written = 0
        for first, last in _divided(self._stops, _SLICE):
            written = substrings.list_nodes(self._stops, self._shared, first, last, nodes, written)
        return nodes

    def _lengthen(self, size: int, least: int, branching: bool) -> bool:
        """Find the substrings of one length; say whether there may be longer ones."""
        slots, found = np.zeros((1 << 12, 2), np.int64), np.empty((1 << 11, 2), np.int64)
        many = 0
        for first, last in self._calls():
            most = many + last - first
            if 2 * most > len(slots):
                old, slots = slots, np.zeros((1 << (2 * most).bit_length(), 2), np.int64)
                substrings.rehash(old, slots)
            if most > len(found):
                found = larger(found, many, 2 * most)
            nodes = self._points, self._counts, self._followers, first, last, size, self._nodes, self._numbers
            many = substrings.number(*nodes, slots, found, many)
        counts, about = found[:many, 0].copy(), found[:many, 1].copy()
        # What only one code point follows has it behind all that is longer, too.
        grows = (counts >= least) & (about & substrings.BRANCHES > 0) if branching else counts >= least
        taken = grows if size > 1 else np.ones(many, np.bool_)
        places = (about[taken] >> substrings.PLACE_BITS) - (size - 1)
        self._columns.append((places, np.full(len(places), size), counts[taken]))
        named = (np.cumsum(taken) + self._pieces) * taken * substrings.TAKEN
        self._settle(size, (named + grows * substrings.GROWS).astype(np.int32))
        self._pieces += len(places)
        return bool(grows.any())

    def _settle(self, size: int, verdicts: NDArray[np.int32]) -> None:
        """Note where those stand that are taken."""
        self._cursors[size - 1] = self._written
        state = np.array([0, self._written])
        for first, last in self._calls():
            words = first, last, size, verdicts, self._nodes, self._numbers, self._masks
            substrings.settle(*words, self._taken, state)
        left, self._written = state.tolist()
        self._nodes, self._numbers = self._nodes[:left], self._numbers[:left]

    def _calls(self) -> Iterator[tuple[int, int]]:
        """Divide the nodes among calls."""
        many = len(self._nodes)
        return ((first, min(first + _SLICE, many)) for first in range(0, many, _SLICE))


def _divided(stops: Ints, size: int) -> Iterator[tuple[int, int]]:
    """Divide words into runs of about `size` units by where each stops: the first word, and the one after the last."""
    if len(stops):
        cuts = np.searchsorted(stops, np.arange(size, int(stops[-1]), size), side="right")
        yield from pairwise(np.unique([0, *cuts, len(stops)]).tolist())
