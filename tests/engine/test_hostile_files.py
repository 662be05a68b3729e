"""Files that are truncated, damaged, hostile or huge: a ValueError that names the file and the place, in good time."""

from __future__ import annotations

import io
import json
import pickle
import time
import zipfile
from collections.abc import Callable
from copy import deepcopy
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import engine
from engine.formats import FORMATS, load, save
from engine.formats.source import LARGEST_FILE

TEXT = "low lower lowest newest wider 🙂 é the fox's don't 12 345\n" * 3
TEXTS = ["low lowest 🙂 é <pad> don't 123", "\x00\ud800 a", "", " ▁a", "中文 \r\n"]
HOSTILE_VALUES: list[Any] = [
    *(None, True, False, -1, 0, 1, 2**31, 2**63, 10**30, 1e308, -0.5, "", "\ud800", "a" * 5000, "\x00", [], {}, [[]]),
    *({"a": {}}, [None] * 3, {"type": "Sequence"}, "(a+)+$", "(?:", "a{1000000}", "(?P<x>a)(?P=x)", "\\p{Foo}", "\\w"),
    *({"Regex": "(?=a)"}, {"Regex": "(a|a)*b"}, {"String": ""}, {"type": "Split"}, ["a", "b"], [["a", float("inf")]]),
]


@cache
def files() -> dict[str, bytes]:
    """A small file of each format; those of minbpe, ranks and codes are told by their content too."""
    import tempfile

    folder = Path(tempfile.mkdtemp())

    def saved(tokenizer: engine.Tokenizer, format: str) -> bytes:
        save(tokenizer, folder / "file", format)
        return (folder / "file").read_bytes()

    byte = engine.train(TEXT, vocab_size=300, special_tokens=["<pad>"]).tokenizer
    wordpiece = engine.train(TEXT, "wordpiece", 80, pre_tokenizer="bert", special_tokens=["[PAD]", "[UNK]"]).tokenizer
    unigram = engine.train(
        TEXT.splitlines(), "unigram", 320, pre_tokenizer="dummy-prefix", byte_fallback=True
    ).tokenizer
    codes = engine.train(
        TEXT,
        vocab_size=60,
        alphabet="characters",
        pre_tokenizer="whitespace",
        end_of_word="</w>",
        end_of_word_joined=True,
    ).tokenizer
    plain = engine.train(TEXT, vocab_size=300).tokenizer
    save(plain, (folder / "vocab.json", folder / "merges.txt"))
    made = {
        "tokenizer.json": saved(byte, "tokenizer.json"),
        "wordpiece.tokenizer.json": saved(wordpiece, "tokenizer.json"),
        "unigram.tokenizer.json": saved(unigram, "tokenizer.json"),
        "tiktoken": saved(plain, "tiktoken"),
        "vocab.txt": saved(wordpiece, "vocab.txt"),
        "sentencepiece": saved(unigram, "sentencepiece"),
        "subword-nmt": saved(codes, "subword-nmt"),
        "minbpe": saved(plain, "minbpe"),
        "vocab.json": (folder / "vocab.json").read_bytes(),
        "merges.txt": (folder / "merges.txt").read_bytes(),
    }
    return made | {"rich.tokenizer.json": rich(made["tokenizer.json"])}


def rich(data: bytes) -> bytes:
    """Give a file many steps."""
    content = json.loads(data)
    replace = {"type": "Replace", "pattern": {"Regex": "\\s+"}, "content": " "}
    strip = {"type": "Strip", "strip_left": True, "strip_right": False}
    bert = {"type": "BertNormalizer", "clean_text": True, "handle_chinese_chars": True, "lowercase": True}
    steps = [{"type": "NFC"}, replace, {"type": "Prepend", "prepend": "a"}, strip, bert, {"type": "StripAccents"}]
    content["normalizer"] = {"type": "Sequence", "normalizers": steps}
    split = {"type": "Split", "pattern": {"Regex": "\\p{N}{1,3}"}, "behavior": "Isolated", "invert": False}
    cuts = [split, {"type": "Digits", "individual_digits": True}, {"type": "Punctuation", "behavior": "Isolated"}]
    content["pre_tokenizer"] = {"type": "Sequence", "pretokenizers": [*cuts, content["pre_tokenizer"]]}
    content["post_processor"] = {
        "type": "TemplateProcessing",
        "single": [{"SpecialToken": {"id": "<pad>", "type_id": 0}}, {"Sequence": {"id": "A", "type_id": 0}}],
        "special_tokens": {"<pad>": {"id": "<pad>", "ids": [0], "tokens": ["<pad>"]}},
    }
    content["added_tokens"][0] |= {"lstrip": True, "single_word": True}
    return json.dumps(content).encode()


def check_named(error: ValueError, said: str) -> None:
    assert type(error) is ValueError
    assert said in str(error)


def check_file(name: str, data: bytes) -> None:
    """Read a file; what is refused must be a ValueError that names it, and what is read must work on any text."""
    pair = {"vocab.json": (data, files()["merges.txt"]), "merges.txt": (files()["vocab.json"], data)}
    format = next((format for format in FORMATS if name.endswith(format)), None)
    split = "gpt2" if name == "tiktoken" else None
    try:
        made = load(pair[name]) if name in pair else load(data, format, split)
    except ValueError as error:
        check_named(error, "the given bytes")
        return
    for text in TEXTS:
        for special in ("plain", "parse"):
            try:
                ids = made.encode(text, special).ids  # type: ignore[arg-type]  # it is one of the two
            except ValueError as error:
                check_named(error, "needs more than")  # a pattern of the file, stopped
            else:
                made.decode(ids)
        list(made.explain(text))


names = st.sampled_from(sorted([*files()]))


@settings(max_examples=250, deadline=10_000, database=None)
@given(names, st.data())
def test_damaged_files(name: str, data: st.DataObject) -> None:
    content = bytearray(files()[name])
    place = st.integers(0, len(content) - 1)
    kind = data.draw(st.sampled_from(["truncate", "flip", "insert", "delete"]))
    if kind == "truncate":
        del content[data.draw(place) :]
    elif kind == "flip":
        for bit in data.draw(st.lists(st.integers(0, 8 * len(content) - 1), min_size=1, max_size=5)):
            content[bit // 8] ^= 1 << bit % 8
    elif kind == "insert":
        at = data.draw(place)
        content[at:at] = data.draw(
            st.sampled_from([b"9" * 30, b"-", b"\xff" * 20, b"\x80" * 9 + b"\x01", b"\n\n", b"[", b"{", b"\xe2\x82"])
            | st.binary(max_size=8)
        )
    else:
        at = data.draw(place)
        del content[at : at + data.draw(st.integers(1, 60))]
    check_file(name, bytes(content))


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """List the paths to all values, of long lists and objects only the first."""
    keys = list(value)[:40] if isinstance(value, dict) else range(min(len(value), 8)) if isinstance(value, list) else ()
    return [found for key in keys for found in [(*path, key), *places(value[key], (*path, key))]]


@settings(max_examples=400, deadline=10_000, database=None)
@given(st.sampled_from(sorted(name for name in files() if name.endswith("json"))), st.data())
def test_hostile_values(name: str, data: st.DataObject) -> None:
    content = json.loads(files()[name])
    for path in data.draw(st.lists(st.sampled_from(places(content)), min_size=1, max_size=2)):
        inner = content
        try:
            for key in path[:-1]:
                inner = inner[key]
            inner[path[-1]] = deepcopy(data.draw(st.sampled_from(HOSTILE_VALUES)))
        except (TypeError, KeyError, IndexError):  # the place is gone already
            continue
    check_file(name, json.dumps(content).encode())


@settings(max_examples=200, database=None)
@given(st.binary(max_size=200), st.sampled_from([*FORMATS, None]))
@example(b"\x80\x04\x95", None)
@example(b"PK\x03\x04", None)
@example(b"\n\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x01", "sentencepiece")
def test_any_bytes(data: bytes, format: str | None) -> None:
    try:
        made = load(data, format, "gpt2" if format == "tiktoken" else None)  # it may be a file indeed
    except ValueError as error:
        check_named(error, "the given bytes")
    else:
        assert made.vocab_size > 0


def zipped() -> bytes:
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w") as file:
        file.writestr("tokenizer.json", files()["tokenizer.json"])
    return held.getvalue()


class Runs:
    """A pickle of this would run a function when read."""

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[str]]:
        return pytest.fail, ("a pickle was read",)


@pytest.mark.parametrize("format", [*FORMATS, None])
@pytest.mark.parametrize("data", [pickle.dumps(Runs(), protocol) for protocol in range(6)] + [zipped()])
def test_pickles_and_archives_are_never_read(data: bytes, format: str | None, tmp_path: Path) -> None:
    path = tmp_path / "model.bin"
    path.write_bytes(data)
    with pytest.raises(ValueError, match=r"model\.bin"):
        load(path, format, "gpt2" if format == "tiktoken" else None)


HUGE: list[tuple[str, bytes]] = [
    ("zeros", b"\0"),
    ("open brackets", b"["),
    ("open objects", b'{"a":'),
    ("digits", b"9"),
    ("lines", b"\n"),
    ("text", b"lorem ipsum\n"),
    ("ranks", b"YWI= 7\n"),
    ("protobuf", b"\n\x07\n\x05abcde"),
    ("no UTF-8", b"\xff\xfe"),
]


@pytest.mark.parametrize("format", [*FORMATS, None])
@pytest.mark.parametrize("unit", [unit for _, unit in HUGE], ids=[name for name, _ in HUGE])
def test_ten_megabytes_of_garbage(unit: bytes, format: str | None) -> None:
    data = unit * (10_000_000 // len(unit))
    began = time.thread_time()
    with pytest.raises(ValueError, match="the given bytes"):
        load(data, format, "gpt2" if format == "tiktoken" else None)
    # The most work is a million sound pieces, which took 10 s on the slowest machine seen; it grows with the file.
    assert time.thread_time() - began < 40


def test_a_file_beyond_the_limit_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "huge.json"
    with path.open("wb") as file:
        file.truncate(LARGEST_FILE + 1)
    with pytest.raises(ValueError, match=r"huge.json: it has 268,435,457 bytes, the limit is 268,435,456"):
        load(path)


def test_a_pattern_that_never_ends_is_stopped() -> None:
    content = json.loads(files()["tokenizer.json"])
    content["pre_tokenizer"] = {
        "type": "Sequence",
        "pretokenizers": [
            {"type": "Split", "pattern": {"Regex": "(a|aa)+c"}, "behavior": "Isolated", "invert": False},
            {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": False},
        ],
    }
    made = load(json.dumps(content).encode())
    assert made.encode("aac").ids.size
    with pytest.raises(ValueError, match="needs more than 1 s"):
        made.encode("ab" * 30 + "a" * 60)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b'{"model": {"vocab": NaN}}', "NaN is no number"),
        (b'{"model": "\\ud800"}', "half of a surrogate pair"),
        (b'{"model": ' + b"9" * 5000 + b"}", "this is no JSON"),
    ],
)
def test_json_that_no_other_library_reads(content: bytes, said: str) -> None:
    with pytest.raises(ValueError, match=f"the given bytes: .*{said}"):
        load(content, "tokenizer.json")
