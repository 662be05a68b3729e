"""A section of Compare: from words to bytes, every way to cut a text, trained on one corpus."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

import streamlit as st

import engine
from explorer import words_compare as words
from explorer import words_train
from explorer.cards import card_base
from explorer.components.sorted_table import Cell, Chip, sorted_table
from explorer.corpus_choice import OWN, corpus_choice, corpus_of_recipe, corpus_setting, corpus_texts, own_corpus
from explorer.job_panel import results
from explorer.jobs import Job
from explorer.page_state import PageState
from explorer.settings import Setting, choice, flag, line
from explorer.state import jobs, start, tokenizer_of
from explorer.views.approaches import SIZES, Measured, approach_codes, is_unseen, table_of_approaches
from explorer.views.languages import as_csv
from explorer.views.strip import entries
from explorer.words import plain, sentence

APPROACH_SETTINGS: Mapping[str, Setting[Any]] = {
    "approaches": flag(False),
    "corpus": corpus_setting(),
    "size": choice("2000", [str(size) for size in SIZES]),
    "unseen": line("unbloggable"),
    "mixed": line("The Wal ist groß; 鲸鱼很大, кит 🐋"),
}
MOST_CHIPS = 80


def approaches(view: PageState) -> None:
    """Draw the section, closed at first: opening it trains five tokenizers."""
    for name in APPROACH_SETTINGS:
        view.widget(name)
    opened = st.expander(words.APPROACHES, on_change="rerun", key=view.widget("approaches"))
    if not opened.open:
        return
    with opened:
        st.caption(words.APPROACHES_NOTE)
        ask(view)
        if view["corpus"] == OWN:
            return
        codes = approach_codes(corpus_of_recipe(view["corpus"]), int(view["size"]))
        if made := trained(codes):
            draw(view, codes, made)


def trained(codes: Mapping[str, str]) -> dict[str, engine.Tokenizer]:
    """Return the approaches that are trained, by name; what is under way is shown, and so is what cannot be."""
    names = {code: name for name, code in codes.items()}
    found = results(names, start, jobs().find, progress, "compare.approach-jobs") or {}
    made: dict[str, engine.Tokenizer] = {}
    for code, result in found.items():
        if isinstance(result, ValueError):
            st.warning(plain(f"{names[code]}: {sentence(result)}"))
        else:
            made[names[code]] = tokenizer_of(code)
    return made


def progress(code: str, job: Job[engine.Run]) -> tuple[float, str]:
    """Say how far a training is."""
    done, total = job.progress
    share = done / total if total else 0.0 if done else job.counted
    unit = "Round" if code.startswith("unigram~") else "Step"
    return share, words_train.progress(done, total, job.waiting, job.cancelled, unit, job.counted)


def ask(view: PageState) -> None:
    """Draw the choice of corpus, size, word and line."""
    own = False
    for column, (name, label) in zip(st.columns(4, gap="medium"), words.APPROACH_FIELDS.items(), strict=True):
        with column:
            key = view.widget(name)
            if name == "corpus":
                own = corpus_choice(view, label)
            elif name == "size":
                st.selectbox(label, [str(size) for size in SIZES], key=key, format_func=lambda size: f"{int(size):,}")
            else:
                st.text_input(label, key=key)
    if own:
        own_corpus(view, view["text"])
    try:
        if view["corpus"] != OWN and not is_unseen(view["unseen"], corpus_texts(view)):
            st.warning(words.SEEN)
    except ValueError as error:
        st.warning(plain(sentence(error)))


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
