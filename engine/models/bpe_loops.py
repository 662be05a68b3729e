"""BPE by compiled loops: the same tokens, for many words at once.

Import this only after `engine.kernels.serve` has said yes.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from engine.counts import PreTokenCounts
from engine.kernels import encode_bpe
from engine.models import tries, words_kept
from engine.models.bpe_tables import BPETables, tables
from engine.tokenizer import Cuts

if TYPE_CHECKING:
    from engine.models.bpe import BPE


class BPELoops:
    """A BPE model with the words that it has met."""

    def __init__(self, tables: BPETables) -> None:
        """Start without any words."""
        self._arrays = tables.arrays
        self._kept: deque[words_kept.WordsKept] = deque(maxlen=2)

    def cut(self, text: NDArray[np.uint8], spans: NDArray[np.int64]) -> Cuts:
        """Cut the pre-tokens of a text in UTF-8, with 16 spare bytes behind it; `spans` is int64[m, 2], in bytes."""
        try:
            kept = self._kept.pop()
        except IndexError:  # there is none yet, or other threads are using it
            kept = words_kept.WordsKept.empty(words_kept.FEWEST)
        kept.state[:2] = 0
        room = int((spans[:, 1] - spans[:, 0]).sum()) + len(spans)
        ids, stops = np.empty(room, np.int32), np.empty(room, np.int32)
        sizes = np.empty(len(spans), np.int32)
        while not encode_bpe.encode(
            text, spans, self._arrays, kept.slots, kept.text, kept.tokens, kept.state, ids, stops, sizes
        ):
            kept = kept.larger()
        count = int(kept.state[1])
        self._kept.append(kept)
        return Cuts(ids[:count].copy(), stops[:count].copy(), sizes)

    def lengths(self, words: PreTokenCounts) -> NDArray[np.int64]:
        """Count the tokens of `words` with the first k merges: int64[learned + 1], k from 0."""
        text, offsets = tries.laid_out(words)
        changes = np.zeros(int(self._arrays[0][5]) + 1, np.int64)
        encode_bpe.lengths(text, offsets, words.counts, self._arrays, changes)
        return np.cumsum(changes)


def of(model: BPE) -> BPELoops | None:
    """Return the loops of a model, whose tables it shares with all prefixes of it; None if they cannot read it."""
    made = model.tables.get(lambda: tables(model))
    return None if made is None else BPELoops(made.first(model.learned))
