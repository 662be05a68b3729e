"""What each id adds to a text, where that does not depend on what stands before: long texts are decoded by it."""

from __future__ import annotations

import ctypes
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.decoders import Decoder
from engine.piece_table import PieceTable

_PART = 1 << 16  # bytes that are spelled before they are read, while they are near
_LARGEST: Final = {0: 0x7F, 1: 0xFF, 3: 0xFFFF, 7: 0x10FFFF}
"""By what a text needs, as `kernels.read_ids` says: the largest code point that the str must hold."""

_new_str = ctypes.pythonapi.PyUnicode_New
_new_str.restype, _new_str.argtypes = ctypes.py_object, (ctypes.c_ssize_t, ctypes.c_uint32)


@dataclass(frozen=True, eq=False)
class Spelling:
    """The bytes of each id.

    Attributes:
        entries: int64[ids, 2], as `kernels.spell_ids` reads them.
        blob: uint8[], the bytes, with 8 spare ones behind them.
        longest: Bytes of the longest piece.
    """

    entries: NDArray[np.int64]
    blob: NDArray[np.uint8]
    longest: int

    @classmethod
    def of(cls, table: PieceTable) -> Spelling:
        """Lay a table out for the compiled loops."""
        data = table.blob + bytes(8)
        starts, sizes = table.offsets[:-1], np.diff(table.offsets)
        entries = np.empty((len(sizes), 2), np.int64)
        entries[:, 0] = np.ndarray(len(data) - 7, "<i8", data, strides=(1,))[starts]  # eight bytes from each place on
        entries[:, 1] = starts << 32 | sizes
        entries[list(table.unused), 1] = -1
        return cls(entries, np.frombuffer(bytearray(data), np.uint8), int(sizes.max(initial=0)))

    def spell(self, ids: NDArray[np.integer]) -> memoryview | None:
        """Write what ids stand for, by the compiled loop; None if one of them stands for nothing."""
        from engine.kernels import spell_ids  # not before the loops are ready

        numbers = self._numbers(ids)
        if numbers is None or (count := spell_ids.total(numbers, self.entries)) < 0:
            return None
        out = np.empty(count + spell_ids.SPARE, np.uint8)
        spell_ids.spell(numbers, self.entries, self.blob, out)
        return out.data[:count]

    def text(self, begun: bytes, ids: NDArray[np.integer]) -> str | None:
        """Write the text of some bytes and ids, by the compiled loops.

        It is written straight into a new str, as an extension in C would do it: bytes in between, and parts that Python
        would join, would take memory three times.

        Returns:
            None if an id stands for nothing, or all together is no valid UTF-8.
        """
        from engine.kernels import read_ids, spell_ids

        numbers, sums = self._numbers(ids), np.empty(2, np.int64)
        if numbers is None or self._wide is None or not read_ids.total(numbers, self._wide[0], sums):
            return None
        try:
            first = begun.decode()
        except UnicodeDecodeError:
            return None
        points, largest = int(sums[0]) + len(first), max(_LARGEST[int(sums[1])], *map(ord, first), 0)
        part = np.empty(_PART + len(begun) + self.longest + spell_ids.SPARE, np.uint8)
        part[: len(begun)] = np.frombuffer(begun, np.uint8)
        text: str = _new_str(points, largest)
        wide, written = self._wide
        whole = read_ids.read(numbers, wide, written, self.entries, self.blob, part, len(begun), self.longest, text)
        return text if whole else None

    def _numbers(self, ids: NDArray[np.integer]) -> NDArray[np.int32] | None:
        """Return ids as the loops read them; None if one of them stands for nothing."""
        if not np.can_cast(ids.dtype, np.int32) and len(ids) and not (ids.min() >= 0 and ids.max() < len(self.entries)):
            return None
        return np.ascontiguousarray(ids, np.int32)

    @cached_property
    def _wide(self) -> tuple[NDArray[np.int64], NDArray[np.uint16]] | None:
        """Return what `kernels.read_ids.write_down` writes; None for more pieces than it can."""
        from engine.kernels import read_ids

        if len(self.blob) > read_ids.LARGEST:
            return None
        wide, points = np.empty(len(self.entries), np.int64), np.empty(len(self.blob) + read_ids.SPARE, np.uint16)
        read_ids.write_down(self.entries, self.blob, wide, points)
        return wide, points


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
