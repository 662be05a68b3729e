"""Vocabulary size against sequence length, and against what it costs: real tokenizers on the curve of a trained one."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import streamlit as st

from engine import Passage, metrics
from explorer import figures
from explorer import words_measures as words
from explorer.charts import chart
from explorer.chooser import prepared, tokenizer_choice
from explorer.components.screen import narrow
from explorer.frame import theme
from explorer.page_state import PageState
from explorer.state import name_of
from explorer.views import languages
from explorer.views.measures import Row, Samples, lossy
from explorer.views.parallel import title
from explorer.words import plain, sentence


def size_charts(view: PageState, read: Mapping[str, Samples], names: Mapping[str, str], passage: Passage) -> None:
    """Draw both charts for the highlighted language, with the choice of the trained tokenizer above them."""
    tag, phone = view["chosen"], narrow()
    with st.container(key="measures-sizes-choice", horizontal=True, vertical_alignment="center"):
        st.caption(words.TRAINED, width="content")
        with st.container(width=260):
            tokenizer_choice(view, "trained", words.TRAINED)
        st.number_input(words.WIDTH, 1, 65536, step=64, key=view.widget("width"), width=150)
        st.toggle(words.TIED, key=view.widget("tied"), help=words.TIED_HELP)
    try:
        curve = languages.curve(prepared(view["trained"]), tag, passage.text)
    except ValueError as error:
        st.warning(plain(sentence(error)))
        return
    points = languages.thinned(curve)
    sizes, lengths = curve.sizes[points], curve.lengths[points]
    tokens = {code: int(samples[tag].tokens.sum()) for code, samples in read.items()}
    vocabularies = {code: samples[tag].vocab_size for code, samples in read.items()}
    names = {code: words.doubted(name, lossy(read[code], tag)) for code, name in names.items()}
    left, right = st.columns(2, gap="medium")
    with left:
        marks = [figures.Point(names[code], vocabularies[code], tokens[code], code == view["real"]) for code in read]
        lines = [figures.Line(name_of(view["trained"]), "", sizes, lengths.astype(np.float64), "chosen")]
        axis = figures.Axis(words.SIZE_AXIS, *figures.ticks([*sizes.tolist()[:1], *vocabularies.values()]))
        head = words.sizes_title(title(tag))
        figure = figures.points(marks, lines, theme(), axis, hover=words.SIZE_HOVER, narrow=phone)
        chart("measures", "lengths", head, figure, _rows(marks, lines, axis, head), view["large"])
    with right:
        width, tied = view["width"], view["tied"]
        whole = max(curve.bytes, 1)

        def price(size: int) -> int:
            return metrics.embedding_parameters(size, width, tied)

        marks = [
            figures.Point(names[code], price(vocabularies[code]), 1 - tokens[code] / whole, code == view["real"])
            for code in read
        ]
        prices = np.array([price(size) for size in sizes.tolist()], np.int64)
        lines = [figures.Line(name_of(view["trained"]), "", prices, 1 - lengths / whole, "chosen")]
        axis = figures.Axis(
            words.bill_axis(width, tied),
            [price(int(size)) for size in axis.values],
            [figures.millions(price(int(size))) for size in axis.values],
        )
        head = words.bill_title(title(tag))
        figure = figures.points(marks, lines, theme(), axis, hover=words.BILL_HOVER, share=True, narrow=phone)
        chart("measures", "bill", head, figure, _rows(marks, lines, axis, head), view["large"])
        st.caption(words.BILL_NOTE)


def _rows(marks: list[figures.Point], lines: list[figures.Line], axis: figures.Axis, head: str) -> list[Row]:
    """Return the points and the curve as rows of a table."""
    rows: list[Row] = [{"name": mark.name, axis.title: mark.x, head: mark.y} for mark in marks]
    rows += [
        {"name": line.name, axis.title: x, head: y}
        for line in lines
        for x, y in zip(line.x.tolist(), line.y.tolist(), strict=True)
    ]
    return rows
