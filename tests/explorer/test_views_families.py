"""Recipes that differ in one thing, and what is counted between them."""

from __future__ import annotations

from dataclasses import replace

import pytest

import engine
from explorer import recipes
from explorer.state import corpus_of
from explorer.views import families

BASE = recipes.decode("bpe~corpus:toy/cat_mat~norm:lowercase~split:bert~steps:5")


def trained(recipe: recipes.TokenizerRecipe) -> engine.Tokenizer:
    split = recipes.split_of(recipe.pre_tokenizer)
    training = engine.begin(corpus_of(recipe), recipe.training, recipe.normalizers, split)
    while not training.finished:
        training.advance(100)
    return training.run().tokenizer


@pytest.mark.parametrize("algorithm", families.FAMILY)
def test_siblings_share_all_but_the_algorithm(algorithm: str) -> None:
    by_size = families.sibling(BASE, algorithm, "size", 90)  # type: ignore[arg-type]
    assert replace(by_size, training=BASE.training) == BASE
    assert trained(by_size).vocab_size <= 90
    assert recipes.decode(recipes.encode(by_size)) == by_size
    by_merges = families.sibling(BASE, algorithm, "merges", 90)  # type: ignore[arg-type]
    assert (by_merges.training.max_steps, by_merges.training.vocab_size) == (
        (None, 90) if algorithm == "unigram" else (90, None)
    )


def test_a_switch_keeps_what_is_not_the_algorithm() -> None:
    base = replace(BASE, training=engine.Recipe(max_steps=9, vocab_size=None, special_tokens=("<s>",)))
    for algorithm in families.FAMILY:
        other = families.switched(base, algorithm, 120)
        assert (other.corpus, other.normalizers, other.pre_tokenizer) == (base.corpus, base.normalizers, "bert")
        assert (other.training.special_tokens, other.training.vocab_size) == (("<s>",), 120)
        assert families.switched(other, "bpe", 120).training.alphabet == "characters"


def test_words_that_are_cut_alike_are_counted() -> None:
    split = engine.PRE_TOKENIZERS["whitespace"]
    left = replace(engine.from_merges("bytes", [("a", "b")]), pre_tokenizer=split)
    right = replace(engine.from_merges("bytes", [("b", "a")]), pre_tokenizer=split)
    found = families.agreement({name: each.encode("ab ba c  c") for name, each in [("x", left), ("y", right)]})
    assert found == {("x", "y"): (2, 4)}
    assert families.percent((0, 0)) is None


def test_three_marks_of_one_word() -> None:
    """Sennrich's mark costs a token until it is merged; CLIP's never does; BERT marks what goes on."""
    pieces = {}
    for name, recipe in families.marks(BASE, 0).items():
        made = families.marked(trained(recipe), "the mat", {"bert": "##"}.get(name, "</w>"))
        pieces[name] = [piece.decode() for piece in made.pieces]
        assert made.tokens == len(pieces[name])
    assert pieces["sennrich"] == ["t", "h", "e", "</w>", "m", "a", "t", "</w>"]
    assert pieces["clip"] == ["t", "h", "e</w>", "m", "a", "t</w>"]
    assert pieces["bert"] == ["t", "##h", "##e", "m", "##a", "##t"]


def test_pieces_in_two_forms_are_named() -> None:
    made = families.marked(trained(families.marks(BASE, 40)["bert"]), "the mat", "##")
    assert "a" in made.twice
    assert all(not piece.startswith("##") for piece in made.twice)


def test_bytes_that_were_never_seen_are_lost_without_an_alphabet() -> None:
    alphabets = families.byte_alphabets(BASE, 20)
    assert families.lost(trained(alphabets["all"]), "a café 🙂") == ("a café 🙂", [])
    text, gone = families.lost(trained(alphabets["seen"]), "a café 🙂")
    assert (text, gone) == ("a caf ", ["é", "🙂"])
