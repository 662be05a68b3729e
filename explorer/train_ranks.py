"""A section of Train: the merges of a tokenizer of the catalogue, of a file, or trained before, on the passage."""

from __future__ import annotations

import streamlit as st

from explorer import words_ranks as words
from explorer.cards import card_base
from explorer.chooser import prepared, tokenizer_choice
from explorer.components.merge_player import merge_player
from explorer.frame import section
from explorer.page_state import PageState
from explorer.state import name_of
from explorer.views.ranks import rank_trace
from explorer.words import plain, sentence


def other_merges(view: PageState) -> None:
    """Draw the section, closed at first; what is in a closed one is not worked out."""

    def flip() -> None:
        view["letters"] = not view["letters"]

    with section("train-ranks"):
        opened = st.expander(words.OPEN, on_change="rerun", key="train.ranks")
        if not opened.open:
            return
        with opened:
            st.caption(words.NOTE)
            tokenizer_choice(view, "other", words.CHOICE)
            try:
                data = rank_trace(prepared(view["other"]), name_of(view["other"]), view["passage"])
            except ValueError as error:
                st.warning(plain(sentence(error)))
            else:
                data["card"] = card_base(view["other"])
                merge_player(data, key="train.ranks.player", letters=view["letters"], on_flipped=flip)
