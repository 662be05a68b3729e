"""Training by merging: what BPE and WordPiece share.

Source: Sennrich et al. 2016, arXiv:1508.07909, for the loop. WordPiece differs in the score alone: Google never
published its trainer, and the formula count(ab) / (count(a) * count(b)) is the one of the Hugging Face course
(chapter 6, "WordPiece tokenization"), after the description in Schuster and Nakajima 2012.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from engine import kernels
from engine.alignment import Normalizer
from engine.counts import PreTokenCounts
from engine.models.merge_ranks import MergeRanks
from engine.models.python_merging import PythonMerging
from engine.pairs import Pair, PairIndex
from engine.piece_table import PieceTable
from engine.pre_tokenizers import PreTokenizer
from engine.ranking import score_of
from engine.ties import Key, tie_key
from engine.training import Columns, Learned, Recipe, Rival, Stop, TrainingRun

_WORTH_ARRAYS = 20_000  # bytes of distinct pre-tokens; below, Python is done within 50 ms
_WORTH_LOOPS = 500  # merges
_MOST_WEIGHT = 2**31 - 1  # the compiled loops hold the count of a pre-token, or of a scored piece, in 32 bits


@dataclass(frozen=True)
class Start:
    """What merging starts from.

    Attributes:
        pieces: The pieces before the first step, by id: specials, the unknown token, the alphabet.
        symbols: Cuts a pre-token into ids of symbols.
        arrays: Cuts all pre-tokens at once: int32[n], their symbols, and int64[words], where each stops among them.
        mark: What the right one of two pieces begins with, and leaves off when they are joined; b"" for nothing.
        model: Makes the model from all pieces and all merges.
        needs: What the pieces are made of, in words, for the error about a vocabulary that is too small.
        by_score: True for WordPiece's score, False for the count.
    """

    pieces: Sequence[bytes]
    symbols: Callable[[str], Sequence[int]]
    arrays: Callable[[PreTokenCounts], tuple[NDArray[np.int32], NDArray[np.int64]]]
    mark: bytes
    model: Callable[[Sequence[bytes | None], MergeRanks], Learned]
    needs: str
    by_score: bool

    def join(self, left: bytes, right: bytes) -> bytes:
        """Write the piece that two pieces make."""
        return left + right.removeprefix(self.mark)

    def joined(self, merges: MergeRanks) -> Sequence[bytes | None]:
        """Write all pieces, those of the merges last."""
        if not self.mark and kernels.serve(len(merges), _WORTH_LOOPS):
            return _joined(PieceTable.of(self.pieces), merges)
        pieces = list(self.pieces)
        for left, right in merges:
            pieces.append(self.join(pieces[left], pieces[right]))
        return tuple(pieces)


Begin: TypeAlias = Callable[[Recipe, Mapping[str, int]], Start]
"""Works out what merging starts from on a corpus, pre-token -> count."""


class Merging(Protocol):
    """Words under way to be merged, in Python or in compiled loops."""

    @property
    def length(self) -> int:
        """Tokens of the corpus before the first step."""

    @property
    def more(self) -> bool:
        """Whether there is a pair to merge."""

    @property
    def stands(self) -> bool:
        """Whether any pair stands, however rare."""

    def advance(self, steps: int) -> NDArray[np.int64]:
        """Merge up to `steps` pairs; return int64[steps taken, 7], the columns of the history in their order."""


class MergeTraining:
    """A training under way."""

    def __init__(
        self,
        recipe: Recipe,
        counts: Mapping[str, int],
        normalizers: tuple[Normalizer, ...],
        pre_tokenizer: PreTokenizer,
        begin: Begin,
    ) -> None:
        """Index the corpus, pre-token -> count; nothing is merged yet."""
        start = begin(recipe, counts)
        self.total = recipe.steps(len(start.pieces), start.needs)
        self._recipe = recipe
        self._counts = counts
        self._pipeline = normalizers, pre_tokenizer
        self._begin, self._start = begin, start
        self._merging = _begun(recipe, counts, start)
        self._slices: list[NDArray[np.int64]] = []
        self._stopped: Stop | None = None
        self._settle()

    @property
    def done(self) -> int:
        """Steps so far."""
        return sum(map(len, self._slices))

    @property
    def finished(self) -> bool:
        """Whether no further step will come."""
        return self._stopped is not None

    def advance(self, steps: int) -> None:
        """Take up to `steps` further steps."""
        if not self.finished:
            room = steps if self.total is None else min(steps, self.total - self.done)
            self._slices.append(self._merging.advance(room))
            self._settle()

    def run(self) -> TrainingRun:
        """Return the run so far, which is valid at any time."""
        start = self._start
        columns = Columns.of(np.concatenate([np.empty((0, 7), np.int64), *self._slices]))
        merges = MergeRanks(columns.left, columns.right)
        return TrainingRun(
            self._recipe,
            columns,
            self._merging.length,
            self._stopped or "unfinished",
            self._counts,
            start.model(start.joined(merges), merges),
            *self._pipeline,
            partial(_compete, self._begin),
        )

    def _settle(self) -> None:
        """Note why there is no further step, if there is none."""
        if self.total is not None and self.done >= self.total:
            by_steps = self._recipe.max_steps == self.total
            self._stopped = "max_steps" if by_steps else "vocab_size"
        elif not self._merging.more:
            self._stopped = "min_count" if self._merging.stands else "exhausted"


def _begun(recipe: Recipe, counts: Mapping[str, int], start: Start) -> Merging:
    """Choose who merges: compiled loops for a large corpus where they know the rules, Python for any other."""
    if recipe.tie in ("lowest-id", "first"):
        laid_out = PreTokenCounts.of(counts)
        if kernels.serve(len(laid_out.raw), _WORTH_ARRAYS) and laid_out.counts.max() <= _MOST_WEIGHT:
            symbols, stops = start.arrays(laid_out)
            tokens = int(np.diff(stops, prepend=0) @ laid_out.counts)
            if not start.by_score or tokens <= _MOST_WEIGHT:
                from engine.models.compiled_merging import CompiledMerging, CompiledMergingByScore

                kind = CompiledMergingByScore if start.by_score else CompiledMerging
                words = symbols, stops, laid_out.counts
                rules = len(start.pieces), recipe.min_count, recipe.tie == "first"
                goal = None if start.by_score else recipe.steps(len(start.pieces), start.needs)
                return kind(*words, *rules, goal)
    each = ((start.symbols(word), count) for word, count in counts.items())
    return PythonMerging(each, start.pieces, start.join, recipe.min_count, start.by_score, recipe.tie, recipe.seed)


def _joined(known: PieceTable, merges: MergeRanks) -> PieceTable:
    from engine.kernels import join_pieces  # not before the loops are ready

    offsets = np.concatenate([known.offsets, np.empty(len(merges), np.int64)])
    join_pieces.measure(merges.left, merges.right, offsets)
    row = np.empty(int(offsets[-1]), np.uint8)
    row[: len(known.blob)] = np.frombuffer(known.blob, np.uint8)
    join_pieces.write(merges.left, merges.right, offsets, row)
    return PieceTable(row.tobytes(), offsets)


def _compete(begin: Begin, run: TrainingRun, k: int, n: int) -> list[Rival]:
    """Replay `k` merges on the corpus and rank what stands then."""
    start = begin(run.recipe, run.counts)
    index = PairIndex(((start.symbols(word), count) for word, count in run.counts.items()), len(start.pieces))
    for pair in zip(run.columns.left[:k].tolist(), run.columns.right[:k].tolist(), strict=True):
        index.merge(pair)
    key = tie_key(run.recipe.tie, list(run.model.vocabulary), index.leftmost, run.recipe.seed)

    def cost(pair: Pair) -> tuple[Fraction | int, Key]:
        return -score_of(index, pair) if start.by_score else -index.counts[pair], key(pair)

    units = index.units
    standing = (pair for pair, count in index.counts.items() if count >= run.recipe.min_count)
    best = heapq.nsmallest(n, standing, key=cost)
    return [
        Rival(*pair, index.counts[pair], abs(Fraction(cost(pair)[0])), *(units[id] for id in pair)) for pair in best
    ]
