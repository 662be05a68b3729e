"""The export links in Chromium, with a real plotly chart: what the files hold that are saved."""

from __future__ import annotations

import io
import xml.etree.ElementTree as ET
from collections.abc import Callable
from pathlib import Path

import pytest
from PIL import Image
from playwright.sync_api import Page, expect

from tests.browser.figure_pages import CSV
from tests.browser.harness import Theme, Windows, check_accessible, looks, shot

Open = Callable[..., Page]
PAGE = Path(__file__).parent / "figure_pages.py"
SVG = "{http://www.w3.org/2000/svg}"
GROUND = {"light": (255, 255, 255), "dark": (16, 19, 23)}


@pytest.fixture
def show(serve: Callable[[Path], str], windows: Windows) -> Open:
    def opened(*, theme: Theme = "light", width: int = 1440) -> Page:
        page = windows(serve(PAGE), theme=theme, width=width, height=1400)
        page.wait_for_selector(".st-key-the-chart .main-svg")
        page.wait_for_selector(".st-key-map .main-svg image", state="attached")
        return page

    return opened


def saved(page: Page, kind: str, title: str, folder: Path) -> tuple[str, bytes]:
    """Click a link and give the name and the content of the file."""
    with page.expect_download() as download:
        page.get_by_role("button", name=f"{kind} of {title}", exact=True).click()
    target = folder / kind
    download.value.save_as(target)
    return download.value.suggested_filename, target.read_bytes()


def chart_size(page: Page, key: str) -> tuple[int, int]:
    box = page.locator(f".st-key-{key} .main-svg").first.bounding_box()
    assert box is not None
    return round(box["width"]), round(box["height"])


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_svg_stands_alone(show: Open, theme: Theme, tmp_path: Path) -> None:
    page = show(theme=theme)
    name, content = saved(page, "SVG", "Tokens per character", tmp_path)
    assert name == "tokens.svg"
    svg = ET.fromstring(content)
    assert svg.tag == f"{SVG}svg"
    assert (int(svg.attrib["width"]), int(svg.attrib["height"])) == chart_size(page, "the-chart")
    words = ["".join(text.itertext()) for text in svg.iter(f"{SVG}text")]
    assert {"vocabulary size, log scale", "tokens per character"} <= set(words)
    assert "हिन्दी 0.68 & more" in words
    assert len([path for path in svg.iter(f"{SVG}path") if path.get("class") == "js-line"]) == 2
    ground = svg.find(f"{SVG}rect")
    assert ground is not None
    assert ground.attrib["fill"] == f"rgb{GROUND[theme]}"
    assert b"Source Sans" in content
    assert b"http" not in content.replace(b"http://www.w3.org/", b""), "nothing is fetched by who opens it"
    classes = {part.get("class") for part in svg.iter()}
    assert not classes & {"draglayer", "hoverlayer"}


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_png_has_twice_the_pixels_and_the_ink_of_the_page(show: Open, theme: Theme, tmp_path: Path) -> None:
    page = show(theme=theme)
    name, content = saved(page, "PNG", "Tokens per character", tmp_path)
    assert name == "tokens.png"
    image = Image.open(io.BytesIO(content)).convert("RGB")
    width, height = chart_size(page, "the-chart")
    assert image.size == (2 * width, 2 * height)
    assert image.getpixel((2, 2)) == GROUND[theme]
    # Scaled down it is what stands on the page, words in the page's font included.
    # Measured mean distance of grey: 0.27; with another font 0.86, without the upper layers 0.65, with thin lines 0.88.
    page.evaluate("document.activeElement.blur()")
    box = page.locator(".st-key-the-chart .main-svg").first.bounding_box()
    assert box is not None
    clip = {"x": round(box["x"]), "y": round(box["y"]), "width": width, "height": height}
    on_page = Image.open(io.BytesIO(page.screenshot(clip=clip))).convert("L")  # type: ignore[arg-type]
    in_file = image.convert("L").resize(on_page.size, Image.Resampling.BOX)
    pairs = zip(on_page.tobytes(), in_file.tobytes(), strict=True)
    assert sum(abs(one - other) for one, other in pairs) / (width * height) < 0.45


def test_a_heat_map_keeps_its_cells(show: Open, tmp_path: Path) -> None:
    page = show()
    _, content = saved(page, "PNG", "Heat map", tmp_path)
    image = Image.open(io.BytesIO(content)).convert("RGB")
    assert len(set(image.crop((0, 0, image.width, image.height // 2)).getcolors(1 << 20) or [])) > 20
    _, content = saved(page, "SVG", "Heat map", tmp_path)
    (picture,) = (part for part in ET.fromstring(content).iter(f"{SVG}image") if part.get("class") != "layer")
    address = picture.get("href") or picture.get("{http://www.w3.org/1999/xlink}href") or ""
    assert address.startswith("data:image/png")


def test_the_csv_is_the_text_sent(show: Open, tmp_path: Path) -> None:
    name, content = saved(show(), "CSV", "Tokens per character", tmp_path)
    assert name == "tokens.csv"
    assert content.decode() == CSV


def test_a_chart_that_is_not_there_is_said(show: Open) -> None:
    page = show()
    page.get_by_role("button", name="PNG of No chart").click()
    expect(page.get_by_text("The chart is not drawn yet.")).to_be_visible()


def test_the_links_are_accessible(show: Open) -> None:
    page = show()
    for theme, width in looks(page, (1440, 390)):
        shot(page, f"figure-export-{theme}-{width}")
        check_accessible(page)
