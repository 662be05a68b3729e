"""Tokenizers from files, in the hands of a visitor."""

from __future__ import annotations

import io
import zipfile
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

import engine
from engine.formats import WRITTEN
from explorer.files import PAIR, _read, written

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


def test_the_two_files_that_belong_together_come_in_one_archive() -> None:
    with zipfile.ZipFile(io.BytesIO(written(TRAINED, PAIR))) as archive:
        assert archive.namelist() == ["vocab.json", "merges.txt"]
        again = _read([archive.read(name) for name in reversed(archive.namelist())], "gpt2")
    assert again.encode("lowest low 🙂").ids.tolist() == TRAINED.encode("lowest low 🙂").ids.tolist()


@pytest.mark.parametrize("name", engine.pretrained_names())
def test_every_format_is_offered_or_refused_with_the_reason(name: str) -> None:
    offered = []
    for format in (*WRITTEN, PAIR):
        with suppress(ValueError):
            assert written(engine.pretrained(name), format)
            offered.append(format)
    assert bool(offered) == (name not in ("t5-base", "mt5-base", "mistral-7b-v0.1", "qwen2"))


def test_saving_offers_a_button_for_each_format_on_the_page() -> None:
    at = AppTest.from_file(APP, default_timeout=60)
    at.query_params["first"] = "gpt2"
    at.query_params["second"] = "none"
    at.session_state["tokenize.saving"] = True
    at.run()
    assert not at.exception
    labels = [button.proto.label for button in at.get("download_button")]
    assert labels[:2] == ["tokenizer.json", "tiktoken"]
    assert labels[-1] == PAIR
    reasons = " ".join(caption.value.replace("\\", "") for caption in at.caption)
    for refused in ("vocab.txt: a vocab.txt holds", "sentencepiece: ", "subword-nmt: "):
        assert refused in reasons


def test_a_name_from_the_network_is_loaded_or_says_why_not(monkeypatch: pytest.MonkeyPatch) -> None:
    at = AppTest.from_file(APP, default_timeout=60).run()
    at.text_input(key="tokenize.named").input("nonsense").run()
    at.button(key="tokenize.get-named").click().run()
    assert "A name is" in at.error[0].value
    monkeypatch.setattr(engine, "load_named", lambda name: replace(TRAINED, name=name))
    at.text_input(key="tokenize.named").input("hub:some/one").run()
    at.button(key="tokenize.get-named").click().run()
    assert not at.exception
    assert not at.error
    assert "hub:some/one" in at.selectbox[0].options
