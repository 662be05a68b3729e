"""Vocabulary as Streamlit runs it, without a browser."""

from __future__ import annotations

import json

import pytest

from explorer.recipes import digest
from tests.explorer.apps import component, opened, packed

CATS = "bpe~corpus:toy/cat_mat~split:whole~steps:40~tie:first"


def test_the_first_visit_lists_a_real_vocabulary() -> None:
    at = opened("vocabulary")
    table = component(at, "total")
    assert (table["total"], table["first"], len(table["rows"])) == (50257, 0, 300)
    assert table["rows"][0]["href"] == "token?tokenizer=gpt2&corpus=prose/en_moby_dick_1851&id=0"
    assert len(at.get("plotly_chart")) == 3
    assert "50,257 of 50,257 pieces" in [caption.value for caption in at.caption]


def test_a_search_a_filter_and_an_order_from_a_link() -> None:
    at = opened("vocabulary", search=" the", script="Latin", sort="count", falling="on", least="4")
    rows = component(at, "total")["rows"]
    assert bytes.fromhex(rows[0]["piece"]) == b" the"
    counts = [row["cells"][-1] for row in rows]
    assert counts == sorted(counts, reverse=True)
    assert all(row["cells"][2] >= 4 and row["cells"][4] == "Latin" for row in rows)


def test_kinds_narrow_down_and_the_audit_runs_where_it_is_asked_for() -> None:
    at = opened("vocabulary", code=CATS, kinds="unused,byte", corpus="toy/cat_mat")
    rows = component(at, "total")["rows"]
    assert all(row["cells"][5] == "byte, unused" for row in rows)
    at = opened("vocabulary", code=CATS, kinds="unreachable", audit="on")
    assert any("unreachable: pieces that are text" in each.value for each in at.markdown)


def test_nothing_found_is_said() -> None:
    at = opened("vocabulary", code=CATS, search="zzzz", corpus="toy/cat_mat")
    assert any("No piece of" in caption.value for caption in at.caption)
    at.text_input(key="vocabulary.search").set_value("cat").run()
    assert not at.exception
    assert component(at, "total")["total"] > 0


@pytest.mark.parametrize(("search", "how"), [("(", "regex"), ("zz", "hex"), ("first", "id")])
def test_a_query_that_cannot_be_read_is_said(search: str, how: str) -> None:
    at = opened("vocabulary", code=CATS, search=search, how=how, corpus="toy/cat_mat")
    assert len(at.warning) == 1


def test_a_corpus_of_ones_own() -> None:
    at = opened("vocabulary", code=CATS, corpus="own", sort="count", falling="on")
    at.text_area(key="vocabulary.own-text").set_value("the cat the cat").run()
    assert not at.exception
    row = component(at, "total")["rows"][0]
    assert row["cells"][-1] == 2
    name = digest("the cat the cat")
    assert f"corpus=text.{name}&" in row["href"]
    query = component(at, "query")["query"]
    assert f"t.{name}={packed('the cat the cat')}" in query
    at.file_uploader(key="vocabulary.own-file").upload("mine.txt", b"cat\xff the cat the cat").run()
    assert not at.exception
    assert component(at, "total")["rows"][0]["cells"][-1] >= 2
    assert any("U+FFFD once" in caption.value for caption in at.caption)


def test_a_corpus_that_is_not_here_is_asked_for_and_counts_nothing() -> None:
    at = opened("vocabulary", code=CATS, corpus="text.0123456789abcdef")
    assert "01234567" in at.warning[0].value
    assert at.warning[1].value.endswith("Until it is here, every count is 0.")
    assert component(at, "total")["total"] > 0


def test_damaged_links_give_the_default_and_a_word() -> None:
    at = opened("vocabulary", code="<b>", kinds="nice", script="Klingon", least="x", sort="age", corpus="/etc/passwd")
    assert len(at.warning) == 6
    assert component(at, "total")["total"] == 50257


def test_the_parts_of_an_overlap_list_their_pieces() -> None:
    at = opened("vocabulary", code=CATS, other="gpt2", corpus="toy/cat_mat", part="1", overlap="on")
    assert not at.exception
    found = [json.loads(block.proto.json) for block in at.get("bidi_component")]
    regions = next(data for data in found if data.get("name") == "What vocabularies have in common")
    part = [data for data in found if "total" in data][-1]
    assert part["total"] == regions["rows"][1][2]
    assert part["name"] == regions["rows"][1][0]
    at.selectbox(key="vocabulary.third").select("clip").run()
    assert not at.exception
