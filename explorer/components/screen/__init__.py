"""Tells of the window what no style sheet can: charts are drawn for a phone's width, and in light or dark colors."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from explorer.components import load

_component = load("screen")
_KNOWN = "screen.narrow"


def watch(on_narrow: Callable[[], None]) -> None:
    """Watch the window; when it becomes a phone's, or no longer is one, or turns dark or light, the page is drawn anew.

    By the system or by the menu, that is the same here. In a fragment, the fragment alone is drawn anew. Call it once,
    before what is slow, so that a phone waits for one drawing.

    Args:
        on_narrow: Called before the page is drawn for another width, which cuts the drawing before it short.
    """

    def keep() -> None:
        st.session_state[_KNOWN] = bool(st.session_state["screen"].narrow)
        on_narrow()

    _component(
        key="screen",
        data={"known": narrow()},
        default={"narrow": narrow()},
        on_narrow_change=keep,
        on_dark_change=lambda: None,  # the run itself draws in the new colors
        height=1,
    )


def narrow() -> bool:
    """Say whether the window is a phone's, at most 640 px wide; one that is not known yet counts as wide."""
    return bool(st.session_state.get(_KNOWN, False))
