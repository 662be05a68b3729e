"""Fixtures of the browser tests. Without a Chromium they are skipped, but where CI=true they fail."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, sync_playwright

from tests.browser.harness import FLAGS, NO_BROWSER, ROOT, Server, Windows, chromium

HERE = Path(__file__).parent


def pytest_ignore_collect(collection_path: Path) -> bool | None:
    """Keep pytest from importing the harness scripts of this folder: they are served, and would run on import."""
    return True if collection_path.suffix == ".py" and not collection_path.name.startswith("test_") else None


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark every test of this folder `browser`, and skip it where there is none."""
    skip = chromium() is None and os.environ.get("CI") != "true"
    for item in items:
        if HERE in item.path.parents:
            item.add_marker(pytest.mark.browser)
            # A real browser beside a real server waits on a busy machine; what is broken fails every time.
            item.add_marker(pytest.mark.flaky(reruns=2, reruns_delay=1))
            if skip:
                item.add_marker(pytest.mark.skip(reason=NO_BROWSER))


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """One Chromium for the session."""
    path = chromium()
    if path is None:
        pytest.fail(NO_BROWSER, pytrace=False)
    with sync_playwright() as playwright:
        chrome = playwright.chromium.launch(executable_path=path, args=list(FLAGS))
        yield chrome
        chrome.close()


@pytest.fixture(scope="session")
def serve(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[Path], str]]:
    """Serve a Streamlit script and give its URL; each script has one server a session."""
    servers: dict[Path, Server] = {}

    def start(script: Path) -> str:
        script = Path(script).resolve()
        if script not in servers:
            server = Server(script, tmp_path_factory.mktemp(script.stem) / "server.log")
            server.start()
            servers[script] = server
        return servers[script].url

    yield start
    for server in servers.values():
        server.stop()


@pytest.fixture(scope="session")
def app(serve: Callable[[Path], str]) -> str:
    """The URL of the real page."""
    return serve(ROOT / "app.py")


@pytest.fixture
def windows(browser: Browser) -> Iterator[Windows]:
    """Open windows: `windows(url, theme="dark", width=390)`; the test fails if any of them reports a fault.

    A test that expects a fault empties `windows.faults` itself.
    """
    opened = Windows(browser)
    yield opened
    opened.close()
    assert not opened.faults, "\n".join(opened.faults)
