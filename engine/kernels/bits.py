"""Sets of up to 64 places as the bits of a number: the next one and the one before are one instruction each."""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

_SURELY = ir.Constant(ir.IntType(1), 1)


@intrinsic  # type: ignore[untyped-decorator]
def lowest(typing_context: Any, bits: Any) -> Any:
    """Return the place of the lowest bit of a number; there must be one."""

    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.cttz(args[0], _SURELY)

    return types.int64(types.int64), code


@intrinsic  # type: ignore[untyped-decorator]
def highest(typing_context: Any, bits: Any) -> Any:
    """Return the place of the highest bit of a number; there must be one."""

    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.sub(ir.Constant(ir.IntType(64), 63), builder.ctlz(args[0], _SURELY))

    return types.int64(types.int64), code
