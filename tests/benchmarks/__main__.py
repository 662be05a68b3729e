"""Measure us and the peers side by side, and write RESULTS.md.

`python -m tests.benchmarks` measures everything, which takes more than an hour; the arguments choose.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from pathlib import Path

import engine
from tests.benchmarks import encoding, growth, page, stalls, summary, texts, training
from tests.benchmarks.harness import apart
from tests.benchmarks.peers import Corpus
from tests.benchmarks.results import publish

PARTS = (
    "splitting",
    "bpe",
    "textbook",
    "wordpiece",
    "unigram",
    "encode",
    "decode",
    "load",
    "curves",
    "corpus-growth",
    "vocabulary-growth",
    "long-runs",
    "stalls",
    "page",
)


def main() -> None:
    """Measure what the arguments ask for."""
    asked = _arguments()
    if not engine.warm():
        raise SystemExit("the compiled loops do not work here, so there is nothing to compare")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        corpora = [
            Corpus(text, megabytes, folder)
            for text in asked.texts
            for megabytes in asked.megabytes
            if text == "mixed" or megabytes <= 10
        ]
        apart(_texts, corpora)
        for part in asked.parts:
            started = time.monotonic()
            _measure(part, asked, corpora, folder)
            print(f"({part}: {time.monotonic() - started:.0f} s)\n", flush=True)  # noqa: T201
    summary.write()


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks", description=__doc__)
    parser.add_argument("--parts", nargs="*", choices=PARTS, default=PARTS, help="what to measure")
    parser.add_argument("--texts", nargs="*", choices=["mixed", "languages"], default=["mixed", "languages"])
    parser.add_argument("--megabytes", nargs="*", type=float, default=[1, 10, 100], help="sizes of the text")
    parser.add_argument("--pieces", nargs="*", type=int, default=[8000, 32000], help="sizes of the vocabulary")
    parser.add_argument("--rounds", type=int, default=5, help="how often each job runs, unless it is slow")
    return parser.parse_args()


def _measure(part: str, asked: argparse.Namespace, corpora: list[Corpus], folder: Path) -> None:
    rounds, largest = asked.rounds, max(asked.megabytes)
    if part == "load":
        apart(encoding.load, rounds)
    elif part == "curves":
        apart(encoding.curves, rounds, Corpus("mixed", min(10, largest), folder))
    elif part == "textbook":
        for megabytes, merges in ((0.1, 48), (1, 24)):
            apart(training.textbook, Corpus("mixed", megabytes, folder), merges, rounds)
    elif part == "corpus-growth":
        apart(growth.by_corpus, [size for size in (0.1, 1, 10, 100, 1000) if size <= 10 * largest], folder)
    elif part == "vocabulary-growth":
        apart(growth.by_vocabulary, (1000, 3000, 10_000, 32_000, 100_000), largest, folder)
    elif part == "stalls":
        apart(stalls.stalls, Corpus("mixed", min(10, largest), folder), max(asked.pieces))
    elif part == "page":
        apart(page.page, rounds)
    elif part == "long-runs":
        apart(growth.long_runs, [size for size in (0.1, 1, 10) if size <= largest])
    else:
        for corpus in corpora:
            _measure_text(part, corpus, asked.pieces, rounds)


def _measure_text(part: str, corpus: Corpus, pieces: list[int], rounds: int) -> None:
    small = corpus.megabytes <= 10
    if part == "splitting":
        apart(training.splitting, corpus, rounds)
    elif part in ("encode", "decode"):
        for name in encoding.NAMES:
            apart(getattr(encoding, part), corpus, name, rounds)
    elif part == "bpe" or (part == "wordpiece" and small):
        for size in pieces:
            if size <= 8000 or corpus.megabytes >= 10:  # else there are too few pairs
                apart(getattr(training, part), corpus, size, rounds)
    elif part == "unigram" and small:
        apart(training.unigram, corpus, min(pieces), rounds)


def _texts(corpora: list[Corpus]) -> None:
    """Say what the texts are made of."""
    for corpus in corpora:
        sizes = texts.kinds(corpus.name, corpus.megabytes)
        kinds = {kind: size for kind, size in sizes.items() if not kind.startswith("udhr/")}
        if len(kinds) < len(sizes):
            kinds = {"the declaration in 106 languages": sum(sizes.values()) - sum(kinds.values()), **kinds}
        heads = [f"by kind: {kind}" for kind in kinds] + list(texts.SCRIPTS)
        cells = [f"{size / 1e6:.3g}" for size in (*kinds.values(), *texts.scripts(corpus.text).values())]
        lines = [f"| {' | '.join(row)} |" for row in (["MB", *heads], ["---"] * (len(heads) + 1), ["bytes", *cells])]
        publish(f"Texts: {corpus}", lines)


if __name__ == "__main__":
    main()
