"""How long a visitor waits for the largest view of the page, in a real browser: all languages by the whole catalogue.

Each round starts two servers and opens their first page, behind which they warm up. A visitor opens Languages and
clicks on Measures, whose texts the first server has read by then, and so does a second one. The other server has loaded
the tokenizers and has not read the texts: there a third visitor does the same, and a fourth reads files of the same
size, of which every text is new. The clock runs from the click until every chart is there. What the reading itself
takes is measured without a browser.
"""

from __future__ import annotations

import os
import statistics
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

from engine import pretrained
from explorer.jobs import Jobs
from explorer.measuring import beginning, weight
from explorer.state import sample_passages
from explorer.tokenizers import catalogue
from tests.benchmarks.results import publish
from tests.browser.harness import FLAGS, ROOT, Server, Windows, chromium, settled

CHARTS = 5

VISITS = {
    "first": "first, of texts that were read before",
    "second": "second, of texts that were read before",
    "fresh": "first, of texts that were not read before",
    "own": "of 106 files of their own",
}

_WATCH = """charts => {
    const clicked = performance.now()
    const seen = (window.seen = {})
    const before = new Set(document.querySelectorAll('.js-plotly-plot'))
    const note = () => {
        const now = (performance.now() - clicked) / 1000
        if (document.querySelector('[data-testid=stProgress]')) seen.progress ??= now
        const drawn = [...document.querySelectorAll('.js-plotly-plot')].filter(chart => !before.has(chart))
        if (drawn.length >= charts) seen.charts ??= now
    }
    new MutationObserver(note).observe(document.body, { subtree: true, childList: true, attributes: true })
    document.querySelector('[data-clicked]').click()
}"""

_UNREAD = """from pathlib import Path
from explorer import warming
warming._PARALLEL = "sentences"
exec(compile(Path({app!r}).read_text("utf-8"), {app!r}, "exec"))
"""
"""The page on a server that reads other texts while it warms up."""


@dataclass(frozen=True)
class Visit:
    """What one visitor waited for: seconds until progress was seen (0 if none was) and all charts, and CPU seconds."""

    progress: float
    charts: float
    server: float
    browser: float


@dataclass(frozen=True)
class Round:
    """A server's start in CPU seconds, its memory then in MB, and the visits by their keys in `VISITS`."""

    start: float
    megabytes: float
    visits: dict[str, Visit]


def page(rounds: int) -> None:
    """Tell how long visitors of a server wait, for what it has read and for what it has not."""
    found = chromium()
    if found is None:
        raise SystemExit("the page needs a Chromium to be measured")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=list(FLAGS))
        taken = [_round(browser) for _ in range(rounds)]
        browser.close()
    lines = [
        f"{rounds} rounds: their median, least and most. The server had loaded the tokenizers before anybody asked.",
        "",
        "| visitor | progress after, s | all charts after, s | server, CPU s | browser, CPU s |",
        "|---|---|---|---|---|",
    ]
    for key, name in VISITS.items():
        visits = [each.visits[key] for each in taken]
        cells = [[getattr(visit, column) for visit in visits] for column in Visit.__dataclass_fields__]
        lines.append(f"| {name} | {' | '.join(map(_spread, cells))} |")
    start, megabytes = _spread([each.start for each in taken]), max(each.megabytes for each in taken)
    lines += ["", f"Before, the server took {start} CPU s to start and to warm up, and then {megabytes:.0f} MB."]
    lines.append(_reading(rounds))
    publish("The page, 106 languages by 12 tokenizers", lines)


def _round(browser: Browser) -> Round:
    visits: dict[str, Visit] = {}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        server, start, megabytes = _warm_server(browser, ROOT / "app.py", folder)
        visits |= {key: _visit(browser, server, _to_measures) for key in ("first", "second")}
        server.stop()
        (folder / "explorer").symlink_to(ROOT / "explorer")
        (folder / "app.py").write_text(_UNREAD.format(app=str(ROOT / "app.py")), "utf-8")
        server, *_ = _warm_server(browser, folder / "app.py", folder)
        visits["fresh"] = _visit(browser, server, _to_measures)
        visits["own"] = _visit(browser, server, partial(_to_own_files, _files(folder)))
        server.stop()
    return Round(start, megabytes, visits)


def _warm_server(browser: Browser, script: Path, folder: Path) -> tuple[Server, float, float]:
    """Start a server and let it warm up, which it does behind its first visitor: CPU seconds and MB till then."""
    server = Server(script, folder / "server.log")
    server.start()
    opened = Windows(browser)
    opened(server.url)
    _rest(server.pid)
    opened.close()
    return server, _seconds(server.pid), _megabytes(server.pid)


def _files(folder: Path) -> list[Path]:
    """Write the texts of the declaration as parallel files, every line of which ends in something new."""
    made = []
    for tag, passage in sample_passages("declaration").items():
        made.append(folder / f"{tag}.txt")
        lines = (f"{' '.join(unit.split())} {number}\n" for number, unit in enumerate(passage.units))
        made[-1].write_text("".join(lines), "utf-8")
    return made


def _to_measures(window: Page, url: str) -> None:
    """Open another page, and mark what is clicked."""
    window.goto(f"{url}/languages")
    window.locator("a[href$='/measures']").first.evaluate("link => link.dataset.clicked = ''")


def _to_own_files(files: list[Path], window: Page, url: str) -> None:
    """Open Measures, give it the files, and mark the button that has them read."""
    window.goto(f"{url}/measures")
    window.locator(".js-plotly-plot").nth(CHARTS - 1).wait_for(timeout=300_000)
    window.get_by_role("button", name="Change").click()
    window.locator("[data-testid=stFileUploaderDropzoneInput]").set_input_files(files)
    button = window.get_by_role("button", name="Read the files")
    window.wait_for_function("button => !button.disabled", arg=button.element_handle(), timeout=300_000)
    button.evaluate("button => button.dataset.clicked = ''")


def _reading(rounds: int) -> str:
    """Tell how long the page's threads take to read all languages by all tokenizers, which are loaded."""
    passages = sample_passages("declaration")
    taken: list[tuple[float, float]] = []
    for _ in range(rounds + 1):  # the first round makes the tables of the tokenizers
        jobs = Jobs(weight)
        began = time.perf_counter(), time.process_time()
        started = [jobs.start(name, beginning(partial(pretrained, name), passages)) for name in catalogue()]
        for job in started:
            job.future.result()
        taken.append((time.perf_counter() - began[0], time.process_time() - began[1]))
    wall, cpu = (_spread([each[i] for each in taken[1:]]) for i in range(2))
    texts = len(passages) * len(catalogue())
    return f"Loaded tokenizers read the {texts:,} texts in {wall} s by two threads, {cpu} CPU s."


def _visit(browser: Browser, server: Server, prepare: Callable[[Page, str], None]) -> Visit:
    windows = Windows(browser)
    window = windows(server.url)
    prepare(window, server.url)
    settled(window)
    _rest(server.pid)
    others = [pid for pid in _below(os.getpid()) if pid != server.pid]
    before = _seconds(server.pid), sum(map(_seconds, others))
    window.evaluate(_WATCH, CHARTS)
    window.wait_for_function("window.seen.charts", polling=100, timeout=300_000)  # at each frame it would cost much
    settled(window)
    after = _seconds(server.pid), sum(map(_seconds, others))
    seen = window.evaluate("window.seen")
    windows.close()
    return Visit(seen.get("progress", 0.0), seen["charts"], after[0] - before[0], after[1] - before[1])


def _rest(pid: int) -> None:
    """Wait until a process has taken hardly any time for four seconds."""
    quiet = 0
    while quiet < 8:
        before = _seconds(pid)
        time.sleep(0.5)
        quiet = quiet + 1 if _seconds(pid) - before < 0.05 else 0


def _below(pid: int) -> list[int]:
    """Return the processes that a process has started, and those that they have."""
    children = [
        int(child) for file in Path(f"/proc/{pid}/task").glob("*/children") for child in file.read_text().split()
    ]
    return [*children, *(each for child in children for each in _below(child))]


def _seconds(pid: int) -> float:
    """Return the CPU seconds of a process so far."""
    taken = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[11:13]
    return sum(map(int, taken)) / os.sysconf("SC_CLK_TCK")


def _megabytes(pid: int) -> float:
    """Return the memory of a process."""
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6


def _spread(values: list[float]) -> str:
    return f"{statistics.median(values):.2f} ({min(values):.2f} to {max(values):.2f})"
