"""Where several tokenizers cut the same text differently."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

import engine


@dataclass(frozen=True)
class Disagreements:
    """The boundaries that not all readings of a text have.

    Attributes:
        cuts: Bytes of the text at which some reading has a boundary and another has none, rising.
        places: Spans in bytes between two boundaries that all have, in which there is at least one of the cuts.
    """

    cuts: list[int]
    places: list[tuple[int, int]]


@dataclass(frozen=True, eq=False)
class _Cuts:
    """The boundaries of one reading of a text of n bytes.

    Attributes:
        edges: bool[n + 1], a token starts or stops here.
        inside: bool[n + 1], a token has bytes on both sides and no boundary here.
        gap: bool[n + 1], this lies in a gap that no token covers, its ends included.
        gaps: int64[m, 2], those gaps.
    """

    edges: NDArray[np.bool_]
    inside: NDArray[np.bool_]
    gap: NDArray[np.bool_]
    gaps: NDArray[np.int64]


def disagreements(encodings: Sequence[engine.Encoding]) -> Disagreements:
    """Compare readings of one text.

    A gap, such as a space that a tokenizer drops, agrees with a boundary anywhere in it.

    >>> import engine
    >>> left = engine.from_merges("bytes", [("a", "b")]).encode("abab c")
    >>> right = engine.from_merges("bytes", [("b", "a")]).encode("abab c")
    >>> disagreements([left, right])
    Disagreements(cuts=[1, 2, 3], places=[(0, 4)])
    """
    if len(encodings) < 2:
        return Disagreements([], [])
    size = len(encodings[0].text.encode())
    readings = [_cuts(encoding.spans, size) for encoding in encodings]
    hard = np.any([reading.edges & ~reading.gap for reading in readings], axis=0)
    differs = hard & np.any([reading.inside for reading in readings], axis=0)
    for reading in readings:
        inner = reading.gaps[(reading.gaps[:, 0] > 0) & (reading.gaps[:, 1] < size)]
        for other in readings:
            before = np.concatenate([[0], np.cumsum(other.edges | other.gap)])
            none = before[inner[:, 1] + 1] == before[inner[:, 0]]
            differs[inner[none, 1]] = True
    agreed = np.all([reading.edges | reading.gap for reading in readings], axis=0) & ~differs
    agreed[[0, -1]] = True
    differs[[0, -1]] = False
    edges = np.flatnonzero(agreed)
    cuts = np.flatnonzero(differs)
    places = np.unique(np.searchsorted(edges, cuts))
    return Disagreements(cuts.tolist(), list(zip(edges[places - 1].tolist(), edges[places].tolist(), strict=True)))


def _cuts(spans: NDArray[np.int64], size: int) -> _Cuts:
    wide = spans[spans[:, 1] > spans[:, 0]]
    edges = np.zeros(size + 1, np.bool_)
    edges[wide.ravel()] = True
    change = np.zeros(size + 2, np.int64)
    np.add.at(change, wide[:, 0] + 1, 1)
    np.add.at(change, wide[:, 1], -1)
    inside = (np.cumsum(change)[: size + 1] > 0) & ~edges
    covered = np.zeros(size + 2, np.int64)
    np.add.at(covered, wide[:, 0] + 1, 1)
    np.add.at(covered, wide[:, 1] + 1, -1)
    bare = np.cumsum(covered)[1 : size + 1] == 0  # by byte
    turns = np.diff(np.concatenate([[0], bare.astype(np.int8), [0]]))
    gaps = np.stack([np.flatnonzero(turns == 1), np.flatnonzero(turns == -1)], axis=1).astype(np.int64)
    gap = np.zeros(size + 1, np.bool_)
    gap[:-1] |= bare
    gap[1:] |= bare
    return _Cuts(edges, inside, gap, gaps)
