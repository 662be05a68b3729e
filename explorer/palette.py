"""Every color of the page, in its light and its dark theme, and which fill a piece has.

`explorer/components/tokens.css` and `.streamlit/config.toml` carry the same values; a test keeps the three together,
and another measures the distances and contrasts that the palette promises.
"""

from __future__ import annotations

import zlib
from dataclasses import dataclass
from typing import Literal

Theme = Literal["light", "dark"]
SLOTS = 8
TIERS = 4


@dataclass(frozen=True)
class Palette:
    """The colors of one theme, each as "#RRGGBB".

    Attributes:
        page: ground of the page.
        surface: ground of inputs.
        ink: text.
        secondary: text of second rank, at least 4.5:1 on page and surface.
        line: hairline.
        line_strong: line under table heads, grid, named context in charts.
        needle: where we are: focus, current step, highlighted series; never a token.
        good: equal, done.
        bad: not equal, failed.
        neutral: fill of what is not merged or is cut inside a grapheme; always with a second mark.
        mark_opacity: of ink, 0 to 1, for the marks of hidden characters on any fill.
        fills: the eight token fills by slot: rose, steel, apricot, ice, violet, moss, periwinkle, straw.
        series: up to six compared curves; text beside them is ink.
        muted_series: all other curves.
        sequential: ten stops of one blue, little to much.
        diverging: ten stops blue to ocher, "equal" between the fifth and the sixth.
    """

    page: str
    surface: str
    ink: str
    secondary: str
    line: str
    line_strong: str
    needle: str
    good: str
    bad: str
    neutral: str
    mark_opacity: float
    fills: tuple[str, ...]
    series: tuple[str, ...]
    muted_series: str
    sequential: tuple[str, ...]
    diverging: tuple[str, ...]


LIGHT = Palette(
    page="#FFFFFF",
    surface="#F4F5F7",
    ink="#14171C",
    secondary="#565D68",
    line="#D9DCE1",
    line_strong="#8A919C",
    needle="#2B4ACB",
    good="#1B6B43",
    bad="#A3262E",
    neutral="#E9EBEE",
    mark_opacity=0.55,
    fills=("#F39D9B", "#B2C8D5", "#F0D3C3", "#BEFEF7", "#C3A9EA", "#CECC7C", "#D7D7FF", "#F8F2C1"),
    series=("#2B4ACB", "#DE6186", "#124B0F", "#866C03", "#5E146C", "#7D89E2"),
    muted_series="#C4C9D1",
    sequential=(
        *("#EEF2FB", "#CFDAF7", "#B0C3F1", "#90A9EB", "#6F8DE4"),
        *("#5374DC", "#3B5DD2", "#2846C0", "#1E3494", "#14246B"),
    ),
    diverging=(
        *("#1B4A96", "#4D7ABC", "#81A7DC", "#B7CDEB", "#D9E3F0"),
        *("#F4DFC7", "#F1C498", "#E2995B", "#BB6E2E", "#8A4508"),
    ),
)

DARK = Palette(
    page="#101317",
    surface="#191D23",
    ink="#F1F3F6",
    secondary="#A4ACB8",
    line="#2E343C",
    line_strong="#747D8A",
    needle="#9DB4FF",
    good="#7FD6A8",
    bad="#FF9C9C",
    neutral="#1D2127",
    mark_opacity=0.60,
    fills=("#420F1D", "#1A3443", "#573C33", "#21575E", "#2B154E", "#363402", "#3A3B6D", "#495500"),
    series=("#9DB4FF", "#EC8A88", "#70FCF5", "#9E710B", "#FFD374", "#5E76BE"),
    muted_series="#3F4752",
    sequential=(
        *("#1B2030", "#222F59", "#2A3D85", "#3951A9", "#4C68CB"),
        *("#6482E4", "#849EF4", "#A5BAFF", "#C5D3FF", "#E6ECFF"),
    ),
    diverging=(
        *("#A9C8FF", "#7CA6EA", "#5582CC", "#385E9F", "#2C4369"),
        *("#4F3A2B", "#7A4C24", "#AD6A2E", "#D89456", "#FFC58A"),
    ),
)


def palette(theme: Theme) -> Palette:
    """Give the colors of a theme."""
    return DARK if theme == "dark" else LIGHT


def slot(stands_for: bytes) -> int:
    """Give the fill of a piece, 0 to 7: the CRC-32 of the bytes it stands for, modulo 8.

    The bytes, not the id, so that a piece keeps its color after retraining and in every tokenizer. Markers are read as
    what they mean: "##ing" stands for b"ing", a leading U+2581 for a space, "low</w>" for b"low".

    >>> slot(b"the"), slot(b"cat")
    (6, 0)
    """
    return zlib.crc32(stands_for) & (SLOTS - 1)


def tier(fill_slot: int) -> int:
    """Give the lightness tier of a fill, 0 to 3; neighbors in running text may not share one.

    >>> tier(1) == tier(5)
    True
    """
    return fill_slot & (TIERS - 1)


def number_on(fill: str) -> Literal["#000000", "#FFFFFF"]:
    """Choose black or white for a number on a colored cell: the one with more contrast.

    Source: relative luminance of WCAG 2.2; black and white contrast equally at (L + 0.05)² = 1.05 · 0.05.

    >>> number_on("#EEF2FB"), number_on("#14246B")
    ('#000000', '#FFFFFF')
    """
    red, green, blue = (_linear(int(fill[at : at + 2], 16) / 255) for at in (1, 3, 5))
    luminance = 0.2126 * red + 0.7152 * green + 0.0722 * blue
    return "#000000" if (luminance + 0.05) ** 2 > 1.05 * 0.05 else "#FFFFFF"


def _linear(channel: float) -> float:
    power: float = ((channel + 0.055) / 1.055) ** 2.4
    return channel / 12.92 if channel <= 0.04045 else power
