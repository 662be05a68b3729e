"""WordPiece by compiled loops: the same tokens, for many words at once.

Import this only after `engine.kernels.serve` has said yes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from engine.counts import PreTokenCounts
from engine.kernels import encode_wordpiece
from engine.kernels.piece_trie import Trie
from engine.model import Cuts, Parts
from engine.models import tries

if TYPE_CHECKING:
    from engine.models.wordpiece import WordPiece


class WordPieceLoops:
    """A WordPiece model as the loops read it."""

    def __init__(self, model: WordPiece) -> None:
        """Plant the pieces, or take the tree of a model that this one is a prefix of."""
        self._trie = model.trie.get(lambda: planted(model))
        self._rules = np.array([model.unknown, model.longest_word, model.size], np.int64)
        self._learned = model.learned

    def ids(self, parts: Parts, size: int) -> NDArray[np.int32]:
        """Return the tokens alone of a text in parts, which has `size` code points: int32[n]."""
        return np.concatenate([np.empty(0, np.int32), *(self.cut(text, spans).ids for text, spans in parts)])

    def cut(self, text: NDArray[np.uint8], spans: NDArray[np.int64]) -> Cuts:
        """Cut the pre-tokens of a text in UTF-8, with 16 spare bytes behind it; `spans` is int64[m, 2], in bytes."""
        room = int((spans[:, 1] - spans[:, 0]).sum())
        ids, stops, sizes = np.empty(room, np.int32), np.empty(room, np.int32), np.empty(len(spans), np.int32)
        count = encode_wordpiece.encode(text, spans, self._trie, self._rules, ids, stops, sizes)
        return Cuts(ids[:count].copy(), stops[:count].copy(), sizes)

    def lengths(self, words: PreTokenCounts) -> NDArray[np.int64]:
        """Count the tokens of `words` with the first k learned pieces: int64[learned + 1], k from 0."""
        text, offsets = tries.laid_out(words)
        changes = np.zeros(self._learned + 1, np.int64)
        base = int(self._rules[2]) - self._learned
        encode_wordpiece.lengths(text, offsets, words.counts, self._trie, self._rules, base, changes)
        return np.cumsum(changes)


def planted(model: WordPiece) -> Trie:
    """Return the tree: from root 0 the pieces as they are, from root 1 those with the prefix, without it."""
    pieces = tries.columns(model.ids)
    starts, stops = pieces.table.offsets[:-1][pieces.ids], pieces.table.offsets[1:][pieces.ids]
    prefix = model.prefix.encode()
    inside = np.array([piece.startswith(prefix) and piece != prefix for piece in pieces.table.take(pieces.ids)])
    groups = (starts, stops, pieces.numbers), (starts[inside] + len(prefix), stops[inside], pieces.numbers[inside])
    return tries.planted(pieces.table.blob, groups)
