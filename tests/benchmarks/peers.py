"""Trainers of other libraries: each takes a corpus as it likes it, and its pieces come out as bytes."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import Any

from engine.pre_tokenizers import GPT2
from engine.utf8 import from_printable
from tests.benchmarks import texts


@dataclass(frozen=True)
class Corpus:
    """A text in every form that somebody takes.

    Attributes:
        name: "mixed" or "languages".
        megabytes: Its size.
        folder: Where its file is written.
    """

    name: str
    megabytes: float
    folder: Path

    def __str__(self) -> str:
        return f"{self.name}, {self.megabytes:g} MB"

    @cached_property
    def text(self) -> str:
        return "".join({"mixed": texts.mixed, "languages": texts.languages}[self.name](self.megabytes))

    @cached_property
    def raw(self) -> bytes:
        return self.text.encode()

    @cached_property
    def file(self) -> Path:
        path = self.folder / f"{self.name}-{self.megabytes:g}.txt"
        path.write_bytes(self.raw)
        return path


Train = Callable[[Corpus, int], Any]

COVERAGE = 0.9995
"""Share of the text whose characters a Unigram vocabulary knows: all would be nearly all of 8,000 pieces."""


def rustbpe(corpus: Corpus, size: int) -> Any:
    import rustbpe

    peer = rustbpe.Tokenizer()
    peer.train_from_iterator([corpus.text], size, pattern=GPT2.pattern)
    return peer


def pieces_of_rustbpe(peer: Any) -> list[bytes]:
    return [bytes(piece) for piece, _ in sorted(peer.get_mergeable_ranks(), key=lambda row: row[1])]


def gigabpe(corpus: Corpus, size: int) -> Any:
    import gigabpe

    return gigabpe.train_bpe([str(corpus.file)], size, special_tokens=[], pretokenizer="bytelevel", threads=1)


def gigatoken(corpus: Corpus, size: int) -> Any:
    import gigatoken

    return gigatoken.train_bpe(corpus.raw, size, [])


def bpeasy(corpus: Corpus, size: int) -> Any:
    import bpeasy

    return bpeasy.train_bpe(iter([corpus.text]), GPT2.pattern.replace("++", "+"), 128, size)


def tokenizers(corpus: Corpus, size: int) -> Any:
    import tokenizers

    peer = tokenizers.Tokenizer(tokenizers.models.BPE())
    peer.pre_tokenizer = tokenizers.pre_tokenizers.ByteLevel(add_prefix_space=False)
    alphabet = tokenizers.pre_tokenizers.ByteLevel.alphabet()
    peer.train_from_iterator(
        [corpus.text],
        tokenizers.trainers.BpeTrainer(vocab_size=size, initial_alphabet=alphabet, show_progress=False),
    )
    return peer


def sentencepiece(kind: str) -> Train:
    def train(corpus: Corpus, size: int) -> bytes:
        import sentencepiece

        written = io.BytesIO()
        sentencepiece.SentencePieceTrainer.train(
            input=str(corpus.file),
            model_writer=written,
            model_type=kind,
            vocab_size=size,
            character_coverage=COVERAGE,
            normalization_rule_name="identity",
            remove_extra_whitespaces=False,  # ours reads them, too: in code they are many
            num_threads=1,
            input_sentence_size=0,
            max_sentence_length=1 << 30,
            hard_vocab_limit=False,
            minloglevel=2,
        )
        return written.getvalue()

    return train


def wordpiece_of_tokenizers(corpus: Corpus, size: int) -> Any:
    import tokenizers

    peer = tokenizers.Tokenizer(tokenizers.models.WordPiece(unk_token="[UNK]"))
    peer.pre_tokenizer = tokenizers.pre_tokenizers.BertPreTokenizer()
    peer.train_from_iterator(
        [corpus.text],
        tokenizers.trainers.WordPieceTrainer(vocab_size=size, special_tokens=["[UNK]"], show_progress=False),
    )
    return peer


def textbook(corpus: Corpus, merges: int) -> list[tuple[int, int]]:
    """Learn merges as minbpe does: count all pairs of all pre-tokens, merge the best one everywhere, start again.

    Of equally frequent pairs the one with the lowest ids wins, so that the result can be compared with ours.

    Source: Sennrich et al. 2016, algorithm 1; karpathy/minbpe counts and merges in this order, without a dictionary
    of distinct words.
    """
    words = [list(word.encode()) for word in GPT2.findall(corpus.text)]
    learned: list[tuple[int, int]] = []
    while len(learned) < merges:
        counts: dict[tuple[int, int], int] = {}
        for word in words:
            for pair in pairwise(word):
                counts[pair] = counts.get(pair, 0) + 1
        best = min(counts, key=lambda pair: (-counts[pair], pair))
        words = [_merged(word, best, 256 + len(learned)) for word in words]
        learned.append(best)
    return learned


def _merged(word: list[int], pair: tuple[int, int], new: int) -> list[int]:
    left, right = pair
    merged: list[int] = []
    i, last = 0, len(word) - 1
    while i <= last:
        if word[i] == left and i < last and word[i + 1] == right:
            merged.append(new)
            i += 2
        else:
            merged.append(word[i])
            i += 1
    return merged


def _printed(pieces: Iterable[str]) -> set[bytes]:
    return {from_printable(piece) for piece in pieces}


BPE: dict[str, tuple[str, Train, Callable[[Any], Any]]] = {
    "gigabpe": ("gigabpe", gigabpe, lambda made: _printed(made[0])),
    "gigatoken": ("gigatoken", gigatoken, lambda made: set(made[0].values())),
    "rustbpe": ("rustbpe", rustbpe, pieces_of_rustbpe),
    "tokenizers BpeTrainer": ("tokenizers", tokenizers, lambda made: _printed(made.get_vocab())),
    "bpeasy": ("bpeasy", bpeasy, set),
    "sentencepiece BPE": ("sentencepiece", sentencepiece("bpe"), lambda made: None),
}
"""Name, package, how it trains on bytes with the split of GPT-2, and the pieces it has (None: of another kind)."""
