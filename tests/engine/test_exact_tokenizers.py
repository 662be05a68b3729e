"""BERT, CLIP, Claude 2 and DeepSeek give the ids that Hugging Face's tokenizers gives."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from engine.alignment import byte_starts
from engine.pretrained import pretrained
from tests.engine.exactness import ANY_TEXT, HOSTILE, check_spans, code, declarations, official_tokenizers

NAMES = ["bert-base-uncased", "clip", "claude-2", "deepseek-v4"]


@pytest.mark.parametrize("name", NAMES)
def test_every_language_and_code(name: str) -> None:
    tokenizer, official = pretrained(name), official_tokenizers(name)
    for text in [*declarations(), *code()]:
        ids = tokenizer.encode(text).ids.tolist()
        assert ids == official.encode(text, add_special_tokens=False).ids
        if name != "clip":  # the library has no decoder for it
            assert tokenizer.decode(ids) == official.decode(ids, skip_special_tokens=False)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_texts(name: str, text: str) -> None:
    expected = official_tokenizers(name).encode(text, add_special_tokens=False)
    assert pretrained(name).encode(text).ids.tolist() == expected.ids
    check_spans(pretrained(name), text)


@pytest.mark.parametrize("name", NAMES)
def test_any_text(name: str) -> None:
    @settings(max_examples=200, deadline=None, database=None)
    @given(ANY_TEXT)
    def check(text: str) -> None:
        expected = official_tokenizers(name).encode(text, add_special_tokens=False)
        assert pretrained(name).encode(text).ids.tolist() == expected.ids
        check_spans(pretrained(name), text)

    check()


@pytest.mark.parametrize("name", NAMES)
def test_every_assigned_code_point(name: str) -> None:
    """Each between two letters, so that what is dropped, split or rewritten shows."""
    points = [*range(0xD800), *range(0xE000, 0xE004), *range(0xF8FE, 0x323B0), *range(0xE0000, 0xE01F0)]
    if name != "bert-base-uncased":  # ideographs of the basic plane, and hangul, are all alike
        points = [point for point in points if not 0x4E10 < point < 0x9FF0 and not 0x20000 < point < 0x31000]
    tokenizer, official = pretrained(name), official_tokenizers(name)
    for start in range(0, len(points), 8192):
        text = "".join(f"a{chr(point)}b " for point in points[start : start + 8192])
        assert tokenizer.encode(text).ids.tolist() == official.encode(text, add_special_tokens=False).ids


@pytest.mark.parametrize("name", ["claude-2", "deepseek-v4", "bert-base-uncased"])
def test_spans_are_the_offsets_of_the_library(name: str) -> None:
    """Its offsets count code points, and half a character has the whole character's.

    Where normalization joins two code points, ours are both of them; the library names the first.
    """
    for text in [*HOSTILE, *declarations()[:20]]:
        expected = official_tokenizers(name).encode(text, add_special_tokens=False)
        starts = byte_starts(text).tolist()
        normalized = pretrained(name).encode(text).normalized != text
        spans = pretrained(name).encode(text).spans.tolist()
        for (start, stop), (first, last) in zip(spans, expected.offsets, strict=True):
            if normalized:
                assert start < starts[last] or first == last
                assert stop > starts[first] or first == last
            else:
                assert starts[first] <= start < stop <= starts[last]
                assert start < starts[first + 1]
                assert stop > starts[last - 1]
