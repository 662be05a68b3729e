"""Words that compiled loops have met, with their tokens."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from engine.kernels import encode_bpe

_Array: TypeAlias = NDArray[Any]

FEWEST, MOST = 1 << 14, 1 << 18
"""Slots; half of them may be taken. With all that belongs to it a slot has 72 bytes, so that the most are 19 MB."""

_TEXT_PER_SLOT, _TOKENS_PER_SLOT = 8, 8


@dataclass(eq=False)
class WordsKept:
    """The arrays that `encode_bpe.encode` keeps words in; no two threads may use them at once.

    Attributes:
        slots: uint64[4 * n].
        text: uint8[n], bytes of longer words.
        tokens: int32[n], id and stop by turns.
        state: int64[5], as the loop says.
    """

    slots: _Array
    text: _Array
    tokens: _Array
    state: _Array

    @classmethod
    def empty(cls, slots: int) -> WordsKept:
        """Return room for half as many words as there are slots."""
        return cls(
            np.zeros(4 * slots, np.uint64),
            np.empty(_TEXT_PER_SLOT * slots, np.uint8),
            np.empty(_TOKENS_PER_SLOT * slots, np.int32),
            np.zeros(5, np.int64),
        )

    def larger(self) -> WordsKept:
        """Return four times the room with the same words; or, at the limit, the same room without any."""
        count = len(self.slots) // 4
        grown = WordsKept.empty(min(4 * count, MOST))
        grown.state[:2] = self.state[:2]
        if count < MOST:
            encode_bpe.move(self.slots, grown.slots)
            grown.text[: len(self.text)] = self.text
            grown.tokens[: len(self.tokens)] = self.tokens
            grown.state[:] = self.state
        return grown
