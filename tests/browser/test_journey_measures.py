"""Journeys on Measures: pictures without faults, choices that a link keeps, files of one's own, what is saved."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.harness import Windows, check_accessible, settled, shot

expect.set_options(timeout=30_000)  # the first plotly chart takes seconds on a small machine

CODES = "gpt2!o200k_base!bert-base-uncased!qwen2!mistral-7b-v0.1!clip!cl100k_base"
MEASURES = f"measures?texts=sentences&chosen=ko&tokenizers={CODES}"
SIZES = {"light": ("light", 1440), "dark": ("dark", 1440), "phone": ("light", 390), "projector": ("dark", 1920)}
CHARTS = 5


def opened(windows: Windows, url: str, **how: object) -> Page:
    page = windows(url, **how)  # type: ignore[arg-type]
    expect(page.locator(".js-plotly-plot")).to_have_count(CHARTS)
    settled(page)
    return page


@pytest.mark.parametrize("size", SIZES)
def test_pictures_without_faults(app: str, windows: Windows, size: str) -> None:
    theme, width = SIZES[size]
    large = "&large=on" if size == "projector" else ""
    page = opened(windows, f"{app}/{MEASURES}{large}", theme=theme, width=width)
    page.wait_for_timeout(1500)
    shot(page, f"measures-{size}", whole=True)
    if size in ("light", "dark"):
        check_accessible(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_a_measure_is_chosen_and_kept_in_the_link(app: str, windows: Windows) -> None:
    page = opened(windows, f"{app}/{MEASURES}")
    page.get_by_role("combobox", name="Measure").click()
    page.get_by_role("option", name="fertility").click()
    expect(page.get_by_role("heading", name="Fertility", exact=True).first).to_be_visible()
    page.wait_for_function("location.search.includes('measure=fertility')")
    other = opened(windows, page.url)
    expect(other.locator(".st-key-measures-card")).to_contain_text("tokens per word")


def test_files_of_ones_own_are_read_or_refused(app: str, windows: Windows, tmp_path: Path) -> None:
    page = opened(windows, f"{app}/{MEASURES}")
    files = {"en.txt": "one cat\ntwo cats\n", "de.txt": "eine Katze\nzwei Katzen\n", "fr.txt": "un chat\n"}
    for name, text in files.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    page.get_by_role("button", name="Change").click()
    chooser = page.locator("[data-testid=stFileUploaderDropzoneInput]")
    chooser.set_input_files([tmp_path / name for name in files])
    settled(page)
    page.get_by_role("button", name="Read the files").click()
    expect(page.get_by_text("en.txt has 2 and fr.txt has 1")).to_be_visible()
    page.get_by_role("button", name="Remove fr.txt").click()
    settled(page)
    page.get_by_role("button", name="Read the files").click()
    expect(page.get_by_text("files of your own, 2 lines, 2 languages")).to_be_visible()


def test_the_map_is_saved_as_it_stands(app: str, windows: Windows, tmp_path: Path) -> None:
    page = opened(windows, f"{app}/{MEASURES}")
    title = "Tokens for the same text, English = 1"
    for kind, head in {"CSV": b"language,tag,gpt2", "SVG": b"<svg", "PNG": b"\x89PNG"}.items():
        with page.expect_download() as download:
            page.get_by_role("button", name=f"{kind} of {title}", exact=True).click()
        target = tmp_path / kind
        download.value.save_as(target)
        assert target.read_bytes().startswith(head)
