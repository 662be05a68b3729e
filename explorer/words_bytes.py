"""The sentences of the page Bytes and runes."""

from __future__ import annotations

from engine.runes import Lengths
from explorer.words import count

BYTES = "What the text is underneath, and where the tokenizer cuts it."
INPUT = "Input"
INPUTS = {"text": "text", "hex": "hex bytes", "file": "file"}
HEX = "Bytes in hex"
HEX_HINT = "48 65 6C 6C 6F, 0x48 or \\x48; invalid UTF-8 is welcome."
FILE = "A file of any bytes"
NO_FILE = "Choose a file. Its bytes are read as UTF-8; those that are not valid have rows of their own."
FILE_NOTE = "A file is not in the link. The link holds the settings only."
TOKENIZER = "Tokenizer"
LETTERS = "Pieces as bytes (Ġ)"
LETTERS_HELP = "Write pieces in the letters of byte-level vocabularies: 188 bytes stand for themselves, a space is Ġ."
MARKS = "Hidden characters"
GRID_TITLE = "The byte alphabet"
GRID = (
    "A byte-level vocabulary prints each byte as one visible letter: 188 bytes stand for themselves, 68 are written "
    "from U+0100 up, and a space is U+0120, Ġ. The stronger the blue, the more often a byte occurs in this text."
)
SCRIPTS = "Code points of each script"
CLASSES = "Code points of each length in UTF-8"
EMPTY_TABLE = "None: the text is empty."
TABLE_TITLE = "How UTF-8 writes a code point"
TABLE_NOTE = (
    "U+D800 to U+DFFF are left out: they are surrogates, halves of a pair in UTF-16, and no characters. A byte that "
    "fits no row is invalid and stands in the table above by itself, never as a silent U+FFFD. Source: RFC 3629."
)
EXAMPLES = "Examples"


def lengths(measured: Lengths, tokens: int) -> list[tuple[str, str]]:
    """Label how long a text is, by who counts: number, label.

    >>> from engine.runes import Runes
    >>> lengths(Runes.of("𠮷").lengths, 3)[3]
    ('2', 'UTF-16 units: JavaScript length')
    """
    points = "code points: Python len, Go RuneCountInString"
    numbers = [(measured.python_len, points)]
    if measured.python_len != measured.go_rune_count:
        numbers = [
            (measured.python_len, "code points: Python len, one U+FFFD for each broken run"),
            (measured.go_rune_count, "runes: Go RuneCountInString, one for each broken byte"),
        ]
    all_ = [
        (tokens, "token" if tokens == 1 else "tokens"),
        (measured.graphemes, "graphemes: what readers count"),
        *numbers,
        (measured.javascript_length, "UTF-16 units: JavaScript length"),
        (measured.go_len, "bytes: Go len"),
    ]
    return [(f"{number:,}", label) for number, label in all_]


def cuts(points: int, graphemes: int) -> str:
    """Say how many boundaries of tokens cut a character.

    >>> cuts(0, 0)
    'No token boundary stands inside a character.'
    >>> cuts(1, 3)
    '3 token boundaries stand inside a grapheme, 1 inside a code point.'
    """
    if not graphemes:
        return "No token boundary stands inside a character."
    boundaries = count(graphemes, "token boundary stands", "token boundaries stand")
    return f"{boundaries} inside a grapheme, {points} inside a code point."


def invalid(number: int) -> str:
    """Say that some bytes are invalid.

    >>> invalid(1)
    '1 byte is no part of a code point; it has a row and no token.'
    """
    if number == 1:
        return "1 byte is no part of a code point; it has a row and no token."
    return f"{number:,} bytes are no part of a code point; each has a row and no token."


def too_many(bytes: int, most: int) -> str:
    """Say that only the beginning is drawn."""
    return (
        f"The table holds {most:,} bytes, so that it can be scrolled; this has {bytes:,}. The counts are of all of it."
    )
