"""Merges that a vocabulary implies: any two pieces merge if what they make is a piece too.

Source: openai/tiktoken, src/lib.rs, `_byte_pair_merge`; google/sentencepiece, src/bpe_model.cc.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar, overload

_Default = TypeVar("_Default")


@dataclass(frozen=True, eq=False, slots=True)
class Concatenations(Mapping[tuple[int, int], int]):
    """The rank of every pair of pieces, looked up by the bytes they make and never stored.

    A vocabulary of 200,000 pieces implies over a million pairs; a text needs a few of them.

    Attributes:
        table: The piece of each id, in bytes; None or "" where an id takes no part in merging.
        rank_of: What a merge makes, in bytes -> its rank.

    >>> pairs = Concatenations([b"a", b"b", b"ab", b"aba"], {b"ab": 0, b"aba": 1})
    >>> pairs[2, 0], pairs.get((1, 1), None), list(pairs)
    (1, None, [(0, 1), (2, 0)])
    """

    table: Sequence[bytes | None]
    rank_of: Mapping[bytes, int]

    @overload
    def get(self, pair: tuple[int, int], /) -> int | None: ...
    @overload
    def get(self, pair: tuple[int, int], default: int | _Default, /) -> int | _Default: ...
    def get(self, pair: tuple[int, int], default: object = None, /) -> object:
        """Return the rank of a pair, or `default` if it does not merge."""
        left, right = self.table[pair[0]], self.table[pair[1]]
        return self.rank_of.get(left + right, default) if left and right else default

    def __getitem__(self, pair: tuple[int, int], /) -> int:
        if (rank := self.get(pair)) is None:
            raise KeyError(pair)
        return rank

    def __iter__(self) -> Iterator[tuple[int, int]]:
        """Yield every pair, in order of ranks; of one rank, the shorter left piece first."""
        ids = {piece: id for id, piece in enumerate(self.table) if piece}
        for whole in sorted(self.rank_of, key=self.rank_of.__getitem__):
            for cut in range(1, len(whole)):
                left, right = ids.get(whole[:cut]), ids.get(whole[cut:])
                if left is not None and right is not None:
                    yield left, right

    def __len__(self) -> int:
        return sum(1 for _ in self)
