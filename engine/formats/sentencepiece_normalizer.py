"""How SentencePiece normalizes a text, by the rules of its model file.

Source: google/sentencepiece, src/normalizer.cc, `Normalizer::Normalize` and `NormalizePrefix`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import NamedTuple

import numpy as np
import regex

from engine.alignment import AlignedText, byte_starts, code_points
from engine.formats.charsmap import Charsmap

_MARK = "▁"


class _Unit(NamedTuple):
    before: str
    after: str


@dataclass(frozen=True, eq=False)
class Rewrite:
    """A normalizer: compiled rules, white space, and ▁ for each space.

    Attributes:
        rules: The compiled rules; None leaves characters as they are.
        kept: User-defined pieces, which no rule touches.
        dummy_prefix: Whether ▁ is put before the text; it comes from no bytes.
        remove_extra: Whether spaces at both ends go, and runs of them become one.
    """

    rules: Charsmap | None
    kept: frozenset[str]
    dummy_prefix: bool
    remove_extra: bool

    def __call__(self, text: AlignedText) -> AlignedText:
        """Normalize a text."""
        units = self._units(text.text)
        results = [unit.after for unit in units]
        if self.remove_extra:
            _collapse(results)
        first = next((i for i, result in enumerate(results) if result), None)
        if self.dummy_prefix and first is not None:
            units.insert(first, _Unit("", ""))
            results.insert(first, " ")
        marked = [result.replace(" ", _MARK) for result in results]
        if self.remove_extra:
            _strip_end(marked)
        coming = iter(marked)
        return text.rewrite([unit.before for unit in units], lambda unit: next(coming))

    def _units(self, text: str) -> list[_Unit]:
        """Cut a text into what may change, character by character or rule by rule, and what lies between."""
        raw, offsets = text.encode(), byte_starts(text)
        units: list[_Unit] = []
        end = 0
        for at in self._places(text):
            if at < end:
                continue
            if end < at:
                units.append(_Unit(text[end:at], text[end:at]))
            units.append(self._unit(text, at, raw, int(offsets[at])))
            end = at + len(units[-1].before)
        if end < len(text):
            units.append(_Unit(text[end:], text[end:]))
        return units

    def _places(self, text: str) -> list[int]:
        """List where something may change, in code points: two characters tell, as few rules read further."""
        points = code_points(text).astype(np.int64)
        pairs, which = np.unique(points << 32 | np.append(points[1:], 0), return_inverse=True)
        flags = [_may_change(self, chr(pair >> 32), chr(pair & 0xFFFFFFFF)) for pair in pairs.tolist()]
        return np.flatnonzero(np.array(flags, np.bool_)[which]).tolist()

    def _unit(self, text: str, at: int, raw: bytes, offset: int) -> _Unit:
        character = text[at]
        kept = self._kept.match(text, at) if self._kept else None
        if kept:
            return _Unit(kept.group(), kept.group())
        if self.rules is not None and self.rules.begins(character):
            match = self.rules.longest(raw, offset)
            if match:
                return _Unit(raw[offset : offset + match.size].decode("utf-8", "replace"), match.content)
        return _Unit(character, character)

    @cached_property
    def firsts(self) -> frozenset[str]:
        """What spaces, marks and user-defined pieces begin with."""
        return frozenset({" ", _MARK, *(piece[:1] for piece in self.kept)})

    @cached_property
    def _kept(self) -> regex.Pattern[str] | None:
        longest_first = sorted(self.kept, key=len, reverse=True)
        return regex.compile("|".join(map(regex.escape, longest_first))) if longest_first else None


@lru_cache(maxsize=1 << 16)
def _may_change(rewrite: Rewrite, character: str, following: str) -> bool:
    if character in rewrite.firsts:
        return True
    return rewrite.rules is not None and rewrite.rules.concerns(character, following)


def _collapse(results: list[str]) -> None:
    """Drop spaces at the start and those that follow another."""
    after_space = True
    for i, result in enumerate(results):
        if after_space:
            result = results[i] = result.lstrip(" ")
        if result:
            after_space = result.endswith(" ")


def _strip_end(results: list[str]) -> None:
    """Drop every ▁ at the end, a written one too."""
    for i in range(len(results) - 1, -1, -1):
        results[i] = results[i].rstrip(_MARK)
        if results[i]:
            return
