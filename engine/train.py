"""From texts to a training: counts of pre-tokens first, then the algorithm that the recipe names."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Literal, TypeAlias, overload

import numpy as np

from engine.alignment import Normalizer, repair
from engine.counting import count_words
from engine.counts import PreTokenCounts
from engine.models.bpe import bpe_start
from engine.models.lookup import LookupTraining
from engine.models.merging import MergeTraining
from engine.models.unigram_run import UnigramRun, UnigramTraining
from engine.models.wordpiece import wordpiece_start
from engine.normalizers import in_order
from engine.pre_tokenizers import PreTokenizer
from engine.pre_tokenizers import pre_tokenizer as split_named
from engine.ties import Tie
from engine.training import Algorithm, AlphabetName, Recipe, Seeds, Training, TrainingRun

Texts: TypeAlias = str | Iterable[str] | Mapping[str, int]
Run: TypeAlias = TrainingRun | UnigramRun

_MOST_BYTES = 2**53


@overload
def train(
    texts: Texts,
    algorithm: Literal["bpe", "wordpiece", "word", "char"] = "bpe",
    vocab_size: int | None = 1000,
    alphabet: AlphabetName | None = None,
    normalizers: Iterable[str | Normalizer] = (),
    pre_tokenizer: str | PreTokenizer = "gpt2",
    end_of_word: str = "",
    end_of_word_joined: bool = False,
    tie: Tie = "lowest-id",
    seed: int = 0,
    min_count: int = 1,
    max_steps: int | None = None,
    special_tokens: Iterable[str] = (),
    unknown: str | None = None,
) -> TrainingRun: ...
@overload
def train(
    texts: Texts,
    algorithm: Literal["unigram"],
    vocab_size: int = 1000,
    *,
    normalizers: Iterable[str | Normalizer] = (),
    pre_tokenizer: str | PreTokenizer = "gpt2",
    max_steps: int | None = None,
    special_tokens: Iterable[str] = (),
    unknown: str | None = None,
    byte_fallback: bool = False,
    seeds: Seeds = "branching",
    coverage: float = 1.0,
) -> UnigramRun: ...
def train(
    texts: Texts,
    algorithm: Algorithm = "bpe",
    vocab_size: int | None = 1000,
    alphabet: AlphabetName | None = None,
    normalizers: Iterable[str | Normalizer] = (),
    pre_tokenizer: str | PreTokenizer = "gpt2",
    end_of_word: str = "",
    end_of_word_joined: bool = False,
    tie: Tie = "lowest-id",
    seed: int = 0,
    min_count: int = 1,
    max_steps: int | None = None,
    special_tokens: Iterable[str] = (),
    unknown: str | None = None,
    byte_fallback: bool = False,
    seeds: Seeds = "branching",
    coverage: float = 1.0,
) -> Run:
    """Train a tokenizer and return the whole history of the training.

    Args:
        texts: One text, or several, or pre-tokens with their counts.
        algorithm: See `Recipe`, as for all that follow it. Unigram starts with too many pieces, and its steps are
            rounds that prune.
        vocab_size: Pieces in all, a ceiling: a corpus may be exhausted before.
        alphabet: What merging starts from.
        normalizers: Names, in order.
        pre_tokenizer: Name of the split; "whole" for none.
        end_of_word: A mark such as "</w>".
        end_of_word_joined: Whether it is fused to the last symbol.
        tie: Which of equally good pairs wins.
        seed: Of the rule "random".
        min_count: Least count of what wins.
        max_steps: Steps at most.
        special_tokens: Pieces with the first ids.
        unknown: The unknown token.
        byte_fallback: Whether unknown characters are written in bytes.
        seeds: What Unigram starts from.
        coverage: Share of the corpus whose characters Unigram knows.

    Raises:
        ValueError: A value is outside its range; the message names it.

    >>> run = train("low low low lower lowest", vocab_size=260)
    >>> [step.piece for step in run.steps]
    [b'lo', b'low', b' low', b' lowe']
    >>> run = train({"hug": 10, "pug": 5, "pun": 12, "bun": 4, "hugs": 5}, "unigram", 12, pre_tokenizer="whole")
    >>> run.steps[-1].size, run.tokenizer.encode("hugs").pieces
    (10, [b'hug', b's'])
    """
    if isinstance(special_tokens, str):
        raise ValueError(f"special_tokens must be several texts, as in [{special_tokens!r}]; got one alone")
    recipe = Recipe(
        algorithm,
        vocab_size,
        alphabet,
        end_of_word,
        end_of_word_joined,
        tie,
        seed,
        min_count,
        max_steps,
        tuple(special_tokens),
        unknown,
        byte_fallback,
        seeds,
        coverage,
    )
    training = begin(texts, recipe, normalizers, pre_tokenizer)
    while not training.finished:
        training.advance(1000)
    return training.run()


def begin(
    texts: Texts,
    recipe: Recipe,
    normalizers: Iterable[str | Normalizer] = (),
    pre_tokenizer: str | PreTokenizer = "gpt2",
) -> Training[Run]:
    """Begin a training that is advanced in slices, so that progress can be drawn and the run cancelled.

    Raises:
        ValueError: A name is unknown, or the recipe asks for fewer pieces than the alphabet has.

    >>> training = begin("aaabdaaabac", Recipe(max_steps=2, vocab_size=None), pre_tokenizer="whole")
    >>> training.advance(1)
    >>> training.done, training.finished, len(training.run().steps)
    (1, False, 1)
    """
    rules, split, counts = _prepared(texts, normalizers, pre_tokenizer)
    if recipe.algorithm in ("word", "char"):
        return LookupTraining(recipe, counts, rules, split)
    if recipe.algorithm == "unigram":
        return UnigramTraining(recipe, counts, rules, split)
    start = bpe_start if recipe.algorithm == "bpe" else wordpiece_start
    return MergeTraining(recipe, counts, rules, split, start)


def _prepared(
    texts: Texts, normalizers: Iterable[str | Normalizer], pre_tokenizer: str | PreTokenizer
) -> tuple[tuple[Normalizer, ...], PreTokenizer, Mapping[str, int]]:
    """Look up what is named, and count the corpus: pre-token -> count."""
    rules = in_order(normalizers)
    split = split_named(pre_tokenizer) if isinstance(pre_tokenizer, str) else pre_tokenizer
    return rules, split, _checked(texts) if isinstance(texts, Mapping) else count_words(texts, rules, split)


def _checked(counts: Mapping[str, int]) -> Mapping[str, int]:
    """Copy a corpus that came as counts; lone surrogates are repaired, as in a text."""
    if isinstance(counts, PreTokenCounts):
        return counts
    checked: dict[str, int] = {}
    size = 0
    for word, count in counts.items():
        if not isinstance(count, int | np.integer) or count < 1:
            raise ValueError(f"the count of a pre-token must be a whole number from 1 on; {word!r} has {count!r}")
        size += (4 * len(word) + 1) * int(count)
        checked[repair(word)] = checked.get(repair(word), 0) + int(count)
    if size > _MOST_BYTES:
        raise ValueError(f"counts must keep a corpus below 2^53 bytes, as far as sums are exact; this has up to {size}")
    return checked
