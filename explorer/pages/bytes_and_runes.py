"""Bytes and runes: what a text is underneath, aligned with the tokens of a tokenizer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

import pandas as pd
import streamlit as st

import engine
from engine.runes import TABLE, Runes
from explorer import links
from explorer import words_bytes as words
from explorer.cards import card_base
from explorer.chooser import prepared, tokenizer_choice
from explorer.components.byte_grid import byte_grid
from explorer.components.byte_table import MAX_BYTES, TableTokens, byte_table
from explorer.components.text_editor import text_editor
from explorer.components.token_strip import token_strip
from explorer.frame import LARGE, follow, header, section
from explorer.page_state import PageState
from explorer.settings import Setting, choice, flag, text, tokenizer
from explorer.tokenizers import catalogue
from explorer.views import bytes as views
from explorer.views.strip import strip
from explorer.words import EDITOR, EMPTY_EDITOR, sentence, too_long

GROUP = "bytes"
EXAMPLES = {
    "naïve": "naïve 世界 👩🏽‍🚀 हि",
    "Olá, 世界": "Olá, 世界",
    "𠮷": "𠮷野家",
    "é twice": "é e\u0301",
    "flags": "🇧🇷🇯🇵 🏳️‍🌈",
}
SETTINGS: Mapping[str, Setting[Any]] = {
    "text": text(EXAMPLES["naïve"]),
    "input": choice("text", list(words.INPUTS)),
    "hex": text("4F 6C C3 A1 2C 20 E4 B8 96 E7 95"),
    "code": tokenizer("gpt2", catalogue()),
    "letters": flag(False, everywhere=True),
    "marks": flag(True),
    "large": LARGE,
}


@st.fragment
def main() -> None:
    """Draw the page; all of it follows the input."""
    view = PageState("bytes", SETTINGS)
    for name in ("letters", "marks"):
        view.widget(name)
    top = st.container()
    source = edit(view)
    with top:
        header(view, "bytes", "Bytes and runes", words.BYTES, note(view))
    try:
        tokenizer_chosen = prepared(view["code"])
        if source is not None:
            draw(view, Runes.decode(source), tokenizer_chosen)
    except ValueError as error:
        st.warning(sentence(error))
    follow(view, "bytes")


def note(view: PageState) -> str | None:
    """Say what the link cannot hold."""
    if view["input"] == "file":
        return words.FILE_NOTE
    size = links.packed_size(view[view["input"]])
    return too_long(size) if size > links.LONGEST else None


def edit(view: PageState) -> bytes | None:
    """Draw the input and the tokenizer; return the bytes, or None where there are none to read yet."""
    left, right = st.columns([3, 1], gap="medium")
    with right:
        tokenizer_choice(view, "code", words.TOKENIZER)
        st.segmented_control(
            words.INPUT,
            list(words.INPUTS),
            key=view.widget("input"),
            format_func=words.INPUTS.__getitem__,
            label_visibility="collapsed",
            required=True,
        )
    with left:
        if view["input"] == "hex":
            return typed_hex(view)
        if view["input"] == "file":
            uploaded = st.file_uploader(words.FILE, key="bytes.file", label_visibility="collapsed")
            if uploaded is None:
                st.caption(words.NO_FILE)
                return None
            return uploaded.getvalue()
        view["text"] = text_editor(
            view["text"], key="bytes.editor", version=view.opened, label=EDITOR, placeholder=EMPTY_EDITOR, rows=2
        )
        examples(view)
        return str(view["text"]).encode("utf-8", "replace")


def typed_hex(view: PageState) -> bytes | None:
    """Draw the field for hex; a mistake is said below it."""
    view["hex"] = text_editor(
        view["hex"], key="bytes.hex", version=view.opened, label=words.HEX, placeholder=words.HEX_HINT, rows=2
    )
    try:
        return views.read_hex(view["hex"])
    except ValueError as error:
        st.warning(sentence(error))
        return None


def examples(view: PageState) -> None:
    """Draw the example texts."""
    names = {text: name for name, text in EXAMPLES.items()}

    def show() -> None:
        name = st.session_state["bytes.example"]
        if name is not None:
            view.put(text=EXAMPLES[name])

    st.session_state["bytes.example"] = names.get(view["text"])
    st.pills(words.EXAMPLES, list(EXAMPLES), key="bytes.example", on_change=show, label_visibility="collapsed")


def draw(view: PageState, runes: Runes, chosen: engine.Tokenizer) -> None:
    """Draw the tokens, the lengths, the table, and what explains them."""
    notation = "bytes" if view["letters"] else "text"
    shown = runes if len(runes.source) <= MAX_BYTES else Runes.decode(runes.source[:MAX_BYTES])
    drawn = views.tokens(shown, chosen)
    if not runes.invalid and shown is runes:
        encoding = chosen.encode(runes.source.decode())
        card = card_base(view["code"])
        data = strip(
            encoding,
            chosen,
            chosen.name,
            group=GROUP,
            marks=view["marks"],
            notation=notation,
            card=card,
            large=view["large"],
        )
        token_strip({**data, "ids": False}, key="bytes.strip")
    with st.container(key="bytes-figures", horizontal=True):
        for number, label in words.lengths(runes.lengths, len(drawn["starts"])):
            st.metric(label, number, width="content")
    switches(runes, shown, drawn)
    byte_table(
        shown.source,
        key="bytes.table",
        group=GROUP,
        points=cast("Any", views.points(shown)),
        joins=shown.joins.tolist(),
        invalid=shown.invalid,
        tokens=cast("TableTokens", drawn),
        notation="bytes" if view["letters"] else "text",
        large=view["large"],
    )
    with section("bytes-grid"):
        st.header(words.GRID_TITLE, anchor=False)
        st.caption(words.GRID)
        byte_grid(cast("Any", views.alphabet(runes.source, chosen)), key="bytes.grid", large=view["large"])
    with section("bytes-counts"):
        counts(runes, view["large"])


def switches(runes: Runes, shown: Runes, drawn: views.Tokens) -> None:
    """Draw what the table's cuts and gaps are, and how pieces are written."""
    with st.container(key="bytes-switches", horizontal=True, vertical_alignment="center"):
        said = [words.cuts(*views.cuts_inside(shown, drawn))]
        if runes.invalid:
            said.append(words.invalid(len(runes.invalid)))
        if shown is not runes:
            said.append(words.too_many(len(runes.source), MAX_BYTES))
        st.caption(" ".join(said), width="stretch")
        st.toggle(words.MARKS, key="bytes.marks")
        st.toggle(words.LETTERS, key="bytes.letters", help=words.LETTERS_HELP)


def counts(runes: Runes, large: bool) -> None:
    """Draw counts per script and per UTF-8 length, and the table of UTF-8."""
    left, middle, right = st.columns([4, 4, 5], gap="medium")
    with left:
        st.header(words.SCRIPTS, anchor=False)
        table(views.shares(list(runes.scripts.items())), "bytes.scripts", large)
    with middle:
        st.header(words.CLASSES, anchor=False)
        classes = [(f"{n} byte{'s' * (n > 1)}", count) for n, count in runes.length_classes.items()]
        table(views.shares(classes), "bytes.classes", large)
    with right:
        st.header(words.TABLE_TITLE, anchor=False)
        rows = [
            {
                "bytes": row.length,
                "code points": ", ".join(f"U+{first:04X} to U+{last:04X}" for first, last in row.ranges),
                "bits": row.pattern,
            }
            for row in TABLE
        ]
        st.table(rows, border="horizontal", hide_index=True)
        st.caption(words.TABLE_NOTE)


def table(rows: list[dict[str, str | int | float]], key: str, large: bool) -> None:
    """Draw counts with their shares; the letters of a data frame cannot grow, so a projector has a plain table."""
    if not rows:
        st.caption(words.EMPTY_TABLE)
        return
    if large:
        plain = [{**row, "share": f"{row['share']:.1f} %"} for row in rows]
        st.table(plain, border="horizontal", hide_index=True)
        return
    share = st.column_config.ProgressColumn("share", format="%.1f %%", min_value=0, max_value=100)
    st.dataframe(pd.DataFrame(rows), hide_index=True, key=key, column_config={"share": share})


main()
