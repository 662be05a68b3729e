"""Points beside curves: real tokenizers among the sizes of a trained one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import plotly.graph_objects as go

from explorer.figures.curves import Line
from explorer.figures.style import BOTTOM, TOP, layout, safe, y_axis
from explorer.palette import Palette, Theme, palette
from explorer.views.languages import spread

_LABEL_GAP = 17
_LABELS = 176
_LOG_ROOM = 0.06


class Point(NamedTuple):
    """One point: what it is called, its place, and whether it is highlighted."""

    name: str
    x: float
    y: float
    chosen: bool


class Axis(NamedTuple):
    """What an axis shows: its title, and the places of its ticks with what stands there."""

    title: str
    values: Sequence[float]
    texts: Sequence[str]


def points(
    marks: Sequence[Point],
    lines: Sequence[Line],
    theme: Theme,
    axis: Axis,
    *,
    hover: str,
    height: int = 440,
    share: bool = False,
    narrow: bool = False,
) -> go.Figure:
    """Draw points and curves over a log axis; each point is named at the right, a hairline leads to its name.

    Args:
        marks: The points.
        lines: Curves of the same quantity, "chosen" as a needle and others muted; their names stand in the hover.
        theme: Light or dark.
        axis: The axis below.
        hover: What is said of a place, with "%{x}" and "%{y}".
        height: Of the figure, in CSS pixels.
        share: Whether the axis at the left is in percent.
        narrow: Whether it is for a phone, where names are smaller.
    """
    colors = palette(theme)
    figure = go.Figure()
    template = f"%{{customdata}}<br>{hover}<extra></extra>"
    for line in lines:
        figure.add_trace(
            go.Scatter(
                x=line.x,
                y=line.y,
                mode="lines",
                line={"color": colors.needle if line.role == "chosen" else colors.line_strong, "width": 2},
                customdata=[safe(line.name)] * len(line.x),
                hovertemplate=template,
                name="",
            )
        )
    figure.add_trace(
        go.Scatter(
            x=[mark.x for mark in marks],
            y=[mark.y for mark in marks],
            mode="markers",
            marker={
                "size": 9,
                "color": [colors.needle if mark.chosen else colors.ink for mark in marks],
                "line": {"color": colors.page, "width": 1},
            },
            customdata=[safe(mark.name) for mark in marks],
            hovertemplate=template,
            name="",
        )
    )
    size = 12 if narrow else 13
    right = round(8 + 0.54 * size * max((len(mark.name) for mark in marks), default=0)) if narrow else _LABELS
    figure.update_layout(**layout(colors, height, left=40 if narrow else 48, right=right))
    low, high = _range([float(x) for line in lines for x in line.x] + [mark.x for mark in marks])
    figure.update_xaxes(
        type="log",
        range=[low, high],
        title={"text": axis.title, "font": {"size": 12}, "standoff": 6},
        tickvals=list(axis.values),
        ticktext=list(axis.texts),
        tickfont={"size": 12},
        ticklabelstandoff=6,
        showgrid=False,
        showline=False,
        zeroline=False,
        ticks="",
        fixedrange=True,
    )
    top = max([float(line.y.max()) for line in lines if len(line.y)] + [mark.y for mark in marks] + [1e-9]) * 1.06
    figure.update_yaxes(**y_axis(colors), range=[0, top], fixedrange=True, tickformat=".0%" if share else "")
    # All at once: each one that is added has plotly check those before it again.
    figure.update_layout(annotations=_names(marks, (low, high), top, height - TOP - BOTTOM, colors, size))
    return figure


def _range(places: Sequence[float]) -> tuple[float, float]:
    """Return the ends of a log axis around some places, in powers of ten, with a little room."""
    logs = np.log10(np.maximum(places, 1e-9)) if len(places) else np.array([0.0, 1.0])
    room = max(float(logs.max() - logs.min()), 0.3) * _LOG_ROOM
    return float(logs.min()) - room, float(logs.max()) + room


def _names(
    marks: Sequence[Point], range_: tuple[float, float], top: float, plot: float, colors: Palette, size: int
) -> list[dict[str, Any]]:
    """Write the names beside the plot, pushed apart, with a hairline to each point; sizes in CSS pixels."""
    places = spread([mark.y / top * plot for mark in marks], _LABEL_GAP, 0, plot)
    low, high = range_
    edge = high + (high - low) * 0.02
    notes: list[dict[str, Any]] = []
    for mark, place in zip(marks, places, strict=True):
        color = colors.needle if mark.chosen else colors.ink
        notes.append(
            {
                "x": float(np.log10(max(mark.x, 1e-9))),
                "y": mark.y,
                "ax": edge,
                "ay": place / plot * top,
                "axref": "x",
                "ayref": "y",
                "xanchor": "left",
                "showarrow": True,
                "arrowhead": 0,
                "arrowwidth": 1,
                "arrowcolor": colors.line,
                "standoff": 6,
                "text": f"<b>{safe(mark.name)}</b>" if mark.chosen else safe(mark.name),
                "font": {"size": size, "color": color},
            }
        )
    return notes
