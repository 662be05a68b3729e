"""What is trained here and saved as `tokenizer.json` has the same ids in Hugging Face's tokenizers, or is refused."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import tokenizers
from hypothesis import given, settings

import engine
from engine import corpora
from engine.formats.hub_writer import write
from tests.engine.exactness import ANY_TEXT, HOSTILE, declarations
from tests.engine.hostile import texts

TEXT = "\n".join(corpora.text(f"udhr/{name}")[:2_500] for name in ("en", "fi", "ja", "hi", "ar")) + (
    "\ndef f(x): return [x**2]  # don't DON'T I'll 2024\n"
)
SPECIALS = ["<pad>", "<eos>"]
TRAPS = [
    "a<unk>b <unk> x[UNK]y [UNK] [UNK]y [PAD]z <0x41><0x4 <pad> <<pad>> <eos><eos> ##a a##b",
    " ▁a",
    "▁▁a ▁",
    "☃☃ human☃ ☃human",
    "low lower lowest",
    "</w> a</w> ĠĊ",
]


def bpe(split: Any, **options: Any) -> engine.Tokenizer:
    return engine.train(TEXT, pre_tokenizer=split, vocab_size=1000, special_tokens=SPECIALS, **options).tokenizer


def wordpiece(split: str, text: str = TEXT) -> engine.Tokenizer:
    return engine.train(text, "wordpiece", 900, pre_tokenizer=split, special_tokens=["[PAD]", "[UNK]"]).tokenizer


def unigram(split: Any, size: int = 900, **options: Any) -> engine.Tokenizer:
    lines = TEXT.splitlines()
    return engine.train(lines, "unigram", size, pre_tokenizer=split, special_tokens=SPECIALS, **options).tokenizer


FUSED = {"end_of_word": "</w>", "end_of_word_joined": True}
NFKC = engine.hub_form("NFKC")
MADE: dict[str, Callable[[], engine.Tokenizer]] = {
    **{f"bytes {split}": lambda split=split: bpe(split) for split in engine.PRE_TOKENIZERS if split != "glassllm"},
    "bytes lowercase": lambda: bpe("cl100k", normalizers=["lowercase"]),
    "bytes NFC of the Hub": lambda: bpe("gpt2", normalizers=[engine.hub_form("NFC")]),
    "bytes NFKC of the Hub": lambda: bpe("whitespace", normalizers=[NFKC, "lowercase"]),
    "bytes NFD of the Hub": lambda: bpe("bert", normalizers=["lowercase", engine.hub_form("NFD")]),
    "bytes fused mark": lambda: bpe("gpt2", **FUSED),
    "seen bytes": lambda: bpe("gpt2", alphabet="seen-bytes"),
    "by hand": lambda: engine.from_merges("abc ", ["ab", ("ab", "c")]),
    **{f"characters {split}": lambda split=split: bpe(split, alphabet="characters") for split in ("whole", "gpt2")},
    "characters metaspace": lambda: bpe("metaspace", alphabet="characters"),
    "characters, unknown in bytes": lambda: bpe("dummy-prefix", alphabet="characters", byte_fallback=True),
    "characters, unknown in bytes, gpt2": lambda: bpe("gpt2", alphabet="characters", byte_fallback=True),
    "sentencepiece": lambda: unigram("dummy-prefix", 1200, byte_fallback=True, normalizers=["nmt", "single_spaces"]),
    "characters fused mark": lambda: bpe("whitespace", alphabet="characters", **FUSED),
    "characters fused mark, spaces": lambda: bpe("qwen", alphabet="characters", **FUSED),
    **{f"wordpiece {split}": lambda split=split: wordpiece(split) for split in ("bert", "gpt2", "metaspace")},
    "wordpiece whitespace": lambda: wordpiece("whitespace", "low lower lowest newer wider hash under"),
    **{f"unigram {split}": lambda split=split: unigram(split) for split in ("whole", "bert", "metaspace")},
    "unigram dummy-prefix": lambda: unigram("dummy-prefix"),
    "unigram bytes": lambda: unigram("metaspace", 1200, byte_fallback=True),
    "unigram bytes, gpt2": lambda: unigram("gpt2", 1200, byte_fallback=True),
}


@cache
def three(name: str) -> tuple[engine.Tokenizer, tokenizers.Tokenizer, engine.Tokenizer]:
    ours = MADE[name]()
    data = write(ours)
    official = tokenizers.Tokenizer.from_str(data.decode())
    official.encode_special_tokens = True
    return ours, official, engine.load(data)


def check(name: str, text: str) -> None:
    ours, official, again = three(name)
    ids = ours.encode(text).ids.tolist()
    assert official.encode(text, add_special_tokens=False).ids == ids
    assert again.encode(text).ids.tolist() == ids
    if ours.model.unknown is None or ours.model.unknown not in ids:
        assert official.decode(ids) == ours.decode(ids) == again.decode(ids)


@pytest.mark.parametrize("name", MADE)
def test_hostile_texts(name: str) -> None:
    for text in [*HOSTILE, *TRAPS, *declarations()[::12], TEXT]:
        check(name, text)


@pytest.mark.parametrize("name", MADE)
def test_any_text(name: str) -> None:
    @settings(max_examples=60, deadline=None, database=None)
    @given(texts | ANY_TEXT)
    def run(text: str) -> None:
        check(name, text)

    run()


@pytest.mark.parametrize("name", ["bytes gpt2", "characters metaspace", "wordpiece bert", "unigram metaspace"])
def test_special_tokens_are_read_where_asked(name: str) -> None:
    ours, _, again = three(name)
    official = tokenizers.Tokenizer.from_str(write(ours).decode())
    text = "low<pad> lower [UNK]<eos>[PAD]x"
    ids = ours.encode(text, special="parse").ids.tolist()
    assert official.encode(text).ids == ids == again.encode(text, special="parse").ids.tolist()
    assert again.vocabulary.specials == ours.vocabulary.specials


TWICE = [("a", "b"), ("ab", "c"), ("b", "c"), ("a", "bc")]
REFUSED: list[tuple[Callable[[], engine.Tokenizer], str]] = [
    (lambda: bpe("gpt2", end_of_word="</w>"), "a symbol of its own"),
    (lambda: bpe("whitespace", **FUSED), "cannot turn '</w>' into the space"),
    (lambda: bpe("gpt2", normalizers=["nfc"]), r"cannot say nfc exactly.*hub_form\(\"NFC\"\)"),
    (lambda: bpe("gpt2", normalizers=["strip_accents"]), "cannot say strip_accents.*category Mn"),
    (lambda: bpe("gpt2", normalizers=[lambda text: text]), "cannot say this normalizer"),
    (lambda: bpe(engine.by_pattern("[a-z]+", "gpt2")), "pattern or a function of its own"),
    (lambda: engine.from_merges("abc", TWICE), "'abc' has two, 5 and 7"),
    (lambda: engine.from_merges("bc", [], ["a"]), "cannot tell 'a'"),
    (lambda: wordpiece("whole"), "reads a word that starts with '\\[PAD\\]'"),
    (lambda: wordpiece("whitespace", "low [UN UNK] xK]"), "starts with '\\[UNK\\]'"),
    (lambda: engine.train("low low", "word", pre_tokenizer="whitespace").tokenizer, "none of them"),
    (lambda: engine.codepoints(), "none of them"),
]


@pytest.mark.parametrize(("made", "said"), REFUSED, ids=[said for _, said in REFUSED])
def test_what_cannot_be_said_is_refused_with_the_reason(
    made: Callable[[], engine.Tokenizer], said: str, tmp_path: Path
) -> None:
    with pytest.raises(ValueError, match=said):
        engine.save(made(), tmp_path / "tokenizer.json")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("form", ["NFC", "NFD", "NFKC", "NFKD"])
def test_our_forms_are_not_those_of_the_library(form: str) -> None:
    """The refusal holds only as long as this is so."""
    text = "x\u0301\u1dfa"
    rule = getattr(tokenizers.normalizers, form)()
    ours = engine.normalizer(form.lower())(engine.AlignedText.of(text)).text
    theirs = engine.hub_form(form)(engine.AlignedText.of(text)).text  # type: ignore[arg-type]
    assert rule.normalize_str(text) == theirs != ours
