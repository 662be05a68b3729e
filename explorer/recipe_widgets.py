"""The form that changes a recipe."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, cast

import streamlit as st

import engine
from explorer import recipes, words, words_recipe
from explorer.limits import LARGEST_CORPUS, LONGEST_MARK, MOST_STEPS, read_file
from explorer.state import texts
from explorer.views import options
from explorer.views.recipe_form import (
    ALGORITHMS,
    ALPHABETS,
    LONGEST_PASTE,
    PATTERN,
    SPLITS,
    Draft,
    draft_of,
    reason,
    recipe_of,
)
from explorer.views.recipe_line import short_title
from explorer.views.recipe_presets import PRESETS, preset_of

_FORM = "train.form"
_DRAFT = "train.draft"
_TURN = "train.turn"
_SEQUENCES = ("samples", "normalizers", "specials")


def own_text(recipe: recipes.TokenizerRecipe) -> str | None:
    """Return the visitor's text that a recipe is trained on; None for samples, and where it is not kept."""
    digest = recipe.corpus.digest
    return texts().get(digest) if digest is not None and digest in texts() else None


def close_form() -> None:
    """Forget what was not trained."""
    st.session_state.pop(_DRAFT, None)
    st.session_state[_TURN] = st.session_state.get(_TURN, 0) + 1
    for key in [key for key in st.session_state if str(key).startswith(_FORM)]:
        del st.session_state[key]


@st.fragment
def recipe_form(code: str, train: Callable[[str], None]) -> None:
    """Draw the form; `train` is called with the code of the recipe that the reader asks for.

    Args:
        code: The recipe to begin with.
        train: What to do with the new one; the page runs again after it.
    """
    recipe = recipes.decode(code)
    draft: Draft = st.session_state.get(_DRAFT) or draft_of(recipe, own_text(recipe))
    with st.container(key="train-form"):
        _presets(_drafted(draft, draft.file))
        file = _corpus(draft)
        draft = _drafted(draft, file)
        _algorithm(draft)
        _text(draft)
        _limits(draft)
        draft = st.session_state[_DRAFT] = _drafted(draft, file)
        if st.button(words_recipe.TRAIN, type="primary", key=f"{_FORM}-train"):
            try:
                wanted = recipes.encode(recipe_of(draft, texts().keep))
            except ValueError as error:
                st.error(words.plain(words.sentence(error)))
                return
            close_form()
            train(wanted)
            st.rerun()


def _drafted(draft: Draft, file: str | None) -> Draft:
    """Read the fields; those that are not drawn keep their value."""
    values: dict[str, Any] = dict(vars(draft))
    for name in values:
        if _key(name) in st.session_state:
            value = st.session_state[_key(name)]
            values[name] = tuple(value) if name in _SEQUENCES else value
    values["file"] = file
    return Draft(**values)


def _key(field: str) -> str:
    """Return the key of a field: a new one after each preset, so that a field begins with what the draft says.

    A value that is set for a field already drawn can be lost: if the page runs again at once, the browser hears only of
    the second run, which no longer says that the value is new, and sends the old one back.
    """
    return f"{_FORM}.{st.session_state.get(_TURN, 0)}.{field}"


def _presets(draft: Draft) -> None:
    """Draw the ways of training that people know by name; the one that the draft follows is marked and explained."""
    key = f"{_FORM}-preset"
    st.session_state[key] = preset_of(draft)

    def choose() -> None:
        name = st.session_state[key]
        if name is not None:
            st.session_state[_DRAFT] = replace(_drafted(draft, draft.file), **PRESETS[name].fields)
            st.session_state[_TURN] = st.session_state.get(_TURN, 0) + 1

    name = st.pills(words_recipe.PRESETS, list(PRESETS), key=key, on_change=choose)
    said = f"{PRESETS[name].sentence} {PRESETS[name].back}" if name else words_recipe.NO_PRESET
    st.caption(words.plain(said))


def _corpus(draft: Draft) -> str | None:
    """Draw where the corpus comes from; return the text of an uploaded file."""
    source = st.segmented_control(
        words_recipe.CORPUS,
        list(words_recipe.SOURCES),
        default=draft.source,
        format_func=words_recipe.SOURCES.__getitem__,
        required=True,
        key=_key("source"),
    )
    if source == "samples":
        _samples(draft)
    elif source == "pasted":
        st.text_area(words_recipe.PASTED, draft.pasted, key=_key("pasted"), max_chars=LONGEST_PASTE, height=160)
        st.caption(words_recipe.pasted_limit(LONGEST_PASTE))
    elif source == "words":
        st.text_area(words_recipe.WORDS, draft.words, key=_key("words"), max_chars=LONGEST_PASTE, height=160)
        st.caption(words.plain(words_recipe.WORDS_NOTE))
    else:
        return _file(draft)
    return draft.file


def _samples(draft: Draft) -> None:
    kind = st.pills(
        words_recipe.KIND,
        list(words_recipe.KINDS),
        format_func=words_recipe.KINDS.__getitem__,
        key=f"{_FORM}-kind",
        label_visibility="collapsed",
    )
    offered = engine.corpora.names(cast("Any", kind)) if kind else engine.corpora.names()
    st.multiselect(
        words_recipe.SAMPLES,
        list(dict.fromkeys([*draft.samples, *offered])),
        default=draft.samples,
        format_func=sample_label,
        key=_key("samples"),
        placeholder=words_recipe.CHOOSE_SAMPLES,
    )
    st.caption(words_recipe.SAMPLES_NOTE)


def sample_label(name: str) -> str:
    """Return the title of a sample with its size."""
    return f"{short_title(name)} · {words.size(engine.corpora.corpus(name).path.stat().st_size)}"


def _file(draft: Draft) -> str | None:
    uploaded = st.file_uploader(words_recipe.FILE, key=f"{_FORM}-file", max_upload_size=LARGEST_CORPUS // 1024 // 1024)
    st.caption(words_recipe.file_limit(LARGEST_CORPUS))
    if uploaded is None:
        if draft.kept and draft.kept in texts():
            st.caption(words_recipe.kept(len(texts().get(draft.kept).encode("utf-8", "replace"))))
        return None
    raw = uploaded.getvalue()
    try:
        text, replaced, first = read_file(raw)
    except ValueError as error:
        st.error(words.plain(words.sentence(error)))
        return None
    st.caption(words.plain(words_recipe.uploaded(uploaded.name, len(raw), len(text))))
    if replaced:
        st.warning(words.plain(words_recipe.mangled(uploaded.name, replaced, first)))
    return text


def _algorithm(draft: Draft) -> None:
    """Draw what merging starts from and what it does."""
    first, second, third = st.columns(3, gap="medium")
    with first:
        st.selectbox(
            words_recipe.ALGORITHM,
            ALGORITHMS,
            index=ALGORITHMS.index(draft.algorithm),
            format_func=words_recipe.ALGORITHMS.__getitem__,
            key=_key("algorithm"),
            help=words.plain(options.source_line(options.TEXTBOOK[draft.algorithm][-1])),
        )
        st.caption(words.plain(words_recipe.ALGORITHM_SENTENCES[draft.algorithm]))
        if draft.algorithm == "unigram":
            seeds = list(words_recipe.SEED_SENTENCES)
            st.selectbox(
                words_recipe.SEEDS,
                seeds,
                index=seeds.index(draft.seeds),
                key=_key("seeds"),
                help=words_recipe.SEEDS_HELP,
            )
            st.caption(words.plain(words_recipe.SEED_SENTENCES[draft.seeds]))
    with second:
        why = reason("alphabet", draft)
        st.selectbox(
            words_recipe.ALPHABET,
            ALPHABETS,
            index=ALPHABETS.index(draft.alphabet),
            format_func=words_recipe.ALPHABETS.__getitem__,
            key=_key("alphabet"),
            disabled=why is not None,
            help=words.plain(words_recipe.ALPHABET_HELP),
        )
        st.caption(words.plain(why or words_recipe.ALPHABET_SENTENCES[draft.alphabet]))
        if draft.algorithm == "unigram":
            st.number_input(
                words_recipe.COVERAGE,
                min_value=0.0,
                max_value=1.0,
                value=draft.coverage,
                step=0.0005,
                format="%g",
                key=_key("coverage"),
                help=words_recipe.COVERAGE_HELP,
            )
        why = reason("fallback", draft)
        st.checkbox(
            words_recipe.FALLBACK,
            draft.fallback,
            key=_key("fallback"),
            disabled=why is not None,
            help=words.plain(why or words_recipe.FALLBACK_HELP),
        )
    with third:
        why = reason("end_of_word", draft)
        st.text_input(
            words_recipe.END_OF_WORD,
            draft.end_of_word,
            key=_key("end_of_word"),
            disabled=why is not None,
            max_chars=LONGEST_MARK,
            placeholder=words_recipe.NO_MARK,
            help=words.plain(words_recipe.END_OF_WORD_HELP),
        )
        st.caption(words.plain(why or words_recipe.END_OF_WORD_SENTENCE))
        st.checkbox(words_recipe.JOINED, draft.joined, key=_key("joined"), disabled=reason("joined", draft) is not None)


def _text(draft: Draft) -> None:
    """Draw what is done to the text before merging."""
    first, second, third = st.columns(3, gap="medium")
    with first:
        st.multiselect(
            words_recipe.NORMALIZERS,
            list(engine.NORMALIZERS),
            default=draft.normalizers,
            key=_key("normalizers"),
            placeholder=words_recipe.NO_NORMALIZER,
            help=words.plain(words_recipe.NORMALIZERS_HELP),
        )
        for name in draft.normalizers:
            st.caption(words.plain(f"{name}: {options.first_line(engine.NORMALIZERS[name])}"))
        if not draft.normalizers:
            st.caption(words_recipe.NORMALIZERS_SENTENCE)
    with second:
        _split(draft)
    with third:
        st.multiselect(
            words_recipe.SPECIALS,
            draft.specials,
            default=draft.specials,
            accept_new_options=True,
            max_selections=32,
            key=_key("specials"),
            placeholder=words_recipe.NO_SPECIALS,
            help=words.plain(words_recipe.SPECIALS_HELP),
        )
        st.caption(words_recipe.SPECIALS_SENTENCE)


def _split(draft: Draft) -> None:
    named = engine.PRE_TOKENIZERS.get(draft.split)
    st.selectbox(
        words_recipe.SPLIT,
        SPLITS,
        index=SPLITS.index(draft.split),
        format_func=lambda name: words_recipe.OWN_PATTERN if name == PATTERN else name,
        key=_key("split"),
        help=words.plain(options.source_line(named.split) or words_recipe.SPLIT_HELP)
        if named
        else words_recipe.SPLIT_HELP,
    )
    if named is None:
        st.text_input(
            words_recipe.PATTERN,
            draft.pattern,
            key=_key("pattern"),
            max_chars=2000,
            placeholder=r"\p{L}+|\p{N}+|[^\p{L}\p{N}]+",
        )
        st.caption(words_recipe.PATTERN_SENTENCE)
    else:
        st.caption(words.plain(options.first_line(named.split)))


def _limits(draft: Draft) -> None:
    """Draw when training stops, and how it chooses among equals."""
    first, second, third = st.columns(3, gap="medium")
    why = reason("stop", draft)
    stop = "size" if why else draft.stop
    with first, st.container(horizontal=True, vertical_alignment="bottom"):
        st.segmented_control(
            words_recipe.STOP,
            list(words_recipe.STOPS),
            default=draft.stop,
            format_func=words_recipe.STOPS.__getitem__,
            required=True,
            key=_key("stop"),
            disabled=why is not None,
        )
        st.number_input(
            words_recipe.NUMBERS[stop],
            min_value=1,
            max_value=MOST_STEPS,
            value=draft.number,
            step=1,
            key=_key("number"),
        )
    first.caption(why or words_recipe.STOP_SENTENCES[stop])
    why = reason("tie", draft)
    ties = list(words_recipe.TIES)
    with second, st.container(horizontal=True, vertical_alignment="bottom"):
        st.selectbox(
            words_recipe.TIE,
            ties,
            index=ties.index(draft.tie),
            format_func=words_recipe.TIES.__getitem__,
            key=_key("tie"),
            disabled=why is not None,
            help=words.plain(words_recipe.TIE_HELP),
        )
        st.number_input(
            words_recipe.SEED,
            min_value=0,
            max_value=999_999_999,
            value=draft.seed,
            step=1,
            key=_key("seed"),
            disabled=reason("seed", draft) is not None,
        )
    second.caption(why or words_recipe.TIE_SENTENCES[draft.tie])
    with third:
        why = reason("min_count", draft)
        st.number_input(
            words_recipe.LEAST,
            min_value=1,
            max_value=999_999_999,
            value=draft.min_count,
            step=1,
            key=_key("min_count"),
            disabled=why is not None,
            help=words_recipe.LEAST_HELP,
        )
        st.caption(why or words_recipe.LEAST_SENTENCES[draft.algorithm])
