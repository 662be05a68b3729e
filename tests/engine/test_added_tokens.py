"""Added tokens are found where Hugging Face's tokenizers finds them, whatever their options say."""

from __future__ import annotations

import json
from typing import Any

import pytest
import tokenizers
from hypothesis import given, settings
from hypothesis import strategies as st

import engine
from engine.alignment import byte_starts
from engine.special_tokens import Finder
from tests.engine.exactness import declarations

LETTERS = "abMASK<>[]| \u2581\u00e9?"
OPTIONS = ("single_word", "lstrip", "rstrip", "normalized", "special")
TEXTS = ["<mask>", "<mask", "mask>", "[M]", "MASK", "ab", " a"]
NORMALIZERS: list[Any] = [
    None,
    {"type": "Lowercase"},
    {"type": "Sequence", "normalizers": [{"type": "Prepend", "prepend": "\u2581"}, {"type": "NFD"}]},
    {"type": "BertNormalizer", "clean_text": True, "handle_chinese_chars": True, "lowercase": True},
]
SPLITS: list[Any] = [
    None,
    {"type": "Whitespace"},
    {"type": "Metaspace", "replacement": "\u2581", "prepend_scheme": "always", "split": True},
    {"type": "Metaspace", "replacement": "\u2581", "prepend_scheme": "first", "split": True},
]

options = st.fixed_dictionaries(dict.fromkeys(OPTIONS, st.booleans()))
words = st.text(st.sampled_from([*LETTERS, "\n", "\u3000", "_", "\u0301", "1", "\u200d", "m", "s", "k"]), max_size=6)
written = st.lists(st.one_of(st.sampled_from([*TEXTS, "<MASK>", "[m]"]), words), max_size=8).map("".join)


def file_of(added: dict[str, dict[str, bool]], normalizer: Any, split: Any, **model: Any) -> bytes:
    names = dict.fromkeys(sorted({*LETTERS, *LETTERS.lower(), "e", "\u0301"}))
    vocab = {name: id for id, name in enumerate(names)}
    tokens = [{"id": len(vocab) + i, "content": text, **how} for i, (text, how) in enumerate(added.items())]
    return json.dumps(
        {
            "version": "1.0",
            "added_tokens": tokens,
            "normalizer": normalizer,
            "pre_tokenizer": split,
            "model": {"type": "BPE", "vocab": vocab, "merges": [], "unk_token": "?", **model},
        }
    ).encode()


@settings(max_examples=250, database=None)
@given(
    st.dictionaries(st.sampled_from(TEXTS), options, min_size=1, max_size=4),
    st.sampled_from(NORMALIZERS),
    st.sampled_from(SPLITS),
    st.lists(written, min_size=1, max_size=6),
)
def test_every_option(added: dict[str, Any], normalizer: Any, split: Any, texts: list[str]) -> None:
    data = file_of(added, normalizer, split)
    ours, official = engine.load(data), tokenizers.Tokenizer.from_str(data.decode())
    for text in texts:
        for special in ("parse", "plain"):
            official.encode_special_tokens = special == "plain"
            expected = official.encode(text, add_special_tokens=False)
            encoding = ours.encode(text, special)  # type: ignore[arg-type]  # it is one of the two
            assert encoding.ids.tolist() == expected.ids
            check_spans(text, encoding, expected, {*ours.added.values(), *ours.vocabulary.specials.values()})
        counted = [state.states[-1].cut.ids for state in ours.explain(text)]
        plain = ours.encode(text)
        assert [id for ids in counted for id in ids] == plain.ids[plain.words >= 0].tolist()
        assert ours.length_curve(text)[1][-1] == len(plain)


def check_spans(text: str, encoding: engine.Encoding, expected: Any, found: set[int]) -> None:
    """The spans of what was found in the text as it stands are the offsets of the library."""
    starts = byte_starts(text).tolist()
    for id, span, (start, stop) in zip(encoding.ids, encoding.spans.tolist(), expected.offsets, strict=True):
        if id in found and encoding.normalized == text:
            assert span == [starts[start], starts[stop]]


def test_every_code_point_that_may_touch_a_word_alone() -> None:
    """What counts as a letter beside a token, and as white space that it takes, is what the library says."""
    alone = {"single_word": True, "lstrip": False, "rstrip": False, "normalized": False, "special": True}
    takes = {**alone, "single_word": False, "lstrip": True, "rstrip": True}
    points = [chr(point) for point in range(0x20000) if not 0xD800 <= point < 0xE000]
    for how in (alone, takes):
        data = file_of({"<x>": how}, None, {"type": "WhitespaceSplit"}, fuse_unk=True)
        ours, official = engine.load(data), tokenizers.Tokenizer.from_str(data.decode())
        finder = Finder(ours.vocabulary.specials, ours.added, ours.matching)
        (id_of_x,) = ours.vocabulary.specials.values()
        for start in range(0, len(points), 8192):
            text = between_tokens(points[start : start + 8192])
            expected = official.encode(text)
            places = [offsets for id, offsets in zip(expected.ids, expected.offsets, strict=True) if id == id_of_x]
            assert [tuple(span) for span, _ in finder._found(text, "parse")] == places
        text = between_tokens(points[::41])  # whole encodings of so many parts take their time
        expected, encoding = official.encode(text), ours.encode(text, "parse")
        assert encoding.ids.tolist() == expected.ids
        assert encoding.spans.tolist() == byte_starts(text)[expected.offsets].tolist()


def between_tokens(points: list[str]) -> str:
    return "".join(f"|{point}<x>|<x>{point}|" for point in points)


def test_the_mask_of_roberta_takes_the_space_before_it() -> None:
    mask = {"single_word": False, "lstrip": True, "rstrip": False, "normalized": False, "special": True}
    data = file_of({"<mask>": mask}, None, None)
    ours, official = engine.load(data), tokenizers.Tokenizer.from_str(data.decode())
    for text in ["a <mask> b", "a  <mask><mask>  b", *(text.replace("a", "<mask>") for text in declarations()[:5])]:
        assert ours.encode(text, "parse").ids.tolist() == official.encode(text).ids
    assert ours.encode("a <mask> b", "parse").spans.tolist()[1] == [1, 8]


def test_a_token_that_another_took_as_white_space_is_none() -> None:
    right = {"single_word": False, "lstrip": False, "rstrip": True, "normalized": False, "special": False}
    for newline in (right, right | {"lstrip": True}):  # one that takes nothing before it is found again
        data = file_of({"\n": newline, " ab": right | {"lstrip": True, "rstrip": False}}, None, None)
        ours, official = engine.load(data), tokenizers.Tokenizer.from_str(data.decode())
        for text in ["a \n \n\n b", "\n\n", "\n ab", " ab ab\n  ab"]:
            assert ours.encode(text).ids.tolist() == official.encode(text).ids


def test_ids_that_the_library_would_not_give_are_refused() -> None:
    content = json.loads(file_of({"<mask>": dict.fromkeys(OPTIONS, False)}, None, None))
    content["added_tokens"][0]["id"] += 1
    with pytest.raises(ValueError, match=r"added_tokens\[0\]: its library gives '<mask>' the id \d+"):
        engine.load(json.dumps(content).encode())
    content["added_tokens"][0] |= {"content": "a", "id": 0}
    with pytest.raises(ValueError, match=r"gives 'a' the id \d+, whatever stands here; this is 0"):
        engine.load(json.dumps(content).encode())
