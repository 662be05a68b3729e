"""What each id adds to a text, where that does not depend on what stands before: long texts are decoded by it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.decoders import Decoder
from engine.piece_table import PieceTable


@dataclass(frozen=True, eq=False)
class Spelling:
    """The bytes of each id.

    Attributes:
        starts: int64[ids], where they start in `blob`.
        sizes: int64[ids], how many there are; -1 for an id that is not used.
        blob: uint8[], with 8 spare bytes behind it.
    """

    starts: NDArray[np.int64]
    sizes: NDArray[np.int64]
    blob: NDArray[np.uint8]

    @classmethod
    def of(cls, table: PieceTable) -> Spelling:
        """Lay a table out for the compiled loop."""
        sizes = np.diff(table.offsets)
        sizes[list(table.unused)] = -1
        return cls(table.offsets[:-1].copy(), sizes, np.frombuffer(bytearray(table.blob + bytes(8)), np.uint8))

    def spell(self, ids: NDArray[np.integer]) -> memoryview | None:
        """Write what ids stand for, by the compiled loop; None if one of them stands for nothing."""
        from engine.kernels import spell_ids  # not before the loops are ready

        numbers = np.ascontiguousarray(ids, np.int64)
        count = spell_ids.total(numbers, self.sizes)
        if count < 0:
            return None
        out = np.empty(count + 8, np.uint8)
        spell_ids.spell(numbers, self.starts, self.sizes, self.blob, out)
        return out.data[:count]


def behind_text(
    decoder: Decoder | None, model: PieceTable | None, pieces: Sequence[bytes | None], specials: Mapping[int, bytes]
) -> PieceTable | None:
    """Return what each id adds to a text that is not empty; None if that depends on the text.

    Args:
        decoder: The way back, where the model's own does not do.
        model: What the model's own way adds.
        pieces: The vocabulary.
        specials: What some ids add in any case.
    """
    if decoder is None:
        return None if model is None else model.put(specials)
    inside = [None if piece is None else decoder.inside(piece) for piece in pieces]
    if any(text is None and piece is not None for text, piece in zip(inside, pieces, strict=True)):
        return None
    return PieceTable.of(inside).put(specials)
