"""A passage as one tokenizer reads it, and how far a measure of it can be trusted.

The units of a passage (articles, lines) are drawn anew, with replacement, and the measure is taken of every draw: the
middle 95 % of what comes out is its interval.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from engine.encoding import Encoding
from engine.passages import Passage
from engine.tokenizer import Tokenizer

Draws: TypeAlias = NDArray[np.int64]
"""How often each unit counts: int64[units], or int64[times, units] for many draws at once."""
Values: TypeAlias = NDArray[np.float64]
"""A number, or one for each draw: float64[] or float64[times]; NaN where nothing can be measured."""

TIMES = 1000


class Estimate(NamedTuple):
    """A measured value with the ends of its 95 % interval, in the unit of the measure."""

    value: float
    low: float
    high: float


@dataclass(frozen=True, eq=False)
class Sample:
    """A passage as one tokenizer reads it.

    Attributes:
        passage: The text, in units.
        ids: int32[n], one a token; -1 for a word that a word tokenizer has never seen.
        spans: int64[n, 2], UTF-8 bytes of the text behind each token.
        vocab_size: Number of ids that the tokenizer has.
    """

    passage: Passage
    ids: NDArray[np.int32]
    spans: NDArray[np.int64]
    vocab_size: int

    @classmethod
    def of(cls, tokenizer: Tokenizer, passage: Passage) -> Sample:
        """Encode a passage as one text, without the special tokens around it."""
        return cls.from_encoding(tokenizer.encode(passage.text), passage)

    @classmethod
    def from_encoding(cls, encoding: Encoding, passage: Passage | None = None) -> Sample:
        """Take an encoding that is there already; without a passage its text is one unit."""
        passage = passage or Passage.of([encoding.text])
        return cls(passage, encoding.ids, encoding.spans, len(encoding.vocabulary))

    @property
    def once(self) -> Draws:
        """The draw in which every unit counts once: int64[units]."""
        return np.ones(len(self.passage.units), np.int64)

    @cached_property
    def units(self) -> NDArray[np.int64]:
        """The unit in which each token begins: int64[n]."""
        return self.passage.unit_of(self.spans[:, 0])

    @cached_property
    def tokens(self) -> NDArray[np.int64]:
        """Tokens of each unit: int64[units]."""
        return np.bincount(self.units, minlength=len(self.passage.units))

    @cached_property
    def token_counts(self) -> NDArray[np.int64]:
        """How often each different token stands in each unit: int64[units, different tokens]."""
        different, which = np.unique(self.ids, return_inverse=True)
        return table(self.units, which, len(self.passage.units), len(different))

    @cached_property
    def word_tokens(self) -> NDArray[np.int64]:
        """Tokens that share a byte with each word: int64[words]; an end-of-word symbol behind it counts too."""
        first, last = self._touched
        ends = np.sort(self.spans[self.spans[:, 0] == self.spans[:, 1], 0])
        stops = self.passage.words[:, 1]
        marks = np.searchsorted(ends, stops, "right") - np.searchsorted(ends, stops, "left")
        return np.asarray(np.maximum(last - first, 0) + marks)

    @cached_property
    def kept_words(self) -> NDArray[np.bool_]:
        """Whether each word is one token, which has no part in another word: bool[words]."""
        first, last = self._touched
        apart = np.ones(len(first), np.bool_)
        shared = last[:-1] > first[1:]
        apart[:-1] &= ~shared
        apart[1:] &= ~shared
        return np.asarray(apart & (self.word_tokens == 1))

    @cached_property
    def word_units(self) -> NDArray[np.int64]:
        """The unit of each word: int64[words]."""
        return self.passage.unit_of(self.passage.words[:, 0])

    @cached_property
    def _touched(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The first token of each word, and the one after its last."""
        words = self.passage.words
        first = np.searchsorted(self.spans[:, 1], words[:, 0], "right")
        return first, np.searchsorted(self.spans[:, 0], words[:, 1], "left")


Measure: TypeAlias = Callable[[Sample, Draws], Values]


def draws(units: int, times: int = TIMES, seed: int = 0) -> Draws:
    """Draw units with replacement, as many as there are, many times: how often each was drawn, int64[times, units].

    Source: Efron 1979, "Bootstrap methods". The same seed gives the same draws, so measures are drawn together.
    """
    return np.random.default_rng(seed).multinomial(units, np.full(units, 1 / units), size=times)


def interval(values: Values) -> tuple[float, float]:
    """Return the ends of the 95 % interval of values that were drawn: their percentiles 2.5 and 97.5."""
    known = values[~np.isnan(values)]
    if not len(known):
        return float("nan"), float("nan")
    low, high = np.percentile(known, [2.5, 97.5])
    return float(low), float(high)


def estimate(measure: Measure, sample: Sample, times: int = TIMES, seed: int = 0) -> Estimate:
    """Take a measure of a sample, with its 95 % interval over the units of the passage.

    A passage of one unit has no interval: both ends are the value.

    >>> from engine.hand import from_merges
    >>> sample = Sample.of(from_merges("bytes", [("a", "b")]), Passage.of(["abab", "abcc"]))
    >>> estimate(lambda sample, draws: draws @ sample.tokens, sample)
    Estimate(value=6.0, low=6.0, high=6.0)
    """
    value = float(measure(sample, sample.once))
    units = len(sample.passage.units)
    if units == 1:
        return Estimate(value, value, value)
    return Estimate(value, *interval(measure(sample, draws(units, times, seed))))


def table(rows: NDArray[np.int64], columns: NDArray[np.int64], height: int, width: int) -> NDArray[np.int64]:
    """Count pairs of a row and a column: int64[height, width]."""
    return np.bincount(rows * width + columns, minlength=height * width).reshape(height, width)
