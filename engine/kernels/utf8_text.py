"""UTF-8, read where it stands."""

from __future__ import annotations

from engine.kernels.byte_keys import Bytes
from engine.kernels.jit import helper
from engine.kernels.memory import load8


@helper
def code_point(text: Bytes, at: int) -> tuple[int, int]:
    """Return the code point that starts at a byte of UTF-8, and how many bytes it has."""
    lead = load8(text, at)
    if lead < 0x80:
        return lead, 1
    if lead < 0xE0:
        return (lead & 0x1F) << 6 | (load8(text, at + 1) & 0x3F), 2
    tail = (load8(text, at + 1) & 0x3F) << 6 | (load8(text, at + 2) & 0x3F)
    if lead < 0xF0:
        return (lead & 0x0F) << 12 | tail, 3
    return (lead & 0x07) << 18 | tail << 6 | (load8(text, at + 3) & 0x3F), 4
