"""The merges of a training by their pairs, without an object for each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar, overload

import numpy as np
from numpy.typing import NDArray

_Default = TypeVar("_Default")


@dataclass(frozen=True, eq=False)
class MergeRanks(Mapping[tuple[int, int], int]):
    """The rank of each pair of ids; the look-up is made when it is first used.

    Attributes:
        left: int64[merges], the left id of each pair, by rank; below 2**31, and no pair stands there twice.
        right: int64[merges], the right one.

    >>> ranks = MergeRanks(np.array([7, 8]), np.array([8, 9]))
    >>> ranks[8, 9], ranks.get((8, 8)), list(ranks)
    (1, None, [(7, 8), (8, 9)])
    """

    left: NDArray[np.int64]
    right: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.left)

    def __iter__(self) -> Iterator[tuple[int, int]]:
        return zip(self.left.tolist(), self.right.tolist(), strict=True)

    def __getitem__(self, pair: tuple[int, int], /) -> int:
        if (rank := self.get(pair)) is None:
            raise KeyError(pair)
        return rank

    @overload
    def get(self, pair: tuple[int, int], /) -> int | None: ...
    @overload
    def get(self, pair: tuple[int, int], default: int | _Default, /) -> int | _Default: ...
    def get(self, pair: tuple[int, int], default: object = None, /) -> object:
        """Return the rank of a pair, or `default`."""
        return self._found.get(pair[0] << 32 | pair[1], default)

    @cached_property
    def _found(self) -> dict[int, int]:
        # Plain integers: the garbage collector, which stops everybody, has nothing to visit here.
        return dict(zip((self.left << 32 | self.right).tolist(), range(len(self)), strict=True))
