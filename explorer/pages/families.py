"""Families: one corpus, and what BPE, WordPiece and Unigram make of it, side by side."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, cast

import streamlit as st

import engine
from explorer import links, recipes, words_compare
from explorer import words_families as words
from explorer.cards import card_base
from explorer.chooser import prepared
from explorer.components.figure import figure
from explorer.components.piece_rows import piece_rows
from explorer.components.recipe_line import recipe_line
from explorer.components.sorted_table import Cell, sorted_table
from explorer.components.text_editor import text_editor
from explorer.components.token_strip import token_strip
from explorer.frame import LARGE, follow, header, section
from explorer.page_state import PageState
from explorer.recipe_widgets import own_text, sample_label
from explorer.recipes import Corpus, TokenizerRecipe
from explorer.settings import Setting, choice, number, text, trained
from explorer.state import texts
from explorer.views import families
from explorer.views.disagreements import disagreements
from explorer.views.languages import as_csv
from explorer.views.player import PASSAGE
from explorer.views.reading import Reading, figures, read
from explorer.views.recipe_line import facts
from explorer.views.strip import strip
from explorer.walk import walker
from explorer.words import EDITOR, EMPTY_EDITOR, count, plain, sentence, too_long

MOST_BYTES = 20_000
BASE = "bpe~corpus:prose/en_moby_dick_1851~split:bert~steps:1000"
RARE = "A naïve café in 東京 🙂"
SETTINGS: Mapping[str, Setting[Any]] = {
    "recipe": trained(BASE),
    "text": text(PASSAGE),
    "equal": choice("size", list(words.EQUALS)),
    "number": number(1000, 1, families.MOST_PIECES),
    "rare": text(RARE),
    "large": LARGE,
}


@st.fragment
def main() -> None:
    """Draw the page; all of it follows the text."""
    view = PageState("families", SETTINGS)
    base = recipes.decode(view["recipe"])
    size = links.packed_size(view["text"])
    header(view, "families", words.TITLE, words.SENTENCE, too_long(size) if size > links.LONGEST else None)
    change(view, base)
    view["text"] = text_editor(
        view["text"],
        key="families.editor",
        version=view.opened,
        label=EDITOR,
        placeholder=EMPTY_EDITOR,
        max_bytes=MOST_BYTES,
    )
    walk = st.container()
    try:
        readings = side_by_side(view, base, walk)
        agree(view, readings)
        with section("families-marks"):
            marking(view, base)
        with section("families-unseen"):
            unseen(view, base)
    except ValueError as error:
        st.warning(plain(sentence(error)))
    follow(view, "families")


def change(view: PageState, base: TokenizerRecipe) -> None:
    """Draw what all have in common as one line, and the form behind a button."""
    said = [pair for pair in facts(base, own_text(base)) if pair[0] in ("Corpus", "Normalize", "Split")]
    with st.container(key="families-recipe", horizontal=True, vertical_alignment="center"):
        recipe_line(
            [*said, (words.NUMBER[view["equal"]], f"{view['number']:,}")], key="families.line", large=view["large"]
        )
        with st.popover(words.CHANGE, width="content"):
            form(view, base)


def form(view: PageState, base: TokenizerRecipe) -> None:
    """Draw the corpus, the split and the size; nothing is trained before the button says so."""
    names = list(engine.corpora.names())
    chosen = list(base.corpus.names) if base.corpus.kind == "samples" else []
    key = f"families.form.{view.opened}"
    samples = st.multiselect(words.CORPUS, names, chosen, format_func=sample_label, key=f"{key}.samples")
    own = st.text_area(words.OWN, own_text(base) or "", key=f"{key}.own", height=80, placeholder=words.OWN_HINT)
    splits = list(engine.PRE_TOKENIZERS)
    at = splits.index(base.pre_tokenizer) if base.pre_tokenizer in splits else splits.index("bert")
    split = st.selectbox(words.SPLIT, splits, at, help=words.SPLIT_HELP, key=f"{key}.split")
    equal = st.segmented_control(
        words.EQUAL,
        list(words.EQUALS),
        default=view["equal"],
        required=True,
        format_func=words.EQUALS.__getitem__,
        key=f"{key}.equal",
    )
    wanted = st.number_input(words.NUMBER[equal], 1, families.MOST_PIECES, view["number"], step=1, key=f"{key}.number")
    st.caption(words.EQUAL_NOTES[equal])

    def apply() -> None:
        corpus = Corpus("text", (texts().keep(own),)) if own else Corpus("samples", tuple(samples))
        code = recipes.encode(replace(base, corpus=corpus, pre_tokenizer=split))
        view.put(recipe=code, equal=equal, number=int(wanted))

    st.button(words.APPLY, type="primary", on_click=apply, disabled=not own and not samples, key=f"{key}.train")


def side_by_side(view: PageState, base: TokenizerRecipe, walk: Any) -> dict[str, Reading]:
    """Draw three strips with their figures; Unigram takes the size of BPE where merges are equal."""
    readings: dict[str, Reading] = {}
    cards: dict[str, str] = {}
    wanted = view["number"]
    for member in families.FAMILY:
        if member == "unigram" and view["equal"] == "merges":
            wanted = readings["bpe"].tokenizer.vocab_size
        code = recipes.encode(families.sibling(base, member, cast("families.Equal", view["equal"]), wanted))
        cards[member] = card_base(code)
        readings[member] = read(words.NAMES[member], prepared(code), view["text"], False)
    found = disagreements([reading.encoding for reading in readings.values()])
    with walk:
        walker(view, found, len(readings))
    drawn = figures(list(readings.values()), view["large"])
    columns = st.columns(3, gap="medium")
    for column, (algorithm, reading), data in zip(columns, readings.items(), drawn, strict=True):
        with column:
            st.header(reading.name, anchor=False)
            size = count(reading.tokenizer.vocab_size, "piece")
            figure({**data, "facts": size}, key=f"families.{algorithm}.figure")
            shown = strip(
                reading.encoding,
                reading.tokenizer,
                reading.name,
                group=view.page,
                large=view["large"],
                card=cards[algorithm],
            )
            token_strip({**shown, "ids": False, "differs": found.cuts}, key=f"families.{algorithm}.strip")
    st.caption(words_compare.MARKS)
    st.caption(f"{words.OVER} {words.EQUAL_NOTES[view['equal']]}")
    return readings


def agree(view: PageState, readings: Mapping[str, Reading]) -> None:
    """Draw how many words are cut alike."""
    with section("families-agreement"):
        st.header(words.AGREEMENT, anchor=False)
        found = families.agreement({name: reading.encoding for name, reading in readings.items()})
        numbers: list[list[str | int | float | None]] = [
            [words.agreement([words.NAMES[name] for name in names]), *pair, families.percent(pair)]
            for names, pair in found.items()
        ]
        rows: list[list[Cell]] = [list(row) for row in numbers]
        sorted_table(words.AGREEMENT_COLUMNS, rows, name=words.AGREEMENT, key="families.agreement", large=view["large"])
        file = as_csv([dict(zip(words.AGREEMENT_COLUMNS, row, strict=True)) for row in numbers])
        st.download_button(
            words_compare.CSV, file, "agreement.csv", "text/csv", on_click="ignore", key="families.agreement-csv"
        )


def marking(view: PageState, base: TokenizerRecipe) -> None:
    """Draw the three ways of marking words."""
    st.header(words.MARKS_TITLE, anchor=False)
    st.caption(words.MARKS_NOTE)
    rows = []
    for way, recipe in families.marks(base, view["number"]).items():
        label, mark = words.MARKS[way]
        code = recipes.encode(recipe)
        made = families.marked(prepared(code), view["text"], mark)
        hrefs = [f"{card_base(code)}{id}" if id >= 0 else "" for id in made.ids]
        note = words.marked(made.tokens, made.size, made.twice)
        pieces = [piece.hex() for piece in made.pieces]
        rows.append({"label": label, "pieces": pieces, "slots": made.slots, "note": note, "hrefs": hrefs})
    piece_rows(cast("Any", rows), name=words.MARKS_TITLE, key="families.marks", large=view["large"])
    st.caption(plain(words.MARKS_SOURCE))


def unseen(view: PageState, base: TokenizerRecipe) -> None:
    """Draw what becomes of bytes that the corpus does not have."""
    st.header(words.UNSEEN_TITLE, anchor=False)
    st.caption(words.UNSEEN_NOTE)
    view["rare"] = text_editor(
        view["rare"],
        key="families.rare",
        version=view.opened,
        label=words.UNSEEN_TEXT,
        placeholder=words.EMPTY,
        max_bytes=2000,
        rows=1,
    )
    alphabets = families.byte_alphabets(base, view["number"])
    for column, (name, recipe) in zip(st.columns(2, gap="medium"), alphabets.items(), strict=True):
        with column:
            code = recipes.encode(recipe)
            chosen = prepared(code)
            encoding = chosen.encode(view["rare"])
            st.subheader(words.UNSEEN[name], anchor=False)
            shown = strip(
                encoding,
                chosen,
                words.UNSEEN[name],
                group="families.unseen",
                large=view["large"],
                card=card_base(code),
            )
            token_strip({**shown, "ids": False}, key=f"families.unseen.{name}")
            st.caption(plain(words.comes_back(*families.lost(chosen, view["rare"]))))
    st.caption(plain(words.UNSEEN_SOURCE))


main()
