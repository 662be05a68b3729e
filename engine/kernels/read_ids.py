"""From ids straight to a new str: one pass that adds up how large it is, and one that writes it.

Most pieces are whole characters up to U+FFFF. Their code points are written down once, two bytes each, so that a text
need not become UTF-8 before. Eight are copied at once, and the next piece is written over what is too much. Pieces that
are parts of a character, or beyond U+FFFF, are spelled in bytes and read as UTF-8; so are some that follow them, for
they come in flocks, and to change from one way to the other takes longer than a piece or two.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic
from numpy.typing import NDArray

from engine.kernels import spell_ids
from engine.kernels.jit import helper, inlined, kernel
from engine.kernels.memory import address, load8, load16, load64, store8
from engine.kernels.spell_ids import write_piece
from engine.kernels.str_to_utf8 import memory_of
from engine.kernels.utf8_to_str import INVALID, READ, STORE

Bytes = NDArray[np.uint8]
Ints = NDArray[np.int64]

# What is known of a piece: where its code points start (28 bits), how many they are, or would be (24), whether they are
# written down (1), and what a text needs that has them (3): 1 for any beyond ASCII, 2 beyond U+00FF, 4 beyond U+FFFF,
# and all below.
_START, _COUNT, _WHOLE = np.int64(28), np.int64(4), np.int64(8)
_MANY, _NEEDS = np.int64(2**24 - 1), np.int64(7)

LARGEST = 2**24 - 1
"""Bytes of all pieces at most."""

SPARE = 8
"""Code points behind those of the pieces that may be read."""

_FLOCK = 64  # pieces, about

_store_pair, _read_pairs = STORE[1], READ[1]


def _eight(bits: int) -> Any:
    def typed(typing_context: Any, place: Any, out: Any) -> Any:
        def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            source, target = (ir.VectorType(ir.IntType(width), 8) for width in (16, bits))
            values = builder.load(builder.inttoptr(args[0], source.as_pointer()))
            values.align = 1
            if bits != 16:
                values = (builder.trunc if bits < 16 else builder.zext)(values, target)
            builder.store(values, builder.inttoptr(args[1], target.as_pointer())).align = 1
            return context.get_dummy_value()

        return types.void(types.int64, types.int64), code

    return intrinsic(typed)


@kernel("void(int64[:, ::1], uint8[::1], int64[::1], uint16[::1])")
def write_down(entries: Ints, blob: Bytes, wide: Ints, points: NDArray[np.uint16]) -> None:
    """Write down the code points of pieces.

    Args:
        entries: int64[pieces, 2], as `spell_ids` reads them.
        blob: uint8[], the pieces, with 8 spare bytes behind them.
        wide: int64[pieces], what is known of each, as said above; -1 where an id is not used; written.
        points: uint16[], as many as there are bytes, and `SPARE` more; written.
    """
    pieces, end = address(blob), address(points)
    for id in range(entries.shape[0]):
        about = entries[id, 1]
        if about < 0:
            wide[id] = -1
            continue
        start, size = about >> 32, about & 0xFFFFFFFF
        many = needs = np.int64(0)
        for i in range(start, start + size):
            byte = np.int64(blob[i])
            many += byte & 0xC0 != 0x80
            needs |= np.int64(byte >= 0x80) | np.int64(byte >= 0xC4) << 1 | np.int64(byte >= 0xF0) << 2
        begun = end
        whole = needs < 4
        if whole:
            taken, out = _read_pairs(pieces + start, pieces + start + size, begun, begun + 2 * many)
            whole = out != INVALID and taken == pieces + start + size
        if whole:
            end = begun + 2 * many
        wide[id] = (begun - address(points) >> 1) << _START | many << _COUNT | (_WHOLE if whole else 0) | needs
    for _ in range(SPARE):
        _store_pair(end, 0)
        end += 2


@kernel("boolean(int32[::1], int64[::1], int64[::1])")
def total(ids: NDArray[np.int32], wide: Ints, sums: Ints) -> bool:
    """Add up what ids stand for; False if one of them stands for nothing.

    Args:
        ids: int32[n].
        wide: As `write_down` writes them.
        sums: int64[2]; code points, if all is UTF-8, and what a text of them needs; written.
    """
    points = needs = np.int64(0)
    pieces, places = np.uint64(wide.shape[0]), address(wide)
    for id in ids:
        if np.uint64(np.int64(id)) >= pieces:  # as such a number, one below 0 is large
            return False
        about = np.int64(load64(places, 8 * np.int64(id)))
        if about < 0:
            return False
        points += about >> _COUNT & _MANY
        needs |= about
    sums[0], sums[1] = points, needs & _NEEDS
    return True


def _writer(bits: int) -> Any:
    """Make the loop for a str that has so many bits a code point."""
    eight, store, read, width = _eight(bits), STORE[bits // 16], READ[bits // 16], bits // 8

    @helper
    def loop(
        ids: NDArray[np.int32], wide: int, points: int, entries: int, pieces: int, near: int, held: int, full: int,
        out: int, end: int,
    ) -> bool:  # fmt: skip
        """Do what `read` does, with addresses for its arrays; `full` and `end` are where `part` and `text` end.

        Pieces are copied for as long as they are written down. Then bytes gather in `part`, until a piece follows that
        is whole: there a character begins, so what stands before it must be UTF-8 without a rest.
        """
        at = near + held
        i = 0
        while i < ids.shape[0] or at > near:
            while i < ids.shape[0] and at == near:
                about = np.int64(load64(wide, 8 * np.int64(ids[i])))
                if about & _WHOLE == 0:
                    break
                i += 1
                count, place = about >> _COUNT & _MANY, points + (about >> _START) * 2
                if out + (count + 7) * width > end:  # what is too much would be written over something else
                    for j in range(count):
                        store(out + j * width, load16(place, 2 * j))
                else:
                    eight(place, out)
                    for j in range(8, count, 8):
                        eight(place + 2 * j, out + j * width)
                out += count * width
            flock = i + _FLOCK
            while i < ids.shape[0] and at < full:
                id = np.int64(ids[i])
                if i >= flock and np.int64(load64(wide, 8 * id)) & _WHOLE:
                    break
                at = write_piece(entries + 16 * id, pieces, at)
                i += 1
            start, out = read(near, at, out, end)
            if out == INVALID or (start < at and (at < full or i == ids.shape[0])):
                return False
            for j in range(at - start):
                store8(near, j, load8(start, j))
            at = near + at - start
        return True

    return loop


_write1, _write2, _write4 = _writer(8), _writer(16), _writer(32)


@inlined
def _places(wide: Ints, points: NDArray[np.uint16], entries: Ints, blob: Bytes) -> tuple[int, int, int, int]:
    return address(wide), address(points), address(entries), address(blob)


@kernel(
    "boolean(int32[::1], int64[::1], uint16[::1], int64[:, ::1], uint8[::1], uint8[::1], int64, int64, unicode_type)"
)
def read(
    ids: NDArray[np.int32], wide: Ints, points: NDArray[np.uint16], entries: Ints, blob: Bytes,
    part: Bytes, held: int, longest: int, text: Any,
) -> bool:  # fmt: skip
    """Write the text of ids, all of them in use, into a new str; False if it is no UTF-8, and the str of no use.

    Args:
        ids: int32[n].
        wide: As `write_down` writes them.
        points: The same.
        entries: int64[pieces, 2], as `spell_ids` reads them.
        blob: uint8[], the pieces, with 8 spare bytes behind them.
        part: uint8[], with room for what is held, the longest piece, `spell_ids.SPARE`, and at least 4 more; best much
            more.
        held: Bytes of it that are there already, and with which the text begins.
        longest: Bytes of the longest piece.
        text: As many code points as `total` says, none above what it says, and the narrowest str that holds them.
    """
    near, kind, out = address(part), text._kind, memory_of(text)
    full, end = near + part.shape[0] - spell_ids.SPARE - longest, out + text._length * kind
    places = _places(wide, points, entries, blob)
    if kind == 1:
        return _write1(ids, *places, near, held, full, out, end)
    if kind == 2:
        return _write2(ids, *places, near, held, full, out, end)
    return _write4(ids, *places, near, held, full, out, end)
