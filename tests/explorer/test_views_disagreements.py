"""Where tokenizers cut differently, against a slow and plain definition."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import engine
from engine.encoding import Places
from explorer.views.disagreements import disagreements


def encoding(text: str, spans: list[tuple[int, int]]) -> engine.Encoding:
    count = len(spans)
    none = np.zeros(count, np.int32)
    table = engine.from_merges("bytes", []).vocabulary
    pre = np.zeros((0, 2), np.int64)
    places = Places(np.array(spans, np.int64).reshape(-1, 2), pre, none)
    return engine.Encoding(text, text, none, table, lambda: places)


def test_one_reading_differs_from_nothing() -> None:
    assert disagreements([encoding("abc", [(0, 3)])]).places == []
    assert disagreements([]).cuts == []


def test_equal_readings_do_not_differ() -> None:
    spans = [(0, 2), (2, 3)]
    assert disagreements([encoding("abc", spans)] * 3).cuts == []


def test_a_dropped_space_agrees_with_a_boundary_on_either_side() -> None:
    dropped = encoding("ab cd", [(0, 2), (3, 5)])
    with_the_next = encoding("ab cd", [(0, 2), (2, 5)])
    with_the_last = encoding("ab cd", [(0, 3), (3, 5)])
    whole = encoding("ab cd", [(0, 5)])
    assert disagreements([dropped, with_the_next]).cuts == []
    assert disagreements([dropped, with_the_last]).cuts == []
    assert disagreements([with_the_next, with_the_last]).cuts == [2, 3]
    found = disagreements([dropped, whole])
    assert (found.cuts, found.places) == ([3], [(0, 5)])


def test_a_gap_at_an_end_is_no_boundary() -> None:
    found = disagreements([encoding(" ab ", [(1, 3)]), encoding(" ab ", [(0, 4)])])
    assert found.cuts == []


def test_tokens_that_share_bytes_and_tokens_without_width() -> None:
    shared = encoding("éa", [(0, 2), (0, 2), (2, 2), (2, 3)])
    plain = encoding("éa", [(0, 1), (1, 2), (2, 3)])
    assert disagreements([shared, plain]).cuts == [1]


def test_an_empty_text() -> None:
    assert disagreements([encoding("", []), encoding("", [])]).places == []


@given(st.lists(st.sets(st.integers(1, 11)), min_size=2, max_size=5))
def test_without_gaps_it_is_union_less_intersection(edges: list[set[int]]) -> None:
    text = "a" * 12
    readings = []
    for each in edges:
        ends = [0, *sorted(each), 12]
        readings.append(encoding(text, list(pairwise(ends))))
    found = disagreements(readings)
    shared = set.intersection(*edges)
    assert found.cuts == sorted(set.union(*edges) - shared)
    ends = [0, *sorted(shared), 12]
    places = [(start, stop) for start, stop in pairwise(ends) if any(start < cut < stop for cut in found.cuts)]
    assert found.places == places


@pytest.mark.parametrize("text", ["The café opens. 机器 👩🏽‍🚀\n", "  two  spaces ", "ﬁne Å"])
def test_every_catalogued_tokenizer_can_be_compared(text: str) -> None:
    names = ("gpt2", "bert-base-uncased", "t5-base")
    found = disagreements([engine.pretrained(name).encode(text) for name in names])
    size = len(text.encode())
    assert all(0 < cut < size for cut in found.cuts)
    assert all(any(start < cut < stop for cut in found.cuts) for start, stop in found.places)
    assert all(any(start < cut < stop for start, stop in found.places) for cut in found.cuts)
