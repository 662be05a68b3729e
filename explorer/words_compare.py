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
WHY = "Why it was cut here"
WHY_NOTE = "Choose a token in any strip: each tokenizer shows the pre-token over its first byte."


def places(number: int, cuts: int) -> str:
    """Say in how many places tokenizers differ.

    >>> places(0, 0), places(1, 2)
    ('All boundaries are alike.', '1 place is cut differently, 2 boundaries are not shared.')
    """
    if not number:
        return "All boundaries are alike."
    said = f"{count(number, 'place')} {'is' if number == 1 else 'are'} cut differently, "
    return said + f"{count(cuts, 'boundary', 'boundaries')} {'is' if cuts == 1 else 'are'} not shared."
