"""A unigram training from its seeds to its size; each round is a model."""

import io
from collections import Counter
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


@pytest.mark.parametrize("fallback", [False, True])
def test_the_rarest_characters_are_left_out(fallback):
    options = {"pre_tokenizer": "dummy-prefix", "byte_fallback": fallback}
    run = engine.train(TEXT.splitlines(), "unigram", 800, coverage=0.99, **options)
    seen = Counter("".join(word * count for word, count in run.counts.items()))
    known = {text for text in run.rounds[-1].texts if len(text) == 1}
    rare = sum(seen[character] for character in set(seen) - known)
    assert min(seen[character] for character in known) >= max(seen[character] for character in set(seen) - known)
    assert rare <= 0.01 * seen.total() < rare + min(seen[character] for character in known)
    for k in (0, len(run.steps)):
        encode = run.tokenizer_at(k).model.encode
        assert sum(len(encode(word).ids) * count for word, count in run.counts.items()) == run.rounds[k].length
    with pytest.raises(ValueError, match="above 0, up to 1; got 0"):
        engine.train("abc", "unigram", coverage=0)


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
    assert lengths[1] == len(RUN.tokenizer_at(1).encode(text))


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
    run = engine.train({"abc": 1}, "unigram", 90, pre_tokenizer="whole")
    assert (run.stopped, run.tokenizer.vocab_size) == ("exhausted", 4)


WHALE = "\n".join(" ".join(part.split()) for part in corpora.text("prose/en_moby_dick_1851").split("\n\n"))


def official_on_the_same_words(run, size):
    words = [word.removeprefix("▁") for word, count in run.counts.items() for _ in range(count)]
    model = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(words),
        model_writer=model,
        vocab_size=size,
        model_type="unigram",
        character_coverage=1.0,
        byte_fallback=True,
        normalization_rule_name="identity",
        remove_extra_whitespaces=False,
        split_by_unicode_script=False,
        split_by_number=False,
        bos_id=-1,
        eos_id=-1,
        max_sentence_length=100_000,
        num_threads=1,
        minloglevel=2,
    )
    return sentencepiece.SentencePieceProcessor(model_proto=model.getvalue())


@pytest.mark.parametrize(("text", "size"), [(TEXT, 1200), (corpora.text("udhr/de"), 600), (WHALE, 1500)])
def test_as_many_tokens_as_sentencepiece_on_the_same_words(text, size):
    """Within 0.6 % on these, with 95 to 99 % of the pieces in common.

    SentencePiece is given the words one a line. It takes its seeds from whole lines: in running text, where the
    character after a word is a space or a new line, words at both are seeds too, and its numbers move by 1 to 5 %.
    """
    lines = text.splitlines()
    run = engine.train(lines, "unigram", size, pre_tokenizer="dummy-prefix", byte_fallback=True)
    frequent = engine.train(lines, "unigram", size, pre_tokenizer="dummy-prefix", byte_fallback=True, seeds="frequent")
    theirs = official_on_the_same_words(run, size)
    official = sum(len(theirs.encode(line)) for line in lines)
    ours = sum(len(run.tokenizer.encode(line)) for line in lines)
    assert abs(ours / official - 1) < 0.01
    pieces = {theirs.id_to_piece(id) for id in range(theirs.get_piece_size())}
    assert len(pieces & {piece.decode() for piece in run.tokenizer.vocabulary}) > 0.93 * size
    assert sum(len(frequent.tokenizer.encode(line)) for line in lines) < 0.97 * ours


@pytest.mark.parametrize("language", ["th", "hi"])
def test_as_many_tokens_as_sentencepiece_where_a_character_is_a_byte(language):
    """SentencePiece 0.2.3 trains otherwise where characters take more bytes; what is trained here does not.

    Thai and Hindi take 29 % and 18 % fewer tokens here than there. With one ASCII letter in the place of each of their
    characters the two are within 1 % of each other, and here nothing else changes.
    """
    text = corpora.text(f"udhr/{language}")
    letters = {ord(character): chr(33 + i) for i, character in enumerate(sorted(set(text) - set(" \n")))}
    size = 257 + len(letters) + 250
    lengths = {}
    for name, written in (("as it is", text), ("in ASCII", text.translate(letters))):
        lines = written.splitlines()
        run = engine.train(lines, "unigram", size, pre_tokenizer="dummy-prefix", byte_fallback=True)
        theirs = official_on_the_same_words(run, size)
        ours = sum(len(run.tokenizer.encode(line)) for line in lines)
        lengths[name] = ours, sum(len(theirs.encode(line)) for line in lines)
    assert lengths["as it is"][0] < 0.9 * lengths["as it is"][1]
    assert lengths["in ASCII"][0] == pytest.approx(lengths["in ASCII"][1], rel=0.015)
    assert lengths["in ASCII"][0] == pytest.approx(lengths["as it is"][0], rel=0.01)
