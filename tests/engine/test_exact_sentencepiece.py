"""Mistral, T5 and mT5 give the ids that SentencePiece gives."""

from __future__ import annotations

import io
from functools import cache

import pytest
import sentencepiece
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import corpora
from engine.formats import load
from engine.pretrained import pretrained
from tests.engine.exactness import ANY_TEXT, HOSTILE, check_spans, code, declarations, official_sentencepiece

NAMES = ["mistral-7b-v0.1", "t5-base", "mt5-base"]


@pytest.mark.usefixtures("by_loops")
@pytest.mark.parametrize("name", NAMES)
def test_every_language_and_code(name: str) -> None:
    tokenizer, official = pretrained(name), official_sentencepiece(name)
    for text in [*(text[:1_000] for text in declarations()), *code()]:
        ids = tokenizer.encode(text).ids.tolist()
        assert ids == official.encode(text)
        assert tokenizer.decode(ids) == official.decode(ids)


@pytest.mark.parametrize("name", ["t5-base", "mt5-base"])
@pytest.mark.parametrize("language", ["uk", "kk"])
def test_sums_that_start_anew(name: str, language: str) -> None:
    """Whole texts with so many unknown characters, for t5-base, that a sum goes beyond 100,000."""
    text = corpora.text(f"udhr/{language}")
    assert pretrained(name).encode(text).ids.tolist() == official_sentencepiece(name).encode(text)


@cache
def with_user_defined(kind: str) -> bytes:
    """Train a small model whose user-defined pieces overlap."""
    made = io.BytesIO()
    lines = [line for line in corpora.text("udhr/en").splitlines() if line]
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(lines),
        model_writer=made,
        model_type=kind,
        vocab_size=300,
        user_defined_symbols=["th", "the", "he", "▁of", "▁", "right of", "<sep>"],
        minloglevel=2,
    )
    return made.getvalue()


@pytest.mark.parametrize("kind", ["unigram", "bpe"])
def test_user_defined_pieces_that_overlap(kind: str) -> None:
    tokenizer = load(with_user_defined(kind))
    official = sentencepiece.SentencePieceProcessor(model_proto=with_user_defined(kind))

    @settings(max_examples=200, deadline=None, database=None)
    @given(st.text(st.sampled_from("the ofrigh▁<sep>иx"), max_size=40))
    def check(text: str) -> None:
        assert tokenizer.encode(text).ids.tolist() == official.encode(text)

    check()
    assert tokenizer.encode(corpora.text("udhr/en")).ids.tolist() == official.encode(corpora.text("udhr/en"))


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    "text", [*HOSTILE, "a \u2581<extra_id_1> b <extra_id_2>\u2581<extra_id_3>", "\u2581" * 40, " " * 40]
)
def test_hostile_texts(name: str, text: str) -> None:
    assert pretrained(name).encode(text).ids.tolist() == official_sentencepiece(name).encode(text)
    check_spans(pretrained(name), text)


@pytest.mark.parametrize("name", NAMES)
def test_any_text(name: str) -> None:
    @settings(max_examples=150, deadline=None, database=None)
    @given(ANY_TEXT)
    def check(text: str) -> None:
        ids = pretrained(name).encode(text).ids.tolist()
        assert ids == official_sentencepiece(name).encode(text)
        assert pretrained(name).decode(ids) == official_sentencepiece(name).decode(ids)
        check_spans(pretrained(name), text)

    check()


@pytest.mark.parametrize("name", NAMES)
def test_every_rewritten_code_point(name: str) -> None:
    """Each between two letters, short texts, so that scores stay exact."""
    points = [*range(0x3400), *range(0xA000, 0xAC10), *range(0xF900, 0x10000), *range(0x1D400, 0x1D800)]
    tokenizer, official = pretrained(name), official_sentencepiece(name)
    for start in range(0, len(points), 64):
        text = "".join(f"a{chr(point)}b " for point in points[start : start + 64])
        assert tokenizer.encode(text).ids.tolist() == official.encode(text)


def test_a_space_that_was_put_in_comes_from_no_bytes() -> None:
    encoding = pretrained("mistral-7b-v0.1").encode("Hi 🙂")
    assert encoding.pieces[0] == "\u2581Hi".encode()
    assert encoding.spans.tolist() == [[0, 2], [2, 3], [3, 7]]
