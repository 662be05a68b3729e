"""The corpus on which a page counts how often pieces stand: a sample, all declarations, or a text of one's own."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import streamlit as st

from engine import corpora
from explorer import recipes
from explorer import words_vocabulary as words
from explorer.page_state import PageState
from explorer.settings import Setting, choice, text

OWN, ALL = "own", "all"
CORPORA = tuple(name for name in corpora.names() if not corpora.corpus(name).has_counts)
MOBY_DICK = "prose/en_moby_dick_1851"
CORPUS_SETTINGS: Mapping[str, Setting[Any]] = {
    "corpus": choice(MOBY_DICK, (*CORPORA, ALL, OWN)),
    "own": text(""),
}


def corpus_name(choice: str) -> str:
    """Name a corpus for the reader."""
    if choice in (OWN, ALL):
        return words.OWN if choice == OWN else words.ALL
    return corpora.corpus(choice).title.replace("Universal Declaration of Human Rights", "Declaration")


def corpus_choice(view: PageState, page: str) -> None:
    """Draw the list of corpora, and the field for a text of one's own where that is chosen."""
    options = [ALL, OWN, *sorted(CORPORA, key=lambda name: (name.startswith(("udhr", "toy")), corpus_name(name)))]
    st.selectbox(words.CORPUS, options, format_func=corpus_name, key=view.widget("corpus"))
    if view["corpus"] == OWN:
        view["own"] = st.text_area(words.OWN_TEXT, view["own"], key=f"{page}.own-text", height=100)


def corpus_texts(view: PageState) -> tuple[str, list[str]]:
    """Return the chosen corpus: a key that is its own, and its texts."""
    if view["corpus"] == OWN:
        return f"own.{recipes.digest(view['own'])}", [view["own"]]
    if view["corpus"] == ALL:
        return ALL, [corpora.text(name) for name in corpora.names("udhr")]
    return view["corpus"], [corpora.text(view["corpus"])]
