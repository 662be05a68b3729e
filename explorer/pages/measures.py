"""Measures: what the same text costs in each language, tokenizer by tokenizer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

from engine import Passage, corpora
from explorer import figures
from explorer import words_measures as words
from explorer.charts import chart
from explorer.components.recipe_line import recipe_line
from explorer.components.screen import watch
from explorer.file_codes import FILE
from explorer.frame import LARGE, follow, header, section, theme
from explorer.matching_panel import match_target
from explorer.measure_tables import measure_card, tables
from explorer.measuring_panel import read_by
from explorer.page_state import PageState
from explorer.parallel_files import ask_for_parallel, not_held, parallel_choice
from explorer.settings import Setting, choice, flag, line, number, parallel, several, text, tokenizer, tokenizers
from explorer.size_charts import size_charts
from explorer.state import files, name_of, passages_of, values_of
from explorer.state import tokenizers as own
from explorer.tokenizers import TEN_LANGUAGES, catalogue
from explorer.views import measures
from explorer.views.measures import MEASURES, Row, Samples
from explorer.views.parallel import ENGLISH, own_title, title

TAGS = [language.bcp47 for language in corpora.languages()]
NAMED = ("es", "de", "fi", "ru", "el", "ar", "he", "hi", "ta", "th", "my", "am", "zh-Hans", "ja", "ko", "vi")
SETTINGS: Mapping[str, Setting[Any]] = {
    "tokenizers": tokenizers(catalogue(), catalogue()),
    "texts": parallel("declaration", list(words.TEXT_NAMES)),
    "base": line(ENGLISH),
    "measure": choice("premium", list(MEASURES)),
    "alpha": choice("2.5", ["0", "0.5", "1", "1.5", "2", "2.5", "3", "5", "10"]),
    "named": several(NAMED, TAGS),
    "everything": flag(False),
    "ranked": flag(False),
    "chosen": line("hi"),
    "real": tokenizer("o200k_base", catalogue()),
    "bars": choice("tokenizers", list(words.BARS)),
    "trained": tokenizer(TEN_LANGUAGES, catalogue()),
    "width": number(768, 1, 65536),
    "tied": flag(True),
    "target": tokenizer("gpt2", catalogue()),
    "match": line(),
    "own": text(""),
    "cards": flag(False),
    "numbers": flag(False),
    "how": flag(False),
    "large": LARGE,
}


def main() -> None:
    """Draw the page."""
    view = PageState("measures", SETTINGS)
    header(view, "measures", "Measures", words.MEASURES, not_held(view))
    watch(view.send_again)
    try:
        passages = passages_of(view["texts"])
    except ValueError:
        ask_for_parallel(view)
        follow(view, "measures")
        return
    settle(view, passages)
    change(view, passages)
    read = read_by(view["tokenizers"], view["texts"], passages)
    if read:
        names = {code: name_of(code) for code in read}
        if view["real"] not in read:
            view.put(real=next(iter(read)))
        choose(view, passages, names)
        tags = ordered(view, read, passages)
        draw_map(view, read, names, tags)
        draw_bars(view, read, names, tags)
        with section("measures-sizes"):
            size_charts(view, read, names, passages[view["chosen"]])
        with section("measures-match"):
            match_target(view)
        with section("measures-tables"):
            tables(view, read, names)
    elif not view["tokenizers"]:
        st.caption(words.NO_TOKENIZERS)
    follow(view, "measures")


def settle(view: PageState, passages: Mapping[str, Passage]) -> None:
    """Fall back on languages that are there."""
    first = ENGLISH if ENGLISH in passages else next(iter(passages))
    if view["base"] not in passages:
        view.put(base=first)
    if view["chosen"] not in passages:
        view.put(chosen=next((tag for tag in passages if tag != view["base"]), first))


def change(view: PageState, passages: Mapping[str, Passage]) -> None:
    """Draw what is measured as one line, and the form behind "Change"."""
    with st.container(key="measures-recipe", horizontal=True, vertical_alignment="center"):
        units = measures.same_units(passages)
        facts = words.facts(len(view["tokenizers"]), view["texts"], len(passages), units, title(view["base"]))
        recipe_line(list(facts.items()), key="measures.facts", large=view["large"])
        with st.popover(words.CHANGE, width="content"):
            codes = list(dict.fromkeys([*own(), *files(), *catalogue(), *view["tokenizers"]]))
            st.multiselect(words.TOKENIZERS, codes, format_func=name_of, key=view.widget("tokenizers"))
            st.selectbox(words.BASE, list(passages), format_func=title, key=view.widget("base"))
            parallel_choice(view)


def choose(view: PageState, passages: Mapping[str, Passage], names: Mapping[str, str]) -> None:
    """Draw the choice of the language, the tokenizer and the measure."""
    with st.container(key="measures-choice", horizontal=True, vertical_alignment="bottom"):
        st.selectbox(words.MEASURE, list(MEASURES), key=view.widget("measure"), width=230)
        if view["measure"] == "Rényi efficiency":
            alphas = ["0", "0.5", "1", "1.5", "2", "2.5", "3", "5", "10"]
            st.selectbox(words.ALPHA, alphas, key=view.widget("alpha"), help=words.ALPHA_HELP, width=120)
        st.selectbox(words.REAL, list(names), format_func=names.__getitem__, key=view.widget("real"), width=230)
        st.selectbox(words.LANGUAGE, list(passages), format_func=full_title, key=view.widget("chosen"), width=230)
        with st.popover(words.more_languages(len(passages) - len(view["named"]) - 1)):
            st.toggle(words.EVERYTHING, key=view.widget("everything"))
            st.toggle(words.RANKED, key=view.widget("ranked"))
            if not view["texts"].startswith(FILE):
                st.multiselect(words.NAMED, TAGS, format_func=full_title, key=view.widget("named"))


def full_title(tag: str) -> str:
    """Name a language in English and in itself, so that both are found by typing."""
    english, native = title(tag), own_title(tag)
    return english if english == native else f"{english} · {native}"


def values_by(view: PageState, code: str, samples: Samples, tags: Sequence[str]) -> list[float]:
    """Return the values of the chosen measure by one tokenizer; each is worked out once."""
    name, base = view["measure"], view["base"]
    known = values_of(code, view["texts"], f"{name}|{base}|{view['alpha']}")
    for tag in tags:
        if tag not in known:
            known[tag] = measures.value(name, samples, tag, base, float(view["alpha"]))
    return [known[tag] for tag in tags]


def ordered(view: PageState, read: Mapping[str, Samples], passages: Mapping[str, Passage]) -> list[str]:
    """Return the languages of the figures, ranked by the highlighted tokenizer if that is asked for."""
    tags = measures.shown(passages, [*view["named"], view["chosen"]], view["everything"], view["base"])
    if view["ranked"]:
        values = values_by(view, view["real"], read[view["real"]], tags)
        tags.sort(key=dict(zip(tags, values, strict=True)).__getitem__)
    return tags


def draw_map(view: PageState, read: Mapping[str, Samples], names: Mapping[str, str], tags: Sequence[str]) -> None:
    """Draw languages by tokenizers."""
    kind = MEASURES[view["measure"]]
    columns = [values_by(view, code, samples, tags) for code, samples in read.items()]
    values = list(zip(*columns, strict=True))
    head = words.map_title(view["measure"], title(view["base"]))
    rows: list[Row] = [
        {"language": title(tag), "tag": tag, **dict(zip(names.values(), row, strict=True))}
        for tag, row in zip(tags, values, strict=True)
    ]
    doubtful = {
        (row, column)
        for row, tag in enumerate(tags)
        for column, samples in enumerate(read.values())
        if view["measure"] != "unknown share" and measures.lossy(samples, tag)
    }
    figure = figures.heat_map(
        [title(tag) for tag in tags],
        list(names.values()),
        values,
        theme(),
        tags.index(view["chosen"]),
        unit=words.unit_of(view["measure"], title(view["base"])),
        scale=kind.scale,
        digits=1 if kind.scale == "ratio" else kind.digits,
        column=list(names).index(view["real"]),
        doubtful=doubtful,
    )
    chart("measures", "map", head, figure, rows, view["large"])
    st.caption(words.scale_note(view["measure"], title(view["base"]), bool(doubtful)))


def draw_bars(view: PageState, read: Mapping[str, Samples], names: Mapping[str, str], tags: Sequence[str]) -> None:
    """Draw a ranking with intervals, and beside it what the measure is."""
    left, right = st.columns([7, 5], gap="medium")
    with left:
        base, name, alpha = view["base"], view["measure"], float(view["alpha"])
        across = view["bars"] == "tokenizers"
        if across:
            taken = {
                code: measures.estimated(name, samples, view["chosen"], base, alpha) for code, samples in read.items()
            }
            called = {
                code: words.doubted(each, measures.lossy(read[code], view["chosen"])) for code, each in names.items()
            }
            chosen, of = view["real"], title(view["chosen"])
        else:
            taken = {tag: measures.estimated(name, read[view["real"]], tag, base, alpha) for tag in tags}
            called, chosen, of = {tag: title(tag) for tag in tags}, view["chosen"], names[view["real"]]
        ranked = sorted((item for item in taken.items() if item[1].value == item[1].value), key=lambda item: item[1])
        rows = [figures.Bar(called[key], *found, key == chosen) for key, found in ranked]
        table: list[Row] = [{"name": row.name, "value": row.value, "low": row.low, "high": row.high} for row in rows]
        figure = figures.bars(
            rows,
            theme(),
            unit=words.unit_of(name, title(base)),
            digits=MEASURES[name].digits,
            base=1.0 if name == "premium" else None,
        )
        chart("measures", "bars", words.bars_title(view["bars"], name, title(base), of), figure, table, view["large"])
        st.segmented_control(
            words.BARS_LABEL,
            list(words.BARS),
            key=view.widget("bars"),
            format_func=words.BARS.__getitem__,
            label_visibility="collapsed",
            required=True,
        )
        units = len(read[view["real"]][view["chosen"]].tokens)
        st.caption(words.INTERVAL.format(units=words.units(view["texts"], units)))
    with right:
        measure_card(view, measures.contradiction(name, read, names, view["chosen"], base))


main()
