"""The lattice of a text under a unigram model: every piece that can stand in it, and the ways through them.

Source: Kudo 2018, arXiv:1804.10959, sections 3.2 and 3.3 (forward filtering, backward sampling).
"""

from __future__ import annotations

import heapq
import math
import random
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from engine.models.unigram import Edge, Unigram
from engine.tokenizer import Tokenizer


class Way(NamedTuple):
    """A way to cut a text into pieces.

    Attributes:
        path: Its pieces, as places in `Lattice.edges`.
        log_prob: The sum of their log probabilities, in nats.
        share: Its probability among all ways to cut this text: 0 to 1.
    """

    path: list[int]
    log_prob: float
    share: float


@dataclass(frozen=True)
class Lattice:
    """All ways to cut a text into pieces.

    Its nodes are 0 to the number of code points: one before each, and one at the end.

    Attributes:
        text: The text as the model reads it.
        edges: The pieces that can stand in it, from left to right, the shorter first, with natural log probabilities; a
            character that no piece covers is the unknown token.

    >>> pieces = {"h": -2.0, "u": -2.0, "g": -2.0, "ug": -3.0}
    >>> edges = [Edge(0, 0, 1, -2.0), Edge(1, 1, 2, -2.0), Edge(3, 1, 3, -3.0), Edge(2, 2, 3, -2.0)]
    >>> [(way.path, way.log_prob, round(way.share, 3)) for way in Lattice("hug", edges).n_best(2)]
    [([0, 2], -5.0, 0.731), ([0, 1, 3], -6.0, 0.269)]
    """

    text: str
    edges: list[Edge]

    @classmethod
    def of(cls, model: Unigram, word: str) -> Lattice:
        """Find the pieces of a model in a pre-token."""
        return cls(word, list(model.edges(word)))

    @cached_property
    def total(self) -> float:
        """Log of the summed probability of all ways."""
        return self._sums(1.0)[-1]

    @cached_property
    def shares(self) -> list[float]:
        """How often each piece stands in its place over all ways, each by its probability: 0 to 1."""
        ahead = self._sums(1.0)
        behind = [-math.inf] * len(self.text) + [0.0]
        for edge in reversed(self.edges):
            behind[edge.start] = _added(behind[edge.start], behind[edge.stop] + edge.score)
        return [math.exp(ahead[edge.start] + edge.score + behind[edge.stop] - self.total) for edge in self.edges]

    def n_best(self, n: int) -> list[Way]:
        """Return the `n` most probable ways, or all if there are fewer; of equals, the one whose last piece is longer.

        The first of them is the best path, which is what encoding takes.
        """
        best: list[list[tuple[float, list[int]]]] = [[] for _ in range(len(self.text) + 1)]
        best[0] = [(0.0, [])]
        for node in range(1, len(self.text) + 1):
            reached = (
                (score + self.edges[i].score, [*path, i])
                for i in self._arriving[node]
                for score, path in best[self.edges[i].start]
            )
            best[node] = heapq.nlargest(n, reached, key=lambda way: way[0])
        ways = best[-1] if self.text else []
        return [Way(path, log, math.exp(min(0.0, log - self.total))) for log, path in ways]

    def sample(self, n: int = 1, alpha: float = 1.0, seed: int = 0) -> list[list[int]]:
        """Draw `n` ways by lot, each by its probability to the power `alpha`; they come as places in `edges`.

        With alpha 0 all ways are equally probable; the larger it is, the more often the best way comes.
        """
        lot = random.Random(seed)
        ahead = self._sums(alpha)
        return [self._draw(ahead, alpha, lot) for _ in range(n if self.text else 0)]

    def _draw(self, ahead: list[float], alpha: float, lot: random.Random) -> list[int]:
        path: list[int] = []
        node = len(self.text)
        while node:
            arriving = self._arriving[node]
            logs = [ahead[self.edges[i].start] + alpha * self.edges[i].score - ahead[node] for i in arriving]
            path.append(lot.choices(arriving, [math.exp(log) for log in logs])[0])
            node = self.edges[path[-1]].start
        return path[::-1]

    def _sums(self, alpha: float) -> list[float]:
        """Return, for each node, the log of the summed probability (to the power `alpha`) of all ways to it."""
        ahead = [0.0] + [-math.inf] * len(self.text)
        for edge in self.edges:
            ahead[edge.stop] = _added(ahead[edge.stop], ahead[edge.start] + alpha * edge.score)
        return ahead

    @cached_property
    def _arriving(self) -> list[list[int]]:
        arriving: list[list[int]] = [[] for _ in range(len(self.text) + 1)]
        for i, edge in enumerate(self.edges):
            arriving[edge.stop].append(i)
        return arriving


def lattice(tokenizer: Tokenizer, text: str) -> Lattice:
    """Return the lattice of a text: those of its pre-tokens, one after another, as no piece crosses their edges.

    Args:
        tokenizer: One of a unigram model.
        text: A word or a passage; what the split drops is left out.

    Raises:
        ValueError: The tokenizer has another model, which knows no probabilities.

    >>> import engine
    >>> found = lattice(engine.pretrained("t5-base"), "unhappy")
    >>> [found.text[found.edges[i].start : found.edges[i].stop] for i in found.n_best(2)[1].path]
    ['▁un', 'ha', 'ppy']
    """
    model = unigram_of(tokenizer)
    edges: list[Edge] = []
    words: list[str] = []
    offset = 0
    for word in _words(tokenizer, text):
        edges += [Edge(id, start + offset, stop + offset, score) for id, start, stop, score in model.edges(word)]
        words.append(word)
        offset += len(word)
    return Lattice("".join(words), edges)


def unigram_of(tokenizer: Tokenizer) -> Unigram:
    """Return the unigram model of a tokenizer.

    Raises:
        ValueError: It has another one, which knows no probabilities.
    """
    if not isinstance(tokenizer.model, Unigram):
        raise ValueError(f"only a unigram model has a lattice with probabilities; {tokenizer.name} has another model")
    return tokenizer.model


def _words(tokenizer: Tokenizer, text: str) -> list[str]:
    return [told.text for told in tokenizer.explain(text)]


def _added(a: float, b: float) -> float:
    """Return log(exp(a) + exp(b))."""
    top = max(a, b)
    return top if top == -math.inf else top + math.log(math.exp(a - top) + math.exp(b - top))
