"""Curves over vocabulary size."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from explorer.figures.style import BOTTOM, TOP, layout, millions, safe, size_axis, ticks, written, y_axis
from explorer.palette import Palette, Theme, palette
from explorer.views.languages import spread

Role: TypeAlias = Literal["chosen", "named", "other"]

_HOVER = "%{customdata[0]}<br>%{x:,} pieces: %{y:,.4~r}<extra></extra>"
_LABEL_GAP = 17
_LETTER = 7.5  # CSS pixels of a letter of a label, about


@dataclass(frozen=True, eq=False)
class Line:
    """One curve: x and y of equal length, what it is called at its end, its key for a click, and how loud it is."""

    name: str
    key: str
    x: NDArray[np.int64]
    y: NDArray[np.float64]
    role: Role


def curves(
    lines: Sequence[Line],
    theme: Theme,
    *,
    height: int = 440,
    width: int | None = None,
    zoom: Mapping[str, Sequence[float]] | None = None,
    narrow: bool = False,
) -> go.Figure:
    """Draw curves over vocabulary size: one highlighted, some named at their end, all others muted.

    Args:
        lines: The curves.
        theme: Light or dark.
        height: Of the figure, in CSS pixels.
        width: Of the embedding, where a second axis is to show its parameters; None for no second axis.
        zoom: Ranges that the reader zoomed to: "x" in powers of ten, "y" in the unit.
        narrow: Whether it is for a phone: curves are called by their keys, where they have some, and only the
            highlighted one has its value behind its name.
    """
    colors = palette(theme)
    figure = go.Figure()
    other = [line for line in lines if line.role == "other"]
    if other:
        figure.add_trace(_muted(other, colors))
    for line in (line for line in lines if line.role == "named"):
        figure.add_trace(_trace(line, colors.line_strong, 1.5))
    for line in (line for line in lines if line.role == "chosen"):
        figure.add_trace(_trace(line, colors.needle, 2.75))
        figure.add_trace(_end(line, colors.needle))
    top = max((float(line.y.max()) for line in lines if len(line.y)), default=1.0) * 1.04
    sizes = [size for line in lines for size in (line.x[:1].tolist() + line.x[-1:].tolist())] or [256, 512]
    ranges = {"x": [np.log10(min(sizes)), np.log10(max(max(sizes), min(sizes) + 1))], "y": [0.0, top], **(zoom or {})}
    called = {line: _called(line, narrow) for line in lines if line.role != "other"}
    right = round(16 + _LETTER * max(map(len, called.values()), default=0)) if narrow else 172
    left = 40 if narrow else 48
    figure.update_layout(**layout(colors, height, left=left, right=right, top=40 if width else TOP))
    figure.update_xaxes(**size_axis(sizes), range=list(ranges["x"]))
    figure.update_yaxes(**y_axis(colors), range=list(ranges["y"]))
    plot = height - BOTTOM - (40 if width else TOP)
    # All at once: each one that is added has plotly check those before it again.
    figure.update_layout(annotations=_labels(called, ranges["y"], plot, colors))
    if width:
        _parameters(figure, colors, sizes, list(ranges["x"]), width)
    return figure


def _trace(line: Line, color: str, width: float) -> go.Scatter:
    return go.Scatter(
        x=line.x,
        y=line.y,
        mode="lines",
        line={"color": color, "width": width},
        customdata=[[safe(line.name), line.key]] * len(line.x),
        hovertemplate=_HOVER,
        name="",
    )


def _muted(lines: Sequence[Line], colors: Palette) -> go.Scatter:
    """Draw all muted curves as one trace, with gaps between them."""
    gap = [None]
    x = [value for line in lines for value in [*line.x.tolist(), *gap]]
    y = [value for line in lines for value in [*line.y.tolist(), *gap]]
    names = [name for line in lines for name in [[safe(line.name), line.key]] * (len(line.x) + 1)]
    return go.Scatter(
        x=x,
        y=y,
        mode="lines",
        line={"color": colors.muted_series, "width": 1},
        opacity=0.55,
        customdata=names,
        name="",
        hovertemplate=_HOVER,
    )


def _end(line: Line, color: str) -> go.Scatter:
    marker = {"color": color, "size": 9}
    return go.Scatter(
        x=line.x[-1:], y=line.y[-1:], mode="markers", marker=marker, cliponaxis=False, hoverinfo="skip", name=""
    )


def _called(line: Line, narrow: bool) -> str:
    value = written(float(line.y[-1])) if len(line.y) else ""
    if not narrow:
        return f"{line.name} {value}"
    name = line.key or line.name
    return f"{name} {value}" if line.role == "chosen" else name


def _labels(called: Mapping[Line, str], range_: Sequence[float], plot: float, colors: Palette) -> list[dict[str, Any]]:
    """Write the names at the curves' ends, pushed apart."""
    low, high = range_
    shown = [line for line in called if len(line.y) and low <= line.y[-1] <= high]
    places = [(float(line.y[-1]) - low) / (high - low) * plot for line in shown]
    return [
        {
            "x": 1,
            "xref": "paper",
            "xanchor": "left",
            "xshift": 8,
            "y": place / plot,
            "yref": "paper",
            "yanchor": "middle",
            "showarrow": False,
            "text": f"{'<b>' if line.role == 'chosen' else ''}{safe(called[line])}",
            "font": {"size": 14, "color": colors.needle if line.role == "chosen" else colors.ink},
        }
        for line, place in zip(shown, spread(places, _LABEL_GAP, 0, plot), strict=True)
    ]


def _parameters(figure: go.Figure, colors: Palette, sizes: Sequence[int], range_: list[float], width: int) -> None:
    """Add the parameters of the embedding, size times width, as a second axis above."""
    values, _ = ticks(sizes)
    figure.add_trace(
        go.Scatter(x=[min(sizes), max(sizes)], y=[None, None], xaxis="x2", hoverinfo="skip", showlegend=False)
    )
    figure.update_layout(
        xaxis2={
            **size_axis(sizes),
            "range": range_,
            "overlaying": "x",
            "side": "top",
            "matches": "x",
            "tickvals": values,
            "ticktext": [millions(size * width) for size in values],
            "title": {"text": f"embedding parameters, size × {width:,}", "font": {"size": 12}, "standoff": 4},
        }
    )
