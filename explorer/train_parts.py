"""What stands below the recipe on Train: the player or the ranked list, ties, and the list of tokenizers."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from typing import Any

import pandas as pd
import streamlit as st

import engine
from explorer import recipes, words, words_recipe, words_train
from explorer.cards import card_base
from explorer.components.text_editor import text_editor
from explorer.components.token_strip import token_strip
from explorer.frame import follow, section
from explorer.limits import LARGEST_RIVALS, symbols
from explorer.page_state import PageState
from explorer.state import start, tokenizers
from explorer.train_player import FLIPPED, TEXTBOOK, draw_player
from explorer.train_rounds import play_rounds
from explorer.training_panel import train
from explorer.views import options, player
from explorer.views.ranking import covered, ranking
from explorer.views.recipe_form import ALGORITHMS
from explorer.views.recipe_line import one_line
from explorer.views.strip import strip
from explorer.views.ties import difference

_COMPARED = "train.compared"
_PROBLEM = "train.problem"
_LONGEST_EDIT = 100_000


@st.fragment
def play(view: PageState, run: engine.Run | None, editing: bool) -> None:
    """Draw the passage and its steps; the address follows from here, as the step changes here.

    Args:
        view: The settings of the page.
        run: What is played; None while it is trained.
        editing: Whether the passage can be changed.
    """
    # What stands outside follows going back, and the switch of pieces.
    if "view.train.popped" in st.session_state or st.session_state.pop(FLIPPED, False):
        st.rerun()
    with st.container():
        if run is not None:
            with st.container():
                if editing:
                    edit(view)
            if isinstance(run, engine.UnigramRun):
                play_rounds(view, run)
            elif isinstance(run.model, engine.BPE | engine.WordPiece):
                steps(view, run)
            else:
                ranked(view, run)
            if st.session_state.pop(TEXTBOOK, False):
                textbook(run.recipe)
    follow(view, "train")


def edit(view: PageState) -> None:
    """Draw the field of the passage."""
    written = text_editor(
        view["passage"],
        key="train.passage",
        version=view.opened,
        label=words_train.PASSAGE,
        placeholder=words_train.EMPTY_PASSAGE,
        max_bytes=_LONGEST_EDIT,
    )
    view["passage"] = written[: player.LONGEST_PASSAGE]
    if len(written) > player.LONGEST_PASSAGE:
        st.caption(words_train.cut_passage(player.LONGEST_PASSAGE, len(written)))


def steps(view: PageState, run: engine.TrainingRun) -> None:
    """Draw the merge player."""
    try:
        data = player.trace(run, view["passage"], view["step"], view["word"])
    except ValueError as error:  # a pattern of the reader's own that takes too long on this passage
        st.error(words.plain(words.sentence(error)))
        return
    step = min(view["step"], len(run.steps))
    data["rivals"] = player.rivals(run, step)
    data["match"] = player.matches(run, view["passage"], step, view["word"])
    data["card"] = card_base(view["recipe"])
    draw_player(view, data)


def _strip(view: PageState, tokenizer: engine.Tokenizer) -> None:
    try:
        encoding = tokenizer.encode(view["passage"])
        notation = "bytes" if view["letters"] else "text"
        card = card_base(view["recipe"])
        data = strip(encoding, tokenizer, words_train.TITLE, group="train", notation=notation, card=card)
    except ValueError as error:  # a pattern of the reader's own that takes too long on this passage
        st.error(words.plain(words.sentence(error)))
    else:
        token_strip(data | {"ids": False}, key="train.strip")


def ranked(view: PageState, run: engine.TrainingRun) -> None:
    """Draw a vocabulary of words or characters: what it knows of the passage, and the list by rank."""
    picture = st.container()
    if run.steps:
        key = f"train.kept.{recipes.digest(view['recipe'])}.{view.opened}"
        st.session_state.setdefault(key, min(view["step"], len(run.steps)))
        view["step"] = st.slider(words_train.KEPT, 0, len(run.steps), key=key)
    kept = min(view["step"], len(run.steps))
    part = "word" if run.recipe.algorithm == "word" else "character"
    st.caption(words_train.coverage(kept, covered(run, kept), run.initial_length, part))
    tokenizer = run.tokenizer_at(kept)
    with picture:
        _strip(view, tokenizer)
    with section("train-ranked"):
        st.header(words_train.RANKED, anchor=False)
        if stopped := words_train.stopped(run):
            st.caption(stopped)
        st.toggle(words.SWITCHES["letters"], key=view.widget("letters"), help=words.SWITCH_HELP["letters"])
        rows = [vars_of(entry) for entry in ranking(run, view["letters"])]
        table = pd.DataFrame(rows, columns=list(words_train.RANKED_COLUMNS))
        st.dataframe(table, hide_index=True, key="train.ranked", column_config=_columns())
        st.button(words_train.TEXTBOOK, on_click=lambda: st.session_state.update({TEXTBOOK: True}), type="tertiary")


def vars_of(entry: object) -> dict[str, object]:
    """Return the fields of a value by the names that the table shows."""
    return {title: getattr(entry, field) for title, field in words_train.RANKED_COLUMNS.items()}


def _columns() -> dict[str, Any]:
    _, _, counted, share = words_train.RANKED_COLUMNS
    return {
        counted: st.column_config.NumberColumn(format="localized"),
        share: st.column_config.NumberColumn(format="%.1f"),
    }


@st.dialog(words_train.TEXTBOOK, width="large")
def textbook(training: engine.Recipe) -> None:
    """Show the source of the shortest correct version of an algorithm."""
    st.write(words_train.UNIGRAM_NOTE if training.algorithm == "unigram" else words_train.TEXTBOOK_NOTE)
    if training.algorithm == "char":
        st.write(words_train.LOOKUP_NOTE)
    st.code(options.textbook(training), language="python")


def ties(view: PageState, run: engine.TrainingRun) -> None:
    """Draw how often a rule had to choose, and what another choice would have led to."""
    with section("train-ties"):
        st.header(words_train.TIES_TITLE, anchor=False)
        st.caption(words_train.ties_note(run))
        if not (run.columns.ties > 1).any():
            return
        asked = st.session_state.get(_COMPARED) == view["recipe"]
        if not asked and (run.recipe.tie != "random" or symbols(run.counts) > LARGEST_RIVALS):
            st.button(words_train.COMPARE, on_click=_compare, args=(view["recipe"],))
            return
        other = replace(run.recipe, tie="random", seed=run.recipe.seed + (run.recipe.tie == "random"))
        names = [words_recipe.tie(recipe.tie, recipe.seed) for recipe in (run.recipe, other)]
        code = recipes.encode(replace(recipes.decode(view["recipe"]), training=other))
        _compared(view, run, code, names)


def _compare(code: str) -> None:
    st.session_state[_COMPARED] = code


def _compared(view: PageState, run: engine.TrainingRun, code: str, names: list[str]) -> None:
    """Draw the comparison, or the progress of the training that it needs."""
    job = start(code)

    @st.fragment(run_every=0.25 if job.running else None)
    def panel() -> None:
        if job.running:
            done, total = job.progress
            st.progress(min(1.0, done / total) if total else 0.0, text=words_train.progress(done, total, job.waiting))
            return
        other = job.future.result()
        if not isinstance(other, engine.TrainingRun):
            return
        found = difference(run, other)
        st.write(words.plain(words_train.difference(names, found.differing, found.steps, found.first)))
        with suppress(ValueError):  # the player has said that a pattern takes too long on this passage
            tokens = [len(each.tokenizer.encode(view["passage"])) for each in (run, other)]
            st.caption(words.plain(words_train.passages(names, tokens)))
        for column, name, pieces in zip(st.columns(2, gap="medium"), names, found.only, strict=True):
            if pieces:
                column.caption(words.plain(words_train.only_with(name)))
                column.text(words_train.listed(pieces, view["letters"]))

    panel()


def show_tokenizers(view: PageState) -> None:
    """Draw the tokenizers of this visit, with a field for the name of each."""
    own = tokenizers()
    with section("train-tokenizers"):
        st.header(words_train.TOKENIZERS, anchor=False)
        st.caption(words_train.TOKENIZERS_NOTE if own else words_train.NO_TOKENIZERS)
        for code in list(own):
            _tokenizer_row(view, code, own[code])
        if problem := st.session_state.pop(_PROBLEM, None):
            st.error(words.plain(problem))


def _tokenizer_row(view: PageState, code: str, name: str) -> None:
    key = f"train.tokenizer.{recipes.digest(code)}"

    def rename() -> None:
        try:
            tokenizers().rename(code, st.session_state[key])
        except ValueError as error:
            st.session_state[_PROBLEM] = words.sentence(error)

    def show() -> None:
        train(view, code)

    recipe = recipes.decode(code)
    shown = view["recipe"] == code or recipe.training.algorithm not in ALGORITHMS
    st.session_state[key] = name
    with st.container(horizontal=True, vertical_alignment="center", key=f"train-tokenizer-{recipes.digest(code)}"):
        st.text_input(
            words_train.NAME, key=key, on_change=rename, max_chars=60, label_visibility="collapsed", width=340
        )
        st.caption(words.plain(one_line(recipe)), width="stretch")
        st.button(words_train.SHOW, key=f"{key}.show", on_click=show, disabled=shown)
        st.button(words_train.DELETE, key=f"{key}.delete", on_click=lambda: tokenizers().delete(code))
