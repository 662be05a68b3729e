"""The reading of parallel texts by several tokenizers: started, its progress with a way to cancel it, what is there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import wait
from functools import partial

import streamlit as st

from engine import Passage, Sample, pretrained
from explorer import words_measures as words
from explorer.chooser import prepared
from explorer.jobs import Job
from explorer.measuring import beginning, reading_code
from explorer.state import measurements, name_of
from explorer.tokenizers import catalogue
from explorer.words import plain, sentence

_SHORT_WAIT = 0.6  # what is read in this many seconds is simply there, without a panel that flashes up
_POLL = 0.4  # to draw the progress takes time from the reading
_CANCELLED = "measures.cancelled"


def read_by(
    codes: Sequence[str], parallel: str, passages: Mapping[str, Passage]
) -> dict[str, dict[str, Sample]] | None:
    """Return what each tokenizer makes of parallel texts, by code; None while some are under way.

    A reading that is not there yet is started, and its progress drawn. After a cancel, what was read till then is
    returned. A tokenizer that cannot be had is named, with the reason, and left out.
    """
    stopped = st.session_state.get(_CANCELLED) == (tuple(codes), parallel)
    jobs = {code: job for code in codes if (job := _job(code, parallel, passages, stopped))}
    wait([job.future for job in jobs.values()], timeout=0 if stopped else _SHORT_WAIT)
    if not stopped and any(job.running for job in jobs.values()):
        _panel(tuple(codes), parallel, list(jobs.values()), len(passages))
        return None
    whole = {code: job.future.result() for code, job in jobs.items() if not job.running and not job.cancelled}
    if stopped:
        with st.container(horizontal=True, vertical_alignment="center", key="measures-stopped"):
            st.caption(words.stopped(len(whole), len(codes)), width="stretch")
            st.button(words.GO_ON, on_click=lambda: st.session_state.pop(_CANCELLED, None), key="measures.go-on")
    return whole


def _job(code: str, parallel: str, passages: Mapping[str, Passage], stopped: bool) -> Job[dict[str, Sample]] | None:
    key = reading_code(code, parallel)
    if stopped:
        return measurements().find(key)
    try:
        if code in catalogue():
            return measurements().start(key, beginning(partial(pretrained, code), passages))
        tokenizer = prepared(code)
    except ValueError as error:
        st.warning(plain(words.left_out([name_of(code)], sentence(error))))
        return None
    return measurements().start(key, beginning(lambda: tokenizer, passages))


@st.fragment(run_every=_POLL)
def _panel(codes: tuple[str, ...], parallel: str, jobs: Sequence[Job[dict[str, Sample]]], languages: int) -> None:
    """Draw how far the reading is; the page runs once more when it is over."""
    if not any(job.running for job in jobs):
        st.rerun()
    total = len(jobs) * languages
    done = sum(job.progress[0] if job.running else languages for job in jobs)

    def cancel() -> None:
        st.session_state[_CANCELLED] = codes, parallel
        for job in jobs:
            if job.running:
                job.cancel()

    with st.container(horizontal=True, vertical_alignment="center", key="measures-progress"):
        st.progress(min(1.0, done / total), text=words.reading(min(done, total), total))
        if st.button(words.CANCEL, on_click=cancel, key="measures.cancel"):
            st.rerun()
