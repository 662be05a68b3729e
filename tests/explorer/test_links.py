"""Text in a link."""

from __future__ import annotations

import base64
import random
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.links import LONGEST, pack, packed_size, unpack


def random_text(characters: int) -> str:
    return "".join(random.Random(1).choices([chr(c) for c in range(0x4E00, 0x9FFF)], k=characters))


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_what_is_packed_comes_back(text: str) -> None:
    packed = pack(text)
    assert packed is not None
    assert unpack(packed) == text
    assert set(packed) <= set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")


def test_a_lone_surrogate_does_not_break_it() -> None:
    assert unpack(pack("a\ud800b") or "") == "a?b"


def test_a_text_of_more_than_eight_kilobytes_has_no_link() -> None:
    text = random_text(3_100)
    assert pack(text) is None
    assert packed_size(text) > LONGEST
    shorter = random_text(2_000)
    assert len(pack(shorter) or "") == packed_size(shorter) <= LONGEST


@pytest.mark.parametrize("packed", ["", "A", "%%%", "AAAA", "é", "A" * 9000, "====", " ", "eJw", "-_-_"])
def test_a_damaged_link_says_so(packed: str) -> None:
    with pytest.raises(ValueError, match="the text in this link"):
        unpack(packed)


@given(st.binary(max_size=60))
def test_any_bytes_are_read_or_refused(raw: bytes) -> None:
    packed = base64.urlsafe_b64encode(raw).decode().rstrip("=")
    try:
        assert isinstance(unpack(packed), str)
    except ValueError as error:
        assert str(error).startswith("the text in this link")  # noqa: PT017  # both ends are right


@given(st.text(max_size=200), st.integers(1, 40))
def test_a_link_that_was_cut_says_so(text: str, cut: int) -> None:
    packed = pack(text.encode("utf-8", "replace").decode())
    assert packed is not None
    with pytest.raises(ValueError, match="the text in this link"):
        unpack(packed[: max(0, len(packed) - cut)])


def test_a_bomb_does_not_unfold() -> None:
    bomb = base64.urlsafe_b64encode(zlib.compress(b"a" * 50_000_000, 9)).decode().rstrip("=")
    with pytest.raises(ValueError, match="unfolds to more than 4 MiB"):
        unpack(bomb)


def test_bytes_that_are_no_text_are_refused() -> None:
    packed = base64.urlsafe_b64encode(zlib.compress(b"\xff\xfe")).decode().rstrip("=")
    with pytest.raises(ValueError, match="damaged"):
        unpack(packed)
