"""Three figures of a vocabulary: lengths, scripts, and how often its pieces are used."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from explorer import figures
from explorer import words_vocabulary as words
from explorer.charts import chart
from explorer.frame import theme

MOST_SCRIPTS = 12

Rows = list[dict[str, str | int | float | None]]


def distributions(
    lengths: Sequence[tuple[str, int]],
    scripts: Sequence[tuple[str, int]],
    zipf: tuple[NDArray[np.int64], NDArray[np.int64]],
    large: bool,
) -> None:
    """Draw them beside each other, the last if any piece is used; each can be saved as a picture or as numbers."""
    left, middle, right = st.columns(3, gap="medium")
    ranks, counts = zipf
    with left:
        figure = figures.columns(lengths, theme(), unit="pieces", title=words.LENGTHS_AXIS)
        table: Rows = [{"bytes": name, "pieces": count} for name, count in lengths]
        chart("vocabulary", "lengths", words.LENGTHS, figure, table, large)
    with middle:
        rows = list(scripts[:MOST_SCRIPTS])
        if len(scripts) > MOST_SCRIPTS:
            rows.append((words.other_scripts(len(scripts) - MOST_SCRIPTS), sum(n for _, n in scripts[MOST_SCRIPTS:])))
        figure = figures.rows(rows, theme(), unit="pieces")
        table = [{"script": name, "pieces": count} for name, count in scripts]
        chart("vocabulary", "scripts", words.SCRIPTS, figure, table, large)
    if not len(ranks):
        return
    with right:
        figure = figures.rank_curve(ranks, counts, theme(), x_title=words.ZIPF_X, y_title=words.ZIPF_Y)
        table = [{"rank": rank, "count": count} for rank, count in zip(ranks.tolist(), counts.tolist(), strict=True)]
        chart("vocabulary", "zipf", words.ZIPF, figure, table, large)
        st.caption(words.ZIPF_NOTE)
