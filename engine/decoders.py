"""Ways back from pieces to text, where a piece does not stand for its own bytes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Protocol


class Decoder(Protocol):
    """Reads pieces as bytes."""

    def meaning(self, piece: bytes) -> bytes:
        """Return the bytes that a piece stands for inside a text."""

    def spell(self, pieces: Iterable[bytes]) -> Iterator[bytes]:
        """Yield the bytes that each piece adds to the text, before asking for the next piece."""
