"""Tokenize: one text, read by one or two tokenizers."""

from __future__ import annotations

import streamlit as st

from engine.alignment import graphemes
from explorer import words
from explorer.components.token_strip import token_strip
from explorer.examples import EXAMPLES, FIRST
from explorer.frame import follow, header
from explorer.settings import flag, text, tokenizer
from explorer.state import PageState, name_of, tokenizer_of, tokenizers
from explorer.tokenizers import DEFAULTS, catalogue
from explorer.views.strip import strip

ENGLISH, TEN = DEFAULTS
SETTINGS = {
    "text": text(EXAMPLES[FIRST]),
    "first": tokenizer(ENGLISH, catalogue()),
    "second": tokenizer(TEN, ("none", *catalogue())),
    "marks": flag(True),
    "large": flag(False),
}


def side(view: PageState, name: str) -> None:
    """Draw one reading."""
    codes = [*tokenizers(), *catalogue()]
    code = view[name]
    if code not in codes:
        codes.append(code)
    st.selectbox("Tokenizer", codes, format_func=name_of, key=view.widget(name), label_visibility="collapsed")
    made = tokenizer_of(view[name])
    encoding = made.encode(view["text"])
    data = strip(encoding, made, name_of(view[name]), marks=view["marks"], large=view["large"])
    st.metric("tokens", f"{len(encoding):,}")
    token_strip(data, key=f"tokenize.{name}.strip")


@st.fragment
def tokenize() -> None:
    """Draw the page; all of it follows the text."""
    view = PageState("tokenize", SETTINGS)
    header(view, "tokenize", "Tokenize", words.TOKENIZE)
    st.text_area(words.EDITOR, key=view.widget("text"), height=170, label_visibility="collapsed")
    view["text"] = st.session_state[view.widget("text")]
    st.caption(words.counts(len(graphemes(view["text"])), len(view["text"]), len(view["text"].encode())))
    for column, name in zip(st.columns(2, gap="medium"), ("first", "second"), strict=True):
        with column:
            side(view, name)
    follow(view, "tokenize")


tokenize()
