"""The sentences of Compare."""

from __future__ import annotations

from explorer.words import count

COMPARE = "One text, two to six tokenizers. Marked is where they do not cut alike."
ADD = "Add a tokenizer"
NONE = "Take it away"
PLACES = {
    "first": "First tokenizer",
    "second": "Second tokenizer",
    "third": "Third tokenizer",
    "fourth": "Fourth tokenizer",
    "fifth": "Fifth tokenizer",
    "sixth": "Sixth tokenizer",
}
PLACE = "disagreement"
MARKS = (
    "**❘** an inked cut: this tokenizer cuts here, another does not. "
    "**┈** a dotted line: another one cuts inside. N and P lead to the next and the previous place."
)
TABLE = "In numbers"
PRICE = "Price of a million tokens"
PRICE_HELP = "In any currency. One number for all, or one for each in order, set apart by spaces; – for none."
PRICE_HINT = "none: type one, such as 2.50"
WINDOW = "Context window, tokens"
WINDOW_HELP = "One number for all, or one for each in order, set apart by spaces; – for none."
WINDOW_HINT = "none: type one, such as 128000"
CSV = "Download CSV"
COST_NOTE = "Cost = tokens · price / 1,000,000, without the special tokens that a library puts around a text."
APPROACHES = "From words to bytes: every way to cut this text"
APPROACHES_NOTE = (
    "Five of them are trained on the corpus now, with at most so many pieces; bytes need no training. The numbers are "
    "of the text above. Unknown: the share of bytes that became an unknown token."
)
APPROACH_FIELDS = {
    "corpus": "Trained on",
    "size": "Pieces, at most",
    "unseen": "A word the corpus has not",
    "mixed": "A line in several languages",
}
APPROACH_COLUMNS = (
    "approach",
    "vocabulary, pieces",
    "tokens",
    "unknown, % of bytes",
    "bytes per token",
    "the unseen word",
    "several languages",
    "unknown in it, %",
)
SEEN = "This word stands in the corpus, so it is not unseen there."
WHY = "Why it was cut here"
WHY_NOTE = (
    "Choose a token in any strip: each tokenizer shows the pre-token over its first byte. "
    "Until then they stand at the first place that is cut differently."
)
ALONE = "There is nothing to compare: fewer than two tokenizers have read this text."


def places(readings: int, number: int, cuts: int) -> str:
    """Say in how many places so many readings of a text differ.

    >>> places(2, 0, 0), places(2, 1, 2)
    ('All boundaries are alike.', '1 place is cut differently, 2 boundaries are not shared.')
    """
    if readings < 2:
        return ALONE
    if not number:
        return "All boundaries are alike."
    said = f"{count(number, 'place')} {'is' if number == 1 else 'are'} cut differently, "
    return said + f"{count(cuts, 'boundary', 'boundaries')} {'is' if cuts == 1 else 'are'} not shared."
