"""Several jobs of a page: their progress side by side, a way to cancel them, and what there is after that."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import wait
from typing import Any, TypeVar

import streamlit as st

from explorer import words
from explorer.jobs import Job

R = TypeVar("R")
Said = Callable[[str, Job[Any]], tuple[float, str]]

_SHORT_WAIT = 0.6  # what takes this many seconds is simply there, without a panel that flashes up
_POLL = 0.25


def results(
    labels: Mapping[str, str],
    begin: Callable[[str], Job[R]],
    find: Callable[[str], Job[R] | None],
    said: Said,
    key: str,
) -> dict[str, R | ValueError] | None:
    """Return what jobs came to, by code, or why there is nothing; None while some are under way, shown by a panel.

    After a cancel, only what was over by then is returned, until the reader says to go on.

    Args:
        labels: The code of each job, and what the reader calls it.
        begin: Starts a job by its code, or finds it; it raises ValueError where it cannot.
        find: Finds a job that was started before.
        said: Says of a code and its job what share is done, and that in words.
        key: What the keys of the widgets begin with.
    """
    asked, stopped, codes = f"{key}-asked", f"{key}-stopped", tuple(labels)
    halted = st.session_state.get(stopped) == codes
    jobs: dict[str, Job[R]] = {}
    over: dict[str, R | ValueError] = {}
    for code in codes:
        try:
            job = find(code) if halted else begin(code)
        except ValueError as error:
            over[code] = error
        else:
            jobs |= {code: job} if job is not None else {}
    if not halted and st.session_state.get(asked) != codes:  # once: who types does not wait again
        st.session_state[asked] = codes
        wait([job.future for job in jobs.values()], timeout=_SHORT_WAIT)
    if not halted and any(job.running for job in jobs.values()):
        _panel(dict(labels), jobs, said, key)
        return None
    for code, job in jobs.items():
        if not job.running and not job.cancelled:
            try:
                over[code] = job.future.result()
            except ValueError as error:
                over[code] = error
    if left := [label for code, label in labels.items() if code not in over]:
        with st.container(horizontal=True, vertical_alignment="center", key=f"{key}-rest"):
            st.caption(words.plain(words.cancelled(left)), width="stretch")
            st.button(words.GO_ON, on_click=lambda: st.session_state.pop(stopped, None), key=f"{key}-go-on")
    return {code: over[code] for code in codes if code in over}


@st.fragment(run_every=_POLL)
def _panel(labels: Mapping[str, str], jobs: Mapping[str, Job[Any]], said: Said, key: str) -> None:
    """Draw how far each job is; the page runs once more when all are over."""
    if not any(job.running for job in jobs.values()):
        st.rerun()

    def cancel() -> None:
        st.session_state[f"{key}-stopped"] = tuple(labels)
        for job in jobs.values():
            if job.running:
                job.cancel()

    with st.container(key=f"{key}-progress"):
        for code, job in jobs.items():
            share, text = said(code, job) if job.running else (1.0, words.DONE)
            st.progress(min(1.0, share), text=words.plain(f"{labels[code]}: {text}"))
        if st.button(words.CANCEL, on_click=cancel, key=f"{key}-cancel"):
            st.rerun()
