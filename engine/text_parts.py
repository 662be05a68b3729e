"""Splitting texts in compiled loops, a part at a time, so that each step reads it while it is near.

Import this only after `engine.kernels.serve` has said yes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.alignment import repair
from engine.kernels import split_rules, splitting, str_to_utf8
from engine.model import Part
from engine.room import larger
from engine.unicode_classes import table

KINDS: Final = {
    "whole": split_rules.WHOLE,
    "whitespace": split_rules.WHITESPACE,
    "lines": split_rules.LINES,
    "gpt2": split_rules.GPT2,
    "cl100k": split_rules.CL100K,
    "o200k": split_rules.O200K,
    "qwen": split_rules.QWEN,
    "tekken": split_rules.TEKKEN,
    "bert": split_rules.BERT,
    "clip": split_rules.CLIP,
    "digits": split_rules.DIGITS,
    "metaspace": split_rules.METASPACE,
    "dummy-prefix": split_rules.METASPACE,
    "dummy-prefix-whole": split_rules.WHOLE,
    "marked-words": split_rules.MARKED_WORDS,
    "glassllm": split_rules.GLASSLLM,
}
"""The splits by their numbers in compiled loops."""

PADDING: Final = 16
"""Bytes behind a text that compiled loops may read."""

BLOCK: Final = 1 << 14
"""Spans that are found before they are read, 256 kB of them."""

_PART = 1 << 17  # code points of a text that become UTF-8


class TextParts:
    """Texts in parts, each in UTF-8 with its pre-tokens; one memory serves all of them.

    Attributes:
        read: Code points of the text that are split so far, but for what the next part may change.
    """

    def __init__(self, split: str) -> None:
        """Prepare for texts that are split by one of `KINDS`."""
        self.read = 0
        self._kind = KINDS[split]
        self._classes = table()
        self._raw = np.empty(0, np.uint8)
        self._spans = np.empty((BLOCK, 2), np.int64)

    def of(self, text: str) -> Iterator[Part]:
        """Repair a text that is normalized, and split it.

        Yields:
            UTF-8 with `PADDING` spare bytes behind it, and pre-tokens in bytes of it.
        """
        self.read = held = 0
        while self.read < len(text):
            stop = min(self.read + max(_PART, held), len(text))
            self._make_room(held, held + 4 * (stop - self.read))
            end = str_to_utf8.write(text, self.read, stop, self._raw, held)
            if end < 0:  # what was read before stays as it is
                text = repair(text)
                continue
            start, more = 0, True
            while more:
                many, behind = splitting.split(self._raw, start, end, self._kind, self._classes, self._spans)
                more = behind < end
                if not more and stop < len(text):  # more of the text might change the last ones
                    many = max(many - splitting.UNSURE, 0)
                    behind = int(self._spans[many, 0]) if many else start
                yield self._raw, self._spans[:many]
                start = behind
            held, self.read = end - start, stop
            self._raw[:held] = self._raw[start:end]

    def of_several(self, texts: Sequence[str]) -> Iterator[Part]:
        """Do the same with small texts, each split by itself: a call for each would take longer than its work."""
        joined = "".join(texts)
        sizes = np.fromiter(map(len, texts), np.int64, len(texts))
        self._make_room(0, 4 * len(joined))
        stops = np.empty(len(texts), np.int64)
        if str_to_utf8.write_several(joined, sizes, self._raw, stops) < 0:
            yield from self.of_several([repair(text) for text in texts])  # a pair of surrogates stands in one text
            return
        text = start = 0
        while text < len(texts):
            many, text, start = splitting.split_several(
                self._raw, stops, text, start, self._kind, self._classes, self._spans
            )
            yield self._raw, self._spans[:many]

    def _make_room(self, held: int, size: int) -> None:
        """Make room for `size` bytes of text, of which some are held."""
        if size + PADDING > len(self._raw):
            self._raw = larger(self._raw, held, 2 * size + PADDING)


def padded(text: bytes | NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Copy UTF-8 into an array with the padding that compiled loops may read."""
    raw = np.empty(len(text) + PADDING, np.uint8)
    raw[: len(text)] = np.frombuffer(text, np.uint8)
    raw[len(text) :] = 0
    return raw
