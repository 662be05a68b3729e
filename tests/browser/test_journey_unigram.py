"""Unigram in Chromium: trained, scrubbed by keys, its lattice follows the typed text; three algorithms side by side."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from explorer.links import pack
from tests.browser.harness import Theme, Windows, check_accessible, looks, settled, shot

READY = 60_000
expect.set_options(timeout=20_000)  # ms; the machine may be busy
CODE = "unigram~corpus:prose/en_moby_dick_1851~split:dummy-prefix~size:600"


@pytest.fixture
def train(app: str, windows: Windows) -> Callable[..., Page]:
    def open_page(query: str = "", theme: Theme = "light", width: int = 1440) -> Page:
        page = windows(f"{app}/train{query}", theme=theme, width=width, height=1080 if width == 1920 else 900)
        expect(page.locator(".mp-where")).to_be_visible(timeout=READY)
        settled(page)
        return page

    return open_page


@pytest.fixture
def families(app: str, windows: Windows) -> Callable[..., Page]:
    def open_page(query: str = "", theme: Theme = "light", width: int = 1440) -> Page:
        page = windows(f"{app}/families{query}", theme=theme, width=width, height=1080 if width == 1920 else 900)
        expect(page.locator(".tg-piece-rows dd")).to_have_count(3, timeout=READY)
        settled(page)
        return page

    return open_page


def test_unigram_is_trained_scrubbed_by_keys_and_its_lattice_follows_the_text(train: Callable[..., Page]) -> None:
    page = train("?recipe=bpe~corpus:prose/en_moby_dick_1851~size:700")
    page.get_by_role("button", name="Change recipe", exact=True).click()
    page.get_by_role("radio", name="SentencePiece (Unigram)", exact=True).click()
    expect(page.get_by_text("Unigram over words that begin with")).to_be_visible()
    page.get_by_role("button", name="Train", exact=True).click()
    where = page.locator(".mp-where")
    expect(where).to_have_text(re.compile(r"^Round (\d+) of \1$"), timeout=READY)
    expect(page.locator(".js-plotly-plot")).to_have_count(3, timeout=READY)
    page.get_by_role("slider", name="Round").focus()
    page.keyboard.press("Home")
    expect(where).to_have_text(re.compile("^Round 0 of "))
    expect(page.get_by_role("heading", name="Lattice of the word with the seed pieces")).to_be_visible()
    page.keyboard.press("Shift+ArrowRight")
    page.keyboard.press("Shift+ArrowRight")
    expect(where).to_have_text(re.compile("^Round 2 of "))
    expect(page.locator(".mp-round")).to_contain_text("stay.")
    expect(page.get_by_role("heading", name="Pieces, round 2")).to_be_visible()
    page.wait_for_url("**step=2**")
    page.get_by_role("button", name="Change passage", exact=True).click()
    page.get_by_label("Passage to play").fill("whales wondering")
    expect(page.locator(".la-letter")).to_have_text(list("\u2581whales"))
    page.locator(".mp-unit", has_text="ing").last.click()
    expect(page.locator(".la-letter")).to_have_text(list("\u2581wondering"))
    with page.expect_download() as coming:
        page.get_by_role("button", name="Download CSV").first.click()
    assert coming.value.suggested_filename == "round-2-go.csv"


def test_the_textbook_version_of_unigram_is_a_click_away(train: Callable[..., Page]) -> None:
    page = train(f"?recipe={CODE}")
    page.get_by_role("button", name="Textbook version").click()
    expect(page.get_by_role("dialog")).to_contain_text("def train_unigram")


def test_the_switch_leads_to_all_three_side_by_side(train: Callable[..., Page]) -> None:
    page = train(f"?recipe=bpe~corpus:toy/cat_mat~split:bert~size:300&passage={pack('The cat sat on the log.')}")
    page.get_by_role("radio", name="WordPiece", exact=True).click()
    expect(page.locator(".mp-words")).to_contain_text("Longest match")
    page.get_by_role("radio", name="Unigram", exact=True).click()
    expect(page.locator(".la-letter").first).to_be_visible()
    page.get_by_role("button", name="Side by side").click()
    expect(page.get_by_role("heading", name="Families")).to_be_visible()
    expect(page.locator(".tg-piece-rows dd")).to_have_count(3, timeout=READY)
    expect(page.get_by_label("Text", exact=True)).to_have_value("The cat sat on the log.")
    page.get_by_label("Text", exact=True).fill("The dog ate the rat.")
    expect(page.locator(".tg-token-strip").first).to_contain_text("dog")
    page.wait_for_url("**text=**")


def test_the_round_view_is_accessible_and_pictured(train: Callable[..., Page]) -> None:
    page = train(f"?recipe={CODE}&step=2&word=2")
    expect(page.locator(".js-plotly-plot")).to_have_count(3, timeout=READY)
    expect(page.locator(".la-letter").first).to_be_visible()
    for theme, width in looks(page, (1440, 390)):
        shot(page, f"rounds-{theme}-{width}", whole=True)
        check_accessible(page)
        box = page.locator("body").evaluate("body => [body.scrollWidth, innerWidth]")
        assert box[0] <= box[1], "nothing runs out of the page at the side"


@pytest.mark.parametrize("large", [False, True])
def test_families_is_accessible_and_pictured(families: Callable[..., Page], large: bool) -> None:
    page = families("?large=on" if large else "")
    for row in page.locator(".tg-piece-rows dd").all():  # what is said of a row of pieces stands below it
        last, note = row.locator(".tg-chip").last.bounding_box(), row.locator(".note").bounding_box()
        assert last is not None
        assert note is not None
        assert note["y"] >= last["y"] + last["height"] - 1
    for theme, width in looks(page, (1440,) if large else (1440, 390)):
        shot(page, f"families-{theme}-{width}{'-large' if large else ''}", whole=True)
        check_accessible(page)
        box = page.locator("body").evaluate("body => [body.scrollWidth, innerWidth]")
        assert box[0] <= box[1], "nothing runs out of the page at the side"
