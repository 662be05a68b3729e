"""Compiled training and training in Python: one contract, one run."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import fields

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import engine
from engine import corpora, counting, kernels
from engine.counts import PreTokenCounts
from engine.models import compiled_merging, merging
from engine.training import Recipe, TrainingRun

pytest.importorskip("numba")

words = st.text(st.sampled_from("ab c\N{COMBINING ACUTE ACCENT}é世🙂"), max_size=14) | st.text(max_size=6)
corpus = st.dictionaries(words.map(engine.alignment.repair), st.integers(1, 9), max_size=30)
recipes = st.builds(
    lambda tie, least, alphabet, end, joined, specials: (
        Recipe("bpe", None, alphabet, end, joined, tie, 0, least, 40, specials)
        if alphabet
        else Recipe("wordpiece", None, None, "", False, tie, 0, least, 40, specials)
    ),
    st.sampled_from(["lowest-id", "first"]),
    st.integers(1, 4),
    st.sampled_from(["bytes", "seen-bytes", "characters", None]),
    st.sampled_from(["", "</w>"]),
    st.booleans(),
    st.sampled_from([(), ("<s>", "</s>")]),
)


@pytest.fixture(scope="module", autouse=True)
def compiled():
    assert kernels.warm()


def run_by(way: str, counts: dict[str, int], recipe: Recipe, slice: int) -> TrainingRun:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(kernels, "serve", lambda size, least=0: way == "compiled" and size > 0)
        training = engine.begin(counts, recipe)
        kind = type(training._merging).__name__
        assert kind.startswith("CompiledMerging" if way == "compiled" and "".join(counts) else "PythonMerging")
        while not training.finished:
            training.advance(slice)
        return training.run()


def assert_same(ours: TrainingRun, other: TrainingRun) -> None:
    for column in fields(ours.columns):
        np.testing.assert_array_equal(getattr(ours.columns, column.name), getattr(other.columns, column.name))
    assert ours.initial_length == other.initial_length
    assert ours.stopped == other.stopped
    assert list(ours.tokenizer.vocabulary) == list(other.tokenizer.vocabulary)


@settings(max_examples=300, deadline=None)
@given(corpus, recipes, st.sampled_from([1, 7, 1000]))
def test_both_ways_give_one_run(counts, recipe, slice):
    assert_same(run_by("compiled", counts, recipe, slice), run_by("python", counts, recipe, slice))


@settings(max_examples=200, deadline=None)
@given(corpus, recipes, st.integers(2, 9), st.sampled_from([3, 1000]))
def test_a_floor_that_was_guessed_too_high_changes_nothing(counts, recipe, sparse, slice):
    # More tokens a step than any pair of such a corpus has, and a floor that climbs after every merge.
    guesses = {"_SPARSE": 1 / sparse, "_DESCENT": 0.1, "_FIRST": 1}
    with pytest.MonkeyPatch.context() as patch:
        for name, value in guesses.items():
            patch.setattr(compiled_merging, name, value)
        guessed = run_by("compiled", counts, recipe, slice)
    assert_same(guessed, run_by("python", counts, recipe, slice))


def test_rare_pairs_are_left_out_and_looked_up_when_their_turn_comes(monkeypatch):
    text = "".join(corpora.text(f"udhr/{tag}")[:5_000] for tag in ("en", "hi", "vi"))
    counts = dict(engine.train(text, max_steps=0, vocab_size=None).counts)
    lowered = []
    lower = compiled_merging.CompiledMerging._lower
    monkeypatch.setattr(compiled_merging.CompiledMerging, "_lower", lambda self: (lowered.append(1), lower(self)))
    for steps, sparse in ((200, 32), (3_000, 32), (3_000, 1)):
        monkeypatch.setattr(compiled_merging, "_SPARSE", sparse)
        recipe = Recipe(max_steps=steps, vocab_size=None)
        assert_same(run_by("compiled", counts, recipe, 1000), run_by("python", counts, recipe, 1000))
        assert bool(lowered) == (sparse == 1)


@settings(max_examples=100, deadline=None)
@given(st.dictionaries(st.text("ab", min_size=1, max_size=40), st.integers(1, 3), min_size=1, max_size=4), recipes)
def test_long_runs_overlap_in_one_way(counts, recipe):
    assert_same(run_by("compiled", counts, recipe, 1000), run_by("python", counts, recipe, 1000))


@pytest.mark.parametrize("algorithm", ["bpe", "wordpiece"])
@pytest.mark.parametrize("tie", ["lowest-id", "first"])
@pytest.mark.parametrize("least", [1, 3])
def test_real_text_until_nothing_is_left(algorithm, tie, least):
    text = "".join(corpora.text(f"udhr/{tag}")[:5_000] for tag in ("en", "hi", "vi"))
    counts = dict(engine.train(text, max_steps=0, vocab_size=None).counts)
    recipe = Recipe(algorithm, None, tie=tie, min_count=least)
    compiled = run_by("compiled", counts, recipe, 500)
    assert_same(compiled, run_by("python", counts, recipe, 500))
    assert compiled.stopped == ("exhausted" if least == 1 else "min_count")


@pytest.mark.parametrize("algorithm", ["bpe", "wordpiece", "unigram"])
def test_two_trainings_at_once_are_as_one_alone(algorithm, monkeypatch):
    monkeypatch.setattr(kernels, "serve", lambda size, least=0: size > 0)
    text = corpora.text("udhr/en") + corpora.text("udhr/hi")

    def train(_: int) -> list[object]:
        run = engine.train(text, algorithm, vocab_size=600, pre_tokenizer="whitespace")
        exact = "likelihood" if algorithm == "unigram" else "count"
        return [*run.tokenizer.vocabulary, *((step.length, getattr(step, exact)) for step in run.steps)]

    with ThreadPoolExecutor(2) as threads:
        assert [*threads.map(train, range(4))] == 4 * [train(0)]


@pytest.mark.parametrize("word", ["a" * 50_000, "ab" * 20_000, "abacabad" * 5_000, "aab" * 9_000 + "ab" * 9_000])
@pytest.mark.parametrize("algorithm", ["bpe", "wordpiece"])
def test_one_long_word(algorithm, word):
    recipe = Recipe(algorithm, None, max_steps=300)
    assert_same(run_by("compiled", {word: 1}, recipe, 50), run_by("python", {word: 1}, recipe, 50))


def test_counts_beyond_32_bits_are_left_to_python(monkeypatch):
    monkeypatch.setattr(kernels, "serve", lambda size, least=0: True)
    training = engine.begin({"low": 2**40, "lower": 1}, Recipe(max_steps=1, vocab_size=None))
    training.advance(1)
    assert training.run().steps[0].count == 2**40 + 1


def test_scores_of_large_counts_are_compared_exactly():
    # (a, b) and (c, d): (n - 1) / n**2 and n / (n + 1)**2, one and the same to floating point; the first is larger.
    n = 2**28
    counts = {"ab": n - 1, "a": 1, "xb": 1, "cd": n, "c": 1, "xd": 1}
    recipe = Recipe("wordpiece", None, max_steps=4)
    assert_same(run_by("compiled", counts, recipe, 10), run_by("python", counts, recipe, 10))


def test_more_than_32_bits_of_scored_tokens_are_left_to_python(monkeypatch):
    monkeypatch.setattr(kernels, "serve", lambda size, least=0: True)
    training = engine.begin({"low": 2**30, "lower": 2**30}, Recipe("wordpiece", None, max_steps=1))
    assert type(training._merging).__name__ == "PythonMerging"


def test_sums_of_counts_may_pass_32_bits():
    counts = {f"ab{letter}": 2**31 - 1 for letter in "cdef"}
    run = run_by("compiled", counts, Recipe(max_steps=3, vocab_size=None), 10)
    assert run.steps[0].count == 4 * (2**31 - 1)
    assert_same(run, run_by("python", counts, Recipe(max_steps=3, vocab_size=None), 10))


@given(corpus)
def test_a_corpus_in_arrays_is_the_same_mapping(counts):
    laid_out = PreTokenCounts.of(counts)
    assert list(laid_out.items()) == list(counts.items())
    assert laid_out == counts
    assert laid_out.letters() == ({word[0] for word in counts if word}, {*"".join(word[1:] for word in counts)})
    points, stops = laid_out.code_points()
    assert "".join(map(chr, points.tolist())) == "".join(counts)
    assert stops.tolist() == np.cumsum([len(word) for word in counts]).tolist()


def test_the_choice_is_made_by_size(monkeypatch):
    asked = []
    monkeypatch.setattr(kernels, "serve", lambda size, least=0: bool(asked.append((size, least))))
    engine.train("low lower", vocab_size=260)
    assert asked == [(9, counting._WORTH_ARRAYS), (9, merging._WORTH_ARRAYS), (4, merging._WORTH_LOOPS)]
