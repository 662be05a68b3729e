"""Text in a link: compressed, so that a page of prose fits."""

from __future__ import annotations

import base64
import binascii
import zlib
from functools import lru_cache

LONGEST = 8 * 1024
"""Characters of a link that a text may take."""

_LARGEST = 4 * 1024 * 1024


def pack(text: str) -> str | None:
    """Compress a text into characters that a link may hold; None if it takes more than `LONGEST`.

    >>> unpack(pack("Olá, 世界"))
    'Olá, 世界'
    """
    return _packed(text)[0]


def packed_size(text: str) -> int:
    """Return how many characters of a link a text takes, or would take."""
    return _packed(text)[1]


def unpack(packed: str) -> str:
    """Return the text in a link.

    Raises:
        ValueError: The link is damaged, or would unfold to more than 4 MiB.
    """
    try:
        raw = base64.b64decode(packed + "=" * (-len(packed) % 4), altchars=b"-_", validate=True)
        unfold = zlib.decompressobj()
        text = unfold.decompress(raw, _LARGEST).decode()
    except (binascii.Error, ValueError, zlib.error):
        raise ValueError("the text in this link is damaged") from None
    if not unfold.eof:
        raise ValueError("the text in this link is cut short, or unfolds to more than 4 MiB")
    return text


@lru_cache(maxsize=64)
def _packed(text: str) -> tuple[str | None, int]:
    # A page asks several times for the same text, and 10 MB take a second. What does not fit is not kept.
    raw = text.encode("utf-8", "replace")
    packed = base64.urlsafe_b64encode(zlib.compress(raw, 9)).decode().rstrip("=")
    fits = len(packed) <= LONGEST and len(raw) <= _LARGEST
    return packed if fits else None, len(packed)
