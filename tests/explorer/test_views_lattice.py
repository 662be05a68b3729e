"""The lattice: against every way to cut a short word, and as the whole of a text."""

from __future__ import annotations

import json
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import engine
from engine.models.unigram import Unigram
from engine.models.unigram_lattice import unigram_of
from explorer.lattice_parts import edited_at, read_alpha
from explorer.tokenizers import UNIGRAM
from explorer.views.lattice import LONGEST, Stretch, at_byte, picture, stretches

HOSTILE = st.text(st.one_of(st.characters(), st.sampled_from("aaab \n\t\x00é🙂\u0301\u200d\ud800ﷺ▁मिا<")), max_size=40)

T5 = engine.pretrained("t5-base")


@given(HOSTILE)
@settings(deadline=None, max_examples=60)
def test_stretches_leave_no_way_out(text: str) -> None:
    """The best ways of the stretches are the encoding of the whole text, and their sums are its sum."""
    parts = stretches(T5, text)
    whole = T5.encode(text)
    model = unigram_of(T5)
    ids = [id for part in parts for id in model.encode(part.text).ids]
    joined = [id for i, id in enumerate(ids) if i == 0 or not id == ids[i - 1] == model.unknown]
    assert joined == whole.ids.tolist()
    assert "".join(part.text for part in parts) == whole.normalized
    assert all(before.stop == after.start for before, after in pairwise(parts))
    for part in parts[:3]:
        json.dumps(picture(T5, part))


def test_a_byte_leads_to_its_stretch() -> None:
    parts = stretches(T5, "The  café is open")
    assert [part.text for part in parts] == ["▁The", "▁café", "▁is", "▁open"]
    assert [at_byte(parts, byte) for byte in (0, 2, 5, 8, 11, 500)] == [0, 0, 1, 1, 2, 3]


def test_a_text_without_spaces_is_cut_where_no_piece_stands_across() -> None:
    tokenizer = engine.pretrained("mt5-base")
    parts = stretches(tokenizer, engine.corpora.text("udhr/zh-Hans")[:400].replace(" ", ""))
    assert len(parts) > 3
    assert max(len(part.text) for part in parts) < LONGEST


def test_the_picture_marks_the_best_path_and_what_is_unknown() -> None:
    part = next(part for part in stretches(T5, "un你able"))
    data: Any = picture(T5, part, alpha=0.5, seed=1)
    best = [edge for edge in data["edges"] if edge["best"]]
    assert [edge["start"] for edge in best[1:]] == [edge["stop"] for edge in best[:-1]]
    assert best[0]["start"] == 0
    assert best[-1]["stop"] == len(data["characters"])
    unknown = next(edge for edge in data["edges"] if edge["kind"] == "unknown")
    assert bytes.fromhex(unknown["piece"]).decode() == "你"
    assert unknown["share"] == pytest.approx(1.0)
    assert [sum(row["share"] for row in rows["rows"]) <= 1 + 1e-9 for rows in data["lists"]] == [True, True]
    empty: Any = picture(T5, None)
    assert (empty["edges"], [rows["rows"] for rows in empty["lists"]]) == ([], [[], []])
    long: Any = picture(T5, Stretch("a" * 300, 0, 300, engine.Span(0, 300)))
    assert len(long["characters"]) == LONGEST
    assert "120 of 300 characters" in long["cut"]


def test_other_models_have_no_lattice() -> None:
    with pytest.raises(ValueError, match="only a unigram model"):
        unigram_of(engine.pretrained("gpt2"))


def test_the_list_of_unigram_tokenizers_is_that_of_the_catalogue() -> None:
    names = engine.pretrained_names()
    assert tuple(name for name in names if isinstance(engine.pretrained(name).model, Unigram)) == UNIGRAM


def test_what_a_link_says_of_alpha() -> None:
    assert read_alpha("0.2") == 0.2
    for damaged in ("", "nan", "-1", "3", "x" * 50):
        with pytest.raises(ValueError, match="from 0 to 2"):
            read_alpha(damaged)


def test_an_edit_is_found_where_the_texts_differ() -> None:
    assert edited_at("the cat sat", "the cart sat") == 6
    assert edited_at("the cat sat", "the ct sat") == 4
    assert edited_at("", "") == 0
    assert edited_at("e", "eé") == 2
