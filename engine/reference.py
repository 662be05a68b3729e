"""The shortest correct version of every algorithm: to be read aloud, and to test the fast ones against.

Words are lists of ids, each with a count. Nothing is kept between steps: all is counted again.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import TypeAlias

Pair: TypeAlias = tuple[int, int]
Words: TypeAlias = list[tuple[list[int], int]]
Choose: TypeAlias = Callable[[list[Pair], Words], Pair]


def lowest_id(tied: list[Pair], words: Words) -> Pair:
    """Choose the pair with the smallest ids.

    >>> lowest_id([(3, 1), (2, 9)], [])
    (2, 9)
    """
    return min(tied)


def first_seen(tied: list[Pair], words: Words) -> Pair:
    """Choose the pair that stands earliest in the corpus as it is now.

    >>> first_seen([(1, 2), (2, 3)], [([2, 3], 1), ([1, 2], 1)])
    (2, 3)
    """
    return next(pair for ids, _ in words for pair in pairwise(ids) if pair in tied)


def count_pairs(words: Words) -> Counter[Pair]:
    """Count neighbours, overlaps included.

    >>> count_pairs([([5, 5, 5], 1), ([5, 6], 4)])
    Counter({(5, 6): 4, (5, 5): 2})
    """
    counts: Counter[Pair] = Counter()
    for ids, count in words:
        for pair in pairwise(ids):
            counts[pair] += count
    return counts


def merge(ids: list[int], pair: Pair, new: int) -> list[int]:
    """Replace each occurrence of a pair, read from the left, by a new id.

    >>> merge([5, 5, 5], (5, 5), 6)
    [6, 5]
    """
    merged: list[int] = []
    i = 0
    while i < len(ids):
        if tuple(ids[i : i + 2]) == pair:
            merged.append(new)
            i += 2
        else:
            merged.append(ids[i])
            i += 1
    return merged


def train_bpe(words: Words, first_id: int, steps: int, choose: Choose = lowest_id) -> list[Pair]:
    """Merge the most frequent pair, again and again.

    Source: Sennrich et al. 2016, arXiv:1508.07909, algorithm 1.

    >>> train_bpe([(list(b"aaabdaaabac"), 1)], 256, 3, first_seen)
    [(97, 97), (256, 97), (257, 98)]
    """
    merges: list[Pair] = []
    while len(merges) < steps and (counts := count_pairs(words)):
        best = max(counts.values())
        pair = choose([pair for pair in counts if counts[pair] == best], words)
        words = [(merge(ids, pair, first_id + len(merges)), count) for ids, count in words]
        merges.append(pair)
    return merges


def train_wordpiece(words: Words, first_id: int, steps: int, choose: Choose = lowest_id) -> list[Pair]:
    """Merge the pair with the highest count(ab) / (count(a) * count(b)), again and again.

    Source: Google never published WordPiece's training; this is the formula of the Hugging Face course, chapter 6.

    >>> train_wordpiece([([0, 1], 4), ([0, 2], 1), ([3, 2], 1)], 4, 1)
    [(3, 2)]
    """
    merges: list[Pair] = []
    while len(merges) < steps and (counts := count_pairs(words)):
        units = Counter[int]()
        for ids, count in words:
            for id in ids:
                units[id] += count
        scores = {(a, b): Fraction(n, units[a] * units[b]) for (a, b), n in counts.items()}
        best = max(scores.values())
        pair = choose([pair for pair in scores if scores[pair] == best], words)
        words = [(merge(ids, pair, first_id + len(merges)), count) for ids, count in words]
        merges.append(pair)
    return merges


def encode_bpe(ids: list[int], merges: Sequence[Pair], first_id: int) -> list[int]:
    """Apply the merge of lowest rank, as long as one applies.

    >>> encode_bpe(list(b"aaabdaaabac"), [(97, 97), (256, 97), (257, 98)], 256)
    [258, 100, 258, 97, 99]
    """
    ranks = {pair: rank for rank, pair in enumerate(merges)}
    while known := [pair for pair in pairwise(ids) if pair in ranks]:
        pair = min(known, key=ranks.__getitem__)
        ids = merge(ids, pair, first_id + ranks[pair])
    return ids


def encode_wordpiece(word: str, vocabulary: Mapping[str, int], unknown: str = "[UNK]") -> list[str]:
    """Take the longest piece that matches, from the left; one gap makes the whole word unknown.

    Source: Devlin et al. 2019, arXiv:1810.04805, tokenization.py.

    >>> encode_wordpiece("hugs", {"hu": 0, "##g": 1, "##gs": 2})
    ['hu', '##gs']
    """
    pieces: list[str] = []
    start = 0
    while start < len(word):
        fits = (word[start:stop] for stop in range(len(word), start, -1))
        marked = ("##" + part if start else part for part in fits)
        piece = next((part for part in marked if part in vocabulary), None)
        if piece is None or len(word) > 100:
            return [unknown]
        pieces.append(piece)
        start += len(piece.removeprefix("##")) if start else len(piece)
    return pieces


def cuts(word: str, log_probs: Mapping[str, float]) -> Iterator[list[str]]:
    """Yield every way to cut a word into known pieces.

    >>> list(cuts("hug", {"h": -2, "u": -2, "g": -2, "ug": -3}))
    [['h', 'u', 'g'], ['h', 'ug']]
    """
    if not word:
        yield []
    for stop in range(1, len(word) + 1):
        if word[:stop] in log_probs:
            yield from ([word[:stop], *rest] for rest in cuts(word[stop:], log_probs))


def log_prob(way: Sequence[str], log_probs: Mapping[str, float]) -> float:
    """Add up the log probabilities of pieces."""
    return math.fsum(log_probs[piece] for piece in way)


def encode_unigram(word: str, log_probs: Mapping[str, float]) -> list[str]:
    """Choose the most probable of all ways to cut a word.

    Source: Kudo 2018, arXiv:1804.10959, section 3.2.

    >>> encode_unigram("hugs", {"h": -2, "u": -2, "g": -2, "s": -2, "ug": -3, "hug": -4})
    ['hug', 's']
    """
    return max(cuts(word, log_probs), key=lambda way: log_prob(way, log_probs))


def expected_counts(words: Mapping[str, int], log_probs: Mapping[str, float]) -> dict[str, float]:
    """Count how often each piece is expected to stand: every way to cut a word counts by its probability.

    >>> expected_counts({"ab": 3}, {"a": math.log(0.5), "b": math.log(0.5), "ab": math.log(0.25)})
    {'a': 1.5, 'b': 1.5, 'ab': 1.5}
    """
    counts = dict.fromkeys(log_probs, 0.0)
    for word, count in words.items():
        ways = [(way, math.exp(log_prob(way, log_probs))) for way in cuts(word, log_probs)]
        whole = math.fsum(chance for _, chance in ways)
        for way, chance in ways:
            for piece in way:
                counts[piece] += count * chance / whole
    return counts


def likelihood(words: Mapping[str, int], log_probs: Mapping[str, float]) -> float:
    """Return the log probability of a corpus, in nats: of each word, the sum over all ways to cut it."""
    total = 0.0
    for word, count in words.items():
        total += count * math.log(math.fsum(math.exp(log_prob(way, log_probs)) for way in cuts(word, log_probs)))
    return total


def train_unigram(
    words: Mapping[str, int], seeds: Mapping[str, int], size: int, kept: float = 0.75
) -> dict[str, float]:
    """Estimate the pieces' probabilities, drop those that the corpus misses least, again and again.

    Single characters stay. SentencePiece, and what runs here, estimate each loss by the best cut alone.

    Source: Kudo 2018, arXiv:1804.10959, section 3.2.

    >>> sorted(train_unigram({"hug": 10, "hugs": 5}, {"h": 15, "u": 15, "g": 15, "s": 5, "hug": 15, "ug": 15}, 5))
    ['g', 'h', 'hug', 's', 'u']
    """
    counts: Mapping[str, float] = seeds
    while True:
        for _ in range(2):
            whole = math.fsum(counts.values())
            log_probs = {piece: math.log(max(count, 1e-9) / whole) for piece, count in counts.items()}
            counts = expected_counts(words, log_probs)
        if len(log_probs) <= size:
            return log_probs
        loss: dict[str, float] = {}
        for piece in (piece for piece in log_probs if len(piece) > 1):
            rest = {other: log_probs[other] for other in log_probs if other != piece}
            loss[piece] = likelihood(words, log_probs) - likelihood(words, rest)
        target = max(size, int(kept * len(log_probs)))
        gone = sorted(loss, key=lambda piece: loss[piece])[: len(log_probs) - target]
        if not gone:
            return log_probs
        counts = {piece: count for piece, count in counts.items() if piece not in gone}


def train_words(words: Mapping[str, int], size: int) -> list[str]:
    """Keep the most frequent words; of equals the one that came first.

    >>> train_words({"o": 2, "gato": 2, "voou": 1}, 2)
    ['o', 'gato']
    """
    return sorted(words, key=lambda word: -words[word])[:size]
