"""What a server makes ready behind its visitors, once: compiled loops, real tokenizers, what Measures shows first."""

from __future__ import annotations

import gc
import threading
import time
from collections.abc import Callable, Iterator
from functools import partial

import streamlit as st

from engine import Passage, corpora, kernels, pretrained
from explorer.measuring import Measuring, reading_code
from explorer.state import measurements, sample_passages
from explorer.tokenizers import catalogue

_LONGEST_WAIT = 900
"""Seconds for the loops to be compiled, which a machine does once."""

_PARALLEL = "declaration"
"""The parallel texts that Measures shows first."""

_VISITED = "ScriptRunner.scriptThread"
"""Name of the threads in which Streamlit runs pages."""


@st.cache_resource(show_spinner=False)
def warm_up() -> bool:
    """Make everything ready in a thread that gives way to visitors; the page works meanwhile, and after that faster.

    A visitor who needs something before it is ready makes it, and this then finds it made.
    """
    threading.Thread(target=_warm_up, name="warming", daemon=True).start()
    return True


def _warm_up() -> None:
    deadline = time.monotonic() + _LONGEST_WAIT
    while not kernels.ready() and time.monotonic() < deadline:
        time.sleep(1)
    for step in _steps():
        while any(thread.name == _VISITED for thread in threading.enumerate()):
            time.sleep(0.05)
        step()
    gc.collect()
    gc.freeze()  # as `frame.settle` does, for what has come since then


def _steps() -> Iterator[Callable[[], object]]:
    if kernels.ready():
        yield kernels.warm
    for name in catalogue():
        yield partial(pretrained, name)
        yield partial(_encode, name)
    yield from (partial(_segment, passage) for passage in sample_passages(_PARALLEL).values())
    for name in catalogue():
        yield from _reading(name)


def _encode(name: str) -> None:
    """Encode a text that is long enough for the loops, which then have their tables."""
    pretrained(name).encode("\n".join(corpora.articles("en")))


def _segment(passage: Passage) -> None:
    """Find the words of a passage, and what else is worked out once."""
    _ = passage.text, passage.starts, passage.words


def _reading(name: str) -> Iterator[Callable[[], object]]:
    """Read the parallel texts by a tokenizer, one language a step, unless a visitor has begun to."""
    code = reading_code(name, _PARALLEL)
    work = Measuring(pretrained(name), sample_passages(_PARALLEL))
    while measurements().find(code) is None:
        if work.finished:
            measurements().adopt(code, work.run())
        else:
            yield partial(work.advance, 1)
