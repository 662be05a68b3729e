"""The vocabulary of a tokenizer: which integer stands for which piece."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Protocol

from engine.piece_table import PieceTable


class Vocabulary(Protocol):
    """What every vocabulary can do: tell the piece of an id, and the id of a piece."""

    @property
    def specials(self) -> Mapping[str, int]:
        """Text of each special token -> its id."""

    def __len__(self) -> int:
        """Return the number of ids, unused ones included: the largest id + 1."""

    def __getitem__(self, id: int, /) -> bytes:
        """Return the piece as the vocabulary writes it (`b"##gs"`), in UTF-8 or raw bytes."""

    def __iter__(self) -> Iterator[bytes]:
        """Yield the piece of each used id, in order of ids."""

    def id_of(self, piece: bytes) -> int | None:
        """Return the id of a piece, or None; where two ids have one piece, the smaller."""


@dataclass(frozen=True, eq=False)
class Pieces:
    """A vocabulary as a table.

    Attributes:
        table: `table[id]` is the piece as the vocabulary writes it; None where an id is not used.
        specials: Text of each special token -> its id.

    >>> vocabulary = Pieces((b"a", b"b", b"ab"))
    >>> vocabulary[2], vocabulary.id_of(b"b"), len(vocabulary)
    (b'ab', 1, 3)
    """

    table: Sequence[bytes | None]
    specials: Mapping[str, int] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.table)

    def __getitem__(self, id: int, /) -> bytes:
        piece = self.table[id] if 0 <= id < len(self.table) else None
        if piece is None:
            raise unknown_id(id, len(self.table))
        return piece

    def __iter__(self) -> Iterator[bytes]:
        return (piece for piece in self.table if piece is not None)

    def id_of(self, piece: bytes) -> int | None:
        """Return the id of a piece, or None; where two ids have one piece, the smaller."""
        return self._ids.get(piece)

    def first(self, size: int) -> Pieces:
        """Return the vocabulary of the ids below `size`."""
        return Pieces(self.table[:size], {text: id for text, id in self.specials.items() if id < size})

    @cached_property
    def packed(self) -> PieceTable:
        """The pieces as one row of bytes."""
        return PieceTable.of(self.table)

    @cached_property
    def _ids(self) -> dict[bytes, int]:
        last = len(self.table) - 1
        return {piece: last - i for i, piece in enumerate(reversed([*self.table])) if piece is not None}


class CodePoints:
    """The vocabulary of all of Unicode: the id of a character is its code point.

    >>> CodePoints()[0x20AC].decode()
    '€'
    """

    specials: Mapping[str, int] = {}

    def __len__(self) -> int:
        return 0x110000

    def __getitem__(self, id: int, /) -> bytes:
        if not 0 <= id < len(self):
            raise unknown_id(id, len(self))
        if 0xD800 <= id < 0xE000:
            raise ValueError(f"id must be a code point that UTF-8 can write, not a surrogate; got {id} (U+{id:04X})")
        return chr(id).encode()

    def __iter__(self) -> Iterator[bytes]:
        return (chr(id).encode() for id in range(len(self)) if not 0xD800 <= id < 0xE000)

    def id_of(self, piece: bytes) -> int | None:
        """Return the code point of a piece of one character, or None."""
        text = piece.decode(errors="replace")
        return ord(text) if len(text) == 1 and text.encode() == piece else None


def unknown_id(id: int, size: int) -> ValueError:
    """Return the error for an id that stands for nothing."""
    if 0 <= id < size:
        return ValueError(f"id must stand for a piece; the vocabulary leaves {id} unused")
    return ValueError(f"id must be from 0 to {size - 1}, as the vocabulary has {size} pieces; got {id}")
