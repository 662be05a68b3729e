"""The training of a page's recipe: found or started, its progress with a way to cancel it, and what became of it."""

from __future__ import annotations

from concurrent.futures import wait

import streamlit as st

import engine
from explorer import words, words_train
from explorer.jobs import Job
from explorer.page_state import PageState
from explorer.state import finish_cancelled, start, tokenizers

_SHORT_WAIT = 0.6  # a training of this many seconds is simply there, without a panel that flashes up
_POLL = 0.25
_CANCELLED, _NAMED, _FRESH, _AGAIN = "train.cancelled", "train.named", "train.fresh", "train.again"


class Training:
    """What a visitor's recipe has come to: a run, a job under way, or the reason why there is neither.

    Attributes:
        code: The recipe.
        job: The training; None where it could not start.
        run: Its result, once it is there.
        error: Why there will be none, as a sentence.
    """

    def __init__(self, code: str) -> None:
        """Find the training of a recipe, or start it, and wait a moment for it."""
        self.code = code
        self.job: Job[engine.Run] | None = None
        self.run: engine.Run | None = None
        self.error: str | None = None
        try:
            self.job = _cancelled_here(code) or start(code)
            wait([self.job.future], timeout=_SHORT_WAIT)
            if not self.job.running:
                self.run = self.job.future.result()
        except ValueError as error:
            self.error = words.sentence(error)


def follow_training(view: PageState) -> Training:
    """Return what the recipe of a page has come to; a run that was cancelled gets the recipe that it turned out to be.

    A run that is new to the visitor joins the list of tokenizers; one that was started here is shown at its end.
    """
    training = Training(view["recipe"])
    if training.run is None or training.job is None:
        return training
    if _cancelled_here(view["recipe"]):
        del st.session_state[_CANCELLED]
        view["recipe"] = finish_cancelled(view["recipe"], training.job)
        st.session_state[_FRESH] = True
    if st.session_state.get(_NAMED) != view["recipe"]:
        st.session_state[_NAMED] = view["recipe"]
        tokenizers().add(view["recipe"])
    if st.session_state.pop(_FRESH, False):
        view["step"] = len(training.run.steps)
    return training


def train(view: PageState, code: str) -> None:
    """Make a recipe the one of the page, and show the end of its run once it is there."""
    view["recipe"] = code
    st.session_state[_FRESH] = True
    for name in (_CANCELLED, _NAMED):
        st.session_state.pop(name, None)


def train_again(view: PageState) -> None:
    """Train the recipe of the page once more, though the result is known."""
    start(view["recipe"], again=True)
    st.session_state[_AGAIN] = True


def show_training(training: Training) -> None:
    """Draw the panel of a training under way, the reason why there is none, or that it came out the same again."""
    if training.error is not None:
        st.error(words.plain(training.error))
    elif training.job is not None and training.run is None:
        _panel(training.code, training.job)
    elif training.job is not None and training.run is not None and st.session_state.pop(_AGAIN, False):
        st.caption(words_train.trained(training.run, training.job.seconds))


@st.fragment(run_every=_POLL)
def _panel(code: str, job: Job[engine.Run]) -> None:
    """Draw how far a training is; the page runs once more when it is over."""
    if not job.running:
        st.rerun()
    done, total = job.progress
    unit = "Round" if code.startswith("unigram~") else "Step"
    with st.container(horizontal=True, vertical_alignment="center", key="train-progress"):
        st.progress(
            min(1.0, done / total) if total else 0.0 if done else job.counted,
            text=words_train.progress(done, total, job.waiting, job.cancelled, unit, job.counted),
        )
        st.button(words_train.CANCEL, on_click=_cancel, args=(code, job), disabled=job.cancelled)


def _cancel(code: str, job: Job[engine.Run]) -> None:
    job.cancel()
    st.session_state[_CANCELLED] = code, job


def _cancelled_here(code: str) -> Job[engine.Run] | None:
    """Return the job that this visitor cancelled; what another one cancelled is started anew."""
    of, job = st.session_state.get(_CANCELLED, (None, None))
    return job if of == code else None
