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
from typing import NamedTuple

import numpy as np

from engine.lattices import Floats, Ints, Lattices, lattices, seeds

LONGEST_PIECE = 16
_SEED_PIECES = 1_000_000
_LEAST_EXPECTED = 0.5  # an expected count below this is noise
_KEPT_A_ROUND = 0.75
SPARE = 1.1
# Log probabilities of a round are multiples of 1 / 128 nat: sums of them are exact, in single precision too up to
# 131,072 nats, beyond what SentencePiece adds up, so that every library finds the same best path, ties included.
_GRAIN = 128


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

    texts: list[str]
    singles: int
    log_probs: Floats
    pruned: list[str]
    losses: Floats
    likelihood: float
    length: int


class Pruning:
    """A unigram training under way; each call of `advance` is one round.

    Attributes:
        size: Pieces wanted, single characters included.
        finished: Whether the next round would find nothing to do.
        rounds: The seed pieces, then the pieces after each round.
    """

    def __init__(
        self,
        words: Sequence[str],
        counts: Sequence[int],
        size: int,
        last_loss: int,
        branching: bool = True,
        longest: int = LONGEST_PIECE,
    ) -> None:
        """Find the seed pieces of a corpus.

        Args:
            words: The distinct pre-tokens; their order does not matter.
            counts: The count of each.
            size: Pieces wanted, single characters included; at least as many stay as there are characters.
            last_loss: Pieces at which pruning by loss ends; from there to the size it goes by probability.
            branching: Whether seed pieces are only those that two different characters follow, as in SentencePiece.
            longest: Code points of a piece at most.
        """
        order = sorted(range(len(words)), key=words.__getitem__)
        self._words = [words[i] for i in order if words[i]]
        self._weights = np.array([counts[i] for i in order if words[i]], np.int64)
        self.size = size
        self._last_loss = last_loss
        self._longest = longest
        self._lattices: Lattices
        seed, self._lattices = seeds(self._words, self._weights, longest, 2, branching)
        score = seed.counts.astype(np.float64) * np.array([len(text) for text in seed.texts], np.float64)
        stays = _first(score, seed.singles, _SEED_PIECES)
        self._texts = list(seed.texts)
        self._singles = seed.singles
        self._keep(stays)
        self._log_probs = _normalized(score[stays])
        self.finished = not self._words
        self.rounds = [self._round([], np.empty(0))]

    def advance(self) -> Round:
        """Run one round: estimate twice, prune once; the round that reaches the size is the last."""
        before = self._texts
        vague = [*self._estimate(), *self._estimate()]
        wanted = max(self._last_loss, self._singles)
        pruned: list[str] = []
        losses = np.empty(0)
        if len(self._texts) > wanted:
            pruned, losses = self._prune(wanted)
        if len(self._texts) <= wanted or len(self._texts) == len(before):
            cut, cut_losses = self._finish()
            pruned, losses = pruned + cut, np.concatenate([losses, cut_losses])
            self.finished = True
        losses = np.concatenate([np.full(len(vague), np.nan), losses])
        self.rounds.append(self._round(vague + pruned, losses))
        return self.rounds[-1]

    def _round(self, pruned: list[str], losses: Floats) -> Round:
        log_probs = np.round(self._log_probs * _GRAIN) / _GRAIN
        best = self._lattices.best(log_probs)
        length = int(self._weights[best.words].sum())
        totals = self._lattices.forward(log_probs)[self._lattices.last]
        likelihood = float(np.dot(totals, self._weights))
        return Round(self._texts, self._singles, log_probs, pruned, losses, likelihood, length)

    def _estimate(self) -> list[str]:
        """Run one round of expectation and maximization; return the pieces that all but vanish."""
        expected, _ = self._lattices.expected(self._log_probs, self._weights.astype(np.float64))
        stays = expected >= _LEAST_EXPECTED
        stays[: self._singles] = True
        gone = [self._texts[i] for i in np.flatnonzero(~stays).tolist()]
        self._keep(np.flatnonzero(stays))
        # The Bayesian estimate of Liang and Klein 2007 takes a little from rare pieces.
        counts = np.maximum(expected[stays], _LEAST_EXPECTED / 10)
        self._log_probs = _digamma(counts) - _digamma(counts.sum(keepdims=True))
        return gone

    def _prune(self, wanted: int) -> tuple[list[str], Floats]:
        """Drop the pieces whose loss is least: a quarter of them, or fewer when the size is near."""
        target = max(wanted, int(len(self._texts) * _KEPT_A_ROUND))
        loss, needed = self._losses()
        order = np.lexsort((np.arange(len(loss)), -loss, ~needed))
        stays = np.sort(order[: max(target, int(needed.sum()))])
        gone = np.setdiff1d(np.arange(len(self._texts)), stays, assume_unique=True)
        texts = [self._texts[i] for i in gone.tolist()]
        losses = loss[gone]
        self._keep(stays)
        self._log_probs = self._log_probs[stays]
        return texts, np.where(np.isfinite(losses), losses, np.nan)

    def _losses(self) -> tuple[Floats, np.ndarray[tuple[int], np.dtype[np.bool_]]]:
        """Work out what each piece is worth.

        Without a piece, each of its uses on a best path becomes the best path through the piece itself.

        Returns:
            float64[pieces], nats, -inf for a piece that no best path uses; and bool[pieces], which must stay: single
            characters, and what nothing else can spell.
        """
        best = self._lattices.best(self._log_probs)
        used = np.bincount(best.pieces, self._weights[best.words], len(self._texts))
        index = {text: i for i, text in enumerate(self._texts)}
        alternative = lattices(self._texts, index, self._longest).without_whole().best(self._log_probs)
        parts = np.bincount(alternative.words, minlength=len(self._texts)).astype(np.float64)
        total = used.sum()
        with np.errstate(divide="ignore", invalid="ignore"):
            here = np.log(used) - np.log(total)
            other = np.bincount(
                alternative.words,
                np.log(used[alternative.pieces] + used[alternative.words]),
                len(self._texts),
            ) - parts * np.log(total + used * (parts - 1))
            loss = used * (here - other)
        loss[used == 0] = -np.inf
        # A piece that its own parts beat is never on a best path, so it goes whatever its count says.
        loss[alternative.scores > self._log_probs] = -np.inf
        needed = np.isneginf(alternative.scores) & (used > 0)
        needed[: self._singles] = True
        loss[needed] = np.inf
        return loss, needed

    def _finish(self) -> tuple[list[str], Floats]:
        """Cut to the size by probability; single characters stay."""
        stays = _first(self._log_probs, self._singles, max(self.size, self._singles))
        gone = np.setdiff1d(np.arange(len(self._texts)), stays, assume_unique=True)
        texts = [self._texts[i] for i in gone.tolist()]
        self._keep(stays)
        self._log_probs = self._log_probs[stays]
        return texts, np.full(len(texts), np.nan)

    def _keep(self, stays: Ints) -> None:
        renamed = np.full(len(self._texts), -1, np.int64)
        renamed[stays] = np.arange(len(stays))
        self._texts = [self._texts[i] for i in stays.tolist()]
        self._lattices = self._lattices.keep(renamed)


def _first(score: Floats, singles: int, size: int) -> Ints:
    """Choose the single characters and the best of the rest, `size` in all, in their old order; ties by old order."""
    rest = np.argsort(-score[singles:], kind="stable")[: max(size - singles, 0)] + singles
    return np.concatenate([np.arange(singles), np.sort(rest)])


def _normalized(weights: Floats) -> Floats:
    logs: Floats = np.log(weights / weights.sum() if len(weights) else weights)
    return logs


def _digamma(x: Floats) -> Floats:
    """Return the derivative of log gamma.

    Source: the recurrence and the asymptotic series of Abramowitz and Stegun 1964, 6.3.5 and 6.3.18.
    """
    x = x.copy()
    result = np.zeros_like(x)
    for _ in range(16):  # up to where the series holds to 1e-13
        small = x < 16
        result[small] -= 1 / x[small]
        x[small] += 1
    inverse = 1 / (x * x)
    series = inverse * (1 / 12 - inverse * (1 / 120 - inverse * (1 / 252 - inverse / 240)))
    digamma: Floats = result + np.log(x) - 0.5 / x - series
    return digamma
