"""Arrays for tables that are read here and there."""

from __future__ import annotations

import mmap
from typing import Any

import numpy as np
from numpy.typing import NDArray

_LINE = 64  # bytes
_LARGE = 1 << 21  # bytes of a large page of memory
_ADVICE = getattr(mmap, "MADV_HUGEPAGE", None)  # Linux has it


def lined_up(size: int, kind: type[np.generic]) -> NDArray[Any]:
    """Return zeros that start where a line of the processor's memory does, so that no entry lies in two of them.

    Args:
        size: How many.
        kind: Of 8 bytes each.
    """
    raw = np.zeros(size + _LINE // 8, kind)
    skipped = -raw.ctypes.data % _LINE // 8
    return raw[skipped : skipped + size]


def paged(size: int, kind: type[np.generic]) -> NDArray[Any]:
    """Return the same, of any kind; a large one in large pages of memory, where the system has them.

    The processor remembers where some pages are. To read here and there in a table of many small ones, it first has to
    look up most of them; and the first touch of each one asks the system for it, which takes a microsecond or more.
    """
    item = np.dtype(kind).itemsize
    if item * size < _LARGE or _ADVICE is None:
        return lined_up(item * size + 7 >> 3, np.uint64).view(kind)[:size]
    # Memory that is shared, as it is if nothing is said, gets no large pages.
    memory = mmap.mmap(-1, item * size + _LARGE, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    memory.madvise(_ADVICE)
    raw = np.frombuffer(memory, np.uint8)
    skipped = -raw.ctypes.data % _LARGE
    return raw[skipped : skipped + item * size].view(kind)
