"""Bars of counts, and a curve of rank and count."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import plotly.graph_objects as go
from numpy.typing import NDArray

from explorer.figures.style import layout, safe, y_axis
from explorer.palette import Palette, Theme, palette

_EVERY = 4


def columns(bars: Sequence[tuple[str, int]], theme: Theme, *, unit: str, title: str, height: int = 260) -> go.Figure:
    """Draw counts as columns beside each other.

    Args:
        bars: What each column is of, and its count.
        theme: Light or dark.
        unit: What is counted, for the hover label.
        title: Of the axis below.
        height: Of the figure, in CSS pixels.
    """
    colors = palette(theme)
    names, values = [safe(name) for name, _ in bars], [value for _, value in bars]
    figure = go.Figure(_bars(colors, x=names, y=values, hovertemplate=f"%{{x}}: %{{y:,}} {unit}<extra></extra>"))
    figure.update_layout(**layout(colors, height, right=8), bargap=0.15)
    ticks = names[:-3:_EVERY] + names[-1:]
    figure.update_xaxes(**_plain_axis(title), type="category", tickvals=ticks, tickangle=0)
    figure.update_yaxes(**y_axis(colors), tickformat="~s")
    return figure


def rows(bars: Sequence[tuple[str, int]], theme: Theme, *, unit: str) -> go.Figure:
    """Draw counts as rows below each other, the first at the top, each with its number at its end."""
    colors = palette(theme)
    shown = list(reversed(bars))
    names, values = [safe(name) for name, _ in shown], [value for _, value in shown]
    figure = go.Figure(
        _bars(
            colors,
            x=values,
            y=names,
            orientation="h",
            text=[f"{value:,}" for value in values],
            textposition="outside",
            textfont={"color": colors.ink, "size": 13},
            cliponaxis=False,
            hovertemplate=f"%{{y}}: %{{x:,}} {unit}<extra></extra>",
        )
    )
    figure.update_layout(**layout(colors, 24 + 20 * len(bars), left=150, right=64, bottom=8), bargap=0.3)
    figure.update_xaxes(visible=False)
    figure.update_yaxes(type="category", tickfont={"size": 13, "color": colors.ink}, ticks="", ticklabelstandoff=8)
    return figure


def rank_curve(
    ranks: NDArray[Any], counts: NDArray[Any], theme: Theme, *, x_title: str, y_title: str, height: int = 260
) -> go.Figure:
    """Draw count against rank, both on a log scale, with a line of slope -1 to compare it with."""
    colors = palette(theme)
    figure = go.Figure()
    if len(ranks):
        figure.add_trace(
            go.Scatter(
                x=ranks,
                y=counts[0] / ranks,
                mode="lines",
                line={"color": colors.line_strong, "width": 1.5, "dash": "dot"},
                hoverinfo="skip",
            )
        )
        figure.add_trace(
            go.Scatter(
                x=ranks,
                y=counts,
                mode="lines",
                line={"color": colors.needle, "width": 2.75},
                hovertemplate="rank %{x:,}: %{y:,} times<extra></extra>",
            )
        )
    figure.update_layout(**layout(colors, height, right=8))
    figure.update_xaxes(**_plain_axis(x_title), type="log", dtick=1)
    figure.update_yaxes(
        **{**y_axis(colors), "nticks": None}, type="log", dtick=1, title={"text": y_title, "font": {"size": 12}}
    )
    return figure


def _bars(colors: Palette, **trace: Any) -> go.Bar:
    return go.Bar(marker={"color": colors.needle}, **trace)


def _plain_axis(title: str) -> dict[str, Any]:
    return {
        "title": {"text": title, "font": {"size": 12}, "standoff": 6},
        "tickfont": {"size": 12},
        "showgrid": False,
        "showline": False,
        "zeroline": False,
        "ticks": "",
    }
