"""A section of Compare: from words to bytes, every way to cut a text, trained on one corpus."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

import streamlit as st

import engine
from engine import corpora
from explorer import words_compare as words
from explorer.cards import card_base
from explorer.chooser import prepared
from explorer.components.sorted_table import Cell, Chip, sorted_table
from explorer.corpus_choice import CORPORA, MOBY_DICK, corpus_name
from explorer.page_state import PageState
from explorer.settings import Setting, choice, line
from explorer.views.approaches import SIZES, Measured, approach_codes, is_unseen, table_of_approaches
from explorer.views.languages import as_csv
from explorer.views.strip import entries
from explorer.words import plain, sentence

APPROACH_SETTINGS: Mapping[str, Setting[Any]] = {
    "corpus": choice(MOBY_DICK, CORPORA),
    "size": choice("2000", [str(size) for size in SIZES]),
    "unseen": line("unbloggable"),
    "mixed": line("The Wal ist groß; 鲸鱼很大, кит 🐋"),
}
MOST_CHIPS = 80


def approaches(view: PageState) -> None:
    """Draw the section, closed at first: opening it trains five tokenizers."""
    for name in APPROACH_SETTINGS:
        view.widget(name)
    opened = st.expander(words.APPROACHES, on_change="rerun", key="compare.approaches")
    if not opened.open:
        return
    with opened:
        st.caption(words.APPROACHES_NOTE)
        ask(view)
        codes = approach_codes(view["corpus"], int(view["size"]))
        made: dict[str, engine.Tokenizer] = {}
        for name, code in codes.items():
            try:
                made[name] = prepared(code)
            except ValueError as error:
                st.warning(plain(f"{name}: {sentence(error)}"))
        draw(view, codes, made)


def ask(view: PageState) -> None:
    """Draw the choice of corpus, size, word and line."""
    for column, (name, label) in zip(st.columns(4, gap="medium"), words.APPROACH_FIELDS.items(), strict=True):
        with column:
            key = view.widget(name)
            if name == "corpus":
                st.selectbox(label, sorted(CORPORA, key=corpus_name), key=key, format_func=corpus_name)
            elif name == "size":
                st.selectbox(label, [str(size) for size in SIZES], key=key, format_func=lambda size: f"{int(size):,}")
            else:
                st.text_input(label, key=key)
    if not is_unseen(view["unseen"], corpora.text(view["corpus"])):
        st.warning(words.SEEN)


def draw(view: PageState, codes: Mapping[str, str], made: Mapping[str, engine.Tokenizer]) -> None:
    """Draw the table and its file."""
    rows: list[list[Cell]] = []
    file: list[dict[str, str | int | float | None]] = []
    for name, tokenizer, whole, word, mixed in table_of_approaches(made, view["text"], view["unseen"], view["mixed"]):
        numbers: list[Cell] = [tokenizer.vocab_size, len(whole.ids), whole.unknown, whole.bytes_per_token]
        parts = [chips(codes[name], tokenizer, each) for each in (word, mixed)]
        rows.append([name, *numbers, parts[0], parts[1], mixed.unknown])
        pieces = [" ".join(chip["piece"] for chip in part) for part in parts]
        written = [name, *numbers, *pieces, mixed.unknown]
        of_file = dict(zip(words.APPROACH_COLUMNS, written, strict=True))
        file.append(cast("dict[str, str | int | float | None]", of_file))
    sorted_table(words.APPROACH_COLUMNS, rows, name=words.APPROACHES, key="compare.approach-table", large=view["large"])
    st.download_button(
        words.CSV, as_csv(file), "approaches.csv", "text/csv", on_click="ignore", key="compare.approaches.csv"
    )


def chips(code: str, tokenizer: engine.Tokenizer, measured: Measured) -> list[Chip]:
    """Return the pieces of a short text, each with a link to its card."""
    ids = measured.ids[:MOST_CHIPS]
    return [
        {
            "piece": str(entry["piece"]),
            "slot": cast("int", entry["slot"]),
            "kind": str(entry["kind"]),
            "href": f"{card_base(code)}{id}" if id >= 0 else "",
        }
        for id, entry in zip(ids, entries(tokenizer, ids), strict=True)
    ]
