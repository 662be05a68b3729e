"""Long work beside the page: start, progress, cancel, result.

A job belongs to its recipe, not to a visitor: a closed tab loses nothing, and two people with one link share the work.
"""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor

from engine import Training, TrainingRun

_SLICE = 50
_KEPT = 64
_KEPT_SYMBOLS = 30_000_000
"""Code points of different pre-tokens that all kept runs may hold together: some 400 MB."""


class Job:
    """One training in a thread of its own.

    Attributes:
        seconds: How long it took; 0 while it runs.
        symbols: Code points of the different pre-tokens that its run holds; 0 while it runs.
        future: The run, or the error.
    """

    def __init__(self, begin: Callable[[], Training[TrainingRun]]) -> None:
        """Prepare the job; `begin` counts the corpus and may take seconds, so it runs in the thread too."""
        self._begin = begin
        self._training: Training[TrainingRun] | None = None
        self._cancelled = threading.Event()
        self._begun = False
        self.seconds = 0.0
        self.symbols = 0
        self.future: Future[TrainingRun] = Future()

    @property
    def progress(self) -> tuple[int, int | None]:
        """Steps so far and steps wanted; None while the corpus is counted, or where there is no limit."""
        training = self._training
        return (0, None) if training is None else (training.done, training.total)

    @property
    def waiting(self) -> bool:
        """Whether other trainings have all the threads."""
        return self.running and not self._begun

    @property
    def running(self) -> bool:
        """Whether there is no result yet."""
        return not self.future.done()

    @property
    def cancelled(self) -> bool:
        """Whether somebody asked it to stop; what it had by then is its result."""
        return self._cancelled.is_set()

    def cancel(self) -> None:
        """Ask it to stop after the slice it is in."""
        self._cancelled.set()

    def work(self) -> None:
        """Run to the end; the result, or the error, is in `future`."""
        self._begun = True
        started = time.perf_counter()
        try:
            training = self._training = self._begin()
            while not (training.finished or self.cancelled):
                training.advance(_SLICE)
            run = training.run()
            self.symbols = sum(map(len, run.counts))
            self.seconds = time.perf_counter() - started
            self.future.set_result(run)
        except Exception as error:  # whatever it is belongs to who waits for the result
            self.future.set_exception(error)
        finally:
            # The index of a large corpus takes far more memory than its run.
            del self._begin
            self._training = None


class Jobs:
    """The trainings of this server by the code of their recipe; the oldest finished ones are forgotten."""

    def __init__(self, workers: int = 2) -> None:
        """Start with nothing to do; at most `workers` trainings run at a time."""
        self._jobs: OrderedDict[str, Job] = OrderedDict()
        self._lock = threading.Lock()
        self._threads = ThreadPoolExecutor(workers, thread_name_prefix="training")

    def start(self, code: str, begin: Callable[[], Training[TrainingRun]], again: bool = False) -> Job:
        """Return the job of a recipe: the one there is, or a new one if it is missing, failed or was cancelled.

        With `again` a finished one is done once more.
        """
        with self._lock:
            job = self._jobs.get(code)
            if job is None or job.cancelled or (not job.running and (again or job.future.exception())):
                job = self._jobs[code] = Job(begin)
                self._threads.submit(job.work)
            self._jobs.move_to_end(code)
            self._forget()
            return job

    def find(self, code: str) -> Job | None:
        """Return the job of a recipe, if there is one."""
        return self._jobs.get(code)

    def adopt(self, code: str, run: TrainingRun) -> None:
        """Keep a run under the recipe that it turned out to be: a cancelled one has fewer steps than were asked for."""
        with self._lock:
            job = self._jobs[code] = Job(_nothing)
            job.symbols = sum(map(len, run.counts))
            job.future.set_result(run)

    def _forget(self) -> None:
        symbols = sum(job.symbols for job in self._jobs.values())
        for code in [code for code, job in self._jobs.items() if not job.running][:-1]:
            if len(self._jobs) <= _KEPT and symbols <= _KEPT_SYMBOLS:
                return
            symbols -= self._jobs.pop(code).symbols


def _nothing() -> Training[TrainingRun]:
    raise RuntimeError("an adopted run is not trained again")
