"""Lattice: every piece of a unigram model that can stand in a word, live as the text is typed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import streamlit as st

import engine
from engine.models.unigram import Unigram
from engine.models.unigram_lattice import unigram_of
from explorer import links
from explorer import words_lattice as words
from explorer.cards import card_base
from explorer.chooser import offered, prepared
from explorer.components.text_editor import text_editor
from explorer.components.token_strip import token_strip
from explorer.frame import LARGE, follow, header, section
from explorer.lattice_parts import alpha_setting, draw_lattice, edited_at, seed_setting
from explorer.page_state import PageState
from explorer.settings import Setting, number, text, tokenizer
from explorer.state import files, loaded, name_of, tokenizers
from explorer.tokenizers import UNIGRAM, catalogue
from explorer.views.lattice import at_byte, stretches
from explorer.views.strip import strip
from explorer.words import EDITOR, EMPTY_EDITOR, plain, sentence, too_long

FIRST = "The unbelievable internationalization of happiness"
MOST_BYTES = 4000
SETTINGS: Mapping[str, Setting[Any]] = {
    "text": text(FIRST),
    "code": tokenizer(UNIGRAM[0], catalogue()),
    "at": number(8, 0, MOST_BYTES, fleeting=True),
    "alpha": alpha_setting(),
    "seed": seed_setting(),
    "large": LARGE,
}


@st.fragment
def main() -> None:
    """Draw the page; all of it follows the text."""
    view = PageState("lattice", SETTINGS)
    top = st.container()
    edit(view)
    size = links.packed_size(view["text"])
    with top:
        header(view, "lattice", words.TITLE, words.SENTENCE, too_long(size) if size > links.LONGEST else None)
    choose(view)
    try:
        chosen = prepared(view["code"])
        unigram_of(chosen)
    except ValueError as error:
        st.warning(plain(sentence(error)))
    else:
        show(view, chosen)
    with section("lattice-method"), st.expander(words.METHOD_TITLE):
        st.markdown(words.METHOD)
    follow(view, "lattice")


def edit(view: PageState) -> None:
    """Draw the editor; the lattice follows the place where the text was edited last."""
    written = text_editor(
        view["text"],
        key="lattice.editor",
        version=view.opened,
        label=EDITOR,
        placeholder=EMPTY_EDITOR,
        max_bytes=MOST_BYTES,
        rows=2,
    )
    if written != view["text"]:
        view["at"] = min(MOST_BYTES, edited_at(view["text"], written))
        view["text"] = written


def choose(view: PageState) -> None:
    """Draw the list of tokenizers with a unigram model, and the switch for a projector."""
    own = [code for code in tokenizers() if code.startswith("unigram~")]
    read = [code for code in files() if code in loaded() and isinstance(loaded()[code].model, Unigram)]
    codes = offered(view, "code", [*own, *read, *UNIGRAM])
    with st.container(horizontal=True, vertical_alignment="center", key="lattice-choice"):
        st.selectbox(
            words.TOKENIZER,
            codes,
            format_func=name_of,
            key=view.widget("code"),
            label_visibility="collapsed",
            width=420,
        )


def show(view: PageState, chosen: engine.Tokenizer) -> None:
    """Draw the tokens of the text, and the lattice of the word that was edited or chosen."""
    card = card_base(view["code"])
    encoding = chosen.encode(view["text"])
    data = strip(encoding, chosen, name_of(view["code"]), group="lattice", large=view["large"], card=card)
    span = token_strip(data | {"ids": False}, key="lattice.strip")
    if span != st.session_state.get("lattice.chosen"):
        st.session_state["lattice.chosen"] = span
        view["at"] = view["at"] if span is None else min(MOST_BYTES, span[0])
    parts = stretches(chosen, view["text"])
    stretch = parts[at_byte(parts, view["at"])] if parts else None
    draw_lattice(view, chosen, stretch, lambda id: f"{card}{id}", view["large"])


main()
