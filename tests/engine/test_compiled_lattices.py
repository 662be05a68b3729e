"""Unigram training in compiled loops and in NumPy: one contract, one run, to the last bit."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import engine
from engine import corpora, kernels
from engine.models.unigram_run import UnigramRun
from engine.sorted_words import Words
from engine.training import Recipe

pytest.importorskip("numba")

WORDS = st.one_of(
    st.text(st.sampled_from("ab c\N{COMBINING ACUTE ACCENT}é世🙂\0"), max_size=14),
    st.text(st.sampled_from("the cat sat on a mat"), max_size=24),
    st.text(max_size=6),
    st.builds(str.__mul__, st.sampled_from(["a", "ab", "the", "é🙂"]), st.integers(1, 200)),
)
CORPUS = st.dictionaries(WORDS.map(engine.alignment.repair), st.integers(1, 9), max_size=30)


@pytest.fixture(scope="module", autouse=True)
def compiled():
    assert kernels.warm()


def run_by(way: str, counts: dict[str, int], recipe: Recipe) -> UnigramRun:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(kernels, "serve", lambda size, least=0: way == "Compiled")
        training = engine.begin(counts, recipe)
        assert type(training._pruning._lattices).__name__ == f"{way}Lattices"
        training.advance(100)
        return training.run()


def check_same(counts: dict[str, int], recipe: Recipe) -> UnigramRun:
    ours, other = run_by("Compiled", counts, recipe), run_by("Python", counts, recipe)
    assert ours.stopped == other.stopped
    for one, two in zip(ours.rounds, other.rounds, strict=True):
        assert list(one.texts) == list(two.texts)
        assert list(one.pruned) == list(two.pruned)
        np.testing.assert_array_equal(one.log_probs, two.log_probs)
        np.testing.assert_array_equal(one.losses, two.losses)
        assert (one.singles, one.likelihood, one.length) == (two.singles, two.likelihood, two.length)
    return ours


@given(
    counts=CORPUS,
    more=st.integers(0, 30),
    seeds=st.sampled_from(["branching", "frequent"]),
    coverage=st.just(1.0) | st.floats(0.5, 1),
)
@settings(max_examples=60, deadline=None)
def test_both_ways_give_one_run(counts, more, seeds, coverage):
    check_same(counts, Recipe("unigram", 1 + len(set("".join(counts))) + more, seeds=seeds, coverage=coverage))


@pytest.mark.parametrize("seeds", ["branching", "frequent"])
def test_real_text(seeds):
    text = corpora.text("udhr/en") + corpora.text("udhr/hi") + corpora.text("udhr/th")[:3000]
    counts = dict(engine.train(text, max_steps=0, vocab_size=None, pre_tokenizer="metaspace").counts)
    assert len(check_same(counts, Recipe("unigram", 400, seeds=seeds)).steps) > 2


def test_words_that_share_much_in_several_blocks():
    words = {"ab" * (i % 40) + chr(97 + i % 7) * (i % 90) + "c" * (i % 11): 1 + i % 3 for i in range(700)}
    run = check_same(words, Recipe("unigram", 60))
    assert len(run.steps) > 2


@pytest.mark.parametrize("word", ["a" * 900, "ab" * 400, "abacabad" * 100, "aab" * 90 + "ab" * 90])
def test_long_words(word):
    check_same({word: 1, "ba": 3}, Recipe("unigram", 12, seeds="frequent"))


def test_sums_neither_vanish_nor_overflow():
    # 700 characters of equal probability: one way through a word has a probability of 700 ** -1400.
    rare = "".join(chr(0x4E00 + i % 700) for i in range(1400))
    run = check_same({rare: 1, rare[::-1]: 2}, Recipe("unigram", 701))
    assert run.steps[-1].likelihood == pytest.approx(-4200 * np.log(700), rel=0.02)
    # One piece has a probability of 1, and rounding to 1 / 128 nat may bring the sum of several above it.
    check_same({"a" * 3_000: 1}, Recipe("unigram", 4, seeds="frequent"))


def test_words_are_sorted_by_their_code_points():
    long = ["é" * 40 + end for end in ("", "z", "b" * 60, "b" * 60 + "\0", "a" * 9, "\0", "\0\0")]
    words = [*long, "b", "a" * 20 + "c", "a" * 20 + "b", "a", "a\0", "\0", "é", "🙂", "\uffff", "a" * 16, "a" * 17, ""]
    sorted_words = sorted(word for word in words if word)
    found = Words.of({word: i for i, word in enumerate(words)})
    bounds = [0, *found.stops.tolist()]
    assert [found.text[a:b] for a, b in pairwise(bounds)] == sorted_words
    assert found.weights.tolist() == [words.index(word) for word in sorted_words]
    assert found.characters == len(set("".join(words)))
