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

from engine.alignment import Normalizer
from engine.pairs import Pair, PairIndex
from engine.pre_tokenizers import PreTokenizer
from engine.ranking import ByCount, ByScore, Ranking, score_of
from engine.ties import Key, tie_key
from engine.training import Columns, Learned, Recipe, Rival, Stop, TrainingRun


@dataclass(frozen=True)
class Start:
    """What merging starts from.

    Attributes:
        pieces: The pieces before the first step, by id: specials, the unknown token, the alphabet.
        symbols: Cuts a pre-token into ids of symbols.
        join: Writes the piece that two pieces make.
        model: Makes the model from all pieces and all merges.
        needs: What the pieces are made of, in words, for the error about a vocabulary that is too small.
        by_score: True for WordPiece's score, False for the count.
    """

    pieces: Sequence[bytes]
    symbols: Callable[[str], Sequence[int]]
    join: Callable[[bytes, bytes], bytes]
    model: Callable[[Sequence[bytes], Sequence[Pair]], Learned]
    needs: str
    by_score: bool


class MergeTraining:
    """A training under way."""

    def __init__(
        self,
        recipe: Recipe,
        counts: Mapping[str, int],
        normalizers: tuple[Normalizer, ...],
        pre_tokenizer: PreTokenizer,
        start: Start,
    ) -> None:
        """Index the corpus, pre-token -> count; nothing is merged yet."""
        self.total = recipe.steps(len(start.pieces), start.needs)
        self._recipe = recipe
        self._counts = counts
        self._pipeline = normalizers, pre_tokenizer
        self._start = start
        self._pieces = list(start.pieces)
        self._index = _indexed(counts, start)
        self._ranking = _ranked(self._index, self._pieces, recipe, start)
        self._initial_length = self._index.length
        self._rows: list[tuple[int, ...]] = []
        self._stopped: Stop | None = None
        self._settle(self._ranking.best())

    @property
    def done(self) -> int:
        """Steps so far."""
        return len(self._rows)

    @property
    def finished(self) -> bool:
        """Whether no further step will come."""
        return self._stopped is not None

    def advance(self, steps: int) -> None:
        """Take up to `steps` further steps."""
        index, ranking = self._index, self._ranking
        for _ in range(steps):
            pair = ranking.best()
            if self._settle(pair) or pair is None:
                return
            left, right = pair
            row = left, right, index.counts[pair], index.units[left], index.units[right], ranking.ties(pair)
            self._pieces.append(self._start.join(self._pieces[left], self._pieces[right]))
            ranking.update(pair, index.merge(pair))
            self._rows.append((*row, index.length))
        self._settle(ranking.best())

    def run(self) -> TrainingRun:
        """Return the run so far, which is valid at any time."""
        merges = [(row[0], row[1]) for row in self._rows]
        start = self._start
        return TrainingRun(
            self._recipe,
            Columns.of(self._rows),
            self._initial_length,
            self._stopped or "unfinished",
            self._counts,
            start.model(tuple(self._pieces), merges),
            *self._pipeline,
            lambda run, k, n: _compete(run, k, n, start),
        )

    def _settle(self, pair: Pair | None) -> bool:
        """Note why there is no further step, if there is none."""
        if self.total is not None and self.done >= self.total:
            by_steps = self._recipe.max_steps == self.total
            self._stopped = "max_steps" if by_steps else "vocab_size"
        elif pair is None:
            self._stopped = "min_count" if self._index.counts else "exhausted"
        elif self._index.counts[pair] < self._recipe.min_count:
            self._stopped = "min_count"
        return self.finished


def _indexed(counts: Mapping[str, int], start: Start) -> PairIndex:
    return PairIndex(((start.symbols(word), count) for word, count in counts.items()), len(start.pieces))


def _ranked(index: PairIndex, pieces: Sequence[bytes], recipe: Recipe, start: Start) -> Ranking:
    key = tie_key(recipe.tie, pieces, index.leftmost, recipe.seed)
    return ByScore(index, key, recipe.min_count) if start.by_score else ByCount(index, key)


def _compete(run: TrainingRun, k: int, n: int, start: Start) -> list[Rival]:
    """Replay `k` merges on the corpus and rank what stands then."""
    index = _indexed(run.counts, start)
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
