"""A section of Tokenize: tokenizers read from files of other libraries, and written for them."""

from __future__ import annotations

import io
import tempfile
import zipfile
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

import streamlit as st

import engine
from engine.formats import WRITTEN
from explorer import words_files as words
from explorer.file_codes import TokenizerFile
from explorer.file_reading import read_tokenizer
from explorer.frame import section
from explorer.page_state import PageState
from explorer.state import keep_file
from explorer.views.reading import Reading
from explorer.words import plain, sentence

PAIR = "vocab.json + merges.txt"
"""The two files that belong together, in one archive."""


def exchange(view: PageState, readings: Mapping[str, Reading]) -> None:
    """Draw the fields to load a file, and to save what is chosen; both closed at first."""
    with section("tokenize-files"):
        with st.expander(words.LOAD):
            load(view)
        with st.expander(words.FETCH):
            fetch(view)
        saving = st.expander(words.SAVE, on_change="rerun", key="tokenize.saving")
        if saving.open:
            with saving:
                for side, reading in readings.items():
                    save(side, reading)


def load(view: PageState) -> None:
    """Draw the field for files; what is read takes the first place."""
    st.caption(words.LOAD_NOTE)
    given = st.file_uploader(
        words.FILES, accept_multiple_files=True, key="tokenize.files", label_visibility="collapsed"
    )
    split = st.selectbox(words.SPLIT, list(engine.PRE_TOKENIZERS), key="tokenize.file-split", help=words.SPLIT_HELP)

    def read() -> None:
        data = [each.getvalue() for each in given]
        try:
            made, needed = read_tokenizer(data, split)
        except ValueError as error:
            st.session_state["tokenize.file-problem"] = sentence(error)
            return
        view.put(first=keep_file(made, TokenizerFile.of([each.name for each in given], data, needed)))

    st.button(words.READ, on_click=read, disabled=not 1 <= len(given) <= 2, key="tokenize.read-file")
    if problem := st.session_state.pop("tokenize.file-problem", None):
        st.error(plain(problem))


def fetch(view: PageState) -> None:
    """Draw the field for a name in an official library; what is loaded takes the first place."""
    st.caption(words.FETCH_NOTE)
    name = st.text_input(words.NAME, key="tokenize.named", placeholder=words.NAME_HINT, max_chars=200)

    def get() -> None:
        try:
            file = TokenizerFile("", name.strip())
            made = engine.load_named(file.name)
        except ValueError as error:
            st.session_state["tokenize.named-problem"] = sentence(error)
            return
        view.put(first=keep_file(made, file))

    st.button(words.GET, on_click=get, disabled=not name.strip(), key="tokenize.get-named")
    if problem := st.session_state.pop("tokenize.named-problem", None):
        st.error(plain(problem))


def save(side: str, reading: Reading) -> None:
    """Draw a button for each format that can say exactly what a tokenizer does, and the reason for each that cannot."""
    st.markdown(f"**{plain(reading.name)}**")
    reasons: list[str] = []
    with st.container(horizontal=True, key=f"tokenize-{side}-formats"):
        for format, name in {**WRITTEN, PAIR: words.ARCHIVE}.items():
            try:
                data = written(reading.tokenizer, format)
            except ValueError as error:
                reasons.append(f"{format}: {error}")
                continue
            st.download_button(
                format,
                data,
                words.file_name(reading.name, name),
                on_click="ignore",
                key=f"tokenize.{side}.save.{format}",
            )
    for reason in reasons:
        st.caption(plain(reason))


@lru_cache(maxsize=16)
def written(tokenizer: engine.Tokenizer, format: str) -> bytes:
    """Return a tokenizer as a file.

    Raises:
        ValueError: The format cannot say exactly what the tokenizer does.
    """
    with tempfile.TemporaryDirectory() as folder:
        if format == PAIR:
            paths = Path(folder) / "vocab.json", Path(folder) / "merges.txt"
            engine.save(tokenizer, paths)
            return _zipped(paths)
        path = Path(folder) / "file"
        engine.save(tokenizer, path, format)
        return path.read_bytes()


def _zipped(paths: tuple[Path, ...]) -> bytes:
    """Return an archive of some files; the same files give the same bytes."""
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w") as archive:
        for path in paths:
            archive.writestr(zipfile.ZipInfo(path.name), path.read_bytes(), zipfile.ZIP_DEFLATED)
    return held.getvalue()
