"""Three figures of a vocabulary: lengths, scripts, and how often its pieces are used."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go
import streamlit as st
from numpy.typing import NDArray

from explorer import figures
from explorer import words_vocabulary as words
from explorer.components.figure_export import figure_export
from explorer.palette import Theme
from explorer.views.languages import as_csv

MOST_SCRIPTS = 12

Rows = list[dict[str, str | int | float | None]]


def distributions(
    lengths: Sequence[tuple[str, int]],
    scripts: Sequence[tuple[str, int]],
    zipf: tuple[NDArray[np.int64], NDArray[np.int64]],
) -> None:
    """Draw them beside each other; each can be saved as a picture or as numbers."""
    left, middle, right = st.columns(3, gap="medium")
    ranks, counts = zipf
    with left:
        figure = figures.columns(lengths, theme(), unit="pieces", title=words.LENGTHS_AXIS)
        _draw("lengths", words.LENGTHS, figure, [{"bytes": name, "pieces": count} for name, count in lengths])
    with middle:
        rows = list(scripts[:MOST_SCRIPTS])
        if len(scripts) > MOST_SCRIPTS:
            rows.append((words.other_scripts(len(scripts) - MOST_SCRIPTS), sum(n for _, n in scripts[MOST_SCRIPTS:])))
        figure = figures.rows(rows, theme(), unit="pieces")
        _draw("scripts", words.SCRIPTS, figure, [{"script": name, "pieces": count} for name, count in scripts])
    with right:
        figure = figures.rank_curve(ranks, counts, theme(), x_title=words.ZIPF_X, y_title=words.ZIPF_Y)
        table: Rows = [
            {"rank": rank, "count": count} for rank, count in zip(ranks.tolist(), counts.tolist(), strict=True)
        ]
        _draw("zipf", words.ZIPF, figure, table)
        st.caption(words.ZIPF_NOTE)


def _draw(name: str, title: str, figure: go.Figure, rows: Rows) -> None:
    with st.container(key=f"vocabulary-{name}-head", horizontal=True, vertical_alignment="bottom"):
        st.header(title, anchor=False, width="stretch")
        figure_export(
            key=f"vocabulary.{name}.export",
            chart_key=f"vocabulary-{name}",
            title=title,
            filename=f"vocabulary-{name}",
            csv=as_csv(rows),
        )
    with st.container(key=f"vocabulary-{name}"):
        st.plotly_chart(figure, theme=None, config=dict(figures.CONFIG), key=f"vocabulary.{name}.chart")


def theme() -> Theme:
    """Return the theme the reader sees."""
    return "dark" if st.context.theme.type == "dark" else "light"
