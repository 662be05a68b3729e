"""WordPiece: a word is cut by longest match from the left.

Source: Schuster and Nakajima 2012 (the idea); Devlin et al. 2019, arXiv:1810.04805, and the tokenization.py that BERT
was published with (longest match, `##`, a limit of 100 characters, `[UNK]` for a whole word).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from engine.counts import PreTokenCounts
from engine.model import Cut, State
from engine.models.merge_ranks import MergeRanks
from engine.models.merging import Start
from engine.once import Once
from engine.training import Recipe
from engine.vocabulary import Pieces

if TYPE_CHECKING:
    from engine.kernels.piece_trie import Trie
    from engine.models.wordpiece_loops import WordPieceLoops

PREFIX = "##"
LONGEST_WORD = 100


@dataclass(frozen=True, eq=False)
class WordPiece:
    """A WordPiece model.

    Attributes:
        vocabulary: The pieces; one that goes on inside a word starts with `prefix`.
        ids: Each piece as text -> its id.
        unknown: Id of the token for a word that cannot be cut.
        learned: How many of the last ids came from training.
        size: Ids from here on are not used, so a prefix of a model costs nothing.
        prefix: Marks a piece that does not start a word.
        longest_word: A word of more code points than this is unknown.
        trie: What the compiled loops read, shared by all prefixes of a model.

    >>> from engine.tokenizer import Tokenizer
    >>> pieces = ["[UNK]", "un", "##able", "##happy"]
    >>> model = WordPiece(Pieces([p.encode() for p in pieces]), {p: i for i, p in enumerate(pieces)}, 0, 0, 4)
    >>> Tokenizer(model).encode("unhappy").pieces
    [b'un', b'##happy']
    """

    vocabulary: Pieces
    ids: Mapping[str, int]
    unknown: int
    learned: int
    size: int
    prefix: str = PREFIX
    longest_word: int = LONGEST_WORD
    trie: Once[Trie] = field(default_factory=Once, repr=False)

    @property
    def lossless(self) -> bool:
        """Whether every pre-token comes back byte for byte: no, some are unknown."""
        return False

    def first(self, learned: int, vocabulary: Pieces) -> WordPiece:
        """Return the model of the first `learned` pieces that came from training."""
        return replace(self, learned=learned, vocabulary=vocabulary, size=len(vocabulary))

    def encode(self, word: str) -> Cut:
        """Take the longest piece that matches, from the left; a word that cannot be cut is one unknown token."""
        return self._cut(word, self.size)

    def states(self, word: str) -> Iterator[State]:
        """Yield the word uncut, then the state after each piece that was matched."""
        ids, stops = self.encode(word)
        for matched in range(len(ids) + 1):
            yield State(Cut(ids[:matched], stops[:matched]), ids[matched - 1] if matched else None)

    def meaning(self, id: int) -> bytes:
        """Return the bytes that a piece stands for: without `##`."""
        return self.vocabulary[id].removeprefix(self.prefix.encode())

    def spell(self, ids: Iterable[int], space: bytes) -> Iterator[bytes]:
        """Yield the bytes that each id adds; `space` stands before each that starts a word, except the first."""
        prefix = self.prefix.encode()
        before = b""
        for id in ids:
            piece = self.vocabulary[id]
            yield piece.removeprefix(prefix) if piece.startswith(prefix) else before + piece
            before = space

    def adds(self) -> None:
        """Return None: before a word there is a space, unless it comes first."""

    def lengths(self, words: Counter[str]) -> NDArray[np.int64]:
        """Count the tokens of `words` with the first k learned pieces: int64[learned + 1], k from 0."""
        base = self.size - self.learned
        change = np.zeros(self.learned + 1, np.int64)
        for word, count in words.items():
            before = 0
            for size, cut in self.history(word):
                change[max(size - base, 0)] += count * (len(cut.ids) - before)
                before = len(cut.ids)
        return np.cumsum(change)

    def loops(self) -> WordPieceLoops:
        """Return compiled loops that cut as this model does."""
        from engine.models.wordpiece_loops import WordPieceLoops  # not before they are ready

        return WordPieceLoops(self)

    def history(self, word: str) -> Iterator[tuple[int, Cut]]:
        """Yield how a word is cut as the vocabulary grows, as (size of the vocabulary, cut) where it may change."""
        base = self.size - self.learned
        yield base, self._cut(word, base)
        for id in sorted(self._inside(word)):
            yield id + 1, self._cut(word, id + 1)

    def _inside(self, word: str) -> set[int]:
        """Collect the learned pieces that stand somewhere in a word."""
        if len(word) > self.longest_word:
            return set()
        found: set[int] = set()
        for start in range(len(word)):
            prefix = self.prefix if start else ""
            for stop in range(start + 1, len(word) + 1):
                id = self.ids.get(prefix + word[start:stop], self.size)
                if self.size - self.learned <= id < self.size:
                    found.add(id)
        return found

    def _cut(self, word: str, size: int) -> Cut:
        if not word:
            return Cut((), ())
        whole = Cut((self.unknown,), (len(word.encode()),))
        if len(word) > self.longest_word:
            return whole
        ids: list[int] = []
        stops: list[int] = []
        start = offset = 0
        while start < len(word):
            prefix = self.prefix if start else ""
            for stop in range(len(word), start, -1):
                id = self.ids.get(prefix + word[start:stop], size)
                if id < size:
                    break
            else:
                return whole
            offset += len(word[start:stop].encode())
            ids.append(id)
            stops.append(offset)
            start = stop
        return Cut(tuple(ids), tuple(stops))


def wordpiece_start(recipe: Recipe, counts: Mapping[str, int]) -> Start:
    """Return what WordPiece starts from on a corpus, pre-token -> count: characters, marked inside a word."""
    starts, behind = PreTokenCounts.of(counts).letters()
    inside = {PREFIX + character for character in behind}
    unknown = recipe.unknown or "[UNK]"
    specials = list(recipe.special_tokens)
    if unknown not in specials:
        specials.append(unknown)
    alphabet = sorted(starts | inside)
    ids = {piece: len(specials) + i for i, piece in enumerate(alphabet)}
    special_ids = {text: id for id, text in enumerate(specials)}

    def model(pieces: Sequence[bytes | None], merges: MergeRanks) -> WordPiece:
        # Reversed, so that the smaller of two ids with one piece is found.
        learned = reversed(list(enumerate(pieces))[len(specials) :])
        by_text = {piece.decode(): id for id, piece in learned if piece}
        vocabulary = Pieces(pieces, special_ids)
        return WordPiece(vocabulary, by_text, special_ids[unknown], len(merges), len(pieces))

    return Start(
        pieces=[*(text.encode() for text in specials), *(piece.encode() for piece in alphabet)],
        symbols=lambda word: [ids[piece] for piece in _symbols(word)],
        arrays=lambda words: _arrays(words, ids),
        mark=PREFIX.encode(),
        model=model,
        needs=f"{len(specials)} special tokens and an alphabet of {len(alphabet)}",
        by_score=True,
    )


def _arrays(words: PreTokenCounts, ids: Mapping[str, int]) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """Cut all pre-tokens into characters: int32[n], their ids, and int64[words], where each pre-token stops."""
    points, stops = words.code_points()
    tables = np.zeros((2, int(points.max(initial=0)) + 1), np.int32)
    for piece, id in ids.items():
        tables[int(len(piece) > 1), ord(piece[-1])] = id
    symbols = tables[1][points]
    firsts = np.concatenate([[0], stops[:-1]])[np.diff(stops, prepend=0) > 0]
    symbols[firsts] = tables[0][points[firsts]]
    return symbols, stops


def _symbols(word: str) -> list[str]:
    """Cut a word into characters, marked inside it.

    >>> _symbols("hug")
    ['h', '##u', '##g']
    """
    return [PREFIX + character if i else character for i, character in enumerate(word)]
