"""Unigram by compiled loops: the same tokens, for many words at once.

Import this only after `engine.kernels.serve` has said yes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from engine.counts import PreTokenCounts
from engine.kernels import encode_unigram
from engine.model import Cuts, Parts
from engine.models import tries

if TYPE_CHECKING:
    from engine.models.unigram import Unigram


class UnigramLoops:
    """A Unigram model as the loops read it."""

    def __init__(self, model: Unigram) -> None:
        """Plant the pieces."""
        pieces = tries.columns(model.ids)
        starts, stops = pieces.table.offsets[:-1][pieces.ids], pieces.table.offsets[1:][pieces.ids]
        self._trie = tries.planted(pieces.table.blob, [(starts, stops, pieces.numbers)])
        self._scores = np.array(model.scores, np.float64)
        for id, score in model.favored_scores.items():
            self._scores[id] = score
        self._rules = np.array([model.unknown, model.single, model.joins_unknown], np.int64)
        self._unknown_score = model.unknown_score
        self._fallback = np.array(model.fallback, np.int32)

    def ids(self, parts: Parts, size: int) -> NDArray[np.int32]:
        """Return the tokens alone of a text in parts, which has `size` code points: int32[n]."""
        return np.concatenate([np.empty(0, np.int32), *(self.cut(text, spans).ids for text, spans in parts)])

    def cut(self, text: NDArray[np.uint8], spans: NDArray[np.int64]) -> Cuts:
        """Cut the pre-tokens of a text in UTF-8, with 16 spare bytes behind it; `spans` is int64[m, 2], in bytes."""
        room = int((spans[:, 1] - spans[:, 0]).sum())
        ids, stops, sizes = np.empty(room, np.int32), np.empty(room, np.int32), np.empty(len(spans), np.int32)
        model = self._trie, self._scores, self._rules, self._unknown_score, self._fallback
        count = encode_unigram.encode(text, spans, *model, ids, stops, sizes)
        return Cuts(ids[:count].copy(), stops[:count].copy(), sizes)

    def lengths(self, words: PreTokenCounts) -> NDArray[np.int64]:
        """Count the tokens of `words`: int64[1]."""
        text, offsets = tries.laid_out(words)
        cuts = self.cut(text, np.stack([offsets[:-1], offsets[1:]], axis=1))
        return np.array([np.dot(cuts.sizes.astype(np.int64), words.counts)])
