"""The codes of subword-nmt: one merge a line, in order.

Ids do not exist in this format. Here `<unk>` is 0; then come the characters that stand in the codes, in code-point
order; then the same ones as they stand at the end of a word, with `</w>`; then what each merge makes, in the order of
the lines. subword-nmt leaves a character that it has never seen as it is; here it is `<unk>`.

In version 0.2 the mark `</w>` is fused to the last character of a word, in 0.1 (files without a header) it is a symbol
of its own, which then is the last of the alphabet. Words are what stands between spaces and line ends: a tab is part of
a word.

Source: rsennrich/subword-nmt 0.3.8, subword_nmt/apply_bpe.py; Sennrich et al. 2016, arXiv:1508.07909.
"""

from __future__ import annotations

from typing import Final

import regex

from engine.alignment import Span
from engine.formats.source import LARGEST_ID, Source
from engine.models.alphabet import Alphabet
from engine.models.bpe import BPE, Pair
from engine.models.concatenation import Concatenations
from engine.pre_tokenizers import PRE_TOKENIZERS, PreTokenizer
from engine.tokenizer import Tokenizer
from engine.utf8 import BYTE_LETTERS
from engine.vocabulary import Pieces

HEADER: Final = "#version:"
_END = "</w>"
_UNKNOWN = "<unk>"
_WORD = regex.compile(r"[^ \r\n]+")


def words(text: str) -> list[Span]:
    r"""Split at spaces and line ends, which are dropped.

    >>> [text[a:b] for text in ["a\tb  c\n"] for a, b in words(text)]
    ['a\tb', 'c']
    """
    return [Span._make(match.span()) for match in _WORD.finditer(text)]


_SPLIT = PreTokenizer("spaces", words, keeps_spaces=False, pattern=_WORD.pattern)


def read(source: Source) -> Tokenizer:
    """Read codes of the versions 0.1 and 0.2.

    Raises:
        ValueError: A line is broken; the message names the file and the line.
    """
    lines = source.text.rstrip("\n").split("\n")
    joined = _joined(source, lines[0])
    first = 2 if lines[0].startswith(HEADER) else 1
    merges = [_merge(source, line, number) for number, line in enumerate(lines[first - 1 :], first)]
    if len(merges) >= LARGEST_ID:
        raise source.error(f"it has more than {LARGEST_ID:,} merges")
    texts = _alphabet(merges, joined)
    ids = {text: id for id, text in enumerate([_UNKNOWN, *texts])}
    ranks: dict[Pair, int] = {}
    products: list[int] = []
    for number, (left, right) in enumerate(merges, first):
        for part in (left, right):
            if part not in ids:
                raise source.error(f"{part!r} is neither a character nor made by a merge before", f"line {number}")
        pair = ids[left], ids[right]
        if pair not in ranks:  # of two equal lines the first counts
            ranks[pair] = len(products)
            products.append(ids.setdefault(left + right, len(ids)))
    symbols = {text.encode(): ids[text] for text in texts}
    alphabet = Alphabet("characters", symbols, ids[_UNKNOWN], _END, joined)
    vocabulary = Pieces([text.encode() for text in ids], {_UNKNOWN: ids[_UNKNOWN]})
    return Tokenizer(BPE(alphabet, vocabulary, ranks, products, len(products)), (), _SPLIT, source.name)


def sniffed(source: Source) -> str:
    """Tell codes from the `merges.txt` of GPT-2, which has the same header but writes bytes as letters.

    Raises:
        ValueError: It looks like a `merges.txt`.
    """
    letters = set(source.text) - set(" \r\n")
    if letters.issubset(BYTE_LETTERS) and any("\u0100" <= letter <= "\u0143" for letter in letters):
        raise source.error(
            "this looks like a merges.txt, which writes bytes as letters such as Ġ: give it as (vocab, merges). If "
            'these are codes of subword-nmt, name the format "subword-nmt"'
        )
    return "subword-nmt"


def write(tokenizer: Tokenizer) -> bytes:
    """Write codes; words must then be given to subword-nmt with single spaces between.

    Raises:
        ValueError: The format cannot say exactly what the tokenizer does.
    """
    model = tokenizer.model
    if not isinstance(model, BPE) or model.alphabet.kind != "characters" or model.alphabet.end_of_word != _END:
        raise ValueError(f"codes of subword-nmt hold BPE over characters with the end of word {_END!r}; this is none")
    if isinstance(model.ranks, Concatenations) or model.whole or model.tied or model.alphabet.fallback:
        raise ValueError("codes of subword-nmt are a list of pairs, each with a rank of its own; not so here")
    if tokenizer.normalizers or tokenizer.added:
        raise ValueError("codes of subword-nmt cannot say how text is normalized, or which tokens stand in every text")
    specials = [text for text, id in tokenizer.vocabulary.specials.items() if id != model.unknown]
    if specials:
        raise ValueError(f"codes of subword-nmt have no place for special tokens; this tokenizer has {specials[0]!r}")
    if tokenizer.pre_tokenizer not in (_SPLIT, PRE_TOKENIZERS["whitespace"]):
        raise ValueError(
            f"subword-nmt reads words with spaces between; this tokenizer splits by {tokenizer.pre_tokenizer.name!r}"
        )
    lines = [f"{HEADER} 0.{2 if model.alphabet.joined else 1}"]
    for left, right in sorted(model.ranks, key=model.ranks.__getitem__)[: model.learned]:
        lines.append(f"{model.vocabulary[left].decode()} {model.vocabulary[right].decode()}")
    return "".join(line + "\n" for line in lines).encode()


def _joined(source: Source, line: str) -> bool:
    if not line.startswith(HEADER):
        return False
    version = line.removeprefix(HEADER).strip()
    if version not in ("0.1", "0.2"):
        raise source.error(f"the version must be 0.1 or 0.2; got {version[:40]!r}", "line 1")
    return version == "0.2"


def _merge(source: Source, line: str, number: int) -> tuple[str, str]:
    parts = line.strip("\r ").split(" ")
    if len(parts) != 2 or not all(parts):
        raise source.error(f"a line must be two pieces with a space between; got {line[:80]!r}", f"line {number}")
    return parts[0], parts[1]


def _alphabet(merges: list[tuple[str, str]], joined: bool) -> list[str]:
    parts = {part for merge in merges for part in merge}
    characters = sorted(set("".join(part.removesuffix(_END) for part in parts)))
    return characters + ([character + _END for character in characters] if joined else [_END])
