"""Tokenizers from files, in the hands of a visitor."""

from __future__ import annotations

import hashlib
import io
import zipfile
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from urllib.parse import quote

import pytest
from streamlit.testing.v1 import AppTest

import engine
from engine.formats import WRITTEN
from explorer.file_codes import TokenizerFile
from explorer.file_reading import read_tokenizer
from explorer.files import PAIR, written
from explorer.recipes import digest
from explorer.tokenizers import ENGLISH
from tests.explorer.apps import component, opened, packed

APP = str(Path(__file__).parents[2] / "app.py")
TRAINED = engine.train("low low lower lowest", vocab_size=260).tokenizer


def test_what_is_written_is_read_again() -> None:
    data = written(TRAINED, "tiktoken")
    again, split = read_tokenizer([data], "gpt2")
    assert split == "gpt2"
    assert again.encode("lowest low 🙂").ids.tolist() == TRAINED.encode("lowest low 🙂").ids.tolist()


def test_a_format_that_cannot_say_it_is_refused_with_the_reason() -> None:
    words = engine.train("low low", "word", pre_tokenizer="whitespace").tokenizer
    for format in WRITTEN:
        with pytest.raises(ValueError, match=r"\w+ \w+ \w+"):
            written(words, format)


@pytest.mark.parametrize("data", [b"", b"\x80\x04pickle", b"{", b'{"model": {}}', b"\xff" * 100])
def test_broken_files_are_value_errors(data: bytes) -> None:
    with pytest.raises(ValueError, match=r"."):
        read_tokenizer([data], "gpt2")


@pytest.mark.parametrize("code", ["file.0123456789abcdef", "file.x~name:a", "file.0123456789abcdef~name:a~split:b"])
def test_a_damaged_code_of_a_file_gives_the_default_and_a_word(code: str) -> None:
    at = opened("tokenize", first=code)
    assert "so the default stands" in at.warning[0].value
    assert at.selectbox[0].value == ENGLISH


def test_a_link_names_the_file_that_it_needs_and_takes_it() -> None:
    data = written(engine.train("hither and thither", vocab_size=261).tokenizer, "tiktoken")
    code = TokenizerFile.of(["a ~!% né.tiktoken"], [data], "cl100k").code
    at = opened("compare", first=code, second="gpt2", third="none", text=packed("hither"))
    assert f"SHA\\-256 {hashlib.sha256(data).hexdigest()[:8]}" in at.warning[0].value
    assert "a \\~\\!\\% né\\.tiktoken" in at.warning[0].value
    assert component(at, "starts")["name"] == "gpt2"  # the rest is here
    given = at.file_uploader(key="compare.missing-files")
    given.upload("other.tiktoken", data + b"\n").run()
    assert "is another file" in at.error[0].value
    at.file_uploader(key="compare.missing-files").upload("renamed", data).run()
    assert not at.exception
    assert not at.warning
    strip = component(at, "starts")
    assert strip["name"] == "a ~!% né.tiktoken"
    assert strip["card"] == f"token?tokenizer={quote(code, safe='~:,/.')}&id="
    assert strip["starts"] == [0, 1]
    card = opened("token", tokenizer=code, id="260", corpus="toy/cat_mat")
    assert component(card, "facts")["facts"][0] == ["id", "260 of 261"]
    assert len(component(card, "root")["root"]["parts"]) == 2


def test_the_two_files_of_a_link_are_found_in_any_order() -> None:
    with zipfile.ZipFile(io.BytesIO(written(engine.train("so so and so", vocab_size=258).tokenizer, PAIR))) as archive:
        names = archive.namelist()
        data = [archive.read(name) for name in names]
    code = TokenizerFile.of(names[::-1], data[::-1]).code
    at = opened("vocabulary", code=code, corpus="toy/cat_mat")
    at.file_uploader(key="vocabulary.missing-files").upload(names[1], data[1]).run()
    assert not at.error  # one of two
    at.file_uploader(key="vocabulary.missing-files").set_value(
        [(name, each, "") for name, each in zip(names, data, strict=True)]
    ).run()
    assert not at.exception
    assert not at.warning
    assert component(at, "total")["total"] == 258


def test_a_corpus_that_a_link_cannot_hold_is_added() -> None:
    corpus = "".join(f"{hashlib.sha256(bytes([i % 256, i // 256])).hexdigest()}\n" for i in range(400))
    code = f"bpe~corpus:text.{digest(corpus)}~steps:3"
    at = opened("compare", first=code, second="gpt2", third="none", text=packed("aabbcc"))
    assert digest(corpus)[:8] in at.warning[0].value
    at.file_uploader(key="compare.missing-files").upload("corpus.txt", corpus.encode()).run()
    assert not at.exception
    assert not at.warning
    assert len([block for block in at.get("bidi_component") if "starts" in block.proto.json]) == 2


def test_a_file_can_be_loaded_on_the_page() -> None:
    at = AppTest.from_file(APP, default_timeout=60).run()
    at.file_uploader(key="tokenize.files").upload("mine.tiktoken", written(TRAINED, "tiktoken")).run()
    at.button(key="tokenize.read-file").click().run()
    assert not at.exception
    assert "mine.tiktoken" in at.selectbox[0].options


def test_the_two_files_that_belong_together_come_in_one_archive() -> None:
    with zipfile.ZipFile(io.BytesIO(written(TRAINED, PAIR))) as archive:
        assert archive.namelist() == ["vocab.json", "merges.txt"]
        again, split = read_tokenizer([archive.read(name) for name in reversed(archive.namelist())], "gpt2")
    assert split == ""
    assert again.encode("lowest low 🙂").ids.tolist() == TRAINED.encode("lowest low 🙂").ids.tolist()


# o200k_base is written as cl100k_base is, which has half the pieces; the engine's own tests write it too.
@pytest.mark.parametrize("name", [name for name in engine.pretrained_names() if name != "o200k_base"])
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
