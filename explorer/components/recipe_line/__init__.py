"""A recipe as one line of keys and values."""

from __future__ import annotations

from collections.abc import Sequence

from explorer.components import load

_component = load("recipe_line")


def recipe_line(facts: Sequence[tuple[str, str]], *, key: str, large: bool = False) -> None:
    """Draw pairs of key and value beside each other, as many to a line as fit; any text is safe in them.

    Args:
        facts: what a recipe consists of, in order.
        key: the widget key.
        large: for a projector.
    """
    _component(key=key, data={"facts": [list(fact) for fact in facts], "large": large})
