"""A chart of the Measures page: its head, the links that save it, and the figure; larger for a projector."""

from __future__ import annotations

from collections.abc import Sequence

import plotly.graph_objects as go
import streamlit as st

from explorer import figures
from explorer.components.figure_export import figure_export
from explorer.page_state import PageState
from explorer.views.languages import as_csv
from explorer.views.measures import Row


def chart(view: PageState, part: str, head: str, figure: go.Figure, rows: Sequence[Row]) -> None:
    """Draw a figure under its head.

    Args:
        view: The settings of the page; "large" tells a projector.
        part: What the chart is called in keys and files.
        head: What it shows.
        figure: The figure.
        rows: The numbers of the figure, as its CSV has them.
    """
    with st.container(key=f"measures-{part}-head", horizontal=True, vertical_alignment="bottom"):
        st.header(head, anchor=False, width="stretch")
        figure_export(
            key=f"measures.{part}.export",
            chart_key=f"measures-{part}",
            title=head,
            filename=f"measures-{part}",
            csv=as_csv(rows),
        )
    with st.container(key=f"measures-{part}"):
        drawn = figures.enlarged(figure) if view["large"] else figure
        st.plotly_chart(drawn, theme=None, config=dict(figures.CONFIG), key=f"measures.{part}-chart")
