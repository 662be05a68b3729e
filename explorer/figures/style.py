"""What all figures have in common: font, margins, axes, and how numbers are written."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import plotly.graph_objects as go

from explorer.palette import Palette

CONFIG: Mapping[str, object] = {"displayModeBar": False, "scrollZoom": False, "doubleClick": "reset"}

FONT = "Source Sans, Noto Sans, sans-serif"
TOP, BOTTOM = 8, 44


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


def millions(parameters: int) -> str:
    """Write a number of parameters.

    >>> millions(196608), millions(6144000), millions(98304000)
    ('0.2 M', '6.1 M', '98 M')
    """
    number = parameters / 1_000_000
    return f"{number:.1f} M" if number < 10 else f"{number:,.0f} M"


def layout(
    colors: Palette, height: int, *, left: int = 48, right: int = 120, top: int = TOP, bottom: int = BOTTOM
) -> dict[str, Any]:
    """Return the layout of every figure; height and margins in CSS pixels."""
    return {
        "height": height,
        "margin": {"l": left, "r": right, "t": top, "b": bottom},
        "paper_bgcolor": "rgba(0,0,0,0)",
        "plot_bgcolor": "rgba(0,0,0,0)",
        "font": {"family": FONT, "size": 13, "color": colors.secondary},
        "showlegend": False,
        "hovermode": "closest",
        "hoverlabel": {
            "bgcolor": colors.page,
            "bordercolor": colors.line,
            "font": {"family": FONT, "size": 13, "color": colors.ink},
        },
        "transition": {"duration": 180},
        "dragmode": "zoom",
        "uirevision": "kept",
    }


def size_axis(sizes: Sequence[int]) -> dict[str, Any]:
    """Return the axis of vocabulary sizes, on a log scale."""
    values, texts = ticks(sizes)
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


def y_axis(colors: Palette) -> dict[str, Any]:
    """Return the axis of what is measured; its grid is dotted, so that a flat curve is not mistaken for it."""
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


def ticks(sizes: Sequence[int]) -> tuple[list[int], list[str]]:
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


def enlarged(figure: go.Figure, factor: float = 5 / 3) -> go.Figure:
    """Return a figure for a projector: its words, its height and its margins grow alike.

    >>> enlarged(go.Figure(layout={"height": 100, "font": {"size": 12}})).layout.font.size
    20.0
    """

    def grown(value: Any, name: str = "") -> Any:
        if isinstance(value, dict):
            return {key: grown(part, f"{name}.{key}") for key, part in value.items()}
        if isinstance(value, list | tuple) and name.endswith("annotations"):
            return [grown(part, name) for part in value]
        sized = name.endswith("font.size") or name.startswith(".margin.") or name == ".height"
        return value * factor if sized and isinstance(value, int | float) else value

    data = figure.to_plotly_json()
    for trace in data["data"]:
        if "textfont" in trace:
            trace["textfont"]["size"] = trace["textfont"].get("size", 12) * factor
    return go.Figure(data["data"], grown(data["layout"]))


def safe(text: str) -> str:
    """Keep a name from being read as plotly's markup."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
