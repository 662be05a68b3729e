"""The text editor in a real browser: it sends what is typed, in order, and never fights the person who types."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.harness import Windows, check_accessible, looks, settled

PAGE = Path(__file__).parent / "strip_pages.py"


@pytest.fixture
def editing(serve: Callable[[Path], str], windows: Windows) -> Callable[..., tuple[Page, Locator]]:
    """Open the live page: the window and its field."""

    def open_window(query: str = "", **options: object) -> tuple[Page, Locator]:
        page = windows(f"{serve(PAGE)}/?case=live{query}", **options)
        return page, page.get_by_label("Text", exact=True)

    return open_window


def said(page: Page, text: str) -> Locator:
    """What the server says it has, when it has `text`."""
    return page.get_by_text(f"{len(text)} characters: {text[-40:]!r}", exact=True)


def test_the_newest_text_always_arrives(editing: Callable[..., tuple[Page, Locator]]) -> None:
    page, field = editing()
    expect(said(page, "example 0")).to_be_visible()
    field.press("Control+End")
    typed = " then fast typing without any pause at all"
    field.press_sequentially(typed, delay=3)
    expect(said(page, "example 0" + typed)).to_be_visible()
    expect(page.get_by_role("application").first).to_have_text("example 0" + typed)


def test_its_own_echo_moves_no_caret(editing: Callable[..., tuple[Page, Locator]]) -> None:
    page, field = editing()
    field.press("Control+Home")
    for letter in "abc":
        field.press(letter)
        settled(page)
        page.wait_for_timeout(150)
    expect(said(page, "abcexample 0")).to_be_visible()
    assert field.evaluate("el => el.selectionStart") == 3


def test_the_page_can_put_another_text_in(editing: Callable[..., tuple[Page, Locator]]) -> None:
    page, field = editing()
    field.fill("mine")
    expect(said(page, "mine")).to_be_visible()
    page.get_by_role("button", name="Example").click()
    expect(field).to_have_value("example 1")
    expect(said(page, "example 1")).to_be_visible()
    field.press("Control+End")
    field.press_sequentially("!")
    expect(said(page, "example 1!")).to_be_visible()


def test_too_much_is_cut_at_a_code_point_and_said(editing: Callable[..., tuple[Page, Locator]]) -> None:
    page, field = editing("&limit=21")
    field.fill("é" * 15)
    expect(said(page, "é" * 10)).to_be_visible()
    expect(field).to_have_value("é" * 10)
    expect(page.get_by_text("Live typing stops at 0.021 kB, so that it stays smooth.")).to_be_visible()
    field.press("Control+End")
    field.press("Backspace")
    expect(page.get_by_text("Live typing stops")).to_have_count(0)


def test_a_lone_surrogate_is_replaced(editing: Callable[..., tuple[Page, Locator]]) -> None:
    page, field = editing()
    field.evaluate("el => { el.value = '\\ud800x'; el.dispatchEvent(new InputEvent('input')) }")
    expect(said(page, "\ufffdx")).to_be_visible()


def test_any_text_can_be_typed(editing: Callable[..., tuple[Page, Locator]]) -> None:
    page, field = editing()
    text = "*a* $x$ :smile: <b>\tالمدرسة\n👩🏽‍🚀"
    field.fill(text)
    expect(said(page, text)).to_be_visible()
    field.fill("")
    expect(said(page, "")).to_be_visible()
    expect(field).to_have_attribute("placeholder", "Type or paste a text. Any language, any script.")


def test_tab_leaves_the_field(editing: Callable[..., tuple[Page, Locator]]) -> None:
    page, field = editing()
    field.focus()
    page.keyboard.press("Tab")
    assert not field.evaluate("el => el.matches(':focus')")
    expect(field).to_have_value("example 0")


def test_each_line_runs_its_own_way_and_the_field_grows(editing: Callable[..., tuple[Page, Locator]]) -> None:
    _, field = editing()
    low = field.evaluate("el => el.offsetHeight")
    field.fill("one\n" * 6)
    grown = field.evaluate("el => el.offsetHeight")
    assert grown > low
    field.fill("one\n" * 200)
    assert field.evaluate("el => el.offsetHeight") <= 0.44 * 900 + 1
    assert field.evaluate("el => getComputedStyle(el).unicodeBidi") == "plaintext"


def test_the_editor_is_accessible(editing: Callable[..., tuple[Page, Locator]]) -> None:
    page, field = editing("&limit=20")
    field.fill("a" * 30)
    expect(page.get_by_text(re.compile("^Live typing stops"))).to_be_visible()
    settled(page)
    page.wait_for_timeout(1500)  # what was stale while the page ran is full again
    for _ in looks(page, (1440,)):
        check_accessible(page, ignored_rules=("page-has-heading-one", "region", "landmark-one-main", "html-has-lang"))
