"""Compiled splits cut where the regular expressions cut, and compiled counts are those of a dictionary."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import corpora, kernels, unicode_classes
from engine.alignment import repair
from engine.counting import COMPILED, PythonCounter
from engine.counts import PreTokenCounts
from engine.pre_tokenizers import PRE_TOKENIZERS

pytest.importorskip("numba")

PIECES = [*" \n\r\t\x0b\x1c\x85\xa0\u2028\u3000\u200b\ufeff\x00aAbBéÉſǅʰ'12²٣Ⅷ.,_/$<|中文か한ा▁😀\u0301\u20dd\ufa6e"]
PIECES += ["\U0002a6df", "'s", "'S", "'ll", "'LL", "'ve", "'re", "'ſ", "'l", "  ", "\r\n", "x" * 20, "ab" * 9]
hostile = st.lists(st.sampled_from(PIECES), max_size=14).map("".join) | st.text(max_size=20).map(repair)


@pytest.fixture(scope="module", autouse=True)
def compiled():
    assert kernels.warm()


def cut(name: str, text: str) -> list[str]:
    from engine.kernels.splitting import split
    from engine.span_counter import KINDS, padded

    raw, many, start = padded(text.encode()), 3, 0
    found = []
    while many == 3:  # so few that every call but the last must be resumed
        spans = np.empty((3, 2), np.int64)
        many, start = split(raw, start, len(raw) - 16, KINDS[name], unicode_classes.table(), spans)
        found += [raw[a:b].tobytes().decode() for a, b in spans[:many].tolist()]
    return found


@pytest.mark.parametrize("name", sorted(COMPILED))
def test_hostile_text_is_cut_where_the_regular_expression_cuts(name):
    @settings(max_examples=400, deadline=None)
    @given(hostile)
    def check(text: str) -> None:
        assert cut(name, text) == [text[start:stop] for start, stop in PRE_TOKENIZERS[name].split(text)]

    check()


@pytest.mark.parametrize("name", sorted(COMPILED))
def test_real_text_of_many_languages(name):
    text = "\n".join(corpora.text(each) for each in corpora.names("udhr"))
    assert cut(name, text) == [text[start:stop] for start, stop in PRE_TOKENIZERS[name].split(text)]


@pytest.mark.parametrize("name", ["gpt2", "o200k", "bert"])
def test_every_code_point_between_others(name):
    points = [chr(point) for point in range(unicode_classes.POINTS) if not 0xD800 <= point < 0xE000]
    for around in ("a{}A", " {} ", "1{}\n"):
        text = "".join(around.format(point) for point in points[:: 7 if len(around) > 3 else 11])
        assert cut(name, text) == [text[start:stop] for start, stop in PRE_TOKENIZERS[name].split(text)]


def test_the_choice_knows_what_is_compiled():
    from engine.span_counter import KINDS

    assert set(KINDS) == COMPILED <= set(PRE_TOKENIZERS)


def test_the_classes_are_those_of_the_pinned_regular_expressions():
    np.testing.assert_array_equal(unicode_classes.table(), unicode_classes.computed())


@settings(deadline=None)
@given(st.lists(hostile, max_size=6))
def test_counts_are_those_of_a_dictionary_in_its_order(texts):
    from engine.span_counter import SpanCounter

    ours, other = SpanCounter("gpt2"), PythonCounter(PRE_TOKENIZERS["gpt2"])
    for text in texts:
        list(ours.add(text)), list(other.add(text))
    assert list(ours.result().items()) == list(other.result().items())
    ours.merge(PreTokenCounts.of(other.result()))
    assert list(ours.result().items()) == [(word, 2 * count) for word, count in other.result().items()]


def test_many_and_long_pre_tokens():
    from engine.span_counter import SpanCounter

    words = [f"{number:x}" * (1 + number % 9) for number in range(100_000)]
    counter = SpanCounter("whitespace")
    list(counter.add(" ".join(words * 2) + " " + "a" * 3_000_000 + " " + "a" * 3_000_000))
    result = counter.result()
    assert len(result) == len(set(words)) + 1
    assert result["a" * 3_000_000] == 2
    assert sum(result.values()) == 200_002
