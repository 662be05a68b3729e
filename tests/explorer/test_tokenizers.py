"""The visitor's list of tokenizers."""

from __future__ import annotations

import pytest

from explorer.tokenizers import DEFAULTS, ENGLISH, TEN_LANGUAGES, Tokenizers, describe

CATS = "bpe~corpus:toy/cat_mat~steps:40"


@pytest.fixture
def own() -> Tokenizers:
    return Tokenizers(dict(DEFAULTS))


def test_it_begins_with_two(own: Tokenizers) -> None:
    assert list(own.items()) == [(ENGLISH, "English BPE"), (TEN_LANGUAGES, "Ten-language BPE")]


def test_equal_names_are_told_apart(own: Tokenizers) -> None:
    assert own.add(CATS, "English BPE") == "English BPE 2"
    assert own.add(CATS + "~tie:first", "  English  BPE ") == "English BPE 3"


def test_what_is_there_keeps_its_name(own: Tokenizers) -> None:
    assert own.add(ENGLISH, "Whales") == "English BPE"
    assert len(own) == 2


def test_without_a_name_the_recipe_makes_one(own: Tokenizers) -> None:
    assert own.add(CATS) == "BPE · The cat sat on the mat · 40 steps"


def test_renaming_refuses_what_would_confuse(own: Tokenizers) -> None:
    with pytest.raises(ValueError, match="another tokenizer has the name “Ten-language BPE”"):
        own.rename(ENGLISH, "Ten-language BPE")
    with pytest.raises(ValueError, match="at least one visible character"):
        own.rename(ENGLISH, " \n ")
    own.rename(ENGLISH, "English BPE")
    own.rename(ENGLISH, "<b>Whales</b> " + "x" * 100)
    assert own[ENGLISH].startswith("<b>Whales</b>")
    assert len(own[ENGLISH]) == 60


def test_the_last_one_may_go(own: Tokenizers) -> None:
    for code in DEFAULTS:
        own.delete(code)
    own.delete(CATS)
    assert len(own) == 0


def test_changes_are_kept_where_the_names_are_kept() -> None:
    names = dict(DEFAULTS)
    Tokenizers(names).rename(ENGLISH, "Whales")
    assert names[ENGLISH] == "Whales"


@pytest.mark.parametrize(
    ("code", "name"),
    [
        ("wordpiece~corpus:udhr/pt-BR~split:bert~size:300", "WordPiece · Portuguese · 300 pieces"),
        ("char~corpus:code/word_count~steps:9", "Char · Go · 9 steps"),
        ("bpe~corpus:text.0123456789abcdef~steps:1", "BPE · own text · 1 steps"),
    ],
)
def test_a_recipe_is_described(code: str, name: str) -> None:
    assert describe(code) == name


def test_what_was_deleted_comes_back_when_it_is_added_again(own: Tokenizers) -> None:
    own.delete(ENGLISH)
    own.delete(CATS)  # was never there
    assert own.deleted == {ENGLISH}
    own.add(ENGLISH)
    assert own.deleted == set()
    assert ENGLISH in own
