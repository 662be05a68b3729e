"""How many merges come near a real tokenizer on a text: chosen, read off the length curve, drawn."""

from __future__ import annotations

import numpy as np
import streamlit as st

from engine import corpora
from explorer import figures, recipes
from explorer import words_measures as words
from explorer.charts import chart
from explorer.chooser import prepared, tokenizer_choice
from explorer.components.figure import figure
from explorer.components.screen import narrow
from explorer.file_codes import FILE
from explorer.frame import theme
from explorer.page_state import PageState
from explorer.state import corpus_of, name_of
from explorer.tokenizers import catalogue
from explorer.views import matching
from explorer.views.languages import Curve, thinned
from explorer.views.matching import match
from explorer.views.measures import Row
from explorer.words import plain, sentence

HELD_OUT, OWN = "", "own"


def match_target(view: PageState) -> None:
    """Draw the question, its answer, and the curve that it is read off."""
    st.header(words.MATCH, anchor=False, help=words.MATCH_NOTE)
    try:
        tokenizer = prepared(view["trained"])
        name, text = chosen_text(view)
        target = len(prepared(view["target"]).encode(text))
        sizes, lengths = tokenizer.length_curve(text)
    except ValueError as error:
        st.warning(plain(sentence(error)))
        return
    if not text or not len(sizes):
        st.caption(words.OWN_HINT)
        return
    found = match(sizes, lengths, target)
    real = name_of(view["target"])
    left, right = st.columns([5, 7], gap="medium")
    with left:
        number, unit, meaning = words.matched(found, target, real)
        share = min(1.0, target / max(found.tokens, 1))
        figure(
            {
                "number": number,
                "unit": unit,
                "note": "",
                "share": share,
                "facts": "",
                "bad": [],
                "reserve": 0,
                "large": view["large"],
            },
            key="measures.match-figure",
        )
        st.markdown(plain(meaning))
        st.caption(plain(f"{name}. {trained_on(view['trained'], text)}"))
    with right:
        curve = Curve("", sizes, lengths, len(text), len(text.encode()))
        points = thinned(curve)
        ends = np.array([sizes[0], sizes[-1]])
        lines = [
            figures.Line(name_of(view["trained"]), "", sizes[points], lengths[points].astype(np.float64), "chosen"),
            figures.Line(real, "", ends, np.full(2, float(target)), "named"),
            figures.Line(words.NEAR, "", ends, np.full(2, float(found.goal)), "named"),
        ]
        rows: list[Row] = [{"pieces": int(sizes[i]), "tokens": int(lengths[i]), "target": target} for i in points]
        drawn = figures.curves(lines, theme(), height=320, narrow=narrow())
        chart("measures", "match", words.match_title(real), drawn, rows, view["large"])


def chosen_text(view: PageState) -> tuple[str, str]:
    """Draw the choice of target and text, and return the text with what it is called."""
    running = [name for name in corpora.names() if not corpora.corpus(name).has_counts]
    known = running if view["match"] in (HELD_OUT, OWN, *running) else [view["match"], *running]

    def named(name: str) -> str:
        special = {HELD_OUT: words.HELD_OUT, OWN: words.OWN_TEXT}
        return special[name] if name in special else corpora.corpus(name).title

    with st.container(key="measures-match-choice", horizontal=True, vertical_alignment="bottom"):
        with st.container(width=260, gap="xsmall", key="measures-target"):
            st.caption(words.TARGET)
            tokenizer_choice(view, "target", words.TARGET)
        st.selectbox(words.MATCH_TEXT, [HELD_OUT, OWN, *known], format_func=named, key=view.widget("match"), width=420)
    if view["match"] == OWN:
        text = st.text_area(words.OWN_TEXT, key=view.widget("own"), height=80, placeholder=words.OWN_HINT)
        return words.OWN_TEXT, text or ""
    name = view["match"] or matching.held_out(view["chosen"], corpus_names(view["trained"]))
    return corpora.corpus(name).title, corpora.text(name)


def corpus_names(code: str) -> tuple[str, ...]:
    """Return the names of the samples that a tokenizer was trained on."""
    if code in catalogue() or code.startswith(FILE):
        return ()
    corpus = recipes.decode(code).corpus
    return corpus.names if corpus.kind == "samples" else ()


def trained_on(code: str, text: str) -> str:
    """Say whether a text was trained on, as far as that is known.

    Raises:
        ValueError: The corpus is a visitor's, and not kept.
    """
    if code in catalogue() or code.startswith(FILE):
        return words.unknown_corpus(name_of(code))
    corpus = corpus_of(recipes.decode(code))
    if isinstance(corpus, str):
        return words.seen(matching.seen(text, [corpus]))
    return words.seen(matching.seen(text, list(corpus)))
