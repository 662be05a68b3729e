"""Data to plotly figures, in the one style of the page."""

from explorer.figures.curves import Line, Role, curves
from explorer.figures.distributions import columns, rank_curve, rows
from explorer.figures.heat_map import heat_map
from explorer.figures.rounds import rounds
from explorer.figures.style import CONFIG, short

__all__ = ["CONFIG", "Line", "Role", "columns", "curves", "heat_map", "rank_curve", "rounds", "rows", "short"]
