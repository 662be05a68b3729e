"""Many pieces in one row of bytes, so that a vocabulary of 200,000 is read without making 200,000 objects."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import TypeVar, overload

import numpy as np
from numpy.typing import NDArray

_Key = TypeVar("_Key")
_Default = TypeVar("_Default")


@dataclass(frozen=True, eq=False)
class PieceTable(Sequence["bytes | None"]):
    """A table of pieces by id; a piece is cut out when it is asked for.

    Attributes:
        blob: The bytes of all pieces, one after another.
        offsets: int64[n + 1]; piece i is `blob[offsets[i]:offsets[i + 1]]`.
        unused: Ids that stand for nothing: the table has None there.

    >>> table = PieceTable.of([b"a", None, b"ab"])
    >>> table[2], table[1], list(table[1:])
    (b'ab', None, [None, b'ab'])
    """

    blob: bytes
    offsets: NDArray[np.int64]
    unused: frozenset[int] = frozenset()

    @classmethod
    def of(cls, pieces: Sequence[bytes | None]) -> PieceTable:
        """Pack pieces; a table that is packed already is returned as it is."""
        if isinstance(pieces, PieceTable):
            return pieces
        return cls.cut(
            b"".join(piece or b"" for piece in pieces),
            np.fromiter((len(piece or b"") for piece in pieces), np.int64, len(pieces)),
            frozenset(id for id, piece in enumerate(pieces) if piece is None),
        )

    @classmethod
    def cut(cls, blob: bytes, sizes: NDArray[np.int64], unused: frozenset[int] = frozenset()) -> PieceTable:
        """Cut a row of bytes into pieces of the given sizes: int64[n]."""
        offsets = np.zeros(len(sizes) + 1, np.int64)
        np.cumsum(sizes, out=offsets[1:])
        return cls(blob, offsets, unused)

    def __len__(self) -> int:
        return len(self.offsets) - 1

    @overload
    def __getitem__(self, id: int) -> bytes | None: ...
    @overload
    def __getitem__(self, id: slice) -> PieceTable: ...
    def __getitem__(self, id: int | slice) -> bytes | PieceTable | None:
        """Return a piece; or some in a row, which share the bytes."""
        if isinstance(id, slice):
            start, stop, step = id.indices(len(self))
            if step != 1:
                return PieceTable.of([self[i] for i in range(start, stop, step)])
            unused = frozenset(gone - start for gone in self.unused if start <= gone < stop)
            return PieceTable(self.blob, self.offsets[start : max(start, stop) + 1], unused)
        if not -len(self) <= id < len(self):
            raise IndexError(f"id must be from 0 to {len(self) - 1}; got {id}")
        id %= len(self)
        return None if id in self.unused else self.blob[self._edges[id] : self._edges[id + 1]]

    def __iter__(self) -> Iterator[bytes | None]:
        blob, unused = self.blob, self.unused
        pieces = (blob[start:stop] for start, stop in pairwise(self.offsets.tolist()))
        if not unused:
            return pieces
        return (None if id in unused else piece for id, piece in enumerate(pieces))

    def put(self, others: Mapping[int, bytes]) -> PieceTable:
        """Return the table with other pieces under some ids."""
        changed = {id: piece for id, piece in others.items() if self[id] != piece}
        return PieceTable.of([changed.get(id, piece) for id, piece in enumerate(self)]) if changed else self

    def take(self, ids: Sequence[int] | NDArray[np.int64]) -> Iterator[bytes]:
        """Yield the pieces of many ids, all of them in use."""
        starts, stops = self.offsets[:-1][ids].tolist(), self.offsets[1:][ids].tolist()
        return map(self.blob.__getitem__, map(slice, starts, stops))

    def __add__(self, other: PieceTable) -> PieceTable:
        """Put another table behind this one."""
        sizes = np.concatenate([np.diff(self.offsets), np.diff(other.offsets)])
        return PieceTable.cut(self._row + other._row, sizes, self.unused | {id + len(self) for id in other.unused})

    def __reduce__(self) -> tuple[type[PieceTable], tuple[bytes, NDArray[np.int64], frozenset[int]]]:
        """Give a copy the pieces alone, not what has been worked out from them."""
        return type(self), (self.blob, self.offsets, self.unused)

    @property
    def _row(self) -> bytes:
        """The bytes of the pieces, without those that belong to other tables."""
        return self.blob[int(self.offsets[0]) : int(self.offsets[-1])]

    @cached_property
    def _edges(self) -> memoryview:
        """The offsets, in a form whose items are plain integers."""
        return np.ascontiguousarray(self.offsets).data


@dataclass(frozen=True, eq=False)
class PieceNumbers(Mapping[_Key, int]):
    """A number for each of some pieces; the look-up is made when it is first used, as many are loaded only to be seen.

    Attributes:
        table: Pieces by id.
        ids: int64[n], which of them have a number; of equal pieces the last counts.
        numbers: int64[n], what it is.
        read: How a piece is looked up: as it is (`bytes`), or as text (`bytes.decode`).

    >>> numbers = PieceNumbers(PieceTable.of([b"a", b"b"]), np.array([1]), np.array([7]), bytes.decode)
    >>> numbers.get("a"), numbers["b"], len(numbers)
    (None, 7, 1)
    """

    table: PieceTable
    ids: NDArray[np.int64]
    numbers: NDArray[np.int64]
    read: Callable[[bytes], _Key]

    def __len__(self) -> int:
        return len(self._found)

    def __bool__(self) -> bool:
        return len(self.ids) > 0

    def __getitem__(self, key: _Key) -> int:
        return self._found[key]

    def __iter__(self) -> Iterator[_Key]:
        return iter(self._found)

    def __contains__(self, key: object) -> bool:
        return key in self._found

    @overload
    def get(self, key: _Key, /) -> int | None: ...
    @overload
    def get(self, key: _Key, default: int | _Default, /) -> int | _Default: ...
    def get(self, key: _Key, default: object = None, /) -> object:
        """Return the number of a piece, or `default`."""
        return self._found.get(key, default)

    @cached_property
    def _found(self) -> dict[_Key, int]:
        return dict(zip(map(self.read, self.table.take(self.ids)), self.numbers.tolist(), strict=True))
