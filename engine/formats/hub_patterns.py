r"""Regular expressions of a `tokenizer.json`, which are those of Oniguruma: what both read alike, and a refusal else.

Oniguruma reads {2}+ as one more repeat, (?m:.) as any character, [a[bc]] as one class, \w without U+200D, and so on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from time import monotonic
from typing import Final

import regex

from engine.own_patterns import compiled, time_limit, too_slow

_CATEGORIES = "L Lu Ll Lt Lm Lo M Mn Mc Me N Nd Nl No P Pc Pd Ps Pe Pi Pf Po S Sm Sc Sk So Z Zs Zl Zp C Cc Cf Co Cn"
_SCRIPTS = "Han Hiragana Katakana Hangul Latin Greek Cyrillic Arabic Hebrew Thai Devanagari"
PROPERTIES: Final = frozenset(f"{_CATEGORIES} {_SCRIPTS}".split())
r"""What may stand in \p{...}: compared over all code points."""

_ESCAPE = r"""\\(?:[sSdDrntfA]|[^\w\s]|u[0-9A-Fa-f]{4}|x[0-9A-Fa-f]{2}|[pP]\{\^?(?P<property>\w+)\})"""
_CONTRACTION = r"'?(?:[sdmt]|re|ve|ll|\[[sdmt]+\])"
_OUTSIDE = regex.compile(
    rf"""(?P<known>{_ESCAPE}
    |\(\?(?:[:=!>]|<[=!]) | \((?!\?) | \(\?i:{_CONTRACTION}(?:\|{_CONTRACTION})*(?=\))
    |[)|.^$] | [*+?][+?]? | \{{[0-9]+(?:,[0-9]*)?\}}(?![+?]) | \{{[0-9]+,[0-9]*\}}\?
    |(?P<class>\[\^?) | [^\\()|.^$*+?{{\[])""",
    regex.VERBOSE,
)
_INSIDE = regex.compile(rf"(?P<known>{_ESCAPE}|(?P<end>\])|(?P<nested>\[(?![\^:]))|&(?!&)|[^\\\[\]&])", regex.VERBOSE)


def read(pattern: str, error: Callable[[str], ValueError]) -> regex.Pattern[str]:
    """Compile a pattern.

    Raises:
        ValueError: It is broken, too large, or has what Oniguruma reads otherwise.
    """
    written = "".join(_parts(pattern, error))
    try:
        made = compiled(written, regex.MULTILINE)  # ^ and $ are those of lines there
    except ValueError as broken:
        raise error(str(broken)) from broken
    if made.match(""):
        raise error(f"the pattern {pattern[:80]!r} matches the empty text, which cuts at places that are not told here")
    return made


def found(pattern: regex.Pattern[str], text: str) -> list[tuple[int, int]]:
    """Return the spans of the matches, in code points, as Oniguruma finds them.

    Raises:
        ValueError: It takes too long.
    """
    limit = time_limit(text)
    until = monotonic() + limit
    try:
        spans = [match.span() for match in pattern.finditer(text, timeout=limit)]
        if all(start < stop for start, stop in spans):
            return spans
        return list(_with_empty(pattern, text, until))
    except TimeoutError:
        raise too_slow(pattern, text, limit) from None


def _with_empty(pattern: regex.Pattern[str], text: str, until: float) -> Iterator[tuple[int, int]]:
    """Yield the spans of matches where some are empty: after such a one the search goes on with the next character."""
    at, last = 0, -1
    while at <= len(text):
        start, at = at, len(text) + 1
        for match in pattern.finditer(text, start, timeout=max(until - monotonic(), 0.001)):
            first, last_before, last = match.start(), last, match.end()
            if first < last or first != last_before:
                yield match.span()
            if first == last:
                at = last + 1
                break


def _parts(pattern: str, error: Callable[[str], ValueError]) -> Iterator[str]:
    """Yield the pattern part by part, without the brackets of a class inside another."""
    at = depth = 0
    while at < len(pattern):
        found = (_INSIDE if depth else _OUTSIDE).match(pattern, at)
        name = found and found.group("property")
        if not found or (name and name not in PROPERTIES):
            raise error(
                f"the pattern {pattern[:80]!r} has {pattern[at : at + 8]!r} at character {at}, which the library of "
                "this file may read otherwise than we do"
            )
        groups = found.groupdict()
        before = depth
        depth += bool(groups.get("class") or groups.get("nested")) - bool(groups.get("end"))
        yield found.group() if before < 1 or depth < 1 or before == depth else ""
        at = found.end()
        if groups.get("class") and pattern.startswith("]", at):
            raise error(f"the pattern {pattern[:80]!r} has a class that begins with ], at character {at}")
    if depth:
        raise error(f"the pattern {pattern[:80]!r} has a class that does not end")
