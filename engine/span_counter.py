"""Counting pre-tokens in compiled loops, in memory that grows with the number of different ones."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from engine.counts import PreTokenCounts
from engine.kernels import counting, splitting
from engine.unicode_classes import table

Ints: TypeAlias = NDArray[np.int64]

KINDS: Final = {
    "whole": splitting.WHOLE,
    "whitespace": splitting.WHITESPACE,
    "lines": splitting.LINES,
    "gpt2": splitting.GPT2,
    "cl100k": splitting.CL100K,
    "o200k": splitting.O200K,
    "qwen": splitting.QWEN,
    "tekken": splitting.TEKKEN,
    "bert": splitting.BERT,
    "clip": splitting.CLIP,
    "digits": splitting.DIGITS,
    "metaspace": splitting.METASPACE,
    "dummy-prefix": splitting.METASPACE,
}
"""The splits by their numbers in compiled loops."""

PADDING: Final = 16
"""Bytes behind a text that compiled loops may read."""

_BLOCK = 1 << 14  # spans that are found, then counted, while they are near
_ONE: Final = np.ones(1, np.int64)


class SpanCounter:
    """The distinct pre-tokens of a corpus so far, in order of first appearance."""

    def __init__(self, split: str) -> None:
        """Count nothing yet; `split` is one of `KINDS`."""
        self._kind = KINDS[split]
        self._classes = table()
        self._spans = np.empty((_BLOCK, 2), np.int64)
        self._slots = np.zeros((1 << 16, 4), np.uint64)
        self._arena = np.empty(1 << 16, np.uint8)
        self._stops = np.empty(1 << 12, np.int64)
        self._state = np.zeros(2, np.int64)

    def add(self, text: str) -> Iterator[int]:
        """Split and count a text that is normalized already; yield from time to time the code points that are read."""
        utf8 = text.encode()
        raw = padded(utf8)
        start, stop = 0, len(utf8)
        while start < stop:
            many, end = splitting.split(raw, start, stop, self._kind, self._classes, self._spans)
            self._count(raw, self._spans, many, end - start, _ONE)
            start = end
            yield len(text) * start // stop

    def merge(self, other: PreTokenCounts) -> None:
        """Add counts that were made elsewhere."""
        starts = np.concatenate([[0], other.stops])[: len(other)]
        spans = np.ascontiguousarray(np.stack([starts, other.stops], axis=1))
        self._count(padded(other.raw), spans, len(other), len(other.raw), other.counts)

    def result(self) -> PreTokenCounts:
        """Return what was counted; the counter may go on."""
        words, size = self._state.tolist()
        counts = np.empty(words, np.int64)
        counting.gather(self._slots, counts)
        return PreTokenCounts(self._arena[:size].copy(), self._stops[:words].copy(), counts)

    def _count(self, raw: NDArray[np.uint8], spans: Ints, many: int, size: int, weights: Ints) -> None:
        """Count spans that hold `size` bytes in all, after making room as if all were new."""
        words, taken = self._state.tolist()
        if taken + size > len(self._arena):
            self._arena.resize(max(2 * len(self._arena), taken + size), refcheck=False)
        if words + many > len(self._stops):
            self._stops.resize(max(2 * len(self._stops), words + many), refcheck=False)
        if 2 * (words + many) >= len(self._slots):
            old = self._slots
            self._slots = np.zeros((4 << (words + many).bit_length(), 4), np.uint64)
            counting.rehash(old, self._slots)
        counting.count(raw, spans, many, weights, self._slots, self._arena, self._stops, self._state)


def padded(text: bytes | NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Copy UTF-8 into an array with the padding that compiled loops may read."""
    raw = np.empty(len(text) + PADDING, np.uint8)
    raw[: len(text)] = np.frombuffer(text, np.uint8)
    raw[len(text) :] = 0
    return raw
