"""Mixed real text for the measurements, made of what lies on a machine with Python; nothing stands in it twice.

The sample corpora (106 languages, prose, code) come first; then, in turns, translations of programs (in
`/usr/share/locale`, where there is such a folder), Python code, and documentation.
"""

from __future__ import annotations

import gettext
import sysconfig
from collections.abc import Iterator
from functools import cache
from itertools import zip_longest
from pathlib import Path

from engine import corpora

LARGEST_DOCUMENT = 200_000  # bytes; beyond, it is more often data than text


@cache
def mixed(megabytes: float) -> tuple[str, ...]:
    """Return documents of `megabytes` million bytes in all, the last one cut to fit.

    Raises:
        ValueError: This machine has less text.
    """
    wanted = int(megabytes * 1e6)
    documents: list[str] = []
    seen: set[str] = set()
    for document in _documents():
        if document in seen:
            continue
        seen.add(document)
        raw = document.encode()
        if len(raw) >= wanted:
            return (*documents, raw[:wanted].decode(errors="ignore"))
        documents.append(document)
        wanted -= len(raw)
    raise ValueError(f"this machine has {wanted / 1e6:.0f} MB of text less than the {megabytes:g} MB asked for")


def _documents() -> Iterator[str]:
    # Small sizes, too, shall hold every language: 20 kB of each sample before the rest of any.
    texts = [corpora.text(name) for kind in ("udhr", "prose", "code") for name in corpora.names(kind)]
    for start in range(0, max(map(len, texts)), 20_000):
        yield from (text[start : start + 20_000] for text in texts if len(text) > start)
    for group in zip_longest(_translations(), _files("py"), _files("rst", "md", "txt", "html")):
        yield from (document for document in group if document)


def _translations() -> Iterator[str]:
    for path in sorted(Path("/usr/share/locale").glob("*/LC_MESSAGES/*.mo"), key=lambda path: path.name):
        try:
            with path.open("rb") as file:
                entries = gettext.GNUTranslations(file)._catalog  # type: ignore[attr-defined]
        except (OSError, IndexError, ValueError):  # it is not as gettext wants it
            continue
        yield "\n".join(value for key, value in entries.items() if key and isinstance(value, str))


def _files(*suffixes: str) -> Iterator[str]:
    roots = [Path(sysconfig.get_path(name)) for name in ("stdlib", "purelib")] + [Path("/usr/share/doc")]
    for root in roots:
        for path in sorted(root.rglob("*")):
            if path.suffix[1:] in suffixes and path.is_file() and 500 < path.stat().st_size < LARGEST_DOCUMENT:
                try:
                    yield path.read_bytes().decode("utf-8")
                except UnicodeDecodeError:
                    continue
