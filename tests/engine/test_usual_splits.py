"""A split of a file that a compiled one stands in for: both cut alike wherever the short way is taken."""

from __future__ import annotations

from functools import partial
from typing import cast

import pytest
import regex
from hypothesis import given, settings
from hypothesis import strategies as st

import engine
from engine.formats.deepseek_split import DEEPSEEK, DEEPSEEK_STEPS
from engine.formats.hub_fields import Fields
from engine.formats.hub_splits import CLIP_STEP_OF_SPECIALS, by_behavior, in_turn, read
from engine.formats.source import Source
from engine.pre_tokenizers import Usually
from tests.engine.exactness import ANY_TEXT, HOSTILE, declarations
from tests.engine.hostile import texts

CLIP = {"type": "Sequence", "pretokenizers": [CLIP_STEP_OF_SPECIALS, {"type": "ByteLevel", "add_prefix_space": False}]}
SPLITS = {
    "bert-base-uncased": cast(Usually, engine.pretrained("bert-base-uncased").pre_tokenizer.split),
    "clip": cast(Usually, read(CLIP, Fields(Source.of(b"{}"), CLIP))[0].split),
}
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


BETWEEN = [
    *"\u3040\u3097\u3098\u3099か゛ア・ー゠龥龦〇\u200b\x00\u0301Ⅷ٣é(.€\u3000\u2028\t\r\n 1aA",
    "(a",
    "  ",
    "\r\n",
    "1234",
]


def test_three_splits_of_deepseek_are_one():
    assert engine.pretrained("deepseek-v4").pre_tokenizer.split is DEEPSEEK


@settings(max_examples=500, database=None)
@given(text=texts | ANY_TEXT | st.lists(st.sampled_from(BETWEEN)).map("".join))
def test_one_split_of_deepseek_cuts_as_three_in_turn(text: str) -> None:
    patterns = [regex.compile(step["pattern"]["Regex"], regex.MULTILINE) for step in DEEPSEEK_STEPS]
    assert DEEPSEEK(text) == in_turn([partial(by_behavior, each, "Isolated", False) for each in patterns], text)
