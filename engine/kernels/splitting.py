r"""Cutting UTF-8 into tokens by the rules of the named regular expressions, 64 bytes at a time.

A window of the text becomes one row of bits for each class of code points: bit k of word w says whether byte
64 * (w - 1) + k belongs to it. Every byte of a code point has the class of the whole. By these rows `split_rules` tells
where tokens start.

A few tokens at the end of a window may go on in ways that the window cannot show, so the next one starts with them.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.kernels.bits import highest, lowest
from engine.kernels.class_rows import ALL, DROPPED, NONE, ONE, ROWS, STARTS, TAILS, Bytes, Words
from engine.kernels.jit import helper, kernel, maker
from engine.kernels.memory import load8, load64, store8, store64
from engine.kernels.split_rules import WHOLE, find_starts

Ints = NDArray[np.int64]

_WINDOW = 8192
UNSURE = 4
"""Tokens at the end of a part of a text that more of it may change."""


@helper
def _sure(starts: Words, words: int) -> int:
    """Return the byte of the rows where the first of the last few tokens starts; 0 if there are hardly more."""
    unsure = UNSURE
    for w in range(words, 0, -1):
        found = starts[w]
        while found != NONE:
            top = highest(found)
            found ^= ONE << np.uint64(top)
            unsure -= 1
            if unsure == 0:
                return 64 * w + top
    return 0


@helper
def _emit(starts: Words, dropped: Words, words: int, base: int, spans: Ints, many: int) -> tuple[int, int]:
    """Write the tokens of a window, all but the last, while there is room.

    Args:
        starts: The row of starts; where the last one starts, the others end.
        dropped: The row of what is no token.
        words: How many words the rows have.
        base: Where in the text the rows start.
        spans: int64[room, 2].
        many: How many tokens there are already.

    Returns:
        How many tokens there are now, and where the next one starts.
    """
    room = spans.shape[0]
    flat = spans.reshape(-1)
    kept = i = 0
    for w in range(1, words + 1):
        found, drop, place = starts[w], dropped[w], base + 64 * w
        while found != NONE:
            at = lowest(found)
            found &= found - ONE
            i = place + at
            store64(flat, 2 * many + 1, np.uint64(i))
            many += kept
            if many == room:
                return many, i
            store64(flat, 2 * many, np.uint64(i))
            kept = 1 - np.int64(drop >> np.uint64(at) & ONE)
    return many, i


@maker
def _room(size: int) -> tuple[Bytes, Bytes, Words]:
    """Make the arrays for a window of some bytes."""
    words = (size >> 6) + 1
    rows = np.empty((ROWS, words + 2), np.uint64)
    rows[:] = NONE
    return np.empty(64 * words + 128, np.uint8), np.empty(64 * words + 128, np.uint8), rows


@helper
def _split(
    raw: Bytes, i: int, stop: int, kind: int, classes: Bytes, spans: Ints, many: int, window: int,
    text: Bytes, codes: Bytes, rows: Words,
) -> tuple[int, int, int]:  # fmt: skip
    """Cut text until it ends, `spans` is full, or nearly so, or a window is needed that the arrays have no room for.

    Returns:
        How many tokens there are, where the next one would start, and how many bytes that window has; 0 for none.
    """
    room, usual = spans.shape[0], min(_WINDOW, max(spans.shape[0], 64))
    while i < stop and (many == 0 or many + window <= room):  # there may be a token a byte
        size = min(window, stop - i)
        while i + size < stop and load8(raw, i + size) & 0xC0 == 0x80:
            size -= 1
        words = (size >> 6) + 1
        if text.shape[0] < 64 * words + 128:
            return many, i, window
        text[:64] = 0
        for at in range(0, size, 8):
            store64(text, 64 + at, load64(raw, i + at))
        for at in range(64 + size, 64 * words + 128):
            store8(text, at, 0)
        rows[TAILS] = NONE
        find_starts(text, size, words, kind, classes, codes, rows)
        starts, end = rows[STARTS], 64 + size
        starts[1] |= ONE
        starts[words] &= ~(ALL << np.uint64(size & 63))
        if i + size < stop:
            end = _sure(starts, words)
            if end <= 64:
                window *= 2
                continue
        starts[end >> 6] = starts[end >> 6] & ~(ALL << np.uint64(end & 63)) | ONE << np.uint64(end & 63)
        many, i = _emit(starts, rows[DROPPED], end >> 6, i - 64, spans, many)
        window = usual
    return many, i, 0


@kernel("Tuple((int64, int64))(uint8[::1], int64, int64, int64, uint8[::1], int64[:,::1])", makes_arrays=True)
def split(raw: Bytes, start: int, stop: int, kind: int, classes: Bytes, spans: Ints) -> tuple[int, int]:
    """Cut text until it ends or `spans` is full, or nearly so.

    Args:
        raw: uint8[n + 16], UTF-8.
        start: Where the first token starts.
        stop: Where the text ends, at most n.
        kind: Which rule.
        classes: uint8[0x110000].
        spans: int64[most, 2]; start and stop of each token are written, in bytes of `raw`.

    Returns:
        How many tokens were found, and where the next one would start.
    """
    room = spans.shape[0]
    if kind == WHOLE and start < stop and room > 0:
        spans[0, 0], spans[0, 1] = start, stop
        return 1, stop
    many, i, window = 0, start, np.int64(min(_WINDOW, max(room, 64)))
    while window:
        text, codes, rows = _room(min(window, stop - i))
        many, i, window = _split(raw, i, stop, kind, classes, spans, many, window, text, codes, rows)
    return many, i


@kernel("UniTuple(int64, 3)(uint8[::1], int64[::1], int64, int64, int64, uint8[::1], int64[:,::1])", makes_arrays=True)
def split_several(
    raw: Bytes, stops: Ints, text: int, start: int, kind: int, classes: Bytes, spans: Ints
) -> tuple[int, int, int]:
    """Cut texts that stand one after another until all end or `spans` is full, or nearly so.

    Args:
        raw: uint8[n + 16], UTF-8.
        stops: int64[texts], where each of them ends.
        text: Which one is next.
        start: Where its first token starts.
        kind: Which rule.
        classes: uint8[0x110000].
        spans: int64[most, 2]; start and stop of each token are written, in bytes of `raw`.

    Returns:
        How many tokens were found, which text is next, and where its next token would start.
    """
    many = 0
    while text < stops.size:
        stop = stops[text]
        if many and spans.shape[0] - many < min(stop - start, _WINDOW):  # there may be a token a byte
            break
        found, start = split(raw, start, stop, kind, classes, spans[many:])
        many += found
        if start < stop:
            break
        text += 1
    return many, text, start
