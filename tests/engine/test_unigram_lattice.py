"""The lattice of a text: against every way to cut it, and against SentencePiece's own lists."""

from __future__ import annotations

import math
from collections import Counter
from functools import cache

import pytest
import sentencepiece
from hypothesis import given, settings
from hypothesis import strategies as st

import engine
from engine import Lattice, corpora, reference
from engine.formats.sentencepiece_writer import write
from engine.models.unigram import Unigram
from engine.vocabulary import Pieces

SCORES = {"a": -2.0, "b": -2.5, "c": -3.0, "ab": -3.1, "bc": -3.9, "abc": -6.0, "aa": -4.0, "aba": -4.2}


def model(scores: dict[str, float]) -> Unigram:
    pieces = ["<unk>", *scores]
    ids = {piece: id for id, piece in enumerate(pieces) if id}
    return Unigram(Pieces([piece.encode() for piece in pieces]), ids, [-20.0, *scores.values()], 0)


MODEL = model(SCORES)


def pieces_of(lattice: Lattice, path: list[int]) -> list[str]:
    return [lattice.text[lattice.edges[i].start : lattice.edges[i].stop] for i in path]


@given(st.text("abc", min_size=1, max_size=7))
@settings(deadline=None)
def test_sums_lists_and_the_best_are_those_of_all_ways(word: str) -> None:
    found = Lattice.of(MODEL, word)
    every = sorted((reference.log_prob(way, SCORES) for way in reference.cuts(word, SCORES)), reverse=True)
    assert found.total == pytest.approx(math.log(sum(map(math.exp, every))))
    best = found.n_best(5)
    assert [way.log_prob for way in best] == pytest.approx(every[:5])
    assert [way.share for way in best] == pytest.approx([math.exp(log - found.total) for log in every[:5]])
    assert sum(way.share for way in found.n_best(1000)) == pytest.approx(1)
    for way in best:
        assert "".join(pieces_of(found, way.path)) == word
        assert reference.log_prob(pieces_of(found, way.path), SCORES) == pytest.approx(way.log_prob)
    assert [found.edges[i].id for i in best[0].path] == list(MODEL.encode(word).ids)
    expected = reference.expected_counts({word: 1}, SCORES)
    shares: Counter[str] = Counter()
    for edge, share in zip(found.edges, found.shares, strict=True):
        shares[word[edge.start : edge.stop]] += share  # type: ignore[assignment]
    assert [shares[piece] for piece in SCORES] == pytest.approx([expected[piece] for piece in SCORES])


def test_draws_follow_alpha_and_seed() -> None:
    found = Lattice.of(MODEL, "abcab")
    assert found.sample(50, 1.0, 3) == found.sample(50, 1.0, 3) != found.sample(50, 1.0, 4)
    best = found.n_best(1)[0].path
    assert found.sample(50, 200.0, 0) == [best] * 50
    alike = Counter(map(tuple, found.sample(4000, 0.0, 0)))
    number = sum(1 for _ in reference.cuts("abcab", SCORES))
    assert len(alike) == number
    assert max(alike.values()) < 1.35 * 4000 / number
    shares = Counter(map(tuple, found.sample(4000, 1.0, 0)))
    for way in found.n_best(3):
        assert shares[tuple(way.path)] / 4000 == pytest.approx(way.share, abs=0.03)


def test_the_ways_of_pug() -> None:
    """Source: by hand, from the corpus of the Hugging Face course, chapter 6, "Unigram tokenization".

    All strict substrings of its words stand 210 times. The course prints other numbers for "pug": 0.000389 for p, u, g
    and 0.0022676 for the other two: there, p and pu stand 5 times as in "pug" alone; they stand 17 times, in "pun" too.
    """
    words = {"hug": 10, "pug": 5, "pun": 12, "bun": 4, "hugs": 5}
    parts = {word: [word[a:b] for a in range(len(word)) for b in range(a + 1, len(word) + 1)] for word in words}
    strict = {part for word, found in parts.items() for part in found if part != word}
    counts: Counter[str] = Counter()
    for word, count in words.items():
        for part in parts[word]:
            counts[part] += count if part in strict else 0
    counts = +counts
    assert counts.total() == 210
    found = Lattice.of(model({piece: math.log(count / 210) for piece, count in counts.items()}), "pug")
    ways = found.n_best(10)
    assert {tuple(pieces_of(found, way.path)): round(math.exp(way.log_prob), 7) for way in ways} == {
        ("pu", "g"): 0.0077098,
        ("p", "ug"): 0.0077098,
        ("p", "u", "g"): 0.0013217,
    }


def test_a_passage_is_its_words_one_after_another() -> None:
    tokenizer = engine.train({"low": 5, "lower": 2}, "unigram", 9, pre_tokenizer="whitespace").tokenizer
    found = engine.lattice(tokenizer, "low  lower é")
    assert found.text == "lowloweré"
    assert [found.edges[i].id for i in found.n_best(1)[0].path] == tokenizer.encode("low  lower é").ids.tolist()
    assert found.edges[-1].id == tokenizer.model.unknown
    empty = engine.lattice(tokenizer, "")
    assert (empty.edges, empty.n_best(3), empty.sample(3), empty.total) == ([], [], [], 0.0)
    with pytest.raises(ValueError, match="only a unigram model has a lattice"):
        engine.lattice(engine.codepoints(), "low")


@cache
def both() -> tuple[engine.Tokenizer, sentencepiece.SentencePieceProcessor]:
    lines = corpora.text("udhr/en").splitlines()
    ours = engine.train(lines, "unigram", 500, pre_tokenizer="dummy-prefix").tokenizer
    return ours, sentencepiece.SentencePieceProcessor(model_proto=write(ours))


@pytest.mark.parametrize("text", ["unhappy", "human rights", "everyone is born free and equal", "aaaa"])
def test_the_most_probable_ways_are_those_of_sentencepiece(text: str) -> None:
    ours, official = both()
    found = engine.lattice(ours, text)
    best = official.nbest_encode_as_ids(text, nbest_size=12)
    score = {id: official.get_score(id) for id in range(official.vocab_size())}
    ways = found.n_best(12)
    assert [way.log_prob for way in ways] == pytest.approx([sum(score[id] for id in ids) for ids in best], abs=1e-4)
    assert [found.edges[i].id for i in ways[0].path] == official.encode(text)
    assert {tuple(found.edges[i].id for i in way.path) for way in ways[:3]} <= set(map(tuple, best))
