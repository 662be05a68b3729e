"""Looking up by compiled loops: the same tokens, for many words at once.

Import this only after `engine.kernels.serve` has said yes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from engine.counts import PreTokenCounts
from engine.encoding import UNKNOWN_ID
from engine.kernels import byte_keys, encode_lookup
from engine.model import Cuts, Parts
from engine.models import tries
from engine.models.lines import paged
from engine.text_parts import padded

if TYPE_CHECKING:
    from engine.models.lookup import Lookup

_LONGEST_PIECE = 65_535
_NOBODY_ASKS = np.empty(0, np.int32)


class LookupLoops:
    """A vocabulary of words, or of characters, as the loops read it."""

    def __init__(self, model: Lookup) -> None:
        """Enter the pieces. No longer one than `_LONGEST_PIECE` can be entered, and it is unknown then."""
        self._by_character = model.by_character
        self._rules = UNKNOWN_ID if model.unknown is None else model.unknown, model.size
        self._learned = model.learned
        if model.by_character:
            singles = {ord(piece): id for piece, id in model.ids.items() if len(piece) == 1}
            self._ids = np.full(1 + max(singles, default=0), -1, np.int32)
            self._ids[list(singles)] = list(singles.values())
            return
        pieces = tries.columns(model.ids)
        starts = pieces.table.offsets[:-1][pieces.ids]
        sizes = pieces.table.offsets[1:][pieces.ids] - starts
        known = (sizes > 0) & (sizes <= _LONGEST_PIECE)
        self._blob = padded(pieces.table.blob)
        self._slots = paged(4 << (2 * len(sizes)).bit_length(), np.uint64)
        numbers = np.asarray(pieces.numbers, np.int64)
        byte_keys.fill(self._blob, starts[known], sizes[known], numbers[known], self._slots)

    def ids(self, parts: Parts, size: int) -> NDArray[np.int32]:
        """Return the tokens alone of a text in parts, which has `size` code points and no more tokens: int32[n]."""
        ids = np.empty(size, np.int32)  # what is not written takes no memory
        count = 0
        for text, spans in parts:
            count += self._fill(text, spans, ids[count:], _NOBODY_ASKS, _NOBODY_ASKS)
        ids.resize(count, refcheck=False)
        return ids

    def cut(self, text: NDArray[np.uint8], spans: NDArray[np.int64]) -> Cuts:
        """Cut the pre-tokens of a text in UTF-8, with 16 spare bytes behind it; `spans` is int64[m, 2], in bytes."""
        room = int((spans[:, 1] - spans[:, 0]).sum()) if self._by_character else len(spans)
        ids, stops, sizes = np.empty(room, np.int32), np.empty(room, np.int32), np.empty(len(spans), np.int32)
        count = self._fill(text, spans, ids, stops, sizes)
        return Cuts(ids[:count], stops[:count], sizes)

    def lengths(self, words: PreTokenCounts) -> NDArray[np.int64]:
        """Count the tokens of `words`: the same for every number of learned pieces, int64[learned + 1]."""
        text, offsets = tries.laid_out(words)
        begun = np.zeros(len(text) + 1, np.int64)
        np.cumsum((text & 0xC0) != 0x80, out=begun[1:])
        tokens = np.diff(begun[offsets])
        total = (tokens if self._by_character else tokens > 0) @ words.counts
        return np.full(self._learned + 1, total, np.int64)

    def _fill(
        self, text: NDArray[np.uint8], spans: NDArray[np.int64],
        ids: NDArray[np.int32], stops: NDArray[np.int32], sizes: NDArray[np.int32],
    ) -> int:  # fmt: skip
        """Fill the arrays that the loops fill; return how many tokens there are."""
        unknown, size = self._rules
        if self._by_character:
            return encode_lookup.characters(text, spans, self._ids, unknown, size, ids, stops, sizes)
        return encode_lookup.words(text, spans, self._slots, self._blob, unknown, size, ids, stops, sizes)
