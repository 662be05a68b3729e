"""A text field that sends what is typed while it is typed."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from explorer.components import load

_component = load("text_editor")


def _ignore() -> None:
    """Give the state key the callback without which it does not exist before the first letter."""


def text_editor(
    value: str,
    *,
    key: str,
    version: int,
    label: str,
    placeholder: str,
    max_bytes: int = 100_000,
    rows: int = 3,
) -> str:
    """Show an editor of several lines, and return its text as of now: the browser sends it live.

    Args:
        value: the text to begin with. The browser takes it at mount and when `version` differs from the last one, so
            that what is being typed is never overwritten by its own echo.
        key: the widget key.
        version: a number to change whenever the page itself replaces the text (an example, an opened link).
        label: the name a screen reader says.
        placeholder: what an empty editor says.
        max_bytes: limit in bytes of UTF-8; longer text is cut at a code point, and a sentence says so.
        rows: the least height in lines; the field grows with its text to 44 % of the window.
    """
    # A lone surrogate, as a paste can bring, has no UTF-8: it becomes U+FFFD here and in the browser.
    whole = value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    shown = whole.encode()[:max_bytes].decode("utf-8", "ignore")
    typed = _typed(key, version)
    text = shown if typed is None else typed
    _component(
        key=key,
        data={
            "value": text,
            "version": version,
            "cut": typed is None and len(shown) < len(whole),
            "placeholder": placeholder,
            "label": label,
            "max_bytes": max_bytes,
            "rows": rows,
        },
        on_text_change=_ignore,
    )
    return text


def _typed(key: str, version: int) -> str | None:
    """Return what the browser last sent for this version of the text, or None."""
    state = st.session_state.get(key)
    sent = state.get("text") if isinstance(state, Mapping) else None
    if not isinstance(sent, Mapping) or sent.get("version") != version:
        return None
    return str(sent["text"])
