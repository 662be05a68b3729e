"""The recipe of a tokenizer as a code in a link."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import engine
from engine.ties import TIES
from explorer.recipes import Corpus, TokenizerRecipe, decode, digest, encode
from explorer.tokenizers import DEFAULTS

CORPORA = st.one_of(
    st.lists(st.sampled_from(engine.corpora.names()), min_size=1, max_size=4, unique=True).map(
        lambda names: Corpus("samples", tuple(names))
    ),
    st.text().map(lambda text: Corpus("text", (digest(text),))),
    st.text().map(lambda text: Corpus("words", (digest(text),))),
)
TRAININGS = st.builds(
    engine.Recipe,
    algorithm=st.just("bpe"),
    vocab_size=st.none() | st.integers(0, 50_000),
    alphabet=st.sampled_from([None, "bytes", "seen-bytes", "characters"]),
    end_of_word=st.sampled_from(["", "</w>", "~:,%", "é"]),
    end_of_word_joined=st.booleans(),
    tie=st.sampled_from(TIES),
    seed=st.integers(0, 999),
    min_count=st.integers(1, 9),
    max_steps=st.none() | st.integers(0, 50_000),
    special_tokens=st.lists(
        st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=8), max_size=3, unique=True
    ).map(tuple),
    unknown=st.none() | st.sampled_from(["<unk>", "[UNK]", "~"]),
)
RECIPES = st.builds(
    TokenizerRecipe,
    CORPORA,
    TRAININGS,
    st.lists(st.sampled_from(list(engine.NORMALIZERS)), max_size=3, unique=True).map(tuple),
    st.sampled_from([*engine.PRE_TOKENIZERS, "pattern:[a-z]+|~:,%", "pattern:."]),
)


@given(RECIPES)
def test_a_recipe_comes_back_from_its_code(recipe: TokenizerRecipe) -> None:
    assert decode(encode(recipe)) == recipe


@given(RECIPES)
def test_a_code_is_fit_for_an_address(recipe: TokenizerRecipe) -> None:
    code = encode(recipe)
    assert code.isascii()
    assert not set(code) & set(" &?#+\"'<>\\^`{}|")
    assert encode(decode(code)) == code


def test_defaults_are_not_written() -> None:
    assert (
        encode(TokenizerRecipe(Corpus("samples", ("toy/gato",)), engine.Recipe(vocab_size=None)))
        == "bpe~corpus:toy/gato"
    )


@pytest.mark.parametrize("code", DEFAULTS)
def test_the_ready_ones_are_written_as_they_would_be(code: str) -> None:
    assert encode(decode(code)) == code


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("", "algorithm must be one of"),
        ("magic~corpus:toy/gato", "algorithm must be one of"),
        ("bpe~corpus:toy/gato~steps:many", "a number in a recipe has one to nine digits"),
        ("bpe~corpus:toy/gato~steps:-5", "a number in a recipe has one to nine digits"),
        ("bpe~corpus:toy/gato~steps:9999999999", "a number in a recipe has one to nine digits"),
        ("bpe~corpus:toy/gato~steps:٣", "a number in a recipe has one to nine digits"),
        ("bpe~corpus:toy/gato~color:red", "a recipe has parts such as"),
        ("bpe~corpus:toy/gato~steps", "a recipe has parts such as"),
        ("bpe~corpus:../../etc/passwd", "no sample corpus is named"),
        ("bpe~corpus:text.short", "16 hexadecimal digits"),
        ("bpe~corpus:text.ABCDEFABCDEFABCD", "16 hexadecimal digits"),
        ("bpe~corpus:toy/gato~norm:nfx", "there is no normalizer named"),
        ("bpe~corpus:toy/gato~split:spaces", "there is no pre-tokenizer named"),
        ("bpe~corpus:toy/gato~split:pattern%3A(", "is not a regular expression"),
        ("bpe~corpus:toy/gato~tie:best", "tie must be one of"),
        ("wordpiece~corpus:toy/gato~alphabet:bytes", "alphabet must be characters"),
        ("unigram~corpus:toy/gato~size:60~coverage:most", "a share in a recipe is a number such as 0.9995"),
        ("unigram~corpus:toy/gato~size:60~coverage:nan", "coverage is a share of the corpus"),
        ("unigram~corpus:toy/gato~size:60~coverage:1.5", "coverage is a share of the corpus"),
        ("bpe~corpus:toy/gato~coverage:0.9", "coverage belongs to unigram"),
        ("<script>alert(1)</script>", "algorithm must be one of"),
        ("bpe", "no sample corpus is named"),
        ("~" * 10_000, "a recipe has parts such as"),
    ],
)
def test_a_damaged_code_says_what_is_wrong(code: str, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        decode(code)


@given(st.text(max_size=80) | st.text("bpe~corpus:toy/gat%~,steps0123456789", max_size=60))
def test_any_code_is_read_or_refused(code: str) -> None:
    try:
        recipe = decode(code)
    except ValueError:
        return
    assert decode(encode(recipe)) == recipe


def test_a_digest_is_of_the_text_alone() -> None:
    assert digest("abc") == digest("abc") != digest("abd")
    assert len(digest("")) == len(digest("a\ud800")) == 16
