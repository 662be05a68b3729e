"""The palette keeps its promises: distances between fills in every kind of color vision, contrasts, one set of values.

Formulas written down again here, so that the page's own code is not its own judge:
OKLab: Ottosson 2020. CIEDE2000: Sharma, Wu, Dalal 2005. Color-blind vision: Machado, Oliveira, Fernandes 2009, severity
1.0. Contrast: WCAG 2.2. All on linear sRGB.
"""

from __future__ import annotations

import re
import tomllib
import zlib
from itertools import combinations
from math import atan2, cos, degrees, dist, exp, hypot, radians, sin, sqrt
from pathlib import Path

import pytest

from explorer import palette
from explorer.palette import DARK, LIGHT, Palette

ROOT = Path(__file__).parents[2]
Triple = tuple[float, float, float]
Matrix = tuple[Triple, Triple, Triple]

THEMES = [pytest.param(LIGHT, id="light"), pytest.param(DARK, id="dark")]
VISIONS: dict[str, Matrix] = {
    "normal": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protan": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deutan": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "tritan": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)),
}
LUMINANCE: Triple = (0.2126, 0.7152, 0.0722)
VISIONS_AND_GREY = {**VISIONS, "grey": (LUMINANCE, LUMINANCE, LUMINANCE)}


def times(matrix: Matrix, color: Triple) -> Triple:
    red, green, blue = (sum(a * b for a, b in zip(row, color, strict=True)) for row in matrix)
    return red, green, blue


def channels(color: str) -> Triple:
    red, green, blue = (int(color[at : at + 2], 16) / 255 for at in (1, 3, 5))
    return red, green, blue


def linear(color: Triple) -> Triple:
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in color)
    return red, green, blue


def seen(color: str, vision: str) -> Triple:
    red, green, blue = (min(max(c, 0.0), 1.0) for c in times(VISIONS_AND_GREY[vision], linear(channels(color))))
    return red, green, blue


def oklab(rgb: Triple) -> Triple:
    cones = times(
        (
            (0.4122214708, 0.5363325363, 0.0514459929),
            (0.2119034982, 0.6806995451, 0.1073969566),
            (0.0883024619, 0.2817188376, 0.6299787005),
        ),
        rgb,
    )
    long, middle, short = (max(c, 0.0) ** (1 / 3) for c in cones)
    return times(
        (
            (0.2104542553, 0.7936177850, -0.0040720468),
            (1.9779984951, -2.4285922050, 0.4505937099),
            (0.0259040371, 0.7827717662, -0.8086757660),
        ),
        (long, middle, short),
    )


def cielab(rgb: Triple) -> Triple:
    xyz = times(
        (
            (0.4124564, 0.3575761, 0.1804375),
            (0.2126729, 0.7151522, 0.0721750),
            (0.0193339, 0.1191920, 0.9503041),
        ),
        rgb,
    )
    white = (0.95047, 1.0, 1.08883)  # D65
    scaled = (c / w for c, w in zip(xyz, white, strict=True))
    x, y, z = (c ** (1 / 3) if c > 216 / 24389 else (24389 / 27 * c + 16) / 116 for c in scaled)
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def ciede2000(first: Triple, second: Triple) -> float:
    (l1, a1, b1), (l2, a2, b2) = first, second
    chroma = (hypot(a1, b1) + hypot(a2, b2)) / 2
    stretch = 1.5 - 0.5 * sqrt(chroma**7 / (chroma**7 + 25**7))
    c1, c2 = hypot(stretch * a1, b1), hypot(stretch * a2, b2)
    h1, h2 = degrees(atan2(b1, stretch * a1)) % 360, degrees(atan2(b2, stretch * a2)) % 360
    turn = (h2 - h1 + 180) % 360 - 180 if c1 * c2 else 0.0
    d_hue = 2 * sqrt(c1 * c2) * sin(radians(turn / 2))
    lightness, chroma = (l1 + l2) / 2, (c1 + c2) / 2
    hue = (h1 + turn / 2) % 360 if c1 * c2 else h1 + h2
    t = (
        1
        - 0.17 * cos(radians(hue - 30))
        + 0.24 * cos(radians(2 * hue))
        + 0.32 * cos(radians(3 * hue + 6))
        - 0.20 * cos(radians(4 * hue - 63))
    )
    s_l = 1 + 0.015 * (lightness - 50) ** 2 / sqrt(20 + (lightness - 50) ** 2)
    s_c, s_h = 1 + 0.045 * chroma, 1 + 0.015 * chroma * t
    bend = -2 * sqrt(chroma**7 / (chroma**7 + 25**7)) * sin(radians(60 * exp(-(((hue - 275) / 25) ** 2))))
    d_l, d_c, d_h = (l2 - l1) / s_l, (c2 - c1) / s_c, d_hue / s_h
    return sqrt(d_l**2 + d_c**2 + d_h**2 + bend * d_c * d_h)


def luminance(color: Triple) -> float:
    return sum(a * b for a, b in zip(LUMINANCE, linear(color), strict=True))


def contrast(first: str | Triple, second: str | Triple) -> float:
    values = [luminance(channels(color) if isinstance(color, str) else color) for color in (first, second)]
    return (max(values) + 0.05) / (min(values) + 0.05)


def over(top: str, opacity: float, ground: str) -> Triple:
    red, green, blue = (
        round(255 * (opacity * a + (1 - opacity) * b)) / 255
        for a, b in zip(channels(top), channels(ground), strict=True)
    )
    return red, green, blue


def least_oklab(pairs: list[tuple[str, str]], vision: str) -> float:
    return min(dist(oklab(seen(a, vision)), oklab(seen(b, vision))) for a, b in pairs)


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        # Sharma, Wu, Dalal 2005, table 1, pairs 1, 7, 9, 13, 17, 25, 33.
        ((50.0, 2.6772, -79.7751), (50.0, 0.0, -82.7485), 2.0425),
        ((50.0, 0.0, 0.0), (50.0, -1.0, 2.0), 2.3669),
        ((50.0, 2.49, -0.001), (50.0, -2.49, 0.0009), 7.1792),
        ((50.0, -0.001, 2.49), (50.0, 0.0009, -2.49), 4.8045),
        ((50.0, 2.5, 0.0), (73.0, 25.0, -18.0), 27.1492),
        ((60.2574, -34.0099, 36.2677), (60.4626, -34.1751, 39.4387), 1.2644),
        ((6.7747, -0.2908, -2.4247), (5.8714, -0.0985, -2.2286), 0.6377),
    ],
)
def test_the_formula_of_ciede2000(first, second, expected):
    assert ciede2000(first, second) == pytest.approx(expected, abs=5e-5)


def test_the_formulas_of_oklab_and_contrast():
    # Ottosson 2020: white is (1, 0, 0); sRGB red is (0.628, 0.225, 0.126).
    assert oklab(seen("#FFFFFF", "normal")) == pytest.approx((1, 0, 0), abs=1e-4)
    assert oklab(seen("#FF0000", "normal")) == pytest.approx((0.628, 0.225, 0.126), abs=5e-4)
    assert contrast("#000000", "#FFFFFF") == pytest.approx(21)


@pytest.mark.parametrize(
    ("theme", "vision", "least_ok", "least_2000"),
    [
        (LIGHT, "normal", 0.083, 11.3),
        (LIGHT, "protan", 0.064, 8.4),
        (LIGHT, "deutan", 0.067, 8.0),
        (LIGHT, "tritan", 0.063, 9.4),
        (LIGHT, "grey", 0.051, 4.0),
        (DARK, "normal", 0.090, 11.6),
        (DARK, "protan", 0.067, 10.0),
        (DARK, "deutan", 0.068, 9.2),
        (DARK, "tritan", 0.068, 9.3),
        (DARK, "grey", 0.049, 4.4),
    ],
)
def test_fills_are_told_apart(theme: Palette, vision, least_ok, least_2000):
    """In grey only neighbors need be told apart, and neighbors never share a tier."""
    pairs = [
        (theme.fills[a], theme.fills[b])
        for a, b in combinations(range(palette.SLOTS), 2)
        if vision != "grey" or palette.tier(a) != palette.tier(b)
    ]
    assert least_oklab(pairs, vision) == pytest.approx(least_ok, abs=6e-4)
    in_2000 = min(ciede2000(cielab(seen(a, vision)), cielab(seen(b, vision))) for a, b in pairs)
    assert in_2000 == pytest.approx(least_2000, abs=0.06)


@pytest.mark.parametrize(
    ("theme", "ink", "mark", "prefix", "to_page", "ring"),
    [(LIGHT, 8.6, 3.1, 4.8, 0.079, 3.4), (DARK, 7.3, 3.8, 4.6, 0.113, 4.0)],
)
def test_what_stands_on_a_fill_is_read(theme: Palette, ink, mark, prefix, to_page, ring):
    def least(opacity: float) -> float:
        return min(contrast(over(theme.ink, opacity, fill), fill) for fill in theme.fills)

    assert least(1.0) == pytest.approx(ink, abs=0.06)
    assert least(theme.mark_opacity) == pytest.approx(mark, abs=0.06)
    assert least(0.72) == pytest.approx(prefix, abs=0.06)  # prefix bits of UTF-8
    assert least_oklab([(fill, theme.page) for fill in theme.fills], "normal") == pytest.approx(to_page, abs=6e-4)
    assert min(contrast(theme.needle, fill) for fill in theme.fills) == pytest.approx(ring, abs=0.06)


@pytest.mark.parametrize(
    ("theme", "expected"),
    [
        (LIGHT, {"ink": 18.0, "secondary": 6.6, "line_strong": 3.2, "needle": 7.1, "good": 6.5, "bad": 7.3}),
        (DARK, {"ink": 16.8, "secondary": 8.1, "line_strong": 4.5, "needle": 9.2, "good": 10.7, "bad": 9.3}),
    ],
)
def test_contrast_on_the_page(theme: Palette, expected):
    measured = {name: contrast(getattr(theme, name), theme.page) for name in expected}
    assert measured == pytest.approx(expected, abs=0.06)
    assert contrast(theme.secondary, theme.surface) > 4.5


@pytest.mark.parametrize(("theme", "least"), [(LIGHT, 0.141), (DARK, 0.156)])
def test_series_are_told_apart(theme: Palette, least):
    pairs = list(combinations(theme.series, 2))
    assert min(least_oklab(pairs, vision) for vision in VISIONS) == pytest.approx(least, abs=6e-4)
    assert min(contrast(color, theme.page) for color in theme.series) >= 3.2


@pytest.mark.parametrize("theme", THEMES)
def test_scales_run_one_way_and_carry_numbers(theme: Palette):
    assert len(theme.sequential) == len(theme.diverging) == 10
    lightness = [oklab(seen(color, "normal"))[0] for color in theme.sequential]
    assert lightness == sorted(lightness, reverse=theme is LIGHT)
    for half in (theme.diverging[:5], theme.diverging[:4:-1]):
        lightness = [oklab(seen(color, "normal"))[0] for color in half]
        assert lightness == sorted(lightness, reverse=theme is DARK)
    for color in (*theme.sequential, *theme.diverging):
        black, white = contrast("#000000", color), contrast("#FFFFFF", color)
        assert palette.number_on(color) == ("#000000" if black > white else "#FFFFFF")
        assert max(black, white) >= 4.58


def test_slot_is_crc32_of_the_bytes():
    assert [palette.slot(bytes([value])) for value in range(256)] == [zlib.crc32(bytes([v])) % 8 for v in range(256)]
    assert {palette.slot(bytes([value])) for value in range(256)} == set(range(8))
    assert [palette.tier(slot) for slot in range(8)] == [0, 1, 2, 3, 0, 1, 2, 3]


def test_the_style_sheet_has_the_same_values():
    sheet = (ROOT / "explorer/components/tokens.css").read_text(encoding="utf-8")
    found = {
        name: (light, dark)
        for name, light, dark in re.findall(
            r"--tg-([\w-]+):[^;]*?light-dark\((#[0-9A-F]{6}), (#[0-9A-F]{6})\)", sheet, flags=re.IGNORECASE
        )
    }

    def both(name: str) -> tuple[str, str]:
        return getattr(LIGHT, name), getattr(DARK, name)

    expected = {
        **{f"t{slot}": (LIGHT.fills[slot], DARK.fills[slot]) for slot in range(8)},
        **{f"s{at}": (LIGHT.series[at], DARK.series[at]) for at in range(1, 6)},
        **{"bg": both("page"), "surface": both("surface"), "ink": both("ink"), "ink-2": both("secondary")},
        **{"line": both("line"), "line-strong": both("line_strong"), "needle": both("needle")},
        **{"good": both("good"), "bad": both("bad"), "neutral": both("neutral"), "muted-series": both("muted_series")},
    }
    assert {name: found.get(name) for name in expected} == expected
    assert LIGHT.series[0] == LIGHT.needle
    assert DARK.series[0] == DARK.needle
    marks = [
        f"rgb({' '.join(str(round(255 * c)) for c in channels(theme.ink))} / {theme.mark_opacity:.2f})"
        for theme in (LIGHT, DARK)
    ]
    assert f"--tg-mark: light-dark({', '.join(marks)})".replace(" 0.", " .") in sheet


@pytest.mark.parametrize(("name", "theme"), [("light", LIGHT), ("dark", DARK)])
def test_the_theme_of_streamlit_has_the_same_values(name, theme: Palette):
    config = tomllib.loads((ROOT / ".streamlit/config.toml").read_text(encoding="utf-8"))["theme"][name]
    assert config["primaryColor"] == config["linkColor"] == theme.needle
    assert config["backgroundColor"] == config["dataframeHeaderBackgroundColor"] == theme.page
    assert config["secondaryBackgroundColor"] == config["codeBackgroundColor"] == theme.surface
    assert config["textColor"] == config["codeTextColor"] == theme.ink
    assert config["borderColor"] == config["dataframeBorderColor"] == theme.line
    assert config["dataframeHeaderTextColor"] == theme.secondary
    assert (config["greenTextColor"], config["redTextColor"]) == (theme.good, theme.bad)
    assert tuple(config["chartCategoricalColors"]) == theme.series
    assert tuple(config["chartSequentialColors"]) == theme.sequential
    assert tuple(config["chartDivergingColors"]) == theme.diverging
    assert palette.palette(name) is theme
