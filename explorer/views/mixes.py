"""What a tokenizer of the Languages page is trained on, and how."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import engine
from engine import corpora
from explorer.recipes import Corpus, TokenizerRecipe, encode

ALGORITHMS: Mapping[str, str] = {
    "bpe": "BPE over bytes",
    "characters": "BPE over characters",
    "wordpiece": "WordPiece",
}
SIZES = (500, 1000, 2000, 4000, 8000, 16000, 32000)
MIXES: Mapping[str, tuple[str, ...]] = {
    "Ten languages": ("en", "es", "de", "ru", "ar", "hi", "zh-Hans", "ja", "ko", "fr"),
    "English only": ("en",),
    "Ten sentences in five languages": ("en", "es", "zh-Hans", "ko", "ar"),
}
SENTENCES = "Ten sentences in five languages"


def recipe(mix: Sequence[str], algorithm: str, size: int, own: str = "", sentences: bool = False) -> str:
    """Return the code of a tokenizer that is trained on languages, or on a text of one's own.

    Args:
        mix: BCP 47 tags.
        algorithm: A key of `ALGORITHMS`.
        size: Pieces.
        own: The digest of a text of one's own, which takes the place of the languages.
        sentences: Whether the languages' ten sentences are the corpus, not their Declaration.
    """
    kind = "sentences" if sentences else "udhr"
    corpus = Corpus("text", (own,)) if own else Corpus("samples", tuple(f"{kind}/{tag}" for tag in mix))
    if algorithm == "wordpiece":
        return encode(TokenizerRecipe(corpus, engine.Recipe("wordpiece", size), pre_tokenizer="bert"))
    training = engine.Recipe("bpe", size, "characters" if algorithm == "characters" else None)
    return encode(TokenizerRecipe(corpus, training))


def trained_on(corpus: Corpus) -> tuple[str, ...]:
    """Return the languages of a corpus: BCP 47 tags, each once."""
    if corpus.kind != "samples":
        return ()
    return tuple(dict.fromkeys(entry.language for name in corpus.names if (entry := corpora.corpus(name)).language))
