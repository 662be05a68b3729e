"""Vocabulary: every piece of a tokenizer, and what vocabularies have in common."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import streamlit as st
from numpy.typing import NDArray

import engine
from explorer import words_vocabulary as words
from explorer.cards import card_base
from explorer.components.piece_table import WINDOW, Column, first_row, piece_table
from explorer.components.screen import watch
from explorer.corpus_choice import OWN, corpus_counts, corpus_setting
from explorer.frame import LARGE, follow, header, section
from explorer.given import given
from explorer.job_panel import results
from explorer.jobs import Job
from explorer.overlaps import OVERLAP_SETTINGS, overlaps
from explorer.page_state import PageState
from explorer.recipes import digest
from explorer.settings import Setting, choice, flag, line, number, several, tokenizer
from explorer.state import audits, name_of, table_of
from explorer.tokenizers import catalogue
from explorer.views.languages import as_csv
from explorer.views.piece_rows import piece_rows, table_csv
from explorer.views.usage import lengths, scripts, usage, zipf
from explorer.views.vocabulary import KINDS, ORDERS, SCRIPT_NAMES, SEARCHES, Kind, Table, of_kind, ordered, search
from explorer.vocabulary_figures import distributions
from explorer.words import plain, sentence

LONGEST = 1024
NUMBERS = ("id", "bytes", "characters", "count")
AUDITED = {"unreachable", "duplicate"}
"""The kinds that only an audit knows."""
SETTINGS: Mapping[str, Setting[Any]] = {
    "code": tokenizer("gpt2", catalogue()),
    "search": line(),
    "how": choice("text", SEARCHES),
    "kinds": several((), KINDS),
    "script": choice("", ("", *SCRIPT_NAMES)),
    "least": number(0, 0, LONGEST),
    "most": number(LONGEST, 0, LONGEST),
    "sort": choice("id", ORDERS),
    "falling": flag(False),
    "large": LARGE,
    "audit": flag(False),
    "corpus": corpus_setting(),
    **OVERLAP_SETTINGS,
}


@st.fragment
def main() -> None:
    """Draw the page."""
    view = PageState("vocabulary", SETTINGS)
    for name in ("code", "search", "how", "script", "least", "most", "corpus"):
        view.widget(name)
    header(view, "vocabulary", "Vocabulary", words.VOCABULARY)
    watch(view.send_again)
    chosen = given(view, "code", *st.columns(2, gap="medium"))
    if chosen is not None:
        made, counts = table_of(view["code"], chosen), counted(view, chosen)
        pieces(view, chosen, made, counts)
        with section("vocabulary-audit"):
            show_audit(view, chosen)
        with section("vocabulary-figures"):
            distributions(lengths(made), scripts(made), zipf(counts), view["large"])
        with section("vocabulary-overlap"):
            overlaps(view, chosen)
    follow(view, "vocabulary")


def counted(view: PageState, chosen: engine.Tokenizer) -> NDArray[np.int64]:
    """Return how often each piece stands in the corpus, and say what that means."""
    counts = corpus_counts(view, view["code"], chosen)
    found = usage(counts)
    st.caption(words.used(found.used, found.pieces, found.tokens, found.half, found.once))
    return counts


def pieces(view: PageState, chosen: engine.Tokenizer, made: Table, counts: NDArray[np.int64]) -> None:
    """Draw what is asked for, and the pieces that are like it."""
    ask(view, made)
    choose_kinds(view)
    found_by_audit = audited(view, chosen) if set(view["kinds"]) & AUDITED else known_audit(view["code"])
    if found_by_audit is None and set(view["kinds"]) & AUDITED:
        return
    marked = {
        kind: of_kind(made, kind, audit=found_by_audit, counts=counts)
        for kind in KINDS
        if found_by_audit is not None or kind not in AUDITED
    }
    try:
        found = search(made, view["search"], view["how"])
    except ValueError as error:
        st.warning(plain(sentence(error)))
        found = np.zeros(len(made), np.bool_)
    found &= (made.bytes >= view["least"]) & ((made.bytes <= view["most"]) | (view["most"] == LONGEST))
    if view["script"]:
        found &= made.scripts == SCRIPT_NAMES.index(view["script"])
    for kind in view["kinds"]:
        found &= marked[kind]
    rows = ordered(made, np.flatnonzero(found), view["sort"], view["falling"], counts)
    st.caption(words.found(len(rows), len(made)))
    listed(view, chosen, made, rows, counts, marked)


def ask(view: PageState, made: Table) -> None:
    """Draw the fields of the search."""
    with st.container(key="vocabulary-search", horizontal=True, vertical_alignment="bottom"):
        st.text_input(
            words.SEARCH, key=view.widget("search"), placeholder=words.SEARCH_HINTS[view["how"]], width="stretch"
        )
        st.segmented_control(
            words.HOW,
            SEARCHES,
            key=view.widget("how"),
            format_func=words.SEARCHES.__getitem__,
            label_visibility="collapsed",
            required=True,
        )
        present = sorted({SCRIPT_NAMES[place] for place in np.unique(made.scripts).tolist()})
        if view["script"] not in ("", *present):
            present.append(view["script"])
        st.selectbox(
            words.SCRIPT,
            ["", *present],
            key=view.widget("script"),
            format_func=lambda name: name or words.ALL_SCRIPTS,
            width=180,
        )
        st.number_input(words.LEAST, 0, LONGEST, key=view.widget("least"), width=130)
        st.number_input(words.MOST, 0, LONGEST, key=view.widget("most"), width=130)


def choose_kinds(view: PageState) -> None:
    """Draw the choice of kinds."""
    key = "vocabulary.kind-pills"

    def pick() -> None:
        view["kinds"] = tuple(st.session_state[key])

    st.session_state[key] = list(view["kinds"])
    st.pills(words.KIND, KINDS, selection_mode="multi", key=key, format_func=words.KINDS.__getitem__, on_change=pick)


def known_audit(code: str) -> engine.Audit | None:
    """Return an audit that is over; it is that of all visitors."""
    job = audits().find(code)
    return None if job is None or job.running or job.cancelled else job.future.result()


def audited(view: PageState, chosen: engine.Tokenizer) -> engine.Audit | None:
    """Return the audit of a vocabulary; None while it is under way, with its progress in view, and after a cancel."""

    def begin(code: str) -> Job[engine.Audit]:
        return audits().start(code, lambda: engine.Auditing(chosen), slice=1000)

    def said(code: str, job: Job[engine.Audit]) -> tuple[float, str]:
        done, total = job.progress
        return done / (total or 1), words.audited(done, total or chosen.vocab_size)

    found = results({view["code"]: words.AUDIT}, begin, audits().find, said, "vocabulary.audit-job")
    result = None if found is None else found.get(view["code"])
    return result if isinstance(result, engine.Audit) else None


def listed(
    view: PageState,
    chosen: engine.Tokenizer,
    made: Table,
    rows: NDArray[np.int64],
    counts: NDArray[np.int64],
    marked: dict[Kind, NDArray[np.bool_]],
) -> None:
    """Draw the long table and its file."""

    def sort(column: str) -> None:
        falling = not view["falling"] if view["sort"] == column else column == "count"
        view["sort"], view["falling"] = column, falling

    key = "vocabulary.table"
    corpus = view["corpus"] if view["corpus"] != OWN else ""
    version = digest(repr((view.lasting(), len(rows))))
    first = first_row(key, version, len(rows))
    sent = rows[first : first + WINDOW].tolist()
    columns: list[Column] = [
        {"name": name, "label": label, "number": name in NUMBERS, "sorts": name in ORDERS}
        for name, label in words.COLUMNS.items()
    ]
    if len(rows):
        piece_table(
            columns,
            piece_rows(made, chosen, sent, counts, marked, card_base(view["code"], corpus)),
            total=len(rows),
            first=first,
            version=version,
            sort=view["sort"],
            falling=view["falling"],
            on_sort=sort,
            name=f"{words.PIECES} {name_of(view['code'])}",
            key=key,
            large=view["large"],
        )

    def file() -> str:
        return as_csv(list(table_csv(made, chosen, rows.tolist(), counts, marked)))

    with st.container(key="vocabulary-foot", horizontal=True, vertical_alignment="center"):
        st.download_button(words.CSV, file, "vocabulary.csv", "text/csv", on_click="ignore", key="vocabulary.csv")


def show_audit(view: PageState, chosen: engine.Tokenizer) -> None:
    """Draw the results of the audit, once it is asked for: it encodes every piece."""
    opened = st.expander(words.AUDIT, on_change="rerun", key=view.widget("audit"))
    if not opened.open:
        return
    with opened:
        # Where pieces are filtered by it, its progress stands above.
        found = known_audit(view["code"]) if set(view["kinds"]) & AUDITED else audited(view, chosen)
        if found is None:
            return
        numbers = {
            "partial": len(found.fragments),
            "unreachable": len(found.unreachable),
            "duplicate": sum(map(len, found.duplicates)),
        }
        for kind, count in numbers.items():
            with st.container(key=f"vocabulary-audit-{kind}", horizontal=True, vertical_alignment="center"):
                st.markdown(words.audit_line(kind, count))
                if count:
                    st.button(
                        words.SHOW, on_click=show, args=(view, kind), key=f"vocabulary.show.{kind}", type="tertiary"
                    )


def show(view: PageState, kind: str) -> None:
    """List the pieces of one kind alone."""
    view.put(kinds=(kind,), search="", script="", least=0, most=LONGEST)


main()
