"""Splitting long texts for compiled loops, without an object a word where the loops know the split.

Import this only after `engine.kernels.serve` has said yes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from engine.alignment import byte_spans
from engine.counts import PreTokenCounts
from engine.kernels import splitting
from engine.pre_tokenizers import PRE_TOKENIZERS, PreTokenizer, Usually
from engine.span_counter import KINDS, SpanCounter, padded
from engine.unicode_classes import table

_BLOCK = 1 << 16
_NAMES = {PRE_TOKENIZERS[name].split: name for name in KINDS}
"""Splits that compiled loops know; a file may say the same one, whatever it is called there."""


def split(text: str, pre_tokenizer: PreTokenizer) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """Return a text in UTF-8, with 16 spare bytes, and its pre-tokens in bytes of it: int64[m, 2]."""
    utf8 = text.encode()
    raw = padded(utf8)
    name = _name(pre_tokenizer, [text])
    if name is None:
        return raw, byte_spans(text, pre_tokenizer.split(text))
    blocks = []
    start = 0
    while start < len(utf8):
        block = np.empty((min(_BLOCK, len(utf8) - start), 2), np.int64)
        many, start = splitting.split(raw, start, len(utf8), KINDS[name], table(), block)
        blocks.append(block[:many])
    return raw, np.concatenate(blocks) if blocks else np.empty((0, 2), np.int64)


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
