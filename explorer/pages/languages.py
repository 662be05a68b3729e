"""Languages: how sequence length falls as the vocabulary grows, language by language."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, get_args

import streamlit as st

from engine import corpora
from engine.kernels import serve
from explorer import figures, recipes
from explorer import words_languages as words
from explorer.chooser import prepared, tokenizer_choice
from explorer.components.chart_memory import chart_memory
from explorer.components.figure_export import figure_export
from explorer.components.recipe_line import recipe_line
from explorer.components.screen import narrow, watch
from explorer.components.sorted_table import sorted_table
from explorer.frame import LARGE, follow, header, section, theme, to_page
from explorer.page_state import PageState
from explorer.settings import Setting, choice, flag, number, several, tokenizer
from explorer.state import curves_of, texts, tokenizers
from explorer.views import languages, mixes
from explorer.views.languages import ENGLISH, Curve
from explorer.views.measures import CURVES
from explorer.words import sentence

TAGS = [language.bcp47 for language in corpora.languages()]
SETTINGS: Mapping[str, Setting[Any]] = {
    "code": tokenizer(mixes.recipe(mixes.MIXES["Ten languages"], "bpe", 8000)),
    "named": several(("en", "hi", "th", "zh-Hans", "vi", "ru", "fi", "ta"), TAGS),
    "chosen": choice("hi", TAGS),
    "measure": choice("per character", languages.MEASURES),
    "texts": choice("declaration", get_args(languages.Parallel)),
    "others": flag(True),
    "parameters": flag(False),
    "width": number(768, 1, 65536),
    "numbers": flag(False),
    "how": flag(False),
    "large": LARGE,
}


def main() -> None:
    """Draw the page."""
    view = PageState("languages", SETTINGS)
    header(view, "languages", "Languages", words.LANGUAGES)
    watch(view.send_again)
    change(view)
    try:
        curves = worked_out(view)
    except ValueError as error:
        st.warning(sentence(error))
        follow(view, "languages")
        return
    choose(view, curves)
    left, right = (st.container(), st.container()) if view["large"] else st.columns([7, 5], gap="medium")
    with left:
        draw_curves(view, curves)
    with right:
        draw_ratios(view, curves)
    numbers(view, curves)
    follow(view, "languages")


def change(view: PageState) -> None:
    """Draw the recipe as one line, and the form behind "Change recipe"."""
    recipe = recipes.decode(view["code"])
    with st.container(key="languages-recipe", horizontal=True, vertical_alignment="center"):
        facts = list(words.language_recipe(recipe, view["texts"]).items())
        recipe_line(facts, key="languages.facts", large=view["large"])
        with st.popover(words.CHANGE_RECIPE, width="content"):
            form(view)


def form(view: PageState) -> None:
    """Draw what a tokenizer is trained on, and how; nothing is trained before the button says so."""
    tokenizer_choice(view, "code", words.LANGUAGES_TOKENIZER)
    st.divider()
    preset = st.pills(words.PRESET, list(mixes.MIXES), key="languages.mix")
    tags = st.multiselect(
        words.TRAIN_ON, TAGS, list(mixes.MIXES[preset or "Ten languages"]), format_func=languages.label
    )
    own = st.text_area(words.OWN_TEXT, key="languages.own", height=80, placeholder=words.OWN_TEXT_HINT)
    algorithm = st.segmented_control(
        words.ALGORITHM, list(mixes.ALGORITHMS), default="bpe", format_func=mixes.ALGORITHMS.__getitem__
    )
    size = st.select_slider(words.VOCABULARY_SIZE, mixes.SIZES, 8000, format_func=figures.short)
    if not tags and not own:
        st.caption(words.NO_CORPUS)

    def train() -> None:
        digest = texts().keep(own) if own else ""
        sentences = preset == mixes.SENTENCES
        code = mixes.recipe(tags, algorithm or "bpe", size, digest, sentences)
        tokenizers().add(code)
        named = [tag for tag in tags if tag != ENGLISH]
        changes: dict[str, Any] = {"code": code, "texts": "sentences" if sentences else "declaration"}
        if sentences:
            changes |= {"named": tuple(tags), "chosen": named[0] if named else ENGLISH}
        view.put(**changes)

    st.button(words.TRAIN, type="primary", on_click=train, disabled=not tags and not own, key="languages.train")


def worked_out(view: PageState) -> dict[str, Curve]:
    """Return the curves of all parallel texts; those that are missing are worked out, with progress in view.

    Raises:
        ValueError: The recipe cannot be trained; the message says why.
    """
    curves = curves_of(view["code"], view["texts"])
    parallel = languages.parallel_texts(view["texts"])
    if len(curves) < len(parallel):
        serve(sum(len(text.encode()) for text in parallel.values()))  # no text alone is worth loading the loops
    tokenizer = prepared(view["code"])
    if len(curves) < len(parallel):
        bar = st.empty()

        def tell(done: int) -> None:
            bar.progress(done / len(parallel), text=words.reading(done, len(parallel)))

        languages.fill(curves, tokenizer, parallel, tell)
        bar.empty()
    return {tag: curves[tag] for tag in parallel}


def choose(view: PageState, curves: Mapping[str, Curve]) -> None:
    """Draw the choice of languages and of the measure."""
    named = [tag for tag in view["named"] if tag in curves]
    if view["chosen"] not in curves:
        view.put(chosen=ENGLISH)
    with st.container(key="languages-choice", horizontal=True, vertical_alignment="center"):
        shown = list(dict.fromkeys([*named, view["chosen"]]))

        def highlight() -> None:
            if st.session_state["languages.pill"]:
                view.put(chosen=st.session_state["languages.pill"])

        st.session_state["languages.pill"] = view["chosen"]
        st.pills(
            words.HIGHLIGHT,
            shown,
            format_func=lambda tag: corpora.language(tag).native_name,
            key="languages.pill",
            on_change=highlight,
            label_visibility="collapsed",
            wrap=True,
        )
        with st.popover(words.more_languages(len(curves) - len(shown))):
            st.multiselect(
                words.NAMED, TAGS, format_func=languages.label, key=view.widget("named"), help=words.NAMED_HELP
            )
            st.toggle(words.OTHERS, key=view.widget("others"))
            st.toggle(words.PARAMETERS, key=view.widget("parameters"), help=words.PARAMETERS_HELP)
            st.number_input(words.WIDTH, 1, 65536, step=64, key=view.widget("width"))
        st.segmented_control(
            words.MEASURE,
            languages.MEASURES,
            key=view.widget("measure"),
            format_func=words.MEASURES.__getitem__,
            label_visibility="collapsed",
            required=True,
            wrap=True,
        )


def draw_curves(view: PageState, curves: Mapping[str, Curve]) -> None:
    """Draw sequence length against vocabulary size."""
    english = curves[ENGLISH]
    lines = []
    for tag, curve in curves.items():
        role: figures.Role = "chosen" if tag == view["chosen"] else "named" if tag in view["named"] else "other"
        if role != "other" or view["others"]:
            points = languages.thinned(curve)
            values = languages.measured(curve, view["measure"], english)
            name = corpora.language(tag).english_name
            lines.append(figures.Line(name, tag, curve.sizes[points], values[points], role))
    title = words.measure_title(view["measure"])
    with st.container(key="languages-curves-head", horizontal=True, vertical_alignment="bottom"):
        st.header(title, anchor=False, width="content", help=words.MEASURE_HELP[view["measure"]])
        st.caption(words.drawn(len(lines), sum(line.role != "other" for line in lines)), width="stretch")
        rows = languages.table(curves.values(), english, languages.heat_sizes(english))
        figure_export(
            key="languages.export",
            chart_key="languages-curves",
            title=title,
            filename="tokens-by-vocabulary-size",
            csv=languages.as_csv(rows),
        )
    zoom = chart_memory(
        key="languages.memory", chart_key="languages-curves", on_picked=lambda tag: view.put(chosen=tag)
    )
    with st.container(key="languages-curves"):
        width = view["width"] if view["parameters"] else None
        figure = figures.curves(lines, theme(), width=width, zoom=zoom, narrow=narrow())
        st.plotly_chart(
            figures.enlarged(figure) if view["large"] and not narrow() else figure,
            theme=None,
            config=dict(figures.CONFIG),
            key="languages.curves",
        )
    card = {each: name for name, each in CURVES.items()}[view["measure"]]
    settings = {"measure": card, "chosen": view["chosen"], "texts": view["texts"], "trained": view["code"]}
    to_page(words.TO_CARD, "measures", settings, key="languages.to-measures")


def draw_ratios(view: PageState, curves: Mapping[str, Curve]) -> None:
    """Draw what each language pays against English."""
    trained = mixes.trained_on(recipes.decode(view["code"]).corpus)
    tags = list(dict.fromkeys([ENGLISH, *(tag for tag in trained if tag in curves), *view["named"], view["chosen"]]))
    tags = [tag for tag in tags if tag in curves]
    sizes = languages.heat_sizes(curves[ENGLISH])
    values = languages.ratios(curves, tags, sizes)
    names = [words.row_name(corpora.language(tag).english_name, tag in trained) for tag in tags]
    with st.container(key="languages-ratios-head", horizontal=True, vertical_alignment="bottom"):
        st.header(words.RATIOS, anchor=False, width="stretch", help=words.MEASURE_HELP["relative"])
        figure_export(
            key="languages.ratios.export",
            chart_key="languages-ratios",
            title=words.RATIOS,
            filename="tokens-against-english",
            csv=languages.as_csv(ratio_rows(tags, sizes, values)),
        )
    with st.container(key="languages-ratios"):
        columns = [figures.short(size) for size in sizes]
        chosen = tags.index(view["chosen"])
        figure = figures.heat_map(names, columns, values, theme(), chosen, unit=words.TIMES_ENGLISH)
        st.plotly_chart(
            figures.enlarged(figure) if view["large"] and not narrow() else figure,
            theme=None,
            config=dict(figures.CONFIG),
            key="languages.heat",
        )
    st.caption(words.RATIO_SCALE)


def ratio_rows(
    tags: Sequence[str], sizes: Sequence[int], values: Sequence[Sequence[float]]
) -> list[dict[str, str | int | float]]:
    """Return the heat map as rows of a table."""
    return [
        {
            "language": corpora.language(tag).english_name,
            **{str(n): round(v, 4) for n, v in zip(sizes, row, strict=True)},
        }
        for tag, row in zip(tags, values, strict=True)
    ]


def numbers(view: PageState, curves: Mapping[str, Curve]) -> None:
    """Draw the numbers behind both figures as a table, and how they are made."""
    with section("languages-numbers"):
        opened = st.expander(words.NUMBERS, on_change="rerun", key=view.widget("numbers"))
        if opened.open:
            with opened:
                english = curves[ENGLISH]
                rows = languages.table(curves.values(), english, languages.heat_sizes(english))
                cells = [list(row.values()) for row in rows]
                sorted_table(
                    list(rows[0]),
                    cells,
                    name=words.NUMBERS,
                    key="languages.table",
                    large=view["large"],
                    height=640 if view["large"] else 420,
                )
                csv = languages.as_csv(rows)
                st.download_button(words.CSV, csv, "languages.csv", "text/csv", on_click="ignore")
    with st.expander(words.HOW_MEASURED, on_change="rerun", key=view.widget("how")):
        st.markdown(words.LANGUAGES_METHOD)


main()
