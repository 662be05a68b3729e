"""Train: a corpus and a recipe, and every step that leads from them to a vocabulary."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import streamlit as st

import engine
from explorer import links, recipes, words, words_families, words_recipe, words_rounds, words_train
from explorer.components.recipe_line import recipe_line
from explorer.frame import LARGE, header
from explorer.lattice_parts import alpha_setting, seed_setting
from explorer.page_state import PageState, hand_over
from explorer.recipe_widgets import close_form, own_text, recipe_form
from explorer.settings import Setting, choice, flag, number, text, tokenizer, trained
from explorer.state import texts
from explorer.tokenizers import ENGLISH, catalogue
from explorer.train_parts import play, show_tokenizers, ties
from explorer.train_ranks import other_merges
from explorer.training_panel import Training, follow_training, show_training, train, train_again
from explorer.views import families
from explorer.views.families import MOST_PIECES
from explorer.views.player import PASSAGE
from explorer.views.recipe_form import ALGORITHMS
from explorer.views.recipe_line import facts

STEP = 268
"""In the ready run of Moby-Dick, " l" and "ittle" become " little" here: twice in the passage, in a tie of three."""


def played(default: str) -> Setting[str]:
    """Return a setting that is a recipe whose training this page can show."""
    code = trained(default)

    def read(written: str) -> str:
        algorithm = recipes.decode(written).training.algorithm
        if algorithm not in ALGORITHMS:
            raise ValueError(f"this page plays {', '.join(ALGORITHMS)}; got {algorithm}")
        return code.read(written)

    return Setting(default, read, codes=True)


SETTINGS: Mapping[str, Setting[Any]] = {
    "recipe": played(ENGLISH),
    "passage": text(PASSAGE),
    "step": number(STEP, 0, 10_000_000, fleeting=True),
    "word": number(0, 0, 10_000, fleeting=True),
    "letters": flag(False, everywhere=True),
    "large": LARGE,
    "pieces": choice("go", list(words_rounds.PIECES)),
    "other": tokenizer("gpt2", catalogue()),
    "alpha": alpha_setting(),
    "seed": seed_setting(),
}
FORM, EDITOR = "train.open.form", "train.open.editor"


def page() -> None:
    """Draw the page."""
    view = PageState("train", SETTINGS)
    training = follow_training(view)
    algorithm = recipes.decode(view["recipe"]).training.algorithm
    header(view, "train", words_train.TITLE, words_recipe.ALGORITHM_SENTENCES[algorithm], note(view))
    line(view, training)
    # Each part keeps its place, drawn or not: what moves is mounted anew, and the player would lose its step.
    with st.container():
        if training.run is not None:
            switch(view, training.run)
    with st.container():
        if st.session_state.get(FORM) or training.error is not None:
            recipe_form(view["recipe"], lambda code: chosen(view, code))
    with st.container():
        show_training(training)
    play(view, training.run, editing=bool(st.session_state.get(EDITOR)))
    with st.container():
        if isinstance(training.run, engine.TrainingRun):
            ties(view, training.run)
    other_merges(view)
    show_tokenizers(view)


def chosen(view: PageState, code: str) -> None:
    """Close the form and train what it asks for."""
    st.session_state[FORM] = False
    train(view, code)


def line(view: PageState, training: Training) -> None:
    """Draw the recipe between two hairlines, and what can be done with it."""
    recipe = recipes.decode(view["recipe"])
    is_open = bool(st.session_state.get(FORM)) or training.error is not None
    with st.container(key="train-recipe", horizontal=True, vertical_alignment="center"):
        with st.container():
            recipe_line(facts(recipe, own_text(recipe)), key="train-line", large=view["large"])
        editing = bool(st.session_state.get(EDITOR))
        st.button(words_train.CLOSE_PASSAGE if editing else words_train.CHANGE_PASSAGE, on_click=toggle, args=(EDITOR,))
        label = words_train.CLOSE_RECIPE if is_open else words_train.CHANGE_RECIPE
        st.button(label, on_click=toggle, args=(FORM,), disabled=training.error is not None)
        if not is_open:
            st.button(
                words_train.TRAIN_AGAIN,
                type="primary",
                on_click=train_again,
                args=(view,),
                disabled=training.run is None,
            )


def switch(view: PageState, run: engine.Run) -> None:
    """Draw the algorithms to change to with corpus and passage kept, and the way to all of them side by side."""
    recipe = recipes.decode(view["recipe"])
    # What was asked for, as a corpus may be exhausted by one algorithm long before another.
    size = recipe.training.vocab_size or run.tokenizer.vocab_size
    key = "train.switch"
    st.session_state[key] = recipe.training.algorithm if recipe.training.algorithm in families.FAMILY else None

    def change() -> None:
        algorithm = st.session_state[key]
        if algorithm is not None and algorithm != recipe.training.algorithm:
            train(view, recipes.encode(families.switched(recipe, algorithm, size)))

    with st.container(key="train-switch", horizontal=True, vertical_alignment="center"):
        st.segmented_control(
            words_families.SWITCH,
            list(families.FAMILY),
            format_func=words_families.NAMES.__getitem__,
            key=key,
            on_change=change,
            label_visibility="collapsed",
            help=words_families.SWITCH_HELP,
        )
        if st.button(words_families.SIDE_BY_SIDE, type="tertiary"):
            base = replace(recipe, training=engine.Recipe(vocab_size=None, max_steps=min(size, MOST_PIECES)))
            hand_over("families", recipe=recipes.encode(base), text=view["passage"], number=min(size, MOST_PIECES))
            st.switch_page("explorer/pages/families.py")


def toggle(name: str) -> None:
    """Open or close a part of the page; the form begins anew each time."""
    st.session_state[name] = not st.session_state.get(name)
    if name == FORM:
        close_form()


def note(view: PageState) -> str | None:
    """Say what a link to this view cannot hold."""
    digest = recipes.decode(view["recipe"]).corpus.digest
    held = texts().get(digest) if digest is not None and digest in texts() else ""
    size = max(links.packed_size(held), links.packed_size(view["passage"]))
    return words.too_long(size) if size > links.LONGEST else None


page()
