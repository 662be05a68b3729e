"""How far apart two runs are whose recipes differ in the choice among equally good pairs only."""

from __future__ import annotations

from dataclasses import dataclass

import engine

EXAMPLES = 6
"""Pieces shown that one of the two has alone."""


@dataclass(frozen=True)
class Difference:
    """Two runs compared.

    Attributes:
        steps: Steps of the shorter run.
        differing: Pieces among the learned ones of the first run that the second has not learned.
        first: The first step, from 1, at which they learn different pieces; None if there is none.
        only: Up to `EXAMPLES` pieces that each has alone, in the order in which they were learned.
    """

    steps: int
    differing: int
    first: int | None
    only: tuple[list[bytes], list[bytes]]


def difference(one: engine.TrainingRun, other: engine.TrainingRun) -> Difference:
    """Compare what two runs learned.

    >>> runs = [engine.train("ab cd", vocab_size=257, tie=tie) for tie in ("smallest", "largest")]
    >>> difference(*runs)
    Difference(steps=1, differing=1, first=1, only=([b' c'], [b'cd']))
    """
    learned = [_learned(run) for run in (one, other)]
    pairs = zip(*learned, strict=False)
    first = next((step for step, (mine, theirs) in enumerate(pairs, 1) if mine != theirs), None)
    only = [[piece for piece in mine if piece not in theirs] for mine, theirs in _both_ways(learned)]
    steps = min(map(len, learned))
    if first is None and len(learned[0]) != len(learned[1]):
        first = steps + 1
    return Difference(steps, len(only[0]), first, (only[0][:EXAMPLES], only[1][:EXAMPLES]))


def _learned(run: engine.TrainingRun) -> list[bytes]:
    return [run.model.vocabulary[id] for id in range(run.first_id, run.first_id + len(run.steps))]


def _both_ways(learned: list[list[bytes]]) -> list[tuple[list[bytes], frozenset[bytes]]]:
    one, other = learned
    return [(one, frozenset(other)), (other, frozenset(one))]
