"""A heat map of ratios, or of amounts."""

from __future__ import annotations

from collections.abc import Container, Sequence
from typing import Any, Literal, TypeAlias

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from explorer.figures.style import layout, safe
from explorer.palette import Palette, Theme, palette

Scale: TypeAlias = Literal["ratio", "amount"]

_LONG, _MANY = 7, 6
_SLANT = -38


def heat_map(
    rows: Sequence[str],
    columns: Sequence[str],
    values: Sequence[Sequence[float]],
    theme: Theme,
    chosen: int | None = None,
    *,
    unit: str,
    scale: Scale = "ratio",
    digits: int = 1,
    column: int | None = None,
    doubtful: Container[tuple[int, int]] = (),
) -> go.Figure:
    """Draw values as cells, and print them.

    Ratios: blue below 1, gray at 1, ocher above, on log2, clipped at 8 times. Amounts: pale to deep blue, from the
    smallest to the largest.

    Args:
        rows: What each row is called, from the top.
        columns: What each column is called; long names stand at a slant.
        values: One row of values a row; NaN leaves a cell empty.
        theme: Light or dark.
        chosen: The row that is highlighted.
        unit: What follows a value where one points at it.
        scale: Of the colors.
        digits: Of the printed values, behind the point.
        column: The column that is highlighted.
        doubtful: Cells (row, column) whose value says little: printed with a question mark, on no color.
    """
    colors = palette(theme)
    table = np.array(values, np.float64).reshape(len(rows), len(columns))
    places, stops = _on_scale(table, scale, colors)
    for cell in np.ndindex(*table.shape):
        if cell in doubtful:
            places[cell] = np.nan
    exact = max(digits, 2) if digits else 0
    figure = go.Figure(
        go.Heatmap(
            z=places,
            x=list(range(len(columns))),
            y=list(range(len(rows))),
            text=[[f"{safe(row)}, {safe(name)}" for name in columns] for row in rows],
            customdata=table,
            zmin=0,
            zmax=1,
            colorscale=[[i / (len(stops) - 1), stop] for i, stop in enumerate(stops)],
            showscale=False,
            xgap=2,
            ygap=2,
            hovertemplate=f"%{{text}}: %{{customdata:,.{exact}f}} {safe(unit)}<extra></extra>",
        )
    )
    slanted = len(columns) > _MANY and any(len(name) > _LONG for name in columns)
    top = 20 + round(4.2 * max(map(len, columns))) if slanted else 30
    figure.update_layout(
        **layout(colors, top + 26 * max(len(rows), 1) + 12, left=8, right=64 if slanted else 8, top=top, bottom=4)
    )
    plain = {"showgrid": False, "zeroline": False, "ticks": "", "fixedrange": True, "tickmode": "array"}
    figure.update_xaxes(
        plain,
        side="top",
        tickvals=list(range(len(columns))),
        ticktext=[_named(name, number == column, colors) for number, name in enumerate(columns)],
        tickfont={"size": 12},
        tickangle=_SLANT if slanted else 0,
    )
    figure.update_yaxes(
        plain,
        autorange="reversed",
        tickvals=list(range(len(rows))),
        ticktext=[_named(name, number == chosen, colors) for number, name in enumerate(rows)],
        tickfont={"size": 13, "color": colors.ink},
        ticklabelstandoff=8,
        automargin=True,
    )
    figure.add_trace(_printed(table, places, stops, digits, colors))
    return figure


def _on_scale(table: NDArray[np.float64], scale: Scale, colors: Palette) -> tuple[NDArray[np.float64], tuple[str, ...]]:
    """Return where each value stands between the ends of its scale, 0 to 1, and the colors of the scale."""
    if scale == "ratio":
        return (np.clip(np.log2(np.maximum(table, 2.0**-6)), -3, 3) + 3) / 6, colors.diverging
    known = table[np.isfinite(table)]
    low, high = (known.min(), known.max()) if len(known) else (0.0, 1.0)
    return (table - low) / max(high - low, 1e-9), colors.sequential


def _printed(
    table: NDArray[np.float64], places: NDArray[np.float64], stops: Sequence[str], digits: int, colors: Palette
) -> go.Scatter:
    """Print all values as one trace: a note for each of a thousand cells would take seconds to draw."""
    cells = [(row, column) for row, column in np.ndindex(*table.shape) if np.isfinite(table[row, column])]
    doubted = {cell for cell in cells if np.isnan(places[cell])}
    inks: list[Any] = [
        colors.secondary if cell in doubted else _readable(stops[round(float(places[cell]) * (len(stops) - 1))])
        for cell in cells
    ]
    return go.Scatter(
        x=[column for _, column in cells],
        y=[row for row, _ in cells],
        mode="text",
        text=[f"{table[cell]:,.{digits}f}{'?' if cell in doubted else ''}" for cell in cells],
        textfont={"size": 13, "color": inks},
        hoverinfo="skip",
        cliponaxis=False,
    )


def _named(name: str, chosen: bool, colors: Palette) -> str:
    return f'<b style="color:{colors.needle}">{safe(name)}</b>' if chosen else safe(name)


def _readable(ground: str) -> str:
    """Return black or white, whichever has more contrast on a ground."""
    channels = [int(ground[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    luminance = 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    return "#000000" if (luminance + 0.05) / 0.05 > 1.05 / (luminance + 0.05) else "#FFFFFF"
