"""A unigram training from its seeds to its size; each round is a model."""

import io
from itertools import pairwise

import numpy as np
import pytest
import sentencepiece
from hypothesis import given, settings
from hypothesis import strategies as st

import engine
from engine import corpora

TEXT = corpora.text("udhr/en") + corpora.text("udhr/fi") + corpora.text("udhr/ja")
RUN = engine.train(TEXT.splitlines(), "unigram", 1200, pre_tokenizer="dummy-prefix", byte_fallback=True)


def test_rounds_shrink_to_the_size():
    sizes = [len(each.texts) for each in RUN.rounds]
    assert all(a > b for a, b in pairwise(sizes))
    assert RUN.tokenizer.vocab_size == 1200
    assert RUN.stopped == "vocab_size"
    assert [step.size for step in RUN.steps] == sizes[1:]
    assert all(
        len(step.pruned) == len(step.loss) == a - b for step, (a, b) in zip(RUN.steps, pairwise(sizes), strict=True)
    )


def test_every_round_is_a_model_with_the_length_it_recorded():
    lengths = [RUN.initial_length, *(step.length for step in RUN.steps)]
    for k in (0, len(RUN.steps)):
        tokenizer = RUN.tokenizer_at(k)
        assert sum(len(tokenizer.model.encode(word).ids) * count for word, count in RUN.counts.items()) == lengths[k]
    with pytest.raises(ValueError, match="got 99"):
        RUN.tokenizer_at(99)


def test_the_order_of_the_corpus_does_not_matter():
    lines = TEXT.splitlines()[:120]
    options = {"vocab_size": 500, "pre_tokenizer": "metaspace", "byte_fallback": True}
    one, other = engine.train(lines, "unigram", **options), engine.train(lines[::-1], "unigram", **options)
    assert [step.pruned for step in one.steps] == [step.pruned for step in other.steps]
    assert list(one.tokenizer.vocabulary) == list(other.tokenizer.vocabulary)
    assert one.tokenizer.model.scores == other.tokenizer.model.scores


def test_the_length_curve_follows_the_rounds():
    text = TEXT[:300]
    sizes, lengths = RUN.length_curve(text)
    assert len(sizes) == len(lengths) == len(RUN.steps) + 1
    assert (sizes[-1], lengths[-1]) == (1200, len(RUN.tokenizer.encode(text)))
    assert all(a > b for a, b in pairwise(sizes.tolist()))
    assert lengths[3] == len(RUN.tokenizer_at(3).encode(text))


def test_losses_come_least_first():
    for step in RUN.steps:
        known = step.loss[np.isfinite(step.loss)]
        assert all(a <= b for a, b in pairwise(known.tolist()))


@given(
    text=st.text(
        st.sampled_from("the cat 人権") | st.characters(exclude_categories=["Cs"], exclude_characters="▁"), max_size=40
    )
)
@settings(max_examples=80, deadline=None)
def test_bytes_write_what_is_unknown(text):
    encoding = RUN.tokenizer.encode(text)
    assert RUN.tokenizer.decode(encoding.ids) == text
    assert encoding.ids.max(initial=0) < 1200


def test_a_size_below_the_characters_is_an_error():
    with pytest.raises(ValueError, match="1 special tokens and 3 characters; got 2"):
        engine.train({"abc": 1}, "unigram", 2, pre_tokenizer="whole")


def test_no_more_tokens_than_sentencepiece_on_the_same_words():
    # SentencePiece seeds from substrings that some other character follows, so it never sees most whole words: with the
    # same size it needs a few percent more tokens. At most 3 % more than it would be too many here.
    lines = TEXT.splitlines()
    model = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(lines),
        model_writer=model,
        vocab_size=1200,
        model_type="unigram",
        character_coverage=1.0,
        byte_fallback=True,
        normalization_rule_name="identity",
        remove_extra_whitespaces=False,
        split_by_unicode_script=False,
        split_by_number=False,
        max_sentence_length=100_000,
        num_threads=1,
        minloglevel=2,
    )
    theirs = sentencepiece.SentencePieceProcessor(model_proto=model.getvalue())
    ours = sum(len(RUN.tokenizer.encode(line)) for line in lines)
    assert ours <= 1.03 * sum(len(theirs.encode(line)) for line in lines)
