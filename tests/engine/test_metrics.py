"""Measures against published values, against the plain formulas in loops, and on hostile texts."""

from __future__ import annotations

import inspect
import math
import random

import numpy as np
import pytest
import regex
from hypothesis import given, settings
from hypothesis import strategies as st

import engine
from engine import metrics
from engine.passages import Passage
from engine.samples import Sample, counted, draws, estimate, interval
from tests.engine.hostile import texts

CARDS = ("Formula:", "Unit:", "Source:", "Comparable only if:")
OF_A_SAMPLE = (
    metrics.tokens,
    metrics.bytes_per_token,
    metrics.code_points_per_token,
    metrics.graphemes_per_token,
    metrics.fertility,
    metrics.continued_words,
    metrics.single_token_retention,
    metrics.shannon_efficiency,
    metrics.renyi_efficiency,
    metrics.utilization,
    metrics.unknown_share,
)
RUN = engine.train(engine.corpora.text("prose/en_moby_dick_1851")[:20_000], vocab_size=500)
WORDPIECE = engine.train("low low lower lowest newest widest", "wordpiece", vocab_size=40, pre_tokenizer="bert")
ENDED = engine.train("low low lower lowest", vocab_size=280, pre_tokenizer="whitespace", end_of_word="</w>")
TOKENIZERS = (RUN.tokenizer, RUN.tokenizer_at(0), WORDPIECE.tokenizer, ENDED.tokenizer)
units = st.lists(texts, min_size=1, max_size=4)
counts = st.lists(st.integers(0, 1000), min_size=1, max_size=12).map(np.array)
alphas = st.sampled_from([0.0, 0.5, 1.0, 2.0, 2.5, 3.0, 50.0, math.inf])


def test_known_values_of_the_reference_scorer():
    # zouharvi/tokenization-scorer, its tests: "pick @@ed pick @@l @@ed pick @@les" and the same cut finer.
    first, second = np.array([3, 2, 1, 1]), np.array([3, 3, 2, 2, 1])
    assert float(metrics.renyi_entropy(first, 2.5)) == pytest.approx(1.6530130, abs=5e-8)
    assert float(metrics.efficiency(first, 2.5)) == pytest.approx(0.8265065, abs=5e-8)
    assert float(metrics.efficiency(first, 1.0)) == pytest.approx(0.9211855, abs=5e-8)
    assert float(metrics.efficiency(second, 2.5)) == pytest.approx(0.9204840, abs=5e-8)
    assert float(metrics.renyi_entropy(second, 2.5)) == pytest.approx(2.1372977, abs=5e-8)


def test_renyi_rises_while_compression_falls():
    """The text that the scorer prefers has more tokens: what the measure's card warns of."""
    coarse, fine = np.array([3, 2, 1, 1]), np.array([3, 3, 2, 2, 1])
    assert fine.sum() > coarse.sum()
    assert metrics.efficiency(fine) > metrics.efficiency(coarse)


@pytest.mark.parametrize("measure", [*OF_A_SAMPLE, metrics.premium, metrics.gini, metrics.embedding_parameters])
def test_every_measure_says_what_it_is(measure):
    written = inspect.getdoc(measure)
    assert written is not None
    assert all(f"\n{part}" in written for part in CARDS)


@given(counts, alphas)
def test_renyi_is_the_plain_formula(counts, alpha):
    shares = [count / counts.sum() for count in counts.tolist() if count]
    found = float(metrics.renyi_entropy(counts, alpha))
    if not shares:
        assert math.isnan(found)
        return
    if alpha == 1:
        expected = math.fsum(-p * math.log2(p) for p in shares)
    elif alpha == math.inf:
        expected = -math.log2(max(shares))
    else:
        expected = math.log2(math.fsum(p**alpha for p in shares)) / (1 - alpha)
    assert found == pytest.approx(expected, abs=1e-9)
    assert -1e-9 <= found <= math.log2(len(shares)) + 1e-9


@given(counts, st.sampled_from([0.0, 0.5, 1.0, 2.0, 2.5, 10.0]))
def test_renyi_falls_with_alpha_and_an_even_use_has_efficiency_one(counts, alpha):
    assert not counts.any() or metrics.renyi_entropy(counts, alpha) >= metrics.renyi_entropy(counts, alpha + 0.5) - 1e-9
    kinds = len(counts) + 1
    assert float(metrics.efficiency(np.full(kinds, 7), alpha)) == pytest.approx(1)


@pytest.mark.parametrize("alpha", [-1.0, math.nan])
def test_an_alpha_that_cannot_be_is_named(alpha):
    with pytest.raises(ValueError, match="alpha must be at least 0"):
        metrics.renyi_entropy(np.array([1, 2]), alpha)


@given(st.lists(st.integers(0, 10_000), min_size=1, max_size=20), st.integers(1, 50))
def test_gini_is_the_mean_difference(values, factor):
    total = sum(values)
    found = float(metrics.gini(np.array(values)))
    if not total:
        assert math.isnan(found)
        return
    n = len(values)
    expected = sum(abs(a - b) for a in values for b in values) / (2 * n * total)
    assert found == pytest.approx(expected, abs=1e-12)
    assert 0 <= found + 1e-12 <= 1 - 1 / n + 2e-12
    assert float(metrics.gini(np.array(values) * factor)) == pytest.approx(found, abs=1e-12)


@given(units, st.sampled_from(TOKENIZERS))
@settings(deadline=None)
def test_quotients_are_those_of_the_text(units, tokenizer):
    passage = Passage.of(units)
    sample = Sample.of(tokenizer, passage)
    encoding = tokenizer.encode(passage.text)
    n = len(encoding)
    assert float(metrics.tokens(sample)) == n == sample.tokens.sum()
    lengths = {
        metrics.bytes_per_token: len(passage.text.encode()),
        metrics.code_points_per_token: len(passage.text),
        metrics.graphemes_per_token: len(regex.findall(r"\X", passage.text)),
    }
    for measure, length in lengths.items():
        found = float(measure(sample))
        assert math.isnan(found) if n == 0 else found == length / n
    assert passage.bytes.sum() == len(passage.text.encode())
    lines = [len(f"{unit}\n".encode()) for unit in passage.units]
    assert passage.starts.tolist() == [sum(lines[:k]) for k in range(len(lines))]


@given(units, st.sampled_from(TOKENIZERS))
@settings(deadline=None)
def test_words_are_counted_as_in_a_loop(units, tokenizer):
    passage = Passage.of(units)
    sample = Sample.of(tokenizer, passage)
    spans, words = tokenizer.encode(passage.text).spans.tolist(), passage.words.tolist()
    touched = [
        {i for i, (a, b) in enumerate(spans) if (a < stop and b > start) or a == b == stop} for start, stop in words
    ]
    assert sample.word_tokens.tolist() == list(map(len, touched))
    kept = [
        len(mine) == 1 and not any(mine & other for k, other in enumerate(touched) if k != number)
        for number, mine in enumerate(touched)
    ]
    assert sample.kept_words.tolist() == kept
    if not words:
        assert math.isnan(float(metrics.fertility(sample)))
        return
    assert float(metrics.fertility(sample)) == pytest.approx(sum(map(len, touched)) / len(words))
    assert float(metrics.continued_words(sample)) == pytest.approx(sum(len(mine) > 1 for mine in touched) / len(words))
    whole: dict[bytes, list[bool]] = {}
    for (start, stop), one in zip(words, kept, strict=True):
        whole.setdefault(passage.text.encode()[start:stop], []).append(one)
    share = sum(sum(each) / len(each) for each in whole.values()) / len(whole)
    assert float(metrics.single_token_retention(sample)) == pytest.approx(share)


def test_words_of_scripts_without_spaces():
    def words(text: str, locale: str) -> list[str]:
        raw = text.encode()
        return [raw[a:b].decode() for a, b in Passage.of([text], locale).words.tolist()]

    assert words("Don't stop: 3.14 cafés!", "en") == ["Don't", "stop", "3.14", "cafés"]
    assert words("人人生而自由,在尊严和权利上一律平等。", "zh")[-2:] == ["一律", "平等"]
    assert words("มนุษย์ทั้งหลายเกิดมา", "th") == ["มนุษย์", "ทั้ง", "หลาย", "เกิด", "มา"]
    assert words("🙂 𠮷!", "") == ["𠮷"]
    assert words("", "en") == []


def test_a_word_and_its_token_by_hand():
    tokenizer = engine.from_merges("bytes", [("a", "b"), (" ", "ab")])
    sample = Sample.of(tokenizer, Passage.of(["ab abab", "b ab"]))
    # "ab" | " ab" "ab" | "\n" | "b" | " ab"
    assert sample.tokens.tolist() == [4, 2]
    assert sample.word_tokens.tolist() == [1, 2, 1, 1]
    assert float(metrics.fertility(sample)) == 5 / 4
    assert float(metrics.continued_words(sample)) == 1 / 4
    assert float(metrics.single_token_retention(sample)) == 2 / 3
    assert float(metrics.utilization(sample)) == 4 / 258


def test_a_token_over_two_words_keeps_neither():
    tokenizer = engine.from_merges("bytes", [("o", "f"), (" ", "a"), ("of", " a")])
    sample = Sample.of(tokenizer, Passage.of(["of a"]))
    assert sample.word_tokens.tolist() == [1, 1]
    assert sample.kept_words.tolist() == [False, False]


def test_words_that_are_not_known_are_a_kind_of_token_and_no_part_of_the_vocabulary():
    tokenizer = engine.train("low lower", "word", vocab_size=10, pre_tokenizer="whitespace").tokenizer
    sample = Sample.of(tokenizer, Passage.of(["low high higher"]))
    assert sample.ids.tolist().count(-1) == 2
    assert float(metrics.utilization(sample)) == 1 / tokenizer.vocab_size
    assert float(metrics.unknown_share(sample)) == len("highhigher") / len("low high higher")


def test_what_is_lost_in_unknown_tokens_is_counted_by_unit():
    bert = engine.pretrained("bert-base-uncased")
    sample = Sample.of(bert, Passage.of(["a cat", "a ☂☂☂ cat"]))
    assert sample.unknown.tolist() == [0, 9]
    assert float(metrics.unknown_share(sample)) == 9 / sample.passage.bytes.sum()


def test_the_premium_is_paid_on_parallel_texts_only():
    english, korean = (
        Sample.of(RUN.tokenizer, Passage.of(engine.corpora.text(f"sentences/{tag}").splitlines(), tag))
        for tag in ("en", "ko")
    )
    assert float(metrics.premium(korean, english)) == korean.tokens.sum() / english.tokens.sum()
    assert float(metrics.premium(english, english)) == 1
    with pytest.raises(ValueError, match="got 10 and 1"):
        metrics.premium(korean, Sample.of(RUN.tokenizer, Passage.of(["one"])))


def test_embedding_parameters():
    assert metrics.embedding_parameters(50_257, 768, tied=True) == 50_257 * 768
    assert metrics.embedding_parameters(50_257, 768, tied=False) == 2 * 50_257 * 768


ARTICLES = Sample.of(RUN.tokenizer, Passage.of(engine.corpora.articles("de"), "de"))


@pytest.mark.parametrize("measure", OF_A_SAMPLE, ids=lambda measure: measure.__name__)
def test_every_draw_is_the_measure_of_the_text_drawn(measure):
    """Many draws at once are each what one draw gives, and one draw is what the drawn articles give."""
    drawn = draws(30, 5, seed=3)
    together = measure(ARTICLES, drawn)
    assert together.shape == (5,)
    for weights, value in zip(drawn, together.tolist(), strict=True):
        assert float(measure(ARTICLES, weights)) == pytest.approx(value)
    assert float(measure(ARTICLES, ARTICLES.once)) == pytest.approx(float(measure(ARTICLES)))


@given(st.lists(st.tuples(st.integers(0, 6), st.integers(0, 2**19 - 1)), max_size=20))
@settings(max_examples=20)
def test_kinds_are_counted_as_often_as_their_units_are_drawn(things):
    rows, columns = np.array(things, np.int64).reshape(-1, 2).T
    drawn, width = draws(7, times=5), 2**19
    parts = list(counted(drawn, rows, columns, width))
    assert [len(part) for part in parts] == [2, 2, 1]  # never all at once, as there are many kinds
    found = np.concatenate(parts)
    for times, counts in zip(drawn, found, strict=True):
        expected = dict.fromkeys(columns.tolist(), 0)
        for row, column in things:
            expected[column] += times[row]
        assert {column: counts[column] for column in expected} == expected
        assert counts.sum() == sum(expected.values())
        assert np.array_equal(next(counted(times, rows, columns, width)), counts)


def test_the_interval_is_that_of_a_plain_bootstrap():
    chance = random.Random(1)
    pairs = list(zip(ARTICLES.passage.bytes.tolist(), ARTICLES.tokens.tolist(), strict=True))
    values = []
    for _ in range(4000):
        drawn = chance.choices(pairs, k=len(pairs))
        values.append(sum(b for b, _ in drawn) / sum(t for _, t in drawn))
    values.sort()
    found = estimate(metrics.bytes_per_token, ARTICLES)
    width = found.high - found.low
    assert found.low == pytest.approx(values[100], abs=0.15 * width)
    assert found.high == pytest.approx(values[3900], abs=0.15 * width)
    assert found.low < found.value < found.high
    assert found == estimate(metrics.bytes_per_token, ARTICLES)
    assert found != estimate(metrics.bytes_per_token, ARTICLES, seed=1)


def test_draws_are_seeded_and_whole():
    assert np.array_equal(draws(30, 10), draws(30, 10))
    assert draws(30, 10).sum(axis=1).tolist() == [30] * 10
    assert interval(np.array([math.nan, math.nan]))[0] != 0


def test_one_unit_has_no_interval():
    sample = Sample.of(RUN.tokenizer, Passage.of(["one text"]))
    value = float(metrics.bytes_per_token(sample))
    assert estimate(metrics.bytes_per_token, sample) == (value, value, value)
    with pytest.raises(ValueError, match="at least one unit"):
        Passage.of([])


def test_the_same_text_gives_the_same_sample_with_and_without_its_units():
    encoding = RUN.tokenizer.encode(ARTICLES.passage.text)
    whole = Sample.from_encoding(encoding)
    assert whole.tokens.tolist() == [ARTICLES.tokens.sum()]
    assert float(metrics.bytes_per_token(whole)) == float(metrics.bytes_per_token(ARTICLES))
    assert float(metrics.renyi_efficiency(whole)) == pytest.approx(float(metrics.renyi_efficiency(ARTICLES)))
