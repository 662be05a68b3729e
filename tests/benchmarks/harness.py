"""How we measure: CPU seconds of this process, in alternating runs, after the results were found equal.

A shared machine is now faster, now slower. So the contenders take turns, lots drawn for the order of each round, and
what is told is the median and the spread; trust the ratios. Who follows one that gave much memory back to the system
waits to get it anew, and finds nothing near that it read before; so a job of less than 15 s is done once right before
it counts. One that took more than half a minute in all is not run again. Peak memory is that of a forked process that
does the job once; for a slow job its time is the first that is counted.
"""

from __future__ import annotations

import gc
import importlib.metadata
import importlib.util
import math
import multiprocessing
import os
import platform
import random
import re
import resource
import statistics
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

ENOUGH = 30.0  # seconds of one contender, all rounds together
QUICK = 15.0  # seconds of a job that is done once before it counts
PATIENCE = 240.0  # seconds that one job may take where its memory is measured

# One thread each: some peers would take all cores, and they read this when they are imported.
SINGLE = dict.fromkeys(("RAYON_NUM_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
os.environ.update(SINGLE, TOKENIZERS_PARALLELISM="false")


@dataclass(frozen=True)
class Contender:
    """One way to do the job.

    Attributes:
        name: As it stands in the table.
        job: Does the job once, with what was prepared; what it returns is thrown away.
        package: Whose version is told; None for ours.
        prepare: Makes, before the clock starts, what the job is given.
        outcome: Makes of what the job returns something small that tells whether two results are equal.
    """

    name: str
    job: Callable[[Any], object]
    package: str | None = None
    prepare: Callable[[], Any] = lambda: None
    outcome: Callable[[Any], Any] = lambda result: None


@dataclass(frozen=True)
class Once:
    """One run in a process of its own: CPU seconds, MB beyond what it started with, the outcome.

    If it failed or took too long, the figures are NaN, and `failure` says why.
    """

    seconds: float = math.nan
    megabytes: float = math.nan
    outcome: Any = None
    failure: str = ""


@dataclass(frozen=True)
class Timing:
    """CPU seconds of the runs of one contender, and its peak."""

    contender: Contender
    alone: Once
    seconds: list[float] = field(default_factory=list)

    @property
    def median(self) -> float:
        return statistics.median(self.seconds) if self.seconds else math.nan

    @property
    def spread(self) -> str:
        if len(self.seconds) == 1:
            return "one run"
        return f"{min(self.seconds):.3g} to {max(self.seconds):.3g}"


def measure(contenders: Sequence[Contender], rounds: int) -> list[Timing]:
    """Run each contender once in a fork, then all of them in turns, in the same order on each machine.

    The forks come first, for a process in which a peer has started threads must not be forked. Their outcomes are
    there to be compared.

    Args:
        contenders: Who takes part; of those whose package is not installed, that is said.
        rounds: How often, unless `ENOUGH` seconds are over before.
    """
    timings = [Timing(contender, once(contender)) for contender in contenders]
    running = []
    for timing in timings:
        if timing.alone.seconds < ENOUGH:
            running.append(timing)
        if timing.alone.seconds > ENOUGH / 2:
            timing.seconds.append(timing.alone.seconds)
    lots = random.Random(1)
    for _ in range(rounds):
        for timing in lots.sample(running, len(running)):
            if sum(timing.seconds) < ENOUGH and len(timing.seconds) < rounds:
                if timing.alone.seconds < QUICK:
                    _timed(timing.contender)
                timing.seconds.append(_timed(timing.contender))
    return timings


def demand_equal(timings: Sequence[Timing]) -> None:
    """Demand that all outcomes are that of the first contender.

    Raises:
        ValueError: One differs.
    """
    differing = [
        timing.contender.name
        for timing in timings
        if not timing.alone.failure and timing.alone.outcome != timings[0].alone.outcome
    ]
    if differing:
        raise ValueError(f"the result of {timings[0].contender.name} is not that of {', '.join(differing)}")


def once(contender: Contender, patience: float = PATIENCE) -> Once:
    """Do the job in a forked process that is ended after so many seconds, and return what it took."""
    if not _installed(contender.package):
        return Once(failure="not installed")
    context = multiprocessing.get_context("fork")
    here, there = context.Pipe()
    process = context.Process(target=_answer, args=(contender, there))
    process.start()
    there.close()
    found = here.recv() if here.poll(patience) else Once(failure=f"takes more than {patience:.0f} s")
    process.kill()
    process.join()
    return found


def _answer(contender: Contender, there: Connection) -> None:
    try:
        there.send(_alone(contender))
    except Exception as error:  # of any kind: the others shall be measured all the same
        there.send(Once(failure=f"fails: {str(error).splitlines()[0][-100:]}"))


def _alone(contender: Contender) -> Once:
    given = contender.prepare()
    gc.collect()
    Path("/proc/self/clear_refs").write_text("5")  # the peak starts anew
    before = _status("VmRSS")
    with _quiet():
        started = time.process_time()
        result = contender.job(given)
        seconds = time.process_time() - started
    peak = (_status("VmHWM") - before) / 1000
    return Once(seconds, peak, contender.outcome(result))


def _timed(contender: Contender) -> float:
    given = contender.prepare()
    gc.collect()
    with _quiet():
        started = time.process_time()
        contender.job(given)
        return time.process_time() - started


@contextmanager
def _quiet() -> Iterator[None]:
    """Keep what a peer prints out of the report."""
    sys.stdout.flush()
    kept = [os.dup(stream) for stream in (1, 2)]
    with open(os.devnull, "w") as nowhere:
        for stream in (1, 2):
            os.dup2(nowhere.fileno(), stream)
    try:
        yield
    finally:
        for stream, copy in zip((1, 2), kept, strict=True):
            os.dup2(copy, stream)
            os.close(copy)


def _status(name: str) -> int:
    return int(re.findall(rf"^{name}:\s+(\d+) kB", Path("/proc/self/status").read_text(), re.MULTILINE)[0])


def apart(section: Callable[..., None], *arguments: object) -> None:
    """Run a section in a forked process: this one stays as it was, and so fit to be forked again."""
    process = multiprocessing.get_context("fork").Process(target=section, args=arguments)
    process.start()
    process.join()
    if process.exitcode:
        raise SystemExit(process.exitcode)


def table(
    timings: Sequence[Timing],
    megabytes: float | None = None,
    more: Mapping[str, Mapping[str, str]] | None = None,
    relation: str = "ours is faster by",
) -> list[str]:
    """Draw timings as the lines of a Markdown table.

    Args:
        timings: Of the contenders; ratios are to the first one, which is mostly ours.
        megabytes: How much was read, for a column of the speed.
        more: Further columns: what stands in the row of a contender.
        relation: Head of the column of ratios.
    """
    heads = ["", "CPU s, median", "spread", *(["MB/s"] if megabytes else []), relation, "peak MB", *(more or {})]
    lines = [_row(heads), _row(["---"] * len(heads))]
    for timing in timings:
        if timing.seconds:
            cells = [named(timing.contender), f"{timing.median:.3g}", timing.spread]
            cells += [f"{megabytes / timing.median:.3g}"] if megabytes else []
            alone = timing is timings[0] or not timings[0].seconds
            cells += ["" if alone else f"{timing.median / timings[0].median:.2f} x"]
            cells += [f"{timing.alone.megabytes:.0f}"]
            cells += [column.get(timing.contender.name, "") for column in (more or {}).values()]
        else:
            cells = [named(timing.contender), "", timing.alone.failure, *[""] * (len(heads) - 3)]
        lines.append(_row(cells))
    return lines


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def named(contender: Contender) -> str:
    """Name a contender with the version of its package."""
    known = contender.package and _installed(contender.package)
    return f"{contender.name} {importlib.metadata.version(contender.package)}" if known else contender.name


def _installed(package: str | None) -> bool:
    return package is None or importlib.util.find_spec(package.replace("-", "_")) is not None


def machine() -> str:
    """Say on what was measured."""
    information = Path("/proc/cpuinfo")
    text = information.read_text() if information.exists() else ""
    model = re.findall(r"^model name\s*:\s*(.*)$", text, re.MULTILINE)
    versions = ", ".join(f"{name} {importlib.metadata.version(name)}" for name in ("numba", "numpy"))
    memory = resource.getpagesize() * os.sysconf("SC_PHYS_PAGES") / 1e9
    return (
        f"{model[0] if model else platform.processor()}, {os.cpu_count()} cores, {memory:.0f} GB; "
        f"{platform.system()}, Python {platform.python_version()}, {versions}; one thread."
    )
