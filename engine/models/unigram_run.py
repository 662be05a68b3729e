"""The record of a unigram training: one step a round, each of which is a model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import overload

import numpy as np
from numpy.typing import NDArray

from engine.alignment import Normalizer
from engine.coverage import covered
from engine.models.alphabet import BYTE_PIECES
from engine.models.unigram import Unigram
from engine.models.unigram_training import SPARE, Pruning, Round
from engine.pre_tokenizers import PreTokenizer
from engine.sorted_words import Words
from engine.tokenizer import Tokenizer
from engine.training import Recipe, Stop, way_back
from engine.vocabulary import Pieces


@dataclass(frozen=True, eq=False)
class UnigramStep:
    """One round of a unigram training.

    Attributes:
        pruned: The pieces that went, those whose loss was least first.
        loss: float64[pruned]: how many nats the corpus costs more without each. NaN for a piece that was expected less
            than half a time, that its own parts beat, or that was cut at the end by its probability.
        likelihood: Log probability of the corpus in nats, after the round; unknown characters are left out.
        length: Tokens of the corpus after the round.
        size: Pieces that are left, special ones not counted.
    """

    pruned: tuple[bytes, ...]
    loss: NDArray[np.float64]
    likelihood: float
    length: int
    size: int


@dataclass(frozen=True, eq=False)
class UnigramRun:
    """A unigram training that is over, or the first rounds of one that was stopped.

    Attributes:
        recipe: What was asked.
        rounds: The seed pieces, then the pieces after each round.
        stopped: Why there is no further round: the size was reached, or there were fewer pieces ("exhausted").
        counts: The corpus: pre-token -> count, in order of first appearance.
        normalizers: What was done to the text before the split.
        pre_tokenizer: The split.
    """

    recipe: Recipe
    rounds: Sequence[Round]
    stopped: Stop
    counts: Mapping[str, int]
    normalizers: tuple[Normalizer, ...]
    pre_tokenizer: PreTokenizer

    @property
    def steps(self) -> UnigramSteps:
        """The rounds after the seeds, as steps."""
        return UnigramSteps(self)

    @property
    def initial_length(self) -> int:
        """Tokens of the corpus with the seed pieces."""
        return self.rounds[0].length

    @property
    def tokenizer(self) -> Tokenizer:
        """The tokenizer after the last round."""
        return self.tokenizer_at(len(self.steps))

    def tokenizer_at(self, k: int) -> Tokenizer:
        """Return the tokenizer after `k` rounds; 0 has the seed pieces.

        Raises:
            ValueError: `k` is not from 0 to the number of rounds.
        """
        if not 0 <= k <= len(self.steps):
            raise ValueError(f"k must be from 0 to {len(self.steps)}, the number of rounds; got {k}")
        model = _model(self.recipe, self.rounds[k])
        decoder = way_back(self.recipe, self.pre_tokenizer, model.vocabulary)
        return Tokenizer(model, self.normalizers, self.pre_tokenizer, "unigram", decoder)

    def length_curve(self, text: str) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Count the tokens of a text after each round, from the seed pieces on.

        Returns:
            Sizes in pieces, falling, and lengths in tokens: int64[rounds + 1] each; the last is the run's tokenizer.
        """
        tokenizers = [self.tokenizer_at(k) for k in range(len(self.rounds))]
        sizes = np.array([tokenizer.vocab_size for tokenizer in tokenizers], np.int64)
        return sizes, np.array([len(tokenizer.encode(text)) for tokenizer in tokenizers], np.int64)


@dataclass(frozen=True, eq=False)
class UnigramSteps(Sequence[UnigramStep]):
    """The history of a run as a sequence; a step is made when it is looked at."""

    run: UnigramRun

    def __len__(self) -> int:
        return len(self.run.rounds) - 1

    @overload
    def __getitem__(self, k: int) -> UnigramStep: ...
    @overload
    def __getitem__(self, k: slice) -> list[UnigramStep]: ...
    def __getitem__(self, k: int | slice) -> UnigramStep | list[UnigramStep]:
        if isinstance(k, slice):
            return [self[i] for i in range(*k.indices(len(self)))]
        each = self.run.rounds[range(1, len(self.run.rounds))[k]]
        order = np.argsort(each.losses, kind="stable")  # NaN comes last
        pruned = tuple(each.pruned[i].encode() for i in order.tolist())
        return UnigramStep(pruned, each.losses[order], each.likelihood, each.length, len(each.texts))


class UnigramTraining:
    """A training under way, one round a step."""

    total: int | None = None

    def __init__(
        self,
        recipe: Recipe,
        counts: Mapping[str, int],
        normalizers: tuple[Normalizer, ...],
        pre_tokenizer: PreTokenizer,
    ) -> None:
        """Find the seed pieces of a corpus, pre-token -> count.

        Raises:
            ValueError: `vocab_size` is missing, or below the special tokens and the characters of the corpus.
        """
        corpus = covered(counts, recipe.coverage)
        words = Words.of(corpus.counts)
        base = len(_specials(recipe)) + words.characters
        needs = f"{len(_specials(recipe))} special tokens and {words.characters} characters"
        recipe.steps(base, needs)
        if recipe.vocab_size is None:
            raise ValueError("unigram prunes down to a size, so vocab_size must be a number; got None")
        self._recipe, self._counts, self._pipeline = recipe, counts, (normalizers, pre_tokenizer)
        size = recipe.vocab_size - len(_specials(recipe))
        branching = recipe.seeds == "branching"
        # SentencePiece adds a tenth to the whole size, its special pieces and those of bytes counted in.
        last_loss = int(SPARE * (recipe.vocab_size if branching else size))
        unknown = corpus.bytes if recipe.byte_fallback else corpus.unknown
        self._pruning = Pruning(words, size, last_loss, branching, unknown)

    @property
    def done(self) -> int:
        """Rounds so far."""
        return len(self._pruning.rounds) - 1

    @property
    def finished(self) -> bool:
        """Whether no further round will come."""
        most = self._recipe.max_steps
        return self._pruning.finished or (most is not None and self.done >= most)

    def advance(self, steps: int) -> None:
        """Run up to `steps` further rounds."""
        for _ in range(steps):
            if self.finished:
                return
            self._pruning.advance()

    def run(self) -> UnigramRun:
        """Return the run so far, which is valid at any time."""
        stopped: Stop = "unfinished"
        if self._pruning.finished:
            full = len(self._pruning.rounds[-1].texts) >= self._pruning.size
            stopped = "vocab_size" if full else "exhausted"
        elif self.finished:
            stopped = "max_steps"
        return UnigramRun(self._recipe, tuple(self._pruning.rounds), stopped, self._counts, *self._pipeline)


def _specials(recipe: Recipe) -> list[str]:
    """List the special tokens of a recipe, the unknown one among them, and the pieces of single bytes."""
    specials = list(recipe.special_tokens)
    unknown = recipe.unknown or "<unk>"
    if unknown not in specials:
        specials.append(unknown)
    return specials + [piece for piece in BYTE_PIECES if recipe.byte_fallback]


def _model(recipe: Recipe, each: Round) -> Unigram:
    specials = _specials(recipe)
    texts, log_probs = each.texts, each.log_probs.tolist()
    singles = sorted(range(each.singles), key=texts.__getitem__)
    rest = sorted(range(each.singles, len(texts)), key=lambda i: (-log_probs[i], texts[i]))
    order = singles + rest
    lowest = min(log_probs, default=0.0)
    pieces = [text.encode() for text in specials] + [texts[i].encode() for i in order]
    ids = {texts[i]: len(specials) + place for place, i in enumerate(order)}
    named = [text for text in specials if text not in BYTE_PIECES or not recipe.byte_fallback]
    return Unigram(
        Pieces(pieces, {text: id for id, text in enumerate(named)}),
        ids,
        [lowest] * len(specials) + [log_probs[i] for i in order],
        specials.index(recipe.unknown or "<unk>"),
        0,
        range(len(named), len(specials)) if recipe.byte_fallback else (),
    )
