"""Single loads and stores for the innermost loops.

An array access of Numba first asks whether the index is negative, as it would count from the end, and eight bytes
cannot be read at an odd place. These do neither: the caller sees to it that an index lies within the array, and that
eight bytes may be read beyond what is asked for.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

_BYTE = ir.IntType(8)


def _address(context: Any, builder: Any, signature: Any, args: Any) -> Any:
    return builder.gep(context.make_array(signature.args[0])(context, builder, args[0]).data, [args[1]])


def _load(bits: int) -> Any:
    def typed(typing_context: Any, array: Any, i: Any) -> Any:
        result = types.uint64 if bits == 64 else types.int64

        def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            place = builder.bitcast(_address(context, builder, signature, args), ir.IntType(bits).as_pointer())
            value = builder.load(place)
            value.align = 1
            return value if bits == 64 else builder.zext(value, ir.IntType(64))

        return result(array, types.int64), code

    return intrinsic(typed)


def _store(bits: int) -> Any:
    def typed(typing_context: Any, array: Any, i: Any, value: Any) -> Any:
        def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            place = builder.bitcast(_address(context, builder, signature, args), ir.IntType(bits).as_pointer())
            value = args[2] if bits == 64 else builder.trunc(args[2], ir.IntType(bits))
            builder.store(value, place).align = bits // 8 if bits < 64 else 1
            return context.get_dummy_value()

        return types.void(array, types.int64, types.int64), code

    return intrinsic(typed)


load8 = _load(8)
"""load8(uint8[:], i) -> int64: one byte."""

load64 = _load(64)
"""load64(uint8[:], i) -> uint64: eight bytes from i on, the first one lowest."""

store8 = _store(8)
"""store8(uint8[:], i, value): the lowest byte of a value."""

store32 = _store(32)
"""store32(int32[:], i, value): the lowest four bytes of a value."""

store64 = _store(64)
"""store64(uint8[:], i, value): eight bytes from i on, the lowest first."""


@intrinsic  # type: ignore[untyped-decorator]
def prefetch(typing_context: Any, array: Any, i: Any) -> Any:
    """Ask for an element to be brought near; the caller gives array and i, and reads it some ten rounds later."""

    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        place = builder.bitcast(_address(context, builder, signature, args), _BYTE.as_pointer())
        number = ir.IntType(32)
        kind = ir.FunctionType(ir.VoidType(), [place.type, number, number, number])
        function = builder.module.declare_intrinsic("llvm.prefetch", [place.type], kind)
        builder.call(function, [place, number(0), number(3), number(1)])
        return context.get_dummy_value()

    return types.void(array, types.int64), code
