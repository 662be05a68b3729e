"""The class of every code point, as the splits need it: from a file that `python -m engine.unicode_classes` writes.

The classes are those of the pinned `regex` package (Unicode 16), so that compiled loops and regular expressions agree.
"""

from __future__ import annotations

from functools import cache
from importlib.metadata import version
from itertools import groupby
from pathlib import Path

import numpy as np
import regex
from numpy.typing import NDArray

from engine.pre_tokenizers import IDEOGRAPHS, PUNCTUATION

POINTS = 0x110000
FILE = Path(__file__).with_name("unicode_classes.txt")

NAMES = ("other", "upper", "lower", "letter", "mark", "number", "space", "newline", "punctuation", "ideograph", "sign")
OTHER, UPPER, LOWER, LETTER, MARK, NUMBER, SPACE, NEWLINE, PUNCT, IDEOGRAPH, SIGN = range(len(NAMES))
"""LETTER has no case; NEWLINE is CR or LF; IDEOGRAPH and SIGN are what BERT takes for one, a letter or none."""


@cache
def table() -> NDArray[np.uint8]:
    """Return uint8[0x110000], the class of each code point."""
    rows = [line.split() for line in FILE.read_text(encoding="ascii").splitlines() if not line.startswith("#")]
    starts = np.array([int(start, 16) for start, _ in rows] + [POINTS])
    return np.repeat(np.array([NAMES.index(name) for _, name in rows], np.uint8), np.diff(starts))


def computed() -> NDArray[np.uint8]:
    """Work out the class of each code point, by one regular expression a class; surrogates are OTHER."""
    classes = np.full(POINTS, OTHER, np.uint8)
    text = "".join(map(chr, range(POINTS)))

    def members(pattern: str) -> NDArray[np.bool_]:
        mask = np.zeros(POINTS, np.bool_)
        for match in regex.finditer(rf"(?:{pattern})+", text):
            mask[match.start() : match.end()] = True
        return mask

    patterns = (r"[\p{Lu}\p{Lt}]", r"\p{Ll}", r"[\p{Lm}\p{Lo}]", r"\p{M}", r"\p{N}", r"\s", r"[\r\n]")
    for number, pattern in enumerate(patterns, UPPER):
        classes[members(pattern)] = number
    punctuation, ideographs = members(f"[{PUNCTUATION}]"), members(f"[{IDEOGRAPHS}]")
    classes[punctuation & (classes == OTHER)] = PUNCT
    classes[ideographs & (classes == LETTER)] = IDEOGRAPH
    classes[ideographs & (classes == OTHER)] = SIGN
    classes[0xD800:0xE000] = OTHER
    return classes


def write() -> None:
    """Write the file: the first code point of each run of one class, and the class."""
    lines = [f"# Classes of code points by regex {version('regex')}; written by python -m engine.unicode_classes"]
    start = 0
    for number, run in groupby(computed().tolist()):
        lines.append(f"{start:X} {NAMES[number]}")
        start += len(list(run))
    FILE.write_text("\n".join(lines) + "\n", encoding="ascii")


if __name__ == "__main__":
    write()
