"""How SentencePiece normalizes a text, by the rules of its model file.

Source: google/sentencepiece, src/normalizer.cc, `Normalizer::Normalize` and `NormalizePrefix`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
import regex
from numpy.typing import NDArray

from engine.alignment import AlignedText, byte_starts, code_points
from engine.formats.charsmap import Charsmap
from engine.normalizers import Characters

_SPACE, _MARK = " ", "▁"
_MOST_PAIRS = 1 << 16


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
        text, inside = self._ruled(text)
        size = len(text.text)
        end = len(text.text.rstrip(_SPACE + _MARK)) if self.remove_extra else size  # every ▁ there, a written one too
        if not end:
            return text.edited([(0, size)], [""]) if size else text
        spaces = np.flatnonzero(code_points(text.text[:end]) == ord(_SPACE))
        extra = _extra(spaces, inside) if self.remove_extra else np.zeros(len(spaces), np.bool_)
        spans = np.stack([spaces, spaces + 1], axis=1)
        contents = ["" if drops else _MARK for drops in extra.tolist()]
        if self.dummy_prefix:
            first = 0
            while first < len(extra) and extra[first] and spaces[first] == first:
                first += 1
            while first in inside:
                first -= 1
            spans = np.insert(spans, first, first, axis=0)
            contents.insert(first, _MARK)
        if end < size:
            spans = np.append(spans, [(end, size)], axis=0)
            contents.append("")
        return text.edited(spans, contents)

    def _ruled(self, text: AlignedText) -> tuple[AlignedText, set[int]]:
        """Apply the rules.

        Returns:
            The text after them, and the code points of it that are not the first of what was made or kept as one.
        """
        written = text.text
        spans: list[tuple[int, int]] = []
        contents: list[str] = []
        inside: set[int] = set()
        end = longer = 0
        places = self._places(written)
        raw, offsets = (written.encode(), byte_starts(written)) if places else (b"", np.zeros(1, np.int64))
        for at in places:
            if at < end:
                continue
            unit, content = self._unit(written, at, raw, int(offsets[at]))
            inside.update(range(at + longer + 1, at + longer + len(content)))
            end = at + len(unit)
            if unit != content:
                spans.append((at, end))
                contents.append(content)
                longer += len(content) - len(unit)
        return text.edited(spans, contents), inside

    def _places(self, text: str) -> list[int]:
        """List where something may change, in code points: two characters tell, as few rules read further."""
        if self.rules is None and not self.kept:
            return []
        begins = self._beginning.places(text)
        points = code_points(text + "\0").astype(np.int64)
        pairs = (points[begins] << 32 | points[begins + 1]).tolist()
        known = self._known if len(self._known) < _MOST_PAIRS else {}
        for pair in set(pairs).difference(known):
            known[pair] = self._may_change(chr(pair >> 32), chr(pair & 0xFFFFFFFF))
        places: list[int] = begins[np.fromiter(map(known.__getitem__, pairs), np.bool_, len(pairs))].tolist()
        return places

    def _begins(self, character: str) -> bool:
        return character in self.firsts or (self.rules is not None and self.rules.begins(character))

    def _unit(self, text: str, at: int, raw: bytes, offset: int) -> tuple[str, str]:
        """Return what is taken as one at a place, and what becomes of it."""
        kept = self._kept.match(text, at) if self._kept else None
        if kept:
            return kept.group(), kept.group()
        if self.rules is None:
            return text[at], text[at]
        return _begun(self.rules, text[at : at + 2]) or _taken(self.rules, text[at], raw, offset)

    def _may_change(self, character: str, following: str) -> bool:
        if character in self.firsts:
            return True
        return self.rules is not None and self.rules.concerns(character, following)

    @cached_property
    def _beginning(self) -> Characters:
        return Characters(self._begins)

    @cached_property
    def _known(self) -> dict[int, bool]:
        """What was said of pairs of characters, both code points in one number."""
        return {}

    @cached_property
    def firsts(self) -> frozenset[str]:
        """What user-defined pieces begin with."""
        return frozenset(piece[:1] for piece in self.kept)

    @cached_property
    def _kept(self) -> regex.Pattern[str] | None:
        longest_first = sorted(self.kept, key=len, reverse=True)
        return regex.compile("|".join(map(regex.escape, longest_first))) if longest_first else None


@lru_cache(maxsize=1 << 16)
def _begun(rules: Charsmap, pair: str) -> tuple[str, str] | None:
    """Return what is taken as one at the start of two characters, if no rule goes on behind them."""
    raw = pair.encode()
    return None if rules.reaches(raw) else _taken(rules, pair[0], raw, 0)


def _taken(rules: Charsmap, character: str, raw: bytes, start: int) -> tuple[str, str]:
    """Return what a rule takes as one at a place, and what becomes of it; the character if there is none."""
    match = rules.longest(raw, start)
    return (raw[start : start + match.size].decode("utf-8", "replace"), match.content) if match else (character,) * 2


def _extra(spaces: NDArray[np.int64], inside: set[int]) -> NDArray[np.bool_]:
    """Tell which spaces go: those at the start and those that follow another, unless within what was made as one.

    Within it they go only if all before them there go.
    """
    extra: NDArray[np.bool_] = np.diff(spaces, prepend=-1) == 1
    for i, space in enumerate(spaces.tolist()) if inside else ():
        if space in inside and extra[i]:
            extra[i] = extra[i - 1]
    return extra
