"""Tables whose keys are stretches of bytes.

A key of at most 16 bytes is two masked 64-bit numbers and stands in its slot, so that most look-ups touch one slot and
compare two numbers. A longer key stands there as a hash and is compared byte for byte with the place it was taken
from. Every array of bytes that is read here has 16 spare bytes behind what is asked for.

Arrays are given by their addresses, as `memory.address` says why.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.kernels.jit import helper, inlined, kernel
from engine.kernels.memory import address, load8, load64

Bytes = NDArray[np.uint8]
Ints = NDArray[np.int64]
Words = NDArray[np.uint64]

SHORT = 16
"""Bytes of the longest key that stands in its slot."""

MISSING = np.int64(-1)

_ALL = np.uint64(2**64 - 1)
_MIX_A, _MIX_B, _MIX_C = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xC2B2AE3D27D4EB4F), np.uint64(0xD6E8FEB86659FD93)
_HALF = np.uint64(32)


@inlined
def mixed(low: np.uint64, high: np.uint64, size: int) -> np.uint64:
    """Spread a key over 64 bits; the upper ones are the best."""
    mix = (low * _MIX_A) ^ (high * _MIX_B) ^ (np.uint64(size) * _MIX_C)
    mix ^= mix >> _HALF
    mix *= _MIX_C
    return mix ^ (mix >> _HALF)


@helper
def long_key(text: int, start: int, size: int) -> np.uint64:
    """Hash a stretch of more than 16 bytes, eight at a time."""
    low = np.uint64(size)
    for at in range(0, size - 8, 8):
        low = (low ^ load64(text, start + at)) * _MIX_A
        low ^= low >> _HALF
    low = (low ^ load64(text, start + size - 8)) * _MIX_B
    return low ^ (low >> _HALF)


@inlined
def key(text: int, start: int, size: int) -> tuple[np.uint64, np.uint64]:
    """Return the two numbers that stand for a stretch of bytes."""
    if size <= SHORT:
        low = load64(text, start) & (_ALL >> np.uint64(64 - 8 * min(size, 8)))
        high = load64(text, start + 8) & (_ALL >> np.uint64((128 - 8 * size) & 63))
        high = high if size > 8 else np.uint64(0)
    else:
        low, high = long_key(text, start, size), np.uint64(0)
    return low, high


@helper
def same(first: int, start: int, second: int, at: int, size: int) -> bool:
    """Say whether two stretches of more than 8 bytes are equal."""
    for i in range(0, size - 8, 8):
        if load64(first, start + i) != load64(second, at + i):
            return False
    return load64(first, start + size - 8) == load64(second, at + size - 8)


@inlined
def find(text: int, start: int, size: int, slots: int, mask: int, blob: int) -> int:
    """Look a stretch of bytes up.

    Args:
        text: Address of uint8[], where it stands.
        start: From which byte.
        size: How many bytes; at least 1.
        slots: Address of uint64[4 * n], n a power of two. A slot is low, high, size + (place in `blob` << 16), value;
            size 0 is an empty slot.
        mask: n - 1.
        blob: Address of uint8[], the bytes of the keys.

    Returns:
        The value, or `MISSING`.
    """
    low, high = key(text, start, size)
    slot = np.int64(mixed(low, high, size)) & mask
    value = MISSING
    while True:
        about = load64(slots, 32 * slot + 16)
        if about == 0:
            break
        if (
            load64(slots, 32 * slot) == low
            and load64(slots, 32 * slot + 8) == high
            and np.int64(about & np.uint64(0xFFFF)) == size
            and (size <= SHORT or same(text, start, blob, np.int64(about >> np.uint64(16)), size))
        ):
            value = np.int64(load64(slots, 32 * slot + 24))
            break
        slot = (slot + 1) & mask
    return value


@inlined
def sifted(mix: np.uint64, sieve: int, bits: int) -> int:
    """Say whether a key may be in a table, by the sieve of that table: 1 or 0.

    Args:
        mix: `mixed` of the key.
        sieve: Address of uint8[bits / 8].
        bits: How many, a power of two.
    """
    bit = np.int64(mix >> _HALF) & (bits - 1)
    return load8(sieve, bit >> 3) >> (bit & 7) & 1


@kernel("void(uint64[::1], uint8[::1])")
def fill_sieve(slots: Words, sieve: Bytes) -> None:
    """Set the bits of all keys of a table in a sieve of zeros, which stays nearer than the table.

    With four bits a slot, hardly one key in ten that is not in the table passes.
    """
    for slot in range(0, slots.size, 4):
        size = np.int64(slots[slot + 2] & np.uint64(0xFFFF))
        if size:
            bit = np.int64(mixed(slots[slot], slots[slot + 1], size) >> _HALF) & (8 * sieve.size - 1)
            sieve[bit >> 3] |= 1 << (bit & 7)


@kernel("void(uint8[::1], int64[::1], int64[::1], int64[::1], uint64[::1])")
def fill(blob: Bytes, starts: Ints, sizes: Ints, values: Ints, slots: Words) -> None:
    """Put keys into an empty table of at least twice as many slots; the last of equal ones counts.

    `starts[i]` and `sizes[i]` say where key i stands in `blob`; sizes are below 65,536.
    """
    mask = (slots.size >> 2) - 1
    text = address(blob)
    for i in range(starts.size):
        start, size = starts[i], sizes[i]
        low, high = key(text, start, size)
        slot = np.int64(mixed(low, high, size)) & mask
        while True:
            about = slots[4 * slot + 2]
            if about == 0 or (
                slots[4 * slot] == low
                and slots[4 * slot + 1] == high
                and np.int64(about & np.uint64(0xFFFF)) == size
                and (size <= SHORT or same(text, start, text, np.int64(about >> np.uint64(16)), size))
            ):
                break
            slot = (slot + 1) & mask
        slots[4 * slot] = low
        slots[4 * slot + 1] = high
        slots[4 * slot + 2] = np.uint64(size) | (np.uint64(start) << np.uint64(16))
        slots[4 * slot + 3] = np.uint64(values[i])
