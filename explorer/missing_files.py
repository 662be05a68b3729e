"""What a view needs and a link cannot hold, tokenizers from files and long texts: who opens the link adds them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import permutations

import streamlit as st

import engine
from explorer import limits, recipes
from explorer import words_files as words
from explorer.file_codes import FILE, TokenizerFile, digest
from explorer.file_reading import read_tokenizer
from explorer.page_state import PageState
from explorer.state import keep_file, loaded, texts
from explorer.words import plain, sentence


@dataclass(frozen=True)
class Given:
    """A file that the reader added."""

    name: str
    data: bytes


def ask_for_files(view: PageState) -> None:
    """Say what of a view is not here, draw the field that takes it, and draw the page anew when it has come."""
    lacking = missing(view)
    if not lacking:
        return
    with st.container(key=f"{view.page}-lacking"):
        st.warning("\n".join(f"- {plain(_said(each))}" for each in lacking) + f"\n\n{words.NEEDED}")
        for each in lacking:
            if isinstance(each, TokenizerFile) and not each.digest:
                _named(view, each)
        if all(isinstance(each, TokenizerFile) and not each.digest for each in lacking):
            return
        added = st.file_uploader(words.ADD, accept_multiple_files=True, key=f"{view.page}.missing-files")
        given = [Given(each.name, each.getvalue()) for each in added]
        if problem := _taken(lacking, given):
            st.error(plain(problem))
    if len(missing(view)) < len(lacking):
        st.rerun()


def missing(view: PageState) -> list[TokenizerFile | str]:
    """List what the tokenizers and corpora of a view need and is not kept: files, and digests of texts."""
    found: list[TokenizerFile | str] = []
    for code in view.codes():
        each = TokenizerFile.read(code) if code.startswith(FILE) else None
        if each is not None and code not in loaded():
            found.append(each)
    found += [each for each in view.own_texts() if each not in texts()]
    return list(dict.fromkeys(found))


def _said(need: TokenizerFile | str) -> str:
    return words.needed("", need) if isinstance(need, str) else words.needed(need.name, need.digest)


def _named(view: PageState, file: TokenizerFile) -> None:
    """Draw the button that fetches a tokenizer by its name."""
    key = f"{view.page}.fetch.{file.name}"
    if st.button(words.fetch(file.name), key=key):
        try:
            keep_file(engine.load_named(file.name), file)
        except ValueError as error:
            st.error(plain(sentence(error)))


def _taken(lacking: Sequence[TokenizerFile | str], given: Sequence[Given]) -> str:
    """Take what was added and is needed; return what is wrong with the rest, as a sentence."""
    used: set[Given] = set()
    for need in lacking:
        try:
            used |= set(_text(need, given) if isinstance(need, str) else _file(need, given))
        except ValueError as error:
            return sentence(error)
    wanted = max((need.parts for need in lacking if isinstance(need, TokenizerFile)), default=1)
    strange = [each for each in given if each not in used]
    return words.other_file(strange[-1].name, digest([strange[-1].data])) if strange and len(given) >= wanted else ""


def _file(need: TokenizerFile, given: Sequence[Given]) -> Sequence[Given]:
    for each in permutations(given, need.parts):
        data = [part.data for part in each]
        if need.digest and digest(data) == need.digest:
            keep_file(read_tokenizer(data, need.split)[0], need)
            return each
    return ()


def _text(need: str, given: Sequence[Given]) -> Sequence[Given]:
    for each in given:
        text = limits.read_file(each.data)[0]
        if recipes.digest(text) == need:
            texts().keep(text)
            return (each,)
    return ()
