"""The sentences of Vocabulary."""

from __future__ import annotations

from explorer.words import count

VOCABULARY = "Every piece of a vocabulary: what it is, and whether a corpus uses it."
TOKENIZER = "Tokenizer"
SEARCH = "Search"
SEARCHES = {"text": "text", "regex": "regex", "hex": "hex bytes", "id": "id"}
SEARCH_HINTS = {
    "text": "ing, or a space and a word; case does not matter",
    "regex": r"^ ?\p{Lu}\p{Ll}+$, for at most 1 second",
    "hex": "E2 80",
    "id": "464, 256-300",
}
HOW = "Search as"
KIND = "Only these kinds"
KINDS = {
    "special": "special",
    "byte": "single byte",
    "partial": "partial",
    "unreachable": "unreachable",
    "duplicate": "twice there",
    "unused": "unused on this corpus",
}
KIND_NOTES = {
    "special": "tokens that no text is encoded to, unless asked for",
    "byte": "pieces of one byte",
    "partial": "pieces of several bytes that are no valid UTF-8 alone: parts of characters",
    "unreachable": "pieces that are text, but whose text is encoded otherwise",
    "duplicate": "pieces of which several ids have the same bytes",
    "unused": "pieces that do not stand in the corpus",
}
SCRIPT = "Script"
ALL_SCRIPTS = "every script"
LEAST = "Bytes, at least"
MOST = "Bytes, at most"
PIECES = "Pieces of"
SHOW = "List them"
CORPUS = "Corpus"
OWN = "a text of your own"
ALL = "all 106 declarations"
OWN_TEXT = "Text"
OWN_FILE = "or a text file"
OWN_HINT = "Type or paste the corpus."
TAKE_ABOVE = "Take the text above"
MISSING = "Until it is here, every count is 0."
COLUMNS = {
    "piece": "piece",
    "id": "id",
    "hex": "bytes",
    "bytes": "length, bytes",
    "characters": "characters",
    "script": "script",
    "kind": "kind",
    "count": "count in corpus",
}
CSV = "Download CSV"
AUDIT = "Audit"
COUNTING = "Counting tokens of the corpus"
LENGTHS = "Pieces by length in bytes"
LENGTHS_AXIS = "length of the piece, bytes"
SCRIPTS = "Pieces by script"
ZIPF = "How often each piece is used"
ZIPF_X = "rank of the piece, log scale"
ZIPF_Y = "count, log scale"
OVERLAP = "What vocabularies have in common"
OVERLAP_NOTE = "Compared by the bytes that a piece stands for; special tokens are left out."
WITH = "Compare with"
PART = "All pieces of a part"
NO_PART = "no part"
NO_OTHER = "no other"
ZIPF_NOTE = "Dotted: count = count of the first / rank, Zipf’s law."
REGION_COLUMNS = ("in", "vocabularies", "pieces", "share, %", "the first of them")


def kept(bytes: str) -> str:
    """Say that a long text is the corpus.

    >>> kept("2.5 MB")
    'The corpus is a text of 2.5 MB, too long for this field.'
    """
    return f"The corpus is a text of {bytes}, too long for this field."


def replaced(number: int) -> str:
    """Say that a corpus has the sign of bytes that are no UTF-8.

    >>> replaced(1)
    'It has U+FFFD once: the sign that stands for bytes which are no UTF-8.'
    """
    times = "once" if number == 1 else f"{number:,} times"
    return f"It has U+FFFD {times}: the sign that stands for bytes which are no UTF-8."


def other_scripts(number: int) -> str:
    """Name what is left of the scripts."""
    return count(number, "other script")


def found(rows: int, of: int) -> str:
    """Say how many pieces are listed.

    >>> found(12, 50257), found(0, 10)
    ('12 of 50,257 pieces', 'No piece of 10 is like this.')
    """
    return f"{rows:,} of {count(of, 'piece')}" if rows else f"No piece of {of:,} is like this."


def used(pieces: int, all_pieces: int, tokens: int, half: int, once: int) -> str:
    """Say how much of a vocabulary a corpus uses.

    >>> used(2500, 50000, 15000, 40, 900)
    '2,500 of 50,000 pieces are used, 5.0 %. 15,000 tokens; half of them are the 40 most frequent, 900 stand once.'
    >>> used(0, 50000, 0, 0, 0)
    'No token stands in the corpus, so none of the 50,000 pieces is used.'
    """
    if not tokens:
        return f"No token stands in the corpus, so none of the {count(all_pieces, 'piece')} is used."
    share = 100 * pieces / max(all_pieces, 1)
    return (
        f"{pieces:,} of {all_pieces:,} pieces are used, {share:.1f} %. {tokens:,} tokens; half of them are "
        f"the {half:,} most frequent, {once:,} stand once."
    )


def audited(done: int, total: int) -> str:
    """Say how far an audit is.

    >>> audited(1000, 250100)
    '1,000 of 250,100 pieces'
    """
    return f"{done:,} of {count(total, 'piece')}"


def audit_line(kind: str, number: int) -> str:
    """Say one result of the audit.

    >>> audit_line("unreachable", 0)
    '0 unreachable: pieces that are text, but whose text is encoded otherwise.'
    """
    return f"{number:,} {KINDS[kind]}: {KIND_NOTES[kind]}."


def region(members: tuple[str, ...], of: int) -> str:
    """Name a part of the overlap.

    >>> region(("gpt2", "clip"), 2), region(("gpt2",), 3), region(("gpt2", "clip"), 3)
    ('both: gpt2, clip', 'only gpt2', 'gpt2, clip, not the other')
    """
    if len(members) == of:
        return ("both: " if of == 2 else "all: ") + ", ".join(members)
    if len(members) == 1:
        return f"only {members[0]}"
    return ", ".join(members) + (", not the other" if of - len(members) == 1 else ", not the others") * (of > 2)
