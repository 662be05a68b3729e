"""The choice of parallel texts: those of the samples, or files of the reader's own."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from engine import Passage
from explorer import limits, words_files
from explorer import words_measures as words
from explorer.file_codes import FILE, ParallelFiles, TokenizerFile
from explorer.page_state import PageState
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
            view.put(texts=keep_parallel(_read(given)))
        except ValueError as error:
            st.session_state[_PROBLEM] = sentence(error)

    st.button(words.READ_FILES, on_click=read, disabled=not given, key="measures.read-files")
    if problem := st.session_state.pop(_PROBLEM, None):
        st.error(plain(problem))


def ask_for_parallel(view: PageState) -> None:
    """Say which files a link needs, and take them; all else of the link waits till they are there."""
    wanted = ParallelFiles.read(view["texts"])
    with st.container(key="measures-missing"):
        st.warning(plain(words.parallel_needed(wanted)))
        given = st.file_uploader(words.ADD_FILES, accept_multiple_files=True, key="measures.missing-parallel")
        if given:
            try:
                code = keep_parallel(_read(given))
            except ValueError as error:
                st.info(plain(sentence(error)))
            else:
                if code == view["texts"]:
                    st.rerun()
                st.info(plain(words.other_parallel(ParallelFiles.read(code))))
                st.button(words.TAKE_OTHERS, on_click=lambda: view.put(texts=code), key="measures.take-others")
        st.button(words.TAKE_SAMPLES, on_click=lambda: view.put(texts="declaration"), key="measures.take-samples")


def not_held(view: PageState) -> str | None:
    """Say what a link to the view cannot hold; None where that is no parallel file."""
    if not view["texts"].startswith(FILE):
        return None
    files = [TokenizerFile.read(code).name for code in view.codes() if code.startswith(FILE)]
    return words_files.not_held([words.set_name(ParallelFiles.read(view["texts"])), *files])


def _read(given: Sequence[UploadedFile]) -> dict[str, Passage]:
    limits.check_size(sum(each.size for each in given), "set of files")
    return of_files({each.name: limits.read_file(each.getvalue())[0] for each in given})
