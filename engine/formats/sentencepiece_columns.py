"""The pieces of a SentencePiece model as columns, read as a whole where they are written as usual.

Source: google/sentencepiece, src/sentencepiece_model.proto, `SentencePiece`: a text, a score, and a type unless it
is NORMAL.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from engine.piece_table import PieceTable

_Ints: TypeAlias = NDArray[np.int64]

NORMAL, UNKNOWN, CONTROL, USER_DEFINED, UNUSED, BYTE = range(1, 7)

_MESSAGE, _TEXT, _SCORE, _TYPE = 0x0A, 0x0A, 0x15, 0x18  # the first bytes of the fields


class Piece(NamedTuple):
    """An entry of the file: its text, its score (for Unigram a natural log probability) and its type."""

    text: str
    score: float
    kind: int


@dataclass(frozen=True, eq=False)
class PieceColumns:
    """The pieces of a file.

    Attributes:
        texts: Their texts, in UTF-8.
        scores: float64[n].
        kinds: uint8[n], their types.
    """

    texts: PieceTable
    scores: NDArray[np.float64]
    kinds: NDArray[np.uint8]

    @classmethod
    def of(cls, pieces: Sequence[Piece]) -> PieceColumns:
        """Turn pieces into columns."""
        texts, scores, kinds = zip(*pieces, strict=True) if pieces else ((), (), ())
        table = PieceTable.of([text.encode() for text in texts])
        return cls(table, np.array(scores, np.float64), np.array(kinds, np.uint8))

    def __len__(self) -> int:
        return len(self.kinds)

    def __add__(self, other: PieceColumns) -> PieceColumns:
        """Put other pieces behind these."""
        scores, kinds = (self.scores, other.scores), (self.kinds, other.kinds)
        return PieceColumns(self.texts + other.texts, np.concatenate(scores), np.concatenate(kinds))

    def ids(self, *kinds: int) -> list[int]:
        """List the ids of the pieces of some types."""
        return np.flatnonzero(np.isin(self.kinds, kinds)).tolist()

    def named(self, *kinds: int) -> dict[str, int]:
        """Return the text of each piece of some types -> its id."""
        ids = self.ids(*kinds)
        return {str(piece, "utf-8"): id for piece, id in zip(self.texts.take(ids), ids, strict=True)}


def leading(data: bytes, most: int) -> tuple[PieceColumns, int]:
    """Read the pieces at the start of a file, up to the first that is not written as usual.

    That is: the fields in order, a text of 1 to 127 bytes and a score.

    Returns:
        The pieces, none if there are more than `most`; and the byte at which they end.
    """
    starts, end = _walk(data)
    raw = np.frombuffer(data + bytes(256), np.uint8)
    sizes = raw[starts + 3].astype(np.int64)
    behind = starts + 4 + sizes  # the field of the score
    rest = raw[starts + 1] - 7 - sizes
    kinds = np.where(rest == 0, NORMAL, raw[behind + 6]).astype(np.uint8)
    usual = (raw[starts + 2] == _TEXT) & (sizes > 0) & (sizes < 128) & (raw[behind] == _SCORE)
    usual &= (rest == 0) | ((rest == 2) & (raw[behind + 5] == _TYPE) & (kinds >= NORMAL) & (kinds <= BYTE))
    count = len(starts) if usual.all() else int(usual.argmin())
    blob = _spans(raw, starts[:count] + 4, behind[:count])
    if count > most or not _text(blob, raw[starts[:count] + 4]):
        return PieceColumns.of(()), 0
    scores = np.ndarray(len(raw) - 3, "<f4", raw, strides=(1,))[behind[:count] + 1]
    columns = PieceColumns(PieceTable.cut(blob, sizes[:count]), scores.astype(np.float64), kinds[:count])
    return columns, int(starts[count]) if count < len(starts) else end


def _walk(data: bytes) -> tuple[_Ints, int]:
    """Find where the short messages at the start of a file begin, and where the last of them ends."""
    starts = []
    at, last = 0, len(data) - 1
    while at < last and data[at] == _MESSAGE and data[at + 1] < 128 and at + 2 + data[at + 1] <= last + 1:
        starts.append(at)
        at += 2 + data[at + 1]
    return np.array(starts, np.int64), at


def _spans(raw: NDArray[np.uint8], starts: _Ints, stops: _Ints) -> bytes:
    """Return the bytes of spans, which do not touch, in a row."""
    edges = np.zeros(len(raw), np.int8)
    edges[starts] = 1
    edges[stops] = -1
    return raw[np.cumsum(edges, dtype=np.int8).view(np.bool_)].tobytes()


def _text(blob: bytes, firsts: NDArray[np.uint8]) -> bool:
    """Say whether every piece is UTF-8: all of them together are, and none begins inside a character."""
    try:
        blob.decode()
    except UnicodeDecodeError:
        return False
    return not ((firsts & 0xC0) == 0x80).any()
