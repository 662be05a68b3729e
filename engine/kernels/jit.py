"""How a loop is compiled: with its types stated, kept on disk, and letting other threads run meanwhile.

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


def kernel(signature: str) -> Callable[[F], F]:
    """Compile a loop that Python calls, at once; other types of arguments are a TypeError, never another compilation.

    Args:
        signature: Numba's notation, such as "int64(uint8[::1], int64)"; `[::1]` is a contiguous array.
    """

    def compiled(function: F) -> F:
        place = module_folder(function.__module__)
        with _lock:  # the folder is a setting of Numba as a whole, and may be somebody else's too
            before = numba.config.CACHE_DIR
            numba.config.CACHE_DIR = "" if place is None else str(place)
            try:
                made: F = numba.njit(signature, nogil=True, cache=place is not None)(function)
            finally:
                numba.config.CACHE_DIR = before
        return made

    return compiled


def helper(function: F) -> F:
    """Compile a loop that only kernels call, as a part of each of them."""
    made: F = numba.njit(nogil=True)(function)
    return made


def inlined(function: F) -> F:
    """Compile a few lines that only kernels call, as if they stood there."""
    made: F = numba.njit(nogil=True, inline="always")(function)
    return made
