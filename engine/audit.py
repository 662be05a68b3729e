"""What in a vocabulary cannot be used, or not alone."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import regex

from engine.alignment import AlignedText
from engine.models.bpe import BPE
from engine.models.unigram import Unigram
from engine.models.wordpiece import WordPiece
from engine.tokenizer import Tokenizer

_AROUND = (("", ""), ("a", "a"), ("", "a"), ("a", ""))
"""What may stand around a piece: nothing, or letters, so that what is done at the edges of a text is not done to it."""

_CHANGES_BEFORE = regex.compile(r"[\p{M}\u1100-\u11FF]")
"""Code points that a normalizer may join with the one before them."""


@dataclass(frozen=True)
class Audit:
    """The oddities of a vocabulary; special tokens are left out.

    Attributes:
        fragments: Ids of pieces of several bytes that are no valid UTF-8 alone: parts of characters.
        unreachable: Ids of pieces that are text, but that no text is cut into: a normalizer rewrites it, the split
            parts it, or the model cuts it otherwise.
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
    is_reached = reaches(tokenizer)
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
            meaning.decode()
        except UnicodeDecodeError:
            if len(meaning) > 1:
                fragments.append(id)
            continue
        if not is_reached(id):
            unreachable.append(id)
    twice = tuple(tuple(ids) for ids in by_piece.values() if len(ids) > 1)
    return Audit(tuple(fragments), tuple(unreachable), twice)


def reaches(tokenizer: Tokenizer) -> Callable[[int], bool]:
    """Return what tells of an id whether its piece, which must be text, is ever a token of a text.

    It is where the normalizers keep it, the split does not part it, and the model makes one token of it: alone, or with
    letters around it. The pieces of single bytes that unknown characters are written with count as reached.
    """
    model = tokenizer.model
    fallback = set(
        model.fallback if isinstance(model, Unigram) else model.alphabet.fallback if isinstance(model, BPE) else ()
    )
    kept = _Kept(tokenizer)

    def reached(id: int) -> bool:
        if id in fallback:
            return True
        word = _word(tokenizer, id)
        return _one_token(tokenizer, id, word) and kept(word, tokenizer.meaning(id).decode())

    return reached


def _word(tokenizer: Tokenizer, id: int) -> str:
    """Return a piece as it stands in what the model reads, without the marks that the model itself adds."""
    model, piece = tokenizer.model, tokenizer.vocabulary[id]
    if isinstance(model, BPE):
        return model.alphabet.meaning(piece).decode()
    return model.meaning(id).decode() if isinstance(model, WordPiece) else piece.decode()


def _one_token(tokenizer: Tokenizer, id: int, word: str) -> bool:
    """Tell whether the model makes one token of a word, wherever it stands in a pre-token."""
    model = tokenizer.model
    if isinstance(model, WordPiece):
        prefix = model.vocabulary[id].startswith(model.prefix.encode())
        return len(word) < model.longest_word if prefix else list(model.encode(word).ids) == [id]
    if not isinstance(model, BPE):
        return list(model.encode(word).ids) == [id]
    piece, mark = model.vocabulary[id], model.alphabet.end_of_word.encode()
    if piece == mark and mark:
        return True
    if model.whole and list(model.encode(word).ids) == [id]:
        return True
    return _merged(model, piece) == [id]


def _merged(model: BPE, piece: bytes) -> list[int | None]:
    """Merge the symbols of a piece: as long as the model knows them, they end as one token or as several."""
    ids: list[int | None] = [model.alphabet.ids.get(symbol) for symbol in model.alphabet.symbols(piece)]
    known = [id for id in ids if id is not None]
    if len(known) < len(ids):
        return ids
    for rank, left, right in model.merges(known):
        ids[left], ids[right] = model.products[rank], None
    return [id for id in ids if id is not None]


class _Kept:
    """Tells whether a piece comes unchanged and in one part to the model."""

    def __init__(self, tokenizer: Tokenizer) -> None:
        self._split = tokenizer.pre_tokenizer
        self._rewrites = [*tokenizer.normalizers, *([self._split.prepare] if self._split.prepare else [])]
        self._steady: dict[str, bool] = {}

    def __call__(self, word: str, text: str) -> bool:
        """Look at a piece as the model reads it, and at the text it stands for."""
        return self._survives(word, text) and any(map(partial(self._whole, word), _AROUND))

    def _survives(self, word: str, text: str) -> bool:
        if not self._rewrites or (text.isalnum() and not _CHANGES_BEFORE.search(text) and all(map(self._stays, text))):
            return True
        return any(word in self._rewritten(before + text + after) for before, after in _AROUND)

    def _stays(self, character: str) -> bool:
        if character not in self._steady:
            self._steady[character] = self._rewritten(f"a{character}a").endswith(f"a{character}a")
        return self._steady[character]

    def _rewritten(self, text: str) -> str:
        aligned = AlignedText.of(text)
        for rewrite in self._rewrites:
            aligned = rewrite(aligned)
        return aligned.text

    def _whole(self, word: str, around: tuple[str, str]) -> bool:
        """Tell whether the split leaves a word in one part between what stands around it."""
        start, stop = len(around[0]), len(around[0]) + len(word)
        parts = self._split.split(around[0] + word + around[1])
        return any(part_start <= start and stop <= part_stop for part_start, part_stop in parts)
