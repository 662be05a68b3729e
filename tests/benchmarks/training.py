"""Training side by side with the peers: `python -m tests.benchmarks.training`.

Everybody gets the same text, as what it takes: one string, bytes or a file. We record the history; they do not.
"""

from __future__ import annotations

import argparse
import io
import tempfile
from collections.abc import Callable
from pathlib import Path

import numpy as np

import engine
from engine.kernels.jit import kernel
from engine.kernels.memory import load8
from engine.pre_tokenizers import GPT2
from tests.benchmarks.harness import Contender, alternate, apart, machine, peaks, publish, table
from tests.benchmarks.texts import mixed


@kernel("int64(uint8[::1], uint8[::1])")
def look_up(text: np.ndarray, codes: np.ndarray) -> int:
    """Add up one look-up a byte: no scan of a text can be faster."""
    total = 0
    for i in range(text.shape[0]):
        total += load8(codes, load8(text, i))
    return total


class Corpus:
    """A text in every form that somebody takes."""

    def __init__(self, megabytes: float, folder: Path) -> None:
        self.megabytes = megabytes
        self.text = "".join(mixed(megabytes))
        self.raw = self.text.encode()
        self.file = folder / f"{megabytes}.txt"
        self.file.write_bytes(self.raw)


def rustbpe(corpus: Corpus, size: int) -> list[bytes]:
    import rustbpe

    peer = rustbpe.Tokenizer()
    peer.train_from_iterator([corpus.text], size, pattern=GPT2.pattern)
    return [bytes(piece) for piece, _ in sorted(peer.get_mergeable_ranks(), key=lambda row: row[1])]


def gigabpe(corpus: Corpus, size: int) -> object:
    import gigabpe

    return gigabpe.train_bpe([str(corpus.file)], size, special_tokens=[], pretokenizer="bytelevel", threads=1)


def gigatoken(corpus: Corpus, size: int) -> object:
    import gigatoken

    return gigatoken.train_bpe(corpus.raw, size, [])


def bpeasy(corpus: Corpus, size: int) -> object:
    import bpeasy

    return bpeasy.train_bpe(iter([corpus.text]), GPT2.pattern.replace("++", "+"), 128, size)


def tokenizers(corpus: Corpus, size: int) -> object:
    import tokenizers

    peer = tokenizers.Tokenizer(tokenizers.models.BPE())
    peer.pre_tokenizer = tokenizers.pre_tokenizers.ByteLevel(add_prefix_space=False)
    alphabet = tokenizers.pre_tokenizers.ByteLevel.alphabet()
    peer.train_from_iterator(
        [corpus.text],
        tokenizers.trainers.BpeTrainer(vocab_size=size, initial_alphabet=alphabet, show_progress=False),
    )
    return peer


def sentencepiece(kind: str) -> Callable[[Corpus, int], object]:
    def train(corpus: Corpus, size: int) -> object:
        import sentencepiece

        written = io.BytesIO()
        sentencepiece.SentencePieceTrainer.train(
            input=str(corpus.file),
            model_writer=written,
            model_type=kind,
            vocab_size=size,
            character_coverage=0.9995,  # all characters of 106 languages would be more than 8,000 pieces
            normalization_rule_name="identity",
            num_threads=1,
            input_sentence_size=0,
            max_sentence_length=1 << 30,
            hard_vocab_limit=False,
            minloglevel=2,
        )
        return written.getvalue()

    return train


def wordpiece_of_tokenizers(corpus: Corpus, size: int) -> object:
    import tokenizers

    peer = tokenizers.Tokenizer(tokenizers.models.WordPiece(unk_token="[UNK]"))
    peer.pre_tokenizer = tokenizers.pre_tokenizers.BertPreTokenizer()
    peer.train_from_iterator(
        [corpus.text],
        tokenizers.trainers.WordPieceTrainer(vocab_size=size, special_tokens=["[UNK]"], show_progress=False),
    )
    return peer


def bpe(corpus: Corpus, size: int, rounds: int) -> None:
    """Measure BPE; before it, see that we learn what rustbpe learns."""
    peers = {
        "gigabpe": (gigabpe, "gigabpe"),
        "gigatoken": (gigatoken, "gigatoken"),
        "rustbpe": (rustbpe, "rustbpe"),
        "tokenizers BpeTrainer": (tokenizers, "tokenizers"),
        "bpeasy": (bpeasy, "bpeasy"),
        "sentencepiece BPE": (sentencepiece("bpe"), "sentencepiece"),
    }
    ours = [
        Contender("Tokenglass, history recorded", lambda: engine.train(corpus.text, vocab_size=size)),
        Contender("Tokenglass, tie rule first", lambda: engine.train(corpus.text, vocab_size=size, tie="first")),
    ]
    others = [Contender(name, lambda job=job: job(corpus, size), package) for name, (job, package) in peers.items()]
    highest = peaks(ours + others)
    run = engine.train(corpus.text, vocab_size=size)
    equal = list(run.tokenizer.vocabulary) == rustbpe(corpus, size)
    publish(
        f"BPE training, {corpus.megabytes:g} MB, {size:,} pieces",
        [
            f"Merges {'identical to' if equal else 'DIFFERENT FROM'} those of rustbpe: {len(run.steps):,}.",
            "",
            *table(alternate(ours + others, rounds), corpus.megabytes, highest),
        ],
    )


def scanning(corpus: Corpus, rounds: int) -> None:
    """Measure the splits, with and without counting, beside the physical limit."""
    from engine import unicode_classes
    from engine.kernels.splitting import split
    from engine.span_counter import KINDS, SpanCounter, padded

    raw, classes = padded(corpus.raw), unicode_classes.table()
    spans = np.empty((1 << 14, 2), np.int64)

    def boundaries(name: str) -> None:
        at = 0
        while at < len(corpus.raw):
            _, at = split(raw, at, len(corpus.raw), KINDS[name], classes, spans)

    def counts(name: str) -> None:
        counter = SpanCounter(name)
        for _ in counter.add(corpus.text):
            pass
        counter.result()

    jobs = [Contender("one look-up a byte: the limit", lambda: look_up(raw, classes))]
    for name in ("gpt2", "cl100k", "o200k", "whitespace", "bert"):
        jobs.append(Contender(f"{name}, boundaries", lambda name=name: boundaries(name)))
        jobs.append(Contender(f"{name}, unique counts", lambda name=name: counts(name)))
    jobs.append(Contender("regex and a dictionary, gpt2", lambda: _dictionary(corpus.text), "regex"))
    publish(
        f"Splitting, {corpus.megabytes:g} MB",
        table(alternate(jobs, rounds), corpus.megabytes, relation="times the limit"),
    )


def _dictionary(text: str) -> dict[str, int]:
    counts: dict[str, int] = {}
    for word in GPT2.findall(text):
        counts[word] = counts.get(word, 0) + 1
    return counts


def wordpiece(corpus: Corpus, size: int, rounds: int) -> None:
    """Measure WordPiece by score beside the trainer of tokenizers, which goes by count."""
    jobs = [
        Contender(
            "Tokenglass, by score",
            lambda: engine.train(corpus.text, "wordpiece", vocab_size=size, pre_tokenizer="bert"),
        ),
        Contender("tokenizers WordPieceTrainer, by count", lambda: wordpiece_of_tokenizers(corpus, size), "tokenizers"),
    ]
    highest = peaks(jobs)
    publish(
        f"WordPiece training, {corpus.megabytes:g} MB, {size:,} pieces",
        table(alternate(jobs, rounds), corpus.megabytes, highest),
    )


def unigram(corpus: Corpus, size: int, rounds: int) -> None:
    """Measure Unigram, and how many tokens the corpus has afterwards."""
    jobs = [
        Contender(
            "Tokenglass", lambda: engine.train(corpus.text, "unigram", vocab_size=size, pre_tokenizer="metaspace")
        ),
        Contender("sentencepiece Unigram", lambda: sentencepiece("unigram")(corpus, size), "sentencepiece"),
    ]
    highest = peaks(jobs)
    import sentencepiece as library

    run = engine.train(corpus.text, "unigram", vocab_size=size, pre_tokenizer="metaspace")
    peer = library.SentencePieceProcessor(model_proto=sentencepiece("unigram")(corpus, size))
    lines = corpus.text.splitlines()
    theirs = sum(map(len, peer.encode(lines)))
    ours = sum(map(len, (run.tokenizer.encode(line) for line in lines)))
    publish(
        f"Unigram training, {corpus.megabytes:g} MB, {size:,} pieces",
        [
            f"Tokens of the corpus: {ours:,} and {theirs:,}.",
            "",
            *table(alternate(jobs, rounds), corpus.megabytes, highest),
        ],
    )


def main() -> None:
    """Measure what the arguments ask for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--parts", nargs="*", default=["scanning", "bpe", "wordpiece", "unigram"])
    parser.add_argument("--megabytes", nargs="*", type=float, default=[1, 10])
    parser.add_argument("--pieces", nargs="*", type=int, default=[8000, 32000])
    parser.add_argument("--rounds", type=int, default=5)
    asked = parser.parse_args()
    if not engine.warm():
        raise SystemExit("the compiled loops do not work here, so there is nothing to compare")
    publish("Machine of the trainings", [machine()])
    with tempfile.TemporaryDirectory() as folder:
        for megabytes in asked.megabytes:
            corpus = Corpus(megabytes, Path(folder))
            if "scanning" in asked.parts:
                apart(scanning, corpus, asked.rounds)
            for size in (size for size in asked.pieces if size <= 8000 or megabytes >= 10):  # else too few pairs
                for part in (bpe, wordpiece, unigram):
                    if part.__name__ in asked.parts:
                        apart(part, corpus, size, asked.rounds)


if __name__ == "__main__":
    main()
