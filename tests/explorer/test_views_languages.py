"""Curves of languages against encoding, measure by measure; labels that do not overlap."""

import csv
import io
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import engine
from engine import corpora
from explorer import figures, recipes
from explorer.views import languages, mixes

RUN = engine.train([corpora.text("sentences/en"), corpora.text("sentences/ko")], vocab_size=400)
TEXTS = languages.parallel_texts("sentences")
CURVES = {tag: languages.curve(RUN.tokenizer, tag, text) for tag, text in TEXTS.items()}


def test_curves_are_the_text_encoded_at_each_size():
    for tag, text in TEXTS.items():
        curve = CURVES[tag]
        for k in (0, 1, 57, len(RUN.steps)):
            assert curve.at(RUN.first_id + k) == len(RUN.tokenizer_at(k).encode(text))
        assert curve.at(255) is None
        assert curve.at(10_000) is None
        assert curve.characters == len(text)


def test_measures():
    english, korean = CURVES["en"], CURVES["ko"]
    assert languages.measured(korean, "tokens", english).tolist() == korean.lengths.tolist()
    assert languages.measured(korean, "per character", english)[-1] == korean.lengths[-1] / len(TEXTS["ko"])
    assert languages.measured(korean, "relative", english)[0] == len(TEXTS["ko"].encode()) / len(TEXTS["en"].encode())
    assert set(languages.measured(english, "relative", english)) == {1.0}


def test_parallel_texts_are_parallel():
    declaration = languages.parallel_texts("declaration")
    assert len(declaration) == 106
    assert set(TEXTS) == {"en", "es", "zh-Hans", "ko", "ar"}
    assert {len(text.splitlines()) for text in TEXTS.values()} == {10}


def test_thinning_keeps_the_ends():
    curve = CURVES["en"]
    points = languages.thinned(curve)
    assert points[0] == 0
    assert points[-1] == len(curve.sizes) - 1
    assert all(a < b for a, b in pairwise(points.tolist()))
    assert len(points) <= 66
    empty = languages.Curve("en", np.empty(0, np.int64), np.empty(0, np.int64), 0, 0)
    assert languages.thinned(empty).tolist() == []
    assert languages.heat_sizes(empty) == []


def test_heat_map_and_table_say_the_same():
    sizes = languages.heat_sizes(CURVES["en"])
    assert sizes == [256, 400]
    values = languages.ratios(CURVES, ["en", "ar"], sizes)
    assert values[0] == [1.0, 1.0]
    rows = languages.table(CURVES.values(), CURVES["en"], sizes)
    written = list(csv.DictReader(io.StringIO(languages.as_csv(rows))))
    arabic = next(row for row in written if row["tag"] == "ar" and row["vocabulary size"] == "400")
    assert float(arabic["relative to English"]) == pytest.approx(values[1][1], abs=1e-4)
    assert int(arabic["tokens"]) == len(RUN.tokenizer.encode(TEXTS["ar"]))


def test_languages_are_found_by_any_of_their_names():
    assert languages.found("thai") == languages.found("ไทย") == languages.found(" THAI ") == ["th"]
    assert len(languages.found("")) == 106
    assert languages.found("<script>") == []


@given(places=st.lists(st.floats(0, 400), max_size=12), gap=st.floats(1, 30))
def test_labels_stay_apart_and_in_order(places, gap):
    result = languages.spread(places, gap, 0, 400)
    order = sorted(range(len(places)), key=lambda i: (places[i], i))
    moved = [result[i] for i in order]
    room = gap * (len(places) - 1) <= 400
    assert all(b - a >= gap - 1e-6 for a, b in pairwise(moved)) or not room
    if room:
        assert all(-1e-6 <= place <= 400 + 1e-6 for place in moved)


@pytest.mark.parametrize("algorithm", mixes.ALGORITHMS)
def test_every_algorithm_of_the_page_trains(algorithm):
    code = mixes.recipe(("en", "ko"), algorithm, 500, sentences=True)
    recipe = recipes.decode(code)
    corpus = [corpora.text(name) for name in recipe.corpus.names]
    training = engine.begin(corpus, recipe.training, recipe.normalizers, recipe.pre_tokenizer)
    while not training.finished:
        training.advance(100)
    tokenizer = training.run().tokenizer
    assert tokenizer.vocab_size <= 500
    curve = languages.curve(tokenizer, "en", TEXTS["en"])
    assert curve.lengths[-1] == len(tokenizer.encode(TEXTS["en"]))
    assert mixes.trained_on(recipe.corpus) == ("en", "ko")


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_figures_carry_the_data(theme):
    english = CURVES["en"]
    lines = [
        figures.Line(tag, tag, curve.sizes, languages.measured(curve, "tokens", english), role)
        for (tag, curve), role in zip(CURVES.items(), ["chosen", "named", "named", "other", "other"], strict=True)
    ]
    figure = figures.curves(lines, theme, width=768, zoom={"x": [2.5, 2.6]})
    assert list(figure.layout.xaxis.range) == [2.5, 2.6]
    assert [note.text.split()[0] for note in figure.layout.annotations] == ["<b>en", "es", "zh-Hans"]
    assert "0.2 M" in figure.layout.xaxis2.ticktext
    heat = figures.heat_map(
        ["English", "Korean"], ["256", "400"], languages.ratios(CURVES, ["en", "ko"], [256, 400]), theme, unit="times"
    )
    assert list(heat.data[1].text)[:2] == ["1.0", "1.0"]


def test_names_are_never_markup():
    line = figures.Line("<b onmouseover=x>", "x", np.array([256, 300]), np.array([2.0, 1.0]), "chosen")
    figure = figures.curves([line], "light")
    assert "<b onmouseover" not in str(figure.to_json())
