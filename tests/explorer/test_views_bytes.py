"""Any bytes as the page draws them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import engine
from engine.runes import Runes
from explorer import words_bytes
from explorer.views import bytes as views

TOKENIZER = engine.train("Olá, 世界 naïve 👩🏽‍🚀 " * 3, vocab_size=300).tokenizer


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("", b""),
        ("4F6Cc3a1", b"Ol\xc3\xa1"),
        ("4F 6C\nC3,A1", b"Ol\xc3\xa1"),
        (r"\x4f\x6c", b"Ol"),
        ("0x4F 0X6C", b"Ol"),
        ("00 ff", b"\x00\xff"),
        ("0x0x", None),
        ("4F 6", None),
        ("4G", None),
        ("<script>", None),
    ],
)
def test_hex(written, read):
    if read is None:
        with pytest.raises(ValueError, match="hex"):
            views.read_hex(written)
    else:
        assert views.read_hex(written) == read


@given(data=st.binary(max_size=60))
def test_hex_reads_what_hex_writes(data):
    assert views.read_hex(data.hex()) == views.read_hex(data.hex(" ")) == data


@given(data=st.binary(max_size=60) | st.text(st.characters(exclude_categories=["Cs"]), max_size=20).map(str.encode))
def test_tokens_cover_the_valid_bytes_and_no_other(data):
    runes = Runes.decode(data)
    drawn = views.tokens(runes, TOKENIZER)
    covered = [b for start, stop in zip(drawn["starts"], drawn["stops"], strict=True) for b in range(start, stop)]
    assert covered == [b for b in range(len(data)) if b not in runes.invalid]
    pieces = [bytes.fromhex(str(drawn["entries"][place]["piece"])) for place in drawn["entry"]]
    assert b"".join(pieces) == bytes(data[b] for b in covered)


def test_cuts_inside_characters():
    runes = Runes.of("é👍🏽")
    alone = engine.from_merges("bytes", [])
    assert views.cuts_inside(runes, views.tokens(runes, alone)) == (1 + 3 + 3, 1 + 3 + 1 + 3)
    whole = engine.codepoints()
    assert views.cuts_inside(runes, views.tokens(runes, whole)) == (0, 1)
    assert views.cuts_inside(Runes.of(""), views.tokens(Runes.of(""), alone)) == (0, 0)


def test_the_alphabet_counts_the_bytes_of_the_text():
    cells = {cell["value"]: cell for cell in views.alphabet("Olá  ".encode(), TOKENIZER)}
    assert len(cells) == 256
    assert cells[0x20] == {"value": 32, "shown": "Ġ", "id": 32, "direct": False, "count": 2}
    assert cells[0x4F]["direct"]
    assert cells[0xC3]["count"] == 1
    assert sum(bool(cell["direct"]) for cell in cells.values()) == 188


def test_a_sentencepiece_vocabulary_writes_bytes_by_name():
    model = engine.from_merges("abc", [], special_tokens=("<0x41>",))
    cells = {cell["value"]: cell["id"] for cell in views.alphabet(b"", model)}
    assert cells[0x41] == 0
    assert cells[0x61] == model.vocabulary.id_of(b"a")
    assert cells[0x42] is None


def test_lengths_by_who_counts():
    assert words_bytes.lengths(Runes.of("Olá, 世界").lengths, 9) == [
        ("9", "tokens"),
        ("7", "graphemes: what readers count"),
        ("7", "code points: Python len, Go RuneCountInString"),
        ("7", "UTF-16 units: JavaScript length"),
        ("12", "bytes: Go len"),
    ]
    broken = words_bytes.lengths(Runes.decode(b"Go\xe2\x82").lengths, 2)
    assert [number for number, _ in broken] == ["2", "4", "3", "4", "3", "4"]
