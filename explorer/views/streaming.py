"""A stream in parts, and what each way of decoding shows of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TypedDict

import engine


class StreamPart(TypedDict):
    """One part of the stream.

    Attributes:
        hex: its bytes.
        label: what it is called: the id of its token, or its number.
        alone: what decoding it alone shows, as Python and JavaScript do it: one U+FFFD for each maximal subpart.
        each: the same as Go does it: one U+FFFD for each invalid byte.
        given: what the buffered decoder gives out when the part arrives.
        waiting: the bytes that it then still holds back, in hex.
    """

    hex: str
    label: str
    alone: str
    each: str
    given: str
    waiting: str


@dataclass(frozen=True)
class Stream:
    """A stream as the page draws it.

    Attributes:
        parts: What came, in order, up to the part that completed a stop string.
        end: What the buffered decoder gives out at the end.
        stopped: Number of the part that completed a stop string, from 0; None if there was none.
    """

    parts: list[StreamPart]
    end: str
    stopped: int | None

    @property
    def text(self) -> str:
        """All that the buffered decoder gave out."""
        return "".join(part["given"] for part in self.parts) + self.end


def stream(chunks: Sequence[bytes], labels: Sequence[str], stop: Sequence[str] = ()) -> Stream:
    """Push the parts of a stream through each way of decoding.

    Args:
        chunks: The bytes of each part.
        labels: What each is called.
        stop: Texts that end the stream; they are not given out.
    """
    decoder = engine.StreamDecoder(stop=tuple(stop))
    parts: list[StreamPart] = []
    alone, each = engine.decode_apart(chunks), engine.decode_apart(chunks, each_byte=True)
    for number, (chunk, label) in enumerate(zip(chunks, labels, strict=True)):
        given = decoder.push_bytes(chunk)
        parts.append(
            {
                "hex": chunk.hex(),
                "label": label,
                "alone": alone[number],
                "each": each[number],
                "given": given,
                "waiting": decoder.waiting.hex(),
            }
        )
        if decoder.stopped:
            return Stream(parts, "", number)
    return Stream(parts, decoder.finish(), None)


def cut(data: bytes, cuts: Sequence[int]) -> list[bytes]:
    """Cut bytes at offsets; what is outside, or not rising, is left out.

    >>> cut(b"abcdef", [2, 2, 9, 4])
    [b'ab', b'cd', b'ef']
    """
    edges = sorted({0, len(data), *(offset for offset in cuts if 0 < offset < len(data))})
    return [data[start:stop] for start, stop in pairwise(edges)]


def token_chunks(tokenizer: engine.Tokenizer, text: str) -> tuple[list[bytes], list[str]]:
    """Return the bytes that each token of a text adds to what is decoded, and its id as a label."""
    ids = tokenizer.encode(text).ids.tolist()
    return list(tokenizer.spell(ids)), [str(id) for id in ids]
