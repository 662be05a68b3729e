"""Long texts are decoded by a compiled loop as short ones are by Python."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import engine
from engine.tokenizer import Tokenizer

pytest.importorskip("numba")

TRAINED = {
    "bytes": {"algorithm": "bpe", "vocab_size": 300, "special_tokens": ("<pad>",)},
    "marked": {"algorithm": "bpe", "vocab_size": 300, "end_of_word": "</w>"},
    "characters": {"algorithm": "bpe", "vocab_size": 60, "alphabet": "characters"},
    "wordpiece": {"algorithm": "wordpiece", "vocab_size": 60, "pre_tokenizer": "bert"},
    "words": {"algorithm": "word", "vocab_size": 9, "pre_tokenizer": "whitespace"},
    "char": {"algorithm": "char", "vocab_size": 20},
    "spaces": {"algorithm": "bpe", "vocab_size": 300, "pre_tokenizer": "metaspace"},
}
NAMES = ["code points", *TRAINED, *engine.pretrained_names()]


@cache
def _tokenizer(name: str) -> Tokenizer:
    if name == "code points":
        return engine.codepoints()
    if name in TRAINED:
        return engine.train("low lower lowest, newer é🙂", **TRAINED[name]).tokenizer
    return engine.pretrained(name)


def _outcome(tokenizer: Tokenizer, ids: list[int], skip: bool, by_loops: bool) -> object:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("engine.tokenizer.serve", lambda size, least=0: by_loops)
        try:
            numbers = np.array(ids, np.int32)
            text, data = tokenizer.decode(numbers, skip), tokenizer.decode_bytes(ids, skip)
        except ValueError as error:
            return str(error)
    return text, data


@pytest.mark.parametrize("name", NAMES)
@given(data=st.data(), skip=st.booleans())
def test_both_ways_give_the_same_text(name: str, data: st.DataObject, skip: bool) -> None:
    tokenizer = _tokenizer(name)
    special = sorted(tokenizer.vocabulary.specials.values())
    some = st.one_of(st.integers(-1, tokenizer.vocab_size), st.sampled_from([*special, 0, 1]))
    ids = data.draw(st.lists(some, max_size=12))
    assert _outcome(tokenizer, ids, skip, True) == _outcome(tokenizer, ids, skip, False)


@pytest.mark.parametrize("name", NAMES)
@given(text=st.text(st.sampled_from("low erst,é🙂▁'!d"), max_size=30), skip=st.booleans())
def test_both_ways_give_the_same_text_for_what_was_encoded(name: str, text: str, skip: bool) -> None:
    tokenizer = _tokenizer(name)
    ids = tokenizer.encode(text).ids.tolist()
    assert _outcome(tokenizer, ids, skip, True) == _outcome(tokenizer, ids, skip, False)


@pytest.mark.parametrize("ids", [[1.0], "12", np.array([[1, 2]]), 5])
def test_ids_are_whole_numbers(ids: object) -> None:
    with pytest.raises((ValueError, TypeError), match=r"ids must be whole numbers in a row|has no len"):
        engine.codepoints().decode(ids)  # type: ignore[arg-type]
