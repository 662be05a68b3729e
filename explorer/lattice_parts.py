"""The lattice on a page: the picture of one stretch of a text, and how ways are drawn by lot."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

import engine
from explorer import words_lattice as words
from explorer.components.lattice import lattice
from explorer.page_state import PageState
from explorer.settings import Setting, number
from explorer.views.lattice import Stretch, picture

LARGEST_SEED = 999_999_999


def read_alpha(written: str) -> float:
    """Read alpha from a link.

    Raises:
        ValueError: It is no number from 0 to 2.
    """
    try:
        alpha = float(written)
    except ValueError:
        alpha = -1.0
    if not 0 <= alpha <= 2:
        raise ValueError(f"it must be a number from 0 to 2; got {written[:40]!r}")
    return alpha


def alpha_setting() -> Setting[float]:
    """Return the setting of the exponent of a lot."""
    return Setting(0.2, read_alpha, lambda alpha: f"{alpha:g}", fleeting=True)


def seed_setting() -> Setting[int]:
    """Return the setting of the seed of a lot."""
    return number(0, 0, LARGEST_SEED)


def draw_lattice(
    view: PageState,
    tokenizer: engine.Tokenizer,
    stretch: Stretch | None,
    card_of: Callable[[int], str],
    large: bool = False,
) -> None:
    """Draw the lattice of a stretch, and below it what ways are drawn by; the view has `alpha` and `seed`.

    `card_of` gives the address of the card of an id; "" for none.
    """
    place = st.container()
    with st.container(horizontal=True, vertical_alignment="bottom", key=f"{view.page}-lot"):
        st.slider(words.ALPHA, 0.0, 2.0, step=0.1, key=view.widget("alpha"), help=words.ALPHA_HELP, width=260)
        st.number_input(words.SEED, 0, LARGEST_SEED, step=1, key=view.widget("seed"), width=160)
    with place:
        data = picture(tokenizer, stretch, alpha=view["alpha"], seed=view["seed"], large=large, card_of=card_of)
        lattice(data, key=f"{view.page}.lattice")


def edited_at(before: str, after: str) -> int:
    """Return the last byte of what was typed into a text, or the one before it where something was taken out.

    >>> edited_at("low", "lower"), edited_at("", "ab"), edited_at("a b", "a b")
    (4, 1, 0)
    """
    tail = 0
    while tail < min(len(before), len(after)) and before[-1 - tail] == after[-1 - tail]:
        tail += 1
    return max(0, len(after[: len(after) - tail].encode("utf-8", "replace")) - 1)
