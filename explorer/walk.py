"""The way from one place that tokenizers cut differently to the next: Compare and Families draw it."""

from __future__ import annotations

from explorer import words_compare as words
from explorer.components.place_walker import place_walker
from explorer.page_state import PageState
from explorer.views.disagreements import Disagreements


def walker(view: PageState, found: Disagreements, readings: int) -> None:
    """Draw how many places there are, and the steps between them; the strips of the page are a group of its name.

    Args:
        view: The settings of the page.
        found: The places, and the cuts in them.
        readings: How many tokenizers have read the text.
    """
    place_walker(
        found.places,
        group=view.page,
        summary=words.places(readings, len(found.places), len(found.cuts)),
        label=words.PLACE,
        key=f"{view.page}.walker",
        large=view["large"],
    )
