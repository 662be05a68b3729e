"""What a vocabulary's pages begin with: the choice of a tokenizer, and of the corpus it is seen on."""

from __future__ import annotations

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

import engine
from explorer import words_vocabulary as words
from explorer.chooser import prepared, tokenizer_choice
from explorer.corpus_choice import corpus_choice, own_corpus
from explorer.page_state import PageState
from explorer.words import plain, sentence


def given(view: PageState, setting: str, left: DeltaGenerator, right: DeltaGenerator) -> engine.Tokenizer | None:
    """Draw both choices, and return the tokenizer; None, with the reason, where it cannot be made.

    Args:
        view: The settings of the page.
        setting: Which of them holds the code of the tokenizer.
        left: Where to draw the choice of the tokenizer.
        right: Where to draw that of the corpus.
    """
    with right:
        own = corpus_choice(view)
    if own:
        own_corpus(view)
    with left:
        tokenizer_choice(view, setting, words.TOKENIZER, labeled=True)
        try:
            return prepared(view[setting])
        except ValueError as error:
            st.warning(plain(sentence(error)))
            return None
