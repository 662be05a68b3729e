"""Many stretches of one text, kept as numbers until they are looked at."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias, overload

import numpy as np
from numpy.typing import NDArray

Ints: TypeAlias = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Slices(Sequence[str]):
    """Stretches of a text, as a sequence.

    Attributes:
        text: The text.
        starts: uint32[n], where each stretch starts, in code points.
        sizes: uint8[n], how many code points it has.

    >>> slices = Slices("newest", np.array([0, 3], np.uint32), np.array([3, 3], np.uint8))
    >>> list(slices), slices[-1]
    (['new', 'est'], 'est')
    """

    text: str
    starts: NDArray[np.uint32]
    sizes: NDArray[np.uint8]

    @classmethod
    def joined(cls, text: str, parts: Sequence[Slices]) -> Slices:
        """Put slices of one text one behind another."""
        starts = np.concatenate([np.empty(0, np.uint32), *(part.starts for part in parts)])
        return cls(text, starts, np.concatenate([np.empty(0, np.uint8), *(part.sizes for part in parts)]))

    def __len__(self) -> int:
        return len(self.starts)

    @overload
    def __getitem__(self, i: int) -> str: ...
    @overload
    def __getitem__(self, i: slice) -> Slices: ...
    def __getitem__(self, i: int | slice) -> str | Slices:
        if isinstance(i, slice):
            return Slices(self.text, self.starts[i], self.sizes[i])
        start = int(self.starts[i])
        return self.text[start : start + int(self.sizes[i])]

    def __iter__(self) -> Iterator[str]:
        text = self.text
        stops = self.starts.astype(np.int64) + self.sizes
        return (text[start:stop] for start, stop in zip(self.starts.tolist(), stops.tolist(), strict=True))

    def take(self, which: Ints) -> Slices:
        """Return those with the numbers `which`, in that order."""
        return Slices(self.text, self.starts[which], self.sizes[which])
