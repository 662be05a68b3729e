"""The merge player on Train, with what follows from the reader's hands."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from explorer.components.merge_player import merge_player
from explorer.page_state import PageState

TEXTBOOK = "train.textbook"
"""Key in the session: the reader asks for the textbook version."""

FLIPPED = "train.flipped"
"""Key in the session: the notation of pieces was switched, which the whole page follows."""

_PLAYER = "train.player"


def draw_player(view: PageState, data: Mapping[str, object]) -> None:
    """Mount the player; the settings `step`, `word` and `letters` follow it."""

    def moved() -> None:
        step = st.session_state[_PLAYER].step
        if isinstance(step, int):
            view["step"] = step

    def looked() -> None:
        word = st.session_state[_PLAYER].word
        if isinstance(word, int):
            view["word"] = word

    def ask() -> None:
        st.session_state[TEXTBOOK] = True

    def flip() -> None:
        view["letters"] = not view["letters"]
        st.session_state[FLIPPED] = True

    merge_player(
        data,
        key=_PLAYER,
        letters=view["letters"],
        on_step=moved,
        on_word=looked,
        on_textbook=ask,
        on_flipped=flip,
    )
