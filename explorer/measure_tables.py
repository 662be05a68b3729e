"""What a measure is, and the tables of the Measures page."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import streamlit as st

from engine.passages import SEGMENTER
from explorer import words_measures as words
from explorer.components.sorted_table import sorted_table
from explorer.frame import to_page
from explorer.page_state import PageState
from explorer.views import measures
from explorer.views.languages import as_csv
from explorer.views.measures import Row, Samples
from explorer.words import plain


def measure_card(view: PageState, here: str) -> None:
    """Draw the card of the measure: what it tells, formula, unit, source, when to compare it, where it misleads.

    Args:
        view: The settings of the page.
        here: How it misleads among what is in view; empty where it does not.
    """
    name = view["measure"]
    with st.container(key="measures-card"):
        _card(measures.MEASURES[name].function, words.card_title(name), here)
        if name in measures.CURVES and view["texts"] in words.TEXT_NAMES:
            chosen = {"measure": measures.CURVES[name], "chosen": view["chosen"], "texts": view["texts"]}
            to_page(words.TO_CURVES, "languages", chosen, key="measures.to-languages")


def _card(function: Callable[..., object], title: str, here: str = "") -> None:
    card = measures.card(function)
    st.header(title, anchor=False)
    st.markdown(plain(card.sentence))
    for part, said in words.parts_of(card.parts):
        st.markdown(f"**{part}** {plain(said)}")
    warnings = [text for text in (card.parts.get("Misleads", ""), here) if text]
    if warnings:
        st.markdown(f"**{words.PARTS['Misleads']}** {plain(' '.join(warnings))}")


def tables(view: PageState, read: Mapping[str, Samples], names: Mapping[str, str]) -> None:
    """Draw a row a tokenizer; every number behind an expander; and how all is measured."""
    st.header(words.SUMMARY, anchor=False, help=words.SUMMARY_HELP)
    rows = measures.by_tokenizer(read, names, view["base"], view["width"], view["tied"])
    _table(rows, words.SUMMARY, "measures.summary", view["large"])
    st.download_button(words.CSV, as_csv(rows), "tokenizers.csv", "text/csv", on_click="ignore")
    with st.expander(words.CARDS, on_change="rerun", key=view.widget("cards")):
        for column, (function, head) in zip(st.columns(2, gap="medium"), words.CARDS_OF.items(), strict=True):
            with column:
                _card(function, head)
    every = st.expander(words.NUMBERS, on_change="rerun", key=view.widget("numbers"))
    if every.open:
        with every:
            rows = measures.by_language(read, names, view["base"], float(view["alpha"]))
            _table(rows, words.NUMBERS, "measures.all", view["large"], 640 if view["large"] else 420)
            st.download_button(
                words.CSV, as_csv(rows), "measures.csv", "text/csv", on_click="ignore", key="measures.csv"
            )
    with st.expander(words.HOW, on_change="rerun", key=view.widget("how")):
        st.markdown(words.METHOD.format(segmenter=SEGMENTER))


def _table(rows: Sequence[Row], name: str, key: str, large: bool, height: int | None = None) -> None:
    cells = [[None if cell != cell else cell for cell in row.values()] for row in rows]
    sorted_table(list(rows[0]), cells, name=name, key=key, large=large, height=height)
