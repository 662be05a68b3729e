"""How long a visitor of a page waits for two trainings in the same process.

A visitor that wants to run waits for a core, which more cores would give, or for Python's lock, which only we can give
back sooner. The system tells the first. What is left of a wait counts as far as a training used a core meanwhile: on a
machine with other work, the one that holds the lock may itself be waiting.
"""

from __future__ import annotations

import gc
import os
import sys
import threading
import time
import traceback
from collections.abc import Callable
from pathlib import Path

import engine
from engine.training import Algorithm
from tests.benchmarks.peers import Corpus
from tests.benchmarks.results import publish

SPLITS: dict[Algorithm, str] = {"bpe": "gpt2", "wordpiece": "bert", "unigram": "metaspace"}

_REST = 0.001  # seconds between two requests of the visitor


def stalls(corpus: Corpus, pieces: int) -> None:
    """Train twice at once, and tell the longest waits of a visitor that encodes a short text again and again."""
    gc.collect()
    gc.freeze()  # as explorer/warming.py does
    lines = ["| training, twice at once | visits | longest wait, ms | of a thousand visits the longest | where |"]
    lines.append("|---|---|---|---|---|")
    for algorithm, split in SPLITS.items():

        def train(algorithm: Algorithm = algorithm, split: str = split) -> object:
            return engine.train(corpus.text, algorithm, vocab_size=pieces, pre_tokenizer=split)  # type: ignore[call-overload]  # any of the three

        waits = sorted(_waits(train), reverse=True)
        usual = waits[len(waits) // 1000][0]
        lines.append(
            f"| {algorithm} | {len(waits):,} | {1e3 * waits[0][0]:.1f} | {1e3 * usual:.1f} | {waits[0][1] or 'none'} |"
        )
    publish(f"Waiting for two trainings, {corpus}, {pieces:,} pieces", lines)


def _waits(train: Callable[[], object]) -> list[tuple[float, str]]:
    """Return how long each visit waited, in seconds, and for which lines of ours, as far as that can be seen."""
    tokenizer = engine.train("a quick visitor of the page", vocab_size=270).tokenizer
    threads = [threading.Thread(target=train) for _ in range(2)]
    waits: list[tuple[float, str]] = []
    for thread in threads:
        thread.start()
    clocks = [time.pthread_getcpuclockid(thread.ident) for thread in threads if thread.ident]
    while all(thread.is_alive() for thread in threads):
        before, queued = time.perf_counter(), _queued()
        used = [time.clock_gettime(clock) for clock in clocks]
        time.sleep(_REST)
        tokenizer.encode("a quick visitor")
        wait = time.perf_counter() - before - _REST - (_queued() - queued)
        try:
            held = max(time.clock_gettime(clock) - start for clock, start in zip(clocks, used, strict=True))
        except OSError:  # one of them is over
            break
        wait = max(min(wait, held), 0.0)
        waits.append((wait, _where(threads) if wait > 0.01 else ""))
    for thread in threads:
        thread.join()
    return waits


def _queued() -> float:
    """Return the seconds for which this thread has waited for a core so far."""
    return int(Path("/proc/thread-self/schedstat").read_text().split()[1]) / 1e9


def _where(threads: list[threading.Thread]) -> str:
    frames = sys._current_frames()
    found = set()
    for thread in threads:
        stack = traceback.extract_stack(frames.get(thread.ident or 0)) if thread.ident in frames else []
        ours = [frame for frame in stack if f"{os.sep}engine{os.sep}" in frame.filename]
        if ours:
            found.add(f"{Path(ours[-1].filename).name}:{ours[-1].lineno}")
    return ", ".join(sorted(found))
