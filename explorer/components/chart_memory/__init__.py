"""Remembers where a reader zoomed to in a chart, and which curve was clicked.

New data mounts a chart anew and its zoom is lost; with what is remembered here the next figure takes it up again.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

import streamlit as st

from explorer.components import load

_component = load("chart_memory")


def chart_memory(*, key: str, chart_key: str, on_picked: Callable[[str], None]) -> dict[str, list[float]]:
    """Watch one plotly chart of the page.

    Args:
        key: The widget key.
        chart_key: The key of the container that the chart stands in.
        on_picked: Called with the key of the curve that was clicked: the second of its `customdata`.

    Returns:
        The ranges zoomed to by axis, "x" and "y", in the units of the axis (a log axis: powers of ten); empty where
        the whole chart is in view.
    """

    def picked() -> None:
        value = cast("str | None", st.session_state[key].picked)
        if value is not None:
            on_picked(value)

    result = _component(
        key=key,
        data={"chart_key": chart_key},
        default={"zoom": None},
        on_zoom_change=lambda: None,
        on_picked_change=picked,
        height=1,
    )
    return cast("dict[str, list[float]] | None", result.zoom) or {}
