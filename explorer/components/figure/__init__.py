"""One number that is compared with another: large, with a bar."""

from __future__ import annotations

from collections.abc import Mapping

from explorer.components import load

_component = load("figure")


def figure(view: Mapping[str, object], *, key: str) -> None:
    """Draw a number with its unit, a bar that compares it with the longest, and what else is to be said.

    Args:
        view: what the browser draws, plain JSON. `number` as it is written, its `unit`, and a `note` that follows in
            second rank (", 59 % fewer"); `share`, the length of the bar, 0 to 1 of the longest; `facts`, other numbers,
            at the right; `good`, what is as it should be, with a check mark below them; `bad`, what is not, one
            sentence a line below the bar; `reserve`, lines to keep for `bad`, so that two figures side by side end on
            one height; `large`: for a projector.
        key: the widget key.
    """
    _component(key=key, data=dict(view))
