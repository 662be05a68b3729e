"""Long work beside the page: start, progress, cancel, result.

A job belongs to its recipe, not to a visitor: a closed tab loses nothing, and two people with one link share the work.
"""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Generator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Generic, NoReturn, TypeVar

from engine import Training

R = TypeVar("R")

_KEPT = 64
_KEPT_SYMBOLS = 30_000_000
"""Code points of different pre-tokens that all kept runs may hold together: some 400 MB."""


class Prepared(Generic[R]):
    """Work with a first part that advances in slices too, and is part of no result.

    Attributes:
        share: How much of the first part is done, from 0 to 1.
    """

    def __init__(self, prepare: Generator[float, None, Training[R]]) -> None:
        """Begin with nothing done; `prepare` yields the share that is done, and returns the work."""
        self._prepare = prepare
        self._work: Training[R] | None = None
        self.share = 0.0

    @property
    def done(self) -> int:
        """Steps so far."""
        return 0 if self._work is None else self._work.done

    @property
    def total(self) -> int | None:
        """Steps wanted; None where there is no limit, or none known yet."""
        return None if self._work is None else self._work.total

    @property
    def finished(self) -> bool:
        """Whether no further step will come."""
        return self._work is not None and self._work.finished

    def advance(self, steps: int) -> None:
        """Take one slice of the first part, or up to `steps` further steps."""
        if self._work is not None:
            self._work.advance(steps)
            return
        try:
            self.share = next(self._prepare)
        except StopIteration as over:
            self._work = over.value

    def run(self) -> R:
        """Return the result so far.

        Raises:
            ValueError: The first part is not over.
        """
        if self._work is None:
            raise ValueError("cancelled before the first step: the corpus was not counted yet, so nothing is learned")
        return self._work.run()


class Job(Generic[R]):
    """One training, or other work that advances in slices, in a thread of its own.

    Attributes:
        seconds: How long it took; 0 while it runs.
        weight: How much memory its result holds, in the unit of who made it; 0 while it runs.
        future: The result, or the error.
    """

    def __init__(self, begin: Callable[[], Training[R]], weigh: Callable[[R], int], slice: int = 1) -> None:
        """Prepare the job; `begin` may take seconds, so it runs in the thread too.

        `slice` is the number of steps after which it may be cancelled: as many as take a moment.
        """
        self._begin = begin
        self._slice = slice
        self._weigh = weigh
        self._training: Training[R] | None = None
        self._cancelled = threading.Event()
        self._begun = False
        self.seconds = 0.0
        self.weight = 0
        self.future: Future[R] = Future()

    @property
    def progress(self) -> tuple[int, int | None]:
        """Steps so far and steps wanted; None while the corpus is counted, or where there is no limit."""
        training = self._training
        return (0, None) if training is None else (training.done, training.total)

    @property
    def counted(self) -> float:
        """What share of the corpus is counted, from 0 to 1."""
        return self._training.share if isinstance(self._training, Prepared) else 0.0

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
                training.advance(self._slice)
            run = training.run()
            self.weight = self._weigh(run)
            self.seconds = time.perf_counter() - started
            self.future.set_result(run)
        except Exception as error:  # whatever it is belongs to who waits for the result
            self.future.set_exception(error)
        finally:
            # The index of a large corpus takes far more memory than its run.
            del self._begin
            self._training = None


class Jobs(Generic[R]):
    """The trainings of this server by the code of their recipe; the oldest finished ones are forgotten."""

    def __init__(
        self, weigh: Callable[[R], int], workers: int = 2, kept: int = _KEPT, most: int = _KEPT_SYMBOLS
    ) -> None:
        """Start with nothing to do.

        Args:
            weigh: How much memory a result holds; for a run, the code points of its pre-tokens.
            workers: Trainings that run at a time, at most.
            kept: Results that are kept, at most.
            most: Weight that all kept results may have together.
        """
        self._weigh, self._kept, self._most = weigh, kept, most
        self._jobs: OrderedDict[str, Job[R]] = OrderedDict()
        self._lock = threading.Lock()
        self._threads = ThreadPoolExecutor(workers, thread_name_prefix="training")

    def start(self, code: str, begin: Callable[[], Training[R]], again: bool = False, slice: int = 50) -> Job[R]:
        """Return the job of a recipe: the one there is, or a new one if it is missing, failed or was cancelled.

        With `again` a finished one is done once more.
        """
        with self._lock:
            job = self._jobs.get(code)
            if job is None or job.cancelled or (not job.running and (again or job.future.exception())):
                job = self._jobs[code] = Job(begin, self._weigh, slice)
                self._threads.submit(job.work)
            self._jobs.move_to_end(code)
            self._forget()
            return job

    def find(self, code: str) -> Job[R] | None:
        """Return the job of a recipe, if there is one."""
        return self._jobs.get(code)

    def adopt(self, code: str, run: R) -> None:
        """Keep a run under the recipe that it turned out to be: a cancelled one has fewer steps than were asked for."""
        with self._lock:
            job = self._jobs[code] = Job(_nothing, self._weigh)
            job.weight = self._weigh(run)
            job.future.set_result(run)

    def _forget(self) -> None:
        weight = sum(job.weight for job in self._jobs.values())
        for code in [code for code, job in self._jobs.items() if not job.running][:-1]:
            if len(self._jobs) <= self._kept and weight <= self._most:
                return
            weight -= self._jobs.pop(code).weight


def _nothing() -> NoReturn:
    raise RuntimeError("an adopted run is not trained again")
