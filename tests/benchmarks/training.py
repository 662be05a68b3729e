"""Splitting and training, side by side with the peers.

Everybody gets the same text, as what it takes: one string, bytes or a file. We record the history; they do not.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

import engine
from engine import unicode_classes
from engine.kernels.jit import kernel
from engine.kernels.memory import load8
from engine.kernels.splitting import split
from engine.pre_tokenizers import GPT2
from engine.span_counter import SpanCounter
from engine.text_parts import KINDS, padded
from engine.ties import Tie
from tests.benchmarks import peers
from tests.benchmarks.harness import Contender, Timing, demand_equal, measure, table
from tests.benchmarks.peers import Corpus
from tests.benchmarks.results import publish

SPLITS = ("gpt2", "cl100k", "o200k", "whitespace", "bert")


@kernel("int64(uint8[::1], uint8[::1])")
def look_up(text: np.ndarray, codes: np.ndarray) -> int:
    """Add up one look-up a byte: no scan of a text can be faster."""
    total = 0
    for i in range(text.shape[0]):
        total += load8(codes, load8(text, i))
    return total


def limit(corpus: Corpus) -> Contender:
    """Return the physical limit of whatever reads a corpus."""
    raw, classes = padded(corpus.raw), unicode_classes.table()
    return Contender("one look-up a byte: the limit", lambda _: look_up(raw, classes))


def splitting(corpus: Corpus, rounds: int) -> None:
    """Measure the splits, with and without counting, beside the physical limit."""
    raw, classes = padded(corpus.raw), unicode_classes.table()
    spans = np.empty((1 << 14, 2), np.int64)

    def boundaries(name: str) -> int:
        at = found = 0
        while at < len(corpus.raw):
            count, at = split(raw, at, len(corpus.raw), KINDS[name], classes, spans)
            found += count
        return found

    def counts(name: str) -> Mapping[str, int]:  # as training takes them; a dictionary of them takes far longer
        counter = SpanCounter(name)
        for _ in counter.add(corpus.text):
            pass
        return counter.result()

    words = sum(1 for _ in GPT2.finditer(corpus.text))
    if boundaries("gpt2") != words or dict(counts("gpt2")) != _dictionary(corpus.text):
        raise ValueError("the split of gpt2 is not that of its pattern")
    jobs = [limit(corpus)]
    for name in SPLITS:
        jobs.append(Contender(f"{name}, boundaries", lambda _, name=name: boundaries(name)))
        jobs.append(Contender(f"{name}, unique counts", lambda _, name=name: counts(name)))
    jobs.append(Contender("regex and a dictionary, gpt2", lambda _: _dictionary(corpus.text), "regex"))
    publish(f"Splitting, {corpus}", table(measure(jobs, rounds), corpus.megabytes, relation="times the limit"))


def _dictionary(text: str) -> dict[str, int]:
    counts: dict[str, int] = {}
    for word in GPT2.findall(text):
        counts[word] = counts.get(word, 0) + 1
    return counts


def bpe(corpus: Corpus, size: int, rounds: int) -> None:
    """Measure BPE; before it, see that we learn what rustbpe learns."""

    def ours(name: str, tie: Tie) -> Contender:
        return Contender(
            name,
            lambda _: engine.train(corpus.text, vocab_size=size, tie=tie),
            outcome=lambda run: list(run.tokenizer.vocabulary),
        )

    others = [
        Contender(name, lambda _, train=train: train(corpus, size), package, outcome=outcome)
        for name, (package, train, outcome) in peers.BPE.items()
    ]
    assert corpus.file.exists()  # before the clock starts
    contenders = [ours("Tokenglass, history recorded", "lowest-id"), ours("Tokenglass, tie rule first", "first")]
    timings = measure([*contenders, *others, limit(corpus)], rounds)
    publish(
        f"BPE training, {corpus}, {size:,} pieces",
        [
            _identity(timings),
            "",
            *table(timings, corpus.megabytes, {"pieces that are ours too": _common(timings)}),
        ],
    )


def _identity(timings: list[Timing]) -> str:
    run, rust = timings[0].alone.outcome, next(t for t in timings if t.contender.name == "rustbpe").alone.outcome
    if rust is None:
        return "rustbpe made no merges to compare ours with."
    same = "identical to" if run == rust else "DIFFERENT FROM"
    return f"Merges {same} those of rustbpe, in their order: {len(run) - 256:,}."


def _common(timings: list[Timing]) -> dict[str, str]:
    """Say how many of the learned pieces each has in common with us; ties are broken in several ways."""
    mine = set(timings[0].alone.outcome)
    found = {t.contender.name: t.alone.outcome for t in timings[1:] if t.alone.outcome is not None}
    return {
        name: f"{len(mine.intersection(pieces)) - 256:,} of {len(set(pieces)) - 256:,}"
        for name, pieces in found.items()
    }


def textbook(corpus: Corpus, merges: int, rounds: int) -> None:
    """Measure the textbook's way, which minbpe goes, for a few merges: its time is nearly all in the merges."""
    job = {"vocab_size": 256 + merges}
    timings = measure(
        [
            Contender(
                "Tokenglass, history recorded",
                lambda _: engine.train(corpus.text, **job),
                outcome=lambda run: [(step.left, step.right) for step in run.steps],
            ),
            Contender("minbpe's algorithm", lambda _: peers.textbook(corpus, merges), outcome=list),
        ],
        rounds,
    )
    demand_equal(timings)
    rate = {timing.contender.name: f"{timing.median / merges * 1000:.3g}" for timing in timings[:2]}
    publish(
        f"The textbook's BPE, {corpus}, {merges} merges",
        [
            "minbpe's algorithm, written anew; all pairs of all pre-tokens are counted before each merge. Same merges.",
            "",
            *table(timings, corpus.megabytes, {"ms per merge": rate}),
        ],
    )


def wordpiece(corpus: Corpus, size: int, rounds: int) -> None:
    """Measure WordPiece by score beside the trainer of tokenizers, which goes by count."""
    jobs = [
        Contender(
            "Tokenglass, by score",
            lambda _: engine.train(corpus.text, "wordpiece", vocab_size=size, pre_tokenizer="bert"),
            outcome=lambda run: run.tokenizer.vocab_size,
        ),
        Contender(
            "tokenizers WordPieceTrainer, by count",
            lambda _: peers.wordpiece_of_tokenizers(corpus, size),
            "tokenizers",
            outcome=lambda made: made.get_vocab_size(),
        ),
    ]
    timings = measure([*jobs, limit(corpus)], rounds)
    sizes = {timing.contender.name: f"{timing.alone.outcome:,}" for timing in timings[:2] if timing.seconds}
    publish(f"WordPiece training, {corpus}, {size:,} pieces", table(timings, corpus.megabytes, {"pieces": sizes}))


def unigram(corpus: Corpus, size: int, rounds: int) -> None:
    """Measure Unigram, and how many tokens the corpus has afterwards."""
    lines = corpus.text.splitlines()

    def ours(tokenizer: engine.Tokenizer) -> int:
        return sum(len(tokenizer.encode(line).ids) for line in lines)

    def theirs(model: bytes) -> int:
        import sentencepiece

        return sum(map(len, sentencepiece.SentencePieceProcessor(model_proto=model).encode(lines)))

    assert corpus.file.exists()
    jobs = [
        Contender(
            "Tokenglass",
            lambda _: engine.train(
                corpus.text, "unigram", vocab_size=size, pre_tokenizer="metaspace", coverage=peers.COVERAGE
            ),
            outcome=lambda run: ours(run.tokenizer),
        ),
        Contender(
            "sentencepiece Unigram",
            lambda _: peers.sentencepiece("unigram")(corpus, size),
            "sentencepiece",
            outcome=theirs,
        ),
    ]
    timings = measure([*jobs, limit(corpus)], rounds)
    tokens = {timing.contender.name: f"{timing.alone.outcome:,}" for timing in timings[:2] if timing.seconds}
    publish(
        f"Unigram training, {corpus}, {size:,} pieces",
        [
            f"Both know the characters that make up {100 * peers.COVERAGE:g} % of the text, sentencepiece's default.",
            "",
            *table(timings, corpus.megabytes, {"tokens of the corpus": tokens}),
        ],
    )
