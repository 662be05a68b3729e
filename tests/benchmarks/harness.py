"""How we measure: CPU seconds of this process, in alternating runs, after the results were found equal.

A shared machine is now faster, now slower. So the contenders take turns, each round in another order, and what is told
is the median and the spread; trust the ratios. Peak memory is that of a fresh process that does the job once.
"""

from __future__ import annotations

import gc
import importlib.metadata
import multiprocessing
import os
import platform
import re
import resource
import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

RESULTS = Path(__file__).parent / "RESULTS.md"

_PATIENCE = 120  # seconds that one job may take where its memory is measured

# One thread each: some peers would take all cores, and they read this when they are imported.
SINGLE = dict.fromkeys(("RAYON_NUM_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
os.environ.update(SINGLE, TOKENIZERS_PARALLELISM="false")


@dataclass(frozen=True)
class Contender:
    """One way to do the job.

    Attributes:
        name: As it stands in the table.
        job: Does the job once; what it returns is thrown away.
        package: Whose version is told; None for ours.
    """

    name: str
    job: Callable[[], object]
    package: str | None = None


@dataclass(frozen=True)
class Timing:
    """CPU seconds of the runs of one contender."""

    contender: Contender
    seconds: Sequence[float]

    @property
    def median(self) -> float:
        return statistics.median(self.seconds)

    @property
    def spread(self) -> str:
        return f"{min(self.seconds):.3g} to {max(self.seconds):.3g}"


def alternate(contenders: Sequence[Contender], rounds: int = 5, most_seconds: float = 60.0) -> list[Timing]:
    """Time each contender `rounds` times, in turns; one that takes longer than `most_seconds` runs once."""
    seconds: dict[str, list[float]] = {contender.name: [] for contender in contenders}
    for number in range(rounds):
        for i in range(len(contenders)):
            contender = contenders[(i + number) % len(contenders)]
            so_far = seconds[contender.name]
            if so_far and so_far[0] > most_seconds:
                continue
            gc.collect()
            started = time.process_time()
            contender.job()
            so_far.append(time.process_time() - started)
    return [Timing(contender, seconds[contender.name]) for contender in contenders]


def peak_megabytes(contender: Contender) -> float:
    """Return the peak resident memory of a forked process that does the job once, in MB beyond what it started with."""
    context = multiprocessing.get_context("fork")
    answers = context.SimpleQueue()
    process = context.Process(target=_peak_of, args=(contender.job, answers))
    process.start()
    process.join(_PATIENCE)
    if process.is_alive():
        process.kill()
        process.join()
    return float(answers.get()) if process.exitcode == 0 else float("nan")


def _peak_of(job: Callable[[], object], answers: multiprocessing.SimpleQueue[float]) -> None:
    gc.collect()
    Path("/proc/self/clear_refs").write_text("5")  # the peak starts anew
    before = _status("VmRSS")
    job()
    answers.put((_status("VmHWM") - before) / 1000)


def _status(field: str) -> int:
    return int(re.findall(rf"^{field}:\s+(\d+) kB", Path("/proc/self/status").read_text(), re.MULTILINE)[0])


def apart(section: Callable[..., None], *arguments: object) -> None:
    """Run a section in a forked process: this one stays as it was, and so fit to be forked again.

    A process in which a peer has started threads must not be forked.
    """
    process = multiprocessing.get_context("fork").Process(target=section, args=arguments)
    process.start()
    process.join()
    if process.exitcode:
        raise SystemExit(process.exitcode)


def peaks(contenders: Sequence[Contender]) -> dict[str, float]:
    """Return the peak of each, in MB; it comes before anything else in a section."""
    return {contender.name: peak_megabytes(contender) for contender in contenders}


def table(
    timings: Sequence[Timing],
    megabytes: float | None = None,
    peaks: Mapping[str, float] | None = None,
    relation: str = "ours is faster by",
) -> list[str]:
    """Draw timings as the lines of a Markdown table; ratios are to the first contender, which is mostly ours."""
    speed = " MB/s |" if megabytes else ""
    peak = " peak MB |" if peaks else ""
    lines = [f"| | CPU s, median | spread |{speed} {relation} |{peak}"]
    lines.append("|---|---|---|" + "---|" * (1 + bool(megabytes) + bool(peaks)))
    for timing in timings:
        cells = [named(timing.contender), f"{timing.median:.3g}", timing.spread]
        cells += [f"{megabytes / timing.median:.3g}"] if megabytes else []
        cells += ["" if timing is timings[0] else f"{timing.median / timings[0].median:.2f} x"]
        cells += [f"{peaks[timing.contender.name]:.0f}"] if peaks else []
        lines.append(f"| {' | '.join(cells)} |")
    return lines


def named(contender: Contender) -> str:
    """Name a contender with the version of its package."""
    version = f" {importlib.metadata.version(contender.package)}" if contender.package else ""
    return contender.name + version


def machine() -> str:
    """Say on what was measured."""
    model = re.findall(r"^model name\s*:\s*(.*)$", _read("/proc/cpuinfo"), re.MULTILINE)
    versions = ", ".join(f"{name} {importlib.metadata.version(name)}" for name in ("numba", "numpy"))
    memory = resource.getpagesize() * os.sysconf("SC_PHYS_PAGES") / 1e9
    return (
        f"{model[0] if model else platform.processor()}, {os.cpu_count()} cores, {memory:.0f} GB; "
        f"{platform.system()}, Python {platform.python_version()}, {versions}; one thread."
    )


def publish(section: str, lines: Sequence[str]) -> None:
    """Print a section and put it into RESULTS.md, where it replaces an older one of its name."""
    text = "\n".join([f"## {section}", "", *lines])
    print(text, flush=True)  # noqa: T201
    old = _read(str(RESULTS))
    head, *sections = re.split(r"^(?=## )", old, flags=re.MULTILINE)
    head = head or "# Results\n\nWritten by the scripts in this folder; harness.py says how it was measured.\n\n"
    kept = {part.split("\n", 1)[0]: part.rstrip() for part in sections}
    kept[f"## {section}"] = text
    RESULTS.write_text(head + "\n\n".join(kept.values()) + "\n", encoding="utf-8")


def _read(path: str) -> str:
    return Path(path).read_text(encoding="utf-8") if Path(path).exists() else ""
