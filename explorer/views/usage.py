"""How a vocabulary is made up, and how much of it a corpus uses."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from explorer.views.vocabulary import SCRIPT_NAMES, Table

LONGEST_BAR = 24
"""Lengths from here on share one bar."""

_POINTS = 200


@dataclass(frozen=True)
class Usage:
    """What a corpus uses of a vocabulary.

    Attributes:
        pieces: Pieces in all.
        used: Pieces that stand in the corpus at least once.
        tokens: Tokens of the corpus.
        half: How many of the most frequent pieces make up half of its tokens.
        once: Pieces that stand in it once.
    """

    pieces: int
    used: int
    tokens: int
    half: int
    once: int


def usage(counts: NDArray[np.int64]) -> Usage:
    """Measure the use of a vocabulary from the count of each piece.

    >>> usage(np.array([6, 3, 1, 0]))
    Usage(pieces=4, used=3, tokens=10, half=1, once=1)
    """
    tokens = int(counts.sum())
    falling = np.cumsum(np.sort(counts)[::-1])
    half = int(np.searchsorted(falling, tokens / 2)) + 1 if tokens else 0
    return Usage(len(counts), int((counts > 0).sum()), tokens, half, int((counts == 1).sum()))


def zipf(counts: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return rank and count of the pieces that are used, most frequent first: int64[m] each.

    Of many ranks about 200 are kept, evenly on a log axis, the first and the last among them.

    Source: Zipf 1949, Human Behavior and the Principle of Least Effort: count falls about as 1 / rank.
    """
    falling = np.sort(counts[counts > 0])[::-1]
    if not len(falling):
        return np.zeros(0, np.int64), falling
    kept = np.unique(np.round(np.geomspace(1, len(falling), _POINTS)).astype(np.int64))
    return kept, falling[kept - 1]


def lengths(made: Table) -> list[tuple[str, int]]:
    """Count pieces by their length in bytes, special tokens left out; the last bar holds all longer ones."""
    plain = np.minimum(made.bytes[~made.special], LONGEST_BAR)
    bars = np.bincount(plain, minlength=1).tolist()
    names = [str(length) if length < LONGEST_BAR else f"{LONGEST_BAR}+" for length in range(len(bars))]
    return [(name, bar) for name, bar in zip(names, bars, strict=True) if name != "0" or bar]


def scripts(made: Table) -> list[tuple[str, int]]:
    """Count pieces by script, special tokens left out, the most frequent first."""
    places, number = np.unique(made.scripts[~made.special], return_counts=True)
    found = [(SCRIPT_NAMES[place], count) for place, count in zip(places.tolist(), number.tolist(), strict=True)]
    return sorted(found, key=lambda pair: -pair[1])
