"""Text that remembers where each of its bytes came from."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate, chain, pairwise
from typing import NamedTuple, TypeAlias

import numpy as np
import regex
from numpy.typing import NDArray

from engine.kernels import serve

_WORTH_LOOPS = 10_000  # code points


class Span(NamedTuple):
    """A half-open range `[start, stop)`; the unit is named by whoever holds it."""

    start: int
    stop: int


@dataclass(frozen=True, slots=True, eq=False)
class AlignedText:
    """A rewritten text and, for each of its UTF-8 bytes, the original bytes behind it.

    Both arrays only ever rise. `None` stands for a text that was not rewritten: byte i comes from byte i.

    Attributes:
        original: The text as it was given, lone surrogates repaired.
        text: The text after the rewrites so far.
        starts: int64[bytes of `text`], the first byte of `original` behind each byte; None for identity.
        stops: int64[bytes of `text`], the byte of `original` after those behind each byte; None for identity.
    """

    original: str
    text: str
    starts: NDArray[np.int64] | None
    stops: NDArray[np.int64] | None

    @classmethod
    def of(cls, text: str) -> AlignedText:
        """Align a text with itself, after repairing its surrogates.

        >>> AlignedText.of("café").text
        'café'
        """
        text = repair(text)
        return cls(text, text, None, None)

    def rewrite(self, units: Iterable[str], rule: Callable[[str], str]) -> AlignedText:
        """Apply a rule to each unit of the text and carry the alignment along.

        A unit that the rule leaves alone keeps its alignment byte by byte. Every byte of a changed unit points to
        the whole unit, for a rule does not say which part became which. An empty unit may be filled: what is
        inserted there comes from no bytes.

        Args:
            units: Parts of `text`, in order; joined they are `text`.
            rule: What becomes of one unit.

        Raises:
            ValueError: The units joined are not the text.

        >>> aligned = AlignedText.of("ﬁx").rewrite("ﬁx", lambda unit: "fi" if unit == "ﬁ" else unit)
        >>> aligned.text, aligned.sources(np.array([[0, 1], [1, 3]])).tolist()
        ('fix', [[0, 3], [0, 4]])
        """
        parts = list(units)
        if "".join(parts) != self.text:
            raise ValueError("the units of a rewrite must join to the text, or spans would point to the wrong bytes")
        stops = list(accumulate(map(len, parts)))
        edits = [
            ((stop - len(part), stop), result)
            for part, stop, result in zip(parts, stops, map(rule, parts), strict=True)
            if part != result
        ]
        return self.edited([span for span, _ in edits], [result for _, result in edits])

    def edited(self, spans: NDArray[np.int64] | Sequence[tuple[int, int]], contents: Sequence[str]) -> AlignedText:
        """Put new text in the place of some spans, as a rewrite of these units that leaves all others alone.

        Args:
            spans: int64[n, 2] in code points, ordered, none over another; what stands in an empty one is inserted.
            contents: What becomes of each.

        >>> AlignedText.of("to be").edited([(0, 0), (2, 3)], ["▁", "▁"]).text
        '▁to▁be'
        """
        if not len(contents):
            return self
        edges = np.zeros(2 * len(contents) + 2, np.int64)
        edges[1:-1] = np.asarray(spans, np.int64).reshape(-1)
        edges[-1] = len(self.text)
        places = edges.tolist()
        parts = [""] * (2 * len(contents) + 1)
        parts[::2] = [self.text[start:stop] for start, stop in zip(places[::2], places[1::2], strict=True)]
        parts[1::2] = contents
        before = byte_starts(self.text)[edges]
        sizes = {content: len(content.encode()) for content in set(contents)}
        starts, stops = _edited(before, np.fromiter(map(sizes.__getitem__, contents), np.int64, len(contents)))
        if self.starts is not None and self.stops is not None:
            starts, stops = _behind(self.starts, self.stops, starts, stops)
        return AlignedText(self.original, "".join(parts), starts, stops)

    def sources(self, spans: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the bytes of the original behind byte spans of the text.

        Args:
            spans: int64[n, 2], starts and stops in UTF-8 bytes of `text`, ordered.

        Returns:
            int64[n, 2] in UTF-8 bytes of `original`, ordered and in bounds. An empty span stays empty and stands
            where the bytes behind it begin.
        """
        spans = np.asarray(spans, dtype=np.int64).reshape(-1, 2)
        if self.starts is None or self.stops is None:
            return spans.copy()
        starts, stops = _behind(self.starts, self.stops, spans[:, 0], spans[:, 1])
        return np.stack([starts, np.where(spans[:, 0] < spans[:, 1], stops, starts)], axis=1)

    def parts(self, edges: Sequence[int]) -> list[AlignedText]:
        """Cut the text at some edges, in code points; each part stays aligned with the whole original.

        >>> [part.text for part in AlignedText.of("to be").parts([0, 2, 5])]
        ['to', ' be']
        """
        places = byte_starts(self.text)
        if self.starts is None or self.stops is None:
            starts = np.arange(places[-1])
            stops = starts + 1
        else:
            starts, stops = self.starts, self.stops
        made: list[AlignedText] = []
        for start, stop in pairwise(edges):
            inside = slice(places[start], places[stop])
            made.append(AlignedText(self.original, self.text[start:stop], starts[inside], stops[inside]))
        return made


def repair(text: str) -> str:
    r"""Join surrogate pairs and replace lone surrogates by U+FFFD, as tiktoken does.

    Such text has no UTF-8 form. It reaches us from JSON escapes and from JavaScript.

    Source: openai/tiktoken, tiktoken/core.py, Encoding.encode.

    >>> repair("\ud83d\ude42 \ud83d!")
    '🙂 �!'
    """
    if _has_surrogates(text):
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text


def _has_surrogates(text: str) -> bool:
    if text.isascii():
        return False
    if serve(len(text), _WORTH_LOOPS):
        from engine.kernels import str_to_utf8  # not before the loops are ready

        return str_to_utf8.has_surrogates(text)
    try:
        text.encode()
    except UnicodeEncodeError:
        return True
    return False


def code_points(text: str) -> NDArray[np.uint32]:
    """Return the numbers of the code points: uint32[len(text)].

    >>> code_points("aé🙂").tolist()
    [97, 233, 128578]
    """
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.dtype("<u4"))


def byte_starts(text: str) -> NDArray[np.int64]:
    """Return the UTF-8 offset of every code point boundary: int64[len(text) + 1].

    >>> byte_starts("aé🙂").tolist()
    [0, 1, 3, 7]
    """
    if text.isascii():
        return np.arange(len(text) + 1, dtype=np.int64)
    points = code_points(text)
    lengths = np.ones(len(points), dtype=np.int8)
    for first_longer in (0x80, 0x800, 0x10000):
        lengths += points >= first_longer
    offsets = np.zeros(len(points) + 1, dtype=np.int64)
    np.cumsum(lengths, out=offsets[1:])
    return offsets


def byte_spans(text: str, spans: Sequence[Span]) -> NDArray[np.int64]:
    """Turn spans in code points into spans in UTF-8 bytes: int64[n, 2].

    >>> byte_spans("aé🙂", [Span(0, 2), Span(2, 3)]).tolist()
    [[0, 3], [3, 7]]
    """
    places = np.fromiter(chain.from_iterable(spans), np.int64, 2 * len(spans))
    return byte_starts(text)[places.reshape(-1, 2)]


def graphemes(text: str) -> list[str]:
    r"""Split a text into what readers see as characters: UAX 29 extended grapheme clusters, Unicode 16.

    >>> [len(cluster) for cluster in graphemes("e\N{COMBINING ACUTE ACCENT}🇫🇷!")]
    [2, 2, 1]
    """
    return list(text) if text.isascii() and "\r" not in text else regex.findall(r"\X", text)


def _edited(edges: NDArray[np.int64], sizes: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the byte span behind each new byte, from where what is kept begins and ends, and the bytes put between."""
    after = np.diff(edges)
    after[1::2] = sizes
    begins = np.cumsum(after) - after
    starts = np.arange(begins[-1] + after[-1])
    starts += np.repeat(edges[:-1] - begins, after)
    stops = starts + 1
    new = np.repeat(begins[1::2] - (np.cumsum(sizes) - sizes), sizes)
    new += np.arange(len(new))
    starts[new] = np.repeat(edges[1:-1:2], sizes)
    stops[new] = np.repeat(edges[2:-1:2], sizes)
    return starts, stops


def _behind(
    starts: NDArray[np.int64], stops: NDArray[np.int64], first: NDArray[np.int64], last: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Look up byte spans `[first, last)` in an alignment.

    Where a span is empty, what is inserted stands between its neighbors, or shares the source they share.
    """
    if not len(starts):
        nowhere = np.zeros(len(first), dtype=np.int64)
        return nowhere, nowhere
    begin = np.append(starts, stops[-1])[first]
    end = np.maximum(begin, np.append(stops, 0)[last - 1])
    return begin, end


Normalizer: TypeAlias = Callable[[AlignedText], AlignedText]
