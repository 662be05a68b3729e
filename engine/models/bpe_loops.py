"""BPE by compiled loops: the same tokens, for many words at once.

Import this only after `engine.kernels.serve` has said yes.
"""

from __future__ import annotations

import weakref
from collections import deque
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from numpy.typing import NDArray

from engine.counts import PreTokenCounts
from engine.kernels import encode_bpe, merge_words
from engine.model import Cuts, Parts
from engine.models import tries
from engine.models.bpe_tables import BPETables, tables
from engine.models.concatenation import Concatenations
from engine.models.words_kept import WordsKept, leave
from engine.room import larger

if TYPE_CHECKING:
    from engine.models.bpe import BPE


_Ids: TypeAlias = NDArray[np.int32]

_NOBODY_ASKS = np.empty(0, np.int32)


class BPELoops:
    """A BPE model with the words that it has met."""

    def __init__(self, tables: BPETables) -> None:
        """Start without any words."""
        self._arrays = tables.arrays
        self._kept: deque[WordsKept] = deque(maxlen=2)
        weakref.finalize(self, leave, self._kept).atexit = False

    def cut(self, text: NDArray[np.uint8], spans: NDArray[np.int64]) -> Cuts:
        """Cut the pre-tokens of a text in UTF-8, with 16 spare bytes behind it; `spans` is int64[m, 2], in bytes."""
        size = _most(spans)
        ids, stops, sizes = np.empty(size, np.int32), np.empty(size, np.int32), np.empty(len(spans), np.int32)
        kept = self._encode(self._take(len(text)), text, spans, ids, stops, sizes)
        self._kept.append(kept)
        return Cuts(ids[: kept.tokens_written], stops[: kept.tokens_written], sizes)

    def ids(self, parts: Parts, size: int) -> NDArray[np.int32]:
        """Return the tokens alone of a text in parts, which has `size` code points and maybe more tokens: int32[n]."""
        ids = np.empty(size, np.int32)  # what is not written takes no memory
        kept = self._take(size)
        for text, spans in parts:
            most = kept.tokens_written + _most(spans)
            if most > len(ids):
                ids = larger(ids, kept.tokens_written, most + len(ids) // 2)
            kept = self._encode(kept, text, spans, ids, _NOBODY_ASKS, _NOBODY_ASKS)
        self._kept.append(kept)
        ids.resize(kept.tokens_written, refcheck=False)
        return ids

    def lengths(self, words: PreTokenCounts) -> NDArray[np.int64]:
        """Count the tokens of `words` with the first k merges: int64[learned + 1], k from 0."""
        text, offsets = tries.laid_out(words)
        changes = np.zeros(int(self._arrays[0][4]) + 1, np.int64)
        room = np.empty(merge_words.ROOM, np.uint8)
        encode_bpe.lengths(text, offsets, words.counts, self._arrays, room, changes)
        return np.cumsum(changes)

    def _take(self, size: int) -> WordsKept:
        """Return words that nobody else is using, with nothing written yet of a text of about `size` bytes."""
        try:
            kept = self._kept.pop()
        except IndexError:  # there are none yet, or other threads are using them
            kept = WordsKept.for_text(size)
        kept.state[1] = 0
        return kept

    def _encode(
        self, kept: WordsKept, text: NDArray[np.uint8], spans: NDArray[np.int64], ids: _Ids, stops: _Ids, sizes: _Ids
    ) -> WordsKept:
        """Fill the arrays that `encode_bpe.encode` fills, behind what is written; return the words kept then."""
        kept.state[0] = 0
        while not encode_bpe.encode(
            text, spans, self._arrays, kept.slots, kept.text, kept.tokens, kept.state, kept.room, ids, stops, sizes
        ):
            kept = kept.larger()
        return kept


def _most(spans: NDArray[np.int64]) -> int:
    """Return how many tokens pre-tokens may have, and two more."""
    return int(spans[-1, 1] - spans[0, 0]) + len(spans) + 2 if len(spans) else 2


def of(model: BPE) -> BPELoops | None:
    """Return the loops of a model, whose tables it shares with all prefixes of it; None if they cannot read it."""
    if isinstance(model.ranks, Concatenations) and model.learned < len(model.products):
        made = tables(model)  # which pairs merge may be another matter with fewer of them
    else:
        made = model.tables.get(lambda: tables(model))
    return None if made is None else BPELoops(made.first(model.learned))
