"""A passage as one tokenizer reads it, and how far a measure of it can be trusted.

The units of a passage (articles, lines) are drawn anew, with replacement, and the measure is taken of every draw: the
middle 95 % of what comes out is its interval.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from engine.encoding import UNKNOWN_ID, Encoding
from engine.passages import Passage
from engine.tokenizer import Tokenizer

Draws: TypeAlias = NDArray[np.int64] | NDArray[np.int32]
"""How often each unit counts: int64[units], or int32[times, units] for many draws at once."""
Values: TypeAlias = NDArray[np.float64]
"""A number, or one for each draw: float64[] or float64[times]; NaN where nothing can be measured."""

TIMES = 1000

_SLICE = 50
"""Draws that are turned into wider numbers at a time: many units by many draws take much memory."""

_CELLS = 1 << 20
"""Counts that are made at a time: 8 MB."""


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
        return cls.from_encoding(tokenizer.encode(passage.text, placed=True), passage, tokenizer.model.unknown)

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

    def token_counts(self, draws: Draws) -> Iterator[Values]:
        """Count each different token, in order of their ids, as often as its unit was drawn; see `counted`."""
        different, which = np.unique(self.ids, return_inverse=True)
        units = np.repeat(np.arange(len(self.tokens)), self.tokens)
        return counted(draws, units, which, len(different))


Measure: TypeAlias = Callable[[Sample, Draws], Values]


def draws(units: int, times: int = TIMES, seed: int = 0) -> Draws:
    """Draw units with replacement, as many as there are, many times: how often each was drawn, int32[times, units].

    Source: Efron 1979, "Bootstrap methods". The same seed gives the same draws, so measures are drawn together. The
    last ones are kept, as they are the same for every tokenizer and language.
    """
    return _draws(units, times, seed)


@lru_cache(maxsize=1)
def _draws(units: int, times: int, seed: int) -> Draws:
    random = np.random.default_rng(seed)
    drawn = np.empty((times, units), np.int32)
    for start in range(0, times, _SLICE):
        drawn[start : start + _SLICE] = random.multinomial(units, np.full(units, 1 / units), min(_SLICE, times - start))
    drawn.setflags(write=False)
    return drawn


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
    weights = values.astype(np.float64)
    if draws.ndim == 1:
        return np.asarray(draws.astype(np.float64) @ weights)
    slices = (draws[start : start + _SLICE] for start in range(0, len(draws), _SLICE))
    return np.concatenate([drawn.astype(np.float64) @ weights for drawn in slices])


def counted(draws: Draws, rows: NDArray[np.int64], columns: NDArray[np.int64], width: int) -> Iterator[Values]:
    """Count kinds of things as often as the units that they stand in were drawn; exact below 2^53.

    Args:
        draws: How often each unit counts.
        rows: The unit of each thing: int64[things].
        columns: The kind of each thing: int64[things].
        width: How many kinds there are.

    Yields:
        The counts, float64[width]; of many draws those of some at a time, float64[some, width], in their order. A
        thousand draws of a long text with all its words would not fit into memory.

    >>> [counts.tolist() for counts in counted(np.array([1, 2]), np.array([0, 0, 1]), np.array([0, 1, 1]), 2)]
    [[1.0, 3.0]]
    """
    if draws.ndim == 1:
        yield np.bincount(columns, draws[rows], width).astype(np.float64)
        return
    pairs, times = np.unique(rows * width + columns, return_counts=True)  # most units have few of the kinds
    units, kinds = np.divmod(pairs, max(width, 1))
    some = min(_SLICE, max(1, _CELLS // max(width, 1)))
    for start in range(0, len(draws), some):
        counts = np.empty((len(draws[start : start + some]), width))
        for row, drawn in zip(counts, draws[start : start + some], strict=True):
            row[:] = np.bincount(kinds, drawn[units] * times, width)
        yield counts


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
