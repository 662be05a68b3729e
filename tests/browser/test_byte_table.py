"""The byte table in Chromium: what the rows say, how tokens are cut, keys, and a text of 100,000 rows."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from explorer.components.byte_table import MAX_BYTES, byte_table
from tests.browser.byte_pages import EDGES, LONG_TEXT, MOCK_IDS, MOCK_LENGTHS, MOCK_TEXT
from tests.browser.harness import Theme, Windows, check_accessible, looks, shot

Open = Callable[..., Page]
PAGE = Path(__file__).parent / "byte_pages.py"


@pytest.fixture
def show(serve: Callable[[Path], str], windows: Windows) -> Open:
    """Open a case of the harness page and wait for its table."""

    def opened(case: str, *, theme: Theme = "light", width: int = 1440, height: int = 1000) -> Page:
        page = windows(f"{serve(PAGE)}/?case={case}", theme=theme, width=width, height=height)
        page.wait_for_selector(".tg-byte-table [role=grid]")
        return page

    return opened


def row(page: Page, number: int) -> Locator:
    return page.locator(f"[data-row='{number}']")


def cell(page: Page, number: int, name: str) -> str:
    return row(page, number).locator(f".{name}").first.inner_text()


def ringed(page: Page, name: str = "hot") -> list[int]:
    """The bytes with a ring."""
    return [int(byte) for byte in page.locator(f".{name}").evaluate_all("all => all.map(one => one.dataset.byte)")]


def test_rows_say_what_python_says(show: Open) -> None:
    page = show("edges")
    at_byte = 0
    for number, char in enumerate(EDGES):
        encoded = char.encode()
        assert cell(page, number, "number") == f"U+{ord(char):04X}"
        assert row(page, number).locator(".hex").all_inner_texts() == [f"{byte:02X}" for byte in encoded]
        bits = row(page, number).locator(".bits").all_inner_texts()
        assert bits == [f"{byte:08b}" for byte in encoded]
        payload = "".join(row(page, number).locator(".bits b").all_inner_texts())
        assert int(payload, 2) == ord(char), "the bold bits are the code point"
        assert cell(page, number, "at-byte") == str(at_byte)
        at_byte += len(encoded)
    expect(page.locator("[role=grid]")).to_have_attribute("aria-rowcount", str(len(EDGES) + 1))


def test_a_patch_opens_with_its_id_and_runs_over_rows(show: Open) -> None:
    page = show("mock")
    assert page.locator(".patch .id").all_inner_texts() == [f"id {id_}" for id_ in MOCK_IDS]
    second = row(page, 1).locator(".patch")  # the a of "na"
    assert second.get_attribute("class") == "patch ends"
    first = row(page, 0).locator(".patch")
    assert first.get_attribute("class") == "patch opens"
    fill = "one => getComputedStyle(one).backgroundColor"
    assert first.evaluate(fill) == second.evaluate(fill) == "rgb(243, 157, 155)"
    neighbors = [patch.evaluate(fill) for patch in page.locator(".patch.opens").all()]
    assert all(left != right for left, right in pairwise(neighbors)), "neighbors differ"


def test_cuts_inside_a_rune_and_a_cluster_are_said_and_drawn(show: Open) -> None:
    page = show("mock")
    woman, tone, joiner = 9, 10, 11
    assert row(page, woman).locator(".note").inner_text() == "cut in the rune"
    assert row(page, tone).locator(".note span").all_inner_texts() == ["cut in the cluster", "2 cuts in the rune"]
    assert row(page, tone).locator(".bytes").get_attribute("aria-label") == (
        "F0 9F id 8582, 8F id 237, BD id 121, cut in the cluster, 2 cuts in the rune"
    )
    boxes = [patch.bounding_box() for patch in row(page, tone).locator(".patch").all()]
    gaps = [right["x"] - left["x"] - left["width"] for left, right in pairwise(boxes)]  # type: ignore[index]
    assert gaps == [4, 4]
    teeth = row(page, woman).locator(".cluster .glyph").evaluate("one => one.style.getPropertyValue('--teeth')")
    assert teeth.count("--tg-t") == 10, "ten tokens share the cluster"
    assert cell(page, joiner, "rune") == "ZWJ"
    assert cell(page, 15, "rune").startswith("\u25cc"), "a lone mark stands on a dotted circle"
    assert row(page, 0).locator(".note").count() == 0


def test_only_clusters_of_several_runes_are_repeated(show: Open) -> None:
    page = show("mock")
    shown = {number: cell(page, number, "cluster") for number in range(len(MOCK_TEXT))}
    assert {number: text for number, text in shown.items() if text} == {9: "👩🏽‍🚀", 14: "हि"}
    assert [cell(page, number, "at-cluster") for number in (8, 9, 12, 13, 15)] == ["8", "9", "9", "10", "11"]


def test_invalid_bytes_have_rows_of_their_own(show: Open) -> None:
    page = show("invalid")
    assert [cell(page, number, "rune") for number in range(5)] == ["e", "E4", "x", "96", "FF"]
    assert cell(page, 1, "name").split("\n") == ["invalid", "first of 3, the second is missing"]
    assert cell(page, 1, "number") == "—"
    assert row(page, 1).locator(".bits i").inner_text() == "1110"
    assert row(page, 4).locator(".bits i").inner_text() == "", "FF has no prefix: it never occurs in UTF-8"


def test_odd_tokens_are_all_there(show: Open) -> None:
    page = show("odd")
    assert page.locator(".patch .id").all_inner_texts() == ["id 64", "ids 127, 102", "id 7", "id 1", "id -1"]
    assert row(page, 1).locator(".cluster .split").count() == 1
    assert row(page, 2).locator(".empty").inner_text().split("\n") == ["id 7", "0 bytes"]
    assert row(page, 3).locator(".patch").evaluate("one => getComputedStyle(one).backgroundColor") == "rgba(0, 0, 0, 0)"
    assert row(page, 3).locator(".bytes").get_attribute("aria-label") == "20 no token"
    assert row(page, 4).locator(".tg-special").count() == 1
    assert row(page, 7).locator(".tg-unk").count() == 1


def test_hostile_text_stays_text_and_hidden_characters_have_names(show: Open) -> None:
    page = show("hostile")
    assert [cell(page, number, "rune") for number in (0, 1, 2, 3, 4, 8, 9)] == [
        "NUL",
        "→",
        "CR",
        "↵",
        "RLO",
        "ZWSP",
        "SHY",
    ]
    assert cell(page, 5, "rune") == "\u25cc\u0301"
    assert cell(page, 2, "cluster") == "CRLF"
    assert page.locator("img[src=x]").count() == 0


def test_printable_notation_stands_beside_the_bytes(show: Open) -> None:
    page = show("printable")
    assert row(page, 2).locator(".letter").all_inner_texts() == ["Ã", "¯"]
    assert row(page, 5).locator(".letter").inner_text() == "Ġ"
    edges = "one => [one.getBoundingClientRect().right, one.querySelector('.note').getBoundingClientRect().right]"
    edge, word = row(page, 10).locator(".bytes").evaluate(edges)  # four bytes, two notes
    assert word <= edge, "the words at the end are whole"


def test_an_empty_text_has_no_rows(show: Open) -> None:
    page = show("empty")
    assert page.locator("[data-row]").count() == 0
    said = page.locator(".body").evaluate("one => getComputedStyle(one, '::after').content")
    assert said == '"0 bytes"'
    check_accessible(page)


def test_keys_walk_rows_and_tokens(show: Open) -> None:
    page = show("mock")
    grid = page.locator(".tg-byte-table [role=grid]")
    grid.focus()
    expect(grid).to_have_attribute("aria-activedescendant", "row-0")
    assert ringed(page) == [0]
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    assert ringed(page) == [2, 3], "the bytes of the ï"
    page.keyboard.press("ArrowRight")
    assert ringed(page) == [2, 3, 4, 5], "the token that holds them"
    page.keyboard.press("ArrowRight")
    expect(grid).to_have_attribute("aria-activedescendant", "row-5")
    assert ringed(page) == [6]
    page.keyboard.press("ArrowLeft")
    assert ringed(page) == [2, 3, 4, 5]
    page.keyboard.press("Enter")
    assert ringed(page, "pin") == [2, 3, 4, 5]
    page.keyboard.press("Escape")
    assert ringed(page, "pin") == []
    page.keyboard.press("End")
    expect(grid).to_have_attribute("aria-activedescendant", "row-15")
    page.keyboard.press("Home")
    expect(grid).to_have_attribute("aria-activedescendant", "row-0")
    assert page.locator(".current").count() == 1


def test_strip_and_table_show_the_same_bytes(show: Open) -> None:
    page = show("linked")
    page.locator("[data-byte='16']").hover()  # the third byte of the woman: its token opens with the space before it
    expect(page.locator(".tg-line .tg-hot")).to_have_count(2)
    assert page.locator(".tg-line .tg-hot").all_inner_texts() == [" ", "👩🏽‍🚀"]
    page.locator(".tg-line .tg-tok").first.hover()
    assert ringed(page) == [0, 1]
    page.locator(".tg-line .tg-tok").nth(1).click()
    assert ringed(page, "pin") == [2, 3, 4, 5]
    page.locator("[data-byte='0']").click()
    assert ringed(page, "pin") == [0, 1]
    expect(page.locator(".tg-line .tg-pin")).to_have_text("na")


def test_strip_and_table_give_a_token_the_same_fill(show: Open) -> None:
    page = show("linked")
    fill = "one => getComputedStyle(one).backgroundColor"
    in_strip = [one.evaluate(fill) for one in page.locator(".tg-line .tg-tok:not(.tg-split)").all()]
    starts = [sum(MOCK_LENGTHS[:i]) for i in (0, 1, 2, 7, 17)]  # the tokens that are no part of a cut cluster
    in_table = [page.locator(f".patch:has([data-byte='{start}'])").evaluate(fill) for start in starts]
    assert in_table == in_strip


def test_a_long_text_mounts_only_what_is_seen(show: Open) -> None:
    page = show("long")
    grid = page.locator(".tg-byte-table [role=grid]")
    last = len(LONG_TEXT) - 1
    expect(grid).to_have_attribute("aria-rowcount", str(last + 2))
    assert page.locator("[data-row]").count() < 60
    grid.focus()
    page.keyboard.press("End")
    expect(row(page, last)).to_be_in_viewport()
    assert cell(page, last, "number") == f"U+{ord(LONG_TEXT[-1]):04X}"
    assert cell(page, last, "at-byte") == str(len(LONG_TEXT[:-1].encode()))
    page.keyboard.press("PageUp")
    (current,) = page.locator(".current").evaluate_all("all => all.map(one => Number(one.dataset.row))")
    assert 10 < last - current < 20, "a page is what fits below the head"
    for step in (0.1, 0.5, 0.9):
        page.evaluate("([one, step]) => (one.scrollTop = step * one.scrollHeight)", [grid.element_handle(), step])
        page.wait_for_timeout(100)
        top = grid.evaluate("one => Math.ceil(one.scrollTop / one.querySelector('[data-row]').offsetHeight)")
        expect(row(page, top)).to_be_in_viewport()
        assert page.locator("[data-row]").count() < 60
    rows = page.locator("[data-row]").evaluate_all("all => all.map(one => Number(one.dataset.row))")
    assert rows == sorted(rows), "read aloud in their order"


def test_it_is_accessible_and_fits(show: Open) -> None:
    page = show("mock")
    for theme, width in looks(page, (1440, 900, 390)):
        shot(page, f"byte-table-{theme}-{width}")
        check_accessible(page)
        grid = page.locator(".tg-byte-table [role=grid]")
        assert grid.evaluate("one => one.scrollWidth <= one.clientWidth"), "nothing runs out at the side"
        widest = row(page, 9).locator(".byte").last.bounding_box()  # four bytes
        assert widest is not None
        assert widest["x"] + widest["width"] <= width - 8


def test_too_many_bytes_are_refused() -> None:
    with pytest.raises(ValueError, match="200,000 bytes"):
        byte_table(bytes(MAX_BYTES + 1), key="table", group="g", points=[])
