"""The recipe of a trained tokenizer, and how it is written in a link.

A code reads `bpe~corpus:prose/en_moby_dick_1851~steps:2000`: the algorithm, then what differs from the defaults. A
tokenizer of the catalog has its name for a code.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias, get_args
from urllib.parse import quote, unquote

import engine

CorpusKind: TypeAlias = Literal["samples", "text", "words"]


@dataclass(frozen=True)
class Corpus:
    """What a tokenizer is trained on.

    Attributes:
        kind: Corpora from sample_corpora/, a visitor's text, or a visitor's words with counts.
        names: The names of the samples, or the digest of what the visitor gave.
    """

    kind: CorpusKind
    names: tuple[str, ...]

    @property
    def digest(self) -> str | None:
        """Under which digest the visitor's text is kept; None for samples."""
        return None if self.kind == "samples" else self.names[0]


@dataclass(frozen=True)
class TokenizerRecipe:
    """All that determines a trained tokenizer.

    Attributes:
        corpus: What it is trained on.
        training: Algorithm, alphabet, size, tie rule and so on.
        normalizers: Names, in order.
        pre_tokenizer: Name of the split, or "pattern:" and a regular expression.
    """

    corpus: Corpus
    training: engine.Recipe
    normalizers: tuple[str, ...] = ()
    pre_tokenizer: str = "gpt2"


def digest(text: str) -> str:
    """Return the name under which a text is kept: 16 hexadecimal digits of its BLAKE2 hash."""
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()


def encode(recipe: TokenizerRecipe) -> str:
    """Write a recipe as a code.

    >>> encode(TokenizerRecipe(Corpus("samples", ("toy/cat_mat",)), engine.Recipe(vocab_size=None, max_steps=40)))
    'bpe~corpus:toy/cat_mat~steps:40'
    """
    kind = "" if recipe.corpus.kind == "samples" else recipe.corpus.kind + "."
    parts = {"corpus": kind + ",".join(recipe.corpus.names)}
    if recipe.normalizers:
        parts["norm"] = ",".join(recipe.normalizers)
    if recipe.pre_tokenizer != "gpt2":
        parts["split"] = recipe.pre_tokenizer
    for name, (field, write, _) in OPTIONS.items():
        value = getattr(recipe.training, field)
        if value != getattr(_BARE, field):
            parts[name] = write(value)
    # "~" parts a code, yet quote() never escapes it.
    written = (f"{name}:{quote(value, safe=',/.-_').replace('~', '%7E')}" for name, value in parts.items())
    return "~".join([recipe.training.algorithm, *written])


def decode(code: str) -> TokenizerRecipe:
    """Read a code.

    Raises:
        ValueError: It is damaged, or asks for what does not exist; the message says what.

    >>> decode("wordpiece~corpus:toy/cat_mat~split:bert~size:300").training.vocab_size
    300
    """
    algorithm, *rest = code.split("~")
    parts: dict[str, str] = {}
    for part in rest:
        name, colon, value = part.partition(":")
        if not colon or name not in {"corpus", "norm", "split", *OPTIONS}:
            raise ValueError(f"a recipe has parts such as steps:2000; got {part[:40]!r}")
        parts[name] = unquote(value)
    changes = {field: read(parts[name]) for name, (field, _, read) in OPTIONS.items() if name in parts}
    training = replace(_BARE, algorithm=algorithm, **changes)  # type: ignore[arg-type]  # checked by Recipe
    normalizers = tuple(name for name in parts.get("norm", "").split(",") if name)
    for name in normalizers:
        engine.normalizer(name)
    split_of(parts.get("split", "gpt2"))
    return TokenizerRecipe(_corpus(parts.get("corpus", "")), training, normalizers, parts.get("split", "gpt2"))


def text_of(code: str) -> str | None:
    """Return the digest of the visitor's text that a code needs: a recipe, or "text." and a digest; None for others.

    >>> text_of("bpe~corpus:text.0123456789abcdef~steps:4"), text_of("text.0123456789abcdef"), text_of("gpt2")
    ('0123456789abcdef', '0123456789abcdef', None)
    """
    try:
        return (_corpus(code) if code.startswith("text.") else decode(code).corpus).digest
    except ValueError:
        return None


def split_of(name: str) -> engine.PreTokenizer:
    """Return the split of a recipe: a named one, or the regular expression behind "pattern:".

    Raises:
        ValueError: There is no such split, or the expression is broken.
    """
    if name.startswith("pattern:"):
        return engine.by_pattern(name.removeprefix("pattern:"))
    return engine.pre_tokenizer(name)


def _corpus(written: str) -> Corpus:
    for kind in get_args(CorpusKind):
        if written.startswith(f"{kind}."):
            name = written.removeprefix(f"{kind}.")
            if len(name) != 16 or not set(name) <= set("0123456789abcdef"):
                raise ValueError(f"a corpus of one's own is named by 16 hexadecimal digits; got {name[:40]!r}")
            return Corpus(kind, (name,))
    names = tuple(dict.fromkeys(written.split(",")))
    for name in names:
        engine.corpora.corpus(name)
    return Corpus("samples", names)


def _number(written: str) -> int:
    if not written.isascii() or not written.isdigit() or len(written) > 9:
        raise ValueError(f"a number in a recipe has one to nine digits; got {written[:40]!r}")
    return int(written)


def _share(written: str) -> float:
    try:
        return float(written)
    except ValueError:
        raise ValueError(f"a share in a recipe is a number such as 0.9995; got {written[:40]!r}") from None


def _flag(written: str) -> bool:
    return written == "yes"


def _names(written: str) -> tuple[str, ...]:
    return tuple(map(unquote, written.split(",")))


# What a code calls an option -> the field of engine.Recipe, how it is written, how it is read.
OPTIONS: Mapping[str, tuple[str, Callable[..., str], Callable[[str], object]]] = {
    "steps": ("max_steps", str, _number),
    "size": ("vocab_size", str, _number),
    "alphabet": ("alphabet", str, str),
    "end": ("end_of_word", str, str),
    "joined": ("end_of_word_joined", lambda joined: "yes" if joined else "no", _flag),
    "tie": ("tie", str, str),
    "seed": ("seed", str, _number),
    "min": ("min_count", str, _number),
    "special": ("special_tokens", lambda tokens: ",".join(map(quote, tokens)), _names),
    "unknown": ("unknown", str, str),
    "seeds": ("seeds", str, str),
    "coverage": ("coverage", str, _share),
    "fallback": ("byte_fallback", lambda on: "yes" if on else "no", _flag),
}

_BARE = engine.Recipe(vocab_size=None)
