"""The settings of a page: how each is written in a link, and what it may be."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from explorer import links, recipes
from explorer.file_codes import FILE, ParallelFiles, TokenizerFile

T = TypeVar("T")

BETWEEN = "!"
"""This parts the codes of several tokenizers; no code holds it."""


@dataclass(frozen=True)
class Setting(Generic[T]):
    """One setting of a page.

    Attributes:
        default: Its value where a link does not name it; a default is never written.
        read: Turns what a link says into a value; raises ValueError.
        write: Turns a value into what a link says; None where it is too long for a link.
        fleeting: Whether it changes all the time (typing, a step of a player): then it makes no entry in the
            browser's history, so that "back" leads to the last decision.
        everywhere: Whether all pages that have a setting of this name show the same.
        codes: Whether it is codes of tokenizers or of a corpus, which may need what a link cannot hold.
        begins: Its value where the address says nothing at all, so that a page may begin with something new while a
            link that leaves the setting out means what it meant. It is always written. None: the default.
    """

    default: T
    read: Callable[[str], T]
    write: Callable[[T], str | None] = str
    fleeting: bool = False
    everywhere: bool = False
    codes: bool = False
    begins: T | None = None

    def unsaid(self, bare: bool) -> T:
        """Return the value where a link does not name it; `bare`: where the address says nothing at all."""
        return self.begins if bare and self.begins is not None else self.default


def choice(default: str, options: Sequence[str]) -> Setting[str]:
    """Return a setting that is one of several words.

    >>> choice("tokens", ["tokens", "bytes"]).read("bytes")
    'bytes'
    """

    def read(written: str) -> str:
        if written not in options:
            raise ValueError(f"it must be one of {', '.join(options)}; got {written[:40]!r}")
        return written

    return Setting(default, read)


def several(default: tuple[str, ...], options: Sequence[str]) -> Setting[tuple[str, ...]]:
    """Return a setting that is some of several words, in the reader's order."""

    def read(written: str) -> tuple[str, ...]:
        names = tuple(dict.fromkeys(name for name in written.split(",") if name))
        for name in names:
            if name not in options:
                raise ValueError(f"there is no {name[:40]!r} to choose")
        return names

    return Setting(default, read, ",".join)


def number(default: int, least: int, most: int, fleeting: bool = False) -> Setting[int]:
    """Return a setting that is a whole number."""

    def read(written: str) -> int:
        if not written.lstrip("-").isdecimal() or len(written) > 12 or not least <= int(written) <= most:
            raise ValueError(f"it must be a number from {least} to {most}; got {written[:40]!r}")
        return int(written)

    return Setting(default, read, str, fleeting)


def line(default: str = "", longest: int = 200) -> Setting[str]:
    """Return a setting that is one line of the reader's own, as it was typed.

    >>> line().read("128000 200000")
    '128000 200000'
    """

    def read(written: str) -> str:
        if len(written) > longest or not all(char.isprintable() for char in written):
            raise ValueError(f"it must be one line of at most {longest} characters; got {len(written)}")
        return written

    return Setting(default, read, lambda typed: typed if len(typed) <= longest else None)


def flag(default: bool, everywhere: bool = False) -> Setting[bool]:
    """Return a setting that is on or off."""

    def read(written: str) -> bool:
        if written not in ("on", "off"):
            raise ValueError(f"it must be on or off; got {written[:40]!r}")
        return written == "on"

    return Setting(default, read, lambda on: "on" if on else "off", everywhere=everywhere)


def text(default: str) -> Setting[str]:
    """Return a setting that is a text of the reader's."""
    return Setting(default, links.unpack, links.pack, fleeting=True)


def tokenizer(default: str, names: Sequence[str] = (), begins: str | None = None) -> Setting[str]:
    """Return a setting that is the code of a tokenizer: a recipe, one of the catalog's names, or a file's digest."""
    return Setting(default, lambda written: _code(written, names), codes=True, begins=begins)


def trained(default: str) -> Setting[str]:
    """Return a setting that is the code of a recipe."""
    return Setting(default, lambda written: recipes.encode(recipes.decode(written)), codes=True)


def tokenizers(default: tuple[str, ...], names: Sequence[str] = ()) -> Setting[tuple[str, ...]]:
    """Return a setting that is the codes of several tokenizers, in the reader's order."""

    def read(written: str) -> tuple[str, ...]:
        return tuple(dict.fromkeys(_code(code, names) for code in written.split(BETWEEN) if code))

    return Setting(default, read, BETWEEN.join, codes=True)


def parallel(default: str, sets: Sequence[str]) -> Setting[str]:
    """Return a setting that is a set of parallel texts: one of those there are, or a visitor's files."""

    def read(written: str) -> str:
        if written.startswith(FILE):
            return ParallelFiles.read(written).code
        if written not in sets:
            raise ValueError(f"it must be one of {', '.join(sets)}; got {written[:40]!r}")
        return written

    return Setting(default, read)


def _code(written: str, names: Sequence[str]) -> str:
    if written.startswith(FILE):
        return TokenizerFile.read(written).code
    return written if written in names else recipes.encode(recipes.decode(written))
