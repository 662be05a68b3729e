"""A counted corpus as arrays: what the compiled loops read, and a mapping for everybody else."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from itertools import pairwise
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from engine.room import starts_of_code_points, to_code_points

Ints: TypeAlias = NDArray[np.int64]


class PreTokenCounts(Mapping[str, int]):
    """How often each pre-token stands, in order of first appearance.

    Attributes:
        raw: uint8[n], the UTF-8 of all pre-tokens, one after another.
        stops: int64[words], where each of them stops in `raw`.
        counts: int64[words].

    >>> counts = PreTokenCounts.of({"so": 2, "é": 1})
    >>> counts.stops.tolist(), counts["é"], dict(counts)
    ([2, 4], 1, {'so': 2, 'é': 1})
    """

    def __init__(self, raw: NDArray[np.uint8], stops: Ints, counts: Ints) -> None:
        """Take the arrays as they are; no pre-token may stand in them twice."""
        self.raw = raw
        self.stops = stops
        self.counts = counts

    @classmethod
    def of(cls, counts: Mapping[str, int]) -> PreTokenCounts:
        """Lay out a mapping; one that is laid out already is returned as it is."""
        if isinstance(counts, cls):
            return counts
        words = [word.encode() for word in counts]
        stops = np.cumsum(np.fromiter(map(len, words), np.int64, len(words)))
        return cls(np.frombuffer(b"".join(words), np.uint8), stops, np.fromiter(counts.values(), np.int64, len(words)))

    def code_points(self) -> tuple[NDArray[np.uint32], Ints]:
        """Return uint32[n], the code points of all pre-tokens, and int64[words], where each stops among them."""
        return to_code_points(self.raw), self._stops_in_code_points()

    def pairs(self) -> Iterator[tuple[str, int]]:
        """Yield each pre-token with its count."""
        text = self.raw.tobytes().decode()
        bounds = pairwise([0, *self._stops_in_code_points().tolist()])
        return zip((text[start:stop] for start, stop in bounds), self.counts.tolist(), strict=True)

    def letters(self) -> tuple[set[str], set[str]]:
        """Return the characters that start a pre-token, and those that stand behind another one."""
        points, stops = self.code_points()
        firsts = np.concatenate([[0], stops[:-1]])[np.diff(stops, prepend=0) > 0]
        behind = np.ones(len(points), np.bool_)
        behind[firsts] = False
        return _different(points[firsts]), _different(points[behind])

    def __getitem__(self, word: str) -> int:
        return self._as_dict[word]

    def __iter__(self) -> Iterator[str]:
        return iter(self._as_dict)

    def __len__(self) -> int:
        return len(self.stops)

    def _stops_in_code_points(self) -> Ints:
        return np.searchsorted(starts_of_code_points(self.raw), self.stops)

    @cached_property
    def _as_dict(self) -> dict[str, int]:
        return dict(self.pairs())


def _different(points: NDArray[np.uint32]) -> set[str]:
    seen = np.zeros(int(points.max(initial=0)) + 1, np.bool_)
    seen[points] = True
    return set(map(chr, np.flatnonzero(seen).tolist()))
