"""The button that copies the link, in Chromium: with a clipboard, and on plain http where there is none."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.figure_pages import TOO_LONG
from tests.browser.harness import FLAGS, Theme, Windows, check_accessible, chromium, settled, shot

Open = Callable[..., Page]
PAGE = Path(__file__).parent / "figure_pages.py"
NAMES = "MAP tokenglass.test 127.0.0.1"


@pytest.fixture
def show(serve: Callable[[Path], str], windows: Windows) -> Open:
    def opened(query: str, *, theme: Theme = "light", width: int = 1440) -> Page:
        page = windows(serve(PAGE) + "/" + query, theme=theme, width=width)
        page.get_by_role("button", name="Copy link").wait_for()
        return page

    return opened


@pytest.fixture
def insecure(serve: Callable[[Path], str], browser: Browser) -> Iterator[Page]:
    """The page under a name for which the browser offers no clipboard: neither https nor this machine."""
    flags = [*FLAGS, f"--host-resolver-rules={NAMES}"]
    own = browser.browser_type.launch(executable_path=chromium(), args=flags)
    page = own.new_page()
    page.goto(serve(PAGE).replace("127.0.0.1", "tokenglass.test") + "/?case=plain")
    settled(page)
    assert page.evaluate("typeof navigator.clipboard") == "undefined"
    yield page
    own.close()


def test_the_address_is_in_the_clipboard(show: Open) -> None:
    page = show("?case=plain")
    page.get_by_role("button", name="Copy link").click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == page.url
    expect(page.get_by_role("button", name="Copy link")).to_be_visible()  # three seconds later


def test_an_address_of_its_own_is_relative_to_the_page(show: Open) -> None:
    page = show("?case=url")
    page.get_by_role("button", name="Copy link").click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied == page.url.replace("?case=url", "?case=plain&text=na%C3%AFve")


def test_a_text_too_long_for_the_link_is_said(show: Open) -> None:
    page = show("?case=long")
    expect(page.locator(".tg-copy-link .note")).to_have_text(TOO_LONG)
    page = show("?case=plain")
    expect(page.locator(".tg-copy-link .note")).to_be_hidden()


def test_without_a_clipboard_the_browser_copies_from_a_field(insecure: Page) -> None:
    insecure.get_by_role("button", name="Copy link").click()
    expect(insecure.get_by_role("button", name="Copied")).to_be_visible()
    expect(insecure.get_by_label("Link to this view")).to_be_hidden()


def test_where_nothing_copies_the_address_stands_selected(insecure: Page) -> None:
    insecure.evaluate("document.execCommand = () => false")  # browsers may drop this old way
    insecure.get_by_role("button", name="Copy link").click()
    field = insecure.get_by_label("Link to this view")
    expect(field).to_be_focused()
    assert field.evaluate("one => one.value.slice(one.selectionStart, one.selectionEnd)") == insecure.url
    expect(insecure.get_by_role("status").filter(has_text="The link is selected.")).to_be_attached()


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [1440, 390])
def test_it_is_accessible(show: Open, theme: Theme, width: int) -> None:
    page = show("?case=long", theme=theme, width=width)
    shot(page, f"copy-link-{theme}-{width}")
    check_accessible(page)
