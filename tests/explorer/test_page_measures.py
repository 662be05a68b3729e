"""The Measures page as Streamlit runs it, without a browser; on the five languages that are quick to read."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from explorer.state import keep_parallel, own_parallel
from explorer.views.measures import MEASURES
from explorer.views.parallel import of_files
from tests.explorer.apps import opened

CODES = "gpt2!bert-base-uncased!bpe~corpus:toy/cat_mat~steps:20"
FOUR_CHARTS = 5


def shown(**query: str) -> AppTest:
    """Open the page, and wait until all is read."""
    at = opened("measures", **{"tokenizers": CODES, "texts": "sentences", "chosen": "ko", **query})
    deadline = time.monotonic() + 60
    while not at.get("plotly_chart") and time.monotonic() < deadline:
        at.run()
    assert not at.exception
    assert len(at.get("plotly_chart")) == FOUR_CHARTS
    return at


def payload(at: AppTest, column: str) -> dict[str, Any]:
    """Return what the browser is given for the table whose first column has a name."""
    made = [json.loads(part.proto.json) for part in at.get("bidi_component") if part.proto.json]
    return next(data for data in made if data.get("columns", [""])[0] == column)


def written(at: AppTest) -> str:
    return "\n".join(part.value for part in [*at.markdown, *at.caption, *at.warning]).replace("\\", "")


@pytest.mark.parametrize("measure", MEASURES)
def test_every_measure_has_its_figures_and_its_card(measure: str) -> None:
    at = shown(measure=measure)
    assert not at.warning
    text = written(at)
    for part in ("Formula", "Unit", "Source", "Comparable only if"):
        assert text.count(f"**{part}**") == 3  # of the measure, of Gini and of the parameters


def test_the_map_has_a_row_a_language_and_the_table_a_row_a_tokenizer() -> None:
    at = shown()
    heat = json.loads(at.get("plotly_chart")[0].proto.spec)
    assert len(heat["data"][0]["text"]) == 5
    assert [row[0] for row in payload(at, "tokenizer")["rows"]][:2] == ["gpt2", "bert-base-uncased"]
    assert "Question mark" in written(at)


def test_a_ranking_of_languages_and_all_numbers() -> None:
    at = shown(bars="languages", ranked="on", everything="on", real="gpt2", numbers="on")
    assert len(payload(at, "language")["rows"]) == 5 * 3
    bars = json.loads(at.get("plotly_chart")[1].proto.spec)
    assert bars["data"][0]["customdata"][0][0] == "English"
    assert at.header[1].value == "Tokens for the same text, English = 1, by gpt2"


def test_the_match_says_whether_the_text_was_trained_on() -> None:
    code = "bpe~corpus:sentences/en~steps:40"
    trained = shown(trained=code, match="sentences/en", target="gpt2")
    assert "This text was trained on" in written(trained)
    held_out = shown(trained=code, chosen="en")
    assert "Held out: no line of this text was trained on." in written(held_out)
    real = shown(trained="gpt2", match="sentences/en", target="gpt2")
    assert "is not known here" in written(real)
    assert "needs" in written(real)


def test_a_text_of_ones_own_is_asked_for() -> None:
    at = opened("measures", tokenizers="gpt2", texts="sentences", match="own")
    at.run()
    assert "Paste a text." in written(at)


def test_files_that_are_gone_are_asked_for_and_all_else_of_the_link_waits() -> None:
    passages = of_files({"en.txt": "one\ntwo", "tlh.txt": "wa’\ncha’"})
    at = opened("measures", tokenizers="gpt2", texts=keep_parallel(passages), chosen="tlh", measure="fertility")
    assert not at.warning
    own_parallel().clear()
    at.run()
    assert "This view needs 2 parallel files (en, tlh) of 2 lines" in written(at)
    assert not at.get("plotly_chart")
    keep_parallel(passages)
    at.run()
    assert not at.warning
    assert at.selectbox(key="measures.chosen").value == "tlh"
    assert at.header[0].value == "Fertility"
    own_parallel().clear()


def test_the_card_leads_to_the_curves_and_back() -> None:
    at = shown(measure="code points per token", chosen="ko")
    at.button(key="measures.to-languages").click()
    assert not at.run().exception
    settings = at.session_state["view.languages"]
    assert {name: settings[name] for name in ("measure", "chosen", "texts")} == {
        "measure": "per character",
        "chosen": "ko",
        "texts": "sentences",
    }
    at = shown(measure="fertility")
    assert "measures.to-languages" not in {button.key for button in at.button}


def test_hostile_settings_give_the_default_and_a_word() -> None:
    at = opened("measures", tokenizers="<script>", texts="sentences", measure="<b>", width="0", chosen="<i>", base="x")
    assert len(at.warning) == 3
    at = opened("measures", tokenizers="bpe~corpus:sentences/en~size:10!gpt2", texts="sentences", trained="gpt2")
    assert "vocab_size must be at least 256" in written(at)


def test_nothing_to_measure_is_said() -> None:
    at = opened("measures", tokenizers="", texts="sentences")
    assert "there is nothing to measure" in written(at)


def test_a_cancel_shows_what_is_there_and_goes_on() -> None:
    at = shown()
    at.session_state["measures.cancelled"] = (tuple(CODES.split("!")), "sentences")
    at.run()
    assert "3 of 3 tokenizers are read" in written(at)
    at.button(key="measures.go-on").click().run()
    assert "tokenizers are read" not in written(at)
