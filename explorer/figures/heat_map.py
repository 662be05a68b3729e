"""A heat map of ratios."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from explorer.figures.style import layout, safe, short
from explorer.palette import Theme, palette


def heat_map(
    rows: Sequence[str],
    columns: Sequence[int],
    values: Sequence[Sequence[float]],
    theme: Theme,
    chosen: int | None = None,
) -> go.Figure:
    """Draw ratios as cells: blue below 1, grey at 1, ocher above, on log2, clipped at 8 times; values printed.

    Args:
        rows: What each row is called, from the top.
        columns: Vocabulary sizes.
        values: One row of ratios a row.
        theme: Light or dark.
        chosen: The row that is highlighted.
    """
    colors = palette(theme)
    logs = np.clip(np.log2(np.maximum(np.array(values, np.float64), 2.0**-6)), -3, 3)
    scale = [[i / (len(colors.diverging) - 1), stop] for i, stop in enumerate(colors.diverging)]
    figure = go.Figure(
        go.Heatmap(
            z=logs,
            x=list(range(len(columns))),
            y=list(range(len(rows))),
            text=[[f"{safe(row)}, {short(size)} pieces" for size in columns] for row in rows],
            customdata=np.array(values),
            zmin=-3,
            zmax=3,
            colorscale=scale,
            showscale=False,
            xgap=2,
            ygap=2,
            hovertemplate="%{text}: %{customdata:.2f} times English<extra></extra>",
        )
    )
    figure.update_layout(**layout(colors, 30 + 26 * max(len(rows), 1) + 12, left=8, right=8, top=30, bottom=4))
    plain = {"showgrid": False, "zeroline": False, "ticks": "", "fixedrange": True, "tickmode": "array"}
    figure.update_xaxes(
        plain,
        side="top",
        tickvals=list(range(len(columns))),
        ticktext=[short(size) for size in columns],
        tickfont={"size": 12},
    )
    figure.update_yaxes(
        plain,
        autorange="reversed",
        tickvals=list(range(len(rows))),
        ticktext=[
            f'<b style="color:{colors.needle}">{safe(row)}</b>' if number == chosen else safe(row)
            for number, row in enumerate(rows)
        ],
        tickfont={"size": 13, "color": colors.ink},
        ticklabelstandoff=8,
        automargin=True,
    )
    for row, column in np.ndindex(len(rows), len(columns)):
        figure.add_annotation(
            x=column,
            y=row,
            text=f"{values[row][column]:.1f}",
            showarrow=False,
            font={"size": 13, "color": _readable(_on_scale(float(logs[row][column]), colors.diverging))},
        )
    return figure


def _on_scale(log: float, stops: Sequence[str]) -> str:
    return stops[round((log + 3) / 6 * (len(stops) - 1))]


def _readable(ground: str) -> str:
    """Return black or white, whichever has more contrast on a ground."""
    channels = [int(ground[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    luminance = 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    return "#000000" if (luminance + 0.05) / 0.05 > 1.05 / (luminance + 0.05) else "#FFFFFF"
