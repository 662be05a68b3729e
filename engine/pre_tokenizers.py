"""Ways to cut a text into words, which no token may cross.

Every named split is a plain function from a text to spans in code points, ordered and never empty. Letters, numbers,
marks and white space are those of the pinned `regex` package (Unicode 16), never those of the running Python.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate, pairwise
from types import MappingProxyType
from typing import Any, Final, Protocol, runtime_checkable

import numpy as np
import regex
from numpy.typing import NDArray

from engine.alignment import Normalizer, Span
from engine.decoders import GLASSLLM_READ, Decoder
from engine.marked_spaces import mark_spaces, prefix_spaces, spaces_as_marks

GPT2: Final = regex.compile(r"'(?:[sdmt]|ll|ve|re)| ?\p{L}++| ?\p{N}++| ?[^\s\p{L}\p{N}]++|\s++$|\s+(?!\S)|\s")
CL100K: Final = regex.compile(
    r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}++|\p{N}{1,3}+| ?[^\s\p{L}\p{N}]++[\r\n]*+"
    r"|\s++$|\s*[\r\n]|\s+(?!\S)|\s"
)
O200K: Final = regex.compile(
    r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?"
    r"|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?"
    r"|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)
QWEN: Final = regex.compile(
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*"
    r"|\s*[\r\n]+|\s+(?!\S)|\s+"
)
TEKKEN: Final = regex.compile(
    r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+"
    r"|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*"
    r"|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)
WHITESPACE: Final = regex.compile(r"\S+")
LINES: Final = regex.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")
DIGITS: Final = regex.compile(r"\p{N}|\P{N}+")
GLASSLLM_WORDS: Final = regex.compile(r"\n|▁[^▁\n]*|[^▁\n]+")
METASPACE: Final = regex.compile(r"▁[^▁]*|[^▁]+")
MARKED_WORDS: Final = regex.compile(r"▁*[^▁]+|▁+")

# BERT counts every ASCII symbol as punctuation, and isolates the blocks of CJK ideographs, not kana or hangul.
PUNCTUATION = r"\p{P}$+<=>^`|~"
IDEOGRAPHS = (
    r"\u4E00-\u9FFF\u3400-\u4DBF\U00020000-\U0002A6DF\U0002A700-\U0002B73F\U0002B740-\U0002B81F\U0002B820-\U0002CEAF"
    r"\uF900-\uFAFF\U0002F800-\U0002FA1F"
)
BERT: Final = regex.compile(rf"[{PUNCTUATION}{IDEOGRAPHS}]|[^\s{PUNCTUATION}{IDEOGRAPHS}]+")
CLIP: Final = regex.compile(r"'s|'t|'re|'ve|'m|'ll|'d|\p{L}+|\p{N}|[^\s\p{L}\p{N}]+")


_UNSURE: Final = 4
"""Spans at the end of a window that more text may change; white space alone can be two of them."""


@dataclass(frozen=True)
class PreTokenizer:
    """A way to cut a text, with what others must know of it.

    Attributes:
        name: The name by which recipes and files call it.
        split: From a normalized text to spans in code points, ordered and never empty.
        keeps_spaces: Whether the spans tile the text; otherwise white space is dropped.
        pattern: The regular expression whose matches are the spans, where it is one.
        prepare: A rewrite that belongs to the split and runs before it.
        back: The way back from pieces to text, where the split decides it.
        steps: What a tokenizer.json calls it, where its name alone does not tell.
    """

    name: str
    split: Callable[[str], list[Span]]
    keeps_spaces: bool
    pattern: str | None = None
    prepare: Normalizer | None = None
    back: Decoder | None = None
    steps: Sequence[Mapping[str, Any]] | None = field(default=None, compare=False)


@runtime_checkable
class InWindows(Protocol):
    """A split that can be had window by window."""

    def windows(self, text: str, size: int) -> Iterator[list[Span]]:
        """Split a text window by window, each of about `size` code points."""


@dataclass(frozen=True)
class Usually:
    """A split that is a named one on all but some texts.

    Attributes:
        named: The named split.
        other: The split itself, which gives the same spans on most texts but takes longer.
        differs: Says whether a text has what the two may cut in different ways.
    """

    named: Callable[[str], list[Span]]
    other: Callable[[str], list[Span]]
    differs: Callable[[str], bool]

    def __call__(self, text: str) -> list[Span]:
        """Split a text."""
        return self.on(text)(text)

    def on(self, text: str) -> Callable[[str], list[Span]]:
        """Return the split that serves for a text."""
        return self.other if self.differs(text) else self.named


@dataclass(frozen=True)
class Tiles:
    """A split into the matches of a pattern, of which some alternative matches at every place."""

    pattern: regex.Pattern[str]

    def __call__(self, text: str) -> list[Span]:
        """Split a text."""
        return tiles(self.pattern, text)

    def edges(self, text: str) -> NDArray[np.int64]:
        """Return where the spans meet, both ends of the text included, without an object a span: int64[m + 1]."""
        return np.cumsum([0, *map(len, self.pattern.findall(text))], dtype=np.int64)


def whole(text: str) -> list[Span]:
    """Keep the text in one piece.

    >>> whole("To be")
    [Span(start=0, stop=5)]
    """
    return [Span(0, len(text))] if text else []


def whitespace(text: str) -> list[Span]:
    """Split on runs of white space and drop them.

    >>> [text[a:b] for text in ["to  be "] for a, b in whitespace(text)]
    ['to', 'be']
    """
    return _matches(WHITESPACE, text)


def lines(text: str) -> list[Span]:
    r"""Split into lines, each with its newline: LF, CR LF or CR.

    >>> [text[a:b] for text in ["to\r\n\nbe"] for a, b in lines(text)]
    ['to\r\n', '\n', 'be']
    """
    return tiles(LINES, text)


def gpt2(text: str) -> list[Span]:
    """Split into words with their leading space, numbers, punctuation and white space.

    Source: openai/tiktoken, tiktoken_ext/openai_public.py, r50k_base: GPT-2's pattern, rewritten to run faster.

    >>> [text[a:b] for text in ["It's  2024!"] for a, b in gpt2(text)]
    ['It', "'s", ' ', ' 2024', '!']
    """
    return tiles(GPT2, text)


def cl100k(text: str) -> list[Span]:
    """Split as GPT-4 does: a word takes any mark before it, numbers are cut after three digits.

    Source: openai/tiktoken, tiktoken_ext/openai_public.py, cl100k_base.

    >>> [text[a:b] for text in ["It'S (so) 2024"] for a, b in cl100k(text)]
    ['It', "'S", ' (', 'so', ')', ' ', '202', '4']
    """
    return tiles(CL100K, text)


def o200k(text: str) -> list[Span]:
    """Split as GPT-4o does: words are also cut before capitals and keep their contraction.

    Source: openai/tiktoken, tiktoken_ext/openai_public.py, o200k_base.

    >>> [text[a:b] for text in ["It's camelCase"] for a, b in o200k(text)]
    ["It's", ' camel', 'Case']
    """
    return tiles(O200K, text)


def qwen(text: str) -> list[Span]:
    """Split as Qwen does: like GPT-4, with every digit alone.

    Source: QwenLM/Qwen, tokenization_qwen.py, PAT_STR.

    >>> [text[a:b] for text in ["It's 20"] for a, b in qwen(text)]
    ['It', "'s", ' ', '2', '0']
    """
    return tiles(QWEN, text)


def tekken(text: str) -> list[Span]:
    """Split as Mistral's Tekken does: like GPT-4o, with every digit alone and no rule for contractions.

    Source: mistralai/mistral-common, tekken_240718.json, config.pattern.

    >>> [text[a:b] for text in ["It's 20"] for a, b in tekken(text)]
    ['It', "'s", ' ', '2', '0']
    """
    return tiles(TEKKEN, text)


def bert(text: str) -> list[Span]:
    """Split on white space, and isolate each punctuation mark and each CJK ideograph.

    Source: google-research/bert, tokenization.py, BasicTokenizer: _is_punctuation and _is_chinese_char.

    >>> [text[a:b] for text in ["don't 世界"] for a, b in bert(text)]
    ['don', "'", 't', '世', '界']
    """
    return _matches(BERT, text)


def clip(text: str) -> list[Span]:
    """Split into words, single digits and runs of marks, and drop white space; contractions in small letters only.

    Source: openai/CLIP, clip/simple_tokenizer.py, without its special tokens.

    >>> [text[a:b] for text in ["it's 2024 !?"] for a, b in clip(text)]
    ['it', "'s", '2', '0', '2', '4', '!?']
    """
    return _matches(CLIP, text)


def digits(text: str) -> list[Span]:
    """Isolate every digit; all other text stays together.

    A digit is any code point of category N, ½ and Ⅷ included, as in the Digits step of Hugging Face's tokenizers.

    >>> [text[a:b] for text in ["in 2024."] for a, b in digits(text)]
    ['in ', '2', '0', '2', '4', '.']
    """
    return tiles(DIGITS, text)


def metaspace(text: str) -> list[Span]:
    """Split before each ▁ (U+2581), which stands for a space.

    >>> [text[a:b] for text in ["▁to▁be"] for a, b in metaspace(text)]
    ['▁to', '▁be']
    """
    return tiles(METASPACE, text)


def marked_words(text: str) -> list[Span]:
    """Split before each ▁ (U+2581) that follows another character: several of them stay together.

    >>> [text[a:b] for text in ["▁to▁▁be▁"] for a, b in marked_words(text)]
    ['▁to', '▁▁be', '▁']
    """
    return tiles(MARKED_WORDS, text)


def glassllm(text: str) -> list[Span]:
    r"""Split before each ▁ (U+2581), which stands for a space, and isolate each newline; a tab is no cut.

    Source: the teaching tokenizer GlassLLM.

    >>> [text[a:b] for text in ["Olá▁mundo\n"] for a, b in glassllm(text)]
    ['Olá', '▁mundo', '\n']
    """
    return tiles(GLASSLLM_WORDS, text)


def windows(split: PreTokenizer, text: str, size: int = 200_000) -> Iterator[list[Span]]:
    """Split a long text window by window, so that others have their turn: together the spans are those of `split`.

    Args:
        split: A named split looks no further ahead than the white space, or the contraction, behind a match: so all
            spans of a window hold but the last few, where the next one begins. Any other split has windows of its
            own, or takes the text as one.
        text: A normalized text.
        size: Code points of a window.

    >>> text = "to be or not to be, that is the question"
    >>> [[text[a:b] for a, b in spans] for spans in windows(PRE_TOKENIZERS["gpt2"], text, size=20)]
    [['to', ' be', ' or', ' not'], [' to', ' be', ','], [' that', ' is', ' the', ' question']]
    """
    if isinstance(split.split, InWindows):
        yield from split.split.windows(text, size)
        return
    at = 0
    while split.pattern is not None and PRE_TOKENIZERS.get(split.name) is split and at + size < len(text):
        spans = split.split(text[at : at + size])
        if len(spans) <= _UNSURE:
            size *= 2
            continue
        yield [Span(at + start, at + stop) for start, stop in spans[:-_UNSURE]]
        at += spans[-_UNSURE].start
    spans = split.split(text[at:] if at else text)
    yield [Span(at + start, at + stop) for start, stop in spans] if at else spans


def pre_tokenizer(name: str) -> PreTokenizer:
    """Return the pre-tokenizer of that name.

    Raises:
        ValueError: There is none; the message lists those there are.
    """
    try:
        return PRE_TOKENIZERS[name]
    except KeyError:
        raise ValueError(f"there is no pre-tokenizer named {name!r}; choose from {', '.join(PRE_TOKENIZERS)}") from None


def tiles(pattern: regex.Pattern[str], text: str) -> list[Span]:
    """Return the spans of the matches, from their lengths alone: some alternative matches at every place."""
    return list(map(Span._make, pairwise(accumulate(map(len, pattern.findall(text)), initial=0))))


def _matches(pattern: regex.Pattern[str], text: str) -> list[Span]:
    return [Span._make(match.span()) for match in pattern.finditer(text)]


DUMMY_PREFIX: Final = PreTokenizer(
    "dummy-prefix", metaspace, keeps_spaces=True, pattern=METASPACE.pattern, prepare=prefix_spaces
)
"""The split metaspace with SentencePiece's dummy prefix: what a `.model` can say exactly."""

DUMMY_PREFIX_WHOLE: Final = PreTokenizer("dummy-prefix-whole", whole, keeps_spaces=True, prepare=prefix_spaces)
"""SentencePiece's dummy prefix and no split at all, so that pieces may cross spaces (`split_by_whitespace=False`)."""

GLASSLLM: Final = PreTokenizer(
    "glassllm",
    glassllm,
    keeps_spaces=True,
    pattern=GLASSLLM_WORDS.pattern,
    prepare=spaces_as_marks,
    back=GLASSLLM_READ,
)
"""The words of GlassLLM, and its way back."""

PRE_TOKENIZERS: Final[Mapping[str, PreTokenizer]] = MappingProxyType(
    {
        made.name: made
        for made in (
            PreTokenizer("whole", whole, keeps_spaces=True),
            PreTokenizer("whitespace", whitespace, keeps_spaces=False, pattern=WHITESPACE.pattern),
            PreTokenizer("lines", lines, keeps_spaces=True, pattern=LINES.pattern),
            PreTokenizer("gpt2", gpt2, keeps_spaces=True, pattern=GPT2.pattern),
            PreTokenizer("cl100k", cl100k, keeps_spaces=True, pattern=CL100K.pattern),
            PreTokenizer("o200k", o200k, keeps_spaces=True, pattern=O200K.pattern),
            PreTokenizer("qwen", qwen, keeps_spaces=True, pattern=QWEN.pattern),
            PreTokenizer("tekken", tekken, keeps_spaces=True, pattern=TEKKEN.pattern),
            PreTokenizer("bert", bert, keeps_spaces=False, pattern=BERT.pattern),
            PreTokenizer("clip", clip, keeps_spaces=False, pattern=CLIP.pattern),
            PreTokenizer("digits", digits, keeps_spaces=True, pattern=DIGITS.pattern),
            PreTokenizer("metaspace", metaspace, keeps_spaces=True, pattern=METASPACE.pattern, prepare=mark_spaces),
            DUMMY_PREFIX,
            DUMMY_PREFIX_WHOLE,
            GLASSLLM,
        )
    }
)
