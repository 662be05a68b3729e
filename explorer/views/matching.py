"""How many merges on a corpus come near a real tokenizer on a text: read off the length curve."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine import corpora

WITHIN = 0.1


class Match(NamedTuple):
    """The first size of a vocabulary that comes near a target.

    Attributes:
        goal: Tokens that are near enough, at most.
        learned: Learned pieces (merges) that it takes; None where the run never comes near.
        size: Pieces in all at that point, or at the end of the run.
        tokens: Tokens of the text at that point, or at the end of the run.
    """

    goal: int
    learned: int | None
    size: int
    tokens: int


def match(sizes: NDArray[np.int64], lengths: NDArray[np.int64], target: int, within: float = WITHIN) -> Match:
    """Find the fewest learned pieces with which a text has at most `1 + within` times the tokens of a target.

    >>> match(np.array([256, 257, 258]), np.array([12, 10, 8]), 9)
    Match(goal=9, learned=2, size=258, tokens=8)
    >>> match(np.array([256, 257, 258]), np.array([12, 10, 8]), 5).learned is None
    True
    """
    goal = int(target * (1 + within) + 1e-9)
    near = np.flatnonzero(lengths <= goal)
    place = int(near[0]) if len(near) else len(lengths) - 1
    return Match(goal, place if len(near) else None, int(sizes[place]), int(lengths[place]))


def held_out(language: str, corpus: Sequence[str]) -> str:
    """Choose a sample text that a tokenizer was not trained on, in a language if there is one: prose first.

    >>> held_out("en", ["udhr/en", "udhr/de"]), held_out("de", ["prose/en_moby_dick_1851"])
    ('prose/en_moby_dick_1851', 'udhr/de')
    >>> held_out("hi", ["udhr/hi"])
    'prose/en_moby_dick_1851'
    """
    kinds: tuple[corpora.Kind, ...] = ("prose", "udhr", "sentences")
    running = [name for kind in kinds for name in corpora.names(kind)]
    spoken = [name for name in running if corpora.corpus(name).language == language]
    return next((name for name in [*spoken, *running] if name not in corpus), running[0])


def seen(text: str, corpus: Iterable[str]) -> float:
    r"""Return the share of the lines of a text that stand in a corpus, by their characters; empty lines apart.

    >>> seen("one\ntwo\n", ["two\nthree"]), seen("one", ["none"])
    (0.5, 0.0)
    """
    there = {line.strip() for part in corpus for line in part.split("\n")}
    lines = [stripped for line in text.split("\n") if (stripped := line.strip())]
    total = sum(map(len, lines))
    return sum(len(line) for line in lines if line in there) / total if total else 0.0
