"""The way from a text to tokens, as data."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import engine
from explorer.views.pipeline import SHOWN, choose, pipeline

TEXT = "The café opens at 08:30, its unhappiness is not included."


@pytest.fixture(scope="module")
def english() -> engine.Tokenizer:
    return engine.train(TEXT * 3, vocab_size=300).tokenizer


@pytest.fixture(scope="module")
def wordpieces() -> engine.Tokenizer:
    counts = {"hug": 10, "pug": 5, "pun": 12, "bun": 4, "hugs": 5}
    return engine.train(counts, "wordpiece", vocab_size=20, normalizers=["lowercase"], pre_tokenizer="bert").tokenizer


def drawn(tokenizer: engine.Tokenizer, text: str, **options: Any) -> dict[str, Any]:
    return pipeline(tokenizer.encode(text), tokenizer, "mine", **options)


def chips(data: dict[str, Any], row: int) -> list[bytes]:
    way = data["way"]
    return [bytes.fromhex(way["entries"][place]["piece"]) for place in way["rows"][row]["entry"]]


def test_the_longest_pre_token_in_view_is_shown(english: engine.Tokenizer) -> None:
    data = drawn(english, TEXT)
    assert data["pre_tokens"][data["chosen"]]["text"] == " unhappiness"
    assert bytes.fromhex(data["way"]["word"]) == b" unhappiness"


@pytest.mark.parametrize(
    ("at", "word"), [(0, "The"), (2, "The"), (3, " café"), (8, " café"), (9, " opens"), (999, ".")]
)
def test_a_byte_chooses_the_pre_token_over_it(english: engine.Tokenizer, at: int, word: str) -> None:
    data = drawn(english, TEXT, at=at)
    assert data["pre_tokens"][data["chosen"]]["text"] == word


def test_every_state_is_a_row_from_bytes_to_the_result(english: engine.Tokenizer) -> None:
    data = drawn(english, TEXT, at=3)
    assert data["way"]["rows"][0]["label"] == "bytes"
    assert chips(data, 0) == [b" ", b"c", b"a", b"f", b"\xc3", b"\xa9"]
    assert all(row["label"].startswith("rank ") for row in data["way"]["rows"][1:])
    assert chips(data, -1) == english.encode(" café").pieces
    lengths = [len(row["entry"]) for row in data["way"]["rows"]]
    assert lengths == sorted(lengths, reverse=True)


def test_color_is_earned_by_a_merge(english: engine.Tokenizer) -> None:
    way = drawn(english, TEXT, at=3)["way"]
    for entry in way["entries"]:
        assert (entry["slot"] == -1) == (len(bytes.fromhex(entry["piece"])) == 1)


def test_word_pieces_match_from_the_left(wordpieces: engine.Tokenizer) -> None:
    data = drawn(wordpieces, "hugs", at=0)
    assert data["way"]["name"] == "Longest match"
    labels = [row["label"] for row in data["way"]["rows"]]
    assert labels == ["word", *(f"match {number}" for number in range(1, len(labels)))]
    assert data["way"]["rows"][0]["entry"] == []
    assert chips(data, -1) == wordpieces.encode("hugs").pieces


def test_a_word_without_a_match_says_so(wordpieces: engine.Tokenizer) -> None:
    data = drawn(wordpieces, "xyz")
    assert [row["label"] for row in data["way"]["rows"]] == ["word", "no match"]
    assert data["way"]["entries"][0]["kind"] == "unknown"


def test_a_look_up_is_one_row() -> None:
    made = engine.train("o gato", "word", vocab_size=10, pre_tokenizer="whitespace").tokenizer
    assert [row["label"] for row in drawn(made, "gato")["way"]["rows"]] == ["looked up"]


def test_what_was_normalized_is_shown(wordpieces: engine.Tokenizer, english: engine.Tokenizer) -> None:
    assert drawn(wordpieces, "HUG")["normalized"] == {"note": "changed by lowercase", "text": "hug", "more": ""}
    assert drawn(wordpieces, "hug")["normalized"]["note"] == "unchanged by lowercase"
    assert drawn(english, "hug")["normalized"]["note"] == "unchanged: mine has no normalizer"
    assert drawn(wordpieces, "A" * 1000)["normalized"]["more"] == "and 400 more characters"


def test_places_are_bytes_of_the_original(wordpieces: engine.Tokenizer) -> None:
    assert [part["at"] for part in drawn(wordpieces, "ÄÖ hug")["pre_tokens"]] == [0, 5]


def test_special_tokens_part_what_stands_around_them() -> None:
    made = engine.train(
        "a b", vocab_size=None, max_steps=0, special_tokens=["<s>"], normalizers=["lowercase"], pre_tokenizer="bert"
    ).tokenizer
    data = pipeline(made.encode("Ab<s>Cd", special="parse"), made, "x")
    assert data["pre_tokens"] == [{"text": "ab", "at": 0}, {"text": "cd", "at": 5}]
    plain = engine.train("a b", vocab_size=None, max_steps=0, special_tokens=["<s>"]).tokenizer
    data = pipeline(plain.encode("Ab<s>Cd", special="parse"), plain, "x")
    assert data["pre_tokens"] == [{"text": "Ab", "at": 0}, {"text": "Cd", "at": 5}]


def test_a_long_pre_token_is_not_drawn() -> None:
    whole = engine.train("ab", pre_tokenizer="whole", vocab_size=None, max_steps=1).tokenizer
    way = drawn(whole, "ab" * 300)["way"]
    assert way["limit"] == "This pre-token has 600 bytes. Its states are drawn up to 400, so that they can be read."
    assert way["rows"] == []
    assert len(drawn(whole, "ab" * 200)["way"]["rows"]) == 2


def test_a_long_text_sends_two_hundred_pre_tokens(english: engine.Tokenizer) -> None:
    text = "ab " * 1000
    data = drawn(english, text, at=1500)
    assert len(data["pre_tokens"]) == 200
    assert data["before"] + 200 + data["after"] == len(english.encode(text).pre_tokens)
    assert data["pre_tokens"][data["chosen"]]["at"] <= 1500 < data["pre_tokens"][data["chosen"] + 1]["at"]


def test_an_empty_text_has_no_way(english: engine.Tokenizer) -> None:
    data = drawn(english, "")
    assert (data["pre_tokens"], data["way"], data["chosen"]) == ([], None, 0)


def test_what_travels_is_plain_json(english: engine.Tokenizer) -> None:
    data = drawn(english, "\x00<script>é")
    assert json.loads(json.dumps(data)) == data


@given(st.text(max_size=30), st.integers(-5, 200))
def test_something_is_chosen_on_any_text(text: str, at: int) -> None:
    tokenizer = engine.from_merges("bytes", [])
    data: dict[str, Any] = drawn(tokenizer, text, at=at)
    assert 0 <= data["chosen"] < max(1, len(data["pre_tokens"]))


def test_only_those_in_view_compete_for_the_longest(english: engine.Tokenizer) -> None:
    text = "a " * SHOWN + "unbelievable"
    encoding = english.encode(text)
    parts = english.explain(text)
    assert choose(parts, None) < SHOWN < len(encoding.pre_tokens)
