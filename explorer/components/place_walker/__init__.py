"""Buttons and keys that lead from one place of a text to the next, in all strips of a group."""

from __future__ import annotations

from collections.abc import Sequence

from explorer.components import load

_component = load("place_walker")


def place_walker(
    places: Sequence[tuple[int, int]], *, group: str, summary: str, label: str, key: str, large: bool = False
) -> None:
    """Draw the number of places with buttons for the previous and the next; N and P do the same inside the strips.

    Args:
        places: spans in UTF-8 bytes of the text, rising.
        group: the strips in which a place is chosen.
        summary: what the places are, with their number.
        label: what a screen reader calls one of them: "disagreement".
        key: the widget key.
        large: for a projector.
    """
    data = {"places": [list(place) for place in places], "group": group, "summary": summary, "label": label}
    _component(key=key, data={**data, "large": large})
