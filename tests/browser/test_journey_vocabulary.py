"""Vocabulary in a real browser: 200,000 pieces scroll, sort and are found; pictures without faults."""

from __future__ import annotations

from playwright.sync_api import Locator, Page, expect

from tests.browser.harness import Windows, check_accessible, settled, shot, sizes

expect.set_options(timeout=20_000)  # ms; the first plotly chart takes seconds, and the machine may be busy
READY = 60_000


def table(page: Page) -> Locator:
    return page.locator(".st-key-vocabulary-table .scroll")


def opened(app: str, windows: Windows, query: str = "", **options: object) -> Page:
    page = windows(f"{app}/vocabulary{query}", **options)
    expect(table(page).locator("tbody tr").first).to_be_visible(timeout=READY)
    settled(page)
    return page


def test_pictures_without_faults(app: str, windows: Windows) -> None:
    page = opened(app, windows)
    for section in ("Audit", "What vocabularies have in common"):
        page.locator("summary", has_text=section).click()
        settled(page)
    expect(page.get_by_text("both: gpt2, o200k_base")).to_be_visible(timeout=READY)
    expect(page.get_by_text("unreachable: pieces that are text")).to_be_visible(timeout=READY)
    page.wait_for_function("['audit=on', 'overlap=on'].every(part => location.search.includes(part))")
    expect(page.locator(".st-key-vocabulary-regions tbody a").first).to_have_attribute("target", "_blank")
    for size in sizes(page):
        expect(page.locator(".js-plotly-plot")).to_have_count(3)
        shot(page, f"vocabulary-{size}", whole=True)
        check_accessible(page)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_two_hundred_thousand_rows_scroll(app: str, windows: Windows) -> None:
    page = opened(app, windows, "?code=o200k_base")
    expect(table(page).locator("table")).to_have_attribute("aria-rowcount", "200001")
    assert table(page).locator("tbody tr:not([aria-hidden])").count() == 300
    for part in (0.5, 1.0, 0.25):
        table(page).evaluate("(box, part) => { box.scrollTop = part * (box.scrollHeight - box.clientHeight) }", part)
        row = round(part * 199_984) + 2
        expect(table(page).locator(f"tr[aria-rowindex='{row + 4}']")).to_be_visible()
        assert table(page).locator("tbody tr:not([aria-hidden])").count() <= 300
    page.keyboard.press("Escape")


def test_sort_and_search_begin_at_the_top(app: str, windows: Windows) -> None:
    page = opened(app, windows)
    table(page).evaluate("box => { box.scrollTop = 400000 }")
    expect(table(page).locator("tr[aria-rowindex='11770']")).to_be_visible()
    table(page).get_by_role("button", name="count in corpus").click()
    expect(table(page).locator("th.number[aria-sort=descending]")).to_have_text("count in corpus")
    expect(table(page).locator("tr[aria-rowindex='2']")).to_be_visible()
    page.wait_for_function("location.search.includes('sort=count')")
    field = page.get_by_role("textbox", name="Search")
    field.fill("^ whale")
    page.get_by_role("radio", name="regex").click()
    expect(table(page).locator("tbody a").first).to_have_text("·whale")
    link = table(page).locator("tbody a").first.get_attribute("href")
    assert link is not None
    assert link.startswith("token?tokenizer=gpt2&corpus=prose/en_moby_dick_1851&id=")


def test_the_file_holds_every_row_that_is_listed(app: str, windows: Windows) -> None:
    page = opened(app, windows, "?search=20%2077%2068&how=hex")
    rows = int(table(page).locator("table").get_attribute("aria-rowcount") or 0) - 1
    with page.expect_download() as download:
        page.get_by_role("button", name="Download CSV").first.click()
    lines = download.value.path().read_text("utf-8").splitlines()
    assert lines[0].startswith("id,")
    assert len(lines) == rows + 1
