"""The sentences of a token's card."""

from __future__ import annotations

from explorer.words import count

CARD = "One entry of a vocabulary: its bytes, how it was built, how often it is used, who else has it."
ID = "Id"
BUILT = "How it was built"
POINTS = "Code points"
POINT_COLUMNS = ("character", "code point", "name", "script", "bytes")
VARIANTS = "Relatives in the vocabulary"
VARIANT_COLUMNS = ("what", "pieces", "tokens", "id", "count in corpus")
ELSEWHERE = "The same bytes in the other tokenizers"
ELSEWHERE_NOTE = "As each of them reads these bytes when they are a text of their own."
ELSEWHERE_PARTIAL = "These bytes are no text, so they cannot be encoded: looked up in each vocabulary instead."
NO_SUCH_PIECE = "no such piece"
NOTHING_LEFT = "dropped before the tokens are cut"
ELSEWHERE_COLUMNS = ("tokenizer", "tokens", "pieces", "ids")
READING = "Reading with every tokenizer"
CSV = "Download CSV"
FLAGS = {
    "special": "No text is encoded to it, unless special tokens are asked for.",
    "unknown": "Stands for what is not in the vocabulary.",
    "byte": "A piece of a single byte.",
    "partial": "Its bytes are no valid UTF-8 alone: part of a character.",
    "unreachable": "No text is cut into it: a normalizer rewrites it, the split parts it, or other merges come first.",
}
ALPHABET = "It belongs to the alphabet: nothing was merged for it."
TAKEN_WHOLE = "It was taken whole from the corpus, by how often it stands."
NOT_MERGED = "Its own merges end in other pieces, so no text is cut into it."
NO_MERGES = "This kind of model has no merges: it has a list of pieces."
KEPT = "It was not merged but kept: of many pieces at the start, those stayed without which the corpus costs more."


def score(log_probability: float) -> str:
    """Say how probable a piece is.

    >>> score(-8.4)
    'ln p = −8.4000'
    """
    return f"ln p = {log_probability:.4f}".replace("-", "−")


def frequency(stands: int, rank: int | None, used: int) -> str:
    """Say how often a token stands in a corpus.

    >>> frequency(12, 340, 3488), frequency(0, None, 3488)
    ('stands 12 times, rank 340 of 3,488 used pieces', 'does not stand in it; 3,488 other pieces do')
    """
    if rank is None:
        return f"does not stand in it; {count(used, 'other piece')} do"
    return f"stands {'once' if stands == 1 else f'{stands:,} times'}, rank {rank:,} of {count(used, 'used piece')}"


def missing(id: int, size: int) -> str:
    """Say that an id stands for nothing.

    >>> missing(300, 256), missing(3, 10)
    ('Id must be from 0 to 255; got 300.', 'The vocabulary leaves id 3 unused.')
    """
    if id >= size:
        return f"Id must be from 0 to {size - 1:,}; got {id:,}."
    return f"The vocabulary leaves id {id:,} unused."
