"""What the fills and the marks of a strip mean, and the switches that change them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypedDict, cast

import streamlit as st

from explorer.components import load

_component = load("legend")


class Switch(TypedDict):
    """One switch: its name in settings, its label, what it does, whether it is on."""

    name: str
    label: str
    help: str
    on: bool


def legend(switches: Sequence[Switch], on_flipped: Callable[[str], None], *, key: str, large: bool = False) -> None:
    """Draw the legend, and the switches at its end.

    Args:
        switches: the switches in order.
        on_flipped: called before the next run with the name of a switch that the reader flipped.
        key: the widget key.
        large: for a projector.
    """

    def flipped() -> None:
        name = cast("str | None", st.session_state[key].flipped)
        if name in {switch["name"] for switch in switches}:
            on_flipped(str(name))

    _component(key=key, data={"switches": list(switches), "large": large}, on_flipped_change=flipped)
