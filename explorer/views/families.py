"""Recipes that differ in one thing: the algorithm, the way of marking words, or the alphabet of bytes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Literal

import engine
from engine.training import Algorithm, AlphabetName
from explorer.palette import slot
from explorer.recipes import TokenizerRecipe

Equal = Literal["size", "merges"]

FAMILY: tuple[Algorithm, ...] = ("bpe", "wordpiece", "unigram")
MOST_PIECES = 20_000
"""Pieces, or merges, of each of the three."""

MOST_WORDS = 60
"""Words of the text that are shown piece by piece."""


def sibling(base: TokenizerRecipe, algorithm: Algorithm, equal: Equal, number: int) -> TokenizerRecipe:
    """Return a recipe with the corpus, the normalizers and the split of another one, over characters.

    Args:
        base: Whose corpus, normalizers and split.
        algorithm: One of `FAMILY`.
        equal: Whether `number` counts pieces in all or merges; Unigram merges nothing, so it always is a size.
        number: When to stop.
    """
    by_size = equal == "size" or algorithm == "unigram"
    training = engine.Recipe(
        algorithm,
        number if by_size else None,
        alphabet="characters" if algorithm == "bpe" else None,
        max_steps=None if by_size else number,
    )
    return replace(base, training=training)


def switched(recipe: TokenizerRecipe, algorithm: Algorithm, size: int) -> TokenizerRecipe:
    """Return a recipe with another algorithm that stops at a size: corpus, normalizers, split and specials stay.

    BPE starts from characters then, as the others do: a small vocabulary may have no room for 256 bytes.
    """
    over: AlphabetName | None = "characters" if algorithm == "bpe" else None
    return replace(recipe, training=engine.Recipe(algorithm, size, over, special_tokens=recipe.training.special_tokens))


def marks(base: TokenizerRecipe, merges: int) -> dict[str, TokenizerRecipe]:
    """Return three recipes that mark words in three ways, by a name for each; else they are alike."""
    own = engine.Recipe("bpe", None, "characters", end_of_word="</w>", max_steps=merges)
    return {
        "sennrich": replace(base, training=own),
        "clip": replace(base, training=replace(own, end_of_word_joined=True)),
        "bert": replace(base, training=engine.Recipe("wordpiece", None, max_steps=merges)),
    }


def byte_alphabets(base: TokenizerRecipe, merges: int) -> dict[str, TokenizerRecipe]:
    """Return two byte-level recipes: over all 256 bytes, and over those that the corpus has."""
    seen = engine.Recipe("bpe", None, "seen-bytes", max_steps=merges)
    plain = replace(base, normalizers=(), pre_tokenizer="gpt2")
    return {
        "all": replace(plain, training=replace(seen, alphabet=None)),
        "seen": replace(plain, training=seen),
    }


def agreement(encodings: Mapping[str, engine.Encoding]) -> dict[tuple[str, ...], tuple[int, int]]:
    """Count the words that tokenizers of one split cut alike: for all of them and for each pair.

    Returns:
        The names -> how many words are cut alike, and how many words there are.
    """
    cuts = {name: word_cuts(encoding) for name, encoding in encodings.items()}
    groups: list[tuple[str, ...]] = [tuple(cuts), *combinations(cuts, 2)]
    words = set[tuple[int, int]]().union(*cuts.values())
    return {
        names: (sum(len({cuts[name].get(word, ()) for name in names}) == 1 for word in words), len(words))
        for names in groups
    }


def word_cuts(encoding: engine.Encoding) -> dict[tuple[int, int], tuple[int, ...]]:
    """Return, for each pre-token, as a byte span of the text, where its tokens stop."""
    found: dict[tuple[int, int], tuple[int, ...]] = {}
    spans = [(int(start), int(stop)) for start, stop in encoding.pre_tokens]
    for word, stop in zip(encoding.words.tolist(), encoding.spans[:, 1].tolist(), strict=True):
        if word >= 0:
            found[spans[word]] = (*found.get(spans[word], ()), stop)
    return found


@dataclass(frozen=True)
class Marked:
    """A text under one way of marking words.

    Attributes:
        pieces: What the vocabulary writes for each token of the first `MOST_WORDS` words.
        ids: Their ids.
        slots: A fill for each; None for the unknown token.
        tokens: Of the whole text.
        size: Pieces of the vocabulary.
        twice: Pieces that the vocabulary has in two forms, with a mark and without one.
    """

    pieces: list[bytes]
    ids: list[int]
    slots: list[int]
    tokens: int
    size: int
    twice: list[str]


def marked(tokenizer: engine.Tokenizer, text: str, mark: str) -> Marked:
    """Read a text with a tokenizer whose pieces may carry a mark: "</w>" at their end, or "##" at their start."""
    encoding = tokenizer.encode(text)
    shown = [id for id, word in zip(encoding.ids.tolist(), encoding.words.tolist(), strict=True) if word < MOST_WORDS]
    vocabulary = [tokenizer.vocabulary[id].decode("utf-8", "replace") for id in range(tokenizer.vocab_size)]
    bare = {piece.removeprefix(mark).removesuffix(mark) for piece in vocabulary if piece != mark and mark in piece}
    return Marked(
        [tokenizer.vocabulary[id] for id in shown],
        shown,
        [slot(tokenizer.meaning(id)) for id in shown],
        len(encoding),
        tokenizer.vocab_size,
        sorted((piece for piece in vocabulary if piece in bare and piece), key=lambda piece: (-len(piece), piece)),
    )


def lost(tokenizer: engine.Tokenizer, text: str) -> tuple[str, list[str]]:
    """Return a text as it comes back without unknown tokens, and the characters that have a byte which is unknown."""
    encoding = tokenizer.encode(text)
    unknown = tokenizer.model.unknown
    raw = text.encode("utf-8", "replace")
    gone: list[str] = []
    at = 0
    bad = {
        byte
        for id, (start, stop) in zip(encoding.ids.tolist(), encoding.spans.tolist(), strict=True)
        if id == unknown
        for byte in range(start, stop)
    }
    for character in raw.decode():
        size = len(character.encode())
        if any(byte in bad for byte in range(at, at + size)) and character not in gone:
            gone.append(character)
        at += size
    return tokenizer.decode(encoding.ids, skip_special=True), gone


def percent(parts: Sequence[int]) -> float | None:
    """Return the share of the first of two numbers in the second, in percent to a tenth; None where there is none."""
    part, whole = parts
    return round(100 * part / whole, 1) if whole else None
