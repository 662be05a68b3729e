"""Sixteen code points become UTF-8 at once, where the processor can close up bytes (AVX-512 VBMI2).

Each becomes four bytes by shifts in a lane of its own, whatever it needs; then one instruction leaves out those that
it does not need. No branch depends on what stands there.
"""

from __future__ import annotations

from typing import Any

import numba
from llvmlite import binding, ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

POINTS = 16
"""Code points that are written at once."""

SURROGATE = 1 << 32
"""Added to the number of bytes if one of them is a surrogate, which has no UTF-8."""

ABLE = bool(
    numba.config.ENABLE_AVX
    and not (numba.config.CPU_NAME or numba.config.CPU_FEATURES)
    and binding.get_host_cpu_features().get("avx512vbmi2")
)
"""Whether the processor can, and Numba was not told to compile for another one."""

_BYTES = 4 * POINTS
_LANES = ir.VectorType(ir.IntType(32), POINTS)
_ROW = ir.VectorType(ir.IntType(8), _BYTES)
_BIT_EACH = ir.VectorType(ir.IntType(1), _BYTES)


def _all(value: int) -> Any:
    return ir.Constant(_LANES, [value] * POINTS)


def _utf8(builder: Any, points: Any, bits: int) -> tuple[Any, Any]:
    """Return the bytes of each code point, the first one lowest, and ones in those that count."""

    def part(shift: int, mark: int, place: int, mask: int = 0x3F) -> Any:
        moved = builder.and_(builder.lshr(points, _all(shift)), _all(mask))
        return builder.shl(builder.or_(moved, _all(mark)), _all(place))

    def joined(*parts: Any) -> Any:
        value = parts[0]
        for each in parts[1:]:
            value = builder.or_(value, each)
        return value

    value, kept = points, _all(0xFF)
    longer = [(0x80, 0xFFFF, joined(part(6, 0xC0, 0, 0x1F), part(0, 0x80, 8)))]
    if bits > 8:
        parts = part(12, 0xE0, 0, 0x0F), part(6, 0x80, 8), part(0, 0x80, 16)
        longer.append((0x800, 0xFFFFFF, joined(*parts)))
    if bits > 16:
        parts = part(18, 0xF0, 0, 0x07), part(12, 0x80, 8), part(6, 0x80, 16), part(0, 0x80, 24)
        longer.append((0x10000, 0xFFFFFFFF, joined(*parts)))
    for least, bytes_, other in longer:
        reaches = builder.icmp_unsigned(">=", points, _all(least))
        value, kept = builder.select(reaches, other, value), builder.select(reaches, _all(bytes_), kept)
    return value, kept


def at_once(bits: int) -> Any:
    """Make what writes sixteen code points of a str that has so many bits a code point.

    It is called with the address of the str, the number of the first code point and the address to write to, where
    64 bytes may be overwritten; and returns how many bytes count, and maybe `SURROGATE`.
    """

    def typed(typing_context: Any, place: Any, i: Any, out: Any) -> Any:
        def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            stored = ir.VectorType(ir.IntType(bits), POINTS)
            at = builder.add(args[0], builder.mul(args[1], ir.IntType(64)(bits // 8)))
            values = builder.load(builder.inttoptr(at, stored.as_pointer()))
            values.align = bits // 8
            points = values if bits == 32 else builder.zext(values, _LANES)
            value, kept = _utf8(builder, points, bits)
            mask = builder.icmp_unsigned("!=", builder.bitcast(kept, _ROW), ir.Constant(_ROW, None))
            kind = ir.FunctionType(_ROW, [_ROW, _ROW, _BIT_EACH])
            name = "llvm.x86.avx512.mask.compress.v64i8"
            close_up = cgutils.get_or_insert_function(builder.module, kind, name)
            row = builder.call(close_up, [builder.bitcast(value, _ROW), ir.Constant(_ROW, None), mask])
            builder.store(row, builder.inttoptr(args[2], _ROW.as_pointer())).align = 1
            number = ir.IntType(64)
            many = builder.ctpop(builder.bitcast(mask, number))
            if bits == 8:
                return many
            upper = builder.lshr(points, _all(11))
            found = builder.icmp_unsigned("==", upper, _all(0xD800 >> 11))
            any_ = builder.icmp_unsigned("!=", builder.bitcast(found, ir.IntType(POINTS)), ir.IntType(POINTS)(0))
            return builder.or_(many, builder.select(any_, number(SURROGATE), number(0)))

        return types.int64(types.int64, types.int64, types.int64), code

    return intrinsic(typed)
