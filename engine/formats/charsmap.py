"""Rewrite rules that SentencePiece compiles into a model file: a trie of byte strings, and what they become.

Source: google/sentencepiece, src/normalizer.cc (`DecodePrecompiledCharsMap`, `NormalizePrefix`); the trie is a double
array of Darts-clone, include/darts.h: each unit holds a label, a flag for a leaf and the offset of its children.
"""

from __future__ import annotations

import sys
from array import array
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from engine.alignment import AlignedText, graphemes

_LONGEST_GRAPHEME = 6  # bytes; tokenizers reads longer ones character by character


class Match(NamedTuple):
    """A rule that begins at a place: the number of bytes it takes, and what becomes of them."""

    size: int
    content: str


@dataclass(frozen=True, eq=False)
class Charsmap:
    """The rules of one file.

    Attributes:
        units: The trie.
        contents: What the rules give, in UTF-8, each ended by a zero byte.
        error: Makes the error for a trie that points outside itself.
    """

    units: array[int]
    contents: bytes
    error: Callable[[str], ValueError]

    def longest(self, raw: bytes, start: int) -> Match | None:
        """Return the rule that takes most bytes of `raw` from `start`."""
        found = self._leaves(raw, start)
        return self._match(*found[-1]) if found else None

    def shortest(self, raw: bytes) -> Match | None:
        """Return the rule that takes fewest bytes at the start."""
        found = self._leaves(raw, 0)
        return self._match(*found[0]) if found else None

    def begins(self, character: str) -> bool:
        """Say whether any rule begins with a character."""
        known = self._beginnings.get(character)
        if known is None:
            known = self._beginnings[character] = self.reaches(character.encode())
        return known

    def concerns(self, character: str, following: str) -> bool:
        """Say whether a rule may take a character, or begin with it and go on behind the one that follows."""
        if not self.begins(character):
            return False
        raw = (character + following).encode()
        return self.reaches(raw) or self.longest(raw, 0) is not None

    def by_grapheme(self, text: AlignedText) -> AlignedText:
        """Rewrite as tokenizers does: each short grapheme by the shortest rule that begins it, else its characters.

        Source: huggingface/spm_precompiled, src/lib.rs, `normalize_string`.
        """
        spans: list[tuple[int, int]] = []
        results: list[str] = []
        at = 0
        for cluster in graphemes(text.text):
            raw = cluster.encode()
            match = self.shortest(raw) if len(raw) < _LONGEST_GRAPHEME else None
            parts = [(cluster, match)] if match else [(each, self.shortest(each.encode())) for each in cluster]
            for unit, match in parts:
                if match and match.content != unit:
                    spans.append((at, at + len(unit)))
                    results.append(match.content)
                at += len(unit)
        return text.edited(spans, results)

    @cached_property
    def _beginnings(self) -> dict[str, bool]:
        return {}

    def _leaves(self, raw: bytes, start: int) -> list[tuple[int, int]]:
        """List the leaves on the way down, as (bytes taken, value)."""
        found: list[tuple[int, int]] = []
        units = self.units
        try:
            node = _offset(units[0])
            for taken, byte in enumerate(memoryview(raw)[start:], 1):
                node ^= byte
                unit = units[node]
                if unit & 0x800000FF != byte:
                    break
                node ^= _offset(unit)
                if unit >> 8 & 1:
                    found.append((taken, units[node] & 0x7FFFFFFF))
        except IndexError:
            raise self.error("the trie of its rewrite rules points outside itself") from None
        return found

    def reaches(self, raw: bytes) -> bool:
        """Say whether any rule begins with some bytes, all of them."""
        units = self.units
        try:
            node = _offset(units[0])
            for byte in raw:
                node ^= byte
                unit = units[node]
                if unit & 0x800000FF != byte:
                    return False
                node ^= _offset(unit)
        except IndexError:
            raise self.error("the trie of its rewrite rules points outside itself") from None
        return True

    def _match(self, size: int, value: int) -> Match:
        end = self.contents.find(b"\0", value)
        if end < 0:
            raise self.error("a rewrite rule points outside the text of its rules")
        return Match(size, self.contents[value:end].decode("utf-8", "replace"))


def read(data: bytes, error: Callable[[str], ValueError]) -> Charsmap:
    """Read the rules: the size of the trie in bytes (uint32, little-endian), the trie, the contents.

    Raises:
        ValueError: The sizes do not fit.
    """
    size = int.from_bytes(data[:4], "little")
    if len(data) < 8 or not size or size % 4 or 4 + size > len(data):
        raise error(f"the trie of its rewrite rules should have {size:,} bytes; {max(len(data) - 4, 0):,} follow")
    units = array("I", data[4 : 4 + size])
    if sys.byteorder == "big":
        units.byteswap()
    return Charsmap(units, data[4 + size :], error)


def _offset(unit: int) -> int:
    return (unit >> 10) << ((unit & 0x200) >> 6)
