"""Journeys on Bytes and runes, Languages and Stream; pictures of each are left in tests/browser/shots."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from explorer import links
from explorer.views import mixes
from tests.browser.harness import Windows, check_accessible, settled, shot

FIVE = mixes.MIXES[mixes.SENTENCES]
expect.set_options(timeout=20_000)  # the first plotly chart takes seconds on a small machine

CODE = mixes.recipe(FIVE, "bpe", 500, sentences=True)
LANGUAGES = f"languages?texts=sentences&named={','.join(FIVE)}&chosen=ko&code={CODE}"
PAGES = {"bytes": "bytes_and_runes", "languages": LANGUAGES, "stream": "stream"}
SIZES = {"light": ("light", 1440), "dark": ("dark", 1440), "phone": ("light", 390), "projector": ("dark", 1920)}


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", PAGES)
def test_pictures_without_faults(app: str, windows: Windows, name: str, size: str) -> None:
    theme, width = SIZES[size]
    page = windows(f"{app}/{PAGES[name]}", theme=theme, width=width)
    page.wait_for_timeout(1500)
    settled(page)
    shot(page, f"{name}-{size}", whole=True)
    if size in ("light", "dark"):
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


@pytest.mark.parametrize("name", PAGES)
def test_nothing_below_20_px_is_read_on_a_projector(app: str, windows: Windows, name: str) -> None:
    page = windows(f"{app}/{PAGES[name]}{'&' if '?' in PAGES[name] else '?'}large=on", width=1920, height=1080)
    page.wait_for_timeout(1500)
    settled(page)
    shot(page, f"{name}-large", whole=True)
    small = page.evaluate(
        """() => {
          const found = new Set()
          const size = (el) => parseFloat(getComputedStyle(el).fontSize) * el.currentCSSZoom
          const walk = (root) => {
            for (const el of root.querySelectorAll("*")) {
              if (el.shadowRoot) walk(el.shadowRoot)
              const said = [...el.childNodes].some((node) => node.nodeType === 3 && node.data.trim())
              const shown = el.checkVisibility({ visibilityProperty: true }) && el.getBoundingClientRect().width > 1
              if (said && shown && !el.closest("style, script, [data-testid=stIconMaterial]") && size(el) < 19.9)
                found.add(`${el.tagName} ${el.className.baseVal ?? el.className} ${el.textContent.trim().slice(0, 30)}`)
            }
          }
          walk(document.querySelector("[data-testid=stMain]"))
          return [...found]
        }"""
    )
    assert small == []


def test_no_choice_of_languages_is_out_of_view_on_a_phone(app: str, windows: Windows) -> None:
    page = windows(f"{app}/{LANGUAGES}", width=390)
    rows = page.locator(".st-key-languages-choice [role=radiogroup]")
    expect(rows).to_have_count(2)
    assert rows.evaluate_all("rows => rows.filter(row => row.scrollWidth > row.clientWidth).length") == 0


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
