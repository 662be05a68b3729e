"""A split of a file that a compiled one stands in for: both cut alike wherever the short way is taken."""

from __future__ import annotations

from typing import cast

import pytest
from hypothesis import given, settings

import engine
from engine.pre_tokenizers import Usually
from tests.engine.exactness import ANY_TEXT, HOSTILE, declarations
from tests.engine.hostile import texts

SPLITS = {name: cast(Usually, engine.pretrained(name).pre_tokenizer.split) for name in ("bert-base-uncased", "clip")}
EXTRA = ["<|startoftext|>a<|endoftext|>", "漢a 漢字 a漢", "a\u166db \u1b4e", "  ", "don't 3d"]


@pytest.mark.parametrize("name", SPLITS)
def test_both_ways_cut_alike(name: str) -> None:
    split = SPLITS[name]
    taken = [text for text in [*declarations(), *HOSTILE, *EXTRA] if not split.differs(text)]
    assert len(taken) > 100
    for text in taken:
        assert split.named(text) == split.other(text)


@pytest.mark.parametrize("name", SPLITS)
@settings(max_examples=200, database=None)
@given(text=texts | ANY_TEXT)
def test_any_text_is_cut_alike(name: str, text: str) -> None:
    split = SPLITS[name]
    if not split.differs(text):
        assert split.named(text) == split.other(text)
