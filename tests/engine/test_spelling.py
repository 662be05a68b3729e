"""Long texts are decoded by a compiled loop as short ones are by Python."""

from __future__ import annotations

import sys
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import engine
from engine import spelling
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


LONG = st.text(st.sampled_from("low eé🙂▁'ß世界нкत्स\n"), min_size=1, max_size=40)


@pytest.mark.parametrize("name", ["gpt2", "o200k_base", "t5-base", "spaces", "characters"])
@settings(max_examples=40)
@given(text=LONG, times=st.integers(1, 30), part=st.sampled_from([4, 1 << 16]), lost=st.none() | st.integers(0, 2_000))
def test_long_texts_are_the_same_both_ways(name: str, text: str, times: int, part: int, lost: int | None) -> None:
    tokenizer = _tokenizer(name)
    ids = tokenizer.encode(text * times).ids.tolist()
    if lost is not None and ids:  # in many vocabularies, the rest is no UTF-8
        del ids[lost % len(ids)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(spelling, "_PART", part)
        assert _outcome(tokenizer, ids, False, True) == _outcome(tokenizer, ids, False, False)


@pytest.mark.parametrize("letter", ["a", "é", "ÿ", "Ā", "世", "\uffff", "🙂", "\U0010ffff"])
def test_a_text_that_was_written_by_loops_is_a_str_like_any_other(letter: str) -> None:
    tokenizer = engine.train(letter, vocab_size=257, alphabet="bytes").tokenizer
    text = f"ab{letter}c" * 100
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("engine.tokenizer.serve", lambda size, least=0: True)
        read = tokenizer.decode(tokenizer.encode(text).ids)
    assert (read, hash(read), {read: 1}[text]) == (text, hash(text), 1)
    assert sys.getsizeof(read) == sys.getsizeof("".join(text))
    assert read.isascii() == text.isascii()
    assert read + letter == text + letter


def test_vocabularies_too_large_for_the_loops_are_decoded_without_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    tokenizer = engine.train("low lower é", vocab_size=260).tokenizer
    monkeypatch.setattr("engine.tokenizer.serve", lambda size, least=0: True)
    monkeypatch.setattr("engine.kernels.read_ids.LARGEST", 1)
    assert tokenizer.decode(tokenizer.encode("lower é").ids) == "lower é"


@pytest.mark.parametrize("ids", [[1.0], "12", np.array([[1, 2]]), 5])
def test_ids_are_whole_numbers(ids: object) -> None:
    with pytest.raises((ValueError, TypeError), match=r"ids must be whole numbers in a row|has no len"):
        engine.codepoints().decode(ids)  # type: ignore[arg-type]
