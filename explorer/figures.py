"""Data to plotly figures, in the one style of the page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from explorer.palette import Palette, Theme, palette
from explorer.views.languages import spread

Role: TypeAlias = Literal["chosen", "named", "other"]

CONFIG: Mapping[str, object] = {"displayModeBar": False, "scrollZoom": False, "doubleClick": "reset"}

_FONT = "Source Sans, Noto Sans, sans-serif"
_HOVER = "%{customdata[0]}<br>%{x:,} pieces: %{y:,.4~r}<extra></extra>"
_LABEL_GAP = 17
_TOP, _BOTTOM = 8, 44


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
) -> go.Figure:
    """Draw curves over vocabulary size: one highlighted, some named at their end, all others muted.

    Args:
        lines: The curves.
        theme: Light or dark.
        height: Of the figure, in CSS pixels.
        width: Of the embedding, where a second axis is to show its parameters; None for no second axis.
        zoom: Ranges that the reader zoomed to: "x" in powers of ten, "y" in the unit.
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
    figure.update_layout(**_layout(colors, height, right=172, top=40 if width else _TOP))
    figure.update_xaxes(**_size_axis(colors, sizes), range=list(ranges["x"]))
    figure.update_yaxes(**_y_axis(colors), range=list(ranges["y"]))
    plot = height - _BOTTOM - (40 if width else _TOP)
    for note in _labels([line for line in lines if line.role != "other"], ranges["y"], plot, colors):
        figure.add_annotation(**note)
    if width:
        _parameters(figure, colors, sizes, list(ranges["x"]), width)
    return figure


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
            text=[[f"{_safe(row)}, {short(size)} pieces" for size in columns] for row in rows],
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
    figure.update_layout(**_layout(colors, 30 + 26 * max(len(rows), 1) + 12, left=8, right=8, top=30, bottom=4))
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
            f'<b style="color:{colors.needle}">{_safe(row)}</b>' if number == chosen else _safe(row)
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


def short(size: int) -> str:
    """Write a vocabulary size as it stands under an axis.

    >>> short(256), short(8000), short(8192), short(1500)
    ('256', '8k', '8k', '1.5k')
    """
    if size < 1000:
        return str(size)
    thousands = size / 1024 if size % 1024 == 0 else size / 1000
    return f"{thousands:.1f}".removesuffix(".0") + "k"


def written(value: float) -> str:
    """Write a value at the end of a curve.

    >>> written(0.683), written(12.4), written(18272)
    ('0.68', '12.4', '18,272')
    """
    if value < 10:
        return f"{value:.2f}"
    return f"{value:.1f}" if value < 100 else f"{value:,.0f}"


def _trace(line: Line, color: str, width: float) -> go.Scatter:
    return go.Scatter(
        x=line.x,
        y=line.y,
        mode="lines",
        line={"color": color, "width": width},
        customdata=[[_safe(line.name), line.key]] * len(line.x),
        hovertemplate=_HOVER,
        name="",
    )


def _muted(lines: Sequence[Line], colors: Palette) -> go.Scatter:
    """Draw all muted curves as one trace, with gaps between them."""
    gap = [None]
    x = [value for line in lines for value in [*line.x.tolist(), *gap]]
    y = [value for line in lines for value in [*line.y.tolist(), *gap]]
    names = [name for line in lines for name in [[_safe(line.name), line.key]] * (len(line.x) + 1)]
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
    return go.Scatter(x=line.x[-1:], y=line.y[-1:], mode="markers", marker=marker, hoverinfo="skip", name="")


def _labels(lines: Sequence[Line], range_: Sequence[float], plot: float, colors: Palette) -> list[dict[str, Any]]:
    """Write the names at the curves' ends, pushed apart."""
    low, high = range_
    shown = [line for line in lines if len(line.y) and low <= line.y[-1] <= high]
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
            "text": f"{'<b>' if line.role == 'chosen' else ''}{_safe(line.name)} {written(float(line.y[-1]))}",
            "font": {"size": 14, "color": colors.needle if line.role == "chosen" else colors.ink},
        }
        for line, place in zip(shown, spread(places, _LABEL_GAP, 0, plot), strict=True)
    ]


def _parameters(figure: go.Figure, colors: Palette, sizes: Sequence[int], range_: list[float], width: int) -> None:
    """Add the parameters of the embedding, size times width, as a second axis above."""
    values, _ = _ticks(sizes)
    figure.add_trace(
        go.Scatter(x=[min(sizes), max(sizes)], y=[None, None], xaxis="x2", hoverinfo="skip", showlegend=False)
    )
    figure.update_layout(
        xaxis2={
            **_size_axis(colors, sizes),
            "range": range_,
            "overlaying": "x",
            "side": "top",
            "matches": "x",
            "tickvals": values,
            "ticktext": [millions(size * width) for size in values],
            "title": {"text": f"embedding parameters, size × {width:,}", "font": {"size": 12}, "standoff": 4},
        }
    )


def millions(parameters: int) -> str:
    """Write a number of parameters.

    >>> millions(196608), millions(6144000), millions(98304000)
    ('0.2 M', '6.1 M', '98 M')
    """
    number = parameters / 1_000_000
    return f"{number:.1f} M" if number < 10 else f"{number:,.0f} M"


def _layout(
    colors: Palette, height: int, *, left: int = 48, right: int = 120, top: int = _TOP, bottom: int = _BOTTOM
) -> dict[str, Any]:
    return {
        "height": height,
        "margin": {"l": left, "r": right, "t": top, "b": bottom},
        "paper_bgcolor": "rgba(0,0,0,0)",
        "plot_bgcolor": "rgba(0,0,0,0)",
        "font": {"family": _FONT, "size": 13, "color": colors.secondary},
        "showlegend": False,
        "hovermode": "closest",
        "hoverlabel": {
            "bgcolor": colors.page,
            "bordercolor": colors.line,
            "font": {"family": _FONT, "size": 13, "color": colors.ink},
        },
        "transition": {"duration": 180},
        "dragmode": "zoom",
        "uirevision": "kept",
    }


def _size_axis(colors: Palette, sizes: Sequence[int]) -> dict[str, Any]:
    values, texts = _ticks(sizes)
    return {
        "type": "log",
        "title": {"text": "vocabulary size, log scale", "font": {"size": 12}, "standoff": 6},
        "tickvals": values,
        "ticktext": texts,
        "tickfont": {"size": 12},
        "ticklabelstandoff": 6,
        "showgrid": False,
        "showline": False,
        "zeroline": False,
        "ticks": "",
    }


def _y_axis(colors: Palette) -> dict[str, Any]:
    return {
        "tickfont": {"size": 12},
        "gridcolor": colors.line_strong,
        "griddash": "1px,5px",
        "gridwidth": 1,
        "zeroline": False,
        "showline": False,
        "ticks": "",
        "nticks": 6,
        "ticklabelstandoff": 10,
    }


def _ticks(sizes: Sequence[int]) -> tuple[list[int], list[str]]:
    """Choose powers of two for the axis of sizes, and the ends where no power is near."""
    first, last = min(sizes), max(sizes)
    powers = [2**n for n in range(5, 21) if first <= 2**n <= last * 1.01]
    step = max(1, (len(powers) + 6) // 7)
    values = powers[::step] or [first]
    if last > values[-1] * 1.3:
        values = [*values, last]
    if values[0] > first * 1.3:
        values = [first, *values]
    return values, [short(value) for value in values]


def _on_scale(log: float, stops: Sequence[str]) -> str:
    return stops[round((log + 3) / 6 * (len(stops) - 1))]


def _readable(ground: str) -> str:
    """Return black or white, whichever has more contrast on a ground."""
    channels = [int(ground[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    luminance = 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    return "#000000" if (luminance + 0.05) / 0.05 > 1.05 / (luminance + 0.05) else "#FFFFFF"


def _safe(text: str) -> str:
    """Keep a name from being read as plotly's markup."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
