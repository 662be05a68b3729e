"""How a loop is compiled: with its types stated, kept on disk, and letting other threads run meanwhile.

Whatever names an array counts that it does, in an instruction that locks memory, and the compiler takes back few of
these counts: they were a fifth of a training. Loops that are only given arrays, whose callers hold them, need no
counts, and are compiled without (to make one there is an error of compilation); those that make arrays leave the inner
loops to others. `_nrt` is what Numba calls its counting.

Never `parallel=True`: with Numba's own thread layer, two calls at once can abort the whole process.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any, TypeVar

import numba

from engine.kernels.cache import module_folder

F = TypeVar("F", bound=Callable[..., Any])

_lock = threading.Lock()


def kernel(signature: str, makes_arrays: bool = False) -> Callable[[F], F]:
    """Compile a loop that Python calls, at once; other types of arguments are a TypeError, never another compilation.

    Args:
        signature: Numba's notation, such as "int64(uint8[::1], int64)"; `[::1]` is a contiguous array.
        makes_arrays: Whether it does itself, and not only what it calls.
    """
    counting = makes_arrays or "unicode_type" in signature  # a str is held while the loop runs, and then given back

    def compiled(function: F) -> F:
        place = module_folder(function.__module__)
        with _lock:  # the folder is a setting of Numba as a whole, and may be somebody else's too
            before = numba.config.CACHE_DIR
            numba.config.CACHE_DIR = "" if place is None else str(place)
            try:
                made: F = numba.njit(signature, nogil=True, cache=place is not None, _nrt=counting)(function)
            finally:
                numba.config.CACHE_DIR = before
        return made

    return compiled


def helper(function: F) -> F:
    """Compile a loop that only kernels call, as a part of each of them; it makes no arrays."""
    made: F = numba.njit(nogil=True, _nrt=False)(function)
    return made


def maker(function: F) -> F:
    """Compile a loop that only kernels call, and that makes arrays."""
    made: F = numba.njit(nogil=True, _nrt=True)(function)
    return made


def inlined(function: F) -> F:
    """Compile a few lines that only kernels call, as if they stood there."""
    made: F = numba.njit(nogil=True, inline="always")(function)
    return made
