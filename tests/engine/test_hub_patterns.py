"""Patterns of a tokenizer.json cut as the library's Oniguruma does, or are refused."""

from __future__ import annotations

import pytest
import regex
from hypothesis import given, settings
from hypothesis import strategies as st
from tokenizers import Regex, normalizers, pre_tokenizers

from engine.alignment import AlignedText
from engine.formats.hub_normalizers import _put
from engine.formats.hub_patterns import PROPERTIES, read
from engine.formats.hub_splits import by_behavior

POINTS = [chr(point) for point in [*range(0xD800), *range(0xE000, 0x20000), *range(0xE0000, 0xE0200)]]
# fmt: off
ATOMS = [
    r"\s", r"\S", r"\d", r"\p{L}", r"\P{N}", r"[^\r\n\p{L}\p{N}]", "a", "b", "'", "(?i:'s|'t|'re|'ve|'m|'ll|'d)",
    "(?i:[sdmt]|ll|ve|re)", "[a-c]", "[^a]", r"[\r\n]", r"\.", ".", "^", "$", r"\A", "(?=b)", r"(?!\S)", "(?<=a)",
    "(?<!a)", "(?>a+)", "(?:ab|c)", "(a|b)", "[ab[12]]", r"[^(\s|[.,!?])]", "1", "é", "ß", "s", "S", "𝟙", "[&~]",
    r"[a\]]", " ",
]
REFUSED = [
    r"\w", r"\W", r"\b", r"\B", r"\h", r"\R", r"\X", r"\N", r"\K", r"\Z", r"\z", r"\G", r"\pL", r"\p{Word}", r"\x{41}",
    r"\Qa\E", r"[\w-]", "[a&&[^b]]", "[[:alpha:]]", "[a[^b]]", "[]a]", "[a", "a{2}+", "a{2}?", "a{,2}+", "(?i:ss)",
    "(?i)a", "(?m:.)", "(?s:.)", "(?P<x>a)", r"(?<x>a)\k<x>", "(?#a)", "(?~a)", "a*", "a|b?", "^", "$",
    "(?(1)a|b)", "(?R)",
    "(a",
]
# fmt: on
COUNTS = ["", "", "", "*", "+", "?", "++", "*+", "?+", "+?", "*?", "{2}", "{1,3}", "{1,}", "{1,2}?", "{2}+"]
parts = st.tuples(st.sampled_from(ATOMS), st.sampled_from(COUNTS)).map("".join)
patterns = st.lists(st.lists(parts, min_size=1, max_size=3).map("".join), min_size=1, max_size=3).map("|".join)
texts = st.text(st.sampled_from("aab b'sSTtreRElLvd12\n\r \t.!éßſ𝟙ﬁﬆ(|"), max_size=30)


def ours(pattern: str, text: str) -> list[str]:
    return [text[start:stop] for start, stop in by_behavior(read(pattern, ValueError), "Isolated", False, text)]


def theirs(pattern: str, text: str) -> list[str]:
    return [part for part, _ in pre_tokenizers.Split(Regex(pattern), "isolated").pre_tokenize_str(text)]


@settings(max_examples=1500, database=None)
@given(patterns, texts)
def test_any_pattern_is_read_alike_or_refused(pattern: str, text: str) -> None:
    try:
        rule = read(pattern, ValueError)
    except ValueError:
        return
    try:
        made = Regex(pattern)
    except Exception:
        return  # Oniguruma refuses it, so no such file works there
    assert ours(pattern, text) == theirs(pattern, text)
    normalized = _put(rule, "_", AlignedText.of(text)).text
    assert normalized == normalizers.Replace(made, "_").normalize_str(text)


@pytest.mark.parametrize("name", sorted(PROPERTIES))
def test_every_code_point_has_the_same_properties(name: str) -> None:
    pattern = rf"[\p{{{name}}}]"
    for start in range(0, len(POINTS), 16_384):  # in parts, as a search has a time limit
        text = "".join(f"|{point}" for point in POINTS[start : start + 16_384])
        assert ours(pattern, text) == theirs(pattern, text)


@pytest.mark.parametrize("pattern", [r"\s", r"\d", "(?i:[sdmt])", "(?i:'s|'t|'re|'ve|'m|'ll|'d)", "."])
def test_every_code_point_is_matched_alike(pattern: str) -> None:
    for start in range(0, len(POINTS), 16_384):  # in parts, as a search has a time limit
        text = "".join(f"|'{point}" for point in POINTS[start : start + 16_384])
        assert ours(pattern, text) == theirs(pattern, text)


@pytest.mark.parametrize("pattern", REFUSED)
def test_what_is_read_otherwise_is_refused(pattern: str) -> None:
    with pytest.raises(ValueError, match=regex.escape(pattern[:1])):
        read(pattern, ValueError)
