"""The way from a text to tokens: normalized, split, and one pre-token through all its states."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import cast

import streamlit as st

from explorer.components import load

_component = load("pipeline")


def pipeline(view: Mapping[str, object], on_chosen: Callable[[int], None], *, key: str) -> None:
    """Draw the way of a text.

    Args:
        view: what the browser draws, plain JSON; `explorer.views.pipeline` makes it.
        on_chosen: called before the next run with the place of the pre-token that the reader chose, in bytes.
        key: the widget key.
    """

    def chosen() -> None:
        at = cast("int | None", st.session_state[key].at)
        if at is not None:
            on_chosen(int(at))

    _component(key=key, data=dict(view), on_at_change=chosen)
