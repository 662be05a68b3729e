"""Vocabularies that are read as columns are those that are read entry by entry."""

from __future__ import annotations

import struct
from base64 import b64encode
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.formats import protobuf, sentencepiece, sentencepiece_columns, tiktoken, tiktoken_columns
from engine.formats.source import LARGEST_ID, Source
from engine.piece_table import PieceTable
from engine.pretrained import catalogue, stored

PIECES = st.lists(st.one_of(st.binary(max_size=40), st.none()), max_size=12)
SINGLES = [bytes([byte]) for byte in range(256)]
LONGER = st.lists(st.binary(min_size=2, max_size=40), unique=True, max_size=12)


def _rank_file(pieces: list[bytes]) -> bytes:
    return b"".join(b"%s %d\n" % (b64encode(piece), rank) for rank, piece in enumerate(pieces))


def _spoiled(data: bytes, place: int, byte: int) -> bytes:
    place %= len(data)
    return data[:place] + bytes([byte]) + data[place + 1 :]


@given(PIECES, PIECES, st.slices(12))
def test_a_table_is_a_list_of_pieces(pieces: list[bytes | None], others: list[bytes | None], some: slice) -> None:
    table = PieceTable.of(pieces)
    assert list(table) == pieces == [table[id] for id in range(len(pieces))]
    assert list(table[some]) == pieces[some] == [table[some][id] for id in range(len(pieces[some]))]
    assert list(table[some] + PieceTable.of(others)) == pieces[some] + others
    used = [id for id, piece in enumerate(pieces) if piece is not None]
    assert list(table.take(used)) == [pieces[id] for id in used]


@pytest.mark.parametrize("name", [name for name, entry in catalogue().items() if entry.format == "tiktoken"])
def test_every_rank_file_of_the_catalogue_is_of_the_usual_form(name: str) -> None:
    source = stored(catalogue()[name].files[0])
    ranked = tiktoken_columns.ranked(source.data)
    assert ranked is not None
    assert list(ranked) == tiktoken._by_line(source)


@given(LONGER, st.randoms(use_true_random=False))
def test_a_rank_file_is_read_as_line_by_line(longer: list[bytes], random: Random) -> None:
    pieces = [*SINGLES, *longer]
    random.shuffle(pieces)
    assert list(tiktoken_columns.ranked(_rank_file(pieces)) or ()) == pieces


@given(LONGER, st.integers(0, 10_000), st.one_of(st.sampled_from(b" \n=:09Az/+\r\t"), st.integers(0, 255)))
def test_what_a_spoiled_rank_file_still_says_is_read_as_line_by_line(longer: list[bytes], at: int, byte: int) -> None:
    data = _spoiled(_rank_file([*longer, *SINGLES]), at, byte)
    ranked = tiktoken_columns.ranked(data)
    if ranked is not None:
        assert list(ranked) == tiktoken._by_line(Source("spoiled", data))


def test_a_piece_that_stands_twice_is_left_to_the_reader_that_names_it() -> None:
    data = _rank_file([*SINGLES, b"a long piece of more than 16 bytes", b"b", b"a long piece of more than 16 bytes"])
    assert tiktoken_columns.ranked(data) is None
    with pytest.raises(ValueError, match=r"line 258: the piece b'b' stands here for the second time"):
        tiktoken._by_line(Source("twice", data))


def _model_file(pieces: list[tuple[str, float, int]]) -> bytes:
    out = b""
    for text, score, kind in pieces:
        fields = protobuf.bytes_field(1, text.encode())
        fields += protobuf.fixed32_field(2, struct.pack("<f", score))
        out += protobuf.bytes_field(1, fields + (protobuf.varint_field(3, kind) if kind > 1 else b""))
    return out + protobuf.bytes_field(2, protobuf.varint_field(3, 1))


SPM_PIECES = st.lists(
    st.tuples(st.text(min_size=1, max_size=70), st.floats(-20, 0, width=32), st.integers(1, 6)), min_size=1, max_size=9
)


@given(SPM_PIECES, st.integers(0, 2_000), st.integers(0, 255))
def test_a_model_file_is_read_as_field_by_field(pieces: list[tuple[str, float, int]], at: int, byte: int) -> None:
    data = _model_file(pieces)
    columns = sentencepiece._spec(Source("model", data)).pieces
    read = list(zip(columns.texts, columns.scores.tolist(), columns.kinds.tolist(), strict=True))
    assert read == [(text.encode(), score, kind) for text, score, kind in pieces]
    spoiled = Source("spoiled", _spoiled(data, at, byte))
    leading, end = sentencepiece_columns.leading(spoiled.data, LARGEST_ID)
    entries = [
        sentencepiece._piece(value, spoiled, 0)
        for number, value, _ in protobuf.fields(spoiled.data[:end], spoiled.error)
        if number == 1 and isinstance(value, bytes)
    ]
    assert [piece.text.encode() for piece in entries] == list(leading.texts)
    assert [piece.kind for piece in entries] == leading.kinds.tolist()
    assert str([piece.score for piece in entries]) == str(leading.scores.tolist())
