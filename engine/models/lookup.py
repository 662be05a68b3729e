"""The two baselines, a vocabulary of whole words and one of single characters; and Unicode itself.

All three look a part of the text up and do nothing else.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from engine.encoding import UNKNOWN_ID
from engine.tokenizer import Cut, State
from engine.vocabulary import CodePoints, Pieces, Vocabulary


@dataclass(frozen=True, eq=False)
class Lookup:
    """A model that knows whole words, or single characters.

    Attributes:
        by_character: True: a pre-token is cut into code points. False: it stays whole.
        vocabulary: The pieces.
        ids: Each piece as text -> its id.
        unknown: Id of the token for what is not in the vocabulary; None gives the id -1, shown as `<unk>`.
        learned: How many of the last ids came from training.
        size: Ids from here on are not used, so a prefix of a model costs nothing.
    """

    by_character: bool
    vocabulary: Pieces
    ids: Mapping[str, int]
    unknown: int | None
    learned: int
    size: int

    @property
    def lossless(self) -> bool:
        """Whether every pre-token comes back byte for byte: no, some are unknown."""
        return False

    def first(self, learned: int, vocabulary: Pieces) -> Lookup:
        """Return the model of the first `learned` pieces that came from training."""
        return replace(self, learned=learned, vocabulary=vocabulary, size=len(vocabulary))

    def encode(self, word: str) -> Cut:
        """Look the word up, or each of its characters."""
        parts = self._parts(word)
        unknown = UNKNOWN_ID if self.unknown is None else self.unknown
        ids = tuple(id if (id := self.ids.get(part, self.size)) < self.size else unknown for part in parts)
        return Cut(ids, tuple(np.cumsum([len(part.encode()) for part in parts], dtype=np.int64).tolist()))

    def states(self, word: str) -> Iterator[State]:
        """Yield the one state there is."""
        yield State(self.encode(word))

    def meaning(self, id: int) -> bytes:
        """Return the bytes that a piece stands for: the piece itself."""
        return self.vocabulary[id]

    def decode(self, ids: Sequence[int], space: bytes) -> bytes:
        """Join the pieces; whole words are set apart by `space`, -1 is written `<unk>`."""
        unknown = self.unknown is None and not self.by_character
        pieces = [b"<unk>" if unknown and id == UNKNOWN_ID else self.vocabulary[id] for id in ids]
        return (b"" if self.by_character else space).join(pieces)

    def lengths(self, words: Counter[str]) -> NDArray[np.int64]:
        """Count the tokens of `words` with the first k learned pieces: the same for every k, int64[learned + 1]."""
        total = sum(count * len(self._parts(word)) for word, count in words.items())
        return np.full(self.learned + 1, total, np.int64)

    def _parts(self, word: str) -> Sequence[str]:
        if self.by_character:
            return word
        return [word] if word else []


@dataclass(frozen=True)
class Unicode:
    """The model whose ids are code points: nothing is learned and nothing is unknown."""

    vocabulary: Vocabulary = CodePoints()
    learned: int = 0
    lossless: bool = True
    unknown: int | None = None

    def encode(self, word: str) -> Cut:
        """Give each character its code point.

        >>> Unicode().encode("a€").ids
        (97, 8364)
        """
        stops = np.cumsum([len(character.encode()) for character in word], dtype=np.int64).tolist()
        return Cut(tuple(map(ord, word)), tuple(stops))

    def states(self, word: str) -> Iterator[State]:
        """Yield the one state there is."""
        yield State(self.encode(word))

    def meaning(self, id: int) -> bytes:
        """Return the UTF-8 of the character."""
        return self.vocabulary[id]

    def decode(self, ids: Sequence[int], space: bytes) -> bytes:
        """Join the characters."""
        return b"".join(self.vocabulary[id] for id in ids)

    def lengths(self, words: Counter[str]) -> NDArray[np.int64]:
        """Count the characters of `words`: int64[1]."""
        return np.array([sum(count * len(word) for word, count in words.items())], np.int64)
