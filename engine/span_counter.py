"""Counting pre-tokens in compiled loops, in memory that grows with the number of different ones."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from engine.counts import PreTokenCounts
from engine.kernels import counting
from engine.room import larger
from engine.text_parts import TextParts, padded

Ints: TypeAlias = NDArray[np.int64]

_SMALL = 1 << 14  # code points; smaller texts wait until they are
_ENOUGH = 1 << 17
_ONE: Final = np.ones(1, np.int64)


class SpanCounter:
    """The distinct pre-tokens of a corpus so far, in order of first appearance."""

    def __init__(self, split: str) -> None:
        """Count nothing yet; `split` is one of `text_parts.KINDS`."""
        self._parts = TextParts(split)
        self._waiting: list[str] = []
        self._size = 0  # code points that wait
        self._slots = np.zeros(1 << 15, np.uint64)
        self._records = np.empty((1 << 12, 4), np.uint64)
        self._arena = np.empty(1 << 16, np.uint8)
        self._state = np.zeros(2, np.int64)

    def add(self, text: str) -> Iterator[int]:
        """Repair, split and count a text that is normalized; yield from time to time the code points that are read."""
        if len(text) < _SMALL:
            self._waiting.append(text)
            self._size += len(text)
            if self._size >= _ENOUGH:
                self._catch_up()
                yield len(text)
            return
        self._catch_up()
        for raw, spans in self._parts.of(text):
            self._count(raw, spans, _ONE)
            yield self._parts.read

    def _catch_up(self) -> None:
        """Count the small texts that wait."""
        if self._waiting:
            for raw, spans in self._parts.of_several(self._waiting):
                self._count(raw, spans, _ONE)
            self._waiting, self._size = [], 0

    def merge(self, other: PreTokenCounts) -> None:
        """Add counts that were made elsewhere."""
        self._catch_up()
        starts = np.concatenate([[0], other.stops])[: len(other)]
        spans = np.ascontiguousarray(np.stack([starts, other.stops], axis=1))
        self._count(padded(other.raw), spans, other.counts)

    def result(self) -> PreTokenCounts:
        """Return what was counted; the counter may go on."""
        self._catch_up()
        words, size = self._state.tolist()
        counts, stops = (self._records[:words, column].astype(np.int64) for column in (2, 3))
        return PreTokenCounts(self._arena[:size].copy(), stops, counts)

    def _count(self, raw: NDArray[np.uint8], spans: Ints, weights: Ints) -> None:
        done, many = 0, len(spans)
        while True:
            done = counting.count(raw, spans, done, many, weights, self._slots, self._records, self._arena, self._state)
            if done == many:
                return
            size = spans[min(done + counting.BATCH, many) - 1, 1] - spans[done, 0]
            self._grow(int(size) + counting.SLACK)

    def _grow(self, size: int) -> None:
        """Make room for a batch of pre-tokens that hold `size` bytes in all."""
        words, taken = self._state.tolist()
        if taken + size > len(self._arena):
            self._arena = larger(self._arena, taken, 2 * (taken + size))
        if words + counting.BATCH > len(self._records):
            self._records = larger(self._records, words, 2 * len(self._records))
        if 2 * (words + counting.BATCH) > len(self._slots):
            old = self._slots
            self._slots = np.zeros(2 * len(old), np.uint64)
            counting.rehash(old, self._slots)
