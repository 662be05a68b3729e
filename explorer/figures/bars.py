"""Ranked bars with intervals."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import plotly.graph_objects as go

from explorer.figures.style import layout, safe
from explorer.palette import Theme, palette

_ROW = 26


class Bar(NamedTuple):
    """One bar: what it is called, its value with the ends of its interval, and whether it is highlighted."""

    name: str
    value: float
    low: float
    high: float
    chosen: bool


def bars(rows: Sequence[Bar], theme: Theme, *, unit: str, digits: int = 2, base: float | None = None) -> go.Figure:
    """Draw one bar a row, from the top, with its interval as a thin line and its value at the end.

    Args:
        rows: The bars, in their order; none is NaN.
        theme: Light or dark.
        unit: What follows a value where one points at it.
        digits: Of the printed values, behind the point.
        base: A value that all are compared with, drawn as a line; None for none.
    """
    colors = palette(theme)
    figure = go.Figure(
        go.Bar(
            x=[row.value for row in rows],
            y=list(range(len(rows))),
            orientation="h",
            width=0.42,
            marker={"color": [colors.needle if row.chosen else colors.muted_series for row in rows]},
            error_x={
                "type": "data",
                "symmetric": False,
                "array": [row.high - row.value for row in rows],
                "arrayminus": [row.value - row.low for row in rows],
                "color": colors.ink,
                "thickness": 1,
                "width": 3,
            },
            customdata=[[safe(row.name), row.low, row.high] for row in rows],
            hovertemplate=(
                f"%{{customdata[0]}}: %{{x:,.{digits}f}} {safe(unit)}"
                f"<br>95 % interval %{{customdata[1]:,.{digits}f}} to %{{customdata[2]:,.{digits}f}}<extra></extra>"
            ),
            name="",
        )
    )
    figure.add_trace(
        go.Scatter(
            x=[max(row.value, row.high) for row in rows],
            y=list(range(len(rows))),
            mode="text",
            text=[f"  {row.value:,.{digits}f}" for row in rows],
            textposition="middle right",
            textfont={"size": 13, "color": colors.ink},
            hoverinfo="skip",
            cliponaxis=False,
        )
    )
    figure.update_layout(**layout(colors, 12 + _ROW * max(len(rows), 1) + 8, left=8, right=16, top=12, bottom=8))
    most = max((max(row.value, row.high) for row in rows), default=1.0)
    hidden = {"showgrid": False, "zeroline": False, "ticks": "", "fixedrange": True}
    figure.update_xaxes(hidden, range=[0, max(most, base or 0.0) * 1.22 or 1], showticklabels=False)
    figure.update_yaxes(
        hidden,
        tickmode="array",
        tickvals=list(range(len(rows))),
        ticktext=[
            f'<b style="color:{colors.needle}">{safe(row.name)}</b>' if row.chosen else safe(row.name) for row in rows
        ],
        range=[len(rows) - 0.5, -0.5],
        tickfont={"size": 13, "color": colors.ink},
        ticklabelstandoff=8,
        automargin=True,
    )
    if base is not None:
        line = {"color": colors.line_strong, "width": 1, "dash": "1px,5px"}
        figure.add_shape(type="line", x0=base, x1=base, y0=0, y1=1, yref="paper", line=line)
    return figure
