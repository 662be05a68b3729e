"""Settings of the property tests: a slow machine is no failure. And a main module that new processes can do without."""

import sys
from types import ModuleType

import pytest
from hypothesis import settings

settings.register_profile("patient", deadline=None)
settings.load_profile("patient")


@pytest.fixture
def bare_main(monkeypatch: pytest.MonkeyPatch) -> None:
    """Put an empty main module in place: a page tested before leaves its script, which a new process would run."""
    monkeypatch.setitem(sys.modules, "__main__", ModuleType("__main__"))
