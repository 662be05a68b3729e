"""One value a round of a training."""

from __future__ import annotations

from collections.abc import Sequence

import plotly.graph_objects as go

from explorer.figures.style import layout, y_axis
from explorer.palette import Theme, palette


def rounds(values: Sequence[float], chosen: int, theme: Theme, *, height: int = 190) -> go.Figure:
    """Draw a value by round, the first for round 0; the chosen round stands out.

    Args:
        values: One a round.
        chosen: The round that is looked at.
        theme: Light or dark.
        height: Of the figure, in CSS pixels.
    """
    colors = palette(theme)
    numbers = list(range(len(values)))
    figure = go.Figure(
        go.Scatter(
            x=numbers,
            y=list(values),
            mode="lines+markers",
            line={"color": colors.line_strong, "width": 1.5},
            marker={
                "size": [11 if number == chosen else 6 for number in numbers],
                "symbol": ["diamond" if number == chosen else "circle" for number in numbers],
                "color": [colors.needle if number == chosen else colors.line_strong for number in numbers],
            },
            hovertemplate="round %{x}: %{y:,.0f}<extra></extra>",
            name="",
        )
    )
    figure.add_vline(chosen, line={"color": colors.needle, "width": 2})
    figure.update_layout(**{**layout(colors, height, left=72, right=16, top=12, bottom=40), "dragmode": False})
    figure.update_xaxes(
        title={"text": "round", "font": {"size": 12}, "standoff": 4},
        tickfont={"size": 12},
        showgrid=False,
        zeroline=False,
        ticks="",
        range=[-0.4, max(1, len(values) - 1) + 0.4],
        nticks=min(12, max(2, len(values))),
        tickformat="d",
        fixedrange=True,
    )
    figure.update_yaxes(**{**y_axis(colors), "nticks": 4}, tickformat=",.3~s", fixedrange=True)
    return figure
