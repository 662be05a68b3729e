"""One sentence about each choice of a recipe, where it comes from, and the textbook version of each algorithm."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import engine
from engine import reference
from engine.ties import Tie

TEXTBOOK: Mapping[str, Sequence[Callable[..., Any]]] = {
    "bpe": (reference.count_pairs, reference.merge, reference.train_bpe),
    "wordpiece": (reference.count_pairs, reference.merge, reference.train_wordpiece),
    "unigram": (
        reference.cuts,
        reference.log_prob,
        reference.encode_unigram,
        reference.expected_counts,
        reference.likelihood,
        reference.train_unigram,
    ),
    "word": (reference.train_words,),
    "char": (reference.train_words,),
}
_CHOICES: Mapping[Tie, Callable[..., Any]] = {"lowest-id": reference.lowest_id, "first": reference.first_seen}


def first_line(described: object) -> str:
    """Return the first sentence of what an engine function says of itself.

    >>> first_line(engine.PRE_TOKENIZERS["whole"].split)
    'Keep the text in one piece.'
    """
    return (inspect.getdoc(described) or "").partition("\n")[0]


def source_line(described: object) -> str:
    """Return where an engine function comes from, as its docstring says; "" where it does not.

    >>> source_line(engine.PRE_TOKENIZERS["cl100k"].split)
    'Source: openai/tiktoken, tiktoken_ext/openai_public.py, cl100k_base.'
    """
    paragraphs = (inspect.getdoc(described) or "").split("\n\n")
    found = next((paragraph for paragraph in paragraphs if paragraph.startswith("Source:")), "")
    return " ".join(found.split())


def textbook(training: engine.Recipe) -> str:
    """Return the source of the textbook version of a recipe's algorithm, its tie rule first where it has one."""
    parts = list(TEXTBOOK[training.algorithm])
    if training.algorithm in ("bpe", "wordpiece") and training.tie in _CHOICES:
        parts.insert(0, _CHOICES[training.tie])
    return "\n\n".join(inspect.getsource(part) for part in parts)
