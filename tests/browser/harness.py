"""What a browser test needs: a Chromium, a running page, a window that reports its faults, a picture of it."""

from __future__ import annotations

import os
import re
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, get_args

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page

ROOT = Path(__file__).parents[2]
SHOTS = Path(__file__).parent / "shots"
NO_BROWSER = (
    "no Chromium found: apt-get install -y chromium fonts-noto-core fonts-noto-color-emoji fonts-noto-cjk "
    "(or set CHROMIUM to the path of one)"
)
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
START_SECONDS = 60
IDLE_SECONDS = 60

Theme = Literal["light", "dark"]

SIZES: Mapping[str, tuple[Theme, int]] = {
    "light": ("light", 1440),
    "dark": ("dark", 1440),
    "phone": ("light", 390),
    "projector": ("dark", 1920),
}
"""The looks that a page is pictured in: theme and width in CSS pixels."""


def chromium() -> str | None:
    """Find a Chromium or Chrome: the one that CHROMIUM names, else the first on the path."""
    named = os.environ.get("CHROMIUM")
    candidates = [named] if named else ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"]
    return next((found for name in candidates if (found := shutil.which(name))), None)


@dataclass
class Server:
    """One Streamlit process that serves one script; its URL has no slash at the end."""

    script: Path
    log_path: Path
    url: str = ""
    _process: subprocess.Popen[bytes] | None = field(default=None, repr=False)

    def start(self) -> None:
        """Start on a free port and wait for the health check.

        Raises:
            RuntimeError: the server died or did not answer within 60 s; the message holds its log.
        """
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        self.url = f"http://127.0.0.1:{port}"
        options = {
            "server.headless": "true",
            "server.address": "127.0.0.1",
            "server.port": port,
            "server.fileWatcherType": "none",
            "browser.gatherUsageStats": "false",
        }
        command = [sys.executable, "-m", "streamlit", "run", str(self.script)]
        command += [f"--{name}={value}" for name, value in options.items()]
        # A harness script lies below tests/, so Streamlit would not find engine and explorer beside it.
        environment = {**os.environ, "PYTHONPATH": str(ROOT)}
        with self.log_path.open("wb") as log:
            self._process = subprocess.Popen(command, stdout=log, stderr=subprocess.STDOUT, cwd=ROOT, env=environment)
        deadline = time.monotonic() + START_SECONDS
        while time.monotonic() < deadline:
            if self._process.poll() is not None:
                raise RuntimeError(f"the server of {self.script.name} died:\n{self.log()}")
            try:
                with urllib.request.urlopen(self.url + "/_stcore/health", timeout=2) as answer:
                    if answer.read() == b"ok":
                        return
            except (urllib.error.URLError, OSError):
                time.sleep(0.1)
        self.stop()
        raise RuntimeError(f"the server of {self.script.name} did not answer in {START_SECONDS} s:\n{self.log()}")

    @property
    def pid(self) -> int:
        """The number of the process.

        Raises:
            RuntimeError: It does not run.
        """
        if self._process is None:
            raise RuntimeError(f"the server of {self.script.name} does not run")
        return self._process.pid

    def log(self) -> str:
        """Return what the server has printed so far."""
        return self.log_path.read_text(encoding="utf-8", errors="replace")

    def stop(self) -> None:
        """End the process, at once where it does not obey within 10 s."""
        if self._process is None:
            return
        self._process.terminate()
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._process = None


class Windows:
    """Opens windows with a context of their own and collects what goes wrong in them."""

    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        self._pages: list[Page] = []
        self.faults: list[str] = []

    def __call__(
        self,
        url: str,
        *,
        theme: Theme = "light",
        width: int = 1440,
        height: int = 900,
        reduced_motion: bool = True,
        wait: bool = True,
    ) -> Page:
        """Open `url` in a fresh context of `width` x `height` CSS pixels and wait until Streamlit rests.

        Every console error, page error, failed request and request to another host ends up in `faults`.
        """
        context = self._browser.new_context(
            viewport={"width": width, "height": height},
            color_scheme=theme,
            reduced_motion="reduce" if reduced_motion else "no-preference",
            locale="en-US",
            accept_downloads=True,
            permissions=["clipboard-read", "clipboard-write"],
        )
        page = context.new_page()
        self._pages.append(page)
        host = url.split("/")[2]
        page.on("pageerror", lambda error: self.faults.append(f"page error: {error}"))
        page.on("console", lambda message: self._note_console(message.type, message.text, message.location["url"]))
        page.on("request", lambda request: self._note_request(request.url, host))
        page.goto(url)
        if wait:
            settled(page)
        return page

    def _note_console(self, kind: str, text: str, source: str) -> None:
        # Opened at the address of a page, Streamlit asks below it first ("/languages/_stcore/health"), and is told no.
        if kind == "error" and not ("404" in text and "/_stcore/" in source):
            self.faults.append(f"console: {text}")

    def _note_request(self, url: str, host: str) -> None:
        # Nothing may be fetched from the net: the page works in a room without one.
        if url.startswith(("http", "ws")) and url.split("/")[2] != host:
            self.faults.append(f"request to another host: {url}")

    def close(self) -> None:
        """Close every window."""
        for page in self._pages:
            page.context.close()


def settled(page: Page) -> None:
    """Wait until Streamlit is connected and no script runs (at most 60 s)."""
    page.wait_for_selector(
        "[data-testid=stApp][data-test-script-state=notRunning][data-test-connection-state=CONNECTED]",
        timeout=IDLE_SECONDS * 1000,
    )


def looks(page: Page, widths: Sequence[int]) -> Iterator[tuple[Theme, int]]:
    """Give one window each width in both themes by turns, which takes less than a window for each."""
    size = page.viewport_size
    assert size is not None
    for width in widths:
        page.set_viewport_size({"width": width, "height": size["height"]})
        for theme in get_args(Theme):
            page.emulate_media(color_scheme=theme)
            page.wait_for_timeout(300)  # the page takes the colors over, and components draw anew
            settled(page)
            yield theme, width


def sizes(page: Page, *names: str) -> Iterator[str]:
    """Give one window the looks of `SIZES` that are named, all unless told; the last, for a projector, stays Large."""
    size = page.viewport_size
    assert size is not None
    for name in names or SIZES:
        theme, width = SIZES[name]
        page.set_viewport_size({"width": width, "height": size["height"]})
        page.emulate_media(color_scheme=theme)
        if name == "projector":
            page.get_by_text("Large", exact=True).click()
            page.wait_for_function("location.search.includes('large=on')")
        page.wait_for_timeout(500)  # the page takes the colors over, and components draw anew
        settled(page)
        yield name


def shot(page: Page, name: str, *, whole: bool = False) -> Path:
    """Save a picture as tests/browser/shots/NAME.png and return its path.

    `whole` makes the window as high as the page for the moment of the picture: Streamlit scrolls an inner box, so the
    browser's own full-page picture shows the first screen only.
    """
    SHOTS.mkdir(exist_ok=True)
    path = SHOTS / f"{re.sub(r'[^A-Za-z0-9._-]+', '-', name)}.png"
    size = page.viewport_size
    if not whole or size is None:
        page.screenshot(path=path)
        return path
    height = page.evaluate(
        "() => Math.max(...[document.documentElement, ...document.querySelectorAll('[data-testid=stMain]')]"
        ".map(box => box.scrollHeight + box.getBoundingClientRect().top))"
    )
    page.set_viewport_size({"width": size["width"], "height": max(size["height"], int(height) + 1)})
    page.wait_for_timeout(300)  # components draw the lines that have come into view
    page.screenshot(path=path)
    page.set_viewport_size(size)
    return path


def check_accessible(page: Page, *, ignored_rules: tuple[str, ...] = ()) -> None:
    """Fail with rule, place and advice for every fault that axe-core finds on the page, shadow roots included.

    Raises:
        AssertionError: axe-core has at least one violation outside `ignored_rules`.
    """
    rules = {rule: {"enabled": False} for rule in ignored_rules}
    result = Axe().run(page, options={"resultTypes": ["violations"], "rules": rules})
    faults = [
        f"{violation['id']} ({violation['impact']}): {node['target']}: {node['failureSummary']}"
        for violation in result.response["violations"]
        for node in violation["nodes"]
    ]
    assert not faults, "\n".join(faults)
