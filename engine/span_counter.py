"""Counting pre-tokens in compiled loops, in memory that grows with the number of different ones."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from engine.alignment import repair
from engine.counts import PreTokenCounts
from engine.kernels import counting, splitting, str_to_utf8
from engine.room import larger
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
    "dummy-prefix-whole": splitting.WHOLE,
    "marked-words": splitting.MARKED_WORDS,
    "glassllm": splitting.GLASSLLM,
}
"""The splits by their numbers in compiled loops."""

PADDING: Final = 16
"""Bytes behind a text that compiled loops may read."""

_PART = 1 << 16  # code points of a text that become UTF-8, which is read while it is near
_BLOCK = 1 << 14  # spans that are found, then counted, while they are near
_ONE: Final = np.ones(1, np.int64)


class SpanCounter:
    """The distinct pre-tokens of a corpus so far, in order of first appearance."""

    def __init__(self, split: str) -> None:
        """Count nothing yet; `split` is one of `KINDS`."""
        self._kind = KINDS[split]
        self._classes = table()
        self._raw = np.empty(0, np.uint8)  # UTF-8; its memory serves again
        self._spans = np.empty((_BLOCK, 2), np.int64)
        self._slots = np.zeros(1 << 15, np.uint64)
        self._records = np.empty((1 << 12, 4), np.uint64)
        self._arena = np.empty(1 << 16, np.uint8)
        self._state = np.zeros(2, np.int64)

    def add(self, text: str) -> Iterator[int]:
        """Repair, split and count a text that is normalized; yield from time to time the code points that are read."""
        at = held = 0
        while at < len(text):
            stop = min(at + max(_PART, held), len(text))
            self._make_room(held, held + 4 * (stop - at))
            end = str_to_utf8.write(text, at, stop, self._raw, held)
            if end < 0:  # what was read before stays as it is
                text = repair(text)
                continue
            start = self._count_part(end, stop == len(text))
            held, at = end - start, stop
            self._raw[:held] = self._raw[start:end]
            yield at

    def _count_part(self, stop: int, last: bool) -> int:
        """Split and count the text that is held, up to where more of it might change a pre-token; return that place."""
        start = 0
        more = True
        while more:
            many, end = splitting.split(self._raw, start, stop, self._kind, self._classes, self._spans)
            more = end < stop
            if not (more or last):
                many = max(many - splitting.UNSURE, 0)
                end = int(self._spans[many, 0]) if many else start
            self._count(self._raw, self._spans, many, _ONE)
            start = end
        return start

    def _make_room(self, held: int, size: int) -> None:
        """Make room for `size` bytes of text, of which some are held."""
        if size + PADDING > len(self._raw):
            self._raw = larger(self._raw, held, 2 * size + PADDING)

    def merge(self, other: PreTokenCounts) -> None:
        """Add counts that were made elsewhere."""
        starts = np.concatenate([[0], other.stops])[: len(other)]
        spans = np.ascontiguousarray(np.stack([starts, other.stops], axis=1))
        self._count(padded(other.raw), spans, len(other), other.counts)

    def result(self) -> PreTokenCounts:
        """Return what was counted; the counter may go on."""
        words, size = self._state.tolist()
        counts, stops = (self._records[:words, column].astype(np.int64) for column in (2, 3))
        return PreTokenCounts(self._arena[:size].copy(), stops, counts)

    def _count(self, raw: NDArray[np.uint8], spans: Ints, many: int, weights: Ints) -> None:
        done = 0
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


def padded(text: bytes | NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Copy UTF-8 into an array with the padding that compiled loops may read."""
    raw = np.empty(len(text) + PADDING, np.uint8)
    raw[: len(text)] = np.frombuffer(text, np.uint8)
    raw[len(text) :] = 0
    return raw
