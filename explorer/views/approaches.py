"""The ways to cut a text, from words to bytes, trained on one corpus and measured on one text."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np

import engine
from engine.encoding import UNKNOWN_ID
from explorer.recipes import Corpus, TokenizerRecipe, encode

APPROACHES = ("word", "char", "byte", "BPE", "WordPiece", "Unigram")
SIZES = (300, 500, 1000, 2000, 4000, 8000)


@dataclass(frozen=True)
class Measured:
    """What a tokenizer makes of a text.

    Attributes:
        ids: Its tokens.
        unknown: Bytes of the text that became unknown tokens, in percent.
        bytes_per_token: Bytes of the text for each token.
    """

    ids: list[int]
    unknown: float
    bytes_per_token: float


def approach_codes(corpus: Corpus, size: int) -> dict[str, str]:
    """Return the recipe of each approach on a corpus, with at most `size` pieces.

    Bytes need no training: they are BPE without a merge. Words and WordPiece are split at white space and punctuation,
    as in BERT; BPE by the pattern of GPT-2; Unigram reads spaces as a letter, as SentencePiece does.

    >>> approach_codes(Corpus("samples", ("toy/cat_mat",)), 300)["WordPiece"]
    'wordpiece~corpus:toy/cat_mat~split:bert~size:300'
    """
    recipes = {
        "word": (engine.Recipe("word", size), "bert"),
        "char": (engine.Recipe("char", size), "whole"),
        "byte": (engine.Recipe("bpe", None, max_steps=0), "whole"),
        "BPE": (engine.Recipe("bpe", size), "gpt2"),
        "WordPiece": (engine.Recipe("wordpiece", size), "bert"),
        "Unigram": (engine.Recipe("unigram", size), "metaspace"),
    }
    return {name: encode(TokenizerRecipe(corpus, training, (), split)) for name, (training, split) in recipes.items()}


def measure(tokenizer: engine.Tokenizer, text: str) -> Measured:
    """Encode a text and measure the result.

    >>> measure(engine.from_merges("bytes", [("a", "b")]), "abab")
    Measured(ids=[256, 256], unknown=0.0, bytes_per_token=2.0)
    """
    encoding = tokenizer.encode(text)
    size = len(encoding.text.encode())
    unknown = np.isin(encoding.ids, [UNKNOWN_ID, UNKNOWN_ID if (own := tokenizer.model.unknown) is None else own])
    lost = int((encoding.spans[unknown, 1] - encoding.spans[unknown, 0]).sum())
    ids: list[int] = encoding.ids.tolist()
    return Measured(ids, round(100 * lost / max(size, 1), 2), round(size / max(len(ids), 1), 4))


def is_unseen(word: str, corpus: Iterable[str]) -> bool:
    """Tell whether a word stands in no text of a corpus, whatever its capitals."""
    wanted = word.strip().casefold()
    return bool(wanted) and not any(wanted in text.casefold() for text in corpus)


def table_of_approaches(
    tokenizers: Mapping[str, engine.Tokenizer], text: str, unseen: str, mixed: str
) -> list[tuple[str, engine.Tokenizer, Measured, Measured, Measured]]:
    """Measure each approach on the text, on a word that its corpus has not, and on a line in several languages."""
    return [
        (name, tokenizer, measure(tokenizer, text), measure(tokenizer, unseen), measure(tokenizer, mixed))
        for name, tokenizer in tokenizers.items()
    ]
