"""BERT, CLIP, Claude 2 and DeepSeek give the ids that Hugging Face's tokenizers gives."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from engine.alignment import byte_starts
from engine.pretrained import pretrained
from tests.engine.exactness import ANY_TEXT, HOSTILE, check_spans, code, declarations, official_tokenizers

NAMES = ["bert-base-uncased", "clip", "claude-2", "deepseek-v4"]


@pytest.mark.usefixtures("by_loops")
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
    """Each between two letters, so that what is dropped, split or rewritten shows; in a block, ideographs are alike."""
    scripts = [range(0x3410), range(0xA000, 0xAC10), range(0xF8F0, 0x12000), range(0x16000, 0x17000)]
    others = [range(0x1B000, 0x1FC00), range(0xE0000, 0xE01F0)]
    ideographs = [range(edge - 4, edge + 4) for edge in (0x4DC0, 0x4E00, 0xA000, 0x20000, 0x2A6E0, 0x2A700, 0x2B740)]
    ideographs += [range(edge - 4, edge + 4) for edge in (0x2B820, 0x2B920, 0x2CEB0, 0x2F800, 0x2FA20, 0x30000)]
    points = [point for part in (*scripts, *others, *ideographs) for point in part]
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
