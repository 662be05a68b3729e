"""A split by a regular expression of the reader's own, with a limit for its size and for its time."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from math import prod

import regex

from engine.alignment import Span
from engine.pre_tokenizers import PreTokenizer

_LONGEST_PATTERN = 2_000
_MOST_REPEATS = 10_000
_SHORTEST = 1e-3  # seconds; a limit of 0 would be none


def by_pattern(pattern: str, name: str = "pattern", seconds: float = 1.0) -> PreTokenizer:
    """Split by a regular expression of one's own: matches are pre-tokens, and so is what lies between them.

    Args:
        pattern: A regular expression in the syntax of the `regex` package, at most 2,000 characters.
        name: What to call the split.
        seconds: The time limit of one split, for each 250,000 code points of text or part thereof.

    Raises:
        ValueError: The pattern is broken or too large. The split itself raises ValueError after the time limit.

    >>> split = by_pattern("[aeiou]").split
    >>> [text[a:b] for text in ["tokens"] for a, b in split(text)]
    ['t', 'o', 'k', 'e', 'ns']
    """
    return PreTokenizer(name, WithGaps(compiled(pattern), seconds), keeps_spaces=True, pattern=pattern)


@dataclass(frozen=True)
class WithGaps:
    """A split into the matches of a pattern, and what lies between them.

    Attributes:
        pattern: The pattern.
        seconds: The time limit of one split, for each 250,000 code points of text or part thereof.
    """

    pattern: regex.Pattern[str]
    seconds: float

    def __call__(self, text: str) -> list[Span]:
        """Split a text."""
        return [span for window in self.windows(text, len(text)) for span in window]

    def windows(self, text: str, size: int) -> Iterator[list[Span]]:
        """Split a text window by window, each of `size` code points or little more; only the last may be smaller.

        A search that begins where a match ended finds what going on would have found: it sees what stands before it.
        """
        limit = left = time_limit(text, self.seconds)
        at = 0
        while True:
            began = time.process_time()  # the clock of the package: a search must not pay for what others do meanwhile
            try:
                window = self._window(text, at, size, left)
            except TimeoutError:
                raise too_slow(self.pattern, text, limit) from None
            left = max(_SHORTEST, left - (time.process_time() - began))
            if window:
                yield window
                at = window[-1].stop
            if at == len(text):
                return

    def _window(self, text: str, at: int, size: int, limit: float) -> list[Span]:
        spans = []
        end = at
        for match in self.pattern.finditer(text, at, timeout=limit):
            start, stop = match.span()
            if start < end or start >= stop:  # an empty match; \K in a lookahead may even turn a match around
                continue
            if start > end:
                spans.append(Span(end, start))
            spans.append(Span(start, stop))
            end = stop
            if end - at >= size:
                return spans
        if end < len(text):
            spans.append(Span(end, len(text)))
        return spans


def compiled(pattern: str, flags: int = 0) -> regex.Pattern[str]:
    """Compile a regular expression that comes from outside.

    Raises:
        ValueError: It is broken, too large, or searches backwards.
    """
    if len(pattern) > _LONGEST_PATTERN:
        raise ValueError(f"a pattern may have {_LONGEST_PATTERN:,} characters; this one has {len(pattern):,}")
    repeats = prod(max(1, int(count)) for count in regex.findall(r"\{\s*([0-9]+)", pattern))
    if repeats > _MOST_REPEATS:
        raise ValueError(
            f"the repeat counts of a pattern may multiply to {_MOST_REPEATS:,} at most, for every repeat takes memory; "
            f"those of {pattern!r} multiply to more"
        )
    try:
        made = regex.compile(pattern, flags)
    except regex.error as error:
        raise ValueError(f"{pattern!r} is not a regular expression: {error}") from error
    except AttributeError as error:  # regex 2025.7.34 on two alternatives that are all there is, as in \s|\S
        raise ValueError(f"the regex package cannot compile {pattern!r}; say it in another way") from error
    except (RecursionError, OverflowError) as error:
        raise ValueError(f"{pattern[:40]!r}... is nested too deeply for a regular expression") from error
    if made.flags & regex.REVERSE:
        raise ValueError(f"{pattern!r} searches backwards, (?r), but pre-tokens are read from the start of the text")
    return made


def too_slow(pattern: regex.Pattern[str], text: str, limit: float) -> ValueError:
    """Return the error for a pattern that reached the time limit, in seconds, on a text."""
    return ValueError(
        f"the pattern {pattern.pattern!r} needs more than {limit:g} s on this text of {len(text):,} code points; "
        "nested repeats such as (a+)+ try every way to cut a run"
    )


def time_limit(text: str, seconds: float = 1.0) -> float:
    """Return the time limit of one search through a text: `seconds` for each 250,000 code points or part thereof."""
    return seconds * (1 + len(text) // 250_000)
