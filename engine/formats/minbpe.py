r"""The `.model` of minbpe: the pattern of the split, the special tokens, and the pairs that merge, by their ids.

The first 256 ids are the bytes; the pair of line n makes the id 256 + n. minbpe cuts a text by `findall`, so what lies
between two matches is dropped, here too. Its `RegexTokenizer.load` keeps the pattern it was constructed with: give it
the one in the file, as in `RegexTokenizer(pattern)`. An empty pattern is that of its `BasicTokenizer`, which reads a
text whole.

Source: karpathy/minbpe, minbpe/base.py (`save`, `load`) and minbpe/regex.py.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Final

import regex

from engine.alignment import Span
from engine.formats.source import LARGEST_ID, Source
from engine.models.alphabet import Alphabet
from engine.models.bpe import BPE, Pair
from engine.models.concatenation import Concatenations
from engine.own_patterns import by_pattern
from engine.pre_tokenizers import PRE_TOKENIZERS, PreTokenizer
from engine.tokenizer import Tokenizer
from engine.vocabulary import Pieces

HEADER: Final = "minbpe v1"

# Source: karpathy/minbpe, minbpe/regex.py. Some alternative matches at every place, so nothing is dropped.
_GPT2 = r"""'(?:[sdmt]|ll|ve|re)| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"""
_GPT4 = (
    r"""'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]++[\r\n]*|\s*[\r\n]|\s+(?!\S)|\s+"""
)
_TILING = frozenset(
    [_GPT2, _GPT4, *(split.pattern for split in PRE_TOKENIZERS.values() if split.pattern and split.keeps_spaces)]
)
_SECONDS = 1.0


def read(source: Source) -> Tokenizer:
    """Read a `.model` of minbpe.

    Raises:
        ValueError: A line is broken; the message names the file and the line.
    """
    lines = source.text.removesuffix("\n").split("\n")
    if lines[0].strip() != HEADER:
        raise source.error(f"a file of minbpe starts with {HEADER!r}; got {lines[0][:40]!r}", "line 1")
    if len(lines) < 3:
        raise source.error("the pattern and the number of special tokens must follow", f"line {len(lines)}, the last")
    split = _split(source, lines[1].strip())
    count = _numbers(source, lines[2], 3, 1)[0]
    if count > len(lines) - 3:
        raise source.error(
            f"{count:,} special tokens must follow; only {len(lines) - 3:,} lines do", f"line {len(lines)}, the last"
        )
    pairs = _pairs(source, lines[3 + count :], 4 + count)
    table: list[bytes | None] = [bytes([byte]) for byte in range(256)]
    for left, right in pairs:
        table.append((table[left] or b"") + (table[right] or b""))
    specials = _specials(source, lines[3 : 3 + count], len(table))
    table += [None] * (1 + max(*specials.values(), 0, len(table) - 1) - len(table))
    for text, id in specials.items():
        table[id] = text.encode()
    alphabet = Alphabet("bytes", {bytes([byte]): byte for byte in range(256)})
    ranks = {pair: rank for rank, pair in enumerate(pairs)}
    model = BPE(alphabet, Pieces(table, specials), ranks, range(256, 256 + len(pairs)), len(pairs))
    return Tokenizer(model, (), split, source.name)


def write(tokenizer: Tokenizer) -> bytes:
    """Write a `.model` of minbpe.

    Raises:
        ValueError: The format cannot say exactly what the tokenizer does.
    """
    model = tokenizer.model
    if not isinstance(model, BPE) or model.alphabet.kind != "bytes" or model.alphabet.end_of_word:
        raise ValueError(
            "a file of minbpe holds BPE over bytes, without a mark of a word's end; this tokenizer is none"
        )
    if isinstance(model.ranks, Concatenations) or model.whole or model.tied:
        raise ValueError("a file of minbpe lists pairs; this tokenizer merges any two pieces that join to a piece")
    if any(model.alphabet.ids.get(bytes([byte])) != byte for byte in range(256)):
        raise ValueError("in minbpe the ids 0 to 255 are the bytes; in this tokenizer they are not")
    if list(model.products[: model.learned]) != list(range(256, 256 + model.learned)):
        raise ValueError("in minbpe the first merge makes the id 256, and each further one the next id; not so here")
    if tokenizer.normalizers or tokenizer.added:
        raise ValueError("a file of minbpe cannot say how text is normalized, or which tokens are read in every text")
    specials = tokenizer.vocabulary.specials
    for text in specials:
        if len(text.split()) != 1 or text != text.strip():
            raise ValueError(f"in a file of minbpe a special token cannot have white space; got {text!r}")
    pairs: list[Pair] = [(0, 0)] * model.learned
    for pair, rank in model.ranks.items():
        if rank < model.learned:
            pairs[rank] = pair
    lines = [HEADER, _pattern(tokenizer.pre_tokenizer), str(len(specials))]
    lines += [f"{text} {id}" for text, id in specials.items()]
    lines += [f"{left} {right}" for left, right in pairs]
    return "".join(line + "\n" for line in lines).encode()


def _split(source: Source, pattern: str) -> PreTokenizer:
    if not pattern:
        return PRE_TOKENIZERS["whole"]
    try:
        checked = by_pattern(pattern, "minbpe", _SECONDS)
    except ValueError as error:
        raise source.error(str(error), "line 2") from error
    compiled = regex.compile(pattern)
    if compiled.groups:
        raise source.error("a pattern with capturing groups gives minbpe the groups, not the words", "line 2")
    if pattern in _TILING:
        return checked
    return PreTokenizer("minbpe", partial(_matches, compiled), keeps_spaces=False, pattern=pattern)


def _matches(pattern: regex.Pattern[str], text: str) -> list[Span]:
    """Return the spans of the matches alone, as `findall` does."""
    limit = _SECONDS * (1 + len(text) // 250_000)
    try:
        return [Span._make(match.span()) for match in pattern.finditer(text, timeout=limit) if match.group()]
    except TimeoutError:
        raise ValueError(f"the pattern {pattern.pattern!r} needs more than {limit:g} s on this text") from None


def _pattern(split: PreTokenizer) -> str:
    if split is PRE_TOKENIZERS["whole"]:
        return ""
    pattern = split.pattern
    only_matches = not split.keeps_spaces or pattern in _TILING
    if pattern is None or split.prepare or not only_matches or regex.compile(pattern).groups:
        raise ValueError(f"minbpe splits by the matches of a pattern alone, which the split {split.name!r} does not do")
    if pattern != pattern.strip() or "\n" in pattern or "\r" in pattern:
        raise ValueError(f"in a file of minbpe the pattern is one line without spaces around it; got {pattern!r}")
    return pattern


def _pairs(source: Source, lines: Iterable[str], first: int) -> list[Pair]:
    seen: dict[Pair, None] = {}
    for number, line in enumerate(lines, first):
        left, right = _numbers(source, line, number, 2)
        limit = 256 + len(seen)
        if max(left, right) >= limit:
            raise source.error(
                f"this pair makes the id {limit}, so its ids must be below; got {max(left, right)}", f"line {number}"
            )
        if (left, right) in seen:
            raise source.error(f"the pair {left} {right} stands here for the second time", f"line {number}")
        seen[left, right] = None
    return list(seen)


def _specials(source: Source, lines: Iterable[str], first: int) -> dict[str, int]:
    specials: dict[str, int] = {}
    for number, line in enumerate(lines, 4):
        parts = line.split()
        if len(parts) != 2 or not parts[1].isdecimal():
            raise source.error(f"a special token and its id must stand here; got {line[:80]!r}", f"line {number}")
        id = int(parts[1][:10])
        if not first <= id < LARGEST_ID:
            raise source.error(
                f"the id of a special token must be from {first:,}, behind those of the merges, to {LARGEST_ID - 1:,}; "
                f"got {parts[1][:20]}",
                f"line {number}",
            )
        if parts[0] in specials or id in specials.values():
            raise source.error(f"the special token or id {line.strip()!r} stands for the second time", f"line {number}")
        specials[parts[0]] = id
    return specials


def _numbers(source: Source, line: str, number: int, count: int) -> list[int]:
    parts = line.split()
    if len(parts) != count or not all(part.isdecimal() and len(part) < 10 for part in parts):
        wanted = "one number" if count == 1 else "two ids with a space between"
        raise source.error(f"here {wanted} must stand; got {line[:80]!r}", f"line {number}")
    return [int(part) for part in parts]
