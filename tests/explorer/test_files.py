"""Tokenizers from files, in the hands of a visitor."""

from __future__ import annotations

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

import engine
from engine.formats import WRITTEN
from explorer.files import _read, written

APP = str(Path(__file__).parents[2] / "app.py")
TRAINED = engine.train("low low lower lowest", vocab_size=260).tokenizer


def test_what_is_written_is_read_again() -> None:
    data = written(TRAINED, "tiktoken")
    again = _read([data], "gpt2")
    assert again.encode("lowest low 🙂").ids.tolist() == TRAINED.encode("lowest low 🙂").ids.tolist()


def test_a_format_that_cannot_say_it_is_refused_with_the_reason() -> None:
    words = engine.train("low low", "word", pre_tokenizer="whitespace").tokenizer
    for format in WRITTEN:
        with pytest.raises(ValueError, match=r"\w+ \w+ \w+"):
            written(words, format)


@pytest.mark.parametrize("data", [b"", b"\x80\x04pickle", b"{", b'{"model": {}}', b"\xff" * 100])
def test_broken_files_are_value_errors(data: bytes) -> None:
    with pytest.raises(ValueError, match=r"."):
        _read([data], "gpt2")


def test_a_link_to_a_file_gives_the_default_and_a_word() -> None:
    at = AppTest.from_file(APP, default_timeout=60)
    at.query_params["first"] = "file.0123456789abcdef"
    at.run()
    assert not at.exception
    assert "a link cannot hold" in at.warning[0].value


def test_a_file_can_be_loaded_on_the_page() -> None:
    at = AppTest.from_file(APP, default_timeout=60).run()
    at.file_uploader(key="tokenize.files").upload("mine.tiktoken", written(TRAINED, "tiktoken")).run()
    at.button(key="tokenize.read-file").click().run()
    assert not at.exception
    assert "mine.tiktoken" in at.selectbox[0].options
