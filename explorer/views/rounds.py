"""What the round view draws: the rounds of a unigram training over one passage, and which pieces each took away."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

import engine
from explorer import words_rounds as words
from explorer.palette import slot
from explorer.views.lattice import stretches
from explorer.views.player import LONGEST_PASSAGE, packed, passage

LISTED = 8
"""Pieces in the short lists beside the round."""


@dataclass(frozen=True)
class Curves:
    """How a training went, one value a round, round 0 (the seed pieces) first.

    Attributes:
        likelihood: Log probability of the corpus, in nats.
        length: Tokens of the corpus.
        size: Pieces, special ones not counted.
    """

    likelihood: list[float]
    length: list[int]
    size: list[int]


def curves(run: engine.UnigramRun) -> Curves:
    """Return how a training went."""
    return Curves(
        [float(each.likelihood) for each in run.rounds],
        [int(each.length) for each in run.rounds],
        [len(each.texts) for each in run.rounds],
    )


def trace(run: engine.UnigramRun, text: str, step: int, word: int) -> dict[str, object]:
    """Turn a run and a passage into the data of `components.merge_player`.

    Args:
        run: A run of Unigram.
        text: The passage; what goes beyond `LONGEST_PASSAGE` is left out.
        step: The round at which the player stands at first.
        word: The stretch of the passage that is looked at first.
    """
    text = text[:LONGEST_PASSAGE]
    shown = passage(run, text)
    tokenizers = [run.tokenizer_at(k) for k in range(len(run.rounds))]
    frames: dict[int, set[int]] = {}
    unknown: list[tuple[int, int]] = []
    slots: dict[tuple[int, int], int] = {}
    for k, tokenizer in enumerate(tokenizers):
        frames[k] = set()
        unknown = []
        for part, at in shown.parts:
            cut = tokenizer.model.encode(part)
            stops = [at + stop for stop in cut.stops]
            for id, start, stop in zip(cut.ids, [at, *stops[:-1]], stops, strict=True):
                slots[start, stop] = slot(tokenizer.meaning(id))
                if id == tokenizer.model.unknown:
                    unknown.append((start, stop))
            frames[k].update(stops[:-1])
    boundaries = sorted(set().union(*frames.values()))
    found = curves(run)
    parts = stretches(tokenizers[-1], text)
    return {
        "passage": shown.text,
        "boundaries": boundaries,
        "vanish": None,
        "frames": packed(frames, boundaries),
        "fixed": shown.edges,
        "gaps": [list(gap) for gap in shown.gaps],
        "unknown": [list(span) for span in unknown],
        "slots": [[start, stop, fill] for (start, stop), fill in slots.items()],
        "columns": {
            "length": found.length[1:],
            "size": found.size[1:],
            "pruned": [len(step.pruned) for step in run.steps],
            "likelihood": found.likelihood[1:],
        },
        "seeds": {"size": found.size[0], "length": found.length[0], "log": found.likelihood[0]},
        "rounds": [_short(run, k) for k in range(len(run.rounds))],
        "entries": [],
        "initial_length": found.length[0],
        "initial_unit": "tokens",
        "algorithm": "unigram",
        "exhausted": words.stopped(run),
        "rivals": None,
        "match": None,
        "words": [[part.start, part.stop] for part in parts],
        "word": min(word, max(0, len(parts) - 1)),
        "step": min(step, len(run.steps)),
        "text_source": True,
    }


def gone_table(run: engine.UnigramRun, k: int) -> list[dict[str, str | int | float | None]]:
    """List the pieces that went in round `k`, those whose loss was least first; no loss for what went without one."""
    return [dict(zip(words.GO_COLUMNS, entry, strict=True)) for entry in _gone(run, k)]


def left_table(run: engine.UnigramRun, k: int) -> list[dict[str, str | int | float | None]]:
    """List the pieces that are left after round `k` with their probability, the likeliest first."""
    return [dict(zip(words.STAY_COLUMNS, (piece, math.exp(log), log), strict=True)) for piece, log in _left(run, k)]


def _gone(run: engine.UnigramRun, k: int) -> list[tuple[str, float | None]]:
    if not k:
        return []
    step = run.steps[k - 1]
    losses = (None if math.isnan(loss) else loss for loss in step.loss.tolist())
    return [(piece.decode(), loss) for piece, loss in zip(step.pruned, losses, strict=True)]


def _left(run: engine.UnigramRun, k: int) -> list[tuple[str, float]]:
    each = run.rounds[k]
    order = np.argsort(-each.log_probs, kind="stable").tolist()
    return [(each.texts[i], float(each.log_probs[i])) for i in order]


def _short(run: engine.UnigramRun, k: int) -> dict[str, object]:
    went = [(piece, words.loss(loss)) for piece, loss in _gone(run, k)[:LISTED]]
    stay = [(piece, words.probability(log)) for piece, log in _left(run, k)[:LISTED]]
    return {"go": [_row(*entry) for entry in went], "stay": [_row(*entry) for entry in stay]}


def _row(piece: str, value: str) -> dict[str, object]:
    return {"piece": piece.encode().hex(), "slot": slot(piece.replace("\u2581", " ").encode()), "value": value}
