"""Training a unigram language model: start with too many pieces, and prune.

Source: Kudo 2018, arXiv:1804.10959, section 3.2; the details are those of google/sentencepiece,
src/unigram_model_trainer.cc: two rounds of expectation and maximization, then the pieces whose loss is least go, until
a tenth more than was asked for is left; the last cut is by probability.

On the same words the corpus has as many tokens as there, within 1 %, where a character is a byte. Version 0.2.3 gives
other pieces where characters take more bytes: Thai takes 41 % more tokens than the same text with an ASCII letter for
each of its characters. Here the letters do not matter.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol

import numpy as np

from engine import kernels
from engine.counts import Ints
from engine.lattices import Floats, Followed, Replaced
from engine.models.python_lattices import PythonLattices
from engine.seeds import Seeds
from engine.slices import Slices
from engine.sorted_words import Words

_LONGEST_PIECE = 16
_LEAST_COUNT = 2  # of a seed piece
_SEED_PIECES = 1_000_000
_LEAST_EXPECTED = 0.5  # an expected count below this is noise
_KEPT_A_ROUND = 0.75
SPARE = 1.1
_WORTH_DIVIDING = 0.7  # of the pieces: every second round
# Log probabilities of a round are multiples of 1 / 128 nat: sums of them are exact, in single precision too up to
# 131,072 nats, beyond what SentencePiece adds up, so that every library finds the same best path, ties included.
_GRAIN = 128
_FAR = 10
_WORTH_ARRAYS = 2_000  # code points of distinct words


class Round(NamedTuple):
    """The pieces after a round of training.

    Attributes:
        texts: The pieces, single characters first.
        singles: How many of them are single characters, which always stay.
        log_probs: float64[pieces], their natural log probability, a multiple of 1 / 128.
        pruned: The pieces that went in this round.
        losses: float64[pruned]: how many nats the corpus costs more without each; NaN for those that were expected
            less than half a time, or not used by any best path.
        likelihood: Log probability of the corpus, in nats, with the pieces of this round before they were pruned.
        length: Tokens of the corpus.
    """

    texts: Slices
    singles: int
    log_probs: Floats
    pruned: Slices
    losses: Floats
    likelihood: float
    length: int


class Lattices(Protocol):
    """The lattices of a corpus, in NumPy or in compiled loops: both give the same numbers, to the last bit."""

    @property
    def seeds(self) -> Seeds:
        """The pieces at the start."""

    def keep(self, renamed: Ints) -> None:
        """Go on without the pieces that are gone; `renamed[piece]` is the new number of a piece, or -1."""

    def divide(self) -> None:
        """Divide words where no piece crosses, and go on with their different parts."""

    def expected(self, log_probs: Floats) -> Floats:
        """Return float64[pieces], how often each is expected to stand over all ways to cut the words."""

    def follow(self, log_probs: Floats, summing: bool) -> Followed:
        """Find the best path through each word, and, if `summing`, the probability of all by all paths."""

    def replace(self, log_probs: Floats, texts: Slices) -> Replaced:
        """Find the best path through each piece without the piece itself."""


class Pruning:
    """A unigram training under way; each call of `advance` is one round.

    Attributes:
        size: Pieces wanted, single characters included.
        finished: Whether the next round would find nothing to do.
        rounds: The seed pieces, then the pieces after each round.
    """

    def __init__(self, words: Words, size: int, last_loss: int, branching: bool = True, unknown: int = 0) -> None:
        """Find the seed pieces of a corpus.

        Args:
            words: Its words.
            size: Pieces wanted, single characters included; at least as many stay as there are characters.
            last_loss: Pieces at which pruning by loss ends; from there to the size it goes by probability.
            branching: Whether seed pieces are only those that two different characters follow, as in SentencePiece.
            unknown: Tokens of the corpus that stand between its words.
        """
        self._unknown = unknown
        self.size = size
        self._last_loss = last_loss
        self._lattices = _begun(words, branching)
        seeds = self._lattices.seeds
        score = seeds.counts.astype(np.float64) * seeds.texts.sizes
        stays = _first(score, seeds.singles, _SEED_PIECES)
        self._texts = seeds.texts
        self._singles = seeds.singles
        self._divided = len(self._texts)  # pieces when words were last divided
        self._keep(stays)
        self._log_probs = _normalized(score[stays])
        self.finished = not len(words.weights)
        self.rounds = [self._round([], np.empty(0))]

    def advance(self) -> Round:
        """Run one round: estimate twice, prune once; the round that reaches the size is the last."""
        before = self._texts
        gone = [self._estimate(), self._estimate()]
        losses = [np.full(sum(map(len, gone)), np.nan)]
        wanted = max(self._last_loss, self._singles)
        if len(self._texts) > wanted:
            pruned, lost = self._prune(wanted)
            gone.append(pruned)
            losses.append(lost)
        if len(self._texts) <= wanted or len(self._texts) == len(before):
            gone.append(self._finish())
            losses.append(np.full(len(gone[-1]), np.nan))
            self.finished = True
        elif len(self._texts) <= _WORTH_DIVIDING * self._divided:
            self._lattices.divide()
            self._divided = len(self._texts)
        self.rounds.append(self._round(gone, np.concatenate(losses)))
        return self.rounds[-1]

    def _round(self, pruned: Sequence[Slices], losses: Floats) -> Round:
        log_probs = np.round(self._log_probs * _GRAIN) / _GRAIN
        used, likelihood = self._lattices.follow(log_probs, summing=True)
        gone = Slices.joined(self._texts.text, pruned)
        return Round(self._texts, self._singles, log_probs, gone, losses, likelihood, int(used.sum()) + self._unknown)

    def _estimate(self) -> Slices:
        """Run one round of expectation and maximization; return the pieces that all but vanish."""
        expected = self._lattices.expected(self._log_probs)
        stays = expected >= _LEAST_EXPECTED
        stays[: self._singles] = True
        gone = self._keep(np.flatnonzero(stays))
        # The Bayesian estimate of Liang and Klein 2007 takes a little from rare pieces.
        counts = np.maximum(expected[stays], _LEAST_EXPECTED / 10)
        self._log_probs = _digamma(counts) - _digamma(counts.sum(keepdims=True))
        return gone

    def _prune(self, wanted: int) -> tuple[Slices, Floats]:
        """Drop the pieces whose loss is least: a quarter of them, or fewer when the size is near."""
        target = max(wanted, int(len(self._texts) * _KEPT_A_ROUND))
        loss, needed = self._losses()
        stays = _largest(loss, max(target, int(needed.sum())))  # what must stay has an infinite loss
        gone = np.ones(len(loss), np.bool_)
        gone[stays] = False
        losses = loss[gone]
        self._log_probs = self._log_probs[stays]
        return self._keep(stays), np.where(np.isfinite(losses), losses, np.nan)

    def _losses(self) -> tuple[Floats, np.ndarray[tuple[int], np.dtype[np.bool_]]]:
        """Work out what each piece is worth.

        Without a piece, each of its uses on a best path becomes the best path through the piece itself.

        Returns:
            float64[pieces], nats, -inf for a piece that no best path uses; and bool[pieces], which must stay: single
            characters, and what nothing else can spell.
        """
        used = self._lattices.follow(self._log_probs, summing=False).used.astype(np.float64)
        scores, parts, pieces = self._lattices.replace(self._log_probs, self._texts)
        total = used.sum()
        with np.errstate(divide="ignore", invalid="ignore"):
            here = np.log(used) - np.log(total)
            owners = np.repeat(np.arange(len(parts)), parts)
            other = np.bincount(owners, np.log(used[pieces] + used[owners]), len(parts))
            other -= parts * np.log(total + used * (parts - 1))
            loss = used * (here - other)
        loss[used == 0] = -np.inf
        # A piece that its own parts beat is never on a best path, so it goes whatever its count says.
        loss[scores > self._log_probs] = -np.inf
        needed = np.isneginf(scores) & (used > 0)
        needed[: self._singles] = True
        loss[needed] = np.inf
        return loss, needed

    def _finish(self) -> Slices:
        """Cut to the size by probability; single characters stay."""
        stays = _first(self._log_probs, self._singles, max(self.size, self._singles))
        self._log_probs = self._log_probs[stays]
        return self._keep(stays)

    def _keep(self, stays: Ints) -> Slices:
        """Go on with these pieces; return the others."""
        before = self._texts
        renamed = np.full(len(before), -1, np.int64)
        renamed[stays] = np.arange(len(stays))
        if len(stays) < len(before):
            self._texts = before.take(stays)
            self._lattices.keep(renamed)
        return before.take(np.flatnonzero(renamed < 0))


def _begun(words: Words, branching: bool) -> Lattices:
    """Choose who works: compiled loops for a large corpus, NumPy for any other."""
    if kernels.serve(len(words.text), _WORTH_ARRAYS):
        from engine.models.compiled_lattices import CompiledLattices

        return CompiledLattices(words, _LONGEST_PIECE, _LEAST_COUNT, branching)
    return PythonLattices(words, _LONGEST_PIECE, _LEAST_COUNT, branching)


def _first(score: Floats, singles: int, size: int) -> Ints:
    """Choose the single characters and the best of the rest, `size` in all, in their old order; ties by old order."""
    return np.concatenate([np.arange(singles), _largest(score[singles:], max(size - singles, 0)) + singles])


def _largest(values: Floats, count: int) -> Ints:
    """Return where the largest values stand, in order; of equal ones the first are taken."""
    if len(values) <= count:
        return np.arange(len(values))
    least = np.partition(values, len(values) - count - 1)[len(values) - count - 1]  # of those that are not taken
    taken = values > least
    equal = np.flatnonzero(values == least)
    taken[equal[: count - int(taken.sum())]] = True
    return np.flatnonzero(taken)


def _normalized(weights: Floats) -> Floats:
    logs: Floats = np.log(weights / weights.sum() if len(weights) else weights)
    return logs


def _digamma(x: Floats) -> Floats:
    """Return the derivative of log gamma, for positive numbers.

    Source: the recurrence and the asymptotic series of Abramowitz and Stegun 1964, 6.3.5 and 6.3.18.
    """
    below = np.zeros_like(x)
    for i in range(_FAR):  # up to where the series holds to 1e-13
        below += 1 / (x + i)
    x = x + _FAR
    inverse = 1 / (x * x)
    series = inverse * (1 / 12 - inverse * (1 / 120 - inverse * (1 / 252 - inverse * (1 / 240 - inverse / 132))))
    digamma: Floats = np.log(x) - 0.5 / x - series - below
    return digamma
