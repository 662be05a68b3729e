"""Tokenizers that are made by hand, without a training."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal

from engine.models.alphabet import Alphabet
from engine.models.bpe import BPE
from engine.models.lookup import Unicode
from engine.tokenizer import Tokenizer
from engine.vocabulary import Pieces


def from_merges(
    alphabet: Literal["bytes"] | Iterable[str],
    merges: Sequence[tuple[bytes, bytes] | tuple[str, str]],
    special_tokens: Sequence[str] = (),
) -> Tokenizer:
    """Make a BPE tokenizer of merges that are written as pieces; it reads a text whole.

    Args:
        alphabet: "bytes" for all 256, or the characters; ids follow the order given.
        merges: Left and right piece of each merge, by rank.
        special_tokens: Pieces with the first ids. With a character alphabet, `<unk>` is put behind them if missing.

    Raises:
        ValueError: A merge joins a piece that is neither in the alphabet nor made by an earlier merge, or what another
            joins before it; or the alphabet has a character twice.

    >>> tokenizer = from_merges("bytes", [(b"a", b"a"), (b"aa", b"b")])
    >>> tokenizer.encode("aaab").ids.tolist()
    [256, 97, 98]
    """
    specials = list(special_tokens)
    if alphabet == "bytes":
        symbols = [bytes([byte]) for byte in range(256)]
        unknown = None
    else:
        symbols = [character.encode() for character in _different(alphabet)]
        if "<unk>" not in specials:
            specials.append("<unk>")
        unknown = specials.index("<unk>")
    pieces = [*(text.encode() for text in specials), *symbols]
    ids = {symbol: len(specials) + i for i, symbol in enumerate(symbols)}
    made = dict(ids)
    ranks: dict[tuple[int, int], int] = {}
    for rank, pair in enumerate(merges):
        parts = [part.encode() if isinstance(part, str) else part for part in pair]
        if len(parts) != 2:
            raise ValueError(f"merge {rank} must join two pieces; got {pair!r}")
        for part in parts:
            if part not in made:
                raise ValueError(f"merge {rank} names {part!r}, neither in the alphabet nor made before")
        left, right = map(made.__getitem__, parts)
        if (left, right) in ranks:
            raise ValueError(f"merge {rank} joins {pair!r}, as merge {ranks[left, right]} does before it")
        ranks[left, right] = rank
        made.setdefault(b"".join(parts), len(pieces))
        pieces.append(b"".join(parts))
    kind: Literal["bytes", "characters"] = "bytes" if alphabet == "bytes" else "characters"
    special_ids = {text: id for id, text in enumerate(specials)}
    base = len(pieces) - len(merges)
    model = BPE(Alphabet(kind, ids, unknown), Pieces(pieces, special_ids), ranks, range(base, len(pieces)), len(merges))
    return Tokenizer(model, name="by hand")


def _different(alphabet: Iterable[str]) -> list[str]:
    seen: dict[str, None] = {}
    for character in alphabet:
        if len(character) != 1 or character in seen:
            raise ValueError(f'alphabet must be "bytes", or characters that are all different; got {character!r}')
        seen[character] = None
    return list(seen)


def codepoints() -> Tokenizer:
    """Return the tokenizer whose ids are code points.

    >>> codepoints().encode("Olá").ids.tolist()
    [79, 108, 225]
    """
    return Tokenizer(Unicode(), name="code points")
