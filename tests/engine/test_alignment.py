import numpy as np
import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st

from engine.alignment import AlignedText, byte_starts, code_points, graphemes, repair
from tests.engine.hostile import broken_texts, texts


def every_byte(text: str) -> np.ndarray:
    size = len(text.encode())
    return np.stack([np.arange(size), np.arange(1, size + 1)], axis=1)


@given(texts)
def test_byte_starts_are_where_utf8_puts_the_code_points(text):
    assert byte_starts(text).tolist() == [len(text[:i].encode()) for i in range(len(text) + 1)]


def test_byte_starts_know_the_length_of_every_code_point():
    everything = "".join(chr(point) for point in range(0x110000) if not 0xD800 <= point <= 0xDFFF)
    assert np.array_equal(np.diff(byte_starts(everything)), [len(char.encode()) for char in everything])


@given(texts)
def test_code_points_are_what_ord_says(text):
    assert code_points(text).tolist() == list(map(ord, text))


@given(broken_texts)
def test_repair_does_as_tiktoken(text):
    # Source: tiktoken 0.14, core.py, Encoding.encode: the fallback for text that has no UTF-8 form.
    assert repair(text) == text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


@given(texts)
def test_repair_leaves_sound_text_alone(text):
    assert repair(text) is text
    assert AlignedText.of(text).original is text


def test_spans_count_the_repaired_text():
    aligned = AlignedText.of("\ud83d\ude42\ud83d")
    assert (aligned.original, aligned.text) == ("🙂�", "🙂�")


@given(texts)
def test_graphemes_are_extended_grapheme_clusters(text):
    assert graphemes(text) == regex.findall(r"\X", text)


def test_graphemes_keep_families_flags_and_crlf_whole():
    assert graphemes("👨‍👩‍👧🇫🇷\r\nक्षि") == ["👨‍👩‍👧", "🇫🇷", "\r\n", "क्षि"]


@given(texts)
def test_an_unwritten_text_is_its_own_source(text):
    aligned = AlignedText.of(text)
    assert aligned.rewrite(text, str) is aligned
    assert aligned.sources(every_byte(text)).tolist() == every_byte(text).tolist()


def test_a_changed_unit_points_to_all_of_itself_and_others_to_their_bytes():
    aligned = AlignedText.of("aé🙂b").rewrite("aé🙂b", lambda unit: "xyz" if unit == "é" else unit)
    assert aligned.text == "axyz🙂b"
    assert aligned.sources(every_byte(aligned.text)).tolist() == [
        [0, 1],
        [1, 3],
        [1, 3],
        [1, 3],
        [3, 4],
        [4, 5],
        [5, 6],
        [6, 7],
        [7, 8],
    ]


def test_a_second_rewrite_looks_through_the_first():
    first = AlignedText.of("ﬁx").rewrite(["ﬁ", "x"], {"ﬁ": "fi", "x": "x"}.__getitem__)
    second = first.rewrite(["fi", "x"], str.upper)
    assert second.text == "FIX"
    assert second.sources(every_byte("FIX")).tolist() == [[0, 3], [0, 3], [3, 4]]


def test_what_is_dropped_leaves_a_gap():
    aligned = AlignedText.of("a-b").rewrite("a-b", lambda unit: unit.replace("-", ""))
    assert aligned.sources(every_byte("ab")).tolist() == [[0, 1], [2, 3]]


def test_what_is_inserted_comes_from_no_bytes():
    aligned = AlignedText.of("éb").rewrite(["", "é", "", "b", ""], lambda unit: unit or "▁")
    assert aligned.text == "▁é▁b▁"
    spans = np.array([[0, 3], [0, 5], [5, 8], [8, 9], [9, 12]])
    assert aligned.sources(spans).tolist() == [[0, 0], [0, 2], [2, 2], [2, 3], [3, 3]]


def test_what_is_inserted_into_a_gap_stands_behind_it():
    dropped = AlignedText.of("a-b").rewrite("a-b", lambda unit: unit.replace("-", ""))
    assert dropped.rewrite(["a", "", "b"], lambda unit: unit or "x").sources(np.array([[1, 2]])).tolist() == [[2, 2]]


def test_what_is_inserted_between_bytes_that_share_a_source_shares_it():
    folded = AlignedText.of("ﬁ").rewrite("ﬁ", lambda unit: "fi")
    assert folded.rewrite(["f", "", "i"], lambda unit: unit or "x").sources(np.array([[1, 2]])).tolist() == [[0, 3]]


def test_an_empty_span_stays_empty_at_its_place():
    aligned = AlignedText.of("aéb").rewrite("aéb", lambda unit: "e" if unit == "é" else unit)
    assert aligned.sources(np.array([[0, 0], [1, 1], [2, 2], [3, 3]])).tolist() == [[0, 0], [1, 1], [3, 3], [4, 4]]


def test_a_text_rewritten_to_nothing_has_only_empty_spans():
    aligned = AlignedText.of("ab").rewrite("ab", lambda unit: "")
    assert aligned.sources(np.array([[0, 0]])).tolist() == [[0, 0]]
    assert aligned.rewrite([""], lambda unit: "x").sources(np.array([[0, 1]])).tolist() == [[0, 0]]


def test_units_must_join_to_the_text():
    with pytest.raises(ValueError, match="join to the text"):
        AlignedText.of("ab").rewrite(["a"], str.upper)


@given(st.lists(st.tuples(st.lists(st.sampled_from(["", "a", "é", "世🙂"]), max_size=6), st.data()), max_size=3))
def test_sources_are_ordered_and_in_bounds_after_any_rewrites(rounds):
    aligned = AlignedText.of("aé世🙂e\u0301")
    for results, data in rounds:
        cuts = sorted(data.draw(st.lists(st.integers(0, len(aligned.text)), max_size=6)))
        units = [aligned.text[a:b] for a, b in zip([0, *cuts], [*cuts, len(aligned.text)], strict=True)]
        new = iter(results)
        aligned = aligned.rewrite(units, lambda unit, new=new: next(new, unit))
    spans = aligned.sources(every_byte(aligned.text))
    size = len(aligned.original.encode())
    assert (spans[:, 0] <= spans[:, 1]).all()
    assert (np.diff(spans, axis=0) >= 0).all()
    assert ((spans >= 0) & (spans <= size)).all()
