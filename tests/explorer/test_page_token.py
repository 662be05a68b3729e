"""The card of a token as Streamlit runs it, without a browser."""

from __future__ import annotations

import json
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

import engine
from explorer.recipes import digest
from tests.explorer.apps import component, opened, packed

CATS = "bpe~corpus:toy/cat_mat~split:whole~steps:40~tie:first"


def tables(at: AppTest) -> dict[str, list[list[Any]]]:
    found = [json.loads(block.proto.json) for block in at.get("bidi_component")]
    return {data["name"]: data["rows"] for data in found if "columns" in data}


def test_the_card_of_a_real_token() -> None:
    (id,) = engine.pretrained("gpt2").encode(" whale").ids.tolist()
    at = opened("token", tokenizer="gpt2", id=str(id))
    head = component(at, "flags")
    assert bytes.fromhex(head["piece"]) == b" whale"
    assert head["flags"] == []
    assert any("stands " in value for _, value in head["facts"])
    root = component(at, "root")["root"]
    assert root["id"] == id
    assert b"".join(bytes.fromhex(part["piece"]) for part in root["parts"]) == b" whale"
    assert root["rank"] > max(part["rank"] or 0 for part in root["parts"])
    found = tables(at)
    assert [row[2] for row in found["Code points"]][:2] == ["SPACE", "LATIN SMALL LETTER W"]
    assert found["Relatives in the vocabulary"][0][0] == "without a space"
    others = {row[0]: row for row in found["The same bytes in the other tokenizers"]}
    assert {"English BPE", "Ten-language BPE", "o200k_base", "clip"} <= set(others)
    assert others["o200k_base"][1] == 1
    assert others["o200k_base"][2][0]["href"].startswith("token?tokenizer=o200k_base&")


def test_the_card_of_a_token_trained_here_has_counts() -> None:
    at = opened("token", tokenizer=CATS, id="260", corpus="toy/cat_mat")
    root = component(at, "root")["root"]
    assert root["count"] > 0
    assert root["rank"] == 4


@pytest.mark.parametrize(
    ("tokenizer", "id", "flag"),
    [
        ("gpt2", 50256, "special"),
        ("gpt2", 188, "byte"),
        ("gpt2", 447, "partial"),
        ("bert-base-uncased", 100, "unknown"),
        ("bert-base-uncased", 1, "unreachable"),
    ],
)
def test_odd_tokens_are_flagged(tokenizer: str, id: int, flag: str) -> None:
    at = opened("token", tokenizer=tokenizer, id=str(id))
    assert flag in [name for name, _ in component(at, "flags")["flags"]]


@pytest.mark.parametrize("tokenizer", ["t5-base", "bert-base-uncased", "mistral-7b-v0.1", "clip", "deepseek-v4"])
def test_every_kind_of_model_has_a_card(tokenizer: str) -> None:
    at = opened("token", tokenizer=tokenizer, id="1500")
    assert not at.exception
    assert component(at, "flags")["facts"]


def test_an_id_that_stands_for_nothing_is_said() -> None:
    assert "must be from 0 to" in opened("token", tokenizer="gpt2", id="60000").warning[0].value
    assert "unused" in opened("token", tokenizer="o200k_base", id="200000").warning[0].value


def test_damaged_links_give_the_default_and_a_word() -> None:
    at = opened("token", tokenizer="file.deadbeef", id="-1", corpus="<b>")
    assert len(at.warning) == 3
    assert component(at, "flags")["facts"][0][1].startswith("464 of")


def test_a_corpus_of_ones_own_counts() -> None:
    name = digest("The The end")
    at = opened("token", corpus=f"text.{name}", **{f"t.{name}": packed("The The end")})
    assert any("stands once" in value for _, value in component(at, "flags")["facts"])
