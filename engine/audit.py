"""What in a vocabulary cannot be used, or not alone."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import NamedTuple

import numpy as np
import regex

from engine.alignment import AlignedText
from engine.kernels import serve
from engine.model import Loops
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
    auditing = Auditing(tokenizer)
    auditing.advance(auditing.total)
    return auditing.run()


class _Piece(NamedTuple):
    """A piece: its id, what the vocabulary writes, the bytes it stands for, and the word that the model reads.

    The word is without the marks that the model itself adds; None where the piece is no text.
    """

    id: int
    written: bytes
    meaning: bytes
    word: str | None


class Auditing:
    """An audit under way: it advances in slices of ids, and can be left after each."""

    def __init__(self, tokenizer: Tokenizer) -> None:
        """Begin before the first id."""
        self._tokenizer = tokenizer
        self._special = {*tokenizer.vocabulary.specials.values(), *tokenizer.added.values()}
        self._reach = _Reach(tokenizer)
        self._fragments: list[int] = []
        self._unreachable: list[int] = []
        self._by_piece: defaultdict[bytes, list[int]] = defaultdict(list)
        self._done = 0

    @property
    def done(self) -> int:
        """Ids so far."""
        return self._done

    @property
    def total(self) -> int:
        """Ids in all."""
        return self._tokenizer.vocab_size

    @property
    def finished(self) -> bool:
        """Whether every id was looked at."""
        return self._done >= self.total

    def advance(self, steps: int) -> None:
        """Look at up to `steps` further ids."""
        stop = min(self._done + steps, self.total)
        pieces = [piece for id in range(self._done, stop) if (piece := _read(self._tokenizer, id))]
        alone = self._cut_alone([piece for piece in pieces if piece.word])
        for piece in pieces:
            self._look_at(piece, piece.id in alone)
        self._done = stop

    def run(self) -> Audit:
        """Return what is found so far."""
        twice = tuple(tuple(ids) for ids in self._by_piece.values() if len(ids) > 1)
        return Audit(tuple(self._fragments), tuple(self._unreachable), twice)

    def _look_at(self, piece: _Piece, alone: bool) -> None:
        self._by_piece[piece.written].append(piece.id)
        if piece.id in self._special:
            return
        try:
            text = piece.meaning.decode()
        except UnicodeDecodeError:
            if len(piece.meaning) > 1:
                self._fragments.append(piece.id)
            return
        if not self._reach.reached(piece, text, alone):
            self._unreachable.append(piece.id)

    def _cut_alone(self, pieces: Sequence[_Piece]) -> set[int]:
        """Return ids that the model makes of their own words, as far as compiled loops can say.

        Of the others nothing is known: the loops are not there, or the model cuts the word otherwise.
        """
        if self._loops is None or not pieces:
            return set()
        from engine.text_parts import padded  # not before the loops are ready

        words = [(piece.word or "").encode() for piece in pieces]
        stops = np.cumsum(np.fromiter(map(len, words), np.int64, len(words)))
        cuts = self._loops.cut(padded(b"".join(words)), np.stack([np.concatenate([[0], stops[:-1]]), stops], axis=1))
        first = np.cumsum(cuts.sizes, dtype=np.int64) - cuts.sizes
        single = np.flatnonzero(cuts.sizes == 1)
        made = cuts.ids[first[single]].tolist()
        return {pieces[i].id for i, id in zip(single.tolist(), made, strict=True) if pieces[i].id == id}

    @cached_property
    def _loops(self) -> Loops | None:
        return self._tokenizer.model.loops() if serve(16 * self.total) else None


def reaches(tokenizer: Tokenizer) -> Callable[[int], bool]:
    """Return what tells of an id whether its piece, which must be text, is ever a token of a text.

    It is where the normalizers keep it, the split does not part it, and the model makes one token of it: alone, or with
    letters around it. The pieces of single bytes that unknown characters are written with count as reached.
    """
    reach = _Reach(tokenizer)

    def reached(id: int) -> bool:
        piece = _read(tokenizer, id)
        return piece is not None and reach.reached(piece, piece.meaning.decode())

    return reached


class _Reach:
    """Tells whether pieces are ever tokens of a text."""

    def __init__(self, tokenizer: Tokenizer) -> None:
        model = tokenizer.model
        self._tokenizer = tokenizer
        self._kept = _Kept(tokenizer)
        self._fallback = set(
            model.fallback if isinstance(model, Unigram) else model.alphabet.fallback if isinstance(model, BPE) else ()
        )

    def reached(self, piece: _Piece, text: str, alone: bool = False) -> bool:
        """Look at a piece and the text it stands for; `alone`: the model is known to make one token of its word."""
        if piece.id in self._fallback:
            return True
        word = piece.word
        if word is None:
            return False
        return (alone or _one_token(self._tokenizer, piece.id, word)) and self._kept(word, text)


def _read(tokenizer: Tokenizer, id: int) -> _Piece | None:
    """Return a piece; None where the vocabulary leaves the id unused."""
    try:
        meaning = tokenizer.meaning(id)
    except ValueError:
        return None
    model, written = tokenizer.model, tokenizer.vocabulary[id]
    if isinstance(model, BPE):
        word = model.alphabet.meaning(written)
    else:
        word = model.meaning(id) if isinstance(model, WordPiece) else written
    try:
        return _Piece(id, written, meaning, word.decode())
    except UnicodeDecodeError:
        return _Piece(id, written, meaning, None)


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
        self._steady: dict[tuple[str, str], bool] = {}

    def __call__(self, word: str, text: str) -> bool:
        """Look at a piece as the model reads it, and at the text it stands for."""
        return self._survives(word, text) and any(map(partial(self._whole, word), _AROUND))

    def _survives(self, word: str, text: str) -> bool:
        if not self._rewrites:
            return True
        plain = text.removeprefix(" ").isalnum() and not _CHANGES_BEFORE.search(text)
        if plain and len(word) == len(text) and all(map(self._becomes, text, word)):
            return True
        return any(word in self._rewritten(before + text + after) for before, after in _AROUND)

    def _becomes(self, character: str, other: str) -> bool:
        """Tell whether a character is rewritten to another, or stays, between letters."""
        pair = character, other
        if pair not in self._steady:
            self._steady[pair] = self._rewritten(f"a{character}a").endswith(f"a{other}a")
        return self._steady[pair]

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
