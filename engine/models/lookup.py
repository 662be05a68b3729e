"""The two baselines, a vocabulary of whole words and one of single characters; and Unicode itself.

All three look a part of the text up and do nothing else.
"""

from __future__ import annotations

import zlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import accumulate, groupby
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from engine.alignment import Normalizer
from engine.encoding import UNKNOWN_ID
from engine.model import Cut, State
from engine.piece_table import PieceTable
from engine.pre_tokenizers import PreTokenizer
from engine.ties import mixed
from engine.training import Columns, Recipe, Rival, Stop, TrainingRun
from engine.vocabulary import CodePoints, Pieces, Vocabulary

if TYPE_CHECKING:
    from engine.models.lookup_loops import LookupLoops


@dataclass(frozen=True, eq=False)
class Lookup:
    """A model that knows whole words, or single characters.

    Attributes:
        by_character: True: a pre-token is cut into code points. False: it stays whole.
        vocabulary: The pieces.
        ids: Each piece as text -> its id.
        unknown: Id of the token for what is not in the vocabulary; None gives the id -1, shown as `<unk>`.
        learned: How many of the last ids came from training.
        size: Ids from here on are not used, so a prefix of a model costs nothing.
    """

    by_character: bool
    vocabulary: Pieces
    ids: Mapping[str, int]
    unknown: int | None
    learned: int
    size: int

    @property
    def lossless(self) -> bool:
        """Whether every pre-token comes back byte for byte: no, some are unknown."""
        return False

    def first(self, learned: int, vocabulary: Pieces) -> Lookup:
        """Return the model of the first `learned` pieces that came from training."""
        return replace(self, learned=learned, vocabulary=vocabulary, size=len(vocabulary))

    def encode(self, word: str) -> Cut:
        """Look the word up, or each of its characters."""
        parts = self._parts(word)
        unknown = UNKNOWN_ID if self.unknown is None else self.unknown
        found = (self.ids.get(part, self.size) for part in parts)
        ids = tuple(unknown if number >= self.size else number for number in found)
        return Cut(ids, tuple(accumulate(len(part.encode()) for part in parts)))

    def states(self, word: str) -> Iterator[State]:
        """Yield the one state there is."""
        yield State(self.encode(word))

    def meaning(self, id: int) -> bytes:
        """Return the bytes that a piece stands for: the piece itself."""
        return self.vocabulary[id]

    def spell(self, ids: Iterable[int], space: bytes) -> Iterator[bytes]:
        """Yield the bytes that each id adds; whole words are set apart by `space`, -1 is written `<unk>`."""
        unknown = self.unknown is None and not self.by_character
        before = b""
        for id in ids:
            yield before + (b"<unk>" if unknown and id == UNKNOWN_ID else self.vocabulary[id])
            before = b"" if self.by_character else space

    def adds(self) -> PieceTable | None:
        """Return what each id adds to a text; None for words, as there is no space before the first."""
        return self.vocabulary.packed if self.by_character else None

    def lengths(self, words: Counter[str]) -> NDArray[np.int64]:
        """Count the tokens of `words` with the first k learned pieces: the same for every k, int64[learned + 1]."""
        total = sum(count * len(self._parts(word)) for word, count in words.items())
        return np.full(self.learned + 1, total, np.int64)

    def loops(self) -> LookupLoops:
        """Return compiled loops that cut as this model does."""
        from engine.models.lookup_loops import LookupLoops  # not before they are ready

        return LookupLoops(self)

    def _parts(self, word: str) -> Sequence[str]:
        if self.by_character:
            return word
        return [word] if word else []


@dataclass(frozen=True)
class Unicode:
    """The model whose ids are code points: nothing is learned and nothing is unknown."""

    vocabulary: Vocabulary = field(default_factory=CodePoints)
    learned: int = 0
    lossless: bool = True
    unknown: int | None = None

    def encode(self, word: str) -> Cut:
        """Give each character its code point.

        >>> Unicode().encode("a€").ids
        (97, 8364)
        """
        return Cut(tuple(map(ord, word)), tuple(accumulate(len(character.encode()) for character in word)))

    def states(self, word: str) -> Iterator[State]:
        """Yield the one state there is."""
        yield State(self.encode(word))

    def meaning(self, id: int) -> bytes:
        """Return the UTF-8 of the character."""
        return self.vocabulary[id]

    def spell(self, ids: Iterable[int], space: bytes) -> Iterator[bytes]:
        """Yield the character of each id."""
        return (self.vocabulary[id] for id in ids)

    def adds(self) -> None:
        """Return None: a table of a million characters would take longer than it saves."""

    def lengths(self, words: Counter[str]) -> NDArray[np.int64]:
        """Count the characters of `words`: int64[1]."""
        return np.array([sum(count * len(word) for word, count in words.items())], np.int64)

    def loops(self) -> None:
        """Return None: there are no compiled loops for it."""


class LookupTraining:
    """Takes the most frequent words, or characters, one a step."""

    def __init__(
        self,
        recipe: Recipe,
        counts: Mapping[str, int],
        normalizers: tuple[Normalizer, ...],
        pre_tokenizer: PreTokenizer,
    ) -> None:
        """Rank the words, or the characters, of a corpus: pre-token -> count."""
        self._recipe = recipe
        self._counts = counts
        self._pipeline = normalizers, pre_tokenizer
        self._by_character = recipe.algorithm == "char"
        self._specials = list(recipe.special_tokens)
        self._unknown = recipe.unknown or ("<unk>" if self._by_character else None)
        if self._unknown is not None and self._unknown not in self._specials:
            self._specials.append(self._unknown)
        self.total = recipe.steps(len(self._specials), f"{len(self._specials)} special tokens")
        self._ranked = _ranked(_parts(counts, self._by_character), recipe)
        enough = sum(count >= recipe.min_count for _, count in self._ranked)
        self._last = enough if self.total is None else min(enough, self.total)
        self.done = 0

    @property
    def finished(self) -> bool:
        """Whether no further step will come."""
        return self.done >= self._last

    def advance(self, steps: int) -> None:
        """Take up to `steps` further steps."""
        self.done = min(self.done + steps, self._last)

    def run(self) -> TrainingRun:
        """Return the run so far, which is valid at any time."""
        taken = self._ranked[: self.done]
        count = np.array([count for _, count in taken], np.int64)
        ties = [len(list(group)) for _, group in groupby(self._ranked, lambda part: part[1])]
        # Of n equally good ones the first ties with n, the next with the n - 1 that are left, and so on.
        left = np.array([n for size in ties for n in range(size, 0, -1)][: self.done], np.int64)
        none, zero = np.full(self.done, -1, np.int64), np.zeros(self.done, np.int64)
        length = sum(count for _, count in self._ranked)
        columns = Columns(none, none, count, zero, zero, left, np.full(self.done, length, np.int64))
        first = len(self._specials)
        special_ids = {text: id for id, text in enumerate(self._specials)}
        pieces = [*(text.encode() for text in self._specials), *(part.encode() for part, _ in taken)]
        model = Lookup(
            self._by_character,
            Pieces(pieces, special_ids),
            {part: first + i for i, (part, _) in enumerate(taken)},
            None if self._unknown is None else special_ids[self._unknown],
            self.done,
            len(pieces),
        )
        return TrainingRun(
            self._recipe, columns, length, self._stop(), self._counts, model, *self._pipeline, self._compete
        )

    def _stop(self) -> Stop:
        if not self.finished:
            return "unfinished"
        if self.done == self.total:
            return "max_steps" if self._recipe.max_steps == self.total else "vocab_size"
        return "exhausted" if self.done == len(self._ranked) else "min_count"

    def _compete(self, run: TrainingRun, k: int, n: int) -> list[Rival]:
        return [Rival(-1, -1, count, Fraction(count), 0, 0) for _, count in self._ranked[k : k + n]]


def _parts(counts: Mapping[str, int], by_character: bool) -> dict[str, int]:
    """Count the words, or the characters, in order of first appearance."""
    if not by_character:
        return {word: count for word, count in counts.items() if word}
    characters: Counter[str] = Counter()
    for word, count in counts.items():
        for character in word:
            characters[character] += count
    return characters


def _ranked(parts: Mapping[str, int], recipe: Recipe) -> list[tuple[str, int]]:
    """Order parts by falling count; the tie rule decides among equals, "lowest-id" as "smallest"."""
    order = {part: i for i, part in enumerate(sorted(parts))}
    first = {part: i for i, part in enumerate(parts)}

    def key(item: tuple[str, int]) -> tuple[Any, ...]:
        part, count = item
        if recipe.tie == "first":
            return -count, first[part]
        if recipe.tie == "largest":
            return -count, -order[part]
        if recipe.tie == "random":
            return -count, mixed(recipe.seed, zlib.crc32(part.encode()), 0), order[part]
        return -count, order[part]

    return sorted(parts.items(), key=key)
