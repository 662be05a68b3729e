"""Compiled loops cut words as the models do in Python, whatever the model and the word."""

from __future__ import annotations

import gc
import weakref
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import engine
from engine.models.alphabet import Alphabet
from engine.models.bpe import BPE
from engine.models.concatenation import Concatenations
from engine.tokenizer import Tokenizer
from engine.vocabulary import Pieces
from tests.engine.both_ways import CORPUS, WORDS, check_same
from tests.engine.exactness import HOSTILE
from tests.engine.hostile import broken_texts, texts

pytest.importorskip("numba")

OPTIONS = [
    {"vocab_size": 330},
    {"vocab_size": 330, "end_of_word": "</w>"},
    {"vocab_size": 600, "end_of_word": "</w>", "end_of_word_joined": True},
    {"vocab_size": 80, "alphabet": "seen-bytes"},
    {"vocab_size": 80, "alphabet": "characters"},
    {"vocab_size": 90, "alphabet": "characters", "end_of_word": "</w>"},
    {"vocab_size": 120, "alphabet": "characters", "end_of_word": "</w>", "end_of_word_joined": True},
    {"vocab_size": 300, "special_tokens": ("<pad>", "<eos>")},
]
REAL = ("gpt2", "cl100k_base", "o200k_base", "mistral-7b-v0.1", "clip", "deepseek-v4")


@cache
def _trained(number: int) -> engine.TrainingRun:
    return engine.train(CORPUS, "bpe", **OPTIONS[number])


@pytest.mark.parametrize("number", range(len(OPTIONS)))
@given(words=WORDS, share=st.floats(0, 1))
def test_a_trained_model_and_each_prefix_of_it(number: int, words: list[str], share: float) -> None:
    run = _trained(number)
    check_same(run.tokenizer_at(int(share * len(run.steps))).model, words)


@pytest.mark.parametrize("name", REAL)
@given(words=WORDS)
def test_a_real_model(name: str, words: list[str]) -> None:
    check_same(engine.pretrained(name).model, words)


@given(
    words=st.lists(st.text("abc", min_size=1, max_size=150), min_size=1, max_size=4),
    pieces=st.lists(st.text("abc", min_size=2, max_size=20), unique=True, max_size=12),
    tie=st.booleans(),
    joins=st.booleans(),
    missing=st.sampled_from(["unknown", "bytes"]),
)
def test_a_model_that_merges_by_bytes(
    words: list[str], pieces: list[str], tie: bool, joins: bool, missing: str
) -> None:
    table = [b"?", b"a", b"b", *(piece.encode() for piece in pieces), *(b"<%02x>" % byte for byte in range(256))]
    made = list(range(3, 3 + len(pieces)))
    fallback = range(len(table) - 256, len(table)) if missing == "bytes" else ()
    pairs = Concatenations([None, *table[1 : 3 + len(pieces)], *[None] * 256], {table[id]: id - 3 for id in made})
    tied = [min(rank | 3, len(made) - 1) for rank in range(len(made))] if tie else ()
    alphabet = Alphabet("characters", {b"a": 1, b"b": 2}, 0, fallback=fallback, joins_unknown=joins)
    whole = {table[id]: id - 3 for id in made[::3]}
    check_same(BPE(alphabet, Pieces(table), pairs, made, len(made), whole, tied), words)


@pytest.mark.parametrize("name", ["gpt2", "cl100k_base", "mistral-7b-v0.1", "clip"])
def test_a_long_text_is_encoded_by_loops_as_by_python(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    tokenizer = engine.pretrained(name)
    text = "\n".join([*HOSTILE, CORPUS * 3, "a" * 3_000, "^" * 3_000])
    monkeypatch.setattr("engine.tokenizer.serve", lambda size, least=0: False)
    python = tokenizer.encode(text)
    monkeypatch.setattr("engine.tokenizer.serve", lambda size, least=0: True)
    for loops in (tokenizer.encode(text), tokenizer.encode(text, placed=True)):
        for column in ("ids", "spans", "pre_tokens", "words"):
            assert np.array_equal(getattr(python, column), getattr(loops, column))
        assert python.ids.dtype == loops.ids.dtype == np.int32


@given(
    name=st.sampled_from(["gpt2", "o200k_base", "bert-base-uncased", "qwen2"]),
    text=texts | broken_texts,
    part=st.integers(1, 9),
)
def test_a_text_that_is_read_in_parts_is_encoded_like_the_whole(name: str, text: str, part: int) -> None:
    tokenizer = engine.pretrained(name)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("engine.text_parts._PART", part)
        patch.setattr("engine.tokenizer.serve", lambda size, least=0: True)
        loops = tokenizer.encode(text)
        patch.setattr("engine.tokenizer.serve", lambda size, least=0: False)
        assert np.array_equal(loops.ids, tokenizer.encode(text).ids)


def test_a_text_may_have_more_tokens_than_characters() -> None:
    text = "".join(map(chr, range(0x3400, 0x4D00)))  # Han that is rare: three tokens of GPT-2 each
    tokenizer = engine.pretrained("gpt2")
    ids = tokenizer.encode(text * 20).ids
    assert len(ids) > 2.5 * 20 * len(text)
    assert tokenizer.decode(ids) == text * 20


def test_memory_of_words_serves_again_without_them() -> None:
    from engine.models.words_kept import WordsKept, leave

    first = WordsKept.empty(1 << 15)
    first.slots[:] = first.state[:] = 7
    leave([first])
    second = WordsKept.empty(1 << 14)
    assert second.memory is first.memory
    assert len(second.slots) == 4 << 14
    assert not second.slots.any()
    assert not second.state.any()


def test_a_tokenizer_that_nobody_needs_goes_at_once() -> None:
    tokenizer = replace(engine.pretrained("gpt2"))
    tokenizer.encode("words " * 1000)
    gone = weakref.ref(tokenizer)
    gc.disable()  # which would find it some time later, and leave a process with the words of many
    try:
        del tokenizer
        assert gone() is None
    finally:
        gc.enable()


def test_words_are_forgotten_when_there_are_too_many(monkeypatch: pytest.MonkeyPatch) -> None:
    from engine.models import words_kept

    monkeypatch.setattr(words_kept, "FEWEST", 1 << 9)
    monkeypatch.setattr(words_kept, "MOST", 1 << 10)
    words = [f"{number:05} and some more to make it longer" for number in range(1_500)]
    check_same(engine.pretrained("gpt2").model, words)


def test_a_prefix_shares_its_tables() -> None:
    run = engine.train(CORPUS, vocab_size=300)
    first, second = run.tokenizer_at(3).model.loops(), run.tokenizer_at(9).model.loops()
    assert first._arrays[4] is second._arrays[4]


def test_a_model_that_the_loops_cannot_read_is_left_to_python() -> None:
    alphabet = Alphabet("characters", {b"a": 0}, 0, "</w>", fallback=tuple(range(256)))
    model = BPE(alphabet, Pieces([b"a"]), {}, (), 0)
    assert model.loops() is None
    assert Tokenizer(model).encode("a" * 5_000).ids.tolist()[:2] == [0, 0]
