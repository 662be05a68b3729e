"""The corpus of a page that counts or trains on one: a sample, all declarations, or a text or file of one's own."""

from __future__ import annotations

import numpy as np
import streamlit as st
from numpy.typing import NDArray

import engine
from engine import corpora
from explorer import limits, recipes
from explorer import words_vocabulary as words
from explorer.page_state import PageState
from explorer.recipes import Corpus
from explorer.settings import Setting
from explorer.state import counts_of, table_of, texts
from explorer.views.recipe_form import LONGEST_PASTE
from explorer.words import plain, sentence, size

OWN, ALL = "own", "all"
TEXT = "text."
"""With this begins the corpus that is a text of the reader's; its digest follows. `OWN` is one that is still empty."""
CORPORA = tuple(name for name in corpora.names() if not corpora.corpus(name).has_counts)
MOBY_DICK = "prose/en_moby_dick_1851"


def corpus_setting() -> Setting[str]:
    """Return the setting of a page's corpus: the name of a sample, "all", "own", or "text." and a digest."""

    def read(written: str) -> str:
        if written in (*CORPORA, ALL, OWN) or (written.startswith(TEXT) and recipes.text_of(written)):
            return written
        raise ValueError(f"there is no corpus {written[:40]!r} to choose")

    return Setting(MOBY_DICK, read, codes=True)


def corpus_name(choice: str) -> str:
    """Name a corpus for the reader."""
    if choice == OWN or choice.startswith(TEXT):
        return words.OWN
    if choice == ALL:
        return words.ALL
    return corpora.corpus(choice).title.replace("Universal Declaration of Human Rights", "Declaration")


def corpus_choice(view: PageState, label: str = words.CORPUS) -> bool:
    """Draw the list of corpora; tell whether the reader's own is chosen, for which `own_corpus` draws the fields.

    Args:
        view: The settings of the page; "corpus" among them is a `corpus_setting`.
        label: What the list is called.
    """
    own = f"{view.page}.own-corpus"
    if view["corpus"].startswith(TEXT):
        st.session_state[own] = view["corpus"]
    mine = st.session_state.get(own, OWN)
    samples = sorted(CORPORA, key=lambda name: (name.startswith(("udhr", "toy")), corpus_name(name)))
    st.selectbox(label, [ALL, mine, *samples], format_func=corpus_name, key=view.widget("corpus"))
    return bool(view["corpus"] == mine)


def own_corpus(view: PageState, above: str = "") -> None:
    """Draw the fields for a text and for a file; what is given last is the corpus.

    Args:
        view: The settings of the page.
        above: A text of the page that the reader may take with a click.
    """
    area, file, problem = (f"{view.page}.own-{part}" for part in ("text", "file", "problem"))

    def keep(text: str) -> None:
        view.put(corpus=TEXT + texts().keep(text) if text else OWN)

    def take() -> None:
        given = st.session_state[file]
        try:
            if given is not None:
                keep(limits.read_file(given.getvalue())[0])
        except ValueError as error:
            st.session_state[problem] = sentence(error)

    digest = recipes.text_of(view["corpus"]) or ""
    text = texts().get(digest) if digest in texts() else ""
    if st.session_state.get(area) != text:  # it came from a file, or with a link
        st.session_state[area] = text if len(text) <= LONGEST_PASTE else ""
    left, right = st.columns([7, 5], gap="medium")
    with left:
        st.text_area(
            words.OWN_TEXT,
            key=area,
            on_change=lambda: keep(st.session_state[area]),
            height=100,
            max_chars=LONGEST_PASTE,
            placeholder=words.OWN_HINT,
        )
    with right:
        most = limits.LARGEST_CORPUS // 1024 // 1024
        st.file_uploader(words.OWN_FILE, key=file, on_change=take, max_upload_size=most)
    if above:
        st.button(words.TAKE_ABOVE, on_click=keep, args=(above,), key=f"{view.page}.own-above")
    if said := st.session_state.pop(problem, None):
        st.error(plain(said))
    if len(text) > LONGEST_PASTE:
        st.caption(words.kept(size(len(text.encode("utf-8", "replace")))))
    if "\ufffd" in text:
        st.caption(words.replaced(text.count("\ufffd")))


def corpus_texts(view: PageState) -> list[str]:
    """Return the texts of the chosen corpus.

    Raises:
        ValueError: It is a text that is not kept: it came with a link that could not hold it.
    """
    if view["corpus"] == OWN:
        return [""]
    if digest := recipes.text_of(view["corpus"]):
        return [texts().get(digest)]
    return [corpora.text(name) for name in (corpora.names("udhr") if view["corpus"] == ALL else (view["corpus"],))]


def corpus_of_recipe(choice: str) -> Corpus:
    """Return a corpus that is not `OWN` as a recipe has it."""
    if digest := recipes.text_of(choice):
        return Corpus("text", (digest,))
    return Corpus("samples", corpora.names("udhr") if choice == ALL else (choice,))


def corpus_counts(view: PageState, code: str, chosen: engine.Tokenizer) -> NDArray[np.int64]:
    """Return how often each piece of a vocabulary stands in the corpus: int64[n], 0 where it is not here."""
    try:
        with st.spinner(words.COUNTING):
            return counts_of(code, view["corpus"], chosen, corpus_texts(view))
    except ValueError as error:
        st.warning(f"{plain(sentence(error))} {words.MISSING}")
        return np.zeros(len(table_of(code, chosen)), np.int64)
