"""From texts to counts of pre-tokens: all that training needs to know of a corpus.

Counts add up, so a corpus can be counted in parts, by any number of workers, and the sum is exact.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Generator, Iterable, Iterator, Mapping
from concurrent.futures import Executor, Future
from itertools import chain
from typing import Final, Protocol, TypeAlias, cast

from engine import kernels
from engine.alignment import AlignedText, Normalizer, repair
from engine.counts import PreTokenCounts
from engine.marked_spaces import WITHOUT_ALIGNMENT
from engine.normalizers import NORMALIZERS, in_order
from engine.pre_tokenizers import PRE_TOKENIZERS, PreTokenizer, windows
from engine.pre_tokenizers import pre_tokenizer as split_named
from engine.sources import Location, Part, cut_for, parts, pieces, read

COMPILED: Final = frozenset(
    {"whole", "whitespace", "lines", "gpt2", "cl100k", "o200k", "qwen", "tekken", "bert", "clip"}
    | {"digits", "metaspace", "dummy-prefix", "dummy-prefix-whole", "glassllm"}
)
"""The splits that compiled loops know."""

Source: TypeAlias = Location | Iterable[str]

_WORTH_ARRAYS = 20_000  # code points; below, Python is done within 10 ms
_BATCH = 1 << 22  # code points of texts that one worker counts at a time
_WAITING = 64  # parts that are out at a time; the results of more would pile up


class _Counter(Protocol):
    """The pre-tokens of a corpus so far, in order of first appearance."""

    def add(self, text: str) -> Iterator[int]:
        """Repair, split and count a text that is normalized; yield from time to time the code points that are read."""

    def merge(self, other: PreTokenCounts) -> None:
        """Add counts that were made elsewhere."""

    def result(self) -> Mapping[str, int]:
        """Return what was counted."""


class PythonCounter:
    """Counting in Python, by any split."""

    def __init__(self, pre_tokenizer: PreTokenizer) -> None:
        """Count nothing yet."""
        self._pre_tokenizer = pre_tokenizer
        self._counts: dict[str, int] = {}

    def add(self, text: str) -> Iterator[int]:
        """Repair, split and count a text that is normalized; yield from time to time the code points that are read."""
        counts = self._counts
        text = repair(text)
        for spans in windows(self._pre_tokenizer, text):
            for start, stop in spans:
                word = text[start:stop]
                counts[word] = counts.get(word, 0) + 1
            if spans:
                yield spans[-1].stop

    def merge(self, other: PreTokenCounts) -> None:
        """Add counts that were made elsewhere."""
        for word, count in other.items():
            self._counts[word] = self._counts.get(word, 0) + count

    def result(self) -> Mapping[str, int]:
        """Return what was counted."""
        return self._counts


def count_words(
    texts: str | Iterable[str], normalizers: Iterable[Normalizer], pre_tokenizer: PreTokenizer
) -> Mapping[str, int]:
    """Count pre-tokens, in order of first appearance."""
    counting = count_in_slices(texts, normalizers, pre_tokenizer)
    while True:
        try:
            next(counting)
        except StopIteration as over:
            return cast("Mapping[str, int]", over.value)


def count_in_slices(
    texts: str | Iterable[str], normalizers: Iterable[Normalizer], pre_tokenizer: PreTokenizer
) -> Generator[int, None, Mapping[str, int]]:
    """Count pre-tokens as `count_words` does, and yield from time to time how many code points have been read."""
    rules = (*normalizers, *([pre_tokenizer.prepare] if pre_tokenizer.prepare else []))
    plain = next((rewrite for rule, rewrite in WITHOUT_ALIGNMENT.items() if len(rules) == 1 and rule is rules[0]), None)
    waiting = iter([texts] if isinstance(texts, str) else texts)
    first = list(next(_batches(waiting), []))
    counter = _counter(sum(map(len, first)), pre_tokenizer)
    before = 0
    cut = cut_for(pre_tokenizer.name) if PRE_TOKENIZERS.get(pre_tokenizer.name) is pre_tokenizer else None
    for text in chain(first, waiting):
        rewritten = text
        if rules and not plain:
            aligned = AlignedText.of(text)
            for rewrite in rules:
                yield before
                aligned = rewrite(aligned)
            rewritten = aligned.text
        done = 0
        for piece in pieces(rewritten, cut):
            prepared = plain(piece) if plain else piece
            for read_so_far in counter.add(prepared):
                share = (done + read_so_far * len(piece) / len(prepared)) / len(rewritten)
                yield before + round(share * len(text))
            done += len(piece)
        before += len(text)
    yield before
    return counter.result()


def count_pre_tokens(
    sources: Source | Iterable[Source],
    pre_tokenizer: str | PreTokenizer = "gpt2",
    normalizers: Iterable[str | Normalizer] = (),
    executor: Executor | None = None,
) -> Mapping[str, int]:
    """Count the pre-tokens of a corpus of any size, in order of first appearance; `train` takes the result.

    Memory holds the distinct pre-tokens and a few parts of 16 MB. A file is held whole only where the split needs all
    of it ("whole", "dummy-prefix", a pattern of one's own) or a normalizer does ("single_spaces", one of one's own).

    Args:
        sources: One or several of: a path, a glob (`data/**/*.txt.gz`), a URL if fsspec is installed, or an iterable of
            texts. A str is never a text itself. Files hold UTF-8, what is broken becomes U+FFFD, and a mark of byte
            order is text like any other; gzip, bz2 and zstd are recognized by content.
        pre_tokenizer: Name of the split.
        normalizers: Names, in order.
        executor: Who counts: threads, processes, `Client.get_executor()` of Dask or the like; None: this process.

    Raises:
        ValueError: A file is missing, damaged, or a folder; or there is no package that could read it.
        Exception: What the executor says when a worker is lost for good; a count is exact or not there.

    >>> dict(count_pre_tokens([["low lower"], ["low"]]))
    {'low': 2, ' lower': 1}
    """
    split = split_named(pre_tokenizer) if isinstance(pre_tokenizer, str) else pre_tokenizer
    rules = in_order(normalizers)
    names = [name for name, known in NORMALIZERS.items() if known in rules]
    cuttable = PRE_TOKENIZERS.get(split.name) is split and all(rule in NORMALIZERS.values() for rule in rules)
    work = _work(sources, cut_for(split.name, names) if cuttable else None)
    counted = (
        (_count(each, rules, split) for each in work) if executor is None else _apart(executor, work, rules, split)
    )
    total: _Counter | None = None
    for each in counted:
        total = total or _counter(len(each.raw), split)
        total.merge(each)
    return {} if total is None else total.result()


def _apart(
    executor: Executor, work: Iterable[Part | list[str]], rules: tuple[Normalizer, ...], split: PreTokenizer
) -> Iterator[PreTokenCounts]:
    """Count on an executor; the results come in the order of the work, and no more than a few wait."""
    waiting: deque[Future[PreTokenCounts]] = deque()
    try:
        for each in work:
            waiting.append(executor.submit(_count, each, rules, split))
            if len(waiting) >= _WAITING:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    finally:
        for future in waiting:
            future.cancel()


def _work(sources: Source | Iterable[Source], cut: str | None) -> Iterator[Part | list[str]]:
    each: Iterable[Source] = [sources] if isinstance(sources, str | os.PathLike) else sources
    for source in each:
        if isinstance(source, str | os.PathLike):
            yield from parts(source, cut)
        else:
            yield from _batches(source)


def _batches(texts: Iterable[str]) -> Iterator[list[str]]:
    batch: list[str] = []
    size = 0
    for text in texts:
        if not isinstance(text, str):
            raise TypeError(f"a corpus must be made of texts, each a str; got {type(text).__name__}")
        batch.append(text)
        size += len(text)
        if size >= _BATCH:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def _count(work: Part | list[str], rules: tuple[Normalizer, ...], split: PreTokenizer) -> PreTokenCounts:
    return PreTokenCounts.of(count_words(read(work) if isinstance(work, Part) else work, rules, split))


def _counter(size: int, split: PreTokenizer) -> _Counter:
    """Choose who counts: compiled loops where there is much to do and they know the split, else Python."""
    if PRE_TOKENIZERS.get(split.name) is split and split.name in COMPILED and kernels.serve(size, _WORTH_ARRAYS):
        from engine.span_counter import SpanCounter

        return SpanCounter(split.name)
    return PythonCounter(split)
