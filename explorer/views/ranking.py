"""The vocabulary of whole words or single characters: a ranked list, and what it covers."""

from __future__ import annotations

from dataclasses import dataclass

import engine
from engine.utf8 import to_printable


@dataclass(frozen=True, slots=True)
class Ranked:
    """One entry of the list.

    Attributes:
        id: Its id.
        piece: The word or character, as it is written.
        count: How often it stands in the corpus.
        covered: Share of the corpus that it and all before it make up, in percent.
    """

    id: int
    piece: str
    count: int
    covered: float


def ranking(run: engine.TrainingRun, letters: bool = False) -> list[Ranked]:
    """List what a run of the word or character algorithm has taken, most frequent first.

    With `letters`, pieces are written in the letters of byte-level vocabularies.

    >>> [entry.piece for entry in ranking(engine.train({"o": 4, "gato": 3}, algorithm="word", max_steps=1))]
    ['o']
    """
    rows: list[Ranked] = []
    covered = 0
    for step, count in enumerate(run.columns.count.tolist()):
        covered += count
        id = run.first_id + step
        piece = run.model.vocabulary[id]
        written = to_printable(piece) if letters else piece.decode()
        rows.append(Ranked(id, written, count, 100 * covered / max(1, run.initial_length)))
    return rows


def covered(run: engine.TrainingRun, kept: int) -> int:
    """Return how many tokens of the corpus the first `kept` entries know."""
    return int(run.columns.count[:kept].sum())
