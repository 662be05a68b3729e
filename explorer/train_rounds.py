"""What Train draws of a unigram training: the rounds over the passage, their curves, the pieces of one, a lattice."""

from __future__ import annotations

from collections.abc import Callable

import pandas as pd
import streamlit as st

import engine
from explorer import figures, words, words_rounds, words_train
from explorer.cards import card_base
from explorer.charts import chart
from explorer.components.screen import watch
from explorer.frame import section, theme
from explorer.lattice_parts import draw_lattice
from explorer.page_state import PageState
from explorer.train_player import draw_player
from explorer.views import rounds
from explorer.views.languages import as_csv
from explorer.views.lattice import Stretch, around, stretches
from explorer.views.player import LONGEST_PASSAGE


def play_rounds(view: PageState, run: engine.UnigramRun) -> None:
    """Draw the passage round by round, and below it what the chosen round did."""
    watch(view.send_again)
    try:
        data = rounds.trace(run, view["passage"], view["step"], view["word"])
        draw_player(view, data)
        k = min(view["step"], len(run.steps))
        with section("train-lattice"):
            st.header(words_rounds.lattice_title(k), anchor=False)
            stretch = _stretch(run, view["passage"], k, view["word"])
            draw_lattice(view, run.tokenizer_at(k), stretch, _card_of(view, run, k), view["large"])
    except ValueError as error:  # a pattern of the reader's own that takes too long on this passage
        st.error(words.plain(words.sentence(error)))
        return
    _curves(view, run, k)
    _pieces(view, run, k)


def _stretch(run: engine.UnigramRun, passage: str, k: int, word: int) -> Stretch | None:
    """Find the word that is looked at in the passage as round `k` sees it."""
    passage = passage[:LONGEST_PASSAGE]
    last = stretches(run.tokenizer, passage)
    if not last:
        return None
    return around(stretches(run.tokenizer_at(k), passage), last[min(word, len(last) - 1)])


def _card_of(view: PageState, run: engine.UnigramRun, k: int) -> Callable[[int], str]:
    """Return what gives the card of an id of round `k`: that of the same piece after the last round, where it stays."""
    base, now, last = card_base(view["recipe"]), run.tokenizer_at(k).vocabulary, run.tokenizer.vocabulary

    def card_of(id: int) -> str:
        kept = last.id_of(now[id])
        return "" if kept is None else f"{base}{kept}"

    return card_of


def _curves(view: PageState, run: engine.UnigramRun, k: int) -> None:
    with section("train-curves"):
        st.header(words_rounds.CURVES_TITLE, anchor=False)
        found = vars(rounds.curves(run))
        for column, (name, label) in zip(st.columns(3, gap="medium"), words_rounds.CURVES.items(), strict=True):
            with column:
                rows = [{"round": number, name: value} for number, value in enumerate(found[name])]
                chart("train", name, label, figures.rounds(found[name], k, theme()), rows, view["large"])


def _pieces(view: PageState, run: engine.UnigramRun, k: int) -> None:
    """Draw the pieces that went in a round, or those that stay, as a table to sort and to take along."""
    with section("train-pieces"):
        st.header(words_rounds.pieces_title(k), anchor=False)
        st.segmented_control(
            words_rounds.PIECES_TITLE,
            list(words_rounds.PIECES),
            format_func=words_rounds.PIECES.__getitem__,
            key=view.widget("pieces"),
            required=True,
            label_visibility="collapsed",
        )
        kind = view["pieces"]
        rows = rounds.gone_table(run, k) if kind == "go" else rounds.left_table(run, k)
        if not rows:
            st.caption(words_rounds.NONE_GONE)
            return
        shown = pd.DataFrame(rows)
        shown["piece"] = [words_train.readable(str(piece).encode()) for piece in shown["piece"]]
        st.dataframe(shown, hide_index=True, height=320, key=f"train.pieces.{kind}")
        st.download_button(
            words_rounds.CSV,
            as_csv(rows),
            words_rounds.file_name(k, kind),
            "text/csv",
            on_click="ignore",
            key="train.pieces.csv",
        )
        st.caption(words_rounds.GO_NOTE if kind == "go" else words_rounds.STAY_NOTE)
