import pickle
import time
from functools import cache
from itertools import pairwise

import pytest
import regex
import tiktoken
from hypothesis import example, given
from hypothesis import strategies as st
from tokenizers import pre_tokenizers as hub

from engine.alignment import AlignedText
from engine.marked_spaces import WITHOUT_ALIGNMENT, mark_spaces
from engine.own_patterns import by_pattern
from engine.pre_tokenizers import PRE_TOKENIZERS, PreTokenizer, pre_tokenizer, whole, windows
from tests.engine.hostile import texts

# Source: tiktoken 0.14, tiktoken_ext/openai_public.py; Qwen, tokenization_qwen.py; mistral-common, tekken_240718.json.
PATTERNS = {
    "gpt2": r"'(?:[sdmt]|ll|ve|re)| ?\p{L}++| ?\p{N}++| ?[^\s\p{L}\p{N}]++|\s++$|\s+(?!\S)|\s",
    "cl100k": (
        r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}++|\p{N}{1,3}+| ?[^\s\p{L}\p{N}]++[\r\n]*+|\s++$|\s*[\r\n]"
        r"|\s+(?!\S)|\s"
    ),
    "o200k": "|".join(
        [
            r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?",
            r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?",
            r"\p{N}{1,3}",
            r" ?[^\s\p{L}\p{N}]+[\r\n/]*",
            r"\s*[\r\n]+",
            r"\s+(?!\S)",
            r"\s+",
        ]
    ),
    "qwen": (
        r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*"
        r"|\s*[\r\n]+|\s+(?!\S)|\s+"
    ),
    "tekken": (
        r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+"
        r"|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*"
        r"|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+"
    ),
}

EVERY = [chr(point) for point in range(0x110000) if not 0xD800 <= point <= 0xDFFF]


def pieces(name: str, text: str) -> list[str]:
    return [text[start:stop] for start, stop in pre_tokenizer(name).split(text)]


@cache
def pair_tokenizer(pattern: str) -> tiktoken.Encoding:
    """Make a tiktoken encoding in which any two bytes merge, so that its tokens betray where it splits."""
    singles = {bytes([value]): value for value in range(256)}
    pairs = {bytes([a, b]): 256 + 256 * a + b for a in range(256) for b in range(256)}
    return tiktoken.Encoding("pairs", pat_str=pattern, mergeable_ranks=singles | pairs, special_tokens={})


@pytest.mark.parametrize("name", PRE_TOKENIZERS)
@given(text=texts)
def test_spans_are_ordered_not_empty_and_in_bounds(name, text):
    made = pre_tokenizer(name)
    text = made.prepare(AlignedText.of(text)).text if made.prepare else AlignedText.of(text).text
    spans = made.split(text)
    assert all(start < stop for start, stop in spans)
    assert all(earlier.stop <= later.start for earlier, later in pairwise(spans))
    assert not spans or (spans[0].start >= 0 and spans[-1].stop <= len(text))
    if made.keeps_spaces:
        assert "".join(text[start:stop] for start, stop in spans) == text
    else:
        dropped = regex.sub(r"\s", "", text)
        assert "".join(regex.sub(r"\s", "", text[start:stop]) for start, stop in spans) == dropped


@pytest.mark.parametrize("name", PATTERNS)
@given(text=texts)
def test_patterns_equal_the_regex_package(name, text):
    assert pre_tokenizer(name).split(text) == [match.span() for match in regex.finditer(PATTERNS[name], text)]


@pytest.mark.parametrize("name", [name for name, made in PRE_TOKENIZERS.items() if made.pattern])
@given(text=texts)
def test_the_pattern_that_is_told_is_the_one_that_splits(name, text):
    made = pre_tokenizer(name)
    assert made.split(text) == [match.span() for match in regex.finditer(made.pattern or "", text)]


@pytest.mark.parametrize("name", PATTERNS)
@given(text=texts)
def test_patterns_split_as_tiktoken_does(name, text):
    oracle = pair_tokenizer(PATTERNS[name])
    ids = [token for piece in pieces(name, text) for token in oracle._encode_single_piece(piece.encode())]
    assert ids == oracle.encode_ordinary(text)


@pytest.mark.parametrize("name", PATTERNS)
def test_patterns_split_all_code_points_as_tiktoken_does(name):
    """The letters, numbers, marks and white space of both are those of the same Unicode."""
    oracle = pair_tokenizer(PATTERNS[name])
    text = "\n".join("".join(EVERY[start : start + 40]) for start in range(0, len(EVERY), 40))
    ids = [token for piece in pieces(name, text) for token in oracle._encode_single_piece(piece.encode())]
    assert ids == oracle.encode_ordinary(text)


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("whole", " a b\n", [" a b\n"]),
        ("whitespace", " to  be\tor\u3000not\xa0to\x85be\u2028", ["to", "be", "or", "not", "to", "be"]),
        ("whitespace", "a\x1cb\u200bc\ufeffd", ["a\x1cb\u200bc\ufeffd"]),
        ("lines", "a\n\nb\r\nc\rd", ["a\n", "\n", "b\r\n", "c\r", "d"]),
        ("lines", "a\u2028b\x0bc", ["a\u2028b\x0bc"]),
        ("gpt2", "I'll DON'T 12345", ["I", "'ll", " DON", "'", "T", " 12345"]),
        ("gpt2", "a\r\n\r\n b  ", ["a", "\r\n\r\n", " b", "  "]),
        ("gpt2", "a   b", ["a", "  ", " b"]),
        ("gpt2", "a\u3000\u3000b\xa0c", ["a", "\u3000", "\u3000", "b", "\xa0", "c"]),
        ("cl100k", "I'LL don’t 12345", ["I", "'LL", " don", "’t", " ", "123", "45"]),
        ("cl100k", "a\r\n\r\n b\xa0c  ", ["a", "\r\n\r\n", " b", "\xa0c", "  "]),
        ("cl100k", "a\n  ", ["a", "\n  "]),
        ("cl100k", "dog. dog! dog?", ["dog", ".", " dog", "!", " dog", "?"]),
        ("o200k", "HTTPServer don't camelCase", ["HTTPServer", " don't", " camel", "Case"]),
        ("o200k", "a/\n b12345", ["a", "/\n", " b", "123", "45"]),
        ("qwen", "Don't 2024", ["Don", "'t", " ", "2", "0", "2", "4"]),
        ("tekken", "don't 20", ["don", "'t", " ", "2", "0"]),
        ("bert", "don't $1.50 世界a", ["don", "'", "t", "$", "1", ".", "50", "世", "界", "a"]),
        ("bert", "`^~¿—„x_y", ["`", "^", "~", "¿", "—", "„", "x", "_", "y"]),
        ("bert", "ひら한국𠮷\uf900", ["ひら한국", "𠮷", "\uf900"]),
        ("digits", "in 2024½.", ["in ", "2", "0", "2", "4", "½", "."]),
        ("metaspace", "▁to▁▁be", ["▁to", "▁", "▁be"]),
    ],
)
def test_known_splits(name, text, expected):
    assert pieces(name, text) == expected


@pytest.mark.parametrize("name", PRE_TOKENIZERS)
def test_an_empty_text_has_no_pre_tokens(name):
    made = pre_tokenizer(name)
    assert made.split("") == []
    assert made.prepare is None or made.prepare(AlignedText.of("")).text == ""


# Newer symbols and marks aside, on which the Hub's tables are older (Unicode 8 for punctuation).
familiar = st.text(st.characters(max_codepoint=0x2FFF, exclude_categories=["Cn", "Cs"]), max_size=20).filter(
    lambda text: not regex.search(r"[\p{P}--[\x00-\u04ff\u2000-\u206f]]", text, flags=regex.V1)
)


@given(familiar)
def test_bert_equals_the_hub(text):
    # Source: tokenizers 0.23, BertPreTokenizer, which leaves ideographs to BertNormalizer.
    assert pre_tokenizer("bert").split(text) == [span for _, span in hub.BertPreTokenizer().pre_tokenize_str(text)]


@given(texts)
def test_digits_equal_the_hub(text):
    oracle = hub.Digits(individual_digits=True)
    assert pre_tokenizer("digits").split(text) == [span for _, span in oracle.pre_tokenize_str(text)]


@given(texts)
def test_metaspace_equals_the_hub(text):
    prepared = mark_spaces(AlignedText.of(text)).text
    expected = [piece for piece, _ in hub.Metaspace(prepend_scheme="always", split=True).pre_tokenize_str(text)]
    assert pieces("metaspace", prepared) == expected


def test_the_prepended_space_comes_from_no_bytes():
    aligned = mark_spaces(AlignedText.of("é b"))
    assert aligned.text == "▁é▁b"
    assert aligned.sources([[0, 3], [3, 5], [5, 8], [8, 9]]).tolist() == [[0, 0], [0, 2], [2, 3], [3, 4]]


@pytest.mark.parametrize("text", [" a", "▁a"])
def test_a_space_at_the_start_is_enough(text):
    assert mark_spaces(AlignedText.of(text)).text == "▁a"


OWN = (
    *(r"\p{L}+", r"", r"a|é|\s", r"(?=a)", r"\b", r"(?<=s).", r"$", r"\X", r"(?=.\K).", r".(?<=\K..)"),
    *(r"\Ga", r"^.", r"(?m)^.", r"a(?=b)|(?<=b)a", r"\Aab?", r"a\Kb", r"a*"),
)


@given(texts, st.sampled_from(OWN))
@example("abc", r".(?<=\K..)")
def test_own_patterns_drop_nothing(text, pattern):
    spans = by_pattern(pattern).split(text)
    assert "".join(text[start:stop] for start, stop in spans) == text
    assert all(start < stop for start, stop in spans)


@given(texts)
def test_own_pattern_gives_matches_and_what_lies_between(text):
    matches = {match.span() for match in regex.finditer(r"[\p{L}']+", text)}
    spans = by_pattern(r"[\p{L}']+").split(text)
    assert matches <= set(spans)
    assert all(not regex.search(r"[\p{L}']", text[a:b]) for a, b in set(spans) - matches)


@pytest.mark.parametrize(
    ("pattern", "word"),
    [
        ("a(b", r"missing \) at position 3"),
        ("[z-a]", r"bad character range at position 4"),
        (r"\p{Nonsense}", "unknown property at position"),
        ("a" * 2_001, "2,000 characters"),
        ("a{1000000000}", "repeat counts"),
        ("((a{1000}){1000})", "repeat counts"),
        ("(" * 1_900, "nested too deeply|position"),
        ("(?r)a", "backwards"),
    ],
)
def test_a_broken_pattern_is_a_clear_error(pattern, word):
    with pytest.raises(ValueError, match=word):
        by_pattern(pattern)


@pytest.mark.parametrize(
    ("pattern", "text"), [("(?:a|aa)+$", "a" * 5_000 + "b"), ("(?R)", "ab"), ("(?:[ab]|ab)+[cd]", "ab" * 9_999)]
)
def test_a_pattern_that_never_ends_is_stopped(pattern, text):
    began = time.process_time()
    with pytest.raises(ValueError, match=r"more than 0\.2 s on this text of .* code points"):
        by_pattern(pattern, seconds=0.2).split(text)
    assert time.process_time() - began < 2


def test_own_patterns_travel_to_other_processes():
    made = pickle.loads(pickle.dumps(by_pattern(r"\d+", name="numbers")))
    assert (made.name, made.pattern, made.split("a12")) == ("numbers", r"\d+", [(0, 1), (1, 3)])


def test_an_unknown_name_lists_the_known_ones():
    with pytest.raises(ValueError, match=r"'gpt5'.*whole, whitespace, lines, gpt2, cl100k"):
        pre_tokenizer("gpt5")
    assert isinstance(pre_tokenizer("gpt2"), PreTokenizer)


def test_long_runs_take_time_in_proportion():
    for name in PRE_TOKENIZERS:
        for unit in ("a", "A", "^", " ", "\n", "'", "1", "aA", " \n", "世"):
            began = time.process_time()
            pre_tokenizer(name).split(unit * 50_000)
            assert time.process_time() - began < 3, (name, unit)


@pytest.mark.parametrize("name", PRE_TOKENIZERS)
@given(
    st.lists(st.one_of(texts, st.sampled_from(["'re", "'LL", "\r\n", "  \n  ", "ABCd", "1234", " \u3000x", "!\n/"])))
)
def test_windows_give_the_spans_of_the_whole(name: str, parts: list[str]) -> None:
    split, text = pre_tokenizer(name), "".join(parts)
    for size in (7, 16, 61):
        assert [span for spans in windows(split, text, size) for span in spans] == split.split(text)


def test_a_function_of_ones_own_takes_the_text_at_once() -> None:
    assert len(list(windows(PreTokenizer("mine", whole, keeps_spaces=True), "aab" * 50, size=10))) == 1


@pytest.mark.parametrize("pattern", OWN)
@given(text=texts | st.text("ab s\n"))
def test_windows_of_an_own_pattern_give_the_spans_of_the_whole(pattern: str, text: str) -> None:
    split = by_pattern(pattern)
    for size in (1, 3, 20):
        cut = list(windows(split, text, size))
        assert [span for spans in cut for span in spans] == split.split(text)
        assert all(spans[-1].stop - spans[0].start >= size for spans in cut[:-1])


def test_the_time_limit_is_one_for_all_windows() -> None:
    waits = windows(by_pattern("(?:a|aa)+$|b", seconds=0.4), ("a" * 24 + "b") * 2_000, size=10)
    began = time.process_time()
    with pytest.raises(ValueError, match=r"more than 0\.4 s"):
        list(waits)
    assert 0.3 < time.process_time() - began < 4


def test_what_the_reader_of_windows_does_meanwhile_is_not_counted() -> None:
    waits = windows(by_pattern("a", seconds=0.2), "ab" * 50, size=50)
    next(waits)
    began = time.process_time()
    while time.process_time() - began < 0.3:
        pass
    assert [span for spans in waits for span in spans][-1].stop == 100


@given(text=texts | st.text("a ▁"))
def test_spaces_are_marked_alike_with_and_without_alignment(text):
    aligned = AlignedText.of(text)
    for prepare, rewrite in WITHOUT_ALIGNMENT.items():
        assert rewrite(aligned.text) == prepare(aligned).text
