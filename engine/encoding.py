"""What encoding a text gives: ids, and where in the text each of them stands."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.alignment import Span
from engine.vocabulary import Vocabulary

UNKNOWN_ID = -1
"""Id of a word that a word tokenizer without an unknown piece has never seen."""


class Token(NamedTuple):
    """One occurrence of a piece in a text.

    Attributes:
        id: Its integer.
        piece: The vocabulary's entry, as the vocabulary writes it.
        span: The UTF-8 bytes of the original text that it stands for.
    """

    id: int
    piece: bytes
    span: Span


class Places(NamedTuple):
    """Where the tokens of an encoding stand; see `Encoding` for the arrays."""

    spans: NDArray[np.int64]
    pre_tokens: NDArray[np.int64]
    words: NDArray[np.int32]


@dataclass(frozen=True, eq=False)
class Encoding:
    """A text as ids. Where they stand is worked out when it is first asked for, as many only count them.

    Attributes:
        text: The original text, lone surrogates repaired.
        normalized: The text that the model read.
        ids: int32[n], one a token; no BOS, EOS or CLS.
        vocabulary: The pieces behind the ids.
        place: Works out where the tokens stand.
    """

    text: str
    normalized: str
    ids: NDArray[np.int32]
    vocabulary: Vocabulary
    place: Callable[[], Places]

    @property
    def spans(self) -> NDArray[np.int64]:
        """The bytes behind each token: int64[n, 2], UTF-8 bytes of `text`, half open and ordered.

        Two tokens may share the bytes of one normalized character; an end-of-word symbol has an empty span.
        """
        return self._places.spans

    @property
    def pre_tokens(self) -> NDArray[np.int64]:
        """The bytes behind each pre-token: int64[m, 2], UTF-8 bytes of `text`."""
        return self._places.pre_tokens

    @property
    def words(self) -> NDArray[np.int32]:
        """The pre-token that each token was cut from: int32[n]; -1 for a token that was found in the text as it is."""
        return self._places.words

    @cached_property
    def _places(self) -> Places:
        places = self.place()
        object.__setattr__(self, "place", partial(_known, places))  # what they were worked out from is needed no more
        return places

    def __len__(self) -> int:
        return len(self.ids)

    def __reduce__(self) -> tuple[type[Encoding], tuple[object, ...]]:
        """Give a copy the places themselves: it may go where what works them out is not."""
        return type(self), (self.text, self.normalized, self.ids, self.vocabulary, partial(_known, self._places))

    @cached_property
    def pieces(self) -> list[bytes]:
        """The piece of each token as the vocabulary writes it; `b"<unk>"` for the id -1."""
        return [b"<unk>" if id == UNKNOWN_ID else self.vocabulary[id] for id in self.ids.tolist()]

    @cached_property
    def tokens(self) -> list[Token]:
        """The tokens as values, in order."""
        spans = map(Span._make, self.spans.tolist())
        return [Token(*token) for token in zip(self.ids.tolist(), self.pieces, spans, strict=True)]


def token_alone(id: int, written: str, span: Span, text: str, vocabulary: Vocabulary) -> Encoding:
    """Return the encoding of one token that was found in a text as it is written, outside of any pre-token."""
    places = Places(np.array([span], np.int64), np.empty((0, 2), np.int64), np.array([-1], np.int32))
    return Encoding(text, written, np.array([id], np.int32), vocabulary, partial(_known, places))


def joined(parts: Sequence[Encoding]) -> Encoding:
    """Join the encodings of the parts of one text; their spans count bytes of the whole text already."""
    return Encoding(
        parts[0].text,
        "".join(part.normalized for part in parts),
        np.concatenate([part.ids for part in parts]),
        parts[0].vocabulary,
        partial(_joined_places, parts),
    )


def _known(places: Places) -> Places:
    return places


def _joined_places(parts: Sequence[Encoding]) -> Places:
    words: list[NDArray[np.int32]] = []
    before = 0
    for part in parts:
        words.append(np.where(part.words < 0, part.words, part.words + np.int32(before)))
        before += len(part.pre_tokens)
    spans, pre_tokens = [part.spans for part in parts], [part.pre_tokens for part in parts]
    return Places(np.concatenate(spans), np.concatenate(pre_tokens), np.concatenate(words))
