"""The choice of parallel texts: those of the samples, or files of the reader's own."""

from __future__ import annotations

import streamlit as st

from explorer import limits
from explorer import words_measures as words
from explorer.page_state import PageState
from explorer.settings import FILE
from explorer.state import keep_parallel
from explorer.views.parallel import of_files
from explorer.words import plain, sentence

_PROBLEM = "measures.file-problem"


def parallel_choice(view: PageState) -> None:
    """Draw the sets of parallel texts, and the field for files."""
    options = list(words.TEXT_NAMES)
    if view["texts"].startswith(FILE):
        options.append(view["texts"])
    st.selectbox(
        words.TEXTS,
        options,
        format_func=lambda code: words.TEXT_NAMES.get(code, words.OWN_FILES),
        key=view.widget("texts"),
    )
    given = st.file_uploader(words.FILES, accept_multiple_files=True, key="measures.files", help=words.FILES_HELP)

    def read() -> None:
        try:
            limits.check_size(sum(each.size for each in given), "set of files")
            passages = of_files({each.name: limits.read_file(each.getvalue())[0] for each in given})
        except ValueError as error:
            st.session_state[_PROBLEM] = sentence(error)
            return
        view.put(texts=keep_parallel(passages))

    st.button(words.READ_FILES, on_click=read, disabled=not given, key="measures.read-files")
    if problem := st.session_state.pop(_PROBLEM, None):
        st.error(plain(problem))
