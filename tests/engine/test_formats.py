"""Files are recognized by their content, and what is wrong with one is said with its name and the place."""

from __future__ import annotations

import base64
import json
import pickle
from pathlib import Path
from typing import Any

import pytest
import tiktoken
import tokenizers

from engine.formats import load, save
from engine.hand import from_merges
from engine.pretrained import catalogue, pretrained, pretrained_names, stored
from engine.tokenizer import Tokenizer
from engine.train import train
from tests.engine.exactness import HOSTILE

SINGLES = "".join(f"{base64.b64encode(bytes([byte])).decode()} {byte}\n" for byte in range(256))
DIGITS = {"type": "Digits", "individual_digits": True}


@pytest.mark.parametrize("name", pretrained_names())
def test_check_ids(name: str) -> None:
    entry = catalogue()[name]
    assert pretrained(name).encode(entry.check_text).ids.tolist() == list(entry.check_ids)


@pytest.mark.parametrize("name", ["bert-base-uncased", "claude-2", "mistral-7b-v0.1", "t5-base"])
def test_the_content_tells_the_format(name: str, tmp_path: Path) -> None:
    entry = catalogue()[name]
    path = tmp_path / "a file"
    path.write_bytes(stored(entry.files[0]).data)
    for source in (path, str(path), path.read_bytes()):
        assert load(source).encode(entry.check_text).ids.tolist() == list(entry.check_ids)


def test_two_files_and_ranks() -> None:
    clip, gpt2 = catalogue()["clip"], catalogue()["gpt2"]
    vocab, merges = (stored(file).data for file in clip.files)
    assert load((vocab, merges)).encode(clip.check_text).ids.tolist() == list(clip.check_ids)
    ranks = stored(gpt2.files[0]).data
    assert load(ranks, pre_tokenizer="gpt2").encode(gpt2.check_text).ids.tolist() == list(gpt2.check_ids)
    with pytest.raises(ValueError, match="does not say how text is split"):
        load(ranks)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "it is empty"),
        (pickle.dumps({"model": 1}), "this is a pickle"),
        (b'{"model": ', "no JSON.*|line 1, column"),
        (b"[" * 100_000, "no format that is known"),
        (b'{"a":' * 100_000, "nested too deeply"),
        (b"\x00\x01\x02", "no format that is known"),
        (SINGLES.encode() + b"!!!! 256\n", "line 257: a line must be a piece in base64"),
        (SINGLES.encode() + b"YWI= 99999999999\n", "line 257: a rank must be from 0"),
        (SINGLES.encode() + b"YQ== 256\n", "line 257: the piece b'a' stands here for the second time"),
        (SINGLES[7:].encode(), "none for byte 0x00"),
        (b"[PAD]\n[UNK]\n[UNK]\n", "line 3: the piece '\\[UNK\\]' stands here for the second time"),
        (json.dumps({"model": {"type": "BPE", "vocab": {"a": 0}, "merges": [["a", "b"]]}}).encode(), "model"),
        (json.dumps({"model": {}, "normalizer": {"type": "Magic"}}).encode(), "normalizer: the normalizer Magic"),
        (
            json.dumps({"model": {}, "pre_tokenizer": {"type": "UnicodeScripts"}}).encode(),
            "pre_tokenizer: .*UnicodeScripts",
        ),
        (
            json.dumps({"model": {"type": "WordPiece", "vocab": {}}, "pre_tokenizer": {"type": "ByteLevel"}}).encode(),
            r"model: a split that turns text into bytes \(ByteLevel\) is read for BPE; this model is WordPiece",
        ),
        (
            json.dumps(
                {"model": {}, "pre_tokenizer": {"type": "Sequence", "pretokenizers": [{"type": "ByteLevel"}, DIGITS]}}
            ).encode(),
            "pre_tokenizer: ByteLevel must be the last step",
        ),
    ],
)
def test_broken_files_name_the_place(content: bytes, said: str, tmp_path: Path) -> None:
    path = tmp_path / "broken.bin"
    path.write_bytes(content)
    with pytest.raises(ValueError, match=f"(?s)broken.bin.*({said})"):
        load(path, pre_tokenizer="gpt2" if content.startswith(b"AA==") or content.startswith(b"AQ==") else None)


@pytest.mark.parametrize("name", ["claude-2", "mistral-7b-v0.1", "t5-base"])
def test_a_truncated_file_is_an_error(name: str) -> None:
    data = stored(catalogue()[name].files[0]).data
    for size in (100, len(data) // 3, len(data) - 7):
        with pytest.raises(ValueError, match="the given bytes"):
            load(data[:size])


def test_a_missing_file_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"nothing\.json: it cannot be read"):
        load(tmp_path / "nothing.json")


def test_saved_ranks_give_the_same_ids_in_tiktoken(tmp_path: Path) -> None:
    text = "low lower lowest, newer wider: the slow fox was low on wood. 🙂"
    tokenizer = train(text * 3, vocab_size=300, special_tokens=["<pad>", "<eos>"]).tokenizer
    save(tokenizer, tmp_path / "mine.tiktoken")
    lines = (line.split() for line in (tmp_path / "mine.tiktoken").read_bytes().splitlines())
    ranks = {base64.b64decode(piece): int(rank) for piece, rank in lines}
    pattern = tokenizer.pre_tokenizer.pattern
    assert pattern is not None
    official = tiktoken.Encoding(
        "mine", pat_str=pattern, mergeable_ranks=ranks, special_tokens={"<pad>": 0, "<eos>": 1}
    )
    assert official.encode_ordinary(text) == tokenizer.encode(text).ids.tolist()
    again = load(tmp_path / "mine.tiktoken", pre_tokenizer="gpt2")
    assert again.encode(text).ids.tolist() == tokenizer.encode(text).ids.tolist()


def test_what_tiktoken_would_merge_otherwise_is_refused(tmp_path: Path) -> None:
    tokenizer = from_merges("bytes", [(b"b", b"c"), (b"a", b"b"), (b"ab", b"c")])
    with pytest.raises(ValueError, match="b'abc', encoded alone, become other tokens"):
        save(tokenizer, tmp_path / "mine.tiktoken")
    with pytest.raises(ValueError, match="not clear what to write"):
        save(tokenizer, tmp_path / "mine.bin")


def test_an_unknown_name_lists_the_catalogue() -> None:
    with pytest.raises(ValueError, match="it has gpt2, cl100k_base"):
        pretrained("gpt5")
    assert pretrained("r50k_base") is pretrained("gpt2")


@pytest.mark.parametrize("specials", [[], ["<|endoftext|>", "<pad>"]])
def test_saved_vocab_and_merges_give_the_same_ids(specials: list[str], tmp_path: Path) -> None:
    tokenizer = train(
        "low lower lowest, newer wider: the fox's 🙂 " * 3, vocab_size=290, special_tokens=specials
    ).tokenizer
    paths = tmp_path / "vocab.json", tmp_path / "merges.txt"
    save(tokenizer, paths)
    official = tokenizers.ByteLevelBPETokenizer(*map(str, paths))
    again = load(paths)
    for text in [*HOSTILE, "low lowest 🙂 newest", "<|endoftext|><pad>"]:
        ids = tokenizer.encode(text).ids.tolist()
        assert official.encode(text).ids == ids == again.encode(text).ids.tolist()


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"alphabet": "characters"}, "all 256 bytes"),
        ({"alphabet": "seen-bytes"}, "all 256 bytes"),
        ({"pre_tokenizer": "cl100k"}, "the split gpt2"),
        ({"normalizers": ["lowercase"]}, "no normalizers"),
        ({"end_of_word": "</w>", "end_of_word_joined": True, "vocab_size": 600}, "CLIP's split"),
        ({}, "which readers of these files take for the end of a word"),
    ],
)
def test_vocab_and_merges_refuse_with_the_reason(options: dict[str, Any], said: str, tmp_path: Path) -> None:
    tokenizer = train({"</w>": 5, "a</w>": 1}, **{"vocab_size": 300, **options}).tokenizer
    with pytest.raises(ValueError, match=said):
        save(tokenizer, (tmp_path / "vocab.json", tmp_path / "merges.txt"))
    assert not list(tmp_path.iterdir())


def test_a_saved_vocab_txt_gives_the_same_ids_as_berts_own_reader(tmp_path: Path) -> None:
    specials = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    run = train("low lower lowest, newer wider", "wordpiece", 60, pre_tokenizer="bert", special_tokens=specials)
    path = tmp_path / "vocab.txt"
    save(run.tokenizer, path)
    lines = path.read_text("utf-8").removesuffix("\n").split("\n")
    assert [line.encode() for line in lines] == list(run.tokenizer.vocabulary)
    official = tokenizers.BertWordPieceTokenizer(str(path), lowercase=True)
    for text in ["low lowest, newer", "slow wider", "lowlow ,, newlow", "🙂 low"]:
        ids = run.tokenizer.encode(text).ids.tolist()
        assert official.encode(text, add_special_tokens=False).ids == ids == load(path).encode(text).ids.tolist()


@pytest.mark.parametrize(
    ("tokenizer", "said"),
    [
        (train("low low", vocab_size=257).tokenizer, "holds WordPiece"),
        (train("low low", "wordpiece", 9, unknown="<unk>").tokenizer, "calls the unknown token"),
        (train("a\u2028b", "wordpiece", 9, pre_tokenizer="whole").tokenizer, "a line break"),
        (train("\n", "wordpiece", 9, pre_tokenizer="whole").tokenizer, "a line break"),
    ],
)
def test_vocab_txt_refuses_with_the_reason(tokenizer: Tokenizer, said: str, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=said):
        save(tokenizer, tmp_path / "vocab.txt")
    assert not list(tmp_path.iterdir())
