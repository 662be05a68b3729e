"""The fast algorithms equal the textbook ones on any input."""

from itertools import pairwise

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import engine
from engine import reference
from engine.ties import mixed

# Few letters, so that pairs repeat, overlap ("eee") and tie; and hostile ones: bytes that need four, a lone mark, NUL.
WORD = st.text(st.sampled_from("abe") | st.characters(exclude_categories=["Cs"]), max_size=12)
RUNS = st.text("ae", max_size=24)
WORDS = st.dictionaries(WORD | RUNS, st.integers(1, 5), max_size=8)
STEPS = 14


def chooser(tie, pieces, seed=0):
    """Write each tie rule down once more, without keys or heaps; `pieces` grows with the merges."""
    rules = {
        "lowest-id": reference.lowest_id,
        "first": reference.first_seen,
        "smallest": lambda tied, words: min(tied, key=lambda p: (pieces[p[0]], pieces[p[1]], p)),
        "largest": lambda tied, words: largest(tied, pieces),
        "random": lambda tied, words: min(tied, key=lambda p: (mixed(seed, *p), p)),
    }
    return rules[tie]


def largest(tied, pieces):
    best = max((pieces[a], pieces[b]) for a, b in tied)
    return min((a, b) for a, b in tied if (pieces[a], pieces[b]) == best)


def slow_merges(train, words, pieces, join, tie):
    """Train with the textbook version; the pieces are written as the merges come."""
    pieces = list(pieces)
    choose = chooser(tie, pieces)

    def noted(tied, now):
        pair = choose(tied, now)
        pieces.append(join(pieces[pair[0]], pieces[pair[1]]))
        return pair

    return train(words, len(pieces), STEPS, noted)


def pairs_of(run):
    return list(zip(run.columns.left.tolist(), run.columns.right.tolist(), strict=True))


@pytest.mark.parametrize("tie", ["lowest-id", "first", "smallest", "largest", "random"])
@pytest.mark.parametrize("alphabet", ["bytes", "characters"])
@given(words=WORDS)
@settings(max_examples=60, deadline=None)
@example(words={"eeee": 1, "eee": 2})
@example(words={})
@example(words={"a": 1})
def test_bpe_training(words, alphabet, tie):
    run = engine.train(words, alphabet=alphabet, vocab_size=None, max_steps=STEPS, tie=tie, pre_tokenizer="whole")
    start = run.tokenizer_at(0)
    coded = [(list(start.model.encode(word).ids), count) for word, count in run.counts.items()]
    slow = slow_merges(reference.train_bpe, coded, start.vocabulary, lambda a, b: a + b, tie)
    assert pairs_of(run) == slow


@pytest.mark.parametrize("tie", ["lowest-id", "first", "smallest", "largest", "random"])
@given(words=WORDS)
@settings(max_examples=60, deadline=None)
@example(words={"eeee": 1, "eee": 2})
def test_wordpiece_training(words, tie):
    run = engine.train(words, "wordpiece", vocab_size=None, max_steps=STEPS, tie=tie, pre_tokenizer="whole")
    pieces = list(run.tokenizer_at(0).vocabulary)
    ids = {piece: id for id, piece in enumerate(pieces)}
    coded = [
        ([ids[("##" if i else "").encode() + c.encode()] for i, c in enumerate(w)], n) for w, n in run.counts.items()
    ]
    slow = slow_merges(reference.train_wordpiece, coded, pieces, lambda a, b: a + b.removeprefix(b"##"), tie)
    assert pairs_of(run) == slow


@given(words=WORDS, text=WORD | RUNS)
@settings(max_examples=150, deadline=None)
def test_bpe_encoding(words, text):
    run = engine.train(words, vocab_size=None, max_steps=STEPS, pre_tokenizer="whole")
    for k in range(len(run.steps) + 1):
        slow = reference.encode_bpe(list(text.encode()), pairs_of(run)[:k], 256)
        assert run.tokenizer_at(k).encode(text).ids.tolist() == slow


@given(words=WORDS, text=WORD)
@settings(max_examples=150, deadline=None)
def test_wordpiece_encoding(words, text):
    run = engine.train(words, "wordpiece", vocab_size=None, max_steps=STEPS, pre_tokenizer="whole")
    vocabulary = {piece.decode(): id for id, piece in enumerate(run.tokenizer.vocabulary) if id}
    pieces = [piece.decode() for piece in run.tokenizer.encode(text).pieces]
    assert pieces == reference.encode_wordpiece(text, vocabulary)


@pytest.mark.parametrize("algorithm", ["bpe", "wordpiece", "word", "char"])
@given(words=WORDS, text=st.text(st.sampled_from("abe \n") | st.characters(exclude_categories=["Cs"]), max_size=40))
@settings(max_examples=60, deadline=None)
def test_length_curve_is_encoding_at_every_size(algorithm, words, text):
    run = engine.train(words, algorithm, vocab_size=None, max_steps=STEPS, pre_tokenizer="gpt2")
    sizes, lengths = run.tokenizer.length_curve(text)
    at = [run.tokenizer_at(k) for k in range(len(run.steps) + 1)]
    assert sizes.tolist() == [tokenizer.vocab_size for tokenizer in at]
    assert lengths.tolist() == [len(tokenizer.encode(text)) for tokenizer in at]


@given(words=WORDS)
@settings(max_examples=60, deadline=None)
def test_history_equals_counting_again(words):
    run = engine.train(words, vocab_size=None, max_steps=STEPS, pre_tokenizer="whole")
    coded = [(list(word.encode()), count) for word, count in run.counts.items()]
    assert run.initial_length == sum(len(ids) * count for ids, count in coded)
    for k, step in enumerate(run.steps):
        pairs = reference.count_pairs(coded)
        units = {id: sum(ids.count(id) * n for ids, n in coded) for id in (step.left, step.right)}
        assert step.count == pairs[step.left, step.right] == max(pairs.values())
        assert step.ties == sum(count == step.count for count in pairs.values())
        assert (step.left_count, step.right_count) == (units[step.left], units[step.right])
        best = run.rivals(k, 3)
        assert (best[0].left, best[0].right) == (step.left, step.right)
        assert [rival.count for rival in best] == sorted(pairs.values(), reverse=True)[:3]
        coded = [(reference.merge(ids, (step.left, step.right), 256 + k), n) for ids, n in coded]
        assert step.length == sum(len(ids) * count for ids, count in coded)


@given(words=st.lists(st.sampled_from(["o", "gato", "pato", "voou"]), max_size=12))
def test_words(words):
    counts = {word: words.count(word) for word in words}
    run = engine.train(counts, "word", vocab_size=3, tie="first", pre_tokenizer="whole")
    assert [piece.decode() for piece in run.tokenizer.vocabulary] == reference.train_words(counts, 3)


@given(text=st.text(st.sampled_from("aab") | st.characters(exclude_categories=["Cs"]), max_size=60))
@settings(deadline=None)
def test_states_lead_from_the_alphabet_to_the_result(text):
    tokenizer = engine.train(["aab aab abab", text], vocab_size=None, max_steps=8).tokenizer
    for explanation in tokenizer.explain(text):
        states = explanation.states
        assert list(states[0].cut.ids) == list(explanation.text.encode())
        assert states[-1].cut == tokenizer.model.encode(explanation.text)
        assert all(len(a.cut.ids) > len(b.cut.ids) and b.applied in b.cut.ids for a, b in pairwise(states))
        ranks = [state.rank for state in states[1:]]
        assert ranks == sorted(set(ranks))
