"""Tokenizers by languages: values, cards, warnings with their numbers, parallel files, and what matches a target."""

from __future__ import annotations

import math

import numpy as np
import pytest

import engine
from engine import corpora, metrics
from explorer import figures
from explorer.measuring import Measuring, weight
from explorer.palette import Theme
from explorer.views import matching, measures, parallel
from explorer.views.measures import MEASURES

TEXTS = parallel.sentences()
TOKENIZERS = {
    "cats": engine.train(corpora.text("toy/cat_mat"), vocab_size=270).tokenizer,
    "five": engine.train([passage.text for passage in TEXTS.values()], vocab_size=500).tokenizer,
    "bert": engine.pretrained("bert-base-uncased"),
}


def measured(tokenizer: engine.Tokenizer) -> dict[str, engine.Sample]:
    work = Measuring(tokenizer, TEXTS)
    while not work.finished:
        work.advance(50)
    return work.run()


READ = {name: measured(tokenizer) for name, tokenizer in TOKENIZERS.items()}
NAMES = {name: name.capitalize() for name in READ}


def test_one_language_is_read_at_a_time_and_what_is_read_can_be_had() -> None:
    work = Measuring(TOKENIZERS["cats"], TEXTS)
    assert (work.done, work.total, work.finished) == (0, 5, False)
    work.advance(50)
    assert list(work.run()) == ["en"]
    assert list(READ["cats"]) == list(TEXTS)
    assert weight(READ["cats"]) > 4 * sum(len(sample.ids) for sample in READ["cats"].values())


@pytest.mark.parametrize("name", MEASURES)
def test_a_value_is_that_of_the_engine_and_lies_in_its_interval(name: str) -> None:
    samples = READ["five"]
    value = measures.value(name, samples, "ko", "en")
    found = measures.estimated(name, samples, "ko", "en")
    assert found.value == value
    if name not in ("Rényi efficiency", "Shannon efficiency", "single-token retention", "utilization"):
        assert found.low <= value <= found.high  # those four change with the number of different articles in a draw
    if name == "premium":
        assert value == len(samples["ko"].ids) / len(samples["en"].ids)
    elif name == "Rényi efficiency":
        assert value == float(metrics.renyi_efficiency(samples["ko"]))
        assert measures.value(name, samples, "ko", "en", 1.0) == pytest.approx(
            measures.value("Shannon efficiency", samples, "ko", "en")
        )
    else:
        assert value == float(MEASURES[name].function(samples["ko"]))


@pytest.mark.parametrize("name", MEASURES)
def test_every_measure_has_a_card(name: str) -> None:
    card = measures.card(MEASURES[name].function)
    assert {"Formula", "Unit", "Source", "Comparable only if"} <= set(card.parts)
    assert not card.sentence.startswith("Tell")
    assert "\n" not in "".join(card.parts.values())


def test_a_ratio_of_characters_is_caught_where_it_is_no_premium() -> None:
    said = measures.contradiction("code points per token", READ, NAMES, "zh-Hans", "en")
    assert said.startswith("Here: by ")
    assert "Chinese" in said
    samples = READ["five"]
    quotient = measures.value("code points per token", samples, "en", "en")
    quotient /= measures.value("code points per token", samples, "zh-Hans", "en")
    assert abs(math.log(quotient / measures.value("premium", samples, "zh-Hans", "en"))) > math.log(1.1)
    assert measures.contradiction("code points per token", READ, NAMES, "en", "en") == ""
    assert measures.contradiction("premium", READ, NAMES, "zh-Hans", "en") == ""


def test_an_evener_but_longer_text_is_caught() -> None:
    said = measures.contradiction("Rényi efficiency", READ, NAMES, "en", "en")
    taken = {name: measures.value("Rényi efficiency", samples, "en", "en") for name, samples in READ.items()}
    tokens = {name: len(samples["en"].ids) for name, samples in READ.items()}
    expected = any(taken[b] > taken[a] and tokens[b] > tokens[a] for a in READ for b in READ)
    assert bool(said) == expected


def test_what_reads_unknown_words_is_marked() -> None:
    assert measures.lossy(READ["bert"], "ko")
    assert not measures.lossy(READ["bert"], "en")
    assert not measures.lossy(READ["cats"], "ko")


def test_rows_by_tokenizer_and_by_language() -> None:
    rows = {row["tokenizer"]: row for row in measures.by_tokenizer(READ, NAMES, "en", 768, tied=False)}
    five = rows["Five"]
    tokens = {tag: len(sample.ids) for tag, sample in READ["five"].items()}
    assert five["tokens"] == sum(tokens.values())
    assert five["parameters"] == 500 * 768 * 2
    worst = max(tokens, key=tokens.__getitem__)
    assert five["paid by"] == parallel.title(worst)
    assert five["largest premium"] == pytest.approx(tokens[worst] / tokens["en"], abs=1e-3)
    assert five["Gini"] == pytest.approx(float(metrics.gini(np.array(list(tokens.values())))), abs=1e-4)
    assert rows["Bert"]["unknown"] > 0 == rows["Five"]["unknown"]  # type: ignore[operator]
    each = measures.by_language(READ, NAMES, "en", 2.5)
    assert len(each) == 15
    assert set(each[0]) == {"language", "tag", "tokenizer", *MEASURES}


def test_the_gini_of_all_languages_is_drawn_together() -> None:
    found = measures.unfairness(READ["cats"])
    assert found.low < found.value < found.high
    one = parallel.of_files({"en.txt": "one", "de.txt": "eins"})
    single = {tag: engine.Sample.of(TOKENIZERS["cats"], passage) for tag, passage in one.items()}
    assert len(set(measures.unfairness(single))) == 1


@pytest.mark.parametrize(
    ("files", "problem"),
    [
        ({"en.txt": "a"}, "at least two files, one a language; got 1"),
        ({"en.txt": "a\nb", "de.txt": "c"}, "en.txt has 2 and de.txt has 1"),
        ({"en.txt": "a", "news.en": "b"}, "en.txt and news.en are both “en”"),
        ({"en.txt": "a", "de.txt": "\n\n"}, "de.txt is empty"),
    ],
)
def test_parallel_files_that_are_not_parallel(files: dict[str, str], problem: str) -> None:
    with pytest.raises(ValueError, match=problem):
        parallel.of_files(files)


def test_parallel_files_keep_empty_lines_and_any_line_end() -> None:
    read = parallel.of_files({"en.txt": "a\n\nb\n", "x-own.txt": "c\r\n\r\nd", "de.txt": "e\r\rf\u2028g"})
    assert {tag: len(passage.units) for tag, passage in read.items()} == {"en": 3, "x-own": 3, "de": 3}
    assert parallel.title("x-own") == parallel.own_title("x-own") == "x-own"


def test_a_match_is_the_first_size_that_is_near_enough() -> None:
    sizes, lengths = TOKENIZERS["five"].length_curve(TEXTS["en"].text)
    for target in (len(lengths) and int(lengths[-1]), 150, 200, 10):
        found = matching.match(sizes, lengths, target)
        near = [k for k, length in enumerate(lengths.tolist()) if length <= 1.1 * target]
        assert found.learned == (near[0] if near else None)
        assert found.tokens == lengths[near[0] if near else -1]


def test_a_text_is_held_out_or_said_to_be_seen() -> None:
    name = matching.held_out("ko", ("udhr/ko",))
    assert corpora.corpus(name).language == "ko"
    assert matching.held_out("sw", ("udhr/sw",)) not in ("udhr/sw",)
    text = corpora.text("sentences/en")
    assert matching.seen(text, [text]) == 1
    assert matching.seen(text, [corpora.text("udhr/en")]) == 0
    assert 0 < matching.seen(text, [text.split("\n")[0]]) < 0.5
    assert matching.seen("", [text]) == 0


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_figures_carry_the_values(theme: Theme) -> None:
    heat = figures.heat_map(
        ["English", "Thai"],
        ["one", "two"],
        [[1, 2], [math.nan, 0.2]],
        theme,
        1,
        unit="times",
        doubtful={(1, 1)},
    )
    assert list(heat.data[1].text) == ["1.0", "2.0", "0.2?"]
    amounts = figures.heat_map(["a"], ["b", "c"], [[10, 20]], theme, unit="tokens", scale="amount", digits=0)
    assert list(amounts.data[0].z[0]) == [0, 1]
    bars = figures.bars([figures.Bar("<i>", 2, 1, 4, True)], theme, unit="times", base=1)
    assert bars.data[0].error_x.array == (2,)
    assert "<i>" not in bars.layout.yaxis.ticktext[0]
    line = figures.Line("curve", "", np.array([256, 512]), np.array([9.0, 5.0]), "chosen")
    axis = figures.Axis("size", [256, 512], ["256", "512"])
    points = figures.points([figures.Point("<b>x", 400, 4, False)], [line], theme, axis, hover="%{x}")
    assert [note.text for note in points.layout.annotations] == ["&lt;b&gt;x"]
