"""A passage as one tokenizer reads it, and how far a measure of it can be trusted.

The units of a passage (articles, lines) are drawn anew, with replacement, and the measure is taken of every draw: the
middle 95 % of what comes out is its interval.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from engine.encoding import UNKNOWN_ID, Encoding
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

    Spans are not kept, only what they say of units and words: a hundred languages by twelve tokenizers are 7 million
    tokens.

    Attributes:
        passage: The text, in units.
        vocab_size: Number of ids that the tokenizer has.
        ids: int32[n], one a token; -1 for a word that a word tokenizer has never seen.
        tokens: int64[units], tokens that begin in each unit.
        word_tokens: int32[words], tokens that share a byte with each word; an end-of-word symbol behind it counts too.
        kept_words: bool[words], whether each word is one token, which has no part in another word.
        unknown: int64[units], bytes of each unit that became a token for what the tokenizer does not know.
    """

    passage: Passage
    vocab_size: int
    ids: NDArray[np.int32]
    tokens: NDArray[np.int64]
    word_tokens: NDArray[np.int32]
    kept_words: NDArray[np.bool_]
    unknown: NDArray[np.int64]

    @classmethod
    def of(cls, tokenizer: Tokenizer, passage: Passage) -> Sample:
        """Encode a passage as one text, without the special tokens around it."""
        return cls.from_encoding(tokenizer.encode(passage.text), passage, tokenizer.model.unknown)

    @classmethod
    def from_encoding(cls, encoding: Encoding, passage: Passage | None = None, unknown: int | None = None) -> Sample:
        """Take an encoding that is there already.

        Args:
            encoding: The encoding.
            passage: Its text in units; None: the text is one unit.
            unknown: Id of the token for what the tokenizer does not know; -1 is one in any case.
        """
        passage = passage or Passage.of([encoding.text])
        spans, ids, count = encoding.spans, encoding.ids, len(passage.units)
        units = passage.unit_of(spans[:, 0])
        lost = ids == UNKNOWN_ID if unknown is None else (ids == unknown) | (ids == UNKNOWN_ID)
        return cls(
            passage,
            len(encoding.vocabulary),
            ids,
            np.bincount(units, minlength=count),
            *_words(spans, passage.words),
            np.bincount(units[lost], np.diff(spans[lost], axis=1)[:, 0], count).astype(np.int64),
        )

    @property
    def once(self) -> Draws:
        """The draw in which every unit counts once: int64[units]."""
        return np.ones(len(self.passage.units), np.int64)

    @property
    def token_counts(self) -> NDArray[np.int64]:
        """How often each different token stands in each unit: int64[units, different tokens]."""
        different, which = np.unique(self.ids, return_inverse=True)
        units = np.repeat(np.arange(len(self.tokens)), self.tokens)
        return table(units, which, len(self.tokens), len(different))


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


def summed(draws: Draws, values: NDArray[np.generic]) -> Values:
    """Add up values of the units as often as each was drawn; exact below 2^53, and far faster than in integers."""
    return np.asarray(draws.astype(np.float64) @ values.astype(np.float64))


def table(rows: NDArray[np.int64], columns: NDArray[np.int64], height: int, width: int) -> NDArray[np.int64]:
    """Count pairs of a row and a column: int64[height, width]."""
    return np.bincount(rows * width + columns, minlength=height * width).reshape(height, width)


def _words(spans: NDArray[np.int64], words: NDArray[np.int64]) -> tuple[NDArray[np.int32], NDArray[np.bool_]]:
    """Count the tokens of each word, and tell which words are one token of their own; spans in the same bytes."""
    starts, stops = spans[:, 0], spans[:, 1]
    first = np.searchsorted(stops, words[:, 0], "right")
    last = np.searchsorted(starts, words[:, 1], "left")
    ends = starts[starts == stops]
    marks = np.searchsorted(ends, words[:, 1], "right") - np.searchsorted(ends, words[:, 1], "left")
    counts = np.maximum(last - first, 0) + marks
    apart = np.ones(len(words), np.bool_)
    shared = last[:-1] > first[1:]
    apart[:-1] &= ~shared
    apart[1:] &= ~shared
    return counts.astype(np.int32), apart & (counts == 1)
