"""A vocabulary as a table: what pieces are, what is found, how it is sorted, what a corpus uses."""

from __future__ import annotations

import numpy as np
import pytest

import engine
from explorer.views.overlap import overlap
from explorer.views.usage import lengths, scripts, usage, zipf
from explorer.views.vocabulary import (
    KINDS,
    ORDERS,
    SCRIPT_NAMES,
    Table,
    counts_in,
    frequency_rank,
    of_kind,
    ordered,
    search,
    table,
)


@pytest.fixture(scope="module")
def gpt2() -> engine.Tokenizer:
    return engine.pretrained("gpt2")


@pytest.fixture(scope="module")
def made(gpt2: engine.Tokenizer) -> Table:
    return table(gpt2)


def script_of(made: Table, tokenizer: engine.Tokenizer, text: str) -> str:
    (id,) = tokenizer.encode(text).ids.tolist()
    row = made.row_of(id)
    assert row is not None
    return SCRIPT_NAMES[made.scripts[row]]


def test_rows_say_what_a_piece_is(gpt2: engine.Tokenizer, made: Table) -> None:
    assert len(made) == 50257
    assert [int(which.sum()) for which in (made.special, made.byte, made.partial)] == [1, 256, 216]
    assert script_of(made, gpt2, " the") == "Latin"
    assert script_of(made, gpt2, "!!") == "Common"
    assert script_of(made, gpt2, "の") == "Hiragana"
    row = made.row_of(gpt2.encode(" café").ids.tolist()[-1])
    assert row is not None
    assert (made.bytes[row], made.characters[row]) == (6, 5)


def test_unused_ids_have_no_row() -> None:
    o200k = table(engine.pretrained("o200k_base"))
    assert len(o200k) < engine.pretrained("o200k_base").vocab_size
    assert o200k.row_of(10**7) is None


@pytest.mark.parametrize(
    ("query", "how", "expected"),
    [
        ("the", "text", lambda piece: b"the" in piece.lower()),
        (" the", "text", lambda piece: b" the" in piece.lower()),
        ("^ the$", "regex", lambda piece: piece == b" the"),
        ("20 74 68 65", "hex", lambda piece: b" the" in piece),
        ("", "regex", lambda piece: True),
    ],
)
def test_searches(made: Table, query: str, how: str, expected: object) -> None:
    found = search(made, query, how)
    wanted = [expected(meaning) for meaning in made.meanings]
    at = np.flatnonzero(found != np.array(wanted))
    assert all(made.texts[row] == "" or not made.texts[row].isascii() for row in at.tolist())


def test_ids_and_ranges(made: Table) -> None:
    assert made.ids[search(made, "464, 256-258 1", "id")].tolist() == [1, 256, 257, 258, 464]


@pytest.mark.parametrize(("query", "how"), [("(", "regex"), ("1g", "hex"), ("abc", "hex"), ("-4", "id"), ("x", "id")])
def test_what_cannot_be_read_is_said(made: Table, query: str, how: str) -> None:
    with pytest.raises(ValueError, match=r"regular expression cannot|pairs of hex|a whole number"):
        search(made, query, how)


def test_a_slow_expression_is_stopped() -> None:
    long = table(engine.from_merges("bytes", [(b"a" * n, b"a") for n in range(1, 64)]))
    with pytest.raises(ValueError, match="1 second"):
        search(long, r"(a|aa)+$(?<!a)", "regex")


def test_kinds(gpt2: engine.Tokenizer) -> None:
    tokenizer = engine.from_merges("bytes", [(b"b", b"c"), (b"a", b"b"), (b"ab", b"c")], special_tokens=["<s>"])
    made = table(tokenizer)
    counts = counts_in(made, tokenizer, ["abbc"])
    found = {kind: of_kind(made, kind, audit=engine.audit(tokenizer), counts=counts) for kind in KINDS}
    assert made.ids[found["unreachable"]].tolist() == [259]
    assert made.ids[found["special"]].tolist() == [0]
    assert int(counts.sum()) == 2
    assert int(found["unused"].sum()) == len(made) - 2
    assert not found["duplicate"].any()


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("falling", [False, True])
def test_every_order_keeps_the_rows(made: Table, order: str, falling: bool) -> None:
    rows = np.arange(0, len(made), 97)
    counts = np.arange(len(made)) % 7
    got = ordered(made, rows, order, falling, counts)
    assert sorted(got.tolist()) == rows.tolist()
    if order == "bytes":
        assert (np.diff(made.bytes[got]) * (-1 if falling else 1) >= 0).all()
    if order == "piece":
        pieces = [made.meanings[row] for row in got]
        assert pieces == sorted(pieces, reverse=falling)


def test_usage_and_zipf(gpt2: engine.Tokenizer, made: Table) -> None:
    text = engine.corpora.text("prose/en_moby_dick_1851")
    counts = counts_in(made, gpt2, [text])
    found = usage(counts)
    ids = gpt2.encode(text).ids
    assert (found.tokens, found.used) == (len(ids), len(set(ids.tolist())))
    ranks, falling = zipf(counts)
    assert (ranks[0], ranks[-1], falling[0]) == (1, found.used, counts.max())
    assert (np.diff(falling) <= 0).all()
    assert frequency_rank(counts, int(counts.argmax())) == 1
    assert usage(np.zeros(3, np.int64)).half == 0
    assert len(zipf(np.zeros(3, np.int64))[0]) == 0


def test_distributions_add_up(made: Table) -> None:
    pieces = len(made) - int(made.special.sum())
    assert sum(count for _, count in lengths(made)) == pieces
    assert sum(count for _, count in scripts(made)) == pieces
    assert lengths(made)[-1][0] == "24+"


def test_overlap_parts_are_those_of_sets(made: Table) -> None:
    tables = {"gpt2": made, "bert": table(engine.pretrained("bert-base-uncased"))}
    sets = {
        name: {m for m, special in zip(each.meanings, each.special.tolist(), strict=True) if not special}
        for name, each in tables.items()
    }
    found = {region.members: set(region.pieces) for region in overlap(tables)}
    assert found[("gpt2", "bert")] == sets["gpt2"] & sets["bert"]
    assert found[("gpt2",)] == sets["gpt2"] - sets["bert"]
    assert found[("bert",)] == sets["bert"] - sets["gpt2"]
