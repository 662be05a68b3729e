"""The page Families as Streamlit runs it, without a browser."""

from __future__ import annotations

import json
from typing import Any

from streamlit.testing.v1 import AppTest

from explorer.words_families import NAMES
from tests.explorer.apps import component, opened, packed

BASE = "bpe~corpus:toy/cat_mat~split:bert~steps:1"


def strips(at: AppTest) -> list[dict[str, Any]]:
    found = [json.loads(block.proto.json) for block in at.get("bidi_component")]
    return [data for data in found if "differs" in data]


def test_three_algorithms_read_one_text() -> None:
    at = opened("families", recipe=BASE, number="80", text=packed("The cat sat on the mat."))
    shown = strips(at)
    assert [data["name"] for data in shown] == list(NAMES.values())
    assert len({tuple(data["differs"]) for data in shown}) == 1
    assert all(data["card"].startswith("token?tokenizer=") for data in shown)
    table = component(at, "columns")
    assert table["columns"][:3] == ["tokenizers", "words cut alike", "of"]
    assert table["rows"][0][0] == "BPE, WordPiece and Unigram"
    assert all(alike <= of for _, alike, of, _ in table["rows"])
    found = [json.loads(block.proto.json) for block in at.get("bidi_component")]
    rows = next(data["rows"] for data in found if "columns" not in data and isinstance(data.get("rows"), list))
    assert all(row["hrefs"][0].startswith("token?tokenizer=") for row in rows)
    assert [row["label"].partition(":")[0] for row in rows] == ["Sennrich", "CLIP", "BERT"]


def test_equal_merges_give_unigram_the_size_of_bpe() -> None:
    at = opened("families", recipe=BASE, equal="merges", number="20")
    facts = [
        json.loads(block.proto.json)["facts"]
        for block in at.get("bidi_component")
        if "share" in json.loads(block.proto.json)
    ]
    sizes = [int(said.split()[0].replace(",", "")) for said in facts]
    assert sizes[2] <= sizes[0]


def test_a_size_that_is_too_small_is_said() -> None:
    at = opened("families", recipe=BASE, number="5")
    assert "vocab_size must be at least" in at.warning[0].value.replace("\\", "")


def test_the_text_may_be_empty() -> None:
    at = opened("families", recipe=BASE, number="80", text=packed(""), rare=packed(""))
    assert not at.exception
