"""A row of buttons to choose from, the current one marked, with a note at its end."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import cast

import streamlit as st

from explorer.components import load

_component = load("choices")


def choices(
    options: Sequence[str],
    current: str | None,
    on_chosen: Callable[[str], None],
    *,
    key: str,
    label: str,
    note: str = "",
    large: bool = False,
) -> None:
    """Draw the buttons. One component costs a fraction of Streamlit's pills, which matters where one types beside it.

    Args:
        options: what the buttons say.
        current: which of them is marked; None: none.
        on_chosen: called before the next run with what the reader chose, the current one too.
        key: the widget key.
        label: what a screen reader calls the row.
        note: what stands at the end of the row.
        large: for a projector.
    """

    def chosen() -> None:
        option = cast("str | None", st.session_state[key].chosen)
        if option is not None and option in options:
            on_chosen(option)

    data = {"options": list(options), "current": current, "label": label, "note": note, "large": large}
    _component(key=key, data=data, on_chosen_change=chosen)
