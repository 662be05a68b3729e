"""What a measure is, and the tables of the Measures page."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pandas as pd
import streamlit as st

from engine.passages import SEGMENTER
from explorer import words_measures as words
from explorer.page_state import PageState
from explorer.views import measures
from explorer.views.measures import Samples
from explorer.words import plain


def measure_card(name: str, here: str) -> None:
    """Draw the card of a measure: what it tells, formula, unit, source, when to compare it, where it misleads.

    Args:
        name: A key of `MEASURES`.
        here: How it misleads among what is in view; empty where it does not.
    """
    card = measures.card(measures.MEASURES[name].function)
    with st.container(key="measures-card"):
        st.header(words.card_title(name), anchor=False)
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
    table = pd.DataFrame(rows)
    st.dataframe(table, hide_index=True, key="measures.summary", column_config=written(table))
    st.download_button(words.CSV, table.to_csv(index=False), "tokenizers.csv", "text/csv", on_click="ignore")
    every = st.expander(words.NUMBERS, on_change="rerun", key="measures.every")
    if every.open:
        with every:
            all_ = pd.DataFrame(measures.by_language(read, names, view["base"], float(view["alpha"])))
            st.dataframe(all_, hide_index=True, height=420, key="measures.all", column_config=written(all_))
            st.download_button(
                words.CSV, all_.to_csv(index=False), "measures.csv", "text/csv", on_click="ignore", key="measures.csv"
            )
    with st.expander(words.HOW):
        st.markdown(words.METHOD.format(segmenter=SEGMENTER))


def written(table: pd.DataFrame) -> dict[str, Any]:
    """Write whole numbers of a table with separators."""
    whole = table.select_dtypes("integer").columns
    return {str(name): st.column_config.NumberColumn(format="localized") for name in whole}
