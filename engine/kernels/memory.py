"""Single loads and stores, and what else one instruction does, for the innermost loops.

An array access of Numba first asks whether the index is negative, as it would count from the end, and eight bytes
cannot be read at an odd place. These do neither: the caller sees to it that an index lies within the array, and that
eight bytes may be read beyond what is asked for.

What is called an array here may also be the address of one; i then counts bytes, not elements.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

_BYTE = ir.IntType(8)


def _address(context: Any, builder: Any, signature: Any, args: Any) -> Any:
    if isinstance(signature.args[0], types.Integer):
        return builder.inttoptr(builder.add(args[0], args[1]), _BYTE.as_pointer())
    return builder.gep(context.make_array(signature.args[0])(context, builder, args[0]).data, [args[1]])


def _load(bits: int, signed: bool = False) -> Any:
    def typed(typing_context: Any, array: Any, i: Any) -> Any:
        result = types.uint64 if bits == 64 and not signed else types.int64

        def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            place = builder.bitcast(_address(context, builder, signature, args), ir.IntType(bits).as_pointer())
            value = builder.load(place)
            value.align = bits // 8 if signed else 1
            if bits == 64:
                return value
            return builder.sext(value, ir.IntType(64)) if signed else builder.zext(value, ir.IntType(64))

        return result(array, types.int64), code

    return intrinsic(typed)


def _store(bits: int, aligned: bool = False) -> Any:
    def typed(typing_context: Any, array: Any, i: Any, value: Any) -> Any:
        def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            place = builder.bitcast(_address(context, builder, signature, args), ir.IntType(bits).as_pointer())
            value = args[2] if bits == 64 else builder.trunc(args[2], ir.IntType(bits))
            builder.store(value, place).align = bits // 8 if bits < 64 or aligned else 1
            return context.get_dummy_value()

        return types.void(array, types.int64, types.int64), code

    return intrinsic(typed)


@intrinsic  # type: ignore[untyped-decorator]
def address(typing_context: Any, array: Any) -> Any:
    """Return where an array stands, to be read and written by the functions here.

    Whatever holds an array counts that it does, in an instruction that locks memory: in an inner loop that may take
    half of the time. Where an array stands is a number; whoever asks for it sees to it that the array lives on, as an
    argument of the kernel does.
    """

    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        data = context.make_array(signature.args[0])(context, builder, args[0]).data
        return builder.ptrtoint(data, ir.IntType(64))

    return types.int64(array), code


load8 = _load(8)
"""load8(uint8[:], i) -> int64: one byte."""

load16 = _load(16)
"""load16(array, i) -> int64: two bytes from element i on, the first one lowest."""

load32 = _load(32)
"""load32(int32[:], i) -> int64: an element that is not negative."""

load64 = _load(64)
"""load64(array, i) -> uint64: eight bytes from element i on, the first one lowest."""

read32 = _load(32, signed=True)
"""read32(int32[...], i) -> int64: the element i of an array, counted through all its rows."""

read64 = _load(64, signed=True)
"""read64(int64[...], i) -> int64: the same of larger numbers."""

store8 = _store(8)
"""store8(uint8[:], i, value): the lowest byte of a value."""

store16 = _store(16)
"""store16(array, i, value): the lowest two bytes of a value."""

store32 = _store(32)
"""store32(int32[...], i, value): the lowest four bytes of a value."""

store64 = _store(64)
"""store64(array, i, value): eight bytes from element i on, the lowest first."""

write64 = _store(64, aligned=True)
"""write64(int64[...], i, value): the element i of an array, counted through all its rows."""


@intrinsic  # type: ignore[untyped-decorator]
def bit_length(typing_context: Any, value: Any) -> Any:
    """Tell how many bits an int64 of 0 or more has."""

    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        zeros = builder.ctlz(args[0], ir.IntType(1)(0))
        return builder.sub(ir.IntType(64)(64), zeros)

    return types.int64(types.int64), code


@intrinsic  # type: ignore[untyped-decorator]
def unforeseen(typing_context: Any, value: Any) -> Any:
    """Return an int64 as it is, of which the compiler knows nothing from here on.

    It likes to turn a choice between two values into a branch. Where the choice is as good as random, a branch that
    was guessed wrong costs more than all the rest; what comes of a number that it cannot see through stays arithmetic.
    """

    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        number = ir.IntType(64)
        same = ir.InlineAsm(ir.FunctionType(number, [number]), "", "=r,0")
        return builder.call(same, [args[0]])

    return types.int64(types.int64), code


def _bytes(context: Any, builder: Any, signature: Any, args: Any) -> Any:
    """Load 64 bytes at once."""
    place = _address(context, builder, signature, args)
    value = builder.load(builder.bitcast(place, ir.VectorType(_BYTE, 64).as_pointer()))
    value.align = 1
    return value


def _all(builder: Any, value: Any) -> Any:
    """Repeat the lowest byte of a number 64 times."""
    vector = ir.VectorType(_BYTE, 64)
    one = builder.insert_element(ir.Constant(vector, None), builder.trunc(value, _BYTE), ir.IntType(32)(0))
    places = ir.Constant(ir.VectorType(ir.IntType(32), 64), [ir.IntType(32)(0)] * 64)
    return builder.shuffle_vector(one, ir.Constant(vector, None), places)


@intrinsic  # type: ignore[untyped-decorator]
def within(typing_context: Any, array: Any, i: Any, first: Any, last: Any) -> Any:
    """Return a uint64: bit k says whether byte i + k of a uint8[:] lies in a range, both ends included."""

    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        above = builder.sub(_bytes(context, builder, signature, args), _all(builder, args[2]))
        found = builder.icmp_unsigned("<=", above, _all(builder, builder.sub(args[3], args[2])))
        return builder.bitcast(found, ir.IntType(64))

    return types.uint64(array, types.int64, types.int64, types.int64), code


@intrinsic  # type: ignore[untyped-decorator]
def having(typing_context: Any, array: Any, i: Any, bits: Any) -> Any:
    """Return a uint64: bit k says whether byte i + k of a uint8[:] has one of some bits."""

    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        both = builder.and_(_bytes(context, builder, signature, args), _all(builder, args[2]))
        found = builder.icmp_unsigned("!=", both, ir.Constant(both.type, None))
        return builder.bitcast(found, ir.IntType(64))

    return types.uint64(array, types.int64, types.int64), code


@intrinsic  # type: ignore[untyped-decorator]
def least32(typing_context: Any, array: Any, i: Any) -> Any:
    """Return the least of 32 elements of an int32 array from i on, compared sixteen at a time."""

    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        many = ir.VectorType(ir.IntType(32), 16)
        place = builder.bitcast(_address(context, builder, signature, args), many.as_pointer())
        first, second = builder.load(place), builder.load(builder.gep(place, [ir.IntType(32)(1)]))
        first.align = second.align = 4
        values = builder.select(builder.icmp_signed("<", first, second), first, second)
        kind = ir.FunctionType(ir.IntType(32), [many])
        function = cgutils.get_or_insert_function(builder.module, kind, "llvm.vector.reduce.smin.v16i32")
        return builder.sext(builder.call(function, [values]), ir.IntType(64))

    return types.int64(array, types.int64), code


@intrinsic  # type: ignore[untyped-decorator]
def alike8(typing_context: Any, array: Any, i: Any, shift: Any, value: Any) -> Any:
    """Say which of eight int64 from i on, shifted to the right, are a value: one bit each, all compared at once."""

    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        many = ir.VectorType(ir.IntType(64), 8)
        values = builder.load(builder.bitcast(_address(context, builder, signature, args), many.as_pointer()))
        values.align = 8
        first = ir.Constant(ir.VectorType(ir.IntType(32), 8), [ir.IntType(32)(0)] * 8)
        each = [
            builder.shuffle_vector(
                builder.insert_element(ir.Constant(many, ir.Undefined), one, ir.IntType(32)(0)),
                ir.Constant(many, ir.Undefined),
                first,
            )
            for one in args[2:]
        ]
        alike = builder.icmp_signed("==", builder.lshr(values, each[0]), each[1])
        return builder.zext(builder.bitcast(alike, _BYTE), ir.IntType(64))

    return types.int64(array, types.int64, types.int64, types.int64), code


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
