"""Tokenizers of the catalogue, written for Hugging Face's tokenizers: the same ids and text, or a reason."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
import tokenizers
from hypothesis import given, settings

import engine
from engine.formats import hub_writer, load, save
from engine.pretrained import catalogue, pretrained, stored
from tests.engine.exactness import ANY_TEXT, HOSTILE, code, declarations, official_tokenizers
from tests.engine.hostile import texts

WRITTEN = [
    "gpt2",
    "cl100k_base",
    "o200k_base",
    "tekken",
    "qwen2",
    "deepseek-v4",
    "claude-2",
    "clip",
    "bert-base-uncased",
]
REFUSED = {
    "qwen2": "cannot say nfc exactly",
    "mistral-7b-v0.1": "some merges have one score",
    "t5-base": "SentencePiece takes the longest rule",
    "mt5-base": "SentencePiece takes the longest rule",
}


@pytest.mark.parametrize("name", WRITTEN)
def test_the_same_ids_and_text(name: str) -> None:
    """All of a tokenizer in one test: to write 200,000 merges and to read them again takes longer than the rest."""
    ours = pretrained(name)
    if name == "qwen2":
        ours = replace(ours, normalizers=(engine.hub_form("NFC"),))
    data = hub_writer.write(ours)
    official, again = tokenizers.Tokenizer.from_str(data.decode()), load(data)
    special_tokens_keep_their_ids(ours, official, again)
    official.encode_special_tokens = True

    def check(text: str) -> None:
        ids = ours.encode(text).ids.tolist()
        assert official.encode(text, add_special_tokens=False).ids == ids
        assert again.encode(text).ids.tolist() == ids
        assert official.decode(ids, skip_special_tokens=False) == ours.decode(ids) == again.decode(ids)

    for text in [*declarations()[WRITTEN.index(name) % 3 :: 3], *code(), *HOSTILE]:  # three of them have all languages
        check(text)
    settings(max_examples=60, database=None)(given(texts | ANY_TEXT)(check))()


def special_tokens_keep_their_ids(
    ours: engine.Tokenizer, official: tokenizers.Tokenizer, again: engine.Tokenizer
) -> None:
    text = "a" + " b".join([*ours.vocabulary.specials, *ours.added])
    ids = ours.encode(text, special="parse").ids.tolist()
    assert (
        official.encode(text, add_special_tokens=False).ids == ids == again.encode(text, special="parse").ids.tolist()
    )
    assert official.encode("a").ids == ours.with_specials(ours.encode("a").ids).tolist()
    assert (again.vocabulary.specials, again.added) == (ours.vocabulary.specials, ours.added)
    assert list(again.vocabulary) == list(ours.vocabulary)


@pytest.mark.parametrize("name", REFUSED)
def test_what_the_format_cannot_say_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match=REFUSED[name]):
        hub_writer.write(pretrained(name))


@pytest.mark.parametrize("name", ["gpt2", "clip"])
def test_vocab_and_merges(name: str, tmp_path: Path) -> None:
    paths = tmp_path / "vocab.json", tmp_path / "merges.txt"
    ours = pretrained(name)
    save(ours, paths)
    again = load(paths)
    if name == "clip":
        vocab, merges = (stored(file).data for file in catalogue()["clip"].files)
        assert json.loads(paths[0].read_bytes()) == json.loads(vocab)
        assert paths[1].read_text("utf-8").splitlines()[1:] == merges.decode().splitlines()[1:]
        official = official_tokenizers("clip")
    else:
        official = tokenizers.ByteLevelBPETokenizer(*map(str, paths))
    for text in [*HOSTILE, *declarations()[::9]]:
        ids = ours.encode(text).ids.tolist()
        assert official.encode(text, add_special_tokens=False).ids == ids == again.encode(text).ids.tolist()
