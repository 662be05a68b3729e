"""What holds for all tests of the page without a browser."""

import pytest

from explorer import warming


@pytest.fixture(autouse=True)
def cold(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep the page from making everything ready: a test needs little of it."""
    monkeypatch.setattr(warming, "warm_up", lambda: None)
