"""What each way of decoding shows of a stream."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import engine
from explorer.views.streaming import cut, stream, token_chunks

# Source: Python 3's bytes.decode(errors="replace") for "alone"; Go 1.22's []rune(string(part)) for "each".
KNOWN = {
    "Go€→🙂": (["Go", "€", "→", "🙂"], ["Go�", "���", "��", "��"], ["Go�", "����", "���", "��"]),
    "Go语言🙂": (["Go", "语", "言", "🙂"], ["Go�", "���", "��", "��"], ["Go�", "����", "���", "��"]),
}


def parts(text, cuts):
    chunks = cut(text.encode(), cuts)
    return stream(chunks, [str(n) for n, _ in enumerate(chunks)])


@pytest.mark.parametrize("text", KNOWN)
def test_known_streams(text):
    buffered, alone, each = KNOWN[text]
    made = parts(text, (3, 7, 10))
    assert [part["given"] for part in made.parts] == buffered
    assert [part["alone"] for part in made.parts] == alone
    assert [part["each"] for part in made.parts] == each
    assert made.end == ""


@given(
    data=st.binary(max_size=40) | st.text(st.characters(exclude_categories=["Cs"]), max_size=12).map(str.encode),
    cuts=st.lists(st.integers(-2, 44), max_size=6),
)
def test_what_is_given_out_is_what_decoding_at_once_gives(data, cuts):
    chunks = cut(data, cuts)
    assert b"".join(chunks) == data
    made = stream(chunks, [""] * len(chunks))
    assert made.text == data.decode("utf-8", "replace")
    assert all("�" not in part["given"] or "�" in data.decode("utf-8", "replace") for part in made.parts)


@given(data=st.binary(max_size=12))
def test_go_shows_a_sign_for_each_broken_byte(data):
    valid = data.decode("utf-8", "ignore").encode()
    assert engine.decode_apart([data], each_byte=True)[0].count("�") >= len(data) - len(valid)


def test_a_stop_string_across_parts_ends_the_stream():
    made = stream([b"Hello EN", b"D wor", b"ld"], ["a", "b", "c"], ["END"])
    assert made.text == "Hello "
    assert made.stopped == 1
    assert len(made.parts) == 2


def test_tokens_as_parts_spell_the_text():
    tokenizer = engine.pretrained("gpt2")
    chunks, labels = token_chunks(tokenizer, "Olá 🙂")
    assert b"".join(chunks).decode() == "Olá 🙂"
    assert labels == [str(id) for id in tokenizer.encode("Olá 🙂").ids.tolist()]
