"""UTF-8 read into the memory of a new str, from which nobody has read yet.

Fast, because sixteen bytes that are all ASCII are checked and widened at once; and because letters of one script stand
in runs, so that in the loop over a run the processor foresees how many bytes each has. What is no UTF-8 is noticed, and
never written beyond: each code point that is stored begins with a byte of its own that is no continuation.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from engine.kernels.bits import lowest
from engine.kernels.jit import helper
from engine.kernels.memory import load8
from engine.kernels.str_to_utf8 import LANES

INVALID = -1
"""The answer where bytes are no UTF-8."""

_BYTE = ir.IntType(8)


def _widen(bits: int) -> Any:
    def typed(typing_context: Any, raw: Any, out: Any) -> Any:
        def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            many = ir.VectorType(_BYTE, LANES)
            values = builder.load(builder.inttoptr(args[0], many.as_pointer()))
            values.align = 1
            wide = values if bits == 8 else builder.zext(values, ir.VectorType(ir.IntType(bits), LANES))
            builder.store(wide, builder.inttoptr(args[1], wide.type.as_pointer())).align = 1
            high = builder.icmp_signed("<", values, ir.Constant(many, None))
            return builder.zext(builder.bitcast(high, ir.IntType(LANES)), ir.IntType(64))

        return types.int64(types.int64, types.int64), code

    return intrinsic(typed)


def _store(bits: int) -> Any:
    def typed(typing_context: Any, out: Any, point: Any) -> Any:
        def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            value = builder.trunc(args[1], ir.IntType(bits))
            builder.store(value, builder.inttoptr(args[0], value.type.as_pointer()))
            return context.get_dummy_value()

        return types.void(types.int64, types.int64), code

    return intrinsic(typed)


STORE = (_store(8), _store(16), _store(32))
"""store(out, point): one code point, written to an address; for a str of one, two or four bytes each."""


def _reader(bits: int) -> Any:
    """Make the loop for a str that has so many bits a code point."""
    widen, store, width = _widen(bits), STORE[bits // 16], bits // 8

    @helper
    def loop(raw: int, stop: int, out: int, end: int) -> tuple[int, int]:
        """Read bytes between two addresses into a str whose memory ends at another.

        Returns:
            Where the first byte stands that is not read, as its character goes on behind `stop`; and where the next
            code point goes, or `INVALID` if something is no UTF-8.
        """
        while raw < stop:
            if raw + LANES <= stop and out + LANES * width <= end:
                high = widen(raw, out)
                many = LANES if high == 0 else lowest(high)
                raw += many
                out += many * width
                if high == 0:
                    continue
            byte = load8(raw, 0)
            if byte < 0x80:
                store(out, byte)
                raw += 1
                out += width
            while 0xE0 <= byte < 0xF0:
                if raw + 3 > stop:
                    return raw, out
                second, third = load8(raw, 1) ^ 0x80, load8(raw, 2) ^ 0x80
                point = (byte & 0x0F) << 12 | second << 6 | third
                if (second | third) >= 0x40 or point < 0x800 or point >> 11 == 0xD800 >> 11:
                    return raw, INVALID
                store(out, point)
                raw += 3
                out += width
                byte = load8(raw, 0) if raw < stop else 0
            while 0x80 <= byte < 0xE0:
                if byte < 0xC2:
                    return raw, INVALID
                if raw + 2 > stop:
                    return raw, out
                second = load8(raw, 1) ^ 0x80
                if second >= 0x40:
                    return raw, INVALID
                store(out, (byte & 0x1F) << 6 | second)
                raw += 2
                out += width
                byte = load8(raw, 0) if raw < stop else 0
            if byte >= 0xF0:
                if raw + 4 > stop:
                    return raw, out
                second, third, last = load8(raw, 1) ^ 0x80, load8(raw, 2) ^ 0x80, load8(raw, 3) ^ 0x80
                point = (byte & 0x0F) << 18 | second << 12 | third << 6 | last
                if (second | third | last) >= 0x40 or not 0x10000 <= point < 0x110000:
                    return raw, INVALID
                store(out, point)
                raw += 4
                out += width
        return raw, out

    return loop


READ = (_reader(8), _reader(16), _reader(32))
"""read(raw, stop, out, end) -> int, int: the same."""
