"""The Languages page as Streamlit runs it, without a browser; on the five languages that are quick to read."""

from __future__ import annotations

import json

import pytest

from explorer.views import mixes
from tests.explorer.apps import opened

PAGE = "languages"
FIVE = mixes.MIXES[mixes.SENTENCES]


@pytest.mark.parametrize("algorithm", mixes.ALGORITHMS)
def test_ten_sentences_in_five_languages(algorithm: str) -> None:
    at = opened(
        PAGE,
        code=mixes.recipe(FIVE, algorithm, 500, sentences=True),
        texts="sentences",
        named=",".join(FIVE),
        numbers="on",
    )
    assert not at.warning
    assert len(at.get("plotly_chart")) == 2
    tables = [json.loads(part.proto.json) for part in at.get("bidi_component") if part.proto.json]
    table = next(data for data in tables if "columns" in data)
    rows = [dict(zip(table["columns"], row, strict=True)) for row in table["rows"]]
    assert {row["tag"] for row in rows} == set(FIVE)
    assert {row["relative to English"] for row in rows if row["tag"] == "en"} == {1.0}


def test_measures_change_the_figure() -> None:
    code = mixes.recipe(FIVE, "bpe", 500, sentences=True)
    titles = []
    for measure in ("tokens", "per character", "relative"):
        at = opened(PAGE, code=code, texts="sentences", measure=measure, parameters="on")
        titles.append(at.header[0].value)
    assert titles == ["Tokens", "Tokens per character", "Tokens, English = 1"]


def test_a_chosen_language_without_a_text_gives_way_to_english() -> None:
    at = opened(PAGE, code=mixes.recipe(FIVE, "bpe", 500, sentences=True), texts="sentences", chosen="th")
    assert not at.exception
    assert len(at.get("plotly_chart")) == 2


def test_hostile_settings_give_the_default_and_a_word() -> None:
    code = mixes.recipe(FIVE, "bpe", 500, sentences=True)
    at = opened(PAGE, code=code, texts="sentences", measure="<script>", width="0", chosen="xx", named="en,<b>")
    assert len(at.warning) == 4


def test_a_size_that_cannot_be_is_a_sentence() -> None:
    at = opened(PAGE, code="bpe~corpus:sentences/en~size:10", texts="sentences")
    assert "vocab_size must be at least 256" in at.warning[0].value


def test_a_projector_has_the_figures_below_each_other() -> None:
    code = mixes.recipe(FIVE, "bpe", 500, sentences=True)
    at = opened(PAGE, code=code, texts="sentences", large="on", parameters="on")
    assert not at.warning
    assert len(at.get("plotly_chart")) == 2
    assert all('"size":12' not in chart.proto.spec for chart in at.get("plotly_chart"))
