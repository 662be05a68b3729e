"""The merge player in a real browser: clock, keys, words, and that each picture depends on the step alone."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.harness import Windows, check_accessible, looks, settled, shot
from tests.browser.player_pages import HOSTILE, PASSAGES, spans_at, train

PAGE = Path(__file__).parent / "player_pages.py"

# Both canvases as PNG, what is written, and where the needle stands.
PICTURE = """player => {
  const one = selector => player.querySelector(selector)
  return [one('.mp-fills').toDataURL(), one('.mp-rings').toDataURL(), one('.mp-transport').textContent,
    one('.mp-step').textContent, one('.mp-vocabulary').textContent, one('.mp-needle').style.transform]
}"""
# The color that a canvas has in the middle of the span that holds `text`, and the color of the new piece's chip.
COLORS = """(player, text) => {
  const unit = [...player.querySelectorAll('.mp-unit')].find(each => each.textContent === text)
  const canvas = player.querySelector('.mp-fills')
  const box = unit.getBoundingClientRect(), origin = canvas.getBoundingClientRect()
  const scale = canvas.width / origin.width
  const x = (box.right - 3 - origin.left) * scale, y = (box.top + 3 - origin.top) * scale
  const pixel = canvas.getContext('2d').getImageData(x, y, 1, 1).data
  const chip = player.querySelector('.mp-merge .tg-chip:last-child')
  return [`rgb(${pixel[0]}, ${pixel[1]}, ${pixel[2]})`, chip && getComputedStyle(chip).backgroundColor]
}"""

# The colors one pixel inside the left and the right edge of the span that holds `text`, and of the page.
EDGES = """(player, text) => {
  const unit = [...player.querySelectorAll('.mp-unit')].find(each => each.textContent === text)
  const canvas = player.querySelector('.mp-fills')
  const box = unit.getBoundingClientRect(), origin = canvas.getBoundingClientRect()
  const at = x => [...canvas.getContext('2d').getImageData(x - origin.left, box.top + 9 - origin.top, 1, 1).data].join()
  return [at(box.left + 1), at(box.right - 1), '255,255,255,255']
}"""
BOXES = "player => [...player.querySelectorAll('.mp-unit')].map(unit => JSON.stringify(unit.getBoundingClientRect()))"
# Scroll by a hundred rows; the first row in view.
SCROLL = "box => { box.scrollTop = 100 * box.querySelector('.mp-entry').offsetHeight }"
TOP_ROW = """box => [...box.querySelectorAll('.mp-entry')].find(
  row => row.getBoundingClientRect().top >= box.getBoundingClientRect().top - 1).innerText"""


@pytest.fixture
def open_case(serve: Callable[[Path], str], windows: Windows) -> Callable[..., Page]:
    """Open a case of the page; further arguments go to the window."""

    def open_window(case: str, **options: object) -> Page:
        page = windows(f"{serve(PAGE)}/?case={case}", **options)
        settled(page)
        expect(player(page).locator(".mp-where")).to_be_visible()
        page.evaluate("() => document.fonts.ready")
        return page

    return open_window


def player(page: Page) -> Locator:
    return page.locator(".mp")


def slider(page: Page) -> Locator:
    return page.get_by_role("slider", name="Step")


def at_step(page: Page, step: int) -> None:
    expect(slider(page)).to_have_attribute("aria-valuenow", str(step))


def go_to(page: Page, step: int) -> None:
    """Walk to a step by keys alone."""
    slider(page).focus()
    page.keyboard.press("Home")
    for _ in range(step):
        page.keyboard.press("Shift+ArrowRight")
    at_step(page, step)


def picture(page: Page) -> list[str]:
    return player(page).evaluate(PICTURE)


def events(case: str) -> list[int]:
    """The steps after which the passage has other tokens, worked out with the engine."""
    run = train(case)
    frames = [spans_at(run, PASSAGES[case], k) for k in range(len(run.steps) + 1)]
    return [k for k, (before, after) in enumerate(pairwise(frames), 1) if before != after]


def words(locator: Locator) -> str:
    return re.sub(r"\s+", " ", locator.inner_text()).strip()


def fact(page: Page, term: str) -> str:
    """What the step card says about `term`."""
    return words(page.locator(f".mp-facts dt:text-is('{term}') + dd"))


def test_play_advances_and_a_pause_holds_the_step(open_case: Callable[..., Page]) -> None:
    page = open_case("bpe", reduced_motion=False)
    page.get_by_label("Speed").select_option("10")
    page.get_by_role("button", name="Play").click()
    expect(player(page).locator(".mp-where")).to_contain_text(re.compile(r"Step ([5-9]|[1-3]\d) of 40"))
    page.get_by_role("button", name="Pause").click()
    step = int(slider(page).get_attribute("aria-valuenow") or 0)
    page.wait_for_timeout(500)
    expect(player(page).locator(".mp-where")).to_have_text(f"Step {step} of 40")
    expect(page.get_by_text(f"The server knows step {step}.")).to_be_visible()


def test_play_ends_at_the_last_step_and_begins_again(open_case: Callable[..., Page]) -> None:
    page = open_case("bpe")
    page.get_by_label("Speed").select_option("300")
    page.get_by_role("button", name="Play").click()
    at_step(page, 40)
    expect(page.get_by_role("button", name="Play")).to_be_visible()
    page.get_by_label("Speed").select_option("1")
    page.get_by_role("button", name="Play").click()
    expect(player(page).locator(".mp-where")).to_have_text(re.compile(r"Step [0-3] of 40"))


def test_nothing_is_sent_before_the_reader_moves(open_case: Callable[..., Page]) -> None:
    page = open_case("bpe")
    page.wait_for_timeout(800)
    expect(page.get_by_text("The server knows step None.")).to_be_visible()


def test_arrows_walk_the_merges_that_touch_the_passage(open_case: Callable[..., Page]) -> None:
    page = open_case("bpe")
    stops = events("bpe")
    assert len(stops) < stops[-1]  # else an event could not be told from a step
    slider(page).focus()
    for stop in stops:
        page.keyboard.press("ArrowRight")
        at_step(page, stop)
    for stop in reversed([0, *stops[:-1]]):
        page.keyboard.press("ArrowLeft")
        at_step(page, stop)


def test_keys_for_one_step_both_ends_and_play(open_case: Callable[..., Page]) -> None:
    page = open_case("bpe")
    slider(page).focus()
    page.keyboard.press("End")
    at_step(page, 40)
    page.keyboard.press("Shift+ArrowLeft")
    at_step(page, 39)
    page.keyboard.press("Home")
    at_step(page, 0)
    page.keyboard.press("Shift+ArrowRight")
    at_step(page, 1)
    expect(slider(page)).to_have_attribute("aria-valuetext", re.compile(r"^Step 1 of 40: \d+ tokens in the corpus$"))
    page.keyboard.press("Space")
    expect(page.get_by_role("button", name="Pause")).to_be_visible()
    page.keyboard.press("Space")
    expect(page.get_by_role("button", name="Play")).to_be_visible()


def test_a_select_keeps_its_own_keys(open_case: Callable[..., Page]) -> None:
    page = open_case("bpe")
    page.get_by_label("Speed").focus()
    page.keyboard.press("End")
    expect(page.get_by_label("Speed")).to_have_value("300")
    page.keyboard.press("ArrowRight")
    at_step(page, 0)


def test_going_back_restores_the_exact_picture(open_case: Callable[..., Page]) -> None:
    page = open_case("bpe")
    seen = {}
    for step in (0, 7, 20, 33):
        go_to(page, step)
        seen[step] = picture(page)
    page.keyboard.press("End")
    assert picture(page) not in seen.values()
    for step in (33, 20, 7, 0):
        while int(slider(page).get_attribute("aria-valuenow") or 0) > step:
            page.keyboard.press("Shift+ArrowLeft")
        assert picture(page) == seen[step]


def test_motion_ends_in_the_picture_that_stands_still_without_it(open_case: Callable[..., Page]) -> None:
    still, moving = open_case("bpe"), open_case("bpe", reduced_motion=False)
    step = events("bpe")[4]
    for page in (still, moving):
        go_to(page, step)
        page.wait_for_timeout(1200)
    assert picture(moving) == picture(still)


def test_the_needle_is_dragged_and_clicked(open_case: Callable[..., Page]) -> None:
    page = open_case("bpe")
    box = slider(page).bounding_box()
    assert box is not None
    y = box["y"] + box["height"] / 2
    page.mouse.click(box["x"] + box["width"] - 14, y)
    at_step(page, 40)
    page.mouse.move(box["x"] + box["width"] / 2, y)
    page.mouse.down()
    middle = int(slider(page).get_attribute("aria-valuenow") or 0)
    # The axis is logarithmic: half way to 40 is the square root of 41, less one.
    assert middle == round(41**0.5 - 1)
    page.mouse.move(box["x"], y, steps=8)
    at_step(page, 0)
    page.mouse.move(box["x"] + box["width"] / 2, y, steps=8)
    page.mouse.up()
    at_step(page, middle)
    expect(page.get_by_text(f"The server knows step {middle}.")).to_be_visible()


def test_the_count_of_tokens_is_that_of_the_engine(open_case: Callable[..., Page]) -> None:
    page = open_case("bpe")
    run, stops = train("bpe"), events("bpe")
    for step in (0, stops[2], 40):
        go_to(page, step)
        tokens = len(spans_at(run, PASSAGES["bpe"], step))
        done = sum(stop <= step for stop in stops)
        expect(page.locator(".mp-tally")).to_have_text(
            f"{tokens} tokens in this passage · {done} of {len(stops)} merges that touch it"
        )


def test_wordpiece_shows_the_tokens_of_the_engine_at_every_step(open_case: Callable[..., Page]) -> None:
    page = open_case("wordpiece")
    run = train("wordpiece")
    for step in range(len(run.steps) + 1):
        go_to(page, step)
        expect(page.locator(".mp-tally")).to_contain_text(
            f"{len(spans_at(run, PASSAGES['wordpiece'], step))} tokens in this passage"
        )


def test_the_text_never_moves(open_case: Callable[..., Page]) -> None:
    page = open_case("hostile")
    before = player(page).evaluate(BOXES)
    page.get_by_role("button", name="To the last step").click()
    at_step(page, 40)
    assert player(page).evaluate(BOXES) == before


def test_cuts_stand_where_the_reading_begins(open_case: Callable[..., Page]) -> None:
    page = open_case("hostile")
    left, right, white = player(page).evaluate(EDGES, "s")
    assert left == white != right
    left, right, white = player(page).evaluate(EDGES, "ع")
    assert right == white != left


def test_bpe_says_count_ties_and_corpus(open_case: Callable[..., Page]) -> None:
    page = open_case("bpe")
    run = train("bpe")
    tied = next(k for k in range(1, 40) if run.steps[k].ties > 1)
    step, before = run.steps[tied], run.steps[tied - 1].length
    go_to(page, tied + 1)
    assert fact(page, "Score") == f"count(a, b) = {step.count}"
    assert fact(page, "Why this pair") == (
        f"{step.ties} pairs stand {step.count} times. The rule “first” takes ({step.left}, {step.right})."
    )
    assert fact(page, "Corpus").startswith(f"{before} − {before - step.length} = {step.length} tokens")
    assert fact(page, "New piece") == f"id {256 + tied} · {step.piece.hex(' ').upper()}"


def test_wordpiece_fills_in_its_formula(open_case: Callable[..., Page]) -> None:
    page = open_case("wordpiece")
    run = train("wordpiece")
    go_to(page, 1)
    # Known run: hug 10, pug 5, pun 12, bun 4, hugs 5 (Hugging Face course, chapter 6, WordPiece).
    assert fact(page, "Score") == "count(ab) / (count(a) · count(b)) = 5 / (20 · 5) = 1/20"
    for k, step in enumerate(run.steps, 1):
        go_to(page, k)
        assert fact(page, "Score").endswith(f"= {step.score}")


def test_wordpiece_marks_unknown_words_and_gaps(open_case: Callable[..., Page]) -> None:
    page = open_case("wordpiece")
    assert page.locator(".mp-unknown").all_inner_texts() == ["mug"]
    assert page.locator(".mp-ink .mp-gap").all_inner_texts() == ["  ", " ", " "]


def test_an_overlap_is_called_one(open_case: Callable[..., Page]) -> None:
    page = open_case("overlap")
    go_to(page, 1)
    # "eeeee eee ee e" holds the pair (e, e) 4 + 2 + 1 times; 2 + 1 + 1 of them can merge.
    assert fact(page, "Corpus") == "14 − 4 = 10 tokens 7 counted, 3 of them overlapping as in “eee”: 4 merged."
    expect(page.get_by_text("Stopped at 12 pieces: no pair is left. 32 were asked for.")).to_be_visible()


def test_a_merged_token_has_the_color_of_its_piece(open_case: Callable[..., Page]) -> None:
    page = open_case("overlap")
    go_to(page, 0)
    neutral, _ = player(page).evaluate(COLORS, "e")
    go_to(page, 1)
    painted, chip = player(page).evaluate(COLORS, "e")
    assert painted == chip
    assert painted != neutral


def test_the_painting_follows_the_theme(open_case: Callable[..., Page]) -> None:
    page = open_case("bpe")
    go_to(page, 3)
    light = picture(page)[0]
    page.emulate_media(color_scheme="dark")
    expect(player(page)).to_have_css("color", "rgb(241, 243, 246)")
    page.wait_for_function(
        "([player, light]) => player.querySelector('.mp-fills').toDataURL() !== light",
        arg=[player(page).element_handle(), light],
    )
    at_step(page, 3)


def test_rivals_arrive_without_moving_anything(open_case: Callable[..., Page]) -> None:
    page = open_case("bpe")
    go_to(page, 5)
    expect(page.get_by_text("Rivals appear when the player rests.")).to_be_visible()
    before = picture(page)
    expect(page.locator(".mp-won")).to_contain_text("merged")
    expect(page.locator(".mp-rivals tbody tr")).to_have_count(8)
    assert picture(page) == before
    expect(slider(page)).to_be_focused()


def test_rivals_do_not_stop_the_play(open_case: Callable[..., Page]) -> None:
    page = open_case("bpe")
    page.get_by_label("Speed").select_option("1")
    go_to(page, 5)
    page.wait_for_timeout(320)  # the step is on its way to the server
    page.keyboard.press("Space")
    expect(page.get_by_text("The server knows step 5.")).to_be_visible()
    settled(page)
    expect(page.get_by_role("button", name="Pause")).to_be_visible()
    expect(player(page).locator(".mp-where")).to_have_text(re.compile("Step [789] of 40"))


def test_a_new_passage_keeps_the_step_and_a_new_run_does_not(open_case: Callable[..., Page]) -> None:
    page = open_case("bpe")
    go_to(page, 12)
    expect(page.get_by_text("The server knows step 12.")).to_be_visible()
    page.get_by_text("Other passage").click()
    expect(page.locator(".mp-ink")).to_have_text("The dog ate the frog.")
    at_step(page, 12)
    page.get_by_text("Other run").click()
    at_step(page, 0)
    expect(player(page).locator(".mp-where")).to_have_text(re.compile("Step 0 of 6"))
    expect(page.get_by_text("The server knows step 0.")).to_be_visible()


def test_hostile_text_stays_text(open_case: Callable[..., Page]) -> None:
    page = open_case("hostile")
    # NUL cannot stand in HTML, but it can stand in a text node.
    assert page.locator(".mp-ink").evaluate("ink => ink.textContent") == HOSTILE
    page.keyboard.press("End")
    assert page.evaluate("() => window.hurt") is None
    assert page.locator(".mp-ink :is(script, img)").count() == 0
    # The family is one unit in every step: no cut may break its glyph.
    assert "👩🏽‍🚀" in page.locator(".mp-unit").all_inner_texts()


def test_an_empty_passage_and_a_run_without_steps_say_so(open_case: Callable[..., Page]) -> None:
    page = open_case("empty")
    expect(
        page.get_by_text("The passage is empty. Type or paste a text to see where its tokens come from.")
    ).to_be_visible()
    go_to(page, 3)
    page = open_case("zero")
    assert fact(page, "Steps") == "This run made no merge."
    expect(page.get_by_role("button", name="Play")).to_be_disabled()
    slider(page).focus()
    page.keyboard.press("ArrowRight")
    at_step(page, 0)


def test_the_vocabulary_grows_from_the_top_and_holds_still_where_it_was_scrolled(
    open_case: Callable[..., Page],
) -> None:
    page = open_case("bpe")
    run = train("bpe")
    go_to(page, 9)
    rows = page.get_by_role("table", name="Vocabulary").get_by_role("row")
    assert words(rows.first) == f"264 {run.steps[8].piece.decode().replace(' ', '·')} {run.steps[8].count}"
    expect(page.locator(".mp-vocabulary")).to_contain_text("265 pieces")
    page.locator(".mp-scroll").evaluate(SCROLL)
    page.wait_for_timeout(100)
    before = page.locator(".mp-scroll").evaluate(TOP_ROW)
    page.keyboard.press("Shift+ArrowRight")
    page.wait_for_timeout(100)
    assert page.locator(".mp-scroll").evaluate(TOP_ROW) == before


def test_the_textbook_link_tells_the_server(open_case: Callable[..., Page]) -> None:
    page = open_case("bpe")
    page.get_by_role("button", name="Textbook version").click()
    expect(page.get_by_text("Textbook asked 1 times.")).to_be_visible()


def test_a_switch_writes_pieces_in_the_letters_of_bytes(open_case: Callable[..., Page]) -> None:
    page = open_case("bpe")
    go_to(page, 1)
    expect(page.locator(".mp-won")).to_contain_text("e+·")
    switch = page.get_by_role("switch", name="Pieces as bytes")
    switch.focus()
    page.keyboard.press("Space")
    expect(switch).to_have_attribute("aria-checked", "true")
    expect(switch).to_be_focused()
    at_step(page, 1)
    expect(page.locator(".mp-merge")).to_have_text("e+Ġ→eĠ")
    expect(page.locator(".mp-won")).to_contain_text("e+Ġ")
    expect(page.locator(".mp-entry .tg-chip").first).to_have_text("eĠ")
    switch.click()
    expect(page.locator(".mp-merge")).to_have_text("e+·→e·")
    expect(page.locator(".mp-entry .tg-chip").first).to_have_text("e·")


def test_it_is_accessible(open_case: Callable[..., Page]) -> None:
    page = open_case("wordpiece")
    go_to(page, 2)
    expect(page.locator(".mp-won")).to_be_visible()
    settled(page)
    page.wait_for_timeout(600)  # the words that the server has redrawn fade in
    for _ in looks(page, (1440,)):
        check_accessible(page, ignored_rules=("page-has-heading-one", "region", "landmark-one-main"))


@pytest.mark.parametrize(("theme", "width"), [("light", 1440), ("dark", 1440), ("light", 390), ("light", 1920)])
def test_it_fits_every_window(open_case: Callable[..., Page], theme: str, width: int) -> None:
    page = open_case("bpe", theme=theme, width=width, height=1080 if width == 1920 else 900)
    go_to(page, events("bpe")[3])
    settled(page)
    page.wait_for_timeout(600)
    shot(page, f"merge-player-{theme}-{width}", whole=True)
    box = player(page).bounding_box()
    assert box is not None
    assert box["x"] + box["width"] <= width
    assert page.locator("[data-testid=stMain]").evaluate("main => main.scrollWidth <= main.clientWidth")
