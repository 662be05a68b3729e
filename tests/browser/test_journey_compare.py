"""Compare in a real browser: what is marked, the walk from disagreement to disagreement, links, pictures."""

from __future__ import annotations

from playwright.sync_api import Locator, Page, expect

from explorer import links
from tests.browser.harness import Windows, check_accessible, settled, shot, sizes

expect.set_options(timeout=20_000)  # ms; a first run trains a tokenizer, and the machine may be busy
READY = 60_000
WORDS = links.pack("The unhappiness of it.\nالمدرسة")


def strip(page: Page, place: str) -> Locator:
    return page.locator(f".st-key-compare-{place}-strip [role=application]")


def opened(app: str, windows: Windows, query: str = "", **options: object) -> Page:
    page = windows(f"{app}/compare{query}", **options)
    expect(strip(page, "second")).to_be_visible(timeout=READY)
    settled(page)
    return page


def pinned(page: Page, place: str) -> str:
    return "".join(strip(page, place).locator(".tg-pin").all_inner_texts())


def test_pictures_without_faults(app: str, windows: Windows) -> None:
    page = opened(app, windows)
    page.get_by_role("button", name="Next disagreement").click()
    expect(page.locator(".st-key-compare-walker .where")).to_contain_text("1 of")
    for size in sizes(page):
        shot(page, f"compare-{size}", whole=True)
        check_accessible(page)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_a_kept_token_is_told_whole_in_a_narrow_column(app: str, windows: Windows) -> None:
    page = opened(app, windows)
    strip(page, "first").locator(".tg-tok").nth(4).click()
    facts = page.locator("[class*=-strip] .read[data-pinned] dd")
    expect(facts).to_have_count(9)
    expect(facts.first).to_contain_text("bytes 9 to 12")
    assert facts.evaluate_all("facts => facts.every(fact => fact.scrollWidth <= fact.clientWidth)")


def test_large_leaves_a_low_window_to_the_strips(app: str, windows: Windows) -> None:
    page = opened(app, windows, "?large=on", width=1280, height=720)
    for figure in page.locator("[class*=-figure] .row").all():  # once the facts stood a word a line beside the number
        assert figure.evaluate("row => row.offsetHeight") < 200
    strip(page, "first").locator(".tg-tok").first.hover()
    readout = page.locator(".st-key-compare-first-strip .read")
    expect(readout).to_contain_text("token 1 of")
    assert readout.evaluate("read => read.offsetHeight") < 80


def test_the_next_disagreement_by_button_and_by_key(app: str, windows: Windows) -> None:
    page = opened(app, windows, f"?first=gpt2&second=bert-base-uncased&third=o200k_base&text={WORDS}")
    where = page.locator(".st-key-compare-walker .where")
    page.get_by_role("button", name="Next disagreement").click()
    expect(where).to_contain_text("1 of")
    first = {place: pinned(page, place) for place in ("first", "second", "third")}
    assert len({text.strip() for text in first.values()}) == 1
    strip(page, "first").focus()
    page.keyboard.press("n")
    expect(where).to_contain_text("2 of")
    page.keyboard.press("p")
    expect(where).to_contain_text("1 of")
    assert {place: pinned(page, place) for place in ("first", "second", "third")} == first
    page.keyboard.press("p")  # past the first it goes on from the last
    last = where.inner_text().split(" ·")[0].split(" of ")
    assert last[0] == last[1]
    expect(page.locator(".st-key-compare-first-way [aria-pressed=true]")).to_contain_text("ا", timeout=READY)


def test_keys_do_nothing_where_somebody_types(app: str, windows: Windows) -> None:
    page = opened(app, windows, f"?first=gpt2&second=bert-base-uncased&third=none&text={WORDS}")
    editor = page.get_by_label("Text", exact=True)
    editor.press("Control+End")
    editor.press_sequentially(" np")
    expect(editor).to_have_value("The unhappiness of it.\nالمدرسة np")
    expect(page.locator(".st-key-compare-walker .where")).to_have_text("")


def test_marks_are_shapes_and_stand_where_readings_differ(app: str, windows: Windows) -> None:
    text = links.pack("unhappiness")
    page = opened(app, windows, f"?first=gpt2&second=o200k_base&third=bert-base-uncased&text={text}")
    cells = {place: strip(page, place).locator(".tg-tok").all_inner_texts() for place in ("first", "second", "third")}
    own = strip(page, "second").locator(".tg-own")
    assert cells["first"] != cells["third"]
    expect(own.first).to_be_visible()
    assert (
        strip(page, "third").locator(".tg-others").first.evaluate("el => getComputedStyle(el).textDecorationStyle")
        == "dotted"
    )
    assert own.first.evaluate("el => getComputedStyle(el).boxShadow").count("rgb(20, 23, 28)") == 1


def test_pointing_lights_the_same_bytes_in_all(app: str, windows: Windows) -> None:
    page = opened(app, windows, f"?first=gpt2&second=bert-base-uncased&third=o200k_base&text={WORDS}")
    tops = {round((strip(page, place).bounding_box() or {})["y"]) for place in ("first", "second", "third")}
    assert len(tops) == 1  # whatever is said above each of them
    strip(page, "first").locator(".tg-tok", has_text=" of").hover()
    for place in ("first", "second", "third"):
        expect(strip(page, place).locator(".tg-hot").last).to_contain_text("of")


def test_a_link_shows_the_same_view(app: str, windows: Windows) -> None:
    mine = opened(app, windows, f"?first=gpt2&second=clip&third=none&text={WORDS}")
    mine.get_by_role("button", name="Add a tokenizer").click()
    expect(strip(mine, "third")).to_be_visible()
    mine.get_by_role("textbox", name="Price of a million tokens").fill("2.50")
    mine.get_by_role("textbox", name="Price of a million tokens").press("Enter")
    mine.wait_for_function("location.search.includes('price=2.50') && location.search.includes('third=')")
    theirs = opened(app, windows, mine.url.removeprefix(f"{app}/compare"))
    expect(strip(theirs, "third")).to_be_visible()
    expect(theirs.get_by_role("textbox", name="Price of a million tokens")).to_have_value("2.50")
    for place in ("first", "second", "third"):
        assert strip(theirs, place).inner_text() == strip(mine, place).inner_text()


def test_the_approaches_open_train_and_sort(app: str, windows: Windows) -> None:
    page = opened(app, windows, f"?first=gpt2&second=clip&third=none&size=500&text={WORDS}")
    page.locator("summary", has_text="From words to bytes").click()
    table = page.locator(".st-key-compare-approach-table table")
    expect(table.locator("tbody tr")).to_have_count(6, timeout=READY)
    settled(page)
    shot(page, "compare-approaches", whole=True)
    check_accessible(page)
    table.get_by_role("button", name="tokens").click()
    numbers = [int(text) for text in table.locator("tbody tr td:nth-child(3)").all_inner_texts()]
    assert numbers == sorted(numbers, reverse=True)
    table.get_by_role("button", name="tokens").press("Enter")
    numbers = [int(text) for text in table.locator("tbody tr td:nth-child(3)").all_inner_texts()]
    assert numbers == sorted(numbers)
    assert table.locator(".tg-unk").count() > 0
