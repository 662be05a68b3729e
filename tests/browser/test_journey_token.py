"""The card of a token in a real browser: from a strip and from a list, its tree, pictures without faults."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

import engine
from explorer import links
from tests.browser.harness import Windows, check_accessible, settled, shot, sizes

expect.set_options(timeout=20_000)  # ms; a first visit reads with every tokenizer, and the machine may be busy
READY = 60_000


def opened(app: str, windows: Windows, query: str, **options: object) -> Page:
    page = windows(f"{app}/{query}", **options)
    expect(page.locator(".st-key-token-elsewhere tbody tr").first).to_be_visible(timeout=READY)
    settled(page)
    return page


def test_pictures_without_faults(app: str, windows: Windows) -> None:
    (id,) = engine.pretrained("gpt2").encode(" whale").ids.tolist()
    page = opened(app, windows, f"token?tokenizer=gpt2&id={id}")
    expect(page.locator(".st-key-token-tree li").first).to_be_visible()
    for size in sizes(page):
        shot(page, f"token-{size}", whole=True)
        check_accessible(page)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_right_to_left_and_partial(app: str, windows: Windows) -> None:
    o200k = engine.pretrained("o200k_base")
    (word,) = o200k.encode(" المدينة").ids.tolist()[:1]
    page = opened(app, windows, f"token?tokenizer=o200k_base&id={word}")
    shot(page, "token-arabic", whole=True)
    check_accessible(page)
    part = next(id for id in range(1_000, 200_000) if _is_part(o200k.vocabulary[id]))
    page = opened(app, windows, f"token?tokenizer=o200k_base&id={part}")
    expect(page.get_by_text("no valid UTF-8 alone")).to_be_visible()
    shot(page, "token-partial", whole=True)


def _is_part(piece: bytes) -> bool:
    return "\ufffd" in piece.decode("utf-8", "replace")


@pytest.mark.parametrize(("path", "place"), [("compare", "compare-first-strip"), ("", "tokenize-first-strip")])
def test_a_chosen_token_leads_to_its_card(app: str, windows: Windows, path: str, place: str) -> None:
    page = windows(f"{app}/{path}?first=gpt2&second=clip&third=none&text={links.pack('The white whale.')}")
    strip = page.locator(f".st-key-{place} [role=application]")
    expect(strip).to_be_visible(timeout=READY)
    cell = strip.locator(".tg-tok", has_text="whale")
    read = page.locator(f".st-key-{place} .read")
    cell.hover()
    expect(read.get_by_role("link")).to_have_count(0)
    cell.click()
    link = read.get_by_role("link", name=re.compile("Card of token"))
    expect(link).to_be_visible()
    settled(page)
    expect(strip.locator(".tg-pin")).to_have_text(" whale")
    with page.context.expect_page() as card:
        link.click()
    expect(card.value.get_by_role("heading", level=1, name="Token")).to_be_visible(timeout=READY)
    expect(card.value.locator(".st-key-token-card .tg-chip")).to_have_text("·whale")
    assert "/token?" in card.value.url
    expect(strip.locator(".tg-pin")).to_have_text(" whale")  # the view that was left is as it was
    link.press("Escape")
    expect(strip.locator(".tg-pin")).to_have_count(0)


def test_a_branch_of_the_tree_leads_to_its_own_card(app: str, windows: Windows) -> None:
    (id,) = engine.pretrained("gpt2").encode(" whale").ids.tolist()
    page = opened(app, windows, f"token?tokenizer=gpt2&id={id}")
    page.locator(".st-key-token-tree li li a").first.click()
    expect(page.locator(".st-key-token-card .tg-chip")).not_to_have_text("·whale", timeout=READY)
    assert f"id={id}" not in page.url


def test_the_step_of_a_training_leads_to_its_piece(app: str, windows: Windows) -> None:
    page = windows(f"{app}/train?recipe=bpe~corpus:toy/cat_mat~split:whole~steps:10~tie:first&step=3")
    link = page.get_by_role("link", name="Card of piece 258, in a new tab")
    expect(link).to_be_visible(timeout=READY)
    settled(page)
    assert (link.get_attribute("href") or "").endswith("~tie:first&id=258")
    assert link.evaluate("el => new URL(el.href).pathname") == "/token"
