"""Every sentence about the rounds of a unigram training."""

from __future__ import annotations

import math
from collections.abc import Mapping

import engine
from explorer.words import count

CURVES: Mapping[str, str] = {
    "likelihood": "Log likelihood, nats",
    "length": "Tokens of the corpus",
    "size": "Pieces",
}
CURVES_TITLE = "By round"
PIECES_TITLE = "Pieces"
PIECES: Mapping[str, str] = {"go": "Go", "stay": "Stay"}
GO_COLUMNS = ("piece", "loss, nats")
STAY_COLUMNS = ("piece", "probability", "log probability, nats")
GO_NOTE = (
    "The loss of a piece: how many nats less likely the corpus gets without it. A piece without a number went for "
    "another reason: it was expected less than half a time, its own parts are likelier, or the last cut took the least "
    "probable."
)
STAY_NOTE = "Single characters always stay, so that every word of the corpus can be written."
NONE_GONE = (
    "Round 0 has all seed pieces: substrings of up to 16 characters that two different ones follow, and all characters."
)
CSV = "Download CSV"


def lattice_title(k: int) -> str:
    """Head the lattice of a round."""
    return "Lattice of the word with the seed pieces" if not k else f"Lattice of the word after round {k}"


def pieces_title(k: int) -> str:
    """Head the table of a round's pieces."""
    return f"{PIECES_TITLE}, round {k}"


def loss(value: float | None) -> str:
    """Write the loss of a piece.

    >>> loss(12.3456), loss(None)
    ('12.346', 'none')
    """
    return "none" if value is None else f"{value:,.3f}"


def probability(log: float) -> str:
    """Write a probability that comes as its natural log.

    >>> probability(-3.2), probability(-12.0)
    ('0.0408', '6.14e-06')
    """
    return f"{math.exp(log):.3g}"


def stopped(run: engine.UnigramRun) -> str | None:
    """Say why a training ended before the size that was asked for; None where it did not.

    >>> stopped(engine.train({"ab": 2}, "unigram", 300))
    'Stopped at 3 pieces: the corpus gives no more seed pieces. 300 were asked for.'
    """
    asked = run.recipe.vocab_size or 0
    pieces = run.tokenizer.vocab_size
    if run.stopped == "unfinished":
        return f"Cancelled after {count(len(run.steps), 'round')}; the recipe now asks for as many."
    if run.stopped == "max_steps":
        return f"Stopped after {count(len(run.steps), 'round')}, as asked, at {count(pieces, 'piece')}."
    if pieces < asked:
        return f"Stopped at {count(pieces, 'piece')}: the corpus gives no more seed pieces. {asked:,} were asked for."
    return None


def file_name(k: int, kind: str) -> str:
    """Name the file of a table.

    >>> file_name(3, "go")
    'round-3-go.csv'
    """
    return f"round-{k}-{kind}.csv"
