"""The UTF-8 of a part of a str, written where loops read it, straight from the str's own memory.

Fast, because sixteen code points are written at once, as `utf8_at_once` says. Where the processor cannot do that, those
that are all ASCII are checked and stored at once, and any other one becomes eight bytes by shifts, without a branch on
how many of them it needs; the next one is written over what is too much.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic
from numpy.typing import NDArray

from engine.kernels.bits import lowest
from engine.kernels.byte_keys import Ints
from engine.kernels.jit import helper, inlined, kernel
from engine.kernels.memory import address, store64
from engine.kernels.utf8_at_once import ABLE, POINTS, SURROGATE, at_once

SPARE = 16
"""Bytes behind what is written that may be overwritten."""

LANES = 16
"""Code points that are looked at at once."""

_ONCE = 32  # code points that follow one beyond ASCII and are written one by one
_ROW = 64  # code points that are searched at once
_SURROGATES = 0xD800 >> 11
_BYTE = ir.IntType(8)


@intrinsic  # type: ignore[untyped-decorator]
def memory_of(typing_context: Any, text: Any) -> Any:
    """Return where the code points of a str stand."""

    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        data = cgutils.create_struct_proxy(signature.args[0])(context, builder, args[0]).data
        return builder.ptrtoint(data, ir.IntType(64))

    return types.int64(text), code


def _load(bits: int) -> Any:
    def typed(typing_context: Any, place: Any, i: Any) -> Any:
        def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            at = builder.add(args[0], builder.mul(args[1], ir.IntType(64)(bits // 8)))
            value = builder.load(builder.inttoptr(at, ir.IntType(bits).as_pointer()))
            return builder.zext(value, ir.IntType(64))

        return types.int64(types.int64, types.int64), code

    return intrinsic(typed)


def _narrow(bits: int) -> Any:
    def typed(typing_context: Any, place: Any, i: Any, out: Any) -> Any:
        def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            many = ir.VectorType(ir.IntType(bits), LANES)
            at = builder.add(args[0], builder.mul(args[1], ir.IntType(64)(bits // 8)))
            values = builder.load(builder.inttoptr(at, many.as_pointer()))
            values.align = bits // 8
            low = values if bits == 8 else builder.trunc(values, ir.VectorType(_BYTE, LANES))
            builder.store(low, builder.inttoptr(args[2], low.type.as_pointer())).align = 1
            high = builder.icmp_unsigned(">=", values, ir.Constant(many, [many.element(0x80)] * LANES))
            return builder.zext(builder.bitcast(high, ir.IntType(LANES)), ir.IntType(64))

        return types.int64(types.int64, types.int64, types.int64), code

    return intrinsic(typed)


@inlined
def _write(point: int, out: int) -> int:
    """Write a code point, and return where it ends."""
    last = 0x80 | point & 0x3F
    third, second = 0x80 | point >> 6 & 0x3F, 0x80 | point >> 12 & 0x3F
    value = point
    if point >= 0x80:
        value = 0xC0 | point >> 6 | last << 8
    if point >= 0x800:
        value = 0xE0 | point >> 12 | third << 8 | last << 16
    if point >= 0x10000:
        value = 0xF0 | point >> 18 | second << 8 | third << 16 | last << 24
    store64(out, 0, np.uint64(value))
    return out + 1 + np.int64(point >= 0x80) + np.int64(point >= 0x800) + np.int64(point >= 0x10000)


def writer(bits: int, able: bool = ABLE) -> Any:
    """Make the loop for a str that has so many bits a code point; `able` as `utf8_at_once` says."""
    return _by_rows(bits) if able else _by_runs(bits)


def _one_by_one(bits: int) -> Any:
    """Make the loop that tells where the last code point stops, and whether one is a surrogate."""
    load = _load(bits)

    @helper
    def loop(place: int, start: int, stop: int, out: int) -> tuple[int, bool]:
        surrogates = False
        for i in range(start, stop):
            point = load(place, i)
            surrogates |= point >> 11 == _SURROGATES
            out = _write(point, out)
        return out, surrogates

    return loop


def _by_rows(bits: int) -> Any:
    write_row, write_each = at_once(bits), _one_by_one(bits)

    @helper
    def loop(place: int, start: int, stop: int, out: int) -> int:
        found, i = np.int64(0), start
        while i + POINTS <= stop:
            written = write_row(place, i, out)
            found |= written
            out += written & 0xFF
            i += POINTS
        out, surrogates = write_each(place, i, stop, out)
        return -1 if surrogates or found >= SURROGATE else out

    return loop


def _by_runs(bits: int) -> Any:
    narrow, write_each = _narrow(bits), _one_by_one(bits)

    @helper
    def loop(place: int, start: int, stop: int, out: int) -> int:
        surrogates = False
        i = start
        while i < stop:
            end = stop
            if i + LANES <= stop:
                high = narrow(place, i, out)
                if high == 0:
                    i += LANES
                    out += LANES
                    continue
                first = lowest(high)
                i += first
                out += first
                end = min(i + _ONCE, stop)
            out, found = write_each(place, i, end, out)
            surrogates |= found
            i = end
        return -1 if surrogates else out

    return loop


_write1, _write2, _write4 = writer(8), writer(16), writer(32)


@kernel("int64(unicode_type, int64, int64, uint8[::1], int64)")
def write(text: Any, start: int, stop: int, raw: NDArray[np.uint8], at: int) -> int:
    """Write code points of a text as UTF-8.

    Args:
        text: str, where they stand.
        start: The first one.
        stop: The one behind the last one.
        raw: uint8[], with room for four bytes each and for `SPARE` more.
        at: Where the first one is written.

    Returns:
        Where the last one stops; -1 if one of them is a surrogate.
    """
    place, kind, out = memory_of(text), text._kind, address(raw) + at
    if kind == 1:
        end = _write1(place, start, stop, out)
    elif kind == 2:
        end = _write2(place, start, stop, out)
    else:
        end = _write4(place, start, stop, out)
    return end if end < 0 else end - address(raw)


@kernel("int64(unicode_type, int64[::1], uint8[::1], int64[::1])")
def write_several(text: Any, sizes: Ints, raw: NDArray[np.uint8], stops: Ints) -> int:
    """Write a text as UTF-8 that was joined of several, and tell where each of them ends.

    Args:
        text: str, all of them.
        sizes: int64[texts], the code points of each.
        raw: uint8[], with room for four bytes a code point and for `SPARE` more.
        stops: int64[texts], filled here: the byte of `raw` behind each text.

    Returns:
        Where the last one stops; -1 if there is a surrogate.
    """
    place, kind, out, start = memory_of(text), text._kind, address(raw), np.int64(0)
    for i in range(sizes.size):
        if kind == 1:
            out = _write1(place, start, start + sizes[i], out)
        elif kind == 2:
            out = _write2(place, start, start + sizes[i], out)
        else:
            out = _write4(place, start, start + sizes[i], out)
        if out < 0:
            return out
        start += sizes[i]
        stops[i] = out - address(raw)
    return out - address(raw)


def _finder(bits: int) -> Any:
    """Make what tells whether one of 64 code points that stand in a row is a surrogate."""

    def typed(typing_context: Any, place: Any, i: Any) -> Any:
        def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            many = ir.VectorType(ir.IntType(bits), _ROW)
            at = builder.add(args[0], builder.mul(args[1], ir.IntType(64)(bits // 8)))
            values = builder.load(builder.inttoptr(at, many.as_pointer()))
            values.align = bits // 8
            upper = builder.lshr(values, ir.Constant(many, [many.element(11)] * _ROW))
            found = builder.icmp_unsigned("==", upper, ir.Constant(many, [many.element(_SURROGATES)] * _ROW))
            return builder.bitcast(found, ir.IntType(_ROW))

        return types.uint64(types.int64, types.int64), code

    return intrinsic(typed)


def _searcher(bits: int) -> Any:
    find, load = _finder(bits), _load(bits)

    @helper
    def loop(place: int, stop: int) -> bool:
        found, i = np.uint64(0), 0
        while i + _ROW <= stop:
            found |= find(place, i)
            i += _ROW
        while i < stop:
            found |= np.uint64(load(place, i) >> 11 == _SURROGATES)
            i += 1
        return found != 0

    return loop


_search2, _search4 = _searcher(16), _searcher(32)


@kernel("boolean(unicode_type)")
def has_surrogates(text: Any) -> bool:
    """Say whether a code point of a text is a surrogate, which has no UTF-8."""
    place, kind = memory_of(text), text._kind
    if kind == 2:
        return _search2(place, len(text))
    return kind == 4 and _search4(place, len(text))
