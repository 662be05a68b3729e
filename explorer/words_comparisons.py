"""The sentences of the comparisons on Tokenize."""

from __future__ import annotations

from explorer.words import count

SPLITS = "The same text in every split"
SPLITS_NOTE = (
    "A model never merges across the edge of a pre-token, so the split decides what can become one token. The first "
    "240 characters. “whitespace” and “bert” drop white space, “metaspace” turns spaces into ▁."
)
OWN = "A regular expression of your own"
OWN_HINT = r"\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+: matches are pre-tokens, and so is what lies between"
OVERLAPS = "What if overlaps were merged from the right?"
OVERLAPS_NOTE = (
    "Where a pair overlaps itself, as in “eee”, every library merges the one at the left: ee|e. From the right it "
    "would be e|ee: other ids for the same text, which a model has never seen. These pre-tokens would differ:"
)
LEFT = "from the left, as it is"
RIGHT = "from the right"


def number(pieces: int) -> str:
    """Say how many pieces a row has."""
    return count(pieces, "piece")


def differences(pre_tokens: int) -> str:
    """Say how many pre-tokens would differ.

    >>> differences(0), differences(2)
    ('none would differ', '2 pre-tokens would differ')
    """
    return f"{count(pre_tokens, 'pre-token')} would differ" if pre_tokens else "none would differ"
