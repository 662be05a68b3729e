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
        entries: int64[ids, 2], as `kernels.spell_ids` reads them.
        blob: uint8[], the bytes, with 8 spare ones behind them.
    """

    entries: NDArray[np.int64]
    blob: NDArray[np.uint8]

    @classmethod
    def of(cls, table: PieceTable) -> Spelling:
        """Lay a table out for the compiled loop."""
        data = table.blob + bytes(8)
        starts, sizes = table.offsets[:-1], np.diff(table.offsets)
        entries = np.empty((len(sizes), 2), np.int64)
        entries[:, 0] = np.ndarray(len(data) - 7, "<i8", data, strides=(1,))[
            starts
        ]  # the eight bytes from each place on
        entries[:, 1] = starts << 32 | sizes
        entries[list(table.unused), 1] = -1
        return cls(entries, np.frombuffer(bytearray(data), np.uint8))

    def spell(self, ids: NDArray[np.integer]) -> memoryview | None:
        """Write what ids stand for, by the compiled loop; None if one of them stands for nothing."""
        from engine.kernels import spell_ids  # not before the loops are ready

        if not np.can_cast(ids.dtype, np.int32) and len(ids) and not (ids.min() >= 0 and ids.max() < len(self.entries)):
            return None
        numbers = np.ascontiguousarray(ids, np.int32)
        count = spell_ids.total(numbers, self.entries)
        if count < 0:
            return None
        out = np.empty(count + 8, np.uint8)
        spell_ids.spell(numbers, self.entries, self.blob, out)
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
