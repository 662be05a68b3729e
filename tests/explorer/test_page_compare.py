"""Compare as Streamlit runs it, without a browser."""

from __future__ import annotations

import json
import threading
from concurrent.futures import ThreadPoolExecutor, wait
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from explorer import state
from explorer.words_compare import ALONE
from tests.explorer.apps import component, opened, packed, widget

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
    assert [strip["name"] for strip in strips(at)] == ["English BPE", "gpt2", "o200k_base"]
    assert len({json.dumps(strip["differs"]) for strip in strips(at)}) == 1
    assert strips(at)[0]["differs"]
    assert component(at, "places")["summary"].endswith("are not shared.")
    assert table(at)["tokenizer"] == ["English BPE", "gpt2", "o200k_base"]
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
    widget(at.selectbox, "compare.fourth").select("none").run()
    assert not at.exception
    assert len(strips(at)) == 5


def test_tokenizers_that_agree() -> None:
    at = opened("compare", first="gpt2", second="gpt2", third="none", text=packed("one two"))
    walker = component(at, "places")
    assert (walker["summary"], walker["places"]) == ("All boundaries are alike.", [])


def test_a_tokenizer_that_is_left_alone_agrees_with_nobody() -> None:
    at = opened("compare", first="gpt2", second="bpe~corpus:toy/gato~size:900000", third="none", text=packed("one two"))
    assert "A training may have" in at.warning[0].value
    assert len(strips(at)) == 1
    walker = component(at, "places")
    assert (walker["summary"], walker["places"]) == (ALONE, [])


def test_an_empty_text() -> None:
    at = opened("compare", **FEW, text=packed(""))
    assert not at.exception
    assert [strip["starts"] for strip in strips(at)] == [[], []]


def test_a_damaged_link_gives_the_default_and_a_word() -> None:
    at = opened("compare", first="bpe~corpus:nowhere", fourth="<script>", text="%%%", price="1" * 500, at="x")
    assert len(at.warning) == 5
    assert [strip["name"] for strip in strips(at)] == ["English BPE", "gpt2", "o200k_base"]


def test_a_unigram_shows_its_path() -> None:
    at = opened("compare", first="t5-base", second="bert-base-uncased", third="none", text=packed("unhappiness"))
    found = [json.loads(block.proto.json) for block in at.get("bidi_component")]
    ways = [data["way"] for data in found if "pre_tokens" in data]
    assert [way["name"] for way in ways] == ["Most probable path", "Longest match"]
    assert ways[0]["rows"][1]["label"].startswith("ln p −")


def test_a_unigram_shows_the_path_of_the_word_that_is_chosen() -> None:
    at = opened("compare", first="t5-base", second="gpt2", third="none", text=packed("one unhappiness 猫"), at="4")
    found = [json.loads(block.proto.json) for block in at.get("bidi_component")]
    word = next(data["way"]["word"] for data in found if "pre_tokens" in data)
    assert bytes.fromhex(word).decode() == "▁unhappiness"


def test_the_approaches_are_trained_and_measured_when_opened() -> None:
    chosen = {"corpus": "toy/cat_mat", "size": "300", "unseen": "zebra", "mixed": "cat 猫"}
    at = opened("compare", **FEW, **chosen, text=packed("the cat"), approaches="on")
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


def test_the_approaches_are_trained_on_a_text_of_ones_own() -> None:
    chosen = {"corpus": "own", "size": "300", "unseen": "zebra", "approaches": "on"}
    at = opened("compare", **FEW, **chosen, text=packed("a dog, a dog"))
    assert not at.get("progress")  # nothing is trained before there is a text
    at.button(key="compare.own-above").click().run()
    assert not at.exception
    columns = table(at, "From words to bytes: every way to cut this text")
    assert columns["unknown, % of bytes"] == [0] * 6
    assert columns["vocabulary, pieces"][0] == 3  # a, dog, the comma
    assert at.text_area(key="compare.own-text").value == "a dog, a dog"


def test_what_is_trained_can_be_cancelled(monkeypatch: pytest.MonkeyPatch) -> None:
    kept, free = state.jobs(), threading.Event()
    monkeypatch.setattr(kept, "_threads", ThreadPoolExecutor(1))
    kept._threads.submit(free.wait, 60)  # so that all of them wait
    at = opened("compare", first="gpt2", second="clip", third="none", size="500", approaches="on", corpus="toy/cat_mat")
    assert at.get("progress")[0].proto.text.startswith("word\\: Waiting")
    at.button(key="compare.approach-jobs-cancel").click().run()
    assert "Cancelled\\, and not finished\\: word\\, char" in " ".join(caption.value for caption in at.caption)
    free.set()
    kept._threads.shutdown()
    monkeypatch.undo()
    at.button(key="compare.approach-jobs-go-on").click().run()
    assert not at.exception
    wait([job.future for job in kept._jobs.values()], timeout=60)
    at.run()
    assert len(table(at, "From words to bytes: every way to cut this text")["approach"]) == 6


def test_a_word_that_the_corpus_has_is_not_unseen() -> None:
    at = opened("compare", **FEW, corpus="toy/cat_mat", size="300", unseen="cat", approaches="on")
    assert "not unseen" in at.warning[0].value
