"""A tokenizer reads parallel texts: work that advances language by language."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import engine
from engine import Passage, Sample
from engine.kernels import serve
from engine.samples import draws


class Measuring:
    """The reading of parallel texts by one tokenizer, as a job does it: one language a slice."""

    def __init__(self, tokenizer: engine.Tokenizer, passages: Mapping[str, Passage]) -> None:
        """Begin with nothing read, and load the compiled loops if the texts together are worth it."""
        serve(sum(int(passage.bytes.sum()) for passage in passages.values()))
        self._tokenizer = tokenizer
        self._left = list(passages.items())[::-1]
        self._read: dict[str, Sample] = {}
        self._total = len(passages)

    @property
    def done(self) -> int:
        """Languages so far."""
        return len(self._read)

    @property
    def total(self) -> int:
        """Languages in all."""
        return self._total

    @property
    def finished(self) -> bool:
        """Whether all are read."""
        return not self._left

    def advance(self, steps: int) -> None:
        """Read the next language; one of a hundred takes long enough for a slice, whatever `steps` says."""
        tag, passage = self._left.pop()
        self._read[tag] = Sample.of(self._tokenizer, passage)
        if not self._left:
            draws(len(passage.units))  # of many lines they take a while, and every interval needs them

    def run(self) -> dict[str, Sample]:
        """Return what is read so far: language -> sample."""
        return dict(self._read)


def beginning(tokenizer: Callable[[], engine.Tokenizer], passages: Mapping[str, Passage]) -> Callable[[], Measuring]:
    """Return what begins the reading, in the thread of the job: a vocabulary may take a second to load."""
    return lambda: Measuring(tokenizer(), passages)


def reading_code(tokenizer: str, parallel: str) -> str:
    """Return the code of the reading of parallel texts by a tokenizer, of both their codes."""
    return f"{tokenizer}|{parallel}"


def weight(read: Mapping[str, Sample]) -> int:
    """Return the bytes that samples hold, without their texts."""
    return sum(sample.ids.nbytes + sample.word_tokens.nbytes + sample.kept_words.nbytes for sample in read.values())
