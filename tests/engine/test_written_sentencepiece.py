"""What is trained here and saved as `.model` has the same ids in SentencePiece, or is refused."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import sentencepiece
from hypothesis import given, settings

import engine
from engine import corpora
from engine.formats.sentencepiece_writer import write
from tests.engine.exactness import ANY_TEXT, HOSTILE, declarations
from tests.engine.hostile import texts

TEXT = "\n".join(corpora.text(f"udhr/{name}")[:2_500] for name in ("en", "fi", "ja", "hi", "ar"))
SPECIALS = ["<pad>", "<eos>"]


def unigram(split: str = "dummy-prefix", size: int = 900, **options: Any) -> engine.Tokenizer:
    lines = TEXT.splitlines()
    return engine.train(lines, "unigram", size, pre_tokenizer=split, special_tokens=SPECIALS, **options).tokenizer


def bpe(split: str, **options: Any) -> engine.Tokenizer:
    return engine.train(TEXT.splitlines(), pre_tokenizer=split, **options).tokenizer


MADE: dict[str, Callable[[], engine.Tokenizer]] = {
    "unigram": unigram,
    "unigram bytes": lambda: unigram(size=1200, byte_fallback=True),
    "unigram across words": lambda: unigram("dummy-prefix-whole"),
    "bpe bytes across words": lambda: bpe(
        "dummy-prefix-whole", vocab_size=1400, alphabet="characters", byte_fallback=True
    ),
    "bpe bytes": lambda: bpe("dummy-prefix", vocab_size=1400, alphabet="characters", byte_fallback=True),
    "bpe bytes, specials": lambda: bpe(
        "dummy-prefix", vocab_size=1400, alphabet="characters", byte_fallback=True, special_tokens=SPECIALS
    ),
}


@cache
def three(name: str) -> tuple[engine.Tokenizer, sentencepiece.SentencePieceProcessor, engine.Tokenizer]:
    data = write(MADE[name]())
    return MADE[name](), sentencepiece.SentencePieceProcessor(model_proto=data), engine.load(data)


def check(name: str, text: str) -> None:
    ours, official, again = three(name)
    ids = ours.encode(text).ids.tolist()
    assert official.encode(text) == ids
    assert again.encode(text).ids.tolist() == ids
    assert official.decode(ids) == ours.decode(ids) == again.decode(ids)


@pytest.mark.parametrize("name", MADE)
def test_hostile_texts(name: str) -> None:
    long = TEXT * 8  # costs more than 100,000 nats, where sums in single precision start anew
    for text in [*HOSTILE, *declarations()[::12], " a", "▁a ▁", "<unk><pad> <0x41> ☃☃ human☃", TEXT, long]:
        check(name, text)


@pytest.mark.parametrize("name", MADE)
def test_any_text(name: str) -> None:
    @settings(max_examples=100, deadline=None, database=None)
    @given(texts | ANY_TEXT)
    def run(text: str) -> None:
        check(name, text)

    run()


@pytest.mark.parametrize("language", ["zh-Hans", "ja", "th"])
@pytest.mark.parametrize("algorithm", ["unigram", "bpe"])
def test_languages_without_spaces(algorithm: Any, language: str) -> None:
    text = corpora.text(f"udhr/{language}")
    options: dict[str, Any] = {} if algorithm == "unigram" else {"alphabet": "characters"}
    size = 256 + len(set(text)) + 250
    ours = engine.train(
        text.splitlines(), algorithm, size, pre_tokenizer="dummy-prefix", byte_fallback=True, **options
    ).tokenizer
    official = sentencepiece.SentencePieceProcessor(model_proto=write(ours))
    for line in [*text.splitlines(), text, "世界 🙂 โลก", "naïve"]:
        encoding = ours.encode(line)
        assert official.encode(line) == encoding.ids.tolist()
        assert official.decode(encoding.ids.tolist()) == ours.decode(encoding.ids) == line
    longest = max((piece.decode() for piece in ours.encode(text).pieces), key=len)
    assert len(longest) > 2
    assert ours.encode("ß").pieces[1:] == [b"<0xC3>", b"<0x9F>"]


REFUSED: list[tuple[Callable[[], engine.Tokenizer], str]] = [
    (lambda: unigram("metaspace"), "only where no space or ▁ stands there"),
    (lambda: unigram("whole"), "this one is 'whole'"),
    (lambda: unigram(normalizers=["nfkc"]), "has normalizers"),
    (lambda: bpe("dummy-prefix"), "BPE over characters"),
    (lambda: bpe("dummy-prefix", alphabet="characters"), "unknown characters in a row"),
    (lambda: bpe("bert", algorithm="wordpiece"), "is neither"),
]


@pytest.mark.parametrize(("made", "said"), REFUSED, ids=[said for _, said in REFUSED])
def test_what_cannot_be_said_is_refused_with_the_reason(
    made: Callable[[], engine.Tokenizer], said: str, tmp_path: Path
) -> None:
    with pytest.raises(ValueError, match=said):
        engine.save(made(), tmp_path / "mine.model")
    assert not list(tmp_path.iterdir())
