"""The ways through a lattice: the most probable, draws by lot, and how often each piece stands over all of them."""

from __future__ import annotations

import heapq
import math
import random
from dataclasses import dataclass
from functools import cached_property

from engine.models.unigram import Edge, Unigram


@dataclass(frozen=True)
class Ways:
    """All ways to cut a word into pieces.

    Attributes:
        size: Code points of the word.
        edges: The pieces that stand in it, from left to right, the shorter first.
    """

    size: int
    edges: list[Edge]

    @classmethod
    def of(cls, model: Unigram, word: str) -> Ways:
        """Find the pieces of a model in a word."""
        return cls(len(word), list(model.edges(word)))

    @cached_property
    def total(self) -> float:
        """Log of the summed probability of all ways."""
        return self._sums(1.0)[-1]

    @cached_property
    def shares(self) -> list[float]:
        """How often each piece stands in its place over all ways, each by its probability: 0 to 1."""
        ahead = self._sums(1.0)
        behind = [-math.inf] * self.size + [0.0]
        for edge in reversed(self.edges):
            behind[edge.start] = _added(behind[edge.start], behind[edge.stop] + edge.score)
        return [math.exp(ahead[edge.start] + edge.score + behind[edge.stop] - self.total) for edge in self.edges]

    def most_probable(self, n: int) -> list[tuple[float, list[int]]]:
        """Return the `n` most probable ways: log probability, and the places of their edges in `edges`."""
        best: list[list[tuple[float, list[int]]]] = [[] for _ in range(self.size + 1)]
        best[0] = [(0.0, [])]
        for node in range(1, self.size + 1):
            reached = (
                (score + self.edges[i].score, [*path, i])
                for i in self._arriving[node]
                for score, path in best[self.edges[i].start]
            )
            best[node] = heapq.nlargest(n, reached, key=lambda way: way[0])
        return best[self.size] if self.size else []

    def drawn(self, n: int, alpha: float, seed: int) -> list[list[int]]:
        """Draw `n` ways by lot, each by its probability to the power `alpha`; they come as places in `edges`.

        Source: Kudo 2018, arXiv:1804.10959, section 3.3: forward filtering, backward sampling.
        """
        lot = random.Random(seed)
        ahead = self._sums(alpha)
        return [self._draw(ahead, alpha, lot) for _ in range(n if self.size else 0)]

    def _draw(self, ahead: list[float], alpha: float, lot: random.Random) -> list[int]:
        path: list[int] = []
        node = self.size
        while node:
            arriving = self._arriving[node]
            logs = [ahead[self.edges[i].start] + alpha * self.edges[i].score - ahead[node] for i in arriving]
            path.append(lot.choices(arriving, [math.exp(log) for log in logs])[0])
            node = self.edges[path[-1]].start
        return path[::-1]

    def _sums(self, alpha: float) -> list[float]:
        """Return, for each node, the log of the summed probability (to the power `alpha`) of all ways to it."""
        ahead = [0.0] + [-math.inf] * self.size
        for edge in self.edges:
            ahead[edge.stop] = _added(ahead[edge.stop], ahead[edge.start] + alpha * edge.score)
        return ahead

    @cached_property
    def _arriving(self) -> list[list[int]]:
        arriving: list[list[int]] = [[] for _ in range(self.size + 1)]
        for i, edge in enumerate(self.edges):
            arriving[edge.stop].append(i)
        return arriving


def _added(a: float, b: float) -> float:
    """Return log(exp(a) + exp(b))."""
    top = max(a, b)
    return top if top == -math.inf else top + math.log(math.exp(a - top) + math.exp(b - top))
