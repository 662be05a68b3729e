"""Journeys on Bytes and runes, Languages and Stream; pictures of each are left in tests/browser/shots."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from explorer import links
from explorer.palette import DARK, LIGHT, Palette
from explorer.views import mixes
from tests.browser.harness import Windows, check_accessible, looks, settled, shot

FIVE = mixes.MIXES[mixes.SENTENCES]
expect.set_options(timeout=20_000)  # the first plotly chart takes seconds on a small machine

CODE = mixes.recipe(FIVE, "bpe", 500, sentences=True)
LANGUAGES = f"languages?texts=sentences&named={','.join(FIVE)}&chosen=ko&code={CODE}"
CHARTED = (
    "measures?texts=sentences&chosen=ko&tokenizers=gpt2!clip",
    "vocabulary",
    "train?recipe=unigram~corpus:toy/cat_mat~split:metaspace~size:30",
)
PAGES = {"bytes": "bytes_and_runes", "languages": LANGUAGES, "stream": "stream"}


@pytest.mark.parametrize("name", PAGES)
def test_pictures_without_faults(app: str, windows: Windows, name: str) -> None:
    page = windows(f"{app}/{PAGES[name]}")
    page.wait_for_timeout(1500)
    for theme, width in looks(page, (1440, 390, 1920)):
        shot(page, f"{name}-{theme}-{width}", whole=True)
        if width == 1440:
            check_accessible(page)
        assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_bytes_follow_what_is_typed(app: str, windows: Windows) -> None:
    page = windows(f"{app}/bytes_and_runes")
    page.get_by_role("textbox", name="Text").fill("é<b>")
    expect(page.get_by_text("LATIN SMALL LETTER E WITH ACUTE")).to_be_visible()
    expect(page.get_by_text("LESS-THAN SIGN")).to_be_visible()
    expect(page.locator(".st-key-bytes-figures")).to_contain_text("5")
    page.get_by_text("hex bytes", exact=True).click()
    settled(page)
    page.get_by_role("textbox", name="Bytes in hex").fill("47 6F E2 82")
    expect(page.get_by_text("2 bytes are no part of a code point; each has a row and no token.")).to_be_visible()


def test_languages_keep_their_view_in_the_link(app: str, windows: Windows) -> None:
    page = windows(f"{app}/{LANGUAGES}")
    expect(page.locator(".js-plotly-plot")).to_have_count(2)
    page.get_by_role("radio", name="relative to English").click()
    expect(page.get_by_role("heading", name="Tokens, English = 1")).to_be_visible()
    page.wait_for_function("location.search.includes('measure=relative')")
    other = windows(page.url)
    expect(other.get_by_role("heading", name="Tokens, English = 1")).to_be_visible()
    assert names(other) == names(page)


@pytest.mark.parametrize("path", [*PAGES.values(), *CHARTED, "families", "lattice", "train"])
def test_nothing_below_20_px_is_read_on_a_projector(app: str, windows: Windows, path: str) -> None:
    page = windows(f"{app}/{path}{'&' if '?' in path else '?'}large=on", width=1920, height=1080)
    page.wait_for_timeout(1500)
    settled(page)
    shot(page, f"{path.partition('?')[0]}-large", whole=True)
    for width, height in ((1920, 1080), (1280, 720)):
        page.set_viewport_size({"width": width, "height": height})
        page.wait_for_timeout(500)
        assert not _small_print(page)


def _small_print(page: Page) -> list[str]:
    """What is read on the page in letters of less than 20 px; the boxed name of a hidden character is a mark."""
    small: list[str] = page.evaluate(
        """() => {
          const found = new Set()
          const size = (el) => parseFloat(getComputedStyle(el).fontSize) * el.currentCSSZoom
          const walk = (root) => {
            for (const el of root.querySelectorAll("*")) {
              if (el.shadowRoot) walk(el.shadowRoot)
              const said = [...el.childNodes].some((node) => node.nodeType === 3 && node.data.trim())
              const shown = el.checkVisibility({ visibilityProperty: true }) && el.getBoundingClientRect().width > 1
              const beside = el.closest("style, script, .tg-box, [data-testid=stIconMaterial]")
              if (said && shown && !beside && size(el) < 19.9)
                found.add(`${el.tagName} ${el.className.baseVal ?? el.className} ${el.textContent.trim().slice(0, 30)}`)
            }
          }
          walk(document.querySelector("[data-testid=stMain]"))
          return [...found]
        }"""
    )
    return small


def test_no_choice_of_languages_is_out_of_view_on_a_phone(app: str, windows: Windows) -> None:
    page = windows(f"{app}/{LANGUAGES}", width=390)
    rows = page.locator(".st-key-languages-choice [role=radiogroup]")
    expect(rows).to_have_count(2)
    assert rows.evaluate_all("rows => rows.filter(row => row.scrollWidth > row.clientWidth).length") == 0


@pytest.mark.parametrize("path", [LANGUAGES, *CHARTED])
def test_charts_turn_dark_with_the_system_and_light_by_the_menu(app: str, windows: Windows, path: str) -> None:
    page = windows(f"{app}/{path}")
    expect(page.locator(".js-plotly-plot .xtick text").first).to_be_visible(timeout=60_000)
    settled(page)
    _wait_for_ink(page, LIGHT)
    page.emulate_media(color_scheme="dark")
    _wait_for_ink(page, DARK)
    page.get_by_test_id("stMainMenu").click()
    page.get_by_role("menuitemradio", name="Light").click()
    _wait_for_ink(page, LIGHT)


def _wait_for_ink(page: Page, palette: Palette) -> None:
    """Wait until all charts are written in the ink of a theme; that of the other could not be read on its ground."""
    page.wait_for_function(
        "ink => { const charts = [...document.querySelectorAll('.js-plotly-plot')]; "
        "return charts.length && charts.every(chart => chart.layout.font.color === ink) }",
        arg=palette.secondary,
    )
    settled(page)


def test_zoom_survives_a_change_of_data(app: str, windows: Windows) -> None:
    page = windows(f"{app}/{LANGUAGES}")
    box = page.locator(".st-key-languages-curves .nsewdrag").bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + box["width"] * 0.4, box["y"] + box["height"] * 0.3)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] * 0.8, box["y"] + box["height"] * 0.9, steps=6)
    page.mouse.up()
    page.wait_for_timeout(1500)
    settled(page)
    zoomed = x_range(page)
    page.get_by_role("radio", name="English", exact=True).click()
    page.wait_for_function("location.search.includes('chosen=en')")
    settled(page)
    page.wait_for_timeout(500)
    assert x_range(page) == pytest.approx(zoomed)
    assert zoomed[1] - zoomed[0] < 0.2


def test_a_stream_is_cut_by_keys_and_played(app: str, windows: Windows) -> None:
    page = windows(f"{app}/stream")
    rows = page.locator(".sp-table tbody tr")
    expect(rows.nth(0)).to_contain_text("47 6F E2")
    page.get_by_role("slider", name="Cut 1").press("ArrowLeft")
    expect(rows.nth(0)).not_to_contain_text("E2")
    expect(rows.nth(1)).to_contain_text("€")
    page.get_by_role("button", name="Before the first part").click()
    expect(page.locator(".sp-where")).to_contain_text("0 of 4")
    page.get_by_role("button", name="Play").click()
    expect(page.locator(".sp-where")).to_contain_text("4 of 4", timeout=10_000)


def test_long_parts_of_a_stream_leave_room_to_their_texts(app: str, windows: Windows) -> None:
    page = windows(f"{app}/stream?text={links.pack('सभी मनुष्यों को गौरव और अधिकारों के मामले में ' * 3)}")
    heads = page.locator(".sp-table thead th")
    expect(heads.first).to_be_visible()
    widths = heads.evaluate_all("heads => heads.map(head => head.offsetWidth)")
    _, _, codes, *texts, _ = widths
    assert min(texts) > 0.6 * codes


def test_the_navigation_is_ringed_where_it_has_the_focus(app: str, windows: Windows) -> None:
    page = windows(f"{app}/stream")
    link = page.get_by_role("link", name="Tokenize", exact=True)
    for _ in range(6):
        page.keyboard.press("Tab")
        if link.evaluate("link => link === document.activeElement"):
            break
    assert link.evaluate("link => getComputedStyle(link).outlineWidth") == "2px"


def test_a_number_of_bytes_stands_over_what_it_counts(app: str, windows: Windows) -> None:
    page = windows(f"{app}/bytes_and_runes")
    metric = page.get_by_test_id("stMetric").first
    value, label = (metric.get_by_test_id(f"stMetric{part}").bounding_box() for part in ("Value", "Label"))
    assert value is not None
    assert label is not None
    assert value["y"] < label["y"]


def test_hostile_text_stays_text(app: str, windows: Windows) -> None:
    attack = "<img src=x onerror=\"document.title='broken'\"><script>document.title='broken'</script>"
    for path in ("bytes_and_runes", "stream"):
        page = windows(f"{app}/{path}?text={links.pack(attack)}")
        page.wait_for_timeout(800)
        assert "broken" not in page.title()


def names(page: Page) -> list[str]:
    labels = page.locator(".st-key-languages-curves .annotation-text")
    expect(labels.first).to_be_visible()
    return labels.all_text_contents()


def x_range(page: Page) -> list[float]:
    found: list[float] = page.evaluate(
        "[...document.querySelector('.st-key-languages-curves .js-plotly-plot')._fullLayout.xaxis.range]"
    )
    return found
