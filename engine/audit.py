"""What in a vocabulary cannot be used, or not alone."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

from engine.tokenizer import Tokenizer


@dataclass(frozen=True)
class Audit:
    """The oddities of a vocabulary; special tokens are left out.

    Attributes:
        fragments: Ids of pieces of several bytes that are no valid UTF-8 alone: parts of characters.
        unreachable: Ids of pieces that are text, but whose text is encoded otherwise.
        duplicates: Groups of ids that have one piece.
    """

    fragments: tuple[int, ...]
    unreachable: tuple[int, ...]
    duplicates: tuple[tuple[int, ...], ...]


def audit(tokenizer: Tokenizer) -> Audit:
    r"""Look at every piece: is it text, is it reached by encoding its own text, does it stand once?

    >>> from engine.hand import from_merges
    >>> tokenizer = from_merges("bytes", [(b"b", b"c"), (b"a", b"b"), (b"ab", b"c"), (b"\xe2", b"\x82")])
    >>> audit(tokenizer)
    Audit(fragments=(259,), unreachable=(258,), duplicates=())
    """
    special = {*tokenizer.vocabulary.specials.values(), *tokenizer.added.values()}
    fragments: list[int] = []
    unreachable: list[int] = []
    by_piece: defaultdict[bytes, list[int]] = defaultdict(list)
    for id in range(tokenizer.vocab_size):
        try:
            meaning = tokenizer.meaning(id)
        except ValueError:  # the vocabulary leaves this id unused
            continue
        by_piece[tokenizer.vocabulary[id]].append(id)
        if id in special:
            continue
        try:
            text = meaning.decode()
        except UnicodeDecodeError:
            if len(meaning) > 1:
                fragments.append(id)
            continue
        if _ids(tokenizer, text) != [id]:
            unreachable.append(id)
    twice = tuple(tuple(ids) for ids in by_piece.values() if len(ids) > 1)
    return Audit(tuple(fragments), tuple(unreachable), twice)


def _ids(tokenizer: Tokenizer, text: str) -> list[int]:
    """Encode without spans where nothing rewrites the text: a vocabulary has up to 250,000 pieces to go through."""
    split = tokenizer.pre_tokenizer
    if tokenizer.normalizers or tokenizer.added or split.prepare:
        ids: list[int] = tokenizer.encode(text).ids.tolist()
        return ids
    return [id for start, stop in split.split(text) for id in tokenizer.model.encode(text[start:stop]).ids]
