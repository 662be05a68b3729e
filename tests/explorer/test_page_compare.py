"""Compare as Streamlit runs it, without a browser."""

from __future__ import annotations

import json
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from tests.explorer.apps import component, opened, packed

CATS = "bpe~corpus:toy/cat_mat~split:whole~steps:40~tie:first"
FEW = {"first": CATS, "second": "gpt2", "third": "none"}


def strips(at: AppTest) -> list[dict[str, Any]]:
    found = [json.loads(block.proto.json) for block in at.get("bidi_component")]
    return [data for data in found if "starts" in data]


def table(at: AppTest, name: str = "In numbers") -> dict[str, list[Any]]:
    """The columns of a table by their heads."""
    found = [json.loads(block.proto.json) for block in at.get("bidi_component")]
    data = next(data for data in found if data.get("name") == name and "columns" in data)
    return {column: [row[i] for row in data["rows"]] for i, column in enumerate(data["columns"])}


def test_the_first_visit_compares_three() -> None:
    at = opened("compare")
    assert [strip["name"] for strip in strips(at)] == ["English", "gpt2", "o200k_base"]
    assert len({json.dumps(strip["differs"]) for strip in strips(at)}) == 1
    assert strips(at)[0]["differs"]
    assert component(at, "places")["summary"].endswith("are not shared.")
    assert table(at)["tokenizer"] == ["English", "gpt2", "o200k_base"]
    assert "cost" not in table(at)


def test_a_price_and_a_window_make_columns() -> None:
    at = opened("compare", **FEW, price="2.50 –", window="128,000")
    columns = table(at)
    assert columns["cost"][0] == pytest.approx(columns["tokens"][0] * 2.5 / 1e6)
    assert columns["cost"][1] is None
    assert columns["share of the window, %"][1] == pytest.approx(100 * columns["tokens"][1] / 128_000, abs=1e-6)


def test_a_wrong_price_is_said() -> None:
    at = opened("compare", **FEW, price="cheap")
    assert "A number is written as 2" in at.warning[0].value
    assert "cost" not in table(at)


def test_a_tokenizer_is_added_and_taken_away() -> None:
    at = opened("compare", **FEW)
    for number in range(3, 7):
        at.button(key="compare.add").click().run()
        assert not at.exception
        assert len(strips(at)) == number
    assert not [button for button in at.button if button.key == "compare.add"]
    at.selectbox(key="compare.fourth").select("none").run()
    assert not at.exception
    assert len(strips(at)) == 5


def test_tokenizers_that_agree() -> None:
    at = opened("compare", first="gpt2", second="gpt2", third="none", text=packed("one two"))
    walker = component(at, "places")
    assert (walker["summary"], walker["places"]) == ("All boundaries are alike.", [])


def test_an_empty_text() -> None:
    at = opened("compare", **FEW, text=packed(""))
    assert not at.exception
    assert [strip["starts"] for strip in strips(at)] == [[], []]


def test_a_damaged_link_gives_the_default_and_a_word() -> None:
    at = opened("compare", first="bpe~corpus:nowhere", fourth="<script>", text="%%%", price="1" * 500, at="x")
    assert len(at.warning) == 5
    assert [strip["name"] for strip in strips(at)] == ["English", "gpt2", "o200k_base"]


def test_a_unigram_shows_its_path() -> None:
    at = opened("compare", first="t5-base", second="bert-base-uncased", third="none", text=packed("unhappiness"))
    found = [json.loads(block.proto.json) for block in at.get("bidi_component")]
    ways = [data["way"] for data in found if "pre_tokens" in data]
    assert [way["name"] for way in ways] == ["Most probable path", "Longest match"]
    assert ways[0]["rows"][1]["label"].startswith("ln p −")


def test_the_approaches_are_trained_and_measured_when_opened() -> None:
    chosen = {"corpus": "toy/cat_mat", "size": "300", "unseen": "zebra", "mixed": "cat 猫"}
    at = opened("compare", **FEW, **chosen, text=packed("the cat"))
    at.session_state["compare.approaches"] = True
    at.run()
    assert not at.exception
    columns = table(at, "From words to bytes: every way to cut this text")
    assert columns["approach"] == ["word", "char", "byte", "BPE", "WordPiece", "Unigram"]
    assert columns["vocabulary, pieces"][2] == 256
    assert columns["tokens"][1:3] == [7, 7]
    assert columns["unknown, % of bytes"] == [0] * 6
    assert columns["unknown in it, %"][2] == 0  # bytes know everything
    assert columns["unknown in it, %"][1] == pytest.approx(100 * 3 / 7, abs=0.01)
    assert [chip["kind"] for chip in columns["the unseen word"][0]] == ["unknown"]
    assert columns["the unseen word"][0][0]["href"] == ""


def test_a_word_that_the_corpus_has_is_not_unseen() -> None:
    at = opened("compare", **FEW, corpus="toy/cat_mat", size="300", unseen="cat")
    at.session_state["compare.approaches"] = True
    at.run()
    assert "not unseen" in at.warning[0].value
