"""Tokens that are found in a text as they are written, before the model reads it: special ones and added ones."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Final, Literal, NamedTuple, TypeAlias

import numpy as np
import regex

from engine.alignment import AlignedText, Span, byte_starts

Special: TypeAlias = Literal["plain", "parse", "error"]
"""What to do with the text of a special token."""


class Matching(NamedTuple):
    """How a token is looked for.

    Source: huggingface/tokenizers 0.23, tokenizers/src/tokenizer/added_vocabulary.rs, `AddedToken`.

    Attributes:
        takes_left: Whether it takes the white space before it (`lstrip`).
        takes_right: Whether it takes the white space behind it (`rstrip`).
        alone: Whether no letter, digit, mark or underscore may touch it (`single_word`).
        normalized: Whether it is looked for in the normalized text, its own text normalized too.
    """

    takes_left: bool = False
    takes_right: bool = False
    alone: bool = False
    normalized: bool = False


AS_WRITTEN: Final = Matching()


class Found(NamedTuple):
    """A token found in a text.

    Attributes:
        id: Its integer.
        text: What stands there, with the white space that it takes.
        span: The UTF-8 bytes of the original text behind it.
    """

    id: int
    text: str
    span: Span


@dataclass(frozen=True, eq=False)
class Finder:
    """Finds tokens in a text: the leftmost first, of those that begin at one place the longest.

    Attributes:
        specials: Text -> id of special tokens, which are found if one asks for them.
        added: Text -> id of tokens that are found always.
        matching: Text -> how a token is looked for, where not just as it is written.
        written: What a token's text looks like in the texts that are searched.
    """

    specials: Mapping[str, int]
    added: Mapping[str, int]
    matching: Mapping[str, Matching]
    written: Callable[[str], str] = str

    def parts(self, text: AlignedText, special: Special) -> list[AlignedText | Found]:
        """Cut a text into tokens and what lies between them; a text without tokens is one part, even if it is empty.

        Raises:
            ValueError: `special` is "error" and the text has a special token.
        """
        if self._pattern is None or (special == "plain" and not self.added):
            return [text]
        found = list(self._found(text.text, special))
        if not found:
            return [text]
        spans = [span for span, _ in found]
        starts = byte_starts(text.text)
        sources = map(Span._make, text.sources(starts[np.array(spans, np.int64)]).tolist())
        edges = [0, *(edge for span in spans for edge in span), len(text.text)]
        between = text.parts(edges)
        parts: list[AlignedText | Found] = []
        for (span, token), source, before in zip(found, sources, between[::2], strict=False):
            if special == "error" and token in self.specials:
                raise ValueError(
                    f"special tokens are not allowed in this text, as they could steer the model; found {token!r}"
                    f' at byte {source.start}. Pass special="parse" to read it as a token, or "plain" as ordinary text'
                )
            parts += [before, Found(self._ids[token], text.text[slice(*span)], source)]
        return [part for part in (*parts, between[-1]) if isinstance(part, Found) or part.text]

    def _found(self, text: str, special: Special) -> Iterator[tuple[Span, str]]:
        """Yield spans in code points, and the token of each; special tokens that nobody asks for are passed over."""
        end = 0
        for match in self._pattern.finditer(text) if self._pattern else ():
            token = self._tokens[match.group()]
            start, stop = match.span()
            how = self.matching.get(token, AS_WRITTEN)
            if special == "plain" and token in self.specials:
                continue
            if how.alone and (_WORD.match(text, stop) or (start and _WORD.match(text, start - 1))):
                continue
            if how.takes_left:
                while start > end and _SPACE.match(text, start - 1):
                    start -= 1
                start = max(start, end)
            if how.takes_right:
                while _SPACE.match(text, stop):
                    stop += 1
            if start < stop:  # else the token before has taken it, as white space
                yield Span(start, stop), token
                end = stop

    @cached_property
    def _ids(self) -> dict[str, int]:
        return {**self.specials, **self.added}

    @cached_property
    def _tokens(self) -> dict[str, str]:
        """What is looked for -> the token; what normalization leaves nothing of is not looked for."""
        return {looked: token for token in reversed(self._ids) if (looked := self.written(token))}

    @cached_property
    def _pattern(self) -> regex.Pattern[str] | None:
        longest_first = sorted(self._tokens, key=len, reverse=True)
        return regex.compile("|".join(map(regex.escape, longest_first))) if longest_first else None


_WORD = regex.compile(r"\w")
_SPACE = regex.compile(r"\s")
