"""How much a visitor may train on, and what becomes of a file on its way to a corpus.

Measured on 10 MB of random letters, 2 cores: counting takes .8 s by a named split and 3 s by a pattern of one's own;
2,000 merges take about a second by compiled loops, also as one whole text. Ties drawn by lot are merged by Python:
2,000 merges take 15 to 19 s then, 20,000 take 32 to 43 s.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Mapping
from typing import cast

import engine
from engine.alignment import Normalizer
from engine.counting import count_in_slices
from engine.train import Texts
from explorer import recipes
from explorer.recipes import TokenizerRecipe

LARGEST_CORPUS = 10 * 1024 * 1024
"""Bytes of a corpus."""

MOST_SYMBOLS = 12_000_000
"""Code points of different pre-tokens that merging may hold; a normalizer can make more of a text than it has bytes."""

MOST_PRUNED = 1_500_000
"""Code points of different pre-tokens that Unigram may hold, as each takes about 700 bytes of its lattice."""

LONGEST_PRUNED = 20_000
"""Code points of one pre-token of Unigram: a round goes through it character by character, in about two seconds."""

MOST_STEPS = 50_000
"""Steps of one training: the player has all of them in the browser."""

LONGEST_MARK = 16
"""Code points of the mark of a word's end."""

LARGEST_RIVALS = 200_000
"""Code points of different pre-tokens up to which a step's rivals are worked out, in about a second."""


def begin(texts: Texts, recipe: TokenizerRecipe) -> Generator[float, None, engine.Training[engine.Run]]:
    """Count a corpus, yield from time to time what share of it is counted, and return its training, begun.

    Raises:
        ValueError: The corpus is empty or too large, or the recipe does not fit it; the message says why.
    """
    if len(recipe.training.end_of_word) > LONGEST_MARK:
        raise ValueError(
            f"the mark of a word's end may have {LONGEST_MARK} characters, as each word of the passage shows it; "
            f"this one has {len(recipe.training.end_of_word):,}"
        )
    split = recipes.split_of(recipe.pre_tokenizer)
    normalizers = tuple(map(engine.normalizer, recipe.normalizers))
    counts = texts if isinstance(texts, Mapping) else (yield from _counted(texts, normalizers, split))
    if not counts:
        raise ValueError("the corpus is empty: after the split nothing is left to count")
    held = symbols(counts)
    if held > MOST_SYMBOLS:
        raise ValueError(
            f"the different pre-tokens of a corpus may have {MOST_SYMBOLS:,} characters, as merging holds about 75 "
            f"bytes of memory for each of them; these have {held:,}. A split into words leaves fewer than “whole”"
        )
    if recipe.training.algorithm == "unigram":
        _check_unigram(counts, held)
    training = engine.begin(counts, recipe.training, normalizers, split)
    if recipe.training.algorithm != "unigram" and (training.total is None or training.total > MOST_STEPS):
        asked = "no limit" if training.total is None else f"{training.total:,}"
        raise ValueError(
            f"a training may have {MOST_STEPS:,} steps, as the player has every step in the browser; got {asked}"
        )
    return training


def _check_unigram(counts: Mapping[str, int], held: int) -> None:
    longest = max(map(len, counts))
    advice = "A split into words leaves fewer than “whole”"
    if held > MOST_PRUNED:
        raise ValueError(
            f"the different pre-tokens may have {MOST_PRUNED:,} characters for Unigram, as its lattice holds about 700 "
            f"bytes of memory for each of them; these have {held:,}. {advice}"
        )
    if longest > LONGEST_PRUNED:
        raise ValueError(
            f"a pre-token may have {LONGEST_PRUNED:,} characters for Unigram, as each round goes through it character "
            f"by character; the longest here has {longest:,}. {advice}"
        )


def _counted(
    texts: str | Iterable[str], normalizers: Iterable[Normalizer], split: engine.PreTokenizer
) -> Generator[float, None, Mapping[str, int]]:
    parts = [texts] if isinstance(texts, str) else list(texts)
    size = sum(map(len, parts))
    counting = count_in_slices(parts, normalizers, split)
    while True:
        try:
            yield next(counting) / max(1, size)
        except StopIteration as over:
            return cast("Mapping[str, int]", over.value)


def symbols(counts: Mapping[str, int]) -> int:
    """Return how many code points the different pre-tokens of a corpus have: what merging works on."""
    return sum(map(len, counts))


def weight(run: engine.Run) -> int:
    """Return how many code points a run holds: different pre-tokens, and the seed pieces of Unigram."""
    seeds = run.rounds[0].texts if isinstance(run, engine.UnigramRun) else ()
    return symbols(run.counts) + sum(map(len, seeds))


def read_file(raw: bytes) -> tuple[str, int, int]:
    r"""Read a file as UTF-8; bytes that are none become U+FFFD.

    Returns:
        The text, how many U+FFFD took the place of invalid bytes, and the first byte (from 0) that is none.

    Raises:
        ValueError: The file is empty or too large.

    >>> read_file(b"caf\xe9 ol\xe9")
    ('caf\ufffd ol\ufffd', 2, 3)
    """
    if not raw:
        raise ValueError("this file is empty: a corpus must have at least one byte")
    check_size(len(raw), "file")
    try:
        return raw.decode(), 0, 0
    except UnicodeDecodeError as error:
        text = raw.decode(errors="replace")
        return text, text.count("\ufffd") - raw.count("\ufffd".encode()), error.start


def check_size(bytes: int, what: str) -> None:
    """Raise where a corpus is too large.

    Raises:
        ValueError: It has more than `LARGEST_CORPUS` bytes.
    """
    if bytes > LARGEST_CORPUS:
        raise ValueError(
            f"a corpus may have {LARGEST_CORPUS:,} bytes, so that a training takes about a minute; this {what} has "
            f"{bytes:,}"
        )
