"""Readings as a table: what is counted, what it costs."""

from __future__ import annotations

import pytest

import engine
from explorer.views.comparison_table import comparison_table, numbers_each
from explorer.views.reading import read


def test_cost_and_share_follow_from_the_tokens() -> None:
    gpt2, bert = (read(name, engine.pretrained(name), "one two three", False) for name in ("gpt2", "bert-base-uncased"))
    first, second = comparison_table([gpt2, bert], [2.5, None], [128_000.0, 512.0])
    assert (first["tokens"], second["tokens"], second["with special tokens"]) == (3, 3, 5)
    assert (first["cost"], second["cost"]) == (0.0000075, None)
    assert second["share of the window, %"] == pytest.approx(100 * 3 / 512, abs=1e-6)
    assert first["bytes per token"] == round(13 / 3, 4)


def test_without_a_price_there_is_no_such_column() -> None:
    reading = read("gpt2", engine.pretrained("gpt2"), "", False)
    (row,) = comparison_table([reading], [None], [None])
    assert "cost" not in row
    assert row["bytes per token"] is None


@pytest.mark.parametrize("written", ["two", "-3", "1e9", "NaN", "1 2 3", "∞", "9" * 40])
def test_what_is_no_number_is_refused(written: str) -> None:
    with pytest.raises(ValueError, match=r"a number is written|one number for all"):
        numbers_each(written, 2)
