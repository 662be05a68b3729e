"""Just enough of protocol buffers to read and write a SentencePiece model.

Source: protobuf.dev, "Encoding": a field is a number, a wire type and a value; what is not known is passed over.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

_VARINT, _FIXED64, _BYTES, _FIXED32 = 0, 1, 2, 5


class Field(NamedTuple):
    """A field of a message: its number, its value (an integer, or bytes), and the byte at which it stands."""

    number: int
    value: int | bytes
    at: int


def fields(data: bytes, error: Callable[[str, str], ValueError], start: int = 0) -> Iterator[Field]:
    """Yield the fields of a message; `start` is where it stands in the file.

    Raises:
        ValueError: The message is cut off or broken.
    """
    at, size = 0, len(data)
    while at < size:
        begin = at
        try:
            key, at = _varint(data, at)
            wire = key & 7
            value: int | bytes
            if wire == _VARINT:
                value, at = _varint(data, at)
            elif wire == _BYTES:
                length, at = _varint(data, at)
                value, at = data[at : at + length], at + length
            elif wire in (_FIXED32, _FIXED64):
                length = 4 if wire == _FIXED32 else 8
                value, at = data[at : at + length], at + length
            else:
                raise error(f"a field has the wire type {wire}, which there is none of", f"byte {start + begin}")
        except IndexError:
            at = size + 1
        if at > size:
            raise error("the file ends inside a field", f"byte {start + begin}")
        if not key >> 3:
            raise error("a field has the number 0, which there is none of", f"byte {start + begin}")
        yield Field(key >> 3, value, start + begin)


def varint_field(number: int, value: int) -> bytes:
    """Write an integer field; it may not be negative."""
    return _to_varint(number << 3 | _VARINT) + _to_varint(value)


def bytes_field(number: int, value: bytes) -> bytes:
    """Write a field of bytes, of text in UTF-8, or of a message."""
    return _to_varint(number << 3 | _BYTES) + _to_varint(len(value)) + value


def fixed32_field(number: int, value: bytes) -> bytes:
    """Write a field of four bytes."""
    return _to_varint(number << 3 | _FIXED32) + value


def _varint(data: bytes, at: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        byte = data[at]
        value |= (byte & 0x7F) << shift
        at += 1
        shift += 7
        if byte < 0x80 or shift > 63:
            return value, at


def _to_varint(value: int) -> bytes:
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)
