"""Unigram, WordPiece and look-up by compiled loops: as in Python, whatever the model and the word."""

from __future__ import annotations

from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

import engine
from engine.model import Loops
from engine.models.lookup import Lookup
from engine.models.unigram import Unigram
from engine.models.wordpiece import WordPiece
from engine.vocabulary import Pieces
from tests.engine.both_ways import CORPUS, WORDS, check_same

pytest.importorskip("numba")

SCORES = st.floats(-20, 0, width=32)


@cache
def _wordpiece() -> engine.TrainingRun:
    return engine.train(CORPUS, "wordpiece", 90, pre_tokenizer="whitespace")


@given(words=WORDS, share=st.floats(0, 1))
def test_a_trained_wordpiece_and_each_prefix_of_it(words: list[str], share: float) -> None:
    run = _wordpiece()
    check_same(run.tokenizer_at(int(share * len(run.steps))).model, words)


@given(
    words=st.lists(st.text("ab#é", min_size=1, max_size=12), min_size=1, max_size=4),
    texts=st.lists(st.text("ab#é", max_size=4), unique=True, min_size=1, max_size=14),
    learned=st.integers(0, 14),
    longest=st.integers(1, 12),
)
def test_any_wordpiece(words: list[str], texts: list[str], learned: int, longest: int) -> None:
    ids = {text: id for id, text in enumerate(texts)}
    pieces = Pieces([text.encode() for text in texts])
    check_same(WordPiece(pieces, ids, 0, min(learned, len(texts)), len(texts), longest_word=longest), words)


@given(
    words=st.lists(st.one_of(st.text("abé🙂", max_size=3), st.just("ab" * 40)), min_size=1, max_size=8),
    texts=st.lists(st.one_of(st.text("abé", max_size=3), st.just("ab" * 40)), unique=True, max_size=14),
    by_character=st.booleans(),
    unknown=st.sampled_from([None, 0]),
    size=st.integers(0, 14),
)
def test_any_look_up(words: list[str], texts: list[str], by_character: bool, unknown: int | None, size: int) -> None:
    ids = {text: id for id, text in enumerate(texts)}
    pieces = Pieces([text.encode() for text in texts])
    check_same(Lookup(by_character, pieces, ids, unknown, min(size, len(texts)), size), words)


@given(
    words=st.lists(st.text("abé🙂", min_size=1, max_size=30), min_size=1, max_size=4),
    texts=st.lists(st.text("abé", min_size=1, max_size=4), unique=True, max_size=14),
    scores=st.lists(SCORES, min_size=15, max_size=15),
    single=st.booleans(),
    joins=st.booleans(),
    falls_back=st.booleans(),
    favored=st.sets(st.integers(1, 14)),
)
def test_any_unigram(
    words: list[str],
    texts: list[str],
    scores: list[float],
    single: bool,
    joins: bool,
    falls_back: bool,
    favored: set[int],
) -> None:
    ids = {text: id for id, text in enumerate(texts, 1)}
    size = len(texts) + 1
    fallback = range(size, size + 256) if falls_back else ()
    table = Pieces([b"<unk>", *(text.encode() for text in texts), *(b"<0x%02X>" % byte for byte in range(256))])
    scores = [*scores[:size], *[0.0] * 256]
    kept = frozenset(id for id in favored if id < size)
    check_same(Unigram(table, ids, scores, 0, 0, tuple(fallback), kept, single, joins), words)


def test_long_sums_start_anew() -> None:
    table = Pieces([b"<unk>", b"a", b"aa", b"b"])
    model = Unigram(table, {"a": 1, "aa": 2, "b": 3}, [0.0, -1234.567, -2468.25, -999.125], 0, single=True)
    check_same(model, ["ab" * 400 + "a" * 901])


@pytest.mark.parametrize("name", ["bert-base-uncased", "t5-base", "mt5-base"])
@given(words=WORDS)
def test_a_real_model(name: str, words: list[str]) -> None:
    check_same(engine.pretrained(name).model, words, _loops(name))


@cache
def _loops(name: str) -> Loops | None:
    return engine.pretrained(name).model.loops()


@pytest.mark.parametrize("name", ["bert-base-uncased", "t5-base", "mt5-base"])
def test_a_long_text_is_encoded_by_loops_as_by_python(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    tokenizer = engine.pretrained(name)
    found = []
    for by_loops in (False, True):
        monkeypatch.setattr("engine.tokenizer.serve", lambda size, least=0, answer=by_loops: answer)
        found.append(tokenizer.encode(CORPUS * 20))
    python, loops = found
    assert python.ids.tolist() == loops.ids.tolist()
    assert python.spans.tolist() == loops.spans.tolist()
