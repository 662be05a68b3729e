"""Links that save a chart of the page as PNG, SVG and CSV, made in the browser and without network."""

from __future__ import annotations

from explorer.components import load

_component = load("figure_export")


def figure_export(*, key: str, chart_key: str, title: str, filename: str, csv: str) -> None:
    """Draw the links "PNG · SVG · CSV" of one plotly chart on the same page.

    The SVG has the size of the chart on the page in CSS pixels and names its fonts; the PNG has twice as many pixels
    each way and holds the page's fonts.

    Args:
        key: the widget key.
        chart_key: the key of the `st.plotly_chart`, or of the one `st.container` it stands in.
        title: what the figure shows; the SVG's title and part of the name a screen reader says.
        filename: the name of the file without its ending.
        csv: the numbers of the figure, as the file will hold them.
    """
    data = {"chart_key": chart_key, "title": title, "filename": filename, "csv": csv}
    _component(key=key, data=data, width="content")
