"""What each round of a unigram training did."""

from __future__ import annotations

import engine


def rounds_table(run: engine.UnigramRun) -> list[tuple[int, int, int, float, int]]:
    """List the rounds, the seed pieces as round 0: pieces, how many were pruned, the corpus's nats and its tokens.

    >>> [row[:3] for row in rounds_table(engine.train({"abab": 3}, "unigram", 4, pre_tokenizer="whole"))]
    [(0, 7, 0), (1, 3, 4)]
    """
    seeds = run.rounds[0]
    rows = [(0, len(seeds.texts), 0, -seeds.likelihood, seeds.length)]
    return rows + [
        (number, step.size, len(step.pruned), -step.likelihood, step.length) for number, step in enumerate(run.steps, 1)
    ]
