"""Encoding -> what the token strip draws."""

from __future__ import annotations

import json
import time
import zlib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import engine
from explorer.views.strip import decoded, entries, strip

TEXTS = st.text(st.characters(exclude_categories=["Cs"]) | st.sampled_from("e\u0301👩🏽\u200d🚀 \n\tकषि"), max_size=40)


@pytest.fixture(scope="module")
def bytewise() -> engine.Tokenizer:
    return engine.train("low low lower lowest café", vocab_size=262).tokenizer


@pytest.fixture(scope="module")
def wordpieces() -> engine.Tokenizer:
    counts = {"hug": 10, "pug": 5, "pun": 12, "bun": 4, "hugs": 5}
    return engine.train(counts, "wordpiece", vocab_size=20, pre_tokenizer="bert").tokenizer


def drawn(tokenizer: engine.Tokenizer, text: str, **options: Any) -> dict[str, Any]:
    return strip(tokenizer.encode(text), tokenizer, "mine", **options)


def test_each_token_names_its_span_and_its_entry(bytewise: engine.Tokenizer) -> None:
    data = drawn(bytewise, "low é")
    encoding = bytewise.encode("low é")
    assert [data["entries"][place]["id"] for place in data["entry"]] == encoding.ids.tolist()
    assert list(zip(data["starts"], data["stops"], strict=True)) == [tuple(span) for span in encoding.spans.tolist()]
    assert [bytes.fromhex(data["entries"][place]["piece"]) for place in data["entry"]] == encoding.pieces


def test_an_entry_is_listed_once(bytewise: engine.Tokenizer) -> None:
    data = drawn(bytewise, "aaaa bbbb aaaa")
    ids = [entry["id"] for entry in data["entries"]]
    assert len(ids) == len(set(ids)) < len(data["entry"])


def test_the_fill_is_that_of_the_bytes_a_piece_stands_for(wordpieces: engine.Tokenizer) -> None:
    last = drawn(wordpieces, "bugs")["entries"][-1]
    piece = bytes.fromhex(last["piece"])
    assert piece.startswith(b"##")
    assert last["slot"] == zlib.crc32(piece.removeprefix(b"##")) & 7


def test_unknown_and_special_tokens_say_so(wordpieces: engine.Tokenizer) -> None:
    assert [entry["kind"] for entry in drawn(wordpieces, "ß")["entries"]] == ["unknown"]
    made = engine.train("a b", vocab_size=None, max_steps=0, special_tokens=["<s>"]).tokenizer
    encoding = made.encode("<s>a", special="parse")
    kinds = [entry["kind"] for entry in strip(encoding, made, "x")["entries"]]
    assert kinds == ["special", "token"]


def test_a_word_nobody_has_seen_has_the_id_minus_one() -> None:
    made = engine.train("o gato", "word", vocab_size=10, pre_tokenizer="whitespace").tokenizer
    data = drawn(made, "o pato")
    unknown = data["entries"][data["entry"][1]]
    assert unknown == {"id": -1, "piece": b"<unk>".hex(), "slot": 0, "kind": "unknown"}


def test_what_travels_is_plain_json(bytewise: engine.Tokenizer) -> None:
    data = drawn(bytewise, "low \x00 <script>é", large=True, notation="bytes", marks=False)
    assert json.loads(json.dumps(data)) == data
    assert all(type(number) is int for key in ("starts", "stops", "entry") for number in data[key])
    assert (data["size"], data["notation"], data["marks"]) == ("large", "bytes", False)


def test_an_empty_text_has_no_tokens(bytewise: engine.Tokenizer) -> None:
    data = drawn(bytewise, "")
    assert data["starts"] == data["stops"] == data["entry"] == data["entries"] == []


@given(TEXTS)
def test_spans_tile_the_text_where_the_tokenizer_is_lossless(text: str) -> None:
    tokenizer = engine.from_merges("bytes", [(b"\xcc", b"\x81"), (b"e", b"\xcc\x81")])
    data: dict[str, Any] = drawn(tokenizer, text)
    edges = [0, *data["stops"]]
    assert data["starts"] == edges[:-1]
    assert edges[-1] == len(text.encode())


@given(TEXTS)
def test_decoding_ids_draws_the_text_again(text: str) -> None:
    tokenizer = engine.from_merges("bytes", [(b"\xe0", b"\xa4")])
    encoding = tokenizer.encode(text)
    data: dict[str, Any] = decoded(encoding.ids.tolist(), tokenizer, "x", group="g")
    shown: dict[str, Any] = strip(encoding, tokenizer, "x")
    assert data["text"] == text
    assert (data["starts"], data["stops"]) == (shown["starts"], shown["stops"])


def test_half_a_character_has_a_text_but_no_fills(bytewise: engine.Tokenizer) -> None:
    data = decoded([0x61, 0xC3], bytewise, "x", group="g")
    assert data["text"] == "a�"
    assert data["starts"] == data["entry"] == []


def test_words_that_decoding_sets_apart_keep_their_fills(wordpieces: engine.Tokenizer) -> None:
    ids = wordpieces.encode("hug pun").ids.tolist()
    data: dict[str, Any] = decoded(ids, wordpieces, "x", group="g")
    assert data["text"] == "hug pun"
    assert data["stops"][-1] == 7
    assert len(data["entry"]) == len(ids)


def test_an_id_outside_the_vocabulary_is_named(bytewise: engine.Tokenizer) -> None:
    with pytest.raises(ValueError, match="id must be from 0 to 261, as the vocabulary has 262 pieces; got 262"):
        decoded([262], bytewise, "x", group="g")


def test_ids_are_described_in_the_order_given(bytewise: engine.Tokenizer) -> None:
    assert [entry["id"] for entry in entries(bytewise, [98, 97])] == [98, 97]


def test_one_hundred_kilobytes_of_single_bytes_are_quick() -> None:
    tokenizer = engine.from_merges("bytes", [])
    text = "机器" * 16_666
    started = time.process_time()
    data: dict[str, Any] = strip(tokenizer.encode(text), tokenizer, "x")
    json.dumps(data)
    assert len(data["entry"]) == 99_996
    assert time.process_time() - started < 1.5  # measured 0.25 s on an idle machine
