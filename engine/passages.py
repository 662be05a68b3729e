r"""A text in units, measured once for every tokenizer that reads it: bytes, characters, words.

Words are those of ICU, the library of the Unicode Consortium: Unicode's default word boundaries (UAX 29), and its
dictionaries for the scripts that are written without spaces: Chinese, Japanese, Thai, Lao, Khmer and Burmese. Tibetan
is cut into syllables.

>>> passage = Passage.of(["The cat", "sat."])
>>> passage.text, passage.bytes.tolist(), [passage.text[a:b] for a, b in passage.words.tolist()]
('The cat\nsat.', [8, 4], ['The', 'cat', 'sat'])
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import regex
from icu4py.breakers import WordBreaker
from numpy.typing import NDArray

from engine.alignment import graphemes, repair
from engine.once import Once

SEGMENTER = "ICU word boundaries (icu4py 1.2.0)"
"""What cuts a text into words, by name and version."""

_WORD = regex.compile(r"[\p{Alphabetic}\p{N}]")


@dataclass(frozen=True, eq=False)
class Passage:
    r"""A text that is made of units: articles, or lines.

    Units are joined by "\n", which belongs to the unit before it; so the units tile the text.

    Attributes:
        units: The units, lone surrogates repaired.
        locale: BCP 47 tag of the language, for the segmenter; unknown ones are read by the default rules.
    """

    units: tuple[str, ...]
    locale: str = ""
    _segments: Once[tuple[NDArray[np.int64], NDArray[np.int64]]] = field(default_factory=Once, init=False, repr=False)

    @classmethod
    def of(cls, units: Sequence[str], locale: str = "") -> Passage:
        """Make a passage of its units.

        Raises:
            ValueError: There is no unit.
        """
        if not units:
            raise ValueError("a passage must have at least one unit; got none")
        return cls(tuple(map(repair, units)), locale)

    @cached_property
    def text(self) -> str:
        """The whole text."""
        return "".join(self._tiles)

    @cached_property
    def bytes(self) -> NDArray[np.int64]:
        """UTF-8 bytes of each unit: int64[units]."""
        return np.array([len(unit.encode()) for unit in self._tiles], np.int64)

    @cached_property
    def starts(self) -> NDArray[np.int64]:
        """The first UTF-8 byte of each unit: int64[units]."""
        return np.cumsum(self.bytes) - self.bytes

    @cached_property
    def code_points(self) -> NDArray[np.int64]:
        """Code points of each unit: int64[units]."""
        return np.array([len(unit) for unit in self._tiles], np.int64)

    @cached_property
    def graphemes(self) -> NDArray[np.int64]:
        """Graphemes of each unit, what readers see as characters: int64[units]."""
        return np.array([len(graphemes(unit)) for unit in self._tiles], np.int64)

    @property
    def words(self) -> NDArray[np.int64]:
        """The words, as spans of UTF-8 bytes: int64[words, 2]; segments without a letter or a digit are none."""
        return self._segments.get(self._segmented)[0]

    @property
    def word_types(self) -> NDArray[np.int64]:
        """A number for each word, the same for equal ones, from 0: int64[words]."""
        return self._segments.get(self._segmented)[1]

    def unit_of(self, starts: NDArray[np.int64]) -> NDArray[np.int64]:
        """Tell in which unit a byte lies: int64[n], from the places of n bytes."""
        return np.maximum(np.searchsorted(self.starts, starts, "right") - 1, 0)

    @cached_property
    def word_units(self) -> NDArray[np.int64]:
        """The unit of each word: int64[words]."""
        return self.unit_of(self.words[:, 0])

    def _segmented(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        numbers: dict[str, int] = {}
        spans: list[tuple[int, int]] = []
        types: list[int] = []
        stop = 0
        for segment in WordBreaker(self.text, self.locale):
            start, stop = stop, stop + len(segment.encode())
            if _WORD.search(segment):
                spans.append((start, stop))
                types.append(numbers.setdefault(segment, len(numbers)))
        return np.array(spans, np.int64).reshape(-1, 2), np.array(types, np.int64)

    @property
    def _tiles(self) -> list[str]:
        """The units, each but the last with its newline."""
        return [*(f"{unit}\n" for unit in self.units[:-1]), self.units[-1]]
