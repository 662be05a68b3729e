"""Tokenize in a real browser: type, compare, walk, choose, decode; every script, every theme, hostile text."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from explorer import links
from explorer.examples import EXAMPLES
from tests.browser.harness import Windows, check_accessible, looks, settled, shot

Open = Callable[..., Page]
READY = 60_000
expect.set_options(timeout=20_000)  # ms; a first run trains two tokenizers, and the machine may be busy
CATS = "bpe~corpus:toy/cat_mat~split:whole~steps:40~tie:first"


@pytest.fixture
def tokenize(app: str, windows: Windows) -> Open:
    """Open the page, with a query if one is given, in a window of its own or in `window`, and wait for its tokens."""

    def open_page(query: str = "", window: Page | None = None, **options: object) -> Page:
        if window:
            window.goto(f"{app}/{query}")
        page = window or windows(f"{app}/{query}", **options)
        expect(strip(page, "first")).to_be_visible(timeout=READY)
        settled(page)
        return page

    return open_page


def strip(page: Page, side: str) -> Locator:
    """The text box of a strip, "first" or "second"."""
    return page.locator(f".st-key-tokenize-{side}-strip [role=application]")


def readout(page: Page, side: str) -> Locator:
    return page.locator(f".st-key-tokenize-{side}-strip .read")


def way(page: Page, side: str) -> Locator:
    return page.locator(f".st-key-tokenize-{side}-way")


def editor(page: Page) -> Locator:
    return page.get_by_label("Text", exact=True)


def number(page: Page, side: str) -> Locator:
    return page.locator(f".st-key-tokenize-{side}-figure .number")


def example(page: Page, name: str) -> Locator:
    return page.get_by_role("toolbar", name="Example texts").get_by_role("button", name=name, exact=True)


def of(text: str) -> str:
    return f"?text={links.pack(text)}"


def test_typing_changes_the_tokens_while_one_types(tokenize: Open) -> None:
    page = tokenize(of("The"))
    expect(number(page, "first")).to_have_text("1")
    editor(page).press("Control+End")
    editor(page).press_sequentially(" cat", delay=20)
    expect(strip(page, "first")).to_have_text("The cat")
    expect(strip(page, "second")).to_have_text("The cat")
    expect(number(page, "first")).not_to_have_text("1")
    expect(page.get_by_text("7 graphemes · 7 code points · 7 bytes")).to_be_visible()
    expect(editor(page)).to_be_focused()


def test_an_example_fills_the_editor_and_is_marked(tokenize: Open) -> None:
    page = tokenize()
    expect(example(page, "Five scripts")).to_have_attribute("aria-pressed", "true")
    example(page, "हिन्दी").click()
    expect(editor(page)).to_have_value(EXAMPLES["हिन्दी"])
    expect(strip(page, "second")).to_contain_text("स्वतन्त्रता")
    expect(example(page, "हिन्दी")).to_have_attribute("aria-pressed", "true")
    editor(page).press("Control+End")
    editor(page).press_sequentially("!")
    expect(strip(page, "first")).to_contain_text("प्राप्त है।!")
    expect(example(page, "हिन्दी")).to_have_attribute("aria-pressed", "false")


def test_pointing_lights_both_strips_and_choosing_moves_both_pipelines(tokenize: Open) -> None:
    page = tokenize(of(EXAMPLES["Five scripts"]))
    expect(way(page, "first").locator("[aria-pressed=true]")).to_have_text("·unhappiness")
    token = strip(page, "second").locator(".tg-tok", has_text="un")
    token.first.hover()
    expect(readout(page, "first")).to_contain_text("bytes")
    expect(strip(page, "first").locator(".tg-hot").first).to_be_visible()
    strip(page, "first").locator(".tg-tok", has_text="ens").first.click()
    for side in ("first", "second"):
        expect(way(page, side).locator("[aria-pressed=true]")).to_have_text("·opens")
    page.keyboard.press("Escape")
    for side in ("first", "second"):
        expect(way(page, side).locator("[aria-pressed=true]")).to_have_text("·unhappiness")


def test_a_pre_token_is_chosen_by_click_and_by_arrow(tokenize: Open) -> None:
    page = tokenize(of("low lower lowest"))
    first = way(page, "first")
    expect(first.locator("[aria-pressed=true]")).to_have_text("·lowest")
    first.get_by_role("button", name="·lower", exact=True).click()
    expect(first.locator("[aria-pressed=true]")).to_have_text("·lower")
    rows = first.locator(".way li")
    expect(rows.first).to_have_text(re.compile("bytes·lower"))
    expect(rows.nth(1)).to_have_text(re.compile("^rank "))
    first.locator("[aria-pressed=true]").press("ArrowLeft")
    expect(first.locator("[aria-pressed=true]")).to_have_text("low")
    expect(first.locator("[aria-pressed=true]")).to_be_focused()
    expect(way(page, "second").locator("[aria-pressed=true]")).to_have_text("low")


def test_pre_tokens_of_a_text_from_right_to_left_stand_in_its_order(tokenize: Open) -> None:
    page = tokenize(of("ولد جميع الناس"))
    words = way(page, "first").locator(".pre button")
    lefts = words.evaluate_all("words => words.map(word => word.getBoundingClientRect().left)")
    assert lefts == sorted(lefts, reverse=True)
    words.first.click()
    expect(words.first).to_have_attribute("aria-pressed", "true")
    words.first.press("ArrowLeft")
    expect(words.nth(1)).to_have_attribute("aria-pressed", "true")


def test_arrow_keys_walk_the_tokens(tokenize: Open) -> None:
    page = tokenize(of("The cat"))
    strip(page, "first").focus()
    page.keyboard.press("End")
    expect(readout(page, "first")).to_contain_text("token 2 of 2")
    page.keyboard.press("ArrowLeft")
    expect(readout(page, "first")).to_contain_text("token 1 of 2")
    page.keyboard.press("Enter")
    expect(way(page, "first").locator("[aria-pressed=true]")).to_have_text("The")


def test_ids_decode_to_text_and_errors_are_clear(tokenize: Open) -> None:
    page = tokenize(of("by trained tokenizers"))
    ids = page.get_by_label("Ids", exact=True)
    ids.fill("[72, 105, 33]")
    expect(page.get_by_text("3 ids in English BPE: 3 characters")).to_be_visible()
    expect(page.locator(".st-key-tokenize-first-decoded [role=application]")).to_have_text("Hi!")
    ids.fill("72 999999")
    said = "Id must be from 0 to 2255, as the vocabulary has 2256 pieces; got 999999."
    expect(page.get_by_text(said, exact=True).first).to_be_visible()
    ids.fill("<img src=x onerror=alert(1)>")
    expect(page.get_by_text("number 1 in the list is '<img'", exact=False)).to_be_visible()


def test_what_is_lost_is_said_under_the_figure(tokenize: Open) -> None:
    page = tokenize(f"{of('The fox.')}&second=word~corpus:toy/cat_mat~norm:lowercase~split:bert~steps:40")
    figure = page.locator(".st-key-tokenize-second-figure")
    expect(figure).to_contain_text("✗ Not the same text: 3 characters became <unk>, first at byte 4.")
    expect(figure).to_contain_text("✗ Not the same text: capitals became small letters, first at byte 0.")
    expect(strip(page, "second").locator(".tg-unk").first).to_be_visible()
    tops = [strip(page, side).bounding_box() for side in ("first", "second")]
    assert tops[0] is not None
    assert tops[1] is not None
    assert abs(tops[0]["y"] - tops[1]["y"]) < 1, "two strips begin on the same height"


def test_one_tokenizer_alone(tokenize: Open) -> None:
    page = tokenize("?second=none")
    expect(strip(page, "second")).to_have_count(0)
    box = strip(page, "first").bounding_box()
    assert box is not None
    assert box["width"] > 1200


def test_every_script_keeps_its_shape(tokenize: Open) -> None:
    """A word in the strip is as wide as the same word without any fill: letters that lost their join are wider."""
    page = None
    for name in ("العربية", "हिन्दी", "中文", "ไทย", "Emoji"):
        page = tokenize(of(EXAMPLES[name]), page)
        expect(strip(page, "first")).to_contain_text(EXAMPLES[name].split("\n")[-1])
        assert strip(page, "first").evaluate("box => box.textContent") == EXAMPLES[name]
        for drawn, bare in strip(page, "first").evaluate(WIDTHS):
            assert drawn - bare < 24, "only the mark of the line's end may be added"
            assert drawn >= bare - 1


WIDTHS = """box => Array.from(box.querySelectorAll('.tg-line'), line => {
    const bare = line.cloneNode(false)
    bare.append(line.textContent.replace(/\\n/g, ''))
    const wide = el => {
        const range = document.createRange()
        range.selectNodeContents(el)
        return Math.max(0, ...Array.from(range.getClientRects(), r => r.right)) -
            Math.min(1e9, ...Array.from(range.getClientRects(), r => r.left))
    }
    line.after(bare)
    const both = [wide(line), wide(bare)]
    bare.remove()
    return both
})"""
"""The width of each line of a strip, and of the same line without any fill."""


def test_hostile_text_stays_text(tokenize: Open) -> None:
    page = None
    for text in (
        "<script>document.title='owned'</script>",
        "<img src=x onerror=\"document.title='owned'\">",
        "a\x00b\x07c",
        "\u202eevil\u202c \u2066x\u2069",
        "**bold** $x^2$ :smile: [a](http://b)",
        "🙂",
        "a",
    ):
        page = tokenize(of(text), page)
        expect(strip(page, "first")).to_have_text(text)
        assert page.title() != "owned"
        assert strip(page, "first").locator("script, img, a, b").count() == 0
        assert editor(page).input_value() == text


def test_an_empty_text_says_what_to_do(tokenize: Open) -> None:
    page = tokenize()
    editor(page).fill("")
    expect(page.get_by_text("0 graphemes · 0 code points · 0 bytes")).to_be_visible()
    expect(number(page, "first")).to_have_text("0")
    expect(editor(page)).to_have_attribute("placeholder", "Type or paste a text. Any language, any script.")
    expect(readout(page, "first")).to_contain_text("No tokens: the text is empty.")


def test_a_hundred_kilobytes_are_pasted(tokenize: Open) -> None:
    page = tokenize()
    text = "".join(chr(0x4E00 + (i * i * 7) % 20_000) + ("\n" if i % 90 == 89 else "") for i in range(32_900))
    editor(page).fill(text)
    expect(page.get_by_text(f"{len(text):,} graphemes")).to_be_visible(timeout=READY)
    expect(page.get_by_text("This text is too long for a link", exact=False)).to_be_visible()
    expect(strip(page, "first")).to_contain_text(text[:60])
    settled(page)
    editor(page).press("Control+Home")
    editor(page).press_sequentially("now ")
    expect(strip(page, "first")).to_contain_text("now " + text[:20], timeout=READY)


def test_a_lone_surrogate_and_two_people_at_once(tokenize: Open) -> None:
    one, two = tokenize(of("mine")), tokenize(of("yours"))
    for page in (one, two):
        editor(page).evaluate(
            "el => { el.value += '\\ud800!'; el.dispatchEvent(new InputEvent('input', {bubbles: true})) }"
        )
    expect(strip(one, "first")).to_have_text("mine�!")
    expect(strip(two, "first")).to_have_text("yours�!")


def test_large_is_read_from_the_last_row(tokenize: Open) -> None:
    page = tokenize("?large=on", width=1920, height=1080)
    assert strip(page, "first").locator(".tg-line").first.evaluate("el => getComputedStyle(el).fontSize") == "36px"
    sizes = page.locator("[data-testid=stMain]").evaluate(
        """main => {
            const small = []
            const walk = node => {
                if (node.shadowRoot) walk(node.shadowRoot)
                for (const child of node.childNodes) {
                    if (child.nodeType === 1 && child.dataset.testid !== 'stIconMaterial') walk(child)
                    else if (child.nodeType === 3 && child.data.trim() && node.getClientRects?.().length) {
                        const style = getComputedStyle(node)
                        const size = parseFloat(style.fontSize)
                        if (size < 20 && style.visibility !== 'hidden' && node.getBoundingClientRect().width > 2)
                            small.push(size + ' ' + child.data.slice(0, 30))
                    }
                }
            }
            walk(main)
            return small
        }"""
    )
    assert not sizes, "on a projector nothing is smaller than 20 px"


def test_it_is_accessible_and_fits(tokenize: Open) -> None:
    page = tokenize(height=900)
    page.get_by_label("Ids", exact=True).fill("72 105")
    expect(page.get_by_text("2 ids in gpt2", exact=False)).to_be_visible()
    for theme, width in looks(page, (1440, 390)):
        shot(page, f"tokenize-{theme}-{width}", whole=True)
        check_accessible(page)
        overflow = page.evaluate("() => document.querySelector('[data-testid=stMain]').scrollWidth - innerWidth")
        assert overflow <= 0, "nothing runs out of the page sideways"


def test_a_tokenizer_of_a_link_is_trained_on_the_spot(tokenize: Open) -> None:
    page = tokenize(f"{of('The cat sat on the mat.')}&first={CATS}")
    expect(number(page, "first")).to_have_text("3")
    expect(page.get_by_text("How BPE · The cat sat on the mat · 40 steps got there")).to_be_visible()


def test_a_line_that_was_mended_looks_as_one_drawn_anew(tokenize: Open) -> None:
    """The strip keeps what did not change; after any edit it must be what a fresh page draws."""
    page, fresh = tokenize(of("The low tide. क्षत्रिय 🙂\nsecond line\nthird line")), None
    for text in (
        "The slow tide. क्षत्रिय 🙂\nsecond line\nthird line",
        "The slow tide. क्षत्रिय 🙂\nsecond line\nnew\nthird line",
        "slow  tide. क्षत्रिय🙂\nthird line",
        "",
        "x\nslow  tide. क्षत्रिय🙂\nthird line is longer\n",
    ):
        editor(page).fill(text)
        expect(page.get_by_text(f"{len(text)} code points")).to_be_visible()
        page.wait_for_timeout(300)
        fresh = tokenize(of(text), fresh)
        drawn = "el => el.innerHTML.replace(/ style=.height[^>]*/g, '').replace(/ tg-(hot|pin)/g, '')"
        for side in ("first", "second"):
            assert strip(page, side).evaluate(drawn) == strip(fresh, side).evaluate(drawn)
