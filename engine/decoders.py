"""Ways back from pieces to text, where a piece does not stand for its own bytes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final, Protocol


class Decoder(Protocol):
    """Reads pieces as bytes."""

    def meaning(self, piece: bytes) -> bytes:
        """Return the bytes that a piece stands for inside a text."""

    def inside(self, piece: bytes) -> bytes | None:
        """Return what a piece adds to a text that is not empty; None if that depends on the text."""

    def spell(self, pieces: Iterable[bytes]) -> Iterator[bytes]:
        """Yield the bytes that each piece adds to the text, before asking for the next piece.

        What still waits for a next piece when there is none comes last, by itself.
        """


class WordPieceDecoder:
    """Sets words apart by spaces, and no space before some marks.

    Source: huggingface/tokenizers, src/decoders/wordpiece.rs.
    """

    def __init__(self, prefix: str = "##", cleanup: bool = True) -> None:
        """Take the prefix inside a word, and whether to clean up."""
        self.prefix, self.cleanup = prefix, cleanup
        self._prefix = prefix.encode()

    def meaning(self, piece: bytes) -> bytes:
        """Return the piece without its prefix."""
        return piece.removeprefix(self._prefix)

    def spell(self, pieces: Iterable[bytes]) -> Iterator[bytes]:
        """Yield what each piece adds."""
        first = True
        for piece in pieces:
            yield self._cleaned(piece) if first else self.inside(piece)
            first = False

    def inside(self, piece: bytes) -> bytes:
        """Return what a piece adds to a text that is not empty."""
        within = piece.startswith(self._prefix)
        return self._cleaned(piece.removeprefix(self._prefix) if within else b" " + piece)

    def _cleaned(self, piece: bytes) -> bytes:
        for before, after in _CLEANUP if self.cleanup else ():
            piece = piece.replace(before, after)
        return piece


class SpaceMarkDecoder:
    """Reads ▁ as a space and `<0xE4>` as a byte; of what stands first, one space, or all of them, was not in the text.

    Where pieces are bytes, a ▁ may be spread over several: its first bytes wait for the last.

    Source: google/sentencepiece, src/sentencepiece_processor.cc, `Decode`.
    """

    def __init__(
        self, mark: str = "▁", bytes_: bool = True, drop: str = "one", surfaces: Mapping[bytes, bytes] | None = None
    ) -> None:
        """Take the mark, whether there are byte pieces, what to drop, and pieces that are read otherwise."""
        self.mark, self.reads_bytes, self.drop = mark, bytes_, drop
        self._mark = mark.encode()
        self._read = {b"<0x%02X>" % byte: bytes([byte]) for byte in range(256)} if bytes_ else {}
        self._read.update(surfaces or {})

    def meaning(self, piece: bytes) -> bytes:
        """Return the bytes that a piece stands for inside a text."""
        read = self._read.get(piece)
        return piece.replace(self._mark, b" ") if read is None else read

    def inside(self, piece: bytes) -> bytes | None:
        """Return what a piece adds to a text that is not empty; None if it ends within a mark."""
        return None if self._begun(piece) else self.meaning(piece)

    def spell(self, pieces: Iterable[bytes]) -> Iterator[bytes]:
        """Yield what each piece adds."""
        at_start = self.drop != "none"
        held = b""
        for piece in pieces:
            piece = held + piece
            held = self._begun(piece)
            piece = piece[: len(piece) - len(held)]
            text = self.meaning(piece)
            if at_start and piece.startswith(self._mark):
                text = text[1:]
                at_start = self.drop == "all" and not text
            elif text:
                at_start = False
            yield text
        if held:
            yield held

    def _begun(self, piece: bytes) -> bytes:
        """Return the part of a mark that a piece ends with."""
        sizes = (size for size in range(len(self._mark) - 1, 0, -1) if piece.endswith(self._mark[:size]))
        return self._mark[: next(sizes, 0)]


GLASSLLM_SPECIALS: Final = ("<pad>", "<unk>", "<bos>", "<eos>")
"""The special tokens of GlassLLM: padding, what is unknown, and both ends of a text."""

GLASSLLM_READ: Final = SpaceMarkDecoder(
    "▁", False, "none", {text.encode(): b"\xe2\x81\x87" if text == "<unk>" else b"" for text in GLASSLLM_SPECIALS}
)
"""GlassLLM's way back: what is unknown shows as ⁇ (U+2047), and the other special tokens do not show."""


def inside_words(pieces: Iterable[bytes], prefix: str = "##", mark: str = "▁") -> dict[bytes, bytes]:
    """Return what the pieces with a prefix are read as: without it, and each mark a space.

    >>> inside_words([b"to", b"##be"])
    {b'##be': b'be'}
    """
    start = prefix.encode()
    return {
        piece: piece.removeprefix(start).replace(mark.encode(), b" ") for piece in pieces if piece.startswith(start)
    }


_CLEANUP = [
    (b" .", b"."),
    (b" ?", b"?"),
    (b" !", b"!"),
    (b" ,", b","),
    (b" ' ", b"'"),
    (b" n't", b"n't"),
    (b" 'm", b"'m"),
    (b" do not", b" don't"),
    (b" 's", b"'s"),
    (b" 've", b"'ve"),
    (b" 're", b"'re"),
]
