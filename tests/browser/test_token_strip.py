"""The token strip in a real browser: what it lights, how it is walked, and that it never harms the text."""

from __future__ import annotations

import re
from collections.abc import Callable
from io import BytesIO
from itertools import pairwise
from pathlib import Path

import pytest
from PIL import Image, ImageChops
from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser.harness import Windows, check_accessible, looks, settled
from tests.browser.strip_pages import TEXTS

PAGE = Path(__file__).parent / "strip_pages.py"


@pytest.fixture
def open_case(serve: Callable[[Path], str], windows: Windows) -> Callable[..., Page]:
    """Open a case of the page; further arguments go to the window."""

    def open_window(case: str, **options: object) -> Page:
        page = windows(f"{serve(PAGE)}/?case={case}", **options)
        settled(page)
        return page

    return open_window


def strip(page: Page, name: str) -> Locator:
    """The text box of the strip called `name`."""
    return page.get_by_role("application", name=f"Tokens of {name}.")


def lit(box: Locator) -> list[str]:
    """The texts of the cells that have the needle's ring."""
    return box.locator(".tg-hot").all_inner_texts()


def readout(page: Page, name: str) -> Locator:
    """The readout under the strip called `name`."""
    return strip(page, name).locator("xpath=following-sibling::div[contains(@class, 'read')]")


def ringed_ids(page: Page, name: str) -> list[str]:
    """The ids that are ringed in the list under the strip called `name`."""
    return (
        strip(page, name)
        .locator("xpath=following-sibling::div[contains(@class, 'ids')]//*[@class='on']")
        .all_inner_texts()
    )


def test_pointing_lights_the_same_bytes_in_both_strips(open_case: Callable[..., Page]) -> None:
    page = open_case("scripts")
    strip(page, "words").locator(".tg-tok", has_text="café").hover()
    expect(readout(page, "words")).to_contain_text("token 2 of")
    expect(readout(page, "words")).to_contain_text("bytes 3 to 9")
    expect(readout(page, "words")).to_contain_text("20 63 61 66 C3 A9")
    assert lit(strip(page, "words")) == [" café"]
    # Bytes 3..9 in pairs: "e " holds byte 3, then "ca", then "f" and half of é, the other half and a space.
    assert lit(strip(page, "pairs")) == ["e ", "ca", "f", "é"]
    expect(readout(page, "pairs")).to_contain_text("tokens 2 to 5 of")
    assert ringed_ids(page, "words") == ["1001"]
    assert ringed_ids(page, "pairs") == ["1001", "1002", "1003", "1004"]
    page.mouse.move(5, 5)
    expect(readout(page, "words")).to_have_text("Point at a token, or walk with the arrow keys.")
    assert lit(strip(page, "pairs")) == []


def test_a_cut_character_shows_one_tooth_a_token(open_case: Callable[..., Page]) -> None:
    page = open_case("scripts")
    cell = strip(page, "pairs").locator(".tg-split", has_text="é").first
    assert cell.inner_text() == "é"
    assert cell.evaluate("el => el.style.getPropertyValue('--tg-teeth').match(/--tg-t[0-7]/g).length") == 2
    cell.hover()
    expect(readout(page, "pairs")).to_contain_text("tokens 4 to 5 of")
    expect(readout(page, "pairs").locator(".chips .tg-chip")).to_have_text(["66 C3", "A9 20"])
    expect(readout(page, "pairs")).to_contain_text("U+00E9")


def test_arrow_keys_walk_tokens_and_with_shift_bytes(open_case: Callable[..., Page]) -> None:
    page = open_case("scripts")
    box = strip(page, "words")
    page.keyboard.press("Tab")
    while not box.evaluate("el => el.matches(':focus')"):
        page.keyboard.press("Tab")
    assert lit(box) == ["The"]
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    assert lit(box) == [" opens"]
    expect(readout(page, "words")).to_contain_text("token 3 of")
    page.keyboard.press("ArrowLeft")
    assert lit(box) == [" café"]
    for _ in range(3):
        page.keyboard.press("Shift+ArrowRight")
    expect(readout(page, "words")).to_contain_text("byte 5")
    expect(readout(page, "words").locator(".here")).to_have_text("61")
    assert lit(strip(page, "pairs")) == ["ca"]
    live = box.locator("xpath=following-sibling::div[@aria-live='polite']")
    expect(live).to_contain_text("café, id 1,001")
    page.keyboard.press("Home")
    page.keyboard.press("ArrowDown")
    expect(box.locator(".tg-line").nth(1).locator(".tg-hot")).to_have_count(1)


def test_arrows_follow_the_direction_of_the_line(open_case: Callable[..., Page]) -> None:
    page = open_case("scripts")
    box = strip(page, "words")
    box.locator(".tg-tok", has_text="المدرسة").click()
    expect(page.get_by_text(re.compile(r"^chosen \(26, 40\)"))).to_be_visible()
    page.keyboard.press("ArrowLeft")
    assert lit(box) == [" في"]
    page.keyboard.press("ArrowRight")
    assert lit(box) == ["المدرسة"]


def test_enter_keeps_a_token_for_the_whole_group_and_escape_frees_it(open_case: Callable[..., Page]) -> None:
    page = open_case("scripts")
    expect(page.get_by_text("run 1", exact=True)).to_be_visible()  # nothing is sent at mount
    box = strip(page, "words")
    box.focus()
    page.keyboard.press("Home")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    expect(page.get_by_text("chosen (3, 9) (3, 9)")).to_be_visible()
    assert box.locator(".tg-pin").all_inner_texts() == [" café"]
    strip(page, "words").locator(".tg-tok", has_text="opens").hover()
    expect(readout(page, "words")).to_contain_text("token 2 of")  # the readout is pinned
    assert lit(box) == [" opens"]
    page.keyboard.press("Escape")
    expect(page.get_by_text("chosen None None")).to_be_visible()
    assert box.locator(".tg-pin").count() == 0


def test_an_id_in_the_list_leads_to_its_token(open_case: Callable[..., Page]) -> None:
    page = open_case("scripts")
    ids = page.get_by_label("Ids of the tokens").first
    ids.get_by_text("1002", exact=True).hover()
    assert lit(strip(page, "words")) == [" opens"]
    ids.get_by_text("1002", exact=True).click()
    expect(page.get_by_text("chosen (9, 15) (9, 15)")).to_be_visible()
    page.get_by_role("button", name="Copy").first.click()
    expect(page.get_by_role("button", name="Copied").first).to_be_visible()
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied.split()[:4] == ["1000", "1001", "1002", "1003"]
    assert len(copied.split()) == ids.locator("span").count()


@pytest.mark.parametrize("case", list(TEXTS))
def test_the_text_of_the_dom_is_the_text(open_case: Callable[..., Page], case: str) -> None:
    page = open_case(case)
    for name in ("words", "pairs"):
        lines = strip(page, name).evaluate(
            "el => Array.from(el.querySelectorAll('.tg-line'), line => line.textContent)"
        )
        assert "".join(lines) == TEXTS[case]
        assert all(line.endswith("\n") for line in lines[:-1])


def test_hostile_text_stays_text(open_case: Callable[..., Page]) -> None:
    page = open_case("hostile")
    strip(page, "words").locator(".tg-tok", has_text="<script>").hover()
    expect(readout(page, "words").locator(".piece")).to_have_text("<script>window.hurt")
    assert page.evaluate("window.hurt") is None
    assert strip(page, "words").locator("script, img").count() == 0
    assert readout(page, "words").locator("script, img").count() == 0
    names = strip(page, "words").locator("[data-m]").evaluate_all("els => els.map(el => el.dataset.m)")
    assert names == ["NUL", "ZWSP", "SHY", "BEL", "BOM"]


def test_copying_gives_the_text(open_case: Callable[..., Page]) -> None:
    page = open_case("scripts")
    strip(page, "pairs").evaluate(
        """box => {
          const lines = box.querySelectorAll(".tg-line"), last = lines[lines.length - 1]
          box.focus()
          getSelection().setBaseAndExtent(lines[0], 0, last, last.childNodes.length)
        }"""
    )
    page.keyboard.press("Control+c")
    assert page.evaluate("navigator.clipboard.readText()") == TEXTS["scripts"]


BARE = """(box, change) => {
  const style = document.createElement("style")
  style.textContent =
    ".tg-tok { background: none !important; box-shadow: none !important } .tg-padded { padding-inline: 1px }"
  box.getRootNode().append(style)
  box.parentElement.classList.add("tg-nomarks")
  for (const line of box.querySelectorAll(".tg-line")) {
    if (change === "text") line.textContent = line.textContent
    line.querySelectorAll(".tg-tok").forEach(el => el.classList.toggle("tg-padded", change === "padding"))
  }
}"""


def pictures(box: Locator) -> list[Image.Image]:
    """One picture of each line, in grey."""
    lines = box.locator(".tg-line")
    return [Image.open(BytesIO(lines.nth(i).screenshot())).convert("L") for i in range(lines.count())]


def harm(one: Image.Image, other: Image.Image) -> int:
    """Count the pixels that differ by more than 96 of 255: a run of its own may move a glyph by 1/64 px, no more."""
    return sum(ImageChops.difference(one, other).histogram()[97:])


@pytest.mark.parametrize("name", ["words", "pairs"])
def test_every_script_keeps_its_shape(open_case: Callable[..., Page], name: str) -> None:
    page = open_case("scripts")
    box = strip(page, name)
    expect(box.locator(".tg-line")).to_have_count(5)
    page.evaluate("document.fonts.ready")
    taken = {}
    for change in ("none", "padding", "text"):
        box.evaluate(BARE, change)
        taken[change] = pictures(box)
    for drawn, padded, bare in zip(taken["none"], taken["padding"], taken["text"], strict=True):
        assert harm(drawn, bare) == 0
        assert harm(padded, bare) > 100  # the comparison can see a harmed line


def test_neighbors_never_share_a_tier(open_case: Callable[..., Page]) -> None:
    page = open_case("scripts")
    for name in ("words", "pairs"):
        lines = strip(page, name).locator(".tg-line")
        slots = lines.evaluate_all(
            """lines => lines.map(line => line.tgCells.map(({ first, last, el }) => first === last
              ? [first, +el.dataset.s] : null))"""
        )
        pairs = [pair for line in slots for pair in pairwise(line) if None not in pair and pair[0][0] + 1 == pair[1][0]]
        assert pairs
        assert all(one[1] & 3 != other[1] & 3 for one, other in pairs)


def test_odd_tokens_are_told_apart(open_case: Callable[..., Page]) -> None:
    page = open_case("odd")
    box = strip(page, "odd")
    assert box.locator(".tg-special").all_inner_texts() == ["<s>"]
    assert box.locator(".tg-unk").all_inner_texts() == ["xyz"]
    assert box.locator(".tg-gap").evaluate_all("els => els.map(el => el.textContent)") == [" ", " "]
    assert "rgba(0, 0, 0, 0)" in box.locator(".tg-gap").first.evaluate("el => getComputedStyle(el).backgroundColor")
    box.locator(".tg-tail").hover()  # the end-of-word token has no width and joins the cell before it
    expect(readout(page, "odd")).to_contain_text("1001 1002")
    box.locator(".tg-split").hover()  # two tokens of one normalized character
    expect(readout(page, "odd")).to_contain_text("tokens 5 to 6 of 7 · bytes 10 to 13")
    expect(readout(page, "odd").locator(".chips .tg-chip")).to_have_text(["C3", "A9"])
    box.focus()
    page.keyboard.press("Home")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    expect(readout(page, "odd")).to_contain_text("token 3 of 7 · no bytes, at 6")
    page.keyboard.press("End")
    expect(readout(page, "odd")).to_contain_text("1,006 · unknown · token 7 of 7")


def test_empty_text_says_so(open_case: Callable[..., Page]) -> None:
    page = open_case("empty")
    expect(readout(page, "words")).to_have_text("No tokens: the text is empty.")
    strip(page, "words").focus()
    page.keyboard.press("ArrowRight")
    expect(readout(page, "words")).to_have_text("No tokens: the text is empty.")


@pytest.mark.parametrize("lines", ["", "&lines=1"], ids=["one line", "many lines"])
def test_a_hundred_thousand_tokens_open_at_once(open_case: Callable[..., Page], lines: str) -> None:
    page = open_case(f"large{lines}")
    box = strip(page, "bytes")
    expect(box.locator(".tg-tok").first).to_be_visible()
    spent = page.evaluate("performance.getEntriesByName('token_strip update').map(entry => entry.duration)")
    assert min(spent) < 1500  # ms; spans for all tokens take several times as long
    assert box.locator(".tg-tok").count() < 8000
    box.focus()
    page.keyboard.press("End")
    expect(readout(page, "bytes")).to_contain_text("token 100,000 of 100,000")
    expect(box.locator(".tg-hot")).to_be_in_viewport()
    page.keyboard.press("Home")
    expect(readout(page, "bytes")).to_contain_text("token 1 of 100,000")
    expect(box.locator(".tg-hot")).to_be_in_viewport()


def test_scrolling_brings_the_lines(open_case: Callable[..., Page]) -> None:
    page = open_case("large")
    box = strip(page, "bytes")
    box.evaluate("el => { el.scrollTop = el.scrollHeight / 2 }")
    page.wait_for_timeout(500)
    middle = box.evaluate(
        """el => {
          const rect = el.getBoundingClientRect()
          const middle = el.getRootNode().elementFromPoint(rect.left + 60, rect.top + rect.height / 2)
          return middle.closest(".tg-line")?.textContent
        }"""
    )
    assert middle is not None
    assert "quick brown fox" in middle
    assert box.locator(".tg-tok").count() < 12_000


def test_new_text_keeps_the_scroll_and_the_choice(open_case: Callable[..., Page]) -> None:
    page = open_case("live")
    field = page.get_by_label("Text", exact=True)
    field.fill("first words here\n" + "filler words for a long text\n" * 400)
    box = strip(page, "words")
    expect(box.locator(".tg-tok").first).to_have_text("first")
    box.locator(".tg-tok", has_text="here").click()
    expect(page.get_by_text("chosen (11, 16) (11, 16)")).to_be_visible()
    box.evaluate("el => { el.scrollTop = 3000 }")
    field.press("Control+End")
    field.press_sequentially("z")
    expect(page.get_by_text("11618 characters")).to_be_visible()
    settled(page)
    assert box.evaluate("el => el.scrollTop") == 3000
    assert field.evaluate("el => el.matches(':focus')")
    box.evaluate("el => { el.scrollTop = 0 }")
    expect(box.locator(".tg-pin")).to_have_text(" here")


def test_a_tap_keeps_a_token(serve: Callable[[Path], str], browser: Browser) -> None:
    context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    page = context.new_page()
    page.goto(f"{serve(PAGE)}/?case=scripts")
    settled(page)
    box = strip(page, "words")
    assert box.locator(".tg-line").first.evaluate("el => getComputedStyle(el).fontSize") == "18px"
    box.locator(".tg-tok", has_text="opens").tap()
    expect(page.get_by_text("chosen (9, 15) (9, 15)")).to_be_visible()
    expect(readout(page, "words")).to_contain_text("token 3 of")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    context.close()


@pytest.mark.parametrize("case", ["scripts", "odd"])
def test_the_strip_is_accessible(open_case: Callable[..., Page], case: str) -> None:
    page = open_case(case)
    page.get_by_role("application").first.locator(".tg-tok").first.hover()
    for _ in looks(page, (1440,)):
        check_accessible(page, ignored_rules=("page-has-heading-one", "region", "landmark-one-main", "html-has-lang"))
