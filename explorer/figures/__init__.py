"""Data to plotly figures, in the one style of the page."""

from explorer.figures.bars import Bar, bars
from explorer.figures.curves import Line, Role, curves
from explorer.figures.distributions import columns, rank_curve, rows
from explorer.figures.heat_map import heat_map
from explorer.figures.points import Axis, Point, points
from explorer.figures.rounds import rounds
from explorer.figures.style import CONFIG, enlarged, millions, short, ticks

__all__ = [
    "CONFIG",
    "Axis",
    "Bar",
    "Line",
    "Point",
    "Role",
    "bars",
    "columns",
    "curves",
    "enlarged",
    "heat_map",
    "millions",
    "points",
    "rank_curve",
    "rounds",
    "rows",
    "short",
    "ticks",
]
