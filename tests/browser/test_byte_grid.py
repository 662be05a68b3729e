"""The byte grid in Chromium: its cells, its two cues, the walk by key, its readout."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from explorer.components.byte_grid import byte_grid
from tests.browser.harness import ROOT, Theme, Windows, check_accessible, looks, shot

Open = Callable[..., Page]
PAGE = Path(__file__).parent / "byte_pages.py"


@pytest.fixture
def show(serve: Callable[[Path], str], windows: Windows) -> Open:
    def opened(case: str = "grid", *, theme: Theme = "light", width: int = 1440) -> Page:
        page = windows(f"{serve(PAGE)}/?case={case}", theme=theme, width=width)
        page.wait_for_selector(".tg-byte-grid [role=grid]")
        return page

    return opened


def readout(page: Page) -> list[str]:
    return page.locator(".tg-byte-grid dd").all_inner_texts()


def test_every_byte_has_its_place_form_and_id(show: Open) -> None:
    page = show()
    values = page.locator("[role=gridcell]").evaluate_all("all => all.map(one => Number(one.dataset.value))")
    assert values == list(range(256))
    assert page.locator("[role=gridcell] .hex").all_inner_texts() == [f"{value:02X}" for value in range(256)]
    # Source: bytes_to_unicode of github.com/openai/gpt-2, src/encoder.py
    assert page.locator("[data-value='32'] .shown").inner_text() == "Ġ"
    assert page.locator("[data-value='10'] .shown").inner_text() == "Ċ"
    assert page.locator("[data-value='65'] .id").inner_text() == "id 32"
    assert page.locator("[data-mapped]").count() == 68
    assert page.locator("[data-value]:not([data-mapped])").count() == 188


def test_the_corner_is_a_cue_besides_color(show: Open) -> None:
    page = show()
    corner = "one => getComputedStyle(one, '::after').content"
    assert page.locator("[data-value='0']").evaluate(corner) == '""'
    assert page.locator("[data-value='65']").evaluate(corner) == "none"


def test_the_tint_follows_the_count(show: Open) -> None:
    page = show()
    counts = [PAGE.read_bytes().count(value) for value in range(256)]
    stops = page.locator("[role=gridcell]").evaluate_all("all => all.map(one => one.dataset.q ?? null)")
    assert [stop is None for stop in stops] == [count == 0 for count in counts]
    tinted = sorted((count, int(stop)) for count, stop in zip(counts, stops, strict=True) if stop is not None)
    assert [stop for _, stop in tinted] == sorted(stop for _, stop in tinted), "more often is never paler"
    assert tinted[-1][1] == 9
    assert page.locator(".most").inner_text() == f"{max(counts):,} times, log scale"


def luminance(color: str) -> float:
    """Source: WCAG 2.2, relative luminance."""
    parts = [int(color[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize(("theme", "place"), [("light", 1), ("dark", 2)])
def test_the_ramp_is_that_of_the_theme_and_readable(theme: str, place: int) -> None:
    css = (ROOT / "explorer/components/byte_grid/component.css").read_text("utf-8")
    rule = r"background-color: light-dark\((#\w{6}), (#\w{6})\); color: (?:light-dark\((#\w{3}), (#\w{3})\)|(#\w{3}))"
    rules = list(re.finditer(rule, css))
    config = tomllib.loads((ROOT / ".streamlit/config.toml").read_text("utf-8"))
    assert [match[place] for match in rules] == config["theme"][theme]["chartSequentialColors"]
    for match in rules:
        ink = match[place + 2] or match[5]
        light, dark = sorted((luminance(match[place]), luminance("#" + ink[1] * 6)), reverse=True)
        assert (light + 0.05) / (dark + 0.05) >= 4.58


def test_keys_walk_the_grid_and_fill_the_readout(show: Open) -> None:
    page = show()
    spaces = PAGE.read_bytes().count(32)
    assert readout(page) == ["32", "20", "00100000", "Ġ  U+0120", "220", f"{spaces:,} times", "a code point of its own"]
    page.locator("[tabindex='0'][role=gridcell]").focus()
    page.keyboard.press("ArrowRight")
    assert readout(page)[0] == "33"
    page.keyboard.press("ArrowDown")
    expect(page.locator("[data-value='49']")).to_be_focused()
    page.keyboard.press("End")
    assert readout(page)[0] == "63"
    page.keyboard.press("PageDown")
    assert readout(page) == ["255", "FF", "11111111", "ÿ  itself", "187", "0 times", "never occurs"]
    page.keyboard.press("ArrowRight")
    assert readout(page)[0] == "255", "the last byte is the end"
    page.keyboard.press("Control+Home")
    assert readout(page)[0] == "0"
    assert page.locator("[role=gridcell][tabindex='0']").count() == 1


def test_pointing_fills_the_readout_and_leaving_gives_it_back(show: Open) -> None:
    page = show()
    page.locator("[data-value='228']").hover()
    assert readout(page)[:3] == ["228", "E4", "11100100"]
    assert readout(page)[-1] == "first of 3"
    page.locator(".legend").hover()
    assert readout(page)[0] == "32"


def test_no_text_has_no_tint(show: Open) -> None:
    page = show("no-text")
    assert page.locator("[role=gridcell][data-q]").count() == 0
    assert page.locator(".most").inner_text() == "no byte yet"


def test_it_is_accessible_and_fits(show: Open) -> None:
    page = show()
    for theme, width in looks(page, (1440, 800, 390)):
        shot(page, f"byte-grid-{theme}-{width}")
        check_accessible(page)
        last = page.locator("[data-value='255']").bounding_box()
        assert last is not None
        assert last["x"] + last["width"] <= width - 8


def test_a_byte_left_out_is_refused() -> None:
    with pytest.raises(ValueError, match="got 1 with 1 values"):
        byte_grid([{"value": 0, "shown": "Ā", "id": 0, "direct": False, "count": 0}], key="grid")
