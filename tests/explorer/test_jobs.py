"""Trainings in threads: one for each recipe, with progress, cancel and a valid result whenever they end."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Generator

import pytest

import engine
from explorer import limits, recipes
from explorer.jobs import Job, Jobs, Prepared

WORDS = engine.corpora.counts("toy/low_newest_widest")


def symbols(run: engine.TrainingRun) -> int:
    return limits.symbols(run.counts)


def begin(steps: int = 5) -> engine.Training:
    return engine.begin(WORDS, engine.Recipe(vocab_size=None, max_steps=steps))


class Held:
    """A training that takes its next slice when it is allowed to."""

    def __init__(self, steps: int = 200) -> None:
        self.inner = engine.begin("abcdefgh" * 500, engine.Recipe(vocab_size=None, max_steps=steps), (), "whole")
        self.gate = threading.Semaphore(0)

    @property
    def done(self) -> int:
        return self.inner.done

    @property
    def total(self) -> int | None:
        return self.inner.total

    @property
    def finished(self) -> bool:
        return self.inner.finished

    def advance(self, steps: int) -> None:
        assert self.gate.acquire(timeout=30)
        self.inner.advance(1)

    def run(self) -> engine.TrainingRun:
        return self.inner.run()


def until(holds: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 30
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def test_a_job_gives_the_run_of_its_training() -> None:
    job = Jobs(symbols).start("a", begin)
    run = job.future.result(30)
    assert [step.piece for step in run.steps] == [step.piece for step in begin_all(5)]
    assert job.seconds > 0
    assert not job.running
    assert not job.waiting


def begin_all(steps: int) -> list[engine.Step]:
    return list(engine.train(WORDS, vocab_size=None, max_steps=steps).steps)


def test_one_recipe_is_trained_once_for_everybody() -> None:
    jobs = Jobs(symbols)
    held = Held()
    first = jobs.start("a", lambda: held)
    assert jobs.start("a", lambda: pytest.fail("a second training")) is first
    assert jobs.find("a") is first
    assert jobs.find("b") is None
    first.cancel()
    held.gate.release()
    first.future.result(30)


def test_progress_is_told_while_it_runs() -> None:
    held = Held()
    job = Jobs(symbols).start("a", lambda: held)
    until(lambda: job.progress == (0, 200))
    held.gate.release()
    until(lambda: job.progress == (1, 200))
    assert job.running
    job.cancel()
    held.gate.release()
    job.future.result(30)


def test_a_cancelled_job_is_a_valid_shorter_run() -> None:
    held = Held()
    job = Jobs(symbols).start("a", lambda: held)
    until(lambda: job.progress[1] is not None)
    job.cancel()
    held.gate.release()
    run = job.future.result(30)
    assert run.stopped == "unfinished"
    assert len(run.steps) == 1
    assert run.tokenizer.decode(run.tokenizer.encode("abc").ids) == "abc"


def test_a_cancel_while_the_corpus_is_counted_ends_it_there() -> None:
    gate = threading.Semaphore(0)

    def count() -> Generator[float, None, engine.Training]:
        for share in (0.25, 0.5, 0.75):
            yield share
            assert gate.acquire(timeout=30)
        pytest.fail("the counting went on")

    job = Jobs(symbols).start("a", lambda: Prepared(count()))
    until(lambda: job.counted == 0.25)
    assert job.progress == (0, None)
    gate.release()
    until(lambda: job.counted == 0.5)
    job.cancel()
    gate.release()
    with pytest.raises(ValueError, match="cancelled before the first step"):
        job.future.result(30)


def test_a_corpus_is_counted_in_slices() -> None:
    text = "low lower " * 60_000
    code = recipes.decode("bpe~corpus:toy/cat_mat~norm:lowercase~steps:3")
    prepared = Prepared(limits.begin([text, text], code))
    shares = []
    while prepared.total is None:
        prepared.advance(1)
        shares.append(prepared.share)
    assert prepared.total == 3
    assert shares == sorted(shares)
    assert len(set(shares)) >= 8
    assert shares[-1] == 1
    assert len(prepared.run().steps) == prepared.done == 0


def test_what_was_cancelled_or_failed_is_done_anew() -> None:
    jobs = Jobs(symbols)
    held = Held()
    job = jobs.start("a", lambda: held)
    job.cancel()
    held.gate.release()
    job.future.result(30)
    again = jobs.start("a", begin)
    assert again is not job
    assert again.future.result(30).stopped == "max_steps"

    def broken() -> engine.Training:
        raise ValueError("no such corpus")

    failed = jobs.start("b", broken)
    with pytest.raises(ValueError, match="no such corpus"):
        failed.future.result(30)
    assert not failed.running
    assert jobs.start("b", begin).future.result(30)


def test_a_finished_job_is_done_again_on_demand_only() -> None:
    jobs = Jobs(symbols)
    job = jobs.start("a", begin)
    job.future.result(30)
    assert jobs.start("a", begin) is job
    assert jobs.start("a", begin, again=True) is not job


def test_a_third_training_waits() -> None:
    jobs = Jobs(symbols, workers=2)
    helds = [Held(), Held()]
    running = [jobs.start(str(i), lambda held=held: held) for i, held in enumerate(helds)]  # type: ignore[misc]
    until(lambda: all(job.progress[1] is not None for job in running))
    third = jobs.start("third", begin)
    assert third.waiting
    for job, held in zip(running, helds, strict=True):
        job.cancel()
        held.gate.release()
    third.future.result(30)
    assert not third.waiting


def test_many_visitors_at_once_share_the_work() -> None:
    jobs = Jobs(symbols)
    started: list[Job] = []
    gate = threading.Barrier(8)

    def visit() -> None:
        gate.wait(30)
        started.append(jobs.start("a", begin))

    threads = [threading.Thread(target=visit) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert len(set(map(id, started))) == 1


def test_old_runs_are_forgotten_by_number_and_by_size() -> None:
    few: Jobs[engine.TrainingRun] = Jobs(symbols, kept=3)
    for name in "abcde":
        few.start(name, begin).future.result(30)
    assert [name for name in "abcde" if few.find(name)] == ["c", "d", "e"]
    small: Jobs[engine.TrainingRun] = Jobs(symbols, most=40)  # the four words have 20 characters
    for name in "abcde":
        small.start(name, begin).future.result(30)
    # "e" itself had no run yet when room was made for it.
    assert [name for name in "abcde" if small.find(name)] == ["c", "d", "e"]


def test_an_adopted_run_is_found_under_its_code() -> None:
    jobs = Jobs(symbols)
    run = engine.train(WORDS, vocab_size=None, max_steps=2)
    jobs.adopt("short", run)
    found = jobs.start("short", lambda: pytest.fail("it is trained already"))
    assert found.future.result(1) is run
