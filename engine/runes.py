"""What a text is underneath: its bytes, code points (runes) and graphemes, side by side."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, overload

import numpy as np
from numpy.typing import NDArray

from engine.alignment import code_points, graphemes, repair
from engine.code_points import CodePoint, code_point
from engine.utf8 import TABLE, Row, from_printable, split_bits, to_printable, why_invalid

__all__ = [
    "TABLE",
    "CodePoint",
    "Grapheme",
    "Lengths",
    "Row",
    "Rune",
    "Runes",
    "code_point",
    "from_printable",
    "split_bits",
    "to_printable",
    "why_invalid",
]

_ESCAPED = 0xDC80  # U+DC80 to U+DCFF: how "surrogateescape" hands on an invalid byte, which is 0x80 to 0xFF


class Rune(NamedTuple):
    """One row of a text: a code point, or a byte that belongs to none.

    Attributes:
        at_byte: Place of its first byte, from 0.
        at_rune: Place among the rows, from 0: the code point index where all bytes are valid.
        at_grapheme: Place of its grapheme among the graphemes, from 0.
        utf8: Its bytes.
        code_point: What Unicode says of it; None for an invalid byte.
        invalid: Why the byte is no part of a code point; empty for a code point.
    """

    at_byte: int
    at_rune: int
    at_grapheme: int
    utf8: bytes
    code_point: CodePoint | None
    invalid: str

    @property
    def bits(self) -> list[tuple[str, str]]:
        """Prefix and payload of each of its bytes."""
        return [split_bits(value) for value in self.utf8]


class Grapheme(NamedTuple):
    """What a reader sees as one character; an invalid byte is one by itself.

    Attributes:
        at_byte: Place of its first byte, from 0.
        at_grapheme: Place among the graphemes, from 0.
        utf8: Its bytes.
        runes: Its rows.
    """

    at_byte: int
    at_grapheme: int
    utf8: bytes
    runes: list[Rune]


class Lengths(NamedTuple):
    """How long a text is, by who counts.

    Bytes that are invalid: Go takes each as one rune; Python (`errors="replace"`) and JavaScript (`TextDecoder`)
    put one U+FFFD for each maximal subpart, which may have up to three bytes.

    Attributes:
        go_len: `len` in Go: bytes.
        go_rune_count: `utf8.RuneCountInString` in Go.
        python_len: `len` in Python: code points.
        javascript_length: `length` in JavaScript: UTF-16 units.
        graphemes: What readers see as characters: `count` in Swift.
    """

    go_len: int
    go_rune_count: int
    python_len: int
    javascript_length: int
    graphemes: int


@dataclass(frozen=True, eq=False)
class Runes(Sequence[Rune]):
    """The code points and invalid bytes of a text, in columns; a row is made when it is asked for.

    Attributes:
        source: The bytes.
        points: int32[n], the number of each code point; -1 for an invalid byte.
        starts: int64[n + 1], the first byte of each row, which is what `range` gives in Go; then the number of bytes.
        cluster: int64[n], the index of the grapheme of each row.
    """

    source: bytes
    points: NDArray[np.int32]
    starts: NDArray[np.int64]
    cluster: NDArray[np.int64]

    @classmethod
    def of(cls, text: str) -> Runes:
        """Take a text apart, after repairing its surrogates.

        >>> olá = Runes.of("Olá")
        >>> len(olá.source), len(olá), [rune.at_byte for rune in olá]
        (4, 3, [0, 1, 2])
        """
        return cls.decode(repair(text).encode())

    @classmethod
    def decode(cls, source: bytes) -> Runes:
        r"""Take bytes apart, valid UTF-8 or not.

        >>> [rune.invalid or rune.code_point.char for rune in Runes.decode(b"Go\xe2\x82")]
        ['G', 'o', 'the text ends after 2 of 3 bytes', 'it belongs to an unfinished code point']
        """
        points = code_points(source.decode("utf-8", "surrogateescape")).astype(np.int32)
        invalid = (points >= _ESCAPED) & (points <= _ESCAPED + 0x7F)
        lengths = np.searchsorted([0x80, 0x800, 0x10000], points, side="right") + 1
        lengths[invalid] = 1
        # For the graphemes an invalid byte stands as a control, with which nothing joins.
        visible = np.where(invalid, 0, points).astype("<u4").tobytes().decode("utf-32-le")
        sizes = [len(cluster) for cluster in graphemes(visible)]
        return cls(
            source,
            np.where(invalid, -1, points).astype(np.int32),
            np.concatenate([[0], np.cumsum(lengths)]),
            np.repeat(np.arange(len(sizes)), sizes),
        )

    def __len__(self) -> int:
        return len(self.points)

    @overload
    def __getitem__(self, index: int) -> Rune: ...
    @overload
    def __getitem__(self, index: slice) -> list[Rune]: ...
    def __getitem__(self, index: int | slice) -> Rune | list[Rune]:
        if isinstance(index, slice):
            return [self._row(place) for place in range(len(self))[index]]
        return self._row(range(len(self))[index])

    def __iter__(self) -> Iterator[Rune]:
        return map(self._row, range(len(self)))

    def grapheme(self, index: int) -> Grapheme:
        """Return one grapheme, counted from 0, with its rows."""
        first, stop = self.grapheme_starts[range(len(self.grapheme_starts) - 1)[index] :][:2].tolist()
        byte = int(self.starts[first])
        return Grapheme(byte, int(self.cluster[first]), self.source[byte : self.starts[stop]], self[first:stop])

    @cached_property
    def grapheme_starts(self) -> NDArray[np.int64]:
        """The first row of each grapheme, then the number of rows: int64[graphemes + 1]."""
        return np.append(np.flatnonzero(np.diff(self.cluster, prepend=-1)), len(self))

    @property
    def joins(self) -> NDArray[np.int64]:
        """The rows that go on with the grapheme of the row before: int64[rows - graphemes]."""
        return np.flatnonzero(np.diff(self.cluster, prepend=-1) == 0)

    @property
    def invalid(self) -> dict[int, str]:
        """The place of each byte that is no part of a code point, and why."""
        places = self.starts[:-1][self.points < 0].tolist()
        return {place: why_invalid(self.source, place) for place in places}

    @property
    def lengths(self) -> Lengths:
        """How long the text is in bytes, runes, code points, UTF-16 units and graphemes.

        >>> Runes.of("𠮷").lengths
        Lengths(go_len=4, go_rune_count=1, python_len=1, javascript_length=2, graphemes=1)
        """
        code_points = len(self.source.decode("utf-8", "replace"))
        pairs = int((self.points >= 0x10000).sum())
        count = len(self.grapheme_starts) - 1
        return Lengths(len(self.source), len(self), code_points, code_points + pairs, count)

    @property
    def distinct(self) -> dict[CodePoint, int]:
        """Each code point that occurs, by number, and how often."""
        numbers, counts = np.unique(self.points[self.points >= 0], return_counts=True)
        return {code_point(chr(n)): count for n, count in zip(numbers.tolist(), counts.tolist(), strict=True)}

    @property
    def scripts(self) -> dict[str, int]:
        """Code points of each script, the most frequent first.

        >>> Runes.of("Olá, 世界").scripts
        {'Latin': 3, 'Common': 2, 'Han': 2}
        """
        counts: Counter[str] = Counter()
        for point, count in self.distinct.items():
            counts[point.script] += count
        return dict(counts.most_common())

    @property
    def length_classes(self) -> dict[int, int]:
        """Code points of each length in UTF-8: 1 to 4 bytes.

        >>> Runes.of("Olá, 世界").length_classes
        {1: 4, 2: 1, 3: 2, 4: 0}
        """
        counts = np.bincount(np.diff(self.starts)[self.points >= 0], minlength=5)
        return dict(enumerate(counts.tolist()[1:], start=1))

    def _row(self, index: int) -> Rune:
        byte, stop = self.starts[index : index + 2].tolist()
        point = int(self.points[index])
        known = code_point(chr(point)) if point >= 0 else None
        reason = "" if known else why_invalid(self.source, byte)
        return Rune(byte, index, int(self.cluster[index]), self.source[byte:stop], known, reason)
