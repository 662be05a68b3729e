"""The page Bytes and runes as Streamlit runs it, without a browser."""

from __future__ import annotations

from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from tests.explorer.apps import component, opened, packed

PAGE = "bytes_and_runes"


def table(at: AppTest) -> dict[str, Any]:
    return component(at, "points")


def test_the_first_visit_has_every_part() -> None:
    at = opened(PAGE)
    assert bytes.fromhex(table(at)["hex"]).decode() == "naïve 世界 👩🏽‍🚀 हि"
    assert [metric.value for metric in at.metric][1:] == ["12", "16", "19", "36"]
    assert (len(at.dataframe), len(at.table)) == (2, 1)


@pytest.mark.parametrize("text", ["", "a", "🙂", "\x00", "<script>alert(1)</script>", "é e\u0301", "a" * 5000])
def test_any_text(text: str) -> None:
    at = opened(PAGE, text=packed(text))
    assert bytes.fromhex(table(at)["hex"]).decode() == text


def test_invalid_bytes_have_rows_and_no_token() -> None:
    at = opened(PAGE, input="hex", hex=packed("47 6F E2 82"))
    data = table(at)
    assert data["hex"] == "476fe282"
    assert [place for place, _ in data["invalid"]] == [2, 3]
    assert data["tokens"]["stops"][-1] == 2
    assert any("2 bytes are no part of a code point" in caption.value for caption in at.caption)


def test_a_mistake_in_hex_is_a_sentence() -> None:
    at = opened(PAGE, input="hex", hex=packed("4F 6"))
    assert "two hex digits" in at.warning[0].value


def test_a_damaged_link_gives_the_default_and_says_so() -> None:
    at = opened(PAGE, text="%%%", input="nothing", code="bpe~corpus:nowhere", letters="maybe")
    assert len(at.warning) == 4
    assert bytes.fromhex(table(at)["hex"]).decode().startswith("naïve")
