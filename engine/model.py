"""What a model is: an algorithm with its learned vocabulary, which cuts one pre-token at a time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from engine.counts import PreTokenCounts
from engine.piece_table import PieceTable
from engine.vocabulary import Vocabulary


class Cut(NamedTuple):
    """A pre-token cut into tokens, which tile it.

    Attributes:
        ids: The id of each token.
        stops: Where each token stops, in UTF-8 bytes of the pre-token; the first starts at 0.
    """

    ids: Sequence[int]
    stops: Sequence[int]


class Cuts(NamedTuple):
    """Many pre-tokens cut into tokens.

    Attributes:
        ids: int32[n], the tokens of all pre-tokens in a row.
        stops: int32[n], where each token stops, in UTF-8 bytes of its pre-token.
        sizes: int32[m], the number of tokens of each pre-token.
    """

    ids: NDArray[np.int32]
    stops: NDArray[np.int32]
    sizes: NDArray[np.int32]


class State(NamedTuple):
    """A pre-token on its way from the alphabet to the result.

    Attributes:
        cut: What it is cut into now; a model that matches from the left leaves the rest uncut.
        applied: Id of the piece that this state added; None for the first.
        rank: Rank of the merge that was applied, from 0; None where the model knows no ranks.
    """

    cut: Cut
    applied: int | None = None
    rank: int | None = None


class Model(Protocol):
    """An algorithm with its learned vocabulary; it reads one pre-token at a time."""

    @property
    def vocabulary(self) -> Vocabulary:
        """The pieces, by id."""

    @property
    def learned(self) -> int:
        """How many pieces came from training: k in `lengths` runs from 0 to this number."""

    @property
    def lossless(self) -> bool:
        """Whether every pre-token comes back byte for byte."""

    @property
    def unknown(self) -> int | None:
        """Id of the token for what the model does not know; None if it knows everything."""

    def encode(self, word: str) -> Cut:
        """Cut a pre-token into tokens."""

    def states(self, word: str) -> Iterator[State]:
        """Yield every state of a pre-token from the alphabet to the result."""

    def meaning(self, id: int) -> bytes:
        """Return the bytes that a piece stands for, its markers (`##`, `</w>`) read as what they mean."""

    def spell(self, ids: Iterable[int], space: bytes) -> Iterator[bytes]:
        """Yield the bytes that each id adds to the text, before asking for the next id.

        `space` stands between words where the split dropped white space.
        """

    def adds(self) -> PieceTable | None:
        """Return what each id adds to a text, if that is the same wherever it stands; else None."""

    def lengths(self, words: Counter[str]) -> NDArray[np.int64]:
        """Count the tokens of `words` with the first k learned pieces: int64[learned + 1], k from 0."""

    def loops(self) -> Loops | None:
        """Return compiled loops that cut as this model does; None if there are none. Only after `kernels.serve`."""


Part: TypeAlias = tuple[NDArray[np.uint8], NDArray[np.int64]]
"""UTF-8 with 16 spare bytes behind it, and pre-tokens in bytes of it, int64[m, 2]; good until the next ones come."""

Parts: TypeAlias = Iterable[Part]
"""A text in such parts."""


class Loops(Protocol):
    """A model by compiled loops: the same tokens and lengths, for many words at once."""

    def ids(self, parts: Parts, size: int) -> NDArray[np.int32]:
        """Return the tokens alone of a text in parts, which has `size` code points: int32[n]."""

    def cut(self, text: NDArray[np.uint8], spans: NDArray[np.int64]) -> Cuts:
        """Cut the pre-tokens of a text in UTF-8, with 16 spare bytes behind it; `spans` is int64[m, 2], in bytes."""

    def lengths(self, words: PreTokenCounts) -> NDArray[np.int64]:
        """Count tokens as the model's own `lengths` does."""
