"""A stream gives out whole characters, and all of them."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.pretrained import pretrained
from engine.streaming import StreamDecoder, decode_apart

CUTS = [3, 7, 10]


def cut(text: str, cuts: list[int]) -> list[bytes]:
    raw = text.encode()
    return [raw[start:stop] for start, stop in zip([0, *cuts], [*cuts, len(raw)], strict=True)]


def streamed(parts: list[bytes], stop: tuple[str, ...] = ()) -> list[str]:
    decoder = StreamDecoder(stop=stop)
    return [*(decoder.push_bytes(part) for part in parts), decoder.finish()]


@pytest.mark.parametrize(
    ("text", "expected"),
    [("Go€→🙂", ["Go", "€", "→", "🙂", ""]), ("Go语言🙂", ["Go", "语", "言", "🙂", ""])],
)
def test_only_whole_characters_come_out(text: str, expected: list[str]) -> None:
    assert streamed(cut(text, CUTS)) == expected


def test_decoding_each_part_alone_breaks_characters() -> None:
    parts = cut("Go€→🙂", CUTS)
    assert decode_apart(parts) == ["Go\ufffd", "\ufffd" * 3, "\ufffd" * 2, "\ufffd" * 2]
    assert decode_apart(parts, each_byte=True) == ["Go\ufffd", "\ufffd" * 4, "\ufffd" * 3, "\ufffd" * 2]


def test_bytes_that_never_can_be_completed_do_not_wait() -> None:
    assert streamed([b"\xff", b"\xc0\x80", b"\xe2\x82", b"A"]) == ["\ufffd", "\ufffd\ufffd", "", "\ufffdA", ""]
    assert streamed([b"\xed\xa0", b"\x80"]) == ["\ufffd\ufffd", "\ufffd", ""]


def test_an_unfinished_end_is_one_replacement() -> None:
    assert streamed([b"a\xf0\x9f\x99"]) == ["a", "\ufffd"]


@given(st.binary(max_size=40), st.lists(st.integers(0, 40), max_size=8))
def test_any_split_of_any_bytes_joins_to_the_whole(data: bytes, cuts: list[int]) -> None:
    edges = [0, *sorted(min(edge, len(data)) for edge in cuts), len(data)]
    parts = [data[start:stop] for start, stop in pairwise(edges)]
    assert "".join(streamed(parts)) == data.decode("utf-8", "replace")


@given(st.text("ab#\u20ac", max_size=30), st.sampled_from(["##", "a#b", "\u20ac\u20ac", "aab"]), st.integers(1, 4))
def test_a_stop_text_ends_the_stream_across_pushes(text: str, stop: str, size: int) -> None:
    raw = text.encode()
    out = streamed([raw[at : at + size] for at in range(0, len(raw), size)], (stop,))
    assert "".join(out) == text.partition(stop)[0]


def test_the_first_stop_text_wins_and_nothing_follows() -> None:
    decoder = StreamDecoder(stop=["END", "</s>"])
    assert [decoder.push_bytes(part) for part in (b"one <", b"/", b"s> END", b"two")] == ["one ", "", "", ""]
    assert decoder.stopped
    assert decoder.finish() == ""


@pytest.mark.parametrize("name", ["gpt2", "bert-base-uncased", "clip", "mistral-7b-v0.1", "t5-base"])
def test_ids_stream_to_the_decoded_text(name: str) -> None:
    @settings(max_examples=25, deadline=None, database=None)
    @given(st.text(max_size=30))
    def check(text: str) -> None:
        tokenizer = pretrained(name)
        ids = tokenizer.encode(text + " 语言🙂 a  b").ids.tolist()
        ids.insert(2, next(iter(tokenizer.vocabulary.specials.values())))
        decoder = StreamDecoder(tokenizer)
        assert "".join([*(decoder.push(id) for id in ids), decoder.finish()]) == tokenizer.decode(ids)

    check()


def test_a_wrong_id_is_an_error_and_the_stream_goes_on() -> None:
    decoder = StreamDecoder(pretrained("gpt2"))
    with pytest.raises(ValueError, match="id must be from 0 to 50256"):
        decoder.push(50257)
    assert decoder.push(15496) == "Hello"


def test_wrong_use_is_explained() -> None:
    with pytest.raises(ValueError, match="must not be empty"):
        StreamDecoder(stop="")
    with pytest.raises(ValueError, match="has no tokenizer"):
        StreamDecoder().push(1)
