"""Links: a view opened elsewhere is the same view; back and forward; what is damaged does no harm."""

from __future__ import annotations

import re
from collections.abc import Callable
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Locator, Page, expect

from explorer import links
from explorer.recipes import digest
from tests.browser.harness import Windows, settled

READY = 60_000
expect.set_options(timeout=20_000)  # ms; a first run trains two tokenizers, and the machine may be busy
CATS = "bpe~corpus:toy/cat_mat~split:whole~steps:40~tie:first"


def strip(page: Page, side: str = "first") -> Locator:
    return page.locator(f".st-key-tokenize-{side}-strip [role=application]")


def editor(page: Page) -> Locator:
    return page.get_by_label("Text", exact=True)


@pytest.fixture
def tokenize(app: str, windows: Windows) -> Callable[..., Page]:
    def open_page(query: str = "") -> Page:
        page = windows(f"{app}/{query}")
        expect(strip(page)).to_be_visible(timeout=READY)
        settled(page)
        return page

    return open_page


def query_of(page: Page, holds: str) -> str:
    """The query of the address, once it holds a part."""
    page.wait_for_function("part => location.search.includes(part)", arg=holds, timeout=READY)
    return "?" + urlsplit(page.url).query


def seen(page: Page) -> dict[str, object]:
    """All that a visitor sees of a view: text, tokens, figures, switches, choices, the pipeline."""
    return {
        "text": editor(page).input_value(),
        "tokens": [strip(page, side).all_inner_texts() for side in ("first", "second")],
        "ids": page.locator(".ids .list").all_inner_texts(),
        "figures": page.locator("[class*=-figure] .words").all_inner_texts(),
        "names": [box.input_value() for box in page.get_by_role("combobox").all()],
        "switches": [box.is_checked() for box in page.get_by_role("switch").all()],
        "way": page.locator("[class*=-way] .body").all_inner_texts(),
        "decoded": page.locator("[class*=-decoded] [role=application]").all_inner_texts(),
    }


def test_another_persons_browser_shows_the_same_view(tokenize: Callable[..., Page]) -> None:
    mine = tokenize()
    editor(mine).fill("The cat sat.\nOlá, 世界 & +=?#% المدرسة")
    expect(strip(mine, "second")).to_contain_text("世界")
    mine.get_by_text("Hidden characters", exact=True).click()
    mine.get_by_label("Ids", exact=True).fill("72 105")
    expect(mine.get_by_text("2 ids in gpt2", exact=False)).to_be_visible()
    strip(mine).locator(".tg-tok", has_text=re.compile("^Ol$")).first.click()
    expect(mine.locator(".st-key-tokenize-first-way [aria-pressed=true]")).to_have_text("Olá")
    query_of(mine, "at=")
    query_of(mine, "ids=")
    mine.get_by_role("button", name="Copy link").click()
    expect(mine.get_by_role("button", name="Copied")).to_be_visible()
    link = mine.evaluate("navigator.clipboard.readText()")
    assert link == mine.url
    before = seen(mine)

    theirs = tokenize("?" + urlsplit(link).query)
    expect(theirs.locator("[class*=-decoded] [role=application]").first).to_be_visible()
    assert seen(theirs) == before

    mine.reload()
    expect(strip(mine)).to_be_visible(timeout=READY)
    settled(mine)
    expect(mine.locator("[class*=-decoded] [role=application]").first).to_be_visible()
    assert seen(mine) == before


def test_a_trained_tokenizer_travels_as_its_recipe(tokenize: Callable[..., Page]) -> None:
    page = tokenize(f"?first={CATS}&second=none&text={links.pack('The cat sat on the mat.')}")
    expect(page.locator(".st-key-tokenize-first-figure .number")).to_have_text("3")
    assert query_of(page, "first=") == f"?text={links.pack('The cat sat on the mat.')}&first={CATS}&second=none"


def test_a_corpus_of_ones_own_travels_too(tokenize: Callable[..., Page]) -> None:
    corpus = "low low lower lowest"
    name = digest(corpus)
    code = f"bpe~corpus:text.{name}~steps:4"
    page = tokenize(f"?first={code}&t.{name}={links.pack(corpus)}&text={links.pack('low')}")
    expect(page.locator(".st-key-tokenize-first-figure .number")).to_have_text("1")
    assert f"t.{name}=" in query_of(page, "t.")


def test_back_and_forward_lead_from_decision_to_decision(tokenize: Callable[..., Page]) -> None:
    page = tokenize()
    editor(page).fill("typed by hand")
    expect(strip(page)).to_have_text("typed by hand")
    query_of(page, "text=")
    page.get_by_text("Pieces as bytes", exact=False).click()
    query_of(page, "letters=on")
    page.get_by_text("Hidden characters", exact=True).click()
    query_of(page, "marks=off")

    page.go_back()
    expect(page.get_by_role("switch", name="Hidden characters")).to_be_checked()
    expect(page.get_by_role("switch", name="Pieces as bytes", exact=False)).to_be_checked()
    assert "marks=off" not in page.url
    page.go_back()
    expect(page.get_by_role("switch", name="Pieces as bytes", exact=False)).not_to_be_checked()
    expect(editor(page)).to_have_value("typed by hand")
    page.go_forward()
    expect(page.get_by_role("switch", name="Pieces as bytes", exact=False)).to_be_checked()
    expect(strip(page)).to_have_text("typed by hand")


def test_typing_adds_nothing_to_the_history(tokenize: Callable[..., Page]) -> None:
    page = tokenize()
    before = page.evaluate("history.length")
    editor(page).press("Control+End")
    editor(page).press_sequentially(" and so on", delay=30)
    query_of(page, "text=")
    assert page.evaluate("history.length") == before


def test_a_view_survives_a_walk_to_another_page(tokenize: Callable[..., Page]) -> None:
    page = tokenize()
    editor(page).fill("still here")
    query_of(page, "text=")
    page.get_by_text("Pieces as bytes", exact=False).click()
    query_of(page, "letters=on")
    page.get_by_role("link", name="Languages").click()
    page.get_by_role("heading", level=1, name="Languages").wait_for(timeout=READY)
    page.get_by_role("link", name="Tokenize").click()
    expect(editor(page)).to_have_value("still here", timeout=READY)
    expect(page.get_by_role("switch", name="Pieces as bytes", exact=False)).to_be_checked()
    assert "letters=on" in query_of(page, "text=")


@pytest.mark.parametrize(
    "query",
    [
        "?text=%25%25%25",
        "?first=bpe~corpus:..%2F..%2Fetc%2Fpasswd~steps:5",
        "?second=%3Cscript%3Edocument.title%3D%27owned%27%3C%2Fscript%3E",
        "?marks=%3Cimg%20src%3Dx%20onerror%3Dalert(1)%3E",
        "?first=!%5Bx%5D(http%3A%2F%2Fexample.invalid%2Fx.png)",
        "?at=1e99&ids=AAAA",
        "?text=" + "A" * 4000,
        "?first=bpe~corpus:toy%2Fcat_mat~split:pattern%253A(a%252B)%252B(",
    ],
)
def test_a_damaged_or_hostile_link_gives_the_default_and_a_word(tokenize: Callable[..., Page], query: str) -> None:
    page = tokenize(query)
    expect(page.get_by_text("could not be read, so the default stands", exact=False).first).to_be_visible()
    expect(strip(page)).to_contain_text("unhappiness")
    assert page.title() == "Tokenize · Tokenglass"  # no script of the link has changed it
    assert page.locator("[data-testid=stAlert] :is(img, script, a)").count() == 0
    assert page.locator("[data-testid=stException]").count() == 0
