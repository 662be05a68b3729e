"""Real text for the measurements, made of what lies on a machine with Python; the same each time on one machine.

Two texts, at any size. `mixed` is six kinds in equal shares of bytes: English, code, European languages, Cyrillic, CJK
and Indic. `languages` is 106 languages first, which no vocabulary likes, then whatever there is. Both begin with the
sample corpora; then come translations of programs (in `/usr/share/locale`, where there is such a folder), the Python
code and the documentation that are installed. A kind that runs out leaves its share to the others. No paragraph of
100 bytes or more stands in a text twice.
"""

from __future__ import annotations

import gettext
import gzip
import sysconfig
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from itertools import chain, zip_longest
from pathlib import Path

import numpy as np
import regex

from engine import corpora

SCRIPTS = (
    "Latin",
    "Cyrillic",
    "Han",
    "Kana",
    "Hangul",
    "Indic",
    "Arabic",
    "other letters",
    "ASCII besides letters",
    "rest",
)

_LARGEST = 200_000  # bytes of a file; beyond, it is more often data than text
_PART = 5_000  # code points of a sample at a time, so that small sizes hold every language
_LONG = 100  # bytes of a paragraph that may not come again: licenses, mostly
_SHARE = Path("/usr/share")
_INDIC = (
    "Devanagari",
    "Bengali",
    "Gurmukhi",
    "Gujarati",
    "Oriya",
    "Tamil",
    "Telugu",
    "Kannada",
    "Malayalam",
    "Sinhala",
)


def _declarations(*tags: str) -> tuple[str, ...]:
    return tuple(f"udhr/{tag}" for tag in tags)


# For each kind the samples, and the locales of the translations that come after them.
_KINDS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "English": ((*_declarations("en"), "prose/en_moby_dick_1851"), ()),
    "code": (corpora.names("code"), ()),
    "European": (
        _declarations("de", "es", "fr", "it", "nl", "pl", "pt-PT", "sv"),
        (
            "ca",
            "cs",
            "da",
            "de",
            "el",
            "es",
            "et",
            "fi",
            "fr",
            "hr",
            "hu",
            "it",
            "lt",
            "lv",
            "nb",
            "nl",
            "pl",
            "pt",
            "pt_BR",
            "ro",
            "sk",
            "sl",
            "sv",
        ),
    ),
    "Cyrillic": (_declarations("ru", "uk", "bg"), ("be", "bg", "kk", "mk", "ru", "sr", "uk")),
    "CJK": (
        _declarations("ja", "ko", "zh-Hans", "zh-Hant") + tuple(n for n in corpora.names("prose") if "/en" not in n),
        ("ja", "ko", "zh_CN", "zh_HK", "zh_TW"),
    ),
    "Indic": (
        _declarations("hi", "bn", "ta", "te", "mr"),
        ("as", "bn", "bn_IN", "gu", "hi", "kn", "ml", "mr", "ne", "or", "pa", "si", "ta", "te"),
    ),
}


def mixed(megabytes: float) -> tuple[str, ...]:
    """Return documents of six kinds in equal shares, of `megabytes` million bytes in all, the last ones cut to fit.

    Raises:
        ValueError: This machine has less text.
    """
    return _documents("mixed", megabytes, 1)[0]


def languages(megabytes: float) -> tuple[str, ...]:
    """Return documents of 106 languages in equal shares as far as they go, then translations, code, documentation.

    Raises:
        ValueError: This machine has less text.
    """
    return _documents("languages", megabytes, 1)[0]


def unseen(name: str, megabytes: float) -> tuple[str, str]:
    """Return two texts of the kind `name` ("mixed" or "languages") of that size each, without a document in common.

    A sample that is cut into parts (the declarations are) counts each part as a document.

    Raises:
        ValueError: This machine has less text.
    """
    one, other = _documents(name, megabytes, 2)
    return "".join(one), "".join(other)


def kinds(name: str, megabytes: float) -> Mapping[str, int]:
    """Return how many bytes of each kind a text has, the kinds being those that its shares go by."""
    found: Counter[str] = Counter()
    for kind, _, document in _take(_sources(name), int(megabytes * 1e6), 1):
        found[kind] += len(document.encode())
    return found


def scripts(text: str) -> Mapping[str, int]:
    """Return how many bytes of each of `SCRIPTS` a text has."""
    points = np.frombuffer(text.encode("utf-32-le"), np.uint32)
    sizes = 1 + (points >= 0x80) + (points >= 0x800) + (points >= 0x10000)
    found = np.bincount(_script_of_each()[points], sizes, len(SCRIPTS))
    return dict(zip(SCRIPTS, map(int, found), strict=True))


def extended(megabytes: float) -> Iterator[str]:
    """Yield documents of that many million bytes; where the machine has less, the text comes again, changed.

    Each time again, every second document has its letters a-z and the Cyrillic ones exchanged in another way, so that
    about as many new words come as in a real text of that size.

    Yields:
        Documents; a caller writes them to a file, for this may be more than the memory holds.
    """
    wanted, turn = int(megabytes * 1e6), 0
    while wanted > 0:
        for number, (_, _, document) in enumerate(_take(_sources("mixed"), None, 1)):
            part = document.translate(_exchange(turn)) if turn and number % 2 else document
            raw = part.encode()[:wanted]
            yield raw.decode(errors="ignore")
            wanted -= len(raw)
            if wanted <= 0:
                break
        turn += 1


@cache
def _documents(name: str, megabytes: float, copies: int) -> tuple[tuple[str, ...], ...]:
    found: tuple[list[str], ...] = tuple([] for _ in range(copies))
    for _, copy, document in _take(_sources(name), int(megabytes * 1e6), copies):
        found[copy].append(document)
    missing = copies * int(megabytes * 1e6) - sum(len(document.encode()) for part in found for document in part)
    if missing > 100 * copies:  # a cut within a character loses a few bytes
        raise ValueError(f"this machine has {missing / 1e6:.1f} MB of text less than the {megabytes:g} MB asked for")
    return tuple(map(tuple, found))


def _take(sources: dict[str, Iterator[str]], wanted: int | None, copies: int) -> Iterator[tuple[str, int, str]]:
    """Yield kind, copy and document, always of what has the fewest bytes so far, until each copy has `wanted` bytes."""
    seen: set[int] = set()
    so_far = {(kind, copy): 0 for kind in sources for copy in range(copies)}
    left = dict.fromkeys(range(copies), wanted)
    while so_far:
        kind, copy = min(so_far, key=lambda bucket: so_far[bucket])
        document = next(sources[kind], None)
        if document is None:
            so_far = {bucket: size for bucket, size in so_far.items() if bucket[0] != kind}
            continue
        raw = _without_repeats(document, seen).encode()[: left[copy]]
        so_far[kind, copy] += len(raw)
        if raw:
            yield kind, copy, raw.decode(errors="ignore")
        if wanted is not None:
            left[copy] -= len(raw)
            if not left[copy]:
                so_far = {bucket: size for bucket, size in so_far.items() if bucket[1] != copy}


def _without_repeats(document: str, seen: set[int]) -> str:
    kept = []
    for paragraph in document.split("\n\n"):
        if len(paragraph) >= _LONG:
            mark = hash(paragraph)
            if mark in seen:
                continue
            seen.add(mark)
        kept.append(paragraph)
    return "\n\n".join(kept)


def _sources(name: str) -> dict[str, Iterator[str]]:
    """Return the documents of each kind, as they are read."""
    if name == "languages":
        rest = zip_longest(_translations("*"), _files("py"), _files("rst", "md", "txt", "html"))
        declarations = {key: _samples(key) for key in corpora.names("udhr")}
        more = _samples(*corpora.names("prose"), *corpora.names("code"))
        return {**declarations, "rest": chain(more, (document for group in rest for document in group if document))}
    sources = {kind: chain(_samples(*samples), _translations(*locales)) for kind, (samples, locales) in _KINDS.items()}
    sources["English"] = chain(sources["English"], _files("rst", "md", "txt"), _files("html"), _manuals("man*"))
    sources["code"] = chain(sources["code"], _files("py"))
    sources["CJK"] = chain(sources["CJK"], _manuals("ja", "ko", "zh_*"))
    return sources


def _samples(*names: str) -> Iterator[str]:
    """Yield the sample corpora in parts, by turns."""
    texts = [corpora.text(name) for name in names]
    for start in range(0, max(map(len, texts)), _PART):
        yield from (text[start : start + _PART] for text in texts if len(text) > start)


def _translations(*locales: str) -> Iterator[str]:
    """Yield what programs say in these locales, a program after the other."""
    paths = chain.from_iterable(_SHARE.glob(f"locale/{locale}/LC_MESSAGES/*.mo") for locale in locales)
    for path in sorted(paths, key=lambda path: (path.name, path)):
        try:
            with path.open("rb") as file:
                entries = gettext.GNUTranslations(file)._catalog  # type: ignore[attr-defined]
        except (OSError, IndexError, ValueError):  # it is not as gettext wants it
            continue
        yield "\n\n".join(value for key, value in entries.items() if key and isinstance(value, str)) + "\n"


def _files(*suffixes: str) -> Iterator[str]:
    for path in _installed():
        if path.suffix[1:] in suffixes:
            yield from _decoded(path.read_bytes())


@cache
def _installed() -> tuple[Path, ...]:
    roots = [Path(sysconfig.get_path(name)) for name in ("stdlib", "purelib")] + [_SHARE / "doc"]
    paths = chain.from_iterable(sorted(root.rglob("*")) for root in roots)
    known = {".py", ".rst", ".md", ".txt", ".html"}
    found = (path for path in paths if path.suffix in known and path.is_file())
    return tuple(dict.fromkeys(path for path in found if 500 < path.stat().st_size < _LARGEST))


def _manuals(*folders: str) -> Iterator[str]:
    for path in sorted(chain.from_iterable(_SHARE.glob(f"man/{folder}/**/*.gz") for folder in folders)):
        if path.is_file():
            yield from _decoded(gzip.decompress(path.read_bytes()))


def _decoded(raw: bytes) -> Iterable[str]:
    try:
        return [raw.decode()]
    except UnicodeDecodeError:
        return []


@cache
def _script_of_each() -> np.ndarray:
    """Return, for each code point, the index of its script in `SCRIPTS`."""
    classes = {
        "ASCII besides letters": r"[\p{ASCII}--\p{L}]",
        "other letters": r"[\p{L}\p{M}]",
        "Arabic": r"\p{Arabic}",
        "Indic": "[" + "".join(rf"\p{{{script}}}" for script in _INDIC) + "]",
        "Hangul": r"\p{Hangul}",
        "Kana": r"[\p{Hiragana}\p{Katakana}]",
        "Han": r"\p{Han}",
        "Cyrillic": r"\p{Cyrillic}",
        "Latin": r"\p{Latin}",
    }
    points = "".join(map(chr, range(0x110000)))
    found = np.full(0x110000, SCRIPTS.index("rest"), np.uint8)
    for name, pattern in classes.items():
        for match in regex.finditer(f"{pattern}+", points, regex.V1):
            found[match.start() : match.end()] = SCRIPTS.index(name)
    return found


def _exchange(turn: int) -> dict[int, int]:
    """Return a table for `str.translate` that moves letters on by `turn` places within their alphabets."""
    alphabets = [range(ord("a"), ord("z") + 1), range(ord("а"), ord("я") + 1)]
    return {letter: letters[(i + turn) % len(letters)] for letters in alphabets for i, letter in enumerate(letters)}
