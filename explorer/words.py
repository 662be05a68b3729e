"""Every sentence that the pages say, in small groups: plain, exact, with units."""

from __future__ import annotations

import re
from collections.abc import Sequence

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


def plain(text: str) -> str:
    r"""Write a text so that Markdown shows it as it is: no link, image, formula or tag.

    >>> print(plain("![x](a.b) <b> $x$"))
    \!\[x\]\(a\.b\) \<b\> \$x\$
    """
    # An address becomes a link even where it is escaped; a word joiner, which nobody sees, parts it.
    return re.sub(r"([!-/:-@\[-`{-~])", r"\\\1", text.replace("://", ":\u2060//"))


# --- long work ---

CANCEL = "Cancel"
DONE = "done"
GO_ON = "Go on"


def cancelled(left: Sequence[str]) -> str:
    """Say what was not finished.

    >>> cancelled(["BPE", "Unigram"])
    'Cancelled, and not finished: BPE, Unigram.'
    """
    return f"Cancelled, and not finished: {', '.join(left)}."


# --- links ---


def too_long(characters: int) -> str:
    """Say that a text does not fit into a link, which holds 8 kB; in characters of the link.

    >>> too_long(12_300)
    'This text is too long for a link (12 kB of 8). The link holds the recipe only.'
    """
    of = "8" if characters < 1_000_000 else "8 kB"
    return f"This text is too long for a link ({size(characters)} of {of}). The link holds the recipe only."


LARGE = "Large"
LARGE_HELP = "For a projector: nothing that is read is smaller than 20 px. All pages follow."

# --- Tokenize ---

TOKENIZE = "One text, two readings. Each patch of color is one token."
TOKENIZE_ONE = "One text, one reading. Each patch of color is one token."
EMPTY_EDITOR = "Type or paste a text. Any language, any script."
EDITOR = "Text"
EXAMPLES = "Example texts"
FIRST = "Tokenizer"
SECOND = "Compare with"
NONE = "No second tokenizer"
SWITCHES = {
    "marks": "Hidden characters",
    "letters": "Pieces as bytes (Ġ)",
    "specials": "Special tokens",
}
SWITCH_HELP = {
    "marks": "Draw spaces, tabs, new lines and characters without ink.",
    "letters": "Write pieces in the letters of byte-level vocabularies: 188 bytes stand for themselves, a space is Ġ.",
    "specials": "Read the text of a special token, such as <|endoftext|>, as that token. Off: as ordinary text.",
}


def counts(graphemes: int, code_points: int, bytes: int) -> str:
    """Say how long a text is.

    >>> counts(121, 140, 259)
    '121 graphemes · 140 code points · 259 bytes'
    """
    return " · ".join((count(graphemes, "grapheme"), count(code_points, "code point"), count(bytes, "byte")))


def figure(tokens: int, other: int | None) -> tuple[str, str]:
    """Say how many tokens there are, as unit and comparison with another tokenizer's number.

    >>> figure(54, 133), figure(133, None), figure(1, 0), figure(5, 5)
    (('tokens', ', 59 % fewer'), ('tokens', ''), ('token', ''), ('tokens', ', as many'))
    """
    unit = "token" if tokens == 1 else "tokens"
    if not other or not tokens:
        return unit, ""
    if tokens == other:
        return unit, ", as many"
    percent = abs(tokens - other) / other * 100
    written = f"{percent:,.0f}" if percent >= 1 else "less than 1"
    return unit, f", {written} % {'fewer' if tokens < other else 'more'}"


def around(tokens: int, before: Sequence[str], after: Sequence[str]) -> str:
    """Say how many tokens there are with the special ones that the official library puts around a text.

    >>> around(133, ["[CLS]"], ["[SEP]"]), around(5, [], [])
    ('135 with [CLS] and [SEP] around', '')
    """
    names = [*before, *after]
    return f"{tokens + len(names):,} with {' and '.join(names)} around" if names else ""


def facts(pieces: int, tokens: int, bytes: int) -> str:
    """Say how large a vocabulary is, and how many bytes a token and tokens a byte has.

    >>> facts(50257, 133, 259)
    '50,257 pieces · 1.95 bytes per token · 0.51 tokens per byte'
    """
    said = [count(pieces, "piece")]
    if tokens and bytes:
        said += [f"{bytes / tokens:,.2f} bytes per token", f"{tokens / bytes:,.2f} tokens per byte"]
    return " · ".join(said)


def training(done: int, total: int | None) -> str:
    """Say how far a training is.

    >>> training(500, 2000), training(0, None)
    ('Training: step 500 of 2,000', 'Training: counting words')
    """
    return "Training: counting words" if total is None else f"Training: step {done:,} of {total:,}"


# --- Tokenize: the way back ---

SAME = "decodes to the same text"


def loss(why: str, at: int, count_: int, what: str) -> str:
    """Say what was lost on the way to ids and back, and where it begins.

    >>> loss("unknown", 17, 2, "<unk>")
    'Not the same text: 2 characters became <unk>, first at byte 17.'
    >>> loss("spaces", 3, 0, "")
    'Not the same text: white space is not kept as it was, first at byte 3.'
    """
    said = {
        "unknown": f"{count(count_, 'character')} became {what}",
        "case": "capitals became small letters",
        "normalization": f"normalization ({what}) rewrote characters",
        "spaces": "white space is not kept as it was",
        "other": "it differs",
    }
    return f"Not the same text: {said[why]}, first at byte {at:,}."


# --- Tokenize: the pipeline ---

WAYS = {"merges": "Merges", "matches": "Longest match", "path": "Most probable path", "lookup": "Look-up"}


def way_title(name: str) -> str:
    """Head the way from text to tokens."""
    return f"How {name} got there"


def normalized_note(name: str, rules: list[str], changed: bool) -> str:
    """Say what normalization did.

    >>> normalized_note("gpt2", [], False), normalized_note("mine", ["nfc"], True)
    ('unchanged: gpt2 has no normalizer', 'changed by nfc')
    """
    if not rules:
        return f"unchanged: {name} has no normalizer"
    return f"{'changed' if changed else 'unchanged'} by {', '.join(rules)}"


def more_characters(number: int) -> str:
    """Say how much of a text is not shown."""
    return f"and {count(number, 'more character', 'more characters')}" if number else ""


def split_note(name: str, number: int) -> str:
    """Say how a text was split.

    >>> split_note("gpt2", 51)
    '51 pre-tokens, split by “gpt2”'
    """
    return f"{count(number, 'pre-token')}, split by “{name}”"


def too_long_to_draw(bytes: int, most: int) -> str:
    """Say why the states of a pre-token are not drawn."""
    return f"This pre-token has {bytes:,} bytes. Its states are drawn up to {most:,}, so that they can be read."


def state_label(kind: str, unit: str, number: int, rank: int | None, unknown: bool, score: float | None = None) -> str:
    """Label one state of a pre-token on its way to tokens; `score` is the natural log of a piece's probability.

    >>> state_label("merges", "bytes", 0, None, False), state_label("merges", "bytes", 1, 1016, False)
    ('bytes', 'rank 1,016')
    >>> state_label("matches", "", 0, None, False), state_label("matches", "", 2, None, False)
    ('word', 'match 2')
    >>> state_label("path", "", 1, None, False, -8.4), state_label("path", "", 1, None, True, -20.0)
    ('ln p −8.40', 'unknown')
    """
    if kind == "path" and number:
        return "unknown" if unknown or score is None else f"ln p {score:.2f}".replace("-", "−")
    if kind == "lookup":
        return "looked up"
    if number == 0:
        return unit or "word"
    if rank is not None:
        return f"rank {rank:,}"
    return "no match" if unknown else f"match {number}"


# --- Tokenize: ids to text ---

IDS_TITLE = "From ids to text"
IDS = "Ids"
EMPTY_IDS = "Type or paste ids, such as 464 40304 9808 or [464, 40304, 9808]."
BROKEN = "Some of these bytes are no whole character; each such place is shown as U+FFFD."


def decoded_by(name: str, ids: int, text: str) -> str:
    """Say what ids were decoded to.

    >>> decoded_by("gpt2", 3, "Hi!")
    '3 ids in gpt2: 3 characters'
    """
    said = f"{count(ids, 'id')} in {name}: {count(len(text), 'character')}"
    return f"{said}. {BROKEN}" if "\ufffd" in text else said


def sentence(error: ValueError) -> str:
    """Turn the message of an error into a sentence.

    >>> sentence(ValueError("id must be from 0 to 255, as the vocabulary has 256 pieces; got 300"))
    'Id must be from 0 to 255, as the vocabulary has 256 pieces; got 300.'
    >>> sentence(ValueError("vocab_size must be at least 256, one per byte; got 10"))
    'vocab_size must be at least 256, one per byte; got 10.'
    """
    said = str(error)
    if "_" not in said.partition(" ")[0]:  # an option keeps its spelling
        said = said[:1].upper() + said[1:]
    return said if said.endswith((".", "!", "?")) else said + "."
