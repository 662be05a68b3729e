"""Settings of the property tests: a slow machine is no failure. And a main module that new processes can do without."""

import sys
from types import ModuleType

import pytest
from hypothesis import settings

import engine

settings.register_profile("patient", deadline=None)
settings.load_profile("patient")


@pytest.fixture
def by_loops(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let compiled loops encode and decode texts of any size; where there are none, Python does."""
    if engine.warm():
        monkeypatch.setattr("engine.tokenizer.serve", lambda size, least=0: True)


@pytest.fixture
def bare_main(monkeypatch: pytest.MonkeyPatch) -> None:
    """Put an empty main module in place: a page tested before leaves its script, which a new process would run."""
    monkeypatch.setitem(sys.modules, "__main__", ModuleType("__main__"))
