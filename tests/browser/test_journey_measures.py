"""Journeys on Measures: pictures without faults, choices that a link keeps, files of one's own, what is saved."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.harness import SIZES, Windows, check_accessible, settled, shot, sizes

expect.set_options(timeout=30_000)  # the first plotly chart takes seconds on a small machine

CODES = "gpt2!o200k_base!bert-base-uncased!qwen2!mistral-7b-v0.1!clip!cl100k_base"
MEASURES = f"measures?texts=sentences&chosen=ko&tokenizers={CODES}"
CHARTS = 5


def opened(windows: Windows, url: str, **how: object) -> Page:
    page = windows(url, **how)  # type: ignore[arg-type]
    expect(page.locator(".js-plotly-plot")).to_have_count(CHARTS)
    settled(page)
    return page


# A phone's page is drawn twice, the first time in vain, and its choices once stood at the first of each list.
@pytest.mark.parametrize("looks", [("light", "dark", "projector"), ("phone",)])
def test_pictures_without_faults(app: str, windows: Windows, looks: tuple[str, ...]) -> None:
    page = opened(windows, f"{app}/{MEASURES}", width=SIZES[looks[0]][1])
    for size in sizes(page, *looks):
        expect(page.locator(".js-plotly-plot")).to_have_count(CHARTS)
        expect(page.get_by_role("combobox", name="Highlighted tokenizer")).to_have_value("o200k_base")
        page.wait_for_timeout(1000)
        shot(page, f"measures-{size}", whole=True)
        if size in ("light", "dark"):
            check_accessible(page)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


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
    page.wait_for_function("location.search.includes('~lines:2~files:2~of:en%2Bde')")
    others = windows(re.sub(r"file\.[0-9a-f]{16}", "file." + "0" * 16, page.url))
    expect(others.get_by_text("This view needs 2 parallel files (en, de) of 2 lines")).to_be_visible()
    others.locator("[data-testid=stFileUploaderDropzoneInput]").set_input_files(
        [tmp_path / "en.txt", tmp_path / "de.txt"]
    )
    expect(others.get_by_text("These are others")).to_be_visible()
    others.get_by_role("button", name="Measure these instead").click()
    expect(others.get_by_text("files of your own, 2 lines, 2 languages")).to_be_visible()


def test_the_map_is_saved_as_it_stands(app: str, windows: Windows, tmp_path: Path) -> None:
    page = opened(windows, f"{app}/{MEASURES}")
    title = "Tokens for the same text, English = 1"
    for kind, head in {"CSV": b"language,tag,gpt2", "SVG": b"<svg", "PNG": b"\x89PNG"}.items():
        with page.expect_download() as download:
            page.get_by_role("button", name=f"{kind} of {title}", exact=True).click()
        target = tmp_path / kind
        download.value.save_as(target)
        assert target.read_bytes().startswith(head)
