"""A chart with its export links, and the button that copies the link: `?case=` chooses what the button knows."""

from __future__ import annotations

import math

import plotly.graph_objects as go
import streamlit as st

from explorer.components.copy_link import copy_link
from explorer.components.figure_export import figure_export

SIZES = [256, 512, 1024, 2048, 4096, 8192]
LENGTHS = {"English": [1.0, 0.62, 0.45, 0.34, 0.27, 0.22], "हिन्दी": [2.6, 1.4, 1.05, 0.9, 0.78, 0.68]}
CSV = "language,size,length\n" + "".join(
    f"{name},{size},{length}\n" for name, row in LENGTHS.items() for size, length in zip(SIZES, row, strict=True)
)
TOO_LONG = "This text is too long for a link (12 kB of 8). The link holds the recipe only."


def styled(figure: go.Figure) -> go.Figure:
    """Give a figure the looks of the page's charts: transparent, Source Sans, its title left out."""
    font = {"family": "Source Sans, Noto Sans, Noto Sans Devanagari, sans-serif", "size": 13, "color": "#565D68"}
    return figure.update_layout(
        paper_bgcolor="rgba(0,0,0,0)",
        plot_bgcolor="rgba(0,0,0,0)",
        font=font,
        showlegend=False,
        height=420,
        margin={"l": 48, "r": 120, "t": 8, "b": 44},
    )


def curves() -> go.Figure:
    """Two curves with direct labels."""
    figure = go.Figure()
    for name, row in LENGTHS.items():
        figure.add_scatter(x=SIZES, y=row, name=name, mode="lines", line={"color": "#2B4ACB"})
        figure.add_annotation(
            x=math.log10(SIZES[-1]), y=row[-1], text=f"{name} {row[-1]} & <b>more</b>", showarrow=False, xanchor="left"
        )
    figure.update_xaxes(type="log", title="vocabulary size, log scale", showgrid=False)
    # As faint as on the page: a grid line between two pixels is drawn elsewhere in a file of twice the size.
    figure.update_yaxes(title="tokens per character", gridcolor="rgba(128,128,128,.25)")
    return styled(figure)


def heat_map() -> go.Figure:
    """A heat map: plotly draws it as a picture inside the SVG."""
    figure = go.Figure(go.Heatmap(z=list(LENGTHS.values()), x=[str(size) for size in SIZES], y=list(LENGTHS)))
    return styled(figure.update_xaxes(title="size"))


def header(case: str) -> None:
    """A title and the button at its end."""
    with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="bottom"):
        st.header("Languages", width="content")
        copy_link(
            key="link",
            url="?case=plain&text=na%C3%AFve" if case == "url" else None,
            too_long=TOO_LONG if case == "long" else None,
        )


def charts() -> None:
    """Curves in a container with a key, a heat map with a key of its own, and links to a chart that is not there."""
    with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="bottom"):
        st.subheader("Tokens per character", width="content")
        figure_export(key="export", chart_key="the chart", title="Tokens per character", filename="tokens", csv=CSV)
    with st.container(key="the chart"):
        st.plotly_chart(curves(), theme=None, key="curves", config={"displayModeBar": False})
    figure_export(key="export-map", chart_key="map", title="Heat map", filename="map", csv=CSV)
    st.plotly_chart(heat_map(), theme=None, key="map", config={"displayModeBar": False})
    figure_export(key="export-none", chart_key="none", title="No chart", filename="none", csv="a\n")


if __name__ == "__main__":
    st.set_page_config(layout="wide")
    chosen = st.query_params.get("case", "charts")
    if chosen == "charts":
        charts()
    else:
        header(chosen)
