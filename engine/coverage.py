"""Leaving the rarest characters of a corpus out of a vocabulary, so that they do not fill it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine import kernels
from engine.counts import PreTokenCounts
from engine.room import count_values, repeated

_WORTH_ARRAYS = 20_000  # bytes of distinct pre-tokens


class Covered(NamedTuple):
    """A corpus without its rarest characters.

    Attributes:
        counts: What stands between them, pre-token -> count.
        unknown: How often one of them stands, or several in a row: as many unknown tokens the corpus has.
        bytes: How many bytes they have in UTF-8, each time they stand.
    """

    counts: Mapping[str, int]
    unknown: int
    bytes: int


def covered(counts: Mapping[str, int], coverage: float) -> Covered:
    """Keep the most frequent characters that make up a share of the corpus, and cut its pre-tokens at all others.

    Of equally frequent characters the lower code points stay.

    Source: google/sentencepiece, src/trainer_interface.cc, `LoadSentences`, which does so for `character_coverage`.

    >>> found = covered({"so": 3, "soñs": 1}, 0.8)
    >>> dict(found.counts), found.unknown, found.bytes
    ({'so': 4, 's': 1}, 1, 2)
    """
    if coverage == 1.0:
        return Covered(counts, 0, 0)
    laid_out = PreTokenCounts.of(counts)
    points, stops = laid_out.code_points()
    sizes = np.diff(stops, prepend=0)
    totals = count_values(points, repeated(laid_out.counts, sizes))
    order = np.argsort(-totals, kind="stable")
    before = np.cumsum(totals[order]) - totals[order]
    rare = np.ones(len(totals), np.bool_)
    rare[order[before < coverage * totals.sum()]] = False
    places = np.flatnonzero(rare[points])
    cut = sizes == 0  # besides few words that have one of them
    cut[np.searchsorted(stops, places, side="right")] = True
    whole, others = _chosen(laid_out, ~cut), _chosen(laid_out, cut)
    parts, unknown, size = _cut(others, ~rare)
    raw = np.concatenate([whole.raw, parts.raw])
    both = np.concatenate([whole.stops, len(whole.raw) + parts.stops])
    return Covered(_summed(PreTokenCounts(raw, both, np.concatenate([whole.counts, parts.counts]))), unknown, size)


def _chosen(counts: PreTokenCounts, which: NDArray[np.bool_]) -> PreTokenCounts:
    """Choose some of the pre-tokens."""
    sizes = np.diff(counts.stops, prepend=0)
    return PreTokenCounts(counts.raw[repeated(which, sizes)], np.cumsum(sizes[which]), counts.counts[which])


def _cut(counts: PreTokenCounts, known: NDArray[np.bool_]) -> tuple[PreTokenCounts, int, int]:
    """Cut pre-tokens at characters that are not known; return the parts and what `Covered` says of those.

    Args:
        counts: The pre-tokens.
        known: bool[code points], whether each is known.
    """
    points, stops = counts.code_points()
    sizes = np.diff(stops, prepend=0)
    weights = repeated(counts.counts, sizes)
    kept = known[points]
    last = np.zeros(len(points), np.bool_)
    last[stops[sizes > 0] - 1] = True
    widths = 1 + (points >= 0x80).astype(np.int64) + (points >= 0x800) + (points >= 0x10000)
    ends = kept & (last | ~np.append(kept[1:], False))
    alone = ~kept & (last | np.append(kept[1:], False))
    parts = PreTokenCounts(counts.raw[repeated(kept, widths)], np.cumsum(widths * kept)[ends], weights[ends])
    return parts, int(weights[alone].sum()), int((widths * weights)[~kept].sum())


def _summed(parts: PreTokenCounts) -> Mapping[str, int]:
    """Add up the counts of what stands there several times."""
    if kernels.serve(len(parts.raw), _WORTH_ARRAYS):
        from engine.span_counter import SpanCounter

        counter = SpanCounter("whole")
        counter.merge(parts)
        return counter.result()
    sums: dict[str, int] = {}
    for part, count in parts.pairs():
        sums[part] = sums.get(part, 0) + count
    return sums
