"""Rewrite rules applied before splitting; each keeps its alignment with the original text.

Forms and categories are those of Unicode 17 (`unicodedata2`), never those of the running Python.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache, partial
from itertools import accumulate, count, filterfalse
from types import MappingProxyType
from typing import Final, Literal, TypeAlias

import numpy as np
import regex
import unicodedata2
from numpy.typing import NDArray

from engine.alignment import AlignedText, Normalizer, code_points

__all__ = [
    "NORMALIZERS",
    "Normalizer",
    "lowercase",
    "nfc",
    "nfd",
    "nfkc",
    "nfkd",
    "nmt",
    "normalizer",
    "single_spaces",
    "strip_accents",
]

Form: TypeAlias = Literal["NFC", "NFD", "NFKC", "NFKD"]

# Code points of combining class 0 that may compose with one before them: the second halves of canonical compositions,
# and the vowels and trailing consonants of Hangul.
# Source: Unicode 17, DerivedNormalizationProps.txt, NFC_Quick_Check=Maybe.
COMPOSES_BACKWARD: Final = frozenset(
    "\u09be\u09d7\u0b3e\u0b56\u0b57\u0bbe\u0bd7\u0cc2\u0cd5\u0cd6\u0d3e\u0d57\u0dcf\u0ddf\u102e\u1b35"
    "\U00011127\U0001133e\U00011357\U000113b8\U000113bb\U000113c2\U000113c9\U000114b0\U000114ba\U000114bd\U000115af"
    "\U00011930\U0001611e\U0001611f\U00016120\U00016129\U00016d67"
) | frozenset(map(chr, [*range(0x1161, 0x1176), *range(0x11A8, 0x11C3)]))

# Source: google/sentencepiece 0.2.3, src/builder.cc, BuildNmtNFKCMap.
DROPPED: Final = regex.compile(r"[\x01-\x08\x0B\x0E-\x1F\x7F\u008F\u009F]+")
LIKE_SPACES: Final = regex.compile(r"[\t\n\f\r\u061C\u1680\u200B\u200C\u200E\u200F\u2028\u2029\u2581\uFEFF\uFFFD]")
EXTRA_SPACES: Final = regex.compile(r"\A +| +(?![\s\S])|(?<= ) +")

# Capitals that became letters, or gained a small letter, after Unicode 14, which is what Python 3.11 knows.
# Source: Unicode 17, UnicodeData.txt, Simple_Lowercase_Mapping.
NEWER_CAPITALS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "\u1c89": "\u1c8a",
        "\ua7cb": "\u0264",
        "\ua7cc": "\ua7cd",
        "\ua7ce": "\ua7cf",
        "\ua7d2": "\ua7d3",
        "\ua7d4": "\ua7d5",
        "\ua7da": "\ua7db",
        "\ua7dc": "\u019b",
    }
    | {chr(0x10D50 + i): chr(0x10D70 + i) for i in range(22)}  # Garay
    | {chr(0x16EA0 + i): chr(0x16EBB + i) for i in range(25)}  # Beria Erfe
)


def nfc(text: AlignedText) -> AlignedText:
    r"""Compose letters and their marks: é in two code points becomes one.

    Source: UAX 15, Normalization Form C.

    >>> nfc(AlignedText.of("cafe\N{COMBINING ACUTE ACCENT}")).text == "caf\N{LATIN SMALL LETTER E WITH ACUTE}"
    True
    """
    return by_unit(text, "NFC", _RULES["NFC"])


def nfd(text: AlignedText) -> AlignedText:
    """Take letters and their marks apart: é becomes two code points.

    Source: UAX 15, Normalization Form D.

    >>> len(nfd(AlignedText.of("é한")).text)
    5
    """
    return by_unit(text, "NFD", _RULES["NFD"])


def nfkc(text: AlignedText) -> AlignedText:
    """Fold compatibility forms, then compose: ﬁ becomes fi, ² becomes 2, full-width Ａ becomes A.

    Source: UAX 15, Normalization Form KC.

    >>> nfkc(AlignedText.of("ﬁ²Ａ")).text
    'fi2A'
    """
    return by_unit(text, "NFKC", _RULES["NFKC"])


def nfkd(text: AlignedText) -> AlignedText:
    """Fold compatibility forms and take letters and their marks apart.

    Source: UAX 15, Normalization Form KD.

    >>> nfkd(AlignedText.of("½")).text
    '1⁄2'
    """
    return by_unit(text, "NFKD", _RULES["NFKD"])


def lowercase(text: AlignedText) -> AlignedText:
    """Replace capitals with small letters, each code point by itself: Σ becomes σ even where a word ends.

    Source: huggingface/tokenizers, normalizers.Lowercase; Unicode 17, Lowercase_Mapping without context.

    >>> lowercase(AlignedText.of("ΟΔΟΣ İ")).text
    'οδοσ i̇'
    """
    if text.text.isascii():
        return AlignedText(text.original, text.text.lower(), text.starts, text.stops)
    return by_code_point(text, _small)


def strip_accents(text: AlignedText) -> AlignedText:
    """Take letters and their marks apart, and drop the marks: é becomes e.

    A mark is any code point of category Mn, so Hindi and Thai lose vowel signs too: a lesson in what is an accent.

    Source: google-research/bert, tokenization.py, BasicTokenizer._run_strip_accents.

    >>> strip_accents(AlignedText.of("São Tomé")).text
    'Sao Tome'
    """
    return by_unit(text, "NFD", _without_marks)


def nmt(text: AlignedText) -> AlignedText:
    r"""Turn tabs, newlines, invisible marks and ▁ into spaces, and drop control characters.

    Followed by `nfkc` it is SentencePiece's usual rule, nmt_nfkc, which leaves the full-width tilde (U+FF5E) alone.

    Source: google/sentencepiece 0.2.3, src/builder.cc, BuildNmtNFKCMap.

    >>> nmt(AlignedText.of("to\tbe\x7f\nor")).text
    'to be or'
    """
    return replaced(LIKE_SPACES, " ", replaced(DROPPED, "", text))


def single_spaces(text: AlignedText) -> AlignedText:
    """Drop the spaces (U+0020) at both ends, and all but the first of several in a row.

    Source: google/sentencepiece, src/normalizer.cc, `remove_extra_whitespaces`.

    >>> single_spaces(AlignedText.of("  to   be ")).text
    'to be'
    """
    return replaced(EXTRA_SPACES, "", text)


def normalizer(name: str) -> Normalizer:
    """Return the normalizer of that name.

    Raises:
        ValueError: There is none; the message lists those there are.
    """
    try:
        return NORMALIZERS[name]
    except KeyError:
        raise ValueError(f"there is no normalizer named {name!r}; choose from {', '.join(NORMALIZERS)}") from None


def in_order(normalizers: Iterable[str | Normalizer]) -> tuple[Normalizer, ...]:
    """Return normalizers that are given by name or as they are.

    Raises:
        ValueError: There is none of a name; or a single name is given.

    >>> in_order(["nfc", lowercase]) == (nfc, lowercase)
    True
    """
    if isinstance(normalizers, str):
        raise ValueError(f"normalizers must be several names, as in [{normalizers!r}]; got {normalizers!r} alone")
    return tuple(normalizer(rule) if isinstance(rule, str) else rule for rule in normalizers)


def by_unit(text: AlignedText, form: Form, rule: Callable[[str], str]) -> AlignedText:
    """Apply a rule to the smallest parts of a text on which it gives the same as on the whole."""
    if not text.text or text.text.isascii():
        return text
    points = code_points(text.text)
    joins, changes = _joining(form).told(points), _changing(rule).told(points)
    if not (joins.any() or changes.any()):
        return text
    joins[0] = False
    edges = np.append(np.flatnonzero(~joins), len(points))
    touched = changes[edges[:-1]] | (np.diff(edges) > 1)
    return _changed(text, edges[:-1][touched], edges[1:][touched], rule)


def by_code_point(text: AlignedText, rule: Callable[[str], str]) -> AlignedText:
    """Apply a rule to each code point by itself."""
    touched = np.flatnonzero(_changing(rule).told(code_points(text.text)))
    return _changed(text, touched, touched + 1, rule)


class Characters:
    """What is asked of each code point once, however many texts have it.

    >>> Characters(str.isspace).places("to be or").tolist()
    [2, 5]
    """

    def __init__(self, holds: Callable[[str], bool]) -> None:
        """Know nothing yet; `holds` says whether it holds of a code point."""
        self._holds = holds
        self._known = np.zeros(sys.maxunicode + 1, np.int8)  # 0 for not asked yet; what is not written takes no memory

    def told(self, points: NDArray[np.uint32]) -> NDArray[np.bool_]:
        """Tell of each code point whether it holds: bool[n]."""
        known = self._known[points]
        if not known.all():
            for point in _distinct(points[known == 0]):
                self._known[point] = 1 + self._holds(chr(point))
            known = self._known[points]
        return np.equal(known, 2)

    def places(self, text: str) -> NDArray[np.int64]:
        """Tell at which code points of a text it holds: int64[n], rising."""
        return np.flatnonzero(self.told(code_points(text)))


@lru_cache(maxsize=8)
def _joining(form: Form) -> Characters:
    return Characters(partial(_joins, form))


@lru_cache(maxsize=64)
def _changing(rule: Callable[[str], str]) -> Characters:
    return Characters(lambda char: rule(char) != char)


def replaced(pattern: regex.Pattern[str], content: str, text: AlignedText) -> AlignedText:
    """Replace every match; one of no width is none."""
    spans = [
        match.span()
        for match in pattern.finditer(text.text)
        if match.start() < match.end() and match.group() != content
    ]
    return text.edited(spans, [content] * len(spans))


def _changed(
    text: AlignedText, starts: NDArray[np.int64], stops: NDArray[np.int64], rule: Callable[[str], str]
) -> AlignedText:
    """Apply a rule to some units of a text, which are given in code points."""
    spans = list(zip(starts.tolist(), stops.tolist(), strict=True))
    units = [text.text[start:stop] for start, stop in spans]
    results = {unit: _made(rule, unit) for unit in set(units)}  # a letter with its mark comes again and again
    changed = [i for i, unit in enumerate(units) if unit != results[unit]]
    return text.edited([spans[i] for i in changed], [results[units[i]] for i in changed])


def _made(rule: Callable[[str], str], unit: str) -> str:
    return _made_before(rule, unit) if len(unit) <= _SHORT_UNIT else rule(unit)


@lru_cache(maxsize=1 << 16)
def _made_before(rule: Callable[[str], str], unit: str) -> str:
    return rule(unit)


def _distinct(points: NDArray[np.uint32]) -> list[int]:
    """Return the code points that occur, in order; at least one must."""
    present = np.zeros(points.max() + 1, dtype=np.bool_)
    present[points] = True
    return np.flatnonzero(present).tolist()


def _small(char: str) -> str:
    return NEWER_CAPITALS.get(char, char.lower())


@lru_cache(maxsize=1 << 16)
def _joins(form: Form, char: str) -> bool:
    """Say whether a code point may reorder or compose with what stands before it."""
    first = unicodedata2.normalize(_DECOMPOSED[form], char)[0]
    return unicodedata2.combining(first) != 0 or first in COMPOSES_BACKWARD


def _normalized(form: Form, unit: str) -> str:
    if len(unit) > _LONG_UNIT and _joins(form, unit[1]):
        unit = _in_canonical_order("".join(unicodedata2.normalize(_DECOMPOSED[form], char) for char in unit))
    return str(unicodedata2.normalize(form, unit))


def _without_marks(unit: str) -> str:
    return "".join(filterfalse(_is_mark, _normalized("NFD", unit)))


@lru_cache(maxsize=1 << 16)
def _is_mark(char: str) -> bool:
    return bool(unicodedata2.category(char) == "Mn")


def _in_canonical_order(decomposed: str) -> str:
    """Sort each run of marks by combining class, in time n log n: the library takes n * n on a long run."""
    classes = [unicodedata2.combining(char) for char in decomposed]
    starters = accumulate(mark == 0 for mark in classes)
    return "".join(char for *_, char in sorted(zip(starters, classes, count(), decomposed, strict=False)))


_DECOMPOSED: Final[Mapping[Form, Form]] = MappingProxyType({"NFC": "NFD", "NFD": "NFD", "NFKC": "NFKD", "NFKD": "NFKD"})
_RULES: Final = MappingProxyType({form: partial(_normalized, form) for form in _DECOMPOSED})
_SHORT_UNIT, _LONG_UNIT = 8, 256  # code points

NORMALIZERS: Final[Mapping[str, Normalizer]] = MappingProxyType(
    {made.__name__: made for made in (nfc, nfd, nfkc, nfkd, lowercase, strip_accents, nmt, single_spaces)}
)
