"""Every sentence that the pages say, in small groups: plain, exact, with units."""

from __future__ import annotations

# --- all pages ---

ABOUT = "See how a machine reads text: train, encode and compare tokenizers. Everything runs here; nothing is sent on."


def count(number: int, one: str, many: str = "") -> str:
    """Write a number with its unit.

    >>> count(1, "token"), count(1234, "token")
    ('1 token', '1,234 tokens')
    """
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def size(bytes: int) -> str:
    """Write a number of bytes.

    >>> size(640), size(12_300), size(2_500_000)
    ('640 bytes', '12 kB', '2.5 MB')
    """
    if bytes < 1000:
        return count(bytes, "byte")
    return f"{bytes / 1000:,.0f} kB" if bytes < 1_000_000 else f"{bytes / 1_000_000:,.1f} MB"


# --- links ---


def too_long(characters: int, longest: int) -> str:
    """Say that a text does not fit into a link; both in characters of the link.

    >>> too_long(12_300, 8_192)
    'This text is too long for a link (12 kB of 8). The link holds the recipe only.'
    """
    return (
        f"This text is too long for a link ({size(characters)} of {longest // 1000}). The link holds the recipe only."
    )


# --- Tokenize ---

TOKENIZE = "One text, two readings. Each patch of color is one token."
TOKENIZE_ONE = "One text, one reading. Each patch of color is one token."
EMPTY_EDITOR = "Type or paste a text. Any language, any script."
EDITOR = "Text"
EXAMPLES = "Example texts"
FIRST = "Tokenizer"
SECOND = "Compare with"
NONE = "none"
MARKS = "Hidden characters"
LARGE = "Large"


def counts(graphemes: int, code_points: int, bytes: int) -> str:
    """Say how long a text is.

    >>> counts(121, 140, 259)
    '121 graphemes · 140 code points · 259 bytes'
    """
    return " · ".join((count(graphemes, "grapheme"), count(code_points, "code point"), count(bytes, "byte")))
