"""Whether a text comes back, and if not, where and why."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import engine
from explorer import words
from explorer.views.roundtrip import losses


def lost(text: str, corpus: str = "low lower café", **options: Any) -> list[tuple[str, int]]:
    tokenizer = engine.train(corpus, **{"vocab_size": None, "max_steps": 5} | options).tokenizer
    return [(loss.why, loss.at) for loss in losses(tokenizer.encode(text), tokenizer)]


@given(st.text())
def test_bytes_always_come_back(text: str) -> None:
    tokenizer = engine.from_merges("bytes", [("a", "b")])
    assert losses(tokenizer.encode(text), tokenizer) == []


def test_unknown_characters_are_counted() -> None:
    tokenizer = engine.train("o gato", alphabet="characters", vocab_size=None, max_steps=0).tokenizer
    (loss,) = losses(tokenizer.encode("o gato viu-o: ßß"), tokenizer)
    assert words.loss(*loss) == "Not the same text: 7 characters became <unk>, first at byte 7."


def test_an_unknown_word_counts_its_characters_in_the_original() -> None:
    counts = {"hug": 10, "hugs": 5}
    tokenizer = engine.train(counts, "wordpiece", vocab_size=10, pre_tokenizer="bert").tokenizer
    loss, *_ = losses(tokenizer.encode("hug ähm"), tokenizer)
    assert (loss.why, loss.at, loss.characters, loss.what) == ("unknown", 4, 3, "[UNK]")


@pytest.mark.parametrize(
    ("text", "rule", "expected"),
    [
        ("low LOW", "lowercase", [("case", 4)]),
        ("é E\u0301", "nfc", [("normalization", 3)]),
        ("ab ﬁ", "nfkc", [("normalization", 3)]),
        ("low café", "strip_accents", [("normalization", 7)]),
        ("low", "lowercase", []),
    ],
)
def test_a_rewrite_says_where_it_began(text: str, rule: str, expected: list[tuple[str, int]]) -> None:
    assert lost(text, normalizers=[rule]) == expected


def test_two_rewrites_are_two_losses() -> None:
    assert lost("É", normalizers=["lowercase", "strip_accents"]) == [("case", 0), ("normalization", 0)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("low lower", [("spaces", 3)]),
        ("low", []),
        (" low", [("spaces", 0)]),
        ("low ", [("spaces", 3)]),
        ("   ", [("spaces", 0)]),
        ("", []),
    ],
)
def test_a_split_that_drops_spaces_glues_words(text: str, expected: list[tuple[str, int]]) -> None:
    assert lost(text, pre_tokenizer="whitespace") == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("low lower low", []),
        ("low  lower", [("spaces", 3)]),
        ("low lower\nlow", [("spaces", 9)]),
        ("low lower ", [("spaces", 9)]),
    ],
)
def test_an_end_of_word_brings_back_single_spaces_only(text: str, expected: list[tuple[str, int]]) -> None:
    assert lost(text, pre_tokenizer="whitespace", end_of_word="</w>") == expected


def test_word_pieces_set_punctuation_apart() -> None:
    assert lost("low, lower", "low , lower", algorithm="wordpiece", pre_tokenizer="bert", max_steps=20) == [
        ("spaces", 3)
    ]


def test_metaspace_brings_spaces_back_but_a_first_one() -> None:
    assert lost("low lower", pre_tokenizer="metaspace") == []
    assert lost(" low", pre_tokenizer="metaspace") == [("spaces", 0)]


@given(st.text("abAB éE\u0301\n ", max_size=12), st.sampled_from(["whitespace", "gpt2", "bert", "lines"]))
def test_whatever_is_lost_has_a_reason_inside_the_text(text: str, split: str) -> None:
    tokenizer = engine.train(
        "ab AB",
        alphabet="characters",
        normalizers=["nfc", "lowercase"],
        pre_tokenizer=split,
        max_steps=2,
        vocab_size=None,
    ).tokenizer
    encoding = tokenizer.encode(text)
    found = losses(encoding, tokenizer)
    assert bool(found) == (tokenizer.decode(encoding.ids) != text)
    assert all(0 <= loss.at <= len(text.encode()) for loss in found)
