"""The list of tokenizers to choose from, and the wait for one that is not trained yet."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Literal

import streamlit as st

import engine
from explorer import words
from explorer.file_codes import FILE
from explorer.page_state import PageState
from explorer.state import file_tokenizer, files, name_of, start, tokenizer_of, tokenizers
from explorer.tokenizers import catalogue

NONE = "none"


def tokenizer_choice(
    view: PageState, setting: str, label: str, *, none: str | None = None, labeled: bool = False
) -> None:
    """Draw the list: the visitor's own tokenizers by name, then those of the catalogue.

    Args:
        view: The settings of the page.
        setting: Which of them holds the code.
        label: What a screen reader says.
        none: What to call the choice of no tokenizer, code "none"; without it there is no such choice.
        labeled: Whether the label is seen too.
    """
    codes = [] if none is None else [NONE]
    codes = offered(view, setting, [*codes, *tokenizers(), *files(), *catalogue()])

    def named(code: str) -> str:
        return none if none is not None and code == NONE else name_of(code)

    shown: Literal["visible", "collapsed"] = "visible" if labeled else "collapsed"
    st.selectbox(label, codes, format_func=named, key=view.widget(setting), label_visibility=shown)


def offered(view: PageState, setting: str, codes: Sequence[str]) -> list[str]:
    """Return the codes to choose from, the one of the setting among them; one that was deleted gives way to the first.

    Args:
        view: The settings of the page.
        setting: Which of them holds the code.
        codes: What there is to choose from.
    """
    if view[setting] in tokenizers().deleted:
        view.put(**{setting: codes[0]})
    return [*codes, *([] if view[setting] in codes else [view[setting]])]


def prepared(code: str) -> engine.Tokenizer:
    """Return a tokenizer; one that is not trained yet is trained now, with its progress in view.

    Raises:
        ValueError: The recipe cannot be trained, or the stored file was changed; the message says why.
    """
    if code.startswith(FILE):
        return file_tokenizer(code)
    if code in catalogue():
        return tokenizer_of(code)
    job = start(code)
    if job.running:
        bar = st.empty()
        while job.running:
            done, total = job.progress
            bar.progress(done / total if total else 0.0, text=words.training(done, total))
            time.sleep(0.05)
        bar.empty()
    return tokenizer_of(code)
