"""The characters by which byte-level vocabularies write bytes: a space is Ġ, a newline Ċ.

Source: openai/gpt-2, src/encoder.py, `bytes_to_unicode`.
"""

from __future__ import annotations

from typing import Final

_PRINTED = [*range(ord("!"), ord("~") + 1), *range(ord("¡"), ord("¬") + 1), *range(ord("®"), ord("ÿ") + 1)]
_OTHERS = [byte for byte in range(256) if byte not in _PRINTED]

CHARACTER_OF: Final = {byte: chr(byte) for byte in _PRINTED} | {byte: chr(256 + i) for i, byte in enumerate(_OTHERS)}
"""Byte -> the character that writes it."""

_BYTE_OF = {ord(character): byte for byte, character in CHARACTER_OF.items()}
_LATIN = str.maketrans({point: chr(byte) for point, byte in _BYTE_OF.items()})
_KNOWN = frozenset(map(chr, _BYTE_OF))


def to_bytes(text: str) -> bytes | None:
    """Read a piece as bytes; None if a character of it writes none.

    >>> to_bytes("Ġcaf")
    b' caf'
    """
    if not _KNOWN.issuperset(text):
        return None
    return text.translate(_LATIN).encode("latin-1")


def from_bytes(piece: bytes) -> str:
    r"""Write bytes as a piece.

    >>> from_bytes(b"\n hi")
    'ĊĠhi'
    """
    return "".join(CHARACTER_OF[byte] for byte in piece)
