from collections import Counter

import numpy as np
import pytest
import regex
import unicodedata2
from hypothesis import example, given
from hypothesis import strategies as st
from tokenizers import pre_tokenizers as hub

from engine import utf8
from engine.alignment import byte_starts, graphemes, repair
from engine.code_points import CONTROL_NAMES, SCRIPTS, script
from engine.runes import Lengths, Runes, code_point, from_printable, split_bits, to_printable, why_invalid
from engine.utf8 import BYTE_LETTERS, SELF_PRINTED, TABLE
from tests.engine.hostile import broken_texts, texts

EVERY = [chr(point) for point in range(0x110000) if not 0xD800 <= point <= 0xDFFF]

# Beginnings, middles and ends of code points, in any order.
damaged = st.lists(
    st.one_of(
        st.binary(max_size=3),
        st.sampled_from(
            [b"\xe2\x82", b"\xed\xa0\x80", b"\xf0\x9f\x99", b"\xc0\x80", b"\xe0\x80", b"\xf4\x90", b"\xff"]
        ),
        st.sampled_from(["a", "é", "世", "🙂", "\u0301", "\ufffd", "\r\n"]).map(str.encode),
    ),
    max_size=12,
).map(b"".join)


def maximal_subparts(data: bytes) -> list[tuple[int, int]]:
    """Ask Python's own decoder where it would put one U+FFFD each."""
    found = []
    at = 0
    while True:
        try:
            data[at:].decode()
            return found
        except UnicodeDecodeError as error:
            found.append((at + error.start, at + error.end))
            at += error.end


@pytest.mark.parametrize(
    ("text", "size", "starts"),
    [
        # A popular text says that the second has 5 runes in 13 bytes, and elsewhere 8 runes; it has 7 in 12.
        ("Olá", 4, [0, 1, 2]),
        ("Olá, 世界", 12, [0, 1, 2, 4, 5, 6, 9]),
        ("𠮷", 4, [0]),
        ("", 0, []),
    ],
)
def test_known_lengths(text, size, starts):
    runes = Runes.of(text)
    assert len(runes.source) == size
    assert [rune.at_byte for rune in runes] == starts
    assert [rune.at_rune for rune in runes] == list(range(len(text)))


@pytest.mark.parametrize(
    ("text", "lengths"),
    [
        ("𠮷", Lengths(4, 1, 1, 2, 1)),
        ("👨‍👩‍👧", Lengths(18, 5, 5, 8, 1)),
        ("e\u0301", Lengths(3, 2, 2, 2, 1)),
        ("\r\n", Lengths(2, 2, 2, 2, 1)),
        ("", Lengths(0, 0, 0, 0, 0)),
    ],
)
def test_each_language_counts_its_own(text, lengths):
    assert Runes.of(text).lengths == lengths


def test_invalid_bytes_count_differently():
    # Source: "Go€→🙂" cut after 3 bytes shows Go and one U+FFFD in Python, and one for each invalid byte in Go.
    lengths = Runes.decode("Go€→🙂".encode()[3:10]).lengths
    assert lengths.go_rune_count == 5
    assert lengths.python_len == 4


@given(st.one_of(texts, broken_texts))
def test_lengths_equal_pythons_codecs(text):
    sound = repair(text)
    assert Runes.of(text).lengths == (
        len(sound.encode()),
        len(sound),
        len(sound),
        len(sound.encode("utf-16-le")) // 2,
        len(graphemes(sound)),
    )


@given(texts)
def test_rows_stand_where_their_bytes_stand(text):
    runes = Runes.of(text)
    assert runes.starts.tolist() == byte_starts(text).tolist()
    assert [rune.utf8.decode() for rune in runes] == list(text)
    assert runes[:] == list(runes) == [runes[place] for place in range(len(runes))]
    clusters = [runes.grapheme(k) for k in range(len(runes.grapheme_starts) - 1)]
    assert [cluster.utf8.decode() for cluster in clusters] == graphemes(text)
    assert [rune for cluster in clusters for rune in cluster.runes] == list(runes)
    assert all(rune.at_grapheme == cluster.at_grapheme for cluster in clusters for rune in cluster.runes)
    assert all(cluster.at_byte == cluster.runes[0].at_byte for cluster in clusters)
    assert runes.joins.tolist() == [k for k in range(1, len(runes)) if runes.cluster[k] == runes.cluster[k - 1]]


@given(texts)
def test_counts_add_up(text):
    runes = Runes.of(text)
    assert {point.char: count for point, count in runes.distinct.items()} == Counter(text)
    assert runes.scripts == Counter(map(script, text))
    assert runes.length_classes == {
        length: sum(len(char.encode()) == length for char in text) for length in range(1, 5)
    }


def test_a_row_outside_the_text_is_an_index_error():
    runes = Runes.of("aé")
    assert runes[-1].utf8 == "é".encode()
    for wrong in (2, -3):
        with pytest.raises(IndexError):
            runes[wrong]
    with pytest.raises(IndexError):
        runes.grapheme(2)


@given(damaged)
@example(b"a\x80\xcc\x81")
def test_invalid_bytes_have_rows_of_their_own(data):
    runes = Runes.decode(data)
    assert b"".join(rune.utf8 for rune in runes) == data
    invalid = [place for start, stop in maximal_subparts(data) for place in range(start, stop)]
    assert [rune.at_byte for rune in runes if rune.code_point is None] == invalid == list(runes.invalid)
    for rune in runes:
        assert (rune.code_point is None) == bool(rune.invalid)
        if rune.code_point is None:
            assert len(rune.utf8) == 1
            assert len(runes.grapheme(rune.at_grapheme).runes) == 1
        else:
            assert rune.code_point.utf8 == rune.utf8


@given(damaged)
def test_a_byte_belongs_to_the_unfinished_code_point_that_the_decoder_takes_with_it(data):
    later = {place for start, stop in maximal_subparts(data) for place in range(start + 1, stop)}
    reasons = Runes.decode(data).invalid
    assert {place for place, reason in reasons.items() if reason == "it belongs to an unfinished code point"} == later


@given(damaged)
def test_lengths_of_invalid_bytes_equal_pythons_decoder(data):
    shown = data.decode("utf-8", "replace")
    lengths = Runes.decode(data).lengths
    assert (lengths.python_len, lengths.javascript_length) == (len(shown), len(shown.encode("utf-16-le")) // 2)


def test_a_real_replacement_character_is_an_ordinary_one():
    real, false = Runes.decode("\ufffd".encode() + b"\xff")
    assert real.code_point is not None
    assert real.code_point.name == "REPLACEMENT CHARACTER"
    assert false.code_point is None


@pytest.mark.parametrize(
    ("data", "reasons"),
    [
        (b"\x80", ["no first byte stands before it"]),
        (b"\xc0\x80", ["it would write ASCII in two bytes", "no first byte stands before it"]),
        (b"\xe2\x82", ["the text ends after 2 of 3 bytes", "it belongs to an unfinished code point"]),
        (b"\xf0\x9fa", ["61 follows after 2 of 4 bytes", "it belongs to an unfinished code point"]),
        (b"\xc3a", ["61 follows after 1 of 2 bytes"]),
        (b"\xe0\x80", ["with 80 it would write a number below U+0800", "no first byte stands before it"]),
        (b"\xed\xa0", ["with A0 it would write a surrogate", "no first byte stands before it"]),
        (b"\xf0\x80", ["with 80 it would write a number below U+10000", "no first byte stands before it"]),
        (b"\xf4\x90", ["with 90 it would write a number above U+10FFFF", "no first byte stands before it"]),
        (b"\xf5\xff", ["it would write a number above U+10FFFF", "it is no byte of UTF-8"]),
    ],
)
def test_known_reasons(data, reasons):
    assert list(Runes.decode(data).invalid.values()) == reasons


def test_reasons_agree_with_the_numbers_that_would_be_written():
    for first in range(0xE0, 0xF8):
        for second in range(0x80, 0xC0):
            data = bytes([first, second])
            number = int("".join(split_bits(value)[1] for value in data), 2) << (6 if first < 0xF0 else 12)
            lowest = 0x800 if first < 0xF0 else 0x10000
            expected = "below U+" if number < lowest else "surrogate" if 0xD800 <= number < 0xE000 else "above U+10FFFF"
            if number > 0x10FFFF or number < lowest or 0xD800 <= number < 0xE000:
                assert expected in why_invalid(data, 0)
            else:
                assert why_invalid(data, 0).startswith("the text ends after 2 of")


def test_the_table_writes_every_code_point_as_pythons_codec_does():
    """Fill the pattern of each row with the bits of the number, for every number the row allows."""
    points = np.array([ord(char) for char in EVERY])
    written = 0
    for row in TABLE:
        for first, last in row.ranges:
            numbers = points[(points >= first) & (points <= last)]
            assert len(numbers) == last - first + 1
            columns = []
            left = row.pattern.count("x")
            for byte in row.pattern.split():
                payload = byte.count("x")
                left -= payload
                columns.append(int(byte.replace("x", "0"), 2) | ((numbers >> left) & ((1 << payload) - 1)))
            made = np.stack(columns, axis=1).astype(np.uint8).tobytes()
            assert made == "".join(map(chr, numbers.tolist())).encode()
            assert len(columns) == row.length
            written += len(numbers)
    assert written == len(EVERY) == 0x110000 - 0x800


def test_every_code_point_has_its_bytes_units_name_and_category():
    runes = Runes.of("".join(EVERY))
    assert np.array_equal(runes.points, [ord(char) for char in EVERY])
    assert np.array_equal(np.diff(runes.starts), [len(char.encode()) for char in EVERY])
    for char in EVERY:
        if (category := unicodedata2.category(char)) in ("Cn", "Co") and ord(char) % 0x1000:
            continue  # hundreds of thousands, all alike
        known = code_point.__wrapped__(char)
        assert known.category == category
        assert known.name == unicodedata2.name(char, known.name)
        assert not known.name.startswith("<") or category in ("Cn", "Co")
        assert known.utf8 == char.encode()
        units = char.encode("utf-16-be")
        assert known.utf16 == tuple(int.from_bytes(units[k : k + 2], "big") for k in range(0, len(units), 2))


def test_names_of_what_has_none():
    names = {char: code_point(char).name for char in "\x00\n\x9f世가\U00017000\ue000\U0010ffff\ufdd0\u0378"}
    assert list(names.values()) == [
        "NULL",
        "LINE FEED",
        "APPLICATION PROGRAM COMMAND",
        "CJK UNIFIED IDEOGRAPH-4E16",
        "HANGUL SYLLABLE GA",
        "TANGUT IDEOGRAPH-17000",
        "<private-use-E000>",
        "<noncharacter-10FFFF>",
        "<noncharacter-FDD0>",
        "<reserved-0378>",
    ]
    assert code_point("\ud800").name == "<surrogate-D800>"
    assert code_point("é").number == "U+00E9"


def test_controls_go_by_aliases_that_unicode_knows():
    controls = [point for point in range(0x110000) if unicodedata2.category(chr(point)) == "Cc"]
    assert list(CONTROL_NAMES) == controls
    assert all(unicodedata2.lookup(name) == chr(point) for point, name in CONTROL_NAMES.items())


def test_the_scripts_are_all_there_are():
    everything = "".join(EVERY)
    named = "".join(rf"\p{{Script={name}}}" for name in SCRIPTS)
    assert regex.findall(rf"[{named}]+", everything) == regex.findall(r"\P{Script=Unknown}+", everything)
    assert len(set(SCRIPTS)) == len(SCRIPTS) == 170


@pytest.mark.parametrize(
    ("char", "expected"),
    [
        ("a", "Latin"),
        ("к", "Cyrillic"),
        ("世", "Han"),
        ("ア", "Katakana"),
        ("ー", "Common"),
        ("\u0301", "Inherited"),
        ("ي", "Arabic"),
        ("\u200d", "Inherited"),
        ("🙂", "Common"),
        ("ᐃ", "Canadian Aboriginal"),
        ("𞤀", "Adlam"),
        ("\U00016ea0", "Unknown"),
        ("\ue000", "Unknown"),
    ],
)
def test_known_scripts(char, expected):
    assert script(char) == expected


def test_bits_are_cut_after_the_prefix():
    assert [split_bits(value) for value in "🙂".encode()] == [
        ("11110", "000"),
        ("10", "011111"),
        ("10", "011001"),
        ("10", "000010"),
    ]
    assert split_bits(0x7F) == ("0", "1111111")
    assert split_bits(0xFE) == ("11111110", "")
    assert all("".join(split_bits(value)) == f"{value:08b}" for value in range(256))


def test_the_byte_alphabet():
    # Source: openai/gpt-2, src/encoder.py: 188 bytes print as themselves, the rest from U+0100 up, in order.
    assert len(SELF_PRINTED) == 188
    assert [BYTE_LETTERS[value] for value in sorted(set(range(256)) - SELF_PRINTED)] == list(map(chr, range(256, 324)))
    assert all(BYTE_LETTERS[value] == chr(value) for value in SELF_PRINTED)
    assert BYTE_LETTERS[ord(" ")] == "\u0120"


@given(texts)
def test_printable_notation_equals_the_hub(text):
    oracle = hub.ByteLevel(add_prefix_space=False, use_regex=False)
    assert to_printable(text.encode()) == "".join(piece for piece, _ in oracle.pre_tokenize_str(text))


@given(st.binary())
def test_printable_notation_is_read_back(data):
    assert from_printable(to_printable(data)) == data


def test_what_is_no_byte_letter_is_named():
    with pytest.raises(ValueError, match="'世' at code point 1"):
        from_printable("a世")


@given(damaged, st.integers(4, 9))
def test_bytes_that_are_read_in_parts(data, size):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(utf8, "_PART", size)
        assert utf8.read(memoryview(data)) == data.decode("utf-8", "replace")
