"""Lattice in Chromium: it follows the typed text, is walked by keys, shows ways, and runs as the text runs."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from explorer.links import pack
from tests.browser.harness import Theme, Windows, check_accessible, settled, shot

READY = 60_000
expect.set_options(timeout=20_000)  # ms; the machine may be busy


def letters(page: Page) -> Locator:
    return page.locator(".la-letter")


def bar(page: Page, name: str) -> Locator:
    return page.get_by_role("group", name="Pieces of the word").get_by_role("button", name=name)


@pytest.fixture
def lattice(app: str, windows: Windows) -> Callable[..., Page]:
    def open_page(query: str = "", theme: Theme = "light", width: int = 1440) -> Page:
        page = windows(f"{app}/lattice{query}", theme=theme, width=width, height=1080 if width == 1920 else 900)
        expect(letters(page).first).to_be_visible(timeout=READY)
        settled(page)
        return page

    return open_page


def test_the_lattice_follows_the_typed_text(lattice: Callable[..., Page]) -> None:
    page = lattice()
    expect(letters(page)).to_have_text(list("▁unbelievable"))
    field = page.get_by_label("Text", exact=True)
    field.fill("one two")
    expect(letters(page)).to_have_text(list("▁two"))
    field.press("End")
    page.keyboard.type("fold")
    expect(letters(page)).to_have_text(list("▁twofold"))
    page.locator(".tg-token-strip .tg-tok").first.click()
    expect(letters(page)).to_have_text(list("▁one"))
    field.fill("")
    expect(page.get_by_text("There is no word here.")).to_have_count(1)
    expect(page.get_by_text("There is no word here.")).to_be_visible()


def test_the_keys_walk_along_and_across(lattice: Callable[..., Page]) -> None:
    page = lattice(f"?code=mt5-base&text={pack('unbelievable')}")
    best = bar(page, "best path").first
    best.focus()
    expect(best).to_have_accessible_name("▁un, best path, 97.0 %")
    page.keyboard.press("ArrowRight")
    expect(page.locator(".la-bar:focus")).to_have_accessible_name("believ, best path, 99.8 %")
    page.keyboard.press("ArrowUp")
    expect(page.locator(".la-bar:focus .la-piece")).to_have_text("beli")
    page.keyboard.press("Enter")
    card = page.get_by_role("link", name=re.compile("Card of token"))
    expect(card).to_have_attribute("href", re.compile(r"^token\?tokenizer=mt5-base&id=\d+$"))
    page.locator(".la-bar").last.hover()  # what is kept stays
    expect(page.locator(".la-readout .tg-chip")).to_have_text("beli")
    page.keyboard.press("Enter")
    page.keyboard.press("ArrowLeft")
    expect(page.locator(".la-bar:focus .la-piece")).to_have_text("▁un")
    page.keyboard.press("End")
    expect(page.locator(".la-bar:focus .la-piece")).to_have_text("able")
    expect(page.locator(".la-facts")).to_contain_text("on the best path")
    expect(page.locator(".la-facts")).to_contain_text("log P = ")


def test_a_way_of_the_list_is_ringed(lattice: Callable[..., Page]) -> None:
    page = lattice(f"?code=mt5-base&text={pack('unbelievable')}")
    second = page.get_by_role("button", name="Show way 2 in the picture").first
    second.click()
    expect(second).to_have_attribute("aria-pressed", "true")
    expect(page.locator(".la-ringed")).to_have_count(4)
    page.get_by_label("Seed").fill("5")
    page.get_by_label("Seed").press("Enter")
    expect(page.get_by_text("200 draws, alpha 0.2, seed 5")).to_be_visible()
    page.wait_for_url("**seed=5**")


def test_arabic_runs_from_the_right(lattice: Callable[..., Page]) -> None:
    page = lattice(f"?code=mt5-base&text={pack('المدرسة الكبيرة')}")
    places = [box["x"] for each in letters(page).all() if (box := each.bounding_box())]
    assert places == sorted(places, reverse=True)
    bar(page, "best path").first.focus()
    page.keyboard.press("ArrowLeft")
    expect(page.locator(".la-bar:focus")).to_have_count(1)
    shot(page, "lattice-arabic", whole=True)
    check_accessible(page)


@pytest.mark.parametrize(
    ("theme", "width", "large"),
    [("light", 1440, False), ("dark", 1440, False), ("light", 390, False), ("dark", 390, False), ("light", 1440, True)],
)
def test_the_page_is_accessible_and_pictured(
    lattice: Callable[..., Page], theme: Theme, width: int, large: bool
) -> None:
    page = lattice("?large=on&code=mt5-base" if large else "?code=mt5-base", theme, width)
    shot(page, f"lattice-{theme}-{width}{'-large' if large else ''}", whole=True)
    check_accessible(page)
    box = page.locator("body").evaluate("body => [body.scrollWidth, innerWidth]")
    assert box[0] <= box[1], "nothing runs out of the page at the side"
