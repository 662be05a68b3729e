"""Keeps the address of the page in step with what is seen."""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

import streamlit as st

from explorer.components import load

_component = load("address")


def address(query: str, lasting: str, on_popped: Callable[[str], None], *, key: str) -> None:
    """Write the query of the address, and report when the reader goes back or forward.

    Args:
        query: The query that describes the view, without "?".
        lasting: Where this differs from before, the reader made a decision and the history gains an entry; a query that
            changes alone (typing) takes the place of the last one.
        on_popped: Called before the next run with the query that the reader went back to.
        key: The widget key.
    """

    def popped() -> None:
        value = cast("str | None", st.session_state[key].popped)
        if value is not None:
            on_popped(value)

    _component(key=key, data={"query": query, "lasting": lasting}, on_popped_change=popped, height=1)
