"""Splitting long texts for compiled loops, without an object a word where the loops know the split.

Import this only after `engine.kernels.serve` has said yes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from engine.alignment import Span, byte_spans, byte_starts
from engine.counts import PreTokenCounts
from engine.kernels import splitting
from engine.model import Parts
from engine.pre_tokenizers import PRE_TOKENIZERS, PreTokenizer, Tiles, Usually, marked_words
from engine.span_counter import SpanCounter
from engine.text_parts import BLOCK, KINDS, PADDING, TextParts, padded
from engine.unicode_classes import table

_NAMES = {PRE_TOKENIZERS[name].split: name for name in KINDS if name in PRE_TOKENIZERS} | {marked_words: "marked-words"}
"""Splits that compiled loops know; a file may say the same one, whatever it is called there."""


def split(text: str, pre_tokenizer: PreTokenizer) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """Return a text in UTF-8, with 16 spare bytes, and its pre-tokens in bytes of it: int64[m, 2]."""
    raw = padded(text.encode())
    name = _name(pre_tokenizer, [text])
    if name is None:
        return raw, _found(text, pre_tokenizer.split)
    spans = list(_blocks(raw, len(raw) - PADDING, KINDS[name]))
    return raw, np.concatenate(spans) if spans else np.empty((0, 2), np.int64)


def in_parts(text: str, pre_tokenizer: PreTokenizer) -> Parts | None:
    """Return the same some at a time, so that it is read while it is near; None if loops do not know the split."""
    name = _name(pre_tokenizer, [text])
    return None if name is None else TextParts(name).of(text)


def _found(text: str, find: Callable[[str], list[Span]]) -> NDArray[np.int64]:
    if isinstance(find, Tiles):
        return sliding_window_view(byte_starts(text)[find.edges(text)], 2).copy()
    return byte_spans(text, find(text))


def _blocks(raw: NDArray[np.uint8], stop: int, kind: int) -> Iterator[NDArray[np.int64]]:
    block = np.empty((min(BLOCK, max(stop, 1)), 2), np.int64)
    start = 0
    while start < stop:
        many, start = splitting.split(raw, start, stop, kind, table(), block)
        yield block[:many].copy()


def counted(texts: Sequence[str], pre_tokenizer: PreTokenizer) -> PreTokenCounts:
    """Count the pre-tokens of texts."""
    name = _name(pre_tokenizer, texts)
    if name is None:
        find = pre_tokenizer.split
        return PreTokenCounts.of(Counter(text[start:stop] for text in texts for start, stop in find(text)))
    counter = SpanCounter(name)
    for text in texts:
        for _ in counter.add(text):
            pass
    return counter.result()


def _name(pre_tokenizer: PreTokenizer, texts: Sequence[str]) -> str | None:
    """Return the name by which compiled loops know the split of some texts; None if they do not."""
    split = pre_tokenizer.split
    if not isinstance(split, Usually):
        return _NAMES.get(split)
    serving = {split.on(text) for text in texts}
    return _NAMES.get(serving.pop()) if len(serving) == 1 else None
