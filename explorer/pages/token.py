"""The card of one token: what it is, how it was built, and who else has it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

import streamlit as st

import engine
from engine.models.unigram import Unigram
from explorer import words_card as words
from explorer.cards import card_base
from explorer.chooser import prepared
from explorer.components.merge_tree import merge_tree
from explorer.components.sorted_table import Cell, Chip, sorted_table
from explorer.components.token_card import token_card
from explorer.corpus_choice import OWN, corpus_counts, corpus_name, corpus_setting
from explorer.file_codes import FILE
from explorer.frame import LARGE, follow, header, section
from explorer.given import given
from explorer.page_state import PageState
from explorer.settings import Setting, number, tokenizer
from explorer.state import files, name_of, run_of, table_of, tokenizers
from explorer.tokenizers import catalogue
from explorer.views import card as views
from explorer.views.languages import as_csv
from explorer.views.strip import entries
from explorer.views.vocabulary import SCRIPT_NAMES, Table, frequency_rank
from explorer.words import count

_LONGEST_TREE = 256
"""Bytes of a piece whose tree is drawn."""


SETTINGS: Mapping[str, Setting[Any]] = {
    "tokenizer": tokenizer("gpt2", catalogue()),
    "id": number(464, 0, 10_000_000),
    "large": LARGE,
    "corpus": corpus_setting(),
}


def main() -> None:
    """Draw the card."""
    view = PageState("token", SETTINGS)
    for name in ("tokenizer", "id", "corpus"):
        view.widget(name)
    header(view, "token", "Token", words.CARD)
    left, middle, right = st.columns([5, 2, 5], gap="medium")
    with middle:
        st.number_input(words.ID, 0, 10_000_000, key=view.widget("id"))
    chosen = given(view, "tokenizer", left, right)
    if chosen is not None:
        made = table_of(view["tokenizer"], chosen)
        row = made.row_of(view["id"])
        if row is None:
            st.warning(words.missing(view["id"], chosen.vocab_size))
        else:
            draw(view, chosen, made, row)
    follow(view, "token")


def draw(view: PageState, chosen: engine.Tokenizer, made: Table, row: int) -> None:
    """Draw the head of the card, and its parts."""
    counts = corpus_counts(view, view["tokenizer"], chosen)
    (entry,) = entries(chosen, [view["id"]])
    piece, meaning = chosen.vocabulary[view["id"]], made.meanings[row]
    facts = [
        ("id", f"{view['id']:,} of {chosen.vocab_size:,}"),
        ("bytes", meaning.hex(" ").upper() or "none"),
        ("length", " · ".join((count(len(meaning), "byte"), count(len(made.texts[row]), "code point")))),
        ("script", SCRIPT_NAMES[made.scripts[row]]),
        (
            corpus_name(view["corpus"]),
            words.frequency(int(counts[row]), frequency_rank(counts, row), int((counts > 0).sum())),
        ),
    ]
    if piece != meaning:
        facts.insert(1, ("as the vocabulary writes it", piece.decode("utf-8", "replace")))
    flags = [(name, words.FLAGS[name]) for name in views.flags(chosen, made, view["id"])]
    token_card(
        meaning or piece,
        facts,
        flags,
        slot=cast("int", entry["slot"]),
        kind=str(entry["kind"]),
        key="token.card",
        large=view["large"],
    )
    with section("token-built"):
        built(view, chosen)
    if made.texts[row]:
        with section("token-points"):
            st.header(words.POINTS, anchor=False)
            points = views.points(made.texts[row])
            table(view, words.POINT_COLUMNS, [list(point) for point in points], words.POINTS, "points")
    if made.texts[row] and not made.special[row]:
        with section("token-variants"):
            variants(view, chosen, made, made.texts[row], counts.tolist())
    with section("token-elsewhere"):
        elsewhere(view, meaning, made.texts[row])


def built(view: PageState, chosen: engine.Tokenizer) -> None:
    """Draw the merges that led to the piece."""
    st.header(words.BUILT, anchor=False)
    id, model = view["id"], chosen.model
    if id in set(chosen.vocabulary.specials.values()):
        st.caption(words.FLAGS["special"])
        return
    if isinstance(model, Unigram):
        st.caption(f"{words.KEPT} {words.score(model.scores[id])}")
        return
    node = tree(view["tokenizer"], model, id)
    if node is None:
        st.caption(words.NOT_MERGED if isinstance(model, engine.BPE) else words.NO_MERGES)
    elif node.parts and len(chosen.vocabulary[id]) <= _LONGEST_TREE:
        merge_tree(
            views.drawn_tree(node, chosen, card_base(view["tokenizer"], kept_corpus(view))),
            name=words.BUILT,
            key="token.tree",
            large=view["large"],
        )
    else:
        st.caption(words.TAKEN_WHOLE if node.rank is not None else words.ALPHABET)


def tree(code: str, model: engine.Model, id: int) -> views.Node | None:
    """Return the merges of a piece: from the history where it was trained here, else as the model merges it."""
    if code not in catalogue() and not code.startswith(FILE):
        run = run_of(code)
        if isinstance(run, engine.TrainingRun):
            return views.trained_tree(run, id)
    return views.merged_tree(model, id) if isinstance(model, engine.BPE) else None


def variants(view: PageState, chosen: engine.Tokenizer, made: Table, text: str, counts: list[int]) -> None:
    """Draw the relatives of the piece, and how those are written that the vocabulary does not have."""
    related = views.variants(text)
    if not related:
        return
    st.header(words.VARIANTS, anchor=False)
    found = views.ids_of(made, [each.encode() for each in related.values()])
    rows: list[list[Cell]] = []
    for label, each in related.items():
        own = found.get(each.encode(), [])
        ids = own or chosen.encode(each).ids.tolist()
        row = made.row_of(own[0]) if own else None
        stands = None if row is None else counts[row]
        shown = ids[:1] if own else ids
        rows.append([label, chips(view["tokenizer"], chosen, shown, view), len(shown), own[0] if own else None, stands])
    table(view, words.VARIANT_COLUMNS, rows, words.VARIANTS, "variants")


def elsewhere(view: PageState, meaning: bytes, text: str) -> None:
    """Draw how the other tokenizers read the same bytes."""
    st.header(words.ELSEWHERE, anchor=False)
    st.caption(words.ELSEWHERE_NOTE if text else words.ELSEWHERE_PARTIAL)
    rows: list[list[Cell]] = []
    with st.spinner(words.READING):
        for code in (*tokenizers(), *files(), *catalogue()):
            if code == view["tokenizer"]:
                continue
            try:
                other = prepared(code)
            except ValueError:  # its corpus is a text, or its file, that is not kept any more
                continue
            ids = views.elsewhere(meaning, text, other, None if text else table_of(code, other))
            cell = chips(code, other, ids, view)
            said = " ".join(map(str, ids)) or (words.NOTHING_LEFT if text else words.NO_SUCH_PIECE)
            rows.append([name_of(code), len(ids) if text else len(ids) or None, cell, said])
    table(view, words.ELSEWHERE_COLUMNS, rows, words.ELSEWHERE, "elsewhere")


def chips(code: str, chosen: engine.Tokenizer, ids: list[int], view: PageState) -> list[Chip]:
    """Return the pieces of ids, each with a link to its card."""
    base = card_base(code, kept_corpus(view))
    return [
        {
            "piece": str(entry["piece"]),
            "slot": cast("int", entry["slot"]),
            "kind": str(entry["kind"]),
            "href": f"{base}{id}" if id >= 0 else "",
        }
        for id, entry in zip(ids, entries(chosen, ids), strict=True)
    ]


def kept_corpus(view: PageState) -> str:
    """Return the corpus as a link to another card keeps it."""
    return "" if view["corpus"] == OWN else str(view["corpus"])


def table(view: PageState, columns: tuple[str, ...], rows: list[list[Cell]], name: str, key: str) -> None:
    """Draw a table and its file."""
    sorted_table(columns, rows, name=name, key=f"token.{key}", large=view["large"])
    written = [
        {
            column: " ".join(chip["piece"] for chip in cell) if isinstance(cell, list) else cast("str", cell)
            for column, cell in zip(columns, row, strict=True)
        }
        for row in rows
    ]
    st.download_button(words.CSV, as_csv(written), f"{key}.csv", "text/csv", on_click="ignore", key=f"token.{key}.csv")


main()
