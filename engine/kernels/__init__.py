"""The compiled loops, and the one place where it is decided who does a job: they, or Python.

Each module here holds loops that Numba compiles. They take arrays and return arrays and know no words of the domain.
Importing such a module makes its loops ready: from a cache on disk within a fraction of a second, or by compiling
them, which takes many seconds. So nobody imports one without asking `serve` first, and Python does the same work,
with the same result, for small inputs, until the cache is filled, and where there is no Numba.
"""

from __future__ import annotations

import pkgutil
import subprocess
import sys
import threading
from importlib import import_module
from pathlib import Path

import numpy as np

from engine.kernels.cache import claim, complete_mark, forget_unused

__all__ = ["ready", "serve", "start_warming", "warm"]

_WORTH_LOADING = 1_000_000
"""Jobs of this size pay for loading the loops from the cache, which takes about a second of CPU."""

_LARGEST_NOTED = (1 << 25) - (1 << 13)
"""Bytes, two pages less than the limit: each block has a head, and is rounded up."""

_lock = threading.Lock()
_starting = threading.Lock()
_loaded = False
_broken = False
_warming: subprocess.Popen[bytes] | None = None


def serve(size: int, least: int = 0) -> bool:
    """Say whether the compiled loops do a job; if so, their modules may be imported.

    Args:
        size: How large the job is, in bytes of text or what comes near.
        least: Below this size Python is as fast.

    The first large job loads the loops if their cache is filled. Nothing is ever compiled here.
    """
    if size < least:
        return False
    return _loaded or (size >= _WORTH_LOADING and ready() and warm())


def ready() -> bool:
    """Whether the compiled loops can be had without compiling anything."""
    if _loaded:
        return True
    mark = complete_mark()
    return not _broken and mark is not None and mark.exists()


def warm() -> bool:
    """Load the compiled loops, and compile what is not in the cache yet: a minute once per machine, then a second.

    Returns:
        Whether they serve from now on; False where Numba is missing or does not work.
    """
    global _loaded, _broken
    with _lock:
        if not (_loaded or _broken):
            try:
                for module in pkgutil.iter_modules(__path__):
                    if module.name != "__main__":
                        import_module(f"{__name__}.{module.name}")
                _loaded = True
            except Exception:  # whatever a compiler says: Python does the same work
                _broken = True
            else:
                _mark_complete()
                _keep_freed_memory()
    return _loaded


def start_warming() -> None:
    """Fill the cache in a process of its own, at once and once; this one neither waits nor gives it any time.

    Does nothing if the cache is filled or being filled, cannot be written, or Numba is missing.
    """
    global _warming
    mark = complete_mark()
    with _starting:
        if _warming is not None or mark is None or mark.exists():
            return
        try:
            if not claim(mark):
                return
            _warming = subprocess.Popen(
                [sys.executable, "-m", __name__],
                cwd=Path(__file__).parents[2],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
        except OSError:
            return
    threading.Thread(target=_warming.wait, daemon=True).start()


def _keep_freed_memory() -> None:
    """Let the C library keep up to 64 MB that were freed: most jobs soon ask for as much again.

    glibc gives back what is free beyond twice the largest block that it ever freed, which it takes note of up to
    32 MB. A block that nobody touches takes no memory. A training of a megabyte takes a tenth less time afterwards.

    Source: mallopt(3), M_MMAP_THRESHOLD.
    """
    block = np.empty(_LARGEST_NOTED, np.uint8)
    del block


def _mark_complete() -> None:
    mark = complete_mark()
    if mark is not None:
        try:
            mark.touch()
        except OSError:
            return
        forget_unused()
