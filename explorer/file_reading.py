"""Tokenizers from the bytes of files."""

from __future__ import annotations

from collections.abc import Sequence

import engine
from explorer import words_files as words
from explorer.file_codes import is_json

LARGEST_FILE = 64_000_000
"""Bytes of a tokenizer's file."""


def read_tokenizer(data: Sequence[bytes], split: str) -> tuple[engine.Tokenizer, str]:
    """Read one file, or vocab.json and merges.txt in either order.

    Args:
        data: The files.
        split: The named split to read it with, where the file does not say it.

    Returns:
        The tokenizer, and the split if it was needed, else "".

    Raises:
        ValueError: They are too large, broken, or not supported.
    """
    size = sum(map(len, data))
    if size > LARGEST_FILE:
        raise ValueError(words.too_large(size, LARGEST_FILE))
    if len(data) == 2:
        first, second = sorted(data, key=lambda each: not is_json(each))
        return engine.load((first, second)), ""
    try:
        return engine.load(data[0]), ""
    except ValueError as error:
        if "pre_tokenizer=" not in str(error):
            raise
    return engine.load(data[0], pre_tokenizer=split), split
