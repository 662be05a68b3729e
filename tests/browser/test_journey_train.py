"""Train in Chromium: train, play, step by key, change recipe and passage, cancel, and what hostile text does not do."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from pathlib import Path
from urllib.parse import quote, urlsplit

import pytest
from playwright.sync_api import Locator, Page, expect

from explorer.links import pack
from tests.browser.harness import Theme, Windows, check_accessible, looks, settled, shot

READY = 60_000
expect.set_options(timeout=20_000)  # ms; the machine may be busy
CATS = "bpe~corpus:toy/cat_mat~split:whole~steps:40~tie:first"
HOSTILE = "<script>window.hit=1</script><img src=x onerror=window.hit=1> \x00 a\u202eb"


def player(page: Page) -> Locator:
    return page.get_by_role("region", name="Merge player")


def step(page: Page) -> Locator:
    return page.locator(".mp-where")


def passage(page: Page) -> str:
    """What the reader sees as the passage: the units of the lowest layer, line by line."""
    return "".join(page.locator(".mp-passage .mp-unit").all_inner_texts())


def recipe(page: Page) -> Locator:
    return page.locator(".st-key-train-recipe")


def press(page: Page, name: str) -> None:
    page.get_by_role("button", name=name, exact=True).click()


def choose(page: Page, name: str) -> None:
    page.get_by_role("radio", name=name, exact=True).click()


@pytest.fixture
def train(app: str, windows: Windows) -> Callable[..., Page]:
    def open_page(query: str = "", theme: Theme = "light", width: int = 1440, **more: bool) -> Page:
        page = windows(f"{app}/train{query}", theme=theme, width=width, height=1080 if width == 1920 else 900, **more)
        expect(step(page)).to_be_visible(timeout=READY)
        expect(page.get_by_role("heading", name="Your tokenizers")).to_be_visible(timeout=READY)
        settled(page)
        return page

    return open_page


def test_the_first_visit_plays_and_steps_by_key(train: Callable[..., Page]) -> None:
    page = train(reduced_motion=False)
    expect(step(page)).to_have_text("Step 268 of 2,000")
    expect(page.locator(".mp-tally")).to_have_text("93 tokens in this passage · 81 of 117 merges that touch it")
    expect(page.locator(".mp-won")).to_contain_text("merged")
    page.get_by_role("slider", name="Step").focus()
    page.keyboard.press("ArrowRight")
    expect(step(page)).not_to_have_text("Step 268 of 2,000")
    page.keyboard.press("Home")
    expect(step(page)).to_have_text("Step 0 of 2,000")
    page.keyboard.press("Shift+ArrowRight")
    expect(step(page)).to_have_text("Step 1 of 2,000")
    expect(page.locator(".mp-rivals tbody tr")).to_have_count(8)  # they came because the player rests
    page.wait_for_url("**step=1")
    page.keyboard.press(" ")
    expect(page.locator(".mp-play")).to_have_text("Pause")
    page.wait_for_function(
        "() => /Step ([1-9]\\d+)/.test([...document.querySelectorAll('*')].map(each => each.shadowRoot)"
        ".filter(Boolean).map(root => root.querySelector('.mp-where')?.textContent).join(''))"
    )
    page.keyboard.press(" ")
    expect(page.locator(".mp-play")).to_have_text("Play")
    rest = step(page).inner_text()
    expect(step(page)).to_have_text(rest)
    expect(page.locator(".mp-won")).to_be_visible()


def test_bert_style_is_trained_from_the_form_and_its_link_is_the_same_view(
    train: Callable[..., Page], app: str, windows: Windows
) -> None:
    page = train()
    press(page, "Change recipe")
    choose(page, "BERT style")
    expect(page.get_by_text("WordPiece marks the inside of a word by ## instead.")).to_be_visible()
    expect(page.get_by_label("End of word", exact=True)).to_be_disabled()
    press(page, "Train")
    expect(recipe(page)).to_contain_text("WordPiece")
    expect(step(page)).to_have_text("Step 2,000 of 2,000")
    expect(page.locator(".mp-rivals")).to_contain_text("count / (left · right)")
    expect(page.get_by_role("textbox", name="Name")).to_have_count(3)
    page.wait_for_url("**wordpiece**step=2000")
    settled(page)
    other = windows(page.url)
    expect(step(other)).to_have_text("Step 2,000 of 2,000", timeout=READY)
    assert passage(other) == passage(page)
    assert other.locator(".mp-step").inner_text() == page.locator(".mp-step").inner_text()
    page.go_back()
    expect(recipe(page)).to_contain_text("BPE over bytes")
    page.go_forward()
    expect(recipe(page)).to_contain_text("WordPiece")


def test_words_with_counts_give_the_run_of_sennrich(train: Callable[..., Page]) -> None:
    """Sennrich et al. 2016, algorithm 1: low</w> | low e r </w> | newest</w> | wi d est</w>."""
    page = train()
    press(page, "Change recipe")
    choose(page, "Sennrich 2016")
    choose(page, "Words with counts")
    page.get_by_label("Words", exact=True).fill("low 5\nlower 2\nnewest 6\nwidest 3")
    page.get_by_label("Steps", exact=True).fill("10")
    page.get_by_label("Steps", exact=True).press("Tab")
    press(page, "Train")
    expect(step(page)).to_have_text("Step 10 of 10")
    press(page, "Change passage")
    page.get_by_label("Passage to play").fill("low lower newest widest")
    expect(page.locator(".mp-tally")).to_have_text(re.compile("^9 tokens in this passage"))
    assert passage(page) == "low</w> lower</w> newest</w> widest</w>"
    page.get_by_role("slider", name="Step").focus()
    page.keyboard.press("Home")
    expect(page.locator(".mp-tally")).to_have_text(re.compile("^24 tokens in this passage · 0 of"))


def test_an_uploaded_file_with_invalid_bytes_says_where(train: Callable[..., Page], tmp_path: Path) -> None:
    page = train()
    press(page, "Change recipe")
    choose(page, "File")
    file = tmp_path / "<b>caf\u00e9.txt"
    file.write_bytes(b"caf\xe9 au lait, caf\xe9 noir " * 50)
    page.locator("[data-testid=stFileUploader] input").set_input_files(file)
    expect(page.get_by_text("is not UTF-8: byte 3 is the first that is none.")).to_contain_text("100 times")
    press(page, "Train")
    expect(recipe(page)).to_contain_text("own text")
    expect(page.locator(".mp-stopped")).to_contain_text("no pair is left")


def test_megabytes_in_one_piece_show_progress_and_can_be_cancelled(train: Callable[..., Page], tmp_path: Path) -> None:
    # Ties drawn by lot are merged in Python; by the other rules, compiled loops are through before one can look.
    page = train("?recipe=bpe~corpus:toy/cat_mat~split:whole~steps:20000~tie:random")
    press(page, "Change recipe")
    choose(page, "File")
    draw = random.Random(1)
    file = tmp_path / "large.txt"  # the other cancel has ten megabytes
    file.write_bytes(bytes(draw.choices(b"abcdefghijklmnopqrstuvwxyz \n", k=4_000_000)))
    page.locator("[data-testid=stFileUploader] input").set_input_files(file)
    expect(page.get_by_text("4.0 MB, 4,000,000 characters")).to_be_visible(timeout=READY)
    press(page, "Train")
    expect(page.get_by_role("progressbar")).to_be_visible(timeout=READY)
    expect(page.get_by_test_id("stProgress")).to_contain_text(re.compile("Counting what stands|Step"))
    press(page, "Cancel")
    expect(page.locator(".mp-stopped")).to_contain_text("the recipe now asks for as many", timeout=180_000)
    expect(page.get_by_text("This text is too long for a link")).to_be_visible()


def test_a_cancel_while_ten_megabytes_are_counted_ends_it_there(train: Callable[..., Page], tmp_path: Path) -> None:
    # Character by character and by a pattern of one's own, counting takes seconds, and by a named split a moment.
    page = train(f"?recipe={quote(r'bpe~corpus:toy/cat_mat~split:pattern%3A%5Cw~steps:2000')}")
    press(page, "Change recipe")
    choose(page, "File")
    draw = random.Random(2)
    words = ["".join(draw.choices("abcdefghijklmnopqrstuvwxyz", k=draw.randint(2, 9))) for _ in range(50_000)]
    file = tmp_path / "words.txt"
    file.write_text(" ".join(draw.choices(words, k=1_600_000))[:10_000_000])
    page.locator("[data-testid=stFileUploader] input").set_input_files(file)
    expect(page.get_by_text("10.0 MB, 10,000,000 characters")).to_be_visible(timeout=READY)
    press(page, "Train")
    expect(page.get_by_text(re.compile("Counting what stands in the corpus: \\d+ %"))).to_be_visible(timeout=READY)
    press(page, "Cancel")
    expect(page.get_by_text("Cancelled before the first step")).to_be_visible()
    press(page, "Train")  # the form is open with the same recipe, and this begins anew
    expect(page.get_by_text("Cancelled before the first step")).to_have_count(0)
    expect(page.get_by_role("progressbar")).to_be_visible()


def test_hostile_text_stays_text(train: Callable[..., Page]) -> None:
    page = train()
    press(page, "Change recipe")
    choose(page, "Pasted text")
    page.get_by_label("Text", exact=True).fill(HOSTILE)
    page.get_by_label("Text", exact=True).press("Tab")
    press(page, "Train")
    expect(recipe(page)).to_contain_text("own text")
    press(page, "Change passage")
    page.get_by_label("Passage to play").fill(HOSTILE)
    expect(page.locator(".mp-passage")).to_contain_text("<script>window.hit=1</script>")
    name = page.get_by_role("textbox", name="Name").last
    name.fill("<img src=x onerror=window.hit=1> ![x](//example.org/x.png)")
    name.press("Enter")
    settled(page)
    expect(name).to_have_value("<img src=x onerror=window.hit=1> ![x](//example.org/x.png)")
    assert page.evaluate("window.hit") is None


def test_any_passage_is_played(train: Callable[..., Page]) -> None:
    page = train(f"?recipe={CATS}")
    press(page, "Change passage")
    for text in ("x", "", "👩‍👩‍👧‍👦🇧🇷", "مرحبا بالعالم", "हिन्दी में लिखा", "e" * 100_000):
        page.get_by_label("Passage to play").fill(text)
        if text:
            expect(page.locator(".mp-ink")).to_have_text(text[:2000], use_inner_text=True)
            assert passage(page) == text[:2000]
        else:
            expect(page.get_by_text("The passage is empty.")).to_be_visible()
    expect(page.get_by_text("this text has 100,000 and is cut there")).to_be_visible()


def test_words_have_a_list_instead_of_merges(app: str, windows: Windows) -> None:
    page = windows(f"{app}/train?recipe=word~corpus:toy/gato~split:whitespace~size:3&step=3")
    expect(page.get_by_text("3 pieces know")).to_be_visible(timeout=READY)
    expect(page.get_by_role("heading", name="Vocabulary by rank")).to_be_visible()
    settled(page)
    check_accessible(page)
    shot(page, "train-words", whole=True)


def test_the_textbook_version_is_a_click_away(train: Callable[..., Page]) -> None:
    page = train(f"?recipe={CATS}")
    page.get_by_role("button", name="Textbook version").click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("def train_bpe")
    expect(dialog).to_contain_text("def first_seen")
    check_accessible(page)
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)


def test_two_browsers_share_one_training(train: Callable[..., Page]) -> None:
    code = "?recipe=bpe~corpus:udhr/en,udhr/fr,udhr/de~split:whole~steps:1500"
    pages = [train(code), train(code)]
    seen = [page.locator(".mp-step").inner_text() for page in pages]
    assert seen[0] == seen[1]
    assert urlsplit(pages[0].url).query == urlsplit(pages[1].url).query


def test_a_tokenizer_is_named_here_and_chosen_on_tokenize(train: Callable[..., Page]) -> None:
    page = train(f"?recipe={CATS}")
    name = page.get_by_role("textbox", name="Name").last
    name.fill("Cats and mats")
    name.press("Enter")
    settled(page)
    page.get_by_role("link", name="Tokenize").first.click()
    # A list opened while the page still fills is shut by the next thing that arrives; the last thing is waited for.
    expect(page.get_by_role("heading", name="From ids to text")).to_be_visible(timeout=READY)
    settled(page)
    page.get_by_role("combobox", name="Tokenizer", exact=True).click()
    expect(page.get_by_role("option", name="Cats and mats")).to_be_visible()


def test_the_page_is_accessible_and_pictured(train: Callable[..., Page]) -> None:
    page = train()
    expect(page.locator(".mp-won")).to_have_count(1)
    for theme, width in looks(page, (390, 1440, 1920)):
        if width < 1920:  # a wide window has the same parts as one of 1440 px
            check_accessible(page)
        shot(page, f"train-{theme}-{width}", whole=True)
    press(page, "Change recipe")
    expect(page.get_by_label("Regular expression")).to_have_count(0)
    expect(page.get_by_label("Least count", exact=True)).to_be_visible()
    choose(page, "BERT style")
    expect(page.get_by_text("WordPiece starts from the characters")).to_be_visible()
    for theme, width in looks(page, (390, 1440, 1920)):
        if width < 1920:
            check_accessible(page)
        shot(page, f"train-form-{theme}-{width}", whole=True)
        box = page.locator("body").evaluate("body => [body.scrollWidth, innerWidth]")
        assert box[0] <= box[1], "nothing runs out of the page at the side"


def test_the_longest_match_of_a_word_is_told(train: Callable[..., Page]) -> None:
    page = train(f"?recipe=wordpiece~corpus:toy/hug_pug~split:whitespace~steps:7&step=2&passage={pack('hugs mug')}")
    told = page.locator(".mp-matches")
    expect(told).to_contain_text("“hugs” is cut from the left, each time by the longest piece there is: 3 pieces.")
    expect(told.locator("tbody tr")).to_have_count(3)
    page.locator(".mp-unit", has_text="m").first.click()
    expect(told).to_contain_text("“mug” is unknown as a whole")
    page.get_by_role("button", name="Word before").click()
    page.get_by_role("slider", name="Step").focus()
    page.keyboard.press("End")
    expect(told).to_contain_text("the longest piece there is: 1 piece.")
    check_accessible(page)
