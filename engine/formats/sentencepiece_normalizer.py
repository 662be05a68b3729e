"""How SentencePiece normalizes a text, by the rules of its model file.

Source: google/sentencepiece, src/normalizer.cc, `Normalizer::Normalize` and `NormalizePrefix`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import regex

from engine.alignment import AlignedText
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
        if self.rules is None and not self.kept:
            return [_Unit(character, character) for character in text]
        raw = text.encode()
        units: list[_Unit] = []
        at = offset = 0
        while at < len(text):
            unit = self._unit(text, at, raw, offset)
            units.append(unit)
            at += len(unit.before)
            offset += len(unit.before.encode())
        return units

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
    def _kept(self) -> regex.Pattern[str] | None:
        longest_first = sorted(self.kept, key=len, reverse=True)
        return regex.compile("|".join(map(regex.escape, longest_first))) if longest_first else None


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
