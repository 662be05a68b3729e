"""The record of a training: what was asked, and what happened step by step.

The history is the result. Every prefix of it is a model, so a replay is a slice.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from fractions import Fraction
from typing import Literal, Protocol, Self, TypeAlias, TypeVar, get_args, overload

import numpy as np
from numpy.typing import NDArray

from engine.alignment import Normalizer
from engine.decoders import Decoder, SpaceMarkDecoder, inside_words
from engine.model import Model
from engine.pre_tokenizers import PreTokenizer
from engine.ties import TIES, Tie
from engine.tokenizer import Tokenizer
from engine.vocabulary import Pieces

Algorithm: TypeAlias = Literal["bpe", "wordpiece", "unigram", "word", "char"]
AlphabetName: TypeAlias = Literal["bytes", "seen-bytes", "characters"]
Seeds: TypeAlias = Literal["branching", "frequent"]
Stop: TypeAlias = Literal["vocab_size", "max_steps", "min_count", "exhausted", "unfinished"]

R = TypeVar("R", covariant=True)

ALGORITHMS: tuple[Algorithm, ...] = get_args(Algorithm)
SEEDS: tuple[Seeds, ...] = get_args(Seeds)
ALPHABETS: tuple[AlphabetName, ...] = get_args(AlphabetName)


@dataclass(frozen=True)
class Recipe:
    """What a training is asked to do; with the corpus it determines the run.

    Attributes:
        algorithm: "bpe", "wordpiece", "unigram", "word" or "char".
        vocab_size: Pieces in all: specials, alphabet and learned; a ceiling. None with `max_steps`.
        alphabet: "bytes" (all 256), "seen-bytes" or "characters" (those seen); None: bytes for bpe, else characters.
        end_of_word: A mark at the end of every pre-token, such as "</w>"; BPE only.
        end_of_word_joined: True fuses it to the last symbol (CLIP).
        tie: Which of equally good pairs wins; not for Unigram, where the first in code-point order stays.
        seed: Of the rule "random".
        min_count: Least count of a pair (BPE, WordPiece), or of a word or character; not for Unigram.
        max_steps: Steps at most.
        special_tokens: Pieces with the first ids, in order.
        unknown: The unknown token; None: `[UNK]` for WordPiece, `<unk>` where characters can be missing, and for
            words the id -1.
        byte_fallback: True gives the vocabulary a piece for each byte (`<0x41>`), with which an unknown character is
            written; Unigram, and BPE over characters.
        seeds: What Unigram starts from: "branching", the substrings that two different characters follow, as in
            SentencePiece; or "frequent", all that stand twice, which takes 0 to 20 % fewer tokens at the same size.
        coverage: Share of the corpus, above 0 and up to 1, that the characters in the vocabulary make up, the most
            frequent ones; the others are unknown. Unigram only. SentencePiece's `character_coverage`, which there is
            .9995 by default: a corpus of many scripts has thousands of characters that stand a few times.

    Raises:
        ValueError: A value is outside its range; the message names it.
    """

    algorithm: Algorithm = "bpe"
    vocab_size: int | None = 1000
    alphabet: AlphabetName | None = None
    end_of_word: str = ""
    end_of_word_joined: bool = False
    tie: Tie = "lowest-id"
    seed: int = 0
    min_count: int = 1
    max_steps: int | None = None
    special_tokens: tuple[str, ...] = ()
    unknown: str | None = None
    byte_fallback: bool = False
    seeds: Seeds = "branching"
    coverage: float = 1.0

    def __post_init__(self) -> None:
        _one_of("algorithm", self.algorithm, ALGORITHMS)
        _one_of("tie", self.tie, TIES)
        if self.alphabet is not None:
            _one_of("alphabet", self.alphabet, ALPHABETS)
        if self.algorithm != "bpe" and self.alphabet not in (None, "characters"):
            raise ValueError(f"alphabet must be characters for {self.algorithm}; got {self.alphabet!r}")
        if self.algorithm != "bpe" and self.end_of_word:
            raise ValueError(f"end_of_word belongs to bpe; {self.algorithm} got {self.end_of_word!r}")
        _one_of("seeds", self.seeds, SEEDS)
        if self.algorithm != "unigram" and self.seeds != "branching":
            raise ValueError(f"seeds belong to unigram; {self.algorithm} got {self.seeds!r}")
        if not 0 < self.coverage <= 1:
            raise ValueError(f"coverage is a share of the corpus, so it must be above 0, up to 1; got {self.coverage}")
        if self.algorithm != "unigram" and self.coverage != 1:
            raise ValueError(f"coverage belongs to unigram; {self.algorithm} got {self.coverage}")
        if self.algorithm == "unigram":
            self._check_pruning()
        if self.byte_fallback:
            self._check_fallback()
        for name in ("vocab_size", "seed", "min_count", "max_steps"):
            number = getattr(self, name)
            if not isinstance(number, int | np.integer) and (number is not None or name in ("seed", "min_count")):
                raise ValueError(f"{name} must be a whole number; got {number!r}")
        if self.min_count < 1:
            raise ValueError(f"min_count must be at least 1, as what never stands cannot win; got {self.min_count}")
        if self.max_steps is not None and self.max_steps < 0:
            raise ValueError(f"max_steps must be at least 0; got {self.max_steps}")
        texts = {text for text in self.special_tokens if isinstance(text, str) and text}
        if len(texts) < len(self.special_tokens):
            raise ValueError(f"special_tokens must be different texts, none empty; got {self.special_tokens!r}")
        if self.unknown == "":
            raise ValueError("unknown must not be empty, for it is a piece like others; got ''")

    def _check_pruning(self) -> None:
        """Raise where something is asked of Unigram that only merging has."""
        if self.tie != "lowest-id":
            raise ValueError(
                f"tie belongs to what takes one piece a step; unigram prunes many a round, and of equal ones the first "
                f"in code-point order stays; got {self.tie!r}"
            )
        if self.min_count != 1:
            raise ValueError(
                f"min_count belongs to what counts pairs or words; unigram drops what is expected less than half a "
                f"time; got {self.min_count}"
            )

    def _check_fallback(self) -> None:
        """Raise where no character can be unknown, or not by itself."""
        if self.algorithm not in ("bpe", "unigram"):
            raise ValueError(f"byte_fallback belongs to unigram and bpe; {self.algorithm} got True")
        if self.algorithm == "bpe" and self.alphabet != "characters":
            raise ValueError('byte_fallback writes characters that are unknown, so bpe needs alphabet="characters"')
        if self.end_of_word_joined:
            raise ValueError("byte_fallback writes bytes alone, so a mark of a word's end cannot be fused to them")

    def steps(self, base: int, needs: str) -> int | None:
        """Return how many steps the recipe allows on top of `base` pieces, or None for no limit.

        Raises:
            ValueError: `vocab_size` is below `base`; `needs` says what the base is made of.
        """
        limits = [] if self.max_steps is None else [self.max_steps]
        if self.vocab_size is not None:
            if self.vocab_size < base:
                raise ValueError(f"vocab_size must be at least {base}, {needs}; got {self.vocab_size}")
            limits.append(self.vocab_size - base)
        return min(limits, default=None)


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a training.

    Attributes:
        left: Id of the left piece; -1 for a word or character that was taken whole.
        right: Id of the right piece; -1 likewise.
        piece: The new piece, as the vocabulary writes it.
        count: How often the pair (or the word) stood in the corpus before the step.
        score: What was maximized: the count, or for WordPiece count / (left_count * right_count), exact.
        left_count: How often the left piece stood.
        right_count: How often the right piece stood.
        ties: How many pairs were as good, the winner included.
        length: Tokens of the corpus after the step.
    """

    left: int
    right: int
    piece: bytes
    count: int
    score: Fraction
    left_count: int
    right_count: int
    ties: int
    length: int


@dataclass(frozen=True, slots=True)
class Rival:
    """A pair that could have won a step: ids, counts and score as in `Step`."""

    left: int
    right: int
    count: int
    score: Fraction
    left_count: int
    right_count: int


@dataclass(frozen=True, slots=True, eq=False)
class Columns:
    """The history, one int64[steps] a column; the names are those of `Step`."""

    left: NDArray[np.int64]
    right: NDArray[np.int64]
    count: NDArray[np.int64]
    left_count: NDArray[np.int64]
    right_count: NDArray[np.int64]
    ties: NDArray[np.int64]
    length: NDArray[np.int64]

    @classmethod
    def of(cls, rows: NDArray[np.int64]) -> Columns:
        """Turn int64[steps, 7], whose rows follow the order of the columns, into columns."""
        return cls(*np.ascontiguousarray(rows.T))

    def row(self, k: int) -> tuple[int, ...]:
        """Return step k as plain numbers, in the order of the columns."""
        return tuple(int(getattr(self, field.name)[k]) for field in fields(self))


class Learned(Model, Protocol):
    """A model that came from a training, and can be cut back to its first steps."""

    @property
    def vocabulary(self) -> Pieces:
        """The pieces, by id."""

    def first(self, learned: int, vocabulary: Pieces) -> Self:
        """Return the model of the first `learned` steps."""


@dataclass(frozen=True, eq=False)
class TrainingRun:
    """A training that is over, or the first part of one that was stopped.

    Attributes:
        recipe: What was asked.
        columns: What happened.
        initial_length: Tokens of the corpus before the first step.
        stopped: Why there is no further step: a limit of the recipe was reached, nothing was left to take
            ("exhausted"), or the training was cut short ("unfinished").
        counts: The corpus: pre-token -> count, in order of first appearance.
        model: The model after the last step.
        normalizers: What was done to the text before the split.
        pre_tokenizer: The split.
        compete: Works out the best n candidates at step k, from scratch.
    """

    recipe: Recipe
    columns: Columns
    initial_length: int
    stopped: Stop
    counts: Mapping[str, int]
    model: Learned
    normalizers: tuple[Normalizer, ...]
    pre_tokenizer: PreTokenizer
    compete: Callable[[TrainingRun, int, int], list[Rival]]

    @property
    def steps(self) -> Steps:
        """The steps, as a sequence of views on the columns."""
        return Steps(self)

    @property
    def tokenizer(self) -> Tokenizer:
        """The tokenizer after the last step."""
        return self.tokenizer_at(len(self.steps))

    @property
    def first_id(self) -> int:
        """Id of the piece that the first step makes: the number of pieces before it."""
        return len(self.model.vocabulary) - len(self.steps)

    def tokenizer_at(self, k: int) -> Tokenizer:
        """Return the tokenizer after `k` steps.

        Raises:
            ValueError: `k` is not from 0 to the number of steps.
        """
        self._check(k)
        model = self.model.first(k, self.model.vocabulary.first(self.first_id + k))
        decoder = way_back(self.recipe, self.pre_tokenizer, model.vocabulary)
        return Tokenizer(model, self.normalizers, self.pre_tokenizer, self.recipe.algorithm, decoder)

    def rivals(self, k: int, n: int = 10) -> list[Rival]:
        """Return the best `n` candidates for step `k`, in order; the first of them won it.

        `k` may be the number of steps: what would have come next.

        Raises:
            ValueError: `k` is not from 0 to the number of steps.
        """
        self._check(k)
        return self.compete(self, k, n)

    def _check(self, k: int) -> None:
        if not 0 <= k <= len(self.steps):
            raise ValueError(f"k must be from 0 to {len(self.steps)}, the number of steps; got {k}")


@dataclass(frozen=True, eq=False)
class Steps(Sequence[Step]):
    """The history of a run as a sequence; a step is made when it is looked at."""

    run: TrainingRun

    def __len__(self) -> int:
        return len(self.run.columns.left)

    @overload
    def __getitem__(self, k: int) -> Step: ...
    @overload
    def __getitem__(self, k: slice) -> list[Step]: ...
    def __getitem__(self, k: int | slice) -> Step | list[Step]:
        if isinstance(k, slice):
            return [self[i] for i in range(*k.indices(len(self)))]
        number = range(len(self))[k]
        left, right, count, left_count, right_count, ties, length = self.run.columns.row(number)
        by_score = self.run.recipe.algorithm == "wordpiece"
        score = Fraction(count, left_count * right_count) if by_score else Fraction(count)
        piece = self.run.model.vocabulary[self.run.first_id + number]
        return Step(left, right, piece, count, score, left_count, right_count, ties, length)


class Training(Protocol[R]):
    """A training under way: it advances in slices, and can be looked at, or left, after each."""

    @property
    def done(self) -> int:
        """Steps so far."""

    @property
    def total(self) -> int | None:
        """Steps that the recipe allows; None for no limit. The corpus may be exhausted before."""

    @property
    def finished(self) -> bool:
        """Whether no further step will come."""

    def advance(self, steps: int) -> None:
        """Take up to `steps` further steps."""

    def run(self) -> R:
        """Return the run so far, which is valid at any time."""


def way_back(recipe: Recipe, split: PreTokenizer, vocabulary: Pieces) -> Decoder | None:
    """Return what reads the marks that a split put into the text; None where it put none, or words stay as they are."""
    if split.prepare is None or recipe.algorithm == "word":
        return None
    if split.back is not None:
        return split.back
    read = inside_words(vocabulary) if recipe.algorithm == "wordpiece" else None
    return SpaceMarkDecoder("▁", recipe.byte_fallback, "one", read)


def _one_of(name: str, value: object, choices: Sequence[str]) -> None:
    if value not in choices:
        raise ValueError(f"{name} must be one of {', '.join(choices)}; got {value!r}")
