"""Where compiled loops are kept between two starts, how it is known which source they were made of, and how long."""

from __future__ import annotations

import os
import re
import shutil
import sys
import tempfile
import time
from functools import cache
from hashlib import sha256
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

_HERE = Path(__file__).parent
_LONGEST_CLAIM = 600
"""Seconds in which the loops are surely compiled."""
_UNUSED = 7 * 86_400
"""Seconds after their last use in which loops of other sources are kept: somebody may go back to them."""
_IMPORT = re.compile(r"^from engine\.kernels\.(\w+) import", re.MULTILINE)


@cache
def folder() -> Path | None:
    """Return a folder of the user that can be written; None if there is none.

    It holds machine code, so it may not lie where somebody else could put a file.
    """
    for path in _candidates():
        try:
            path.mkdir(mode=0o700, parents=True, exist_ok=True)
            if not _is_ours(path):
                continue
            tempfile.TemporaryFile(dir=path).close()
        except OSError:
            continue
        return path
    return None


def module_folder(module: str) -> Path | None:
    """Return where the loops of one module are kept: another place once it, or what it imports, reads otherwise.

    None for loops that stand outside of this folder.
    """
    package, _, name = module.rpartition(".")
    root = folder() if package == "engine.kernels" else None
    if root is None:
        return None
    place = root / fingerprint([name])
    try:
        os.utime(place)  # it is in use
    except OSError:  # it is not there yet
        return place
    return place


def forget_unused() -> None:
    """Remove the loops that no process has loaded for a week.

    What a process has loaded it needs no more. A mark goes a day before the loops that it stands for, as they were
    loaded just before it was renewed.
    """
    root = folder()
    now = time.time()
    try:
        for path in [] if root is None else list(root.iterdir()):
            unused = now - path.stat().st_mtime
            if path.name.startswith("complete-") and unused > _UNUSED:
                path.unlink()
            elif re.fullmatch("[0-9a-f]{16}", path.name) and unused > _UNUSED + 86_400:
                shutil.rmtree(path, ignore_errors=True)
    except OSError:  # another process does the same
        return


@cache
def complete_mark() -> Path | None:
    """Return the file that is there once all loops are compiled; None without Numba or a place to write."""
    root = folder()
    try:
        versions = f"{version('numba')}-{version('llvmlite')}-{sys.version_info.major}.{sys.version_info.minor}"
    except PackageNotFoundError:
        return None
    modules = sorted(path.stem for path in _HERE.glob("*.py"))
    return None if root is None else root / f"complete-{versions}-{fingerprint(modules)}"


def claim(mark: Path) -> bool:
    """Claim the filling of the cache for this process; False while another one is at it.

    A claim that led to nothing is void after ten minutes.

    Raises:
        OSError: The folder cannot be written.
    """
    path = mark.with_name(f"{mark.name}.claim")
    try:
        path.touch(exist_ok=False)
    except FileExistsError:
        if time.time() - path.stat().st_mtime < _LONGEST_CLAIM:
            return False
        path.touch()
    return True


def fingerprint(modules: list[str]) -> str:
    """Hash the sources of modules and of all that they import from this folder, and where they lie.

    Numba itself looks only at the file that a loop stands in.
    """
    waiting, sources = list(modules), dict[str, str]()
    while waiting:
        name = waiting.pop()
        if name not in sources:
            sources[name] = (_HERE / f"{name}.py").read_text(encoding="utf-8")
            waiting += _IMPORT.findall(sources[name])
    return sha256(repr((str(_HERE), sorted(sources.items()))).encode()).hexdigest()[:16]


def _candidates() -> list[Path]:
    found = []
    if "XDG_CACHE_HOME" in os.environ:
        found.append(Path(os.environ["XDG_CACHE_HOME"]))
    if sys.platform == "win32":
        found.append(Path(os.environ.get("LOCALAPPDATA", Path.home() / "AppData" / "Local")))
    elif sys.platform == "darwin":
        found.append(Path.home() / "Library" / "Caches")
    else:
        found.append(Path.home() / ".cache")
    user = str(os.getuid()) if hasattr(os, "getuid") else "user"
    return [path / "tokenglass" for path in found] + [Path(tempfile.gettempdir()) / f"tokenglass-{user}"]


def _is_ours(path: Path) -> bool:
    if not hasattr(os, "getuid"):
        return True
    status = path.stat()
    return status.st_uid == os.getuid() and not status.st_mode & 0o022
