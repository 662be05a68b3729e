"""Tables whose keys are stretches of bytes.

A key of at most 16 bytes is two masked 64-bit numbers and stands in its slot, so that most look-ups touch one slot and
compare two numbers. A longer key stands there as a hash and is compared byte for byte with the place it was taken
from. Every array of bytes that is read here has 16 spare bytes behind what is asked for.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.kernels.jit import helper, inlined, kernel
from engine.kernels.memory import load64

Bytes = NDArray[np.uint8]
Ints = NDArray[np.int64]
Words = NDArray[np.uint64]

SHORT = 16
"""Bytes of the longest key that stands in its slot."""

MISSING = np.int64(-1)

_MASKS = np.array([2 ** (8 * size) - 1 for size in range(9)], np.uint64)
_MIX_A, _MIX_B, _MIX_C = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xC2B2AE3D27D4EB4F), np.uint64(0xD6E8FEB86659FD93)
_HALF = np.uint64(32)
_EIGHT = np.uint64(8)


@inlined
def mixed(low: np.uint64, high: np.uint64, size: int) -> np.uint64:
    """Spread a key over 64 bits; the upper ones are the best."""
    mix = (low * _MIX_A) ^ (high * _MIX_B) ^ (np.uint64(size) * _MIX_C)
    mix ^= mix >> _HALF
    mix *= _MIX_C
    return mix ^ (mix >> _HALF)


@helper
def long_key(text: Bytes, start: int, size: int) -> np.uint64:
    """Hash a stretch of more than 16 bytes, eight at a time."""
    low = np.uint64(size)
    for at in range(0, size - 8, 8):
        low = (low ^ load64(text, start + at)) * _MIX_A
        low ^= low >> _HALF
    low = (low ^ load64(text, start + size - 8)) * _MIX_B
    return low ^ (low >> _HALF)


@inlined
def key(text: Bytes, start: int, size: int) -> tuple[np.uint64, np.uint64]:
    """Return the two numbers that stand for a stretch of bytes."""
    if size <= 8:
        low, high = load64(text, start) & _MASKS[size], np.uint64(0)
    elif size <= SHORT:
        low, high = load64(text, start), load64(text, start + 8) & _MASKS[size - 8]
    else:
        low, high = long_key(text, start, size), np.uint64(0)
    return low, high


@helper
def same(first: Bytes, start: int, second: Bytes, at: int, size: int) -> bool:
    """Say whether two stretches of more than 8 bytes are equal."""
    for i in range(0, size - 8, 8):
        if load64(first, start + i) != load64(second, at + i):
            return False
    return load64(first, start + size - 8) == load64(second, at + size - 8)


@inlined
def find(text: Bytes, start: int, size: int, slots: Words, blob: Bytes) -> int:
    """Look a stretch of bytes up.

    Args:
        text: uint8[], where it stands.
        start: From which byte.
        size: How many bytes; at least 1.
        slots: uint64[4 * n], n a power of two. A slot is low, high, size + (place in `blob` << 16), value; size 0 is
            an empty slot.
        blob: uint8[], the bytes of the keys.

    Returns:
        The value, or `MISSING`.
    """
    low, high = key(text, start, size)
    mask = (slots.size >> 2) - 1
    slot = np.int64(mixed(low, high, size)) & mask
    value = MISSING
    while True:
        about = slots[4 * slot + 2]
        if about == 0:
            break
        if (
            slots[4 * slot] == low
            and slots[4 * slot + 1] == high
            and np.int64(about & np.uint64(0xFFFF)) == size
            and (size <= SHORT or same(text, start, blob, np.int64(about >> np.uint64(16)), size))
        ):
            value = np.int64(slots[4 * slot + 3])
            break
        slot = (slot + 1) & mask
    return value


@kernel("void(uint8[::1], int64[::1], int64[::1], int64[::1], uint64[::1])")
def fill(blob: Bytes, starts: Ints, sizes: Ints, values: Ints, slots: Words) -> None:
    """Put keys into an empty table of at least twice as many slots; the last of equal ones counts.

    `starts[i]` and `sizes[i]` say where key i stands in `blob`; sizes are below 65,536.
    """
    mask = (slots.size >> 2) - 1
    for i in range(starts.size):
        start, size = starts[i], sizes[i]
        low, high = key(blob, start, size)
        slot = np.int64(mixed(low, high, size)) & mask
        while True:
            about = slots[4 * slot + 2]
            if about == 0 or (
                slots[4 * slot] == low
                and slots[4 * slot + 1] == high
                and np.int64(about & np.uint64(0xFFFF)) == size
                and (size <= SHORT or same(blob, start, blob, np.int64(about >> np.uint64(16)), size))
            ):
                break
            slot = (slot + 1) & mask
        slots[4 * slot] = low
        slots[4 * slot + 1] = high
        slots[4 * slot + 2] = np.uint64(size) | (np.uint64(start) << np.uint64(16))
        slots[4 * slot + 3] = np.uint64(values[i])
