"""A chart of a page: its head, the links that save it, and the figure; larger for a projector."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import plotly.graph_objects as go
import streamlit as st

from explorer import figures
from explorer.components.figure_export import figure_export
from explorer.components.screen import narrow
from explorer.views.languages import as_csv


def chart(
    page: str,
    part: str,
    head: str,
    figure: go.Figure,
    rows: Sequence[Mapping[str, str | int | float | None]],
    large: bool = False,
) -> None:
    """Draw a figure under its head.

    Args:
        page: The name of the page, as keys and files have it.
        part: What the chart is called in keys and files.
        head: What it shows.
        figure: The figure.
        rows: The numbers of the figure, as its CSV has them.
        large: Whether it is for a projector; a phone has no room for that.
    """
    with st.container(key=f"{page}-{part}-head", horizontal=True, vertical_alignment="bottom"):
        st.header(head, anchor=False, width="stretch")
        figure_export(
            key=f"{page}.{part}.export",
            chart_key=f"{page}-{part}",
            title=head,
            filename=f"{page}-{part}",
            csv=as_csv(rows),
        )
    with st.container(key=f"{page}-{part}"):
        drawn = figures.enlarged(figure) if large and not narrow() else figure
        st.plotly_chart(drawn, theme=None, config=dict(figures.CONFIG), key=f"{page}.{part}-chart")
