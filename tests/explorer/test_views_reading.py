"""Figures that compare readings, and ids as people write them."""

from __future__ import annotations

import pytest

import engine
from explorer.views.ids import MOST, read_ids
from explorer.views.reading import Reading, figures, read


@pytest.fixture
def readings() -> list[Reading]:
    bytewise = engine.from_merges("bytes", [])
    merged = engine.from_merges("bytes", [("a", "b"), ("ab", "ab")])
    return [read("bytes", bytewise, "abab", False), read("merged", merged, "abab", False)]


def test_the_second_is_compared_with_the_first(readings: list[Reading]) -> None:
    first, second = figures(readings)
    assert (first["number"], first["unit"], first["note"], first["share"]) == ("4", "tokens", "", 1.0)
    assert (second["number"], second["unit"], second["note"], second["share"]) == ("1", "token", ", 75 % fewer", 0.25)
    assert first["facts"] == "256 pieces · 1.00 bytes per token · 1.00 tokens per byte"


def test_both_keep_as_many_lines_as_the_one_that_lost_more() -> None:
    lossy = engine.train(
        "ab", normalizers=["lowercase"], pre_tokenizer="whitespace", max_steps=1, vocab_size=None
    ).tokenizer
    texts = [read("a", engine.from_merges("bytes", []), "A b", False), read("b", lossy, "A b", False)]
    first, second = figures(texts)
    assert first["good"] == "decodes to the same text"
    assert second["good"] == ""
    assert second["bad"] == [
        "Not the same text: capitals became small letters, first at byte 0.",
        "Not the same text: white space is not kept as it was, first at byte 1.",
    ]
    assert first["reserve"] == second["reserve"] == 2


def test_an_empty_text_has_figures_without_rates() -> None:
    (figure,) = figures([read("a", engine.from_merges("bytes", []), "", False)])
    assert (figure["number"], figure["share"], figure["facts"]) == ("0", 0.0, "256 pieces")


def test_special_tokens_are_read_where_wanted() -> None:
    made = engine.train("a", vocab_size=None, max_steps=0, special_tokens=["<s>"]).tokenizer
    assert len(read("x", made, "<s>", False).encoding) == 3
    assert len(read("x", made, "<s>", True).encoding) == 1


@pytest.mark.parametrize(
    ("written", "ids"),
    [
        ("464 40304", [464, 40304]),
        ("[464, 40304]", [464, 40304]),
        ("464,\n40304;", [464, 40304]),
        ("(−1, -1)", [-1, -1]),
        ("", []),
        (" \n", []),
        ("tensor([[1, 2]])", None),
        ("1.5", None),
        ("0x10", None),
        ("٣", None),
        ("9" * 13, None),
        ("<script>", None),
    ],
)
def test_ids_are_read_as_people_write_them(written: str, ids: list[int] | None) -> None:
    if ids is None:
        with pytest.raises(ValueError, match="an id is a whole number"):
            read_ids(written)
    else:
        assert read_ids(written) == ids


def test_too_many_ids_are_refused() -> None:
    with pytest.raises(ValueError, match=r"at most 100,000 ids .* these are 100,001"):
        read_ids("1 " * (MOST + 1))
