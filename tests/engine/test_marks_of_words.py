"""Three ways to mark where a word ends or goes on, on one corpus; and what a byte is that training has not seen."""

from __future__ import annotations

import pytest
import tokenizers

import engine
from engine import corpora

WORDS = {"low": 5, "lower": 2, "newest": 6, "widest": 3}
STYLES = {
    "a symbol of its own": {"alphabet": "characters", "end_of_word": "</w>"},
    "fused to the last character": {"alphabet": "characters", "end_of_word": "</w>", "end_of_word_joined": True},
    "inside of words": {"algorithm": "wordpiece"},
}


def test_the_alphabets() -> None:
    """Eleven symbols each, counted by hand: ten letters and the mark; eight and three ends; three starts and eight."""
    seen = {}
    for style, options in STYLES.items():
        run = engine.train(WORDS, max_steps=0, vocab_size=None, pre_tokenizer="whole", **options)
        seen[style] = [piece.decode() for piece in run.tokenizer.vocabulary][1:]
        assert run.initial_length == sum(
            (len(word) + (style == "a symbol of its own")) * count for word, count in WORDS.items()
        )
    assert sorted(seen["a symbol of its own"]) == sorted([*"deilnorstw", "</w>"])
    assert sorted(seen["fused to the last character"]) == sorted([*"deilnosw", "r</w>", "t</w>", "w</w>"])
    assert sorted(seen["inside of words"]) == sorted([*"lnw", *(f"##{letter}" for letter in "deiorstw")])


def test_first_merges() -> None:
    """Sennrich et al. 2016, algorithm 1; `learn-bpe -s 7` of subword-nmt 0.3.8; by hand."""

    def learned(style: str, tie: str, steps: int) -> list[str]:
        run = engine.train(WORDS, max_steps=steps, vocab_size=None, pre_tokenizer="whole", tie=tie, **STYLES[style])
        return [step.piece.decode() for step in run.steps]

    assert learned("a symbol of its own", "first", 4) == ["es", "est", "est</w>", "lo"]
    assert learned("fused to the last character", "largest", 7) == [
        "st</w>",
        "est</w>",
        "lo",
        "west</w>",
        "ne",
        "newest</w>",
        "low</w>",
    ]
    # w, ##i and ##d stand 3 times each, always together: two pairs score 3 / (3 * 3), more than any other.
    assert learned("inside of words", "first", 2) == ["wi", "wid"]


@pytest.mark.parametrize("style", STYLES)
def test_marks_are_read_as_what_they_mean(style: str) -> None:
    text = "all human beings are born free and equal"
    options = {"vocab_size": 300, "pre_tokenizer": "whitespace"}
    tokenizer = engine.train(corpora.text("udhr/en").lower(), **options, **STYLES[style]).tokenizer
    encoding = tokenizer.encode(text)
    assert tokenizer.decode(encoding.ids) == text
    words = text.encode().split()
    ends = {word[-1:] for word in words}
    meanings = [tokenizer.meaning(id) for id in encoding.ids.tolist()]
    assert b"".join(meanings) == b"".join(words)
    marked = [piece for piece in encoding.pieces if piece.endswith(b"</w>") or piece.startswith(b"##")]
    if style == "inside of words":
        assert len(marked) == len(encoding) - len(words)
    else:
        assert len(marked) == len(words)
        assert {piece.removesuffix(b"</w>")[-1:] for piece in marked} <= ends | {b""}


def test_the_same_merges_take_fewer_tokens_where_the_mark_is_fused() -> None:
    text = corpora.text("udhr/en").lower()
    lengths = {}
    for style, options in STYLES.items():
        run = engine.train(text, max_steps=300, vocab_size=None, pre_tokenizer="whitespace", **options)
        lengths[style] = run.steps[-1].length
    assert lengths["fused to the last character"] < lengths["a symbol of its own"] < lengths["inside of words"]


def test_a_byte_that_training_has_not_seen() -> None:
    """The byte-level recipe of Hugging Face's tokenizers starts from the bytes seen unless given an initial alphabet.

    Then an unseen byte vanishes there without a word. Here "seen-bytes" makes it the unknown token, which decodes as
    such, and "bytes", the default, has them all.
    """
    text = corpora.text("udhr/en")[:3000]
    theirs = tokenizers.Tokenizer(tokenizers.models.BPE())
    theirs.pre_tokenizer = tokenizers.pre_tokenizers.ByteLevel(add_prefix_space=False)
    theirs.decoder = tokenizers.decoders.ByteLevel()
    theirs.train_from_iterator([text], tokenizers.trainers.BpeTrainer(vocab_size=200, show_progress=False))
    assert theirs.decode(theirs.encode("naïve 🙂 men").ids) == "nave  men"
    seen = engine.train(text, alphabet="seen-bytes", vocab_size=200).tokenizer
    assert seen.decode(seen.encode("naïve 🙂 men").ids) == "na<unk><unk>ve <unk><unk><unk><unk> men"
    assert [token.span for token in seen.encode("ï").tokens] == [(0, 1), (1, 2)]
    assert not seen.lossless
    every = engine.train(text, vocab_size=400).tokenizer
    assert every.decode(every.encode("naïve 🙂 men").ids) == "naïve 🙂 men"
    assert every.lossless
