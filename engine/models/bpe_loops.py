"""BPE by compiled loops: the same tokens, for many words at once.

Import this only after `engine.kernels.serve` has said yes.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from numpy.typing import NDArray

from engine.counts import PreTokenCounts
from engine.kernels import encode_bpe, merge_words
from engine.model import Cuts
from engine.models import tries, words_kept
from engine.models.bpe_tables import BPETables, tables
from engine.models.concatenation import Concatenations

if TYPE_CHECKING:
    from engine.models.bpe import BPE


_Ids: TypeAlias = NDArray[np.int32]

_NOBODY_ASKS = np.empty(0, np.int32)


class BPELoops:
    """A BPE model with the words that it has met."""

    def __init__(self, tables: BPETables) -> None:
        """Start without any words."""
        self._arrays = tables.arrays
        self._kept: deque[words_kept.WordsKept] = deque(maxlen=2)

    def cut(self, text: NDArray[np.uint8], spans: NDArray[np.int64]) -> Cuts:
        """Cut the pre-tokens of a text in UTF-8, with 16 spare bytes behind it; `spans` is int64[m, 2], in bytes."""
        room = int((spans[:, 1] - spans[:, 0]).sum()) + len(spans)
        ids, stops, sizes = np.empty(room + 2, np.int32), np.empty(room, np.int32), np.empty(len(spans), np.int32)
        count = self._encode(text, [spans], ids, stops, sizes)
        return Cuts(ids[:count], stops[:count], sizes)

    def ids(self, text: NDArray[np.uint8], blocks: Iterable[NDArray[np.int64]]) -> NDArray[np.int32]:
        """Return the tokens alone of pre-tokens that are given some at a time: int32[n]."""
        ids = np.empty(2 * len(text), np.int32)  # what is not written takes no memory
        ids.resize(self._encode(text, blocks, ids, _NOBODY_ASKS, _NOBODY_ASKS), refcheck=False)
        return ids

    def lengths(self, words: PreTokenCounts) -> NDArray[np.int64]:
        """Count the tokens of `words` with the first k merges: int64[learned + 1], k from 0."""
        text, offsets = tries.laid_out(words)
        changes = np.zeros(int(self._arrays[0][4]) + 1, np.int64)
        room = np.empty(merge_words.ROOM, np.uint8)
        encode_bpe.lengths(text, offsets, words.counts, self._arrays, room, changes)
        return np.cumsum(changes)

    def _encode(
        self, text: NDArray[np.uint8], blocks: Iterable[NDArray[np.int64]], ids: _Ids, stops: _Ids, sizes: _Ids
    ) -> int:
        """Fill the arrays that `encode_bpe.encode` fills; return how many tokens there are."""
        try:
            kept = self._kept.pop()
        except IndexError:  # there is none yet, or other threads are using it
            kept = words_kept.WordsKept.for_text(len(text))
        kept.state[1] = 0
        for spans in blocks:
            kept.state[0] = 0
            while not encode_bpe.encode(
                text, spans, self._arrays,
                kept.slots, kept.text, kept.tokens, kept.state, kept.room, ids, stops, sizes,
            ):  # fmt: skip
                kept = kept.larger()
        self._kept.append(kept)
        return int(kept.state[1])


def of(model: BPE) -> BPELoops | None:
    """Return the loops of a model, whose tables it shares with all prefixes of it; None if they cannot read it."""
    if isinstance(model.ranks, Concatenations) and model.learned < len(model.products):
        made = tables(model)  # which pairs merge may be another matter with fewer of them
    else:
        made = model.tables.get(lambda: tables(model))
    return None if made is None else BPELoops(made.first(model.learned))
