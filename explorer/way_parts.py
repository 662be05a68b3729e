"""How a tokenizer got to its tokens, and which pre-token is looked at: Tokenize and Compare draw it."""

from __future__ import annotations

from explorer.cards import card_base
from explorer.components.pipeline import pipeline
from explorer.page_state import PageState
from explorer.views.pipeline import pipeline as pipeline_data
from explorer.views.reading import Reading

NOWHERE = -1
"""The place "at" of a page on which no pre-token is chosen."""


def way(view: PageState, page: str, place: str, reading: Reading, first: int | None = None) -> None:
    """Draw how one tokenizer got to its tokens.

    Args:
        view: The settings of the page, "at", "large" and "letters" among them.
        page: Its name, as keys have it.
        place: Which of the page's tokenizers it is, as keys have it; the setting of this name is its code.
        reading: What the tokenizer made of the text.
        first: The byte whose pre-token is shown until one is chosen. None: the longest of those in view.
    """

    def go(at: int) -> None:
        view["at"] = at

    data = pipeline_data(
        reading.encoding,
        reading.tokenizer,
        reading.name,
        at=first if view["at"] == NOWHERE else view["at"],
        large=view["large"],
        notation=notation(view),
        card=card_base(view[place]),
    )
    pipeline(data, go, key=f"{page}.{place}.way")


def notation(view: PageState) -> str:
    """Return how pieces are written on a page."""
    return "bytes" if view["letters"] else "text"
