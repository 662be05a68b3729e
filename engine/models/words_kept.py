"""Words that compiled loops have met, with their tokens."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from engine.kernels import encode_bpe, merge_words
from engine.models.lines import paged

_Array: TypeAlias = NDArray[Any]

FEWEST, MOST = 1 << 14, 1 << 19
"""Slots; three quarters of them may be taken. With all that belongs to it a slot has 74 bytes, the most have 39 MB."""

_TEXT_PER_SLOT, _TOKENS_PER_SLOT = 6, 9
_LONGEST = encode_bpe.LONGEST_KEPT + 16
_TEXT_OF_BATCH, _TOKENS_OF_BATCH = encode_bpe.BATCH * _LONGEST, 2 * encode_bpe.BATCH * _LONGEST


@dataclass(eq=False)
class WordsKept:
    """The arrays that `encode_bpe.encode` keeps words in; no two threads may use them at once.

    Attributes:
        slots: uint64[4 * n], the first ones of `memory`.
        memory: uint64[], maybe more.
        text: uint8[n], bytes of longer words.
        tokens: int32[n], of each word the ids, then the stops.
        state: int64[5], as the loop says.
        room: uint8[], for words on their way.
    """

    slots: _Array
    memory: _Array
    text: _Array
    tokens: _Array
    state: _Array
    room: _Array

    @property
    def tokens_written(self) -> int:
        """How many tokens of the text stand there by now."""
        return int(self.state[1])

    @classmethod
    def empty(cls, slots: int) -> WordsKept:
        """Return room for three quarters as many words as there are slots, in memory that served before if there is."""
        try:
            left = _left.pop()
        except IndexError:
            left = None
        if left is not None and len(left.memory) >= 4 * slots:
            left.memory[: 4 * slots] = 0
            return cls(left.memory[: 4 * slots], left.memory, left.text, left.tokens, np.zeros(5, np.int64), left.room)
        memory = paged(4 * slots, np.uint64)
        return cls(
            memory,
            memory,
            paged(min(_TEXT_PER_SLOT * slots + _TEXT_OF_BATCH, encode_bpe.MOST_KEPT), np.uint8),
            paged(min(_TOKENS_PER_SLOT * slots + _TOKENS_OF_BATCH, encode_bpe.MOST_KEPT), np.int32),
            np.zeros(5, np.int64),
            np.empty(merge_words.ROOM, np.uint8),
        )

    @classmethod
    def for_text(cls, size: int) -> WordsKept:
        """Return room for the words of a text of some bytes, as far as one can tell.

        A megabyte of mixed text has 33,000 different words, ten have 164,000. There is room for those of a second text
        of the kind, of which most are new: to grow takes a sixth of the time in which a text is encoded.
        """
        return cls.empty(min(max(FEWEST, 1 << (size // 8).bit_length()), MOST))

    def larger(self) -> WordsKept:
        """Return twice the room with the same words; or, at the limit, this one without any."""
        count = len(self.slots) // 4
        if count >= MOST:
            self.slots[:] = 0
            self.state[2:] = 0
            return self
        grown = WordsKept.empty(2 * count)
        encode_bpe.move(self.slots, grown.slots)
        text, tokens = self.state[3:].tolist()
        grown.text[:text] = self.text[:text]
        grown.tokens[:tokens] = self.tokens[:tokens]
        grown.state[:] = self.state
        leave([self])
        return grown


_left: deque[WordsKept] = deque(maxlen=2)


def leave(kept: Iterable[WordsKept]) -> None:
    """Leave the memory of words that nobody needs any more to others, at most twice 39 MB in all.

    Each number of merges is a tokenizer of its own, so many come and go; and to ask the system for memory anew takes
    as long as to encode a hundred kilobytes.
    """
    _left.extend(kept)
