"""UTF-8 as data: its four rows, the bits of a byte, why bytes are none, and the byte-level alphabet."""

from __future__ import annotations

import codecs
from typing import Final, NamedTuple


class Row(NamedTuple):
    """One row of the table by which UTF-8 writes code points.

    Attributes:
        length: Bytes of a code point.
        ranges: First and last code point of each range, inclusive.
        pattern: The bits of the bytes; each x is a bit of the code point's number.
    """

    length: int
    ranges: tuple[tuple[int, int], ...]
    pattern: str


# Source: RFC 3629, section 3; Unicode 17, table 3-6.
TABLE: Final = (
    Row(1, ((0x0, 0x7F),), "0xxxxxxx"),
    Row(2, ((0x80, 0x7FF),), "110xxxxx 10xxxxxx"),
    Row(3, ((0x800, 0xD7FF), (0xE000, 0xFFFF)), "1110xxxx 10xxxxxx 10xxxxxx"),
    Row(4, ((0x10000, 0x10FFFF),), "11110xxx 10xxxxxx 10xxxxxx 10xxxxxx"),
)

# Source: openai/gpt-2, src/encoder.py, bytes_to_unicode.
SELF_PRINTED: Final = frozenset([*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)])
_OTHERS: Final = [value for value in range(256) if value not in SELF_PRINTED]
BYTE_LETTERS: Final = tuple(
    chr(value) if value in SELF_PRINTED else chr(0x100 + _OTHERS.index(value)) for value in range(256)
)
_TO_LETTERS: Final = dict(enumerate(BYTE_LETTERS))
_TO_BYTES: Final = {letter: value for value, letter in enumerate(BYTE_LETTERS)}


_PART = 1 << 16  # bytes that are read together, so that what is made of them is near when it is joined


def read(data: bytes | memoryview) -> str:
    r"""Read UTF-8; bytes that are none become U+FFFD.

    As `str(data, "utf-8", "replace")` does, but a long text that is not ASCII is made of parts: a third faster.

    >>> read("Go€".encode() + b"\xe2\x82")
    'Go€�'
    """
    parts, at = [], 0
    while at < len(data):
        text, taken = codecs.utf_8_decode(data[at : at + _PART], "replace", at + _PART >= len(data))
        parts.append(text)
        at += taken
    return "".join(parts)


def to_printable(data: bytes) -> str:
    r"""Write bytes in the letters of byte-level vocabularies: 188 stand for themselves, 68 from U+0100 up.

    Source: openai/gpt-2, src/encoder.py, bytes_to_unicode.

    >>> to_printable(" naïve\n".encode())
    'ĠnaÃ¯veĊ'
    """
    return data.decode("latin-1").translate(_TO_LETTERS)


def from_printable(text: str) -> bytes:
    """Read the letters of byte-level vocabularies as bytes.

    Raises:
        ValueError: A character is no such letter.

    >>> from_printable("ĠnaÃ¯ve").decode()
    ' naïve'
    """
    try:
        return bytes(map(_TO_BYTES.__getitem__, text))
    except KeyError as error:
        letter = str(error.args[0])
        place = f"at code point {text.index(letter)}"
        raise ValueError(f"{letter!r} {place} stands for no byte in the byte-level alphabet") from None


def split_bits(value: int) -> tuple[str, str]:
    """Return the bits of a byte as UTF-8 reads them: its prefix, and its share of the code point's number.

    Source: RFC 3629, section 3.

    >>> split_bits(0xC3), split_bits(0xA9)
    (('110', '00011'), ('10', '101001'))
    """
    bits = f"{value:08b}"
    prefix = 8 if value >= 0xF8 else bits.index("0") + 1
    return bits[:prefix], bits[prefix:]


def why_invalid(data: bytes, at: int) -> str:
    r"""Say in a few words why the byte at that place is no part of a code point. It must be none.

    >>> why_invalid(b"a\x82", 1), why_invalid(b"\xe2\x82", 0)
    ('no first byte stands before it', 'the text ends after 2 of 3 bytes')
    """
    for back in range(1, min(4, at + 1)):
        if len(_unfinished(data, at - back)) > back:
            return "it belongs to an unfinished code point"
    value = data[at]
    if 0x80 <= value < 0xC0:
        return "no first byte stands before it"
    if value in (0xC0, 0xC1):
        return "it would write ASCII in two bytes"
    if value > 0xF4:
        return "it would write a number above U+10FFFF" if value < 0xF8 else "it is no byte of UTF-8"
    length = _length(value)
    part = _unfinished(data, at)
    if at + len(part) == len(data):
        return f"the text ends after {len(part)} of {length} bytes"
    following = data[at + len(part)]
    if len(part) > 1 or not 0x80 <= following < 0xC0:
        return f"{following:02X} follows after {len(part)} of {length} bytes"
    reason = {0xE0: "a number below U+0800", 0xF0: "a number below U+10000", 0xED: "a surrogate"}
    return f"with {following:02X} it would write {reason.get(value, 'a number above U+10FFFF')}"


def _length(first: int) -> int:
    return 2 if first < 0xE0 else 3 if first < 0xF0 else 4


def _unfinished(data: bytes, at: int) -> bytes:
    """Return the longest beginning of a code point that stands at that place; empty if none does.

    Source: Unicode 17, section 3.9, table 3-7.
    """
    first = data[at]
    if not 0xC2 <= first <= 0xF4:
        return b""
    lowest = {0xE0: 0xA0, 0xF0: 0x90}.get(first, 0x80)
    highest = {0xED: 0x9F, 0xF4: 0x8F}.get(first, 0xBF)
    stop = at + 1
    while stop < min(at + _length(first), len(data)) and lowest <= data[stop] <= highest:
        lowest, highest = 0x80, 0xBF
        stop += 1
    return data[at:stop]
