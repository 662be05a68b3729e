"""Lattices against brute force: all ways to cut short words."""

import math
from collections import Counter
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import reference
from engine.lattices import lattices, logs
from engine.models.unigram_training import Pruning, _digamma
from engine.seeds import seeds
from engine.shared_lattices import divided
from engine.sorted_words import Words

WORDS = st.lists(st.text("abé🙂", min_size=1, max_size=6), min_size=1, max_size=6, unique=True).map(sorted)


def corpus(words):
    """Give the words the weights 1, 2, 3 and so on."""
    return Words.of({word: weight for weight, word in enumerate(words, start=1)})


def apart(words):
    """Let no word share its beginning with another."""
    return words._replace(shared=np.zeros_like(words.shared), blocks=np.arange(len(words.stops) + 1))


def random_log_probs(count, seed):
    return np.log(np.random.default_rng(seed).dirichlet(np.ones(count)))


@given(words=WORDS, seed=st.integers(0, 1000), longest=st.integers(1, 6))
@settings(max_examples=120, deadline=None)
def test_sums_maxima_and_expectations_over_all_cuts(words, seed, longest):
    weights = np.arange(1, len(words) + 1)
    found, graph = seeds(corpus(words), longest, 2)
    log_probs = random_log_probs(len(found.texts), seed)
    price = dict(zip(found.texts, log_probs.tolist(), strict=True))
    counts = graph.expected(log_probs, weights)
    totals = logs(*(column[graph.last] for column in graph.forward(log_probs)))
    textbook = reference.expected_counts(dict(zip(words, weights.tolist(), strict=True)), price)
    assert counts.tolist() == pytest.approx([textbook[text] for text in found.texts], abs=1e-9)
    best = graph.best(log_probs)
    for number, word in enumerate(words):
        ways = list(reference.cuts(word, price))
        scores = [sum(price[piece] for piece in way) for way in ways]
        total = math.log(math.fsum(map(math.exp, scores)))
        assert totals[number] == pytest.approx(total, abs=1e-9)
        assert best.scores[number] == pytest.approx(max(scores), abs=1e-9)
        path = [found.texts[piece] for piece in best.pieces[best.words == number].tolist()][::-1]
        assert "".join(path) == word
        assert sum(price[piece] for piece in path) == pytest.approx(max(scores), abs=1e-9)


@given(words=WORDS, seed=st.integers(0, 1000), gone=st.sets(st.integers(0, 40)))
@settings(max_examples=120, deadline=None)
def test_divided_words_count_as_before(words, seed, gone):
    found, graph = seeds(corpus(words), 6, 2)
    kept = [i for i in range(len(found.texts)) if i < found.singles or i not in gone]
    renamed = np.full(len(found.texts), -1)
    renamed[kept] = np.arange(len(kept))
    parts, divided_graph = divided(corpus(words), graph.keep(renamed))
    log_probs = random_log_probs(len(kept), seed)
    price = {found.texts[i]: log_prob for i, log_prob in zip(kept, log_probs.tolist(), strict=True)}
    wanted: Counter[str] = Counter()
    for weight, word in enumerate(words, start=1):
        start = 0
        for stop in range(1, len(word) + 1):
            if not any(word[a:b] in price for a in range(stop) for b in range(stop + 1, len(word) + 1)):
                wanted[word[start:stop]] += weight
                start = stop
    bounds = [0, *parts.stops.tolist()]
    counts = dict(zip((parts.text[a:b] for a, b in pairwise(bounds)), parts.weights.tolist(), strict=True))
    assert counts == wanted
    textbook = reference.expected_counts({word: weight for weight, word in enumerate(words, start=1)}, price)
    expected = divided_graph.expected(log_probs, parts.weights).tolist()
    assert expected == pytest.approx([textbook[piece] for piece in price], abs=1e-9)


@given(words=WORDS, longest=st.integers(1, 6), least=st.integers(1, 4))
@settings(max_examples=120, deadline=None)
def test_seeds_are_the_frequent_substrings(words, longest, least):
    weights = np.arange(1, len(words) + 1)
    counts = Counter()
    for word, weight in zip(words, weights.tolist(), strict=True):
        for a in range(len(word)):
            for b in range(a + 1, min(len(word), a + longest) + 1):
                counts[word[a:b]] += weight
    found, graph = seeds(apart(corpus(words)), longest, least)
    wanted = {text: n for text, n in counts.items() if n >= least or len(text) == 1}
    assert dict(zip(found.texts, found.counts.tolist(), strict=True)) == wanted
    assert all(len(text) == 1 for text in found.texts[: found.singles])
    index = {text: i for i, text in enumerate(found.texts)}
    again = lattices(words, index, longest)
    edges = [sorted(zip(g.pieces.tolist(), g.starts.tolist(), g.stops.tolist(), strict=True)) for g in (graph, again)]
    assert edges[0] == edges[1]


@given(words=WORDS, longest=st.integers(1, 6))
@settings(max_examples=120, deadline=None)
def test_branching_seeds_have_two_followers(words, longest):
    followers = {}
    for word in words:
        for a in range(len(word)):
            for b in range(a + 1, min(len(word), a + longest) + 1):
                followers.setdefault(word[a:b], set()).add(word[b : b + 1])
    wanted = {text for text, found in followers.items() if len(found) > 1 or len(text) == 1}
    found, graph = seeds(apart(corpus(words)), longest, 2, branching=True)
    assert set(found.texts) == wanted
    index = {text: i for i, text in enumerate(found.texts)}
    again = lattices(words, index, longest)
    edges = [sorted(zip(g.pieces.tolist(), g.starts.tolist(), g.stops.tolist(), strict=True)) for g in (graph, again)]
    assert edges[0] == edges[1]


def test_the_hug_corpus_with_all_strict_substrings():
    # The Hugging Face course, chapter 6, "Unigram tokenization", has this corpus; its pieces are the substrings that
    # are shorter than some word. They stand 210 times, and the probabilities follow by hand; the course prints others
    # for "pug".
    words = {"bun": 4, "hug": 10, "hugs": 5, "pug": 5, "pun": 12}
    found, graph = seeds(apart(Words.of(words)), 16, 1)
    strict = np.unique(graph.without_whole().pieces)
    assert found.counts[strict].sum() == 210
    chance = {found.texts[i]: found.counts[i] / 210 for i in strict.tolist()}
    assert chance["p"] * chance["u"] * chance["g"] == pytest.approx(0.0013217, abs=5e-8)
    assert chance["pu"] * chance["g"] == pytest.approx(0.0077098, abs=5e-8)
    assert chance["p"] * chance["ug"] == pytest.approx(0.0077098, abs=5e-8)


def test_a_word_that_cannot_be_cut_has_no_path():
    graph = lattices(["ab", "ac"], {"a": 0, "b": 1}, 4)
    best = graph.best(np.log([0.5, 0.5]))
    assert best.scores.tolist() == [pytest.approx(math.log(0.25)), -math.inf]
    assert best.words.tolist() == [0, 0]


def test_digamma():
    # Abramowitz and Stegun 1964, 6.3.2 and 6.3.3: digamma(1) = -Euler's constant, digamma(1/2) = -that - 2 ln 2.
    values = _digamma(np.array([1.0, 0.5, 2.0, 1000.0]))
    euler = 0.5772156649015329
    assert values[:3].tolist() == pytest.approx([-euler, -euler - 2 * math.log(2), 1 - euler], abs=1e-12)
    assert values[3] == pytest.approx(math.log(1000) - 1 / 2000 - 1 / 12e6, abs=1e-12)


def trained(words, size):
    training = Pruning(Words.of(words), size, int(1.1 * size))
    while not training.finished:
        training.advance()
    return training.rounds


def test_training_ends_at_the_size_whatever_the_order():
    words = {"the": 5, "cat": 2, "sat": 2, "on": 2, "mat": 2, "ate": 1, "rat": 1, "that": 1, "cats": 1}
    rounds = trained(words, 18)
    turned = trained(dict(reversed(words.items())), 18)
    assert [(list(r.texts), r.log_probs.tolist(), list(r.pruned)) for r in rounds] == [
        (list(r.texts), r.log_probs.tolist(), list(r.pruned)) for r in turned
    ]
    assert rounds[-1].singles < len(rounds[-1].texts) <= 18
    assert set(rounds[-1].texts[: rounds[-1].singles]) == set("".join(words))
    for before, after in pairwise(rounds):
        assert set(before.texts) == set(after.texts) | set(after.pruned)
        assert len(after.pruned) == len(after.losses)


def test_single_characters_always_stay():
    rounds = trained({"abcdefgh": 3, "xyz": 2}, 1)
    assert sorted(rounds[-1].texts) == sorted("abcdefghxyz")
    assert list(trained({}, 10)[-1].texts) == []


def test_long_words_do_not_overflow():
    rounds = trained({"ab" * 3000: 1, "abc": 2}, 8)
    assert math.isfinite(rounds[-1].likelihood)
    assert rounds[-1].length < 6000
