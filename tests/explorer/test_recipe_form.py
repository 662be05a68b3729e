"""The form of Train and the limits of a corpus, without a browser."""

from __future__ import annotations

import ast
from dataclasses import replace
from typing import Any

import pytest

import engine
from explorer import recipes
from explorer.limits import LARGEST_CORPUS, MOST_STEPS, begin, read_file
from explorer.recipes import Corpus, TokenizerRecipe
from explorer.views.options import textbook
from explorer.views.recipe_form import LONGEST_PASTE, Draft, draft_of, reason, recipe_of
from explorer.views.recipe_line import facts, one_line
from explorer.views.recipe_presets import PRESETS, preset_of
from explorer.views.ties import difference


def begun(texts: Any, recipe: TokenizerRecipe) -> engine.Training[engine.Run]:
    """Count to the end, and return the training that is begun then."""
    counting = begin(texts, recipe)
    while True:
        try:
            next(counting)
        except StopIteration as over:
            return over.value  # type: ignore[no-any-return]


def keep(text: str) -> str:
    return recipes.digest(text)


CODES = [
    "bpe~corpus:prose/en_moby_dick_1851~steps:2000",
    "bpe~corpus:udhr/en,udhr/de~norm:nfc,lowercase~split:cl100k~size:500~tie:random~seed:7~min:3",
    "bpe~corpus:toy/low_newest_widest~split:whitespace~steps:10~alphabet:characters~end:%3C/w%3E~joined:yes~tie:first",
    "wordpiece~corpus:toy/hug_pug~steps:3~special:%255BPAD%255D,%255BCLS%255D~unknown:%5BX%5D",
    "word~corpus:toy/gato~split:whitespace~size:3",
    "char~corpus:toy/gato~steps:3",
    "unigram~corpus:udhr/en,udhr/ja~norm:nmt,nfkc,single_spaces~split:dummy-prefix~size:2000~seeds:frequent~coverage:0.9995~fallback:yes",
    "bpe~corpus:udhr/ja~split:dummy-prefix-whole~size:2000~alphabet:characters~fallback:yes",
    "bpe~corpus:toy/gato~split:pattern%3A%5Cp%7BL%7D%2B~steps:3",
]


@pytest.mark.parametrize("code", CODES)
def test_the_form_gives_back_the_recipe_that_it_was_opened_with(code: str) -> None:
    recipe = recipes.decode(code)
    assert recipe_of(draft_of(recipe, None), keep) == recipe


@pytest.mark.parametrize("kind", ["text", "words"])
@pytest.mark.parametrize("text", ["low 5\nlower 2", "\x00<b>\u202e 3"])
def test_a_visitors_text_comes_back_into_its_field(kind: Any, text: str) -> None:
    recipe = TokenizerRecipe(Corpus(kind, (recipes.digest(text),)), engine.Recipe(vocab_size=None, max_steps=3))
    assert recipe_of(draft_of(recipe, text), keep) == recipe


def test_a_text_too_long_for_the_field_stays_the_corpus_until_a_file_is_chosen() -> None:
    text = "a" * (LONGEST_PASTE + 1)
    recipe = TokenizerRecipe(Corpus("text", (recipes.digest(text),)), engine.Recipe(vocab_size=None, max_steps=3))
    draft = draft_of(recipe, text)
    assert (draft.source, draft.pasted) == ("file", "")
    assert recipe_of(draft, keep) == recipe
    assert recipe_of(replace(draft, file="b"), keep).corpus.names == (recipes.digest("b"),)


@pytest.mark.parametrize("name", PRESETS)
def test_a_preset_can_be_trained_and_is_recognized(name: str) -> None:
    by_size = PRESETS[name].fields.get("stop") == "size"
    draft = Draft(samples=("toy/cat_mat",), number=320 if by_size else 20, **PRESETS[name].fields)
    assert preset_of(draft) == name
    recipe = recipe_of(draft, keep)
    training = begun(engine.corpora.text("toy/cat_mat"), recipe)
    training.advance(500)
    made = training.run()
    assert 80 < made.tokenizer.vocab_size <= 320 if by_size else len(made.steps) == 20
    assert recipes.decode(recipes.encode(recipe)) == recipe


def test_unigram_takes_its_seeds_and_nothing_that_merging_has() -> None:
    draft = Draft(algorithm="unigram", tie="first", seed=9, min_count=3, seeds="frequent", coverage=0.99)
    assert recipe_of(draft, keep).training == engine.Recipe("unigram", 2000, seeds="frequent", coverage=0.99)


@pytest.mark.parametrize("algorithm", ["wordpiece", "word", "char"])
def test_what_does_not_apply_has_a_reason_and_no_effect(algorithm: Any) -> None:
    draft = Draft(algorithm=algorithm, alphabet="seen-bytes", end_of_word="</w>", joined=True, seed=9, coverage=0.99)
    assert all(reason(field, draft) for field in ("alphabet", "end_of_word", "joined", "seed"))
    training = recipe_of(draft, keep).training
    assert training == engine.Recipe(algorithm=algorithm, vocab_size=None, max_steps=2000)


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"number": 0}, "from 1 to 50,000"),
        ({"number": MOST_STEPS + 1, "stop": "size"}, "number of pieces must be from 1 to 50,000"),
        ({"samples": ()}, "at least one sample"),
        ({"split": "pattern", "pattern": ""}, "regular expression is empty"),
        ({"split": "pattern", "pattern": "("}, "not a regular expression"),
        ({"min_count": 0}, "min_count must be at least 1"),
        ({"algorithm": "unigram", "coverage": 0.0}, "coverage is a share of the corpus, so it must be above 0"),
        ({"source": "pasted", "pasted": "a" * (LARGEST_CORPUS + 1)}, "a corpus may have 10,485,760 bytes"),
    ],
)
def test_a_field_outside_its_range_is_an_error_that_names_it(fields: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        recipe_of(Draft(**fields), keep)


def test_facts_name_what_a_recipe_uses() -> None:
    assert facts(recipes.decode(CODES[1]), None) == [
        ("Corpus", "2 texts, 23 kB"),
        ("Algorithm", "BPE over bytes"),
        ("Normalize", "nfc, lowercase"),
        ("Split", "cl100k"),
        ("Size", "500 pieces"),
        ("Least count", "3"),
        ("Ties", "random, seed 7"),
    ]
    assert ("Character coverage", "0.9995") in facts(recipes.decode(CODES[6]), None)
    own = recipes.decode("bpe~corpus:words.0123456789abcdef~steps:3")
    assert facts(own, "a 1\n\nb 2")[0] == ("Corpus", "2 words with counts")
    assert facts(own, None)[0] == ("Corpus", "a text that is not here")
    assert one_line(own).startswith("own words · BPE over bytes · split gpt2")


@pytest.mark.parametrize(
    ("raw", "text", "replaced", "first"),
    [
        (b"plain", "plain", 0, 0),
        ("é🙂".encode(), "é🙂", 0, 0),
        ("\ufffd".encode() + b"\xff", "\ufffd\ufffd", 1, 3),
        (b"\xf0\x9f\x99", "\ufffd", 1, 0),
        (b"a\xed\xa0\x80", "a\ufffd\ufffd\ufffd", 3, 1),
        (b"\x00\x01", "\x00\x01", 0, 0),
    ],
)
def test_a_file_is_read_as_utf8(raw: bytes, text: str, replaced: int, first: int) -> None:
    assert read_file(raw) == (text, replaced, first)


def test_a_file_has_at_least_one_byte_and_at_most_ten_mebibytes() -> None:
    assert len(read_file(b"a" * LARGEST_CORPUS)[0]) == LARGEST_CORPUS
    with pytest.raises(ValueError, match="this file has 10,485,761"):
        read_file(b"a" * (LARGEST_CORPUS + 1))
    with pytest.raises(ValueError, match="empty"):
        read_file(b"")


def test_a_training_is_bounded_by_what_its_recipe_makes_of_the_corpus() -> None:
    recipe = recipes.decode("bpe~corpus:toy/gato~norm:nfkd~split:whole~steps:10")
    with pytest.raises(ValueError, match="may have 12,000,000 characters"):
        begun("\ufdfa" * 700_000, recipe)  # 18 code points each in NFKD
    with pytest.raises(ValueError, match="may have 50,000 steps"):
        begun("ab", recipes.decode("bpe~corpus:toy/gato~size:900000"))
    with pytest.raises(ValueError, match="no limit"):
        begun("ab", recipes.decode("bpe~corpus:toy/gato"))
    with pytest.raises(ValueError, match="corpus is empty"):
        begun(" \n", recipes.decode("word~corpus:toy/gato~split:whitespace~steps:1"))
    with pytest.raises(ValueError, match="16 characters"):
        begun("ab", recipes.decode("bpe~corpus:toy/gato~steps:1~end:" + "x" * 17))


def test_the_difference_of_two_runs() -> None:
    corpus = engine.corpora.text("toy/cat_mat")
    runs = [engine.train(corpus, vocab_size=None, max_steps=40, tie="random", seed=seed) for seed in (0, 1)]
    found = difference(*runs)
    learned = [{step.piece for step in run.steps} for run in runs]
    assert found.differing == len(learned[0] - learned[1]) > 0
    assert found.first is not None
    assert [step.piece for step in runs[0].steps[: found.first - 1]] == [
        step.piece for step in runs[1].steps[: found.first - 1]
    ]
    assert runs[0].steps[found.first - 1].piece != runs[1].steps[found.first - 1].piece
    assert set(found.only[0]) <= learned[0] - learned[1]
    same = difference(runs[0], runs[0])
    assert (same.differing, same.first) == (0, None)


@pytest.mark.parametrize("algorithm", ["bpe", "wordpiece", "word", "char"])
def test_the_textbook_version_is_python(algorithm: Any) -> None:
    parts = ast.parse(textbook(engine.Recipe(algorithm=algorithm))).body
    names = [part.name for part in parts if isinstance(part, ast.FunctionDef)]
    assert len(names) == len(parts)
    assert names[-1].startswith("train_")
