"""Rows of bits that tell the class of each byte of a text, and how they are read; `splitting` says what a row is."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.kernels.bits import lowest
from engine.kernels.jit import helper, inlined
from engine.kernels.memory import having, load8, store8, within

Bytes = NDArray[np.uint8]
Words = NDArray[np.uint64]

# Rows. UPPERS are letters that may stand where a capital may, and marks; LOWERS are those that may follow one.
LETTERS, NUMBERS, SPACES, UPPERS, LOWERS, ALONE, OTHERS, INNER, TAILS, STARTS, DROPPED = range(ROWS := 11)
_LAST = 64  # of a white code point in several bytes: what follows is not white

# What the classes of code points are: other, upper, lower, letter, mark, number, space, newline, punctuation,
# ideograph, sign.
_FLAGS = np.array([0, 9, 17, 25, 24, 2, 4, 4, 32, 57, 32], np.uint8)

NONE, ONE, TOP, ALL = np.uint64(0), np.uint64(1), np.uint64(63), np.uint64(0xFFFFFFFFFFFFFFFF)


@inlined
def before(row: Words, w: int) -> int:
    """Return which bytes stand behind one that is in a row."""
    return row[w] << ONE | row[w - 1] >> TOP


@inlined
def after(row: Words, w: int) -> int:
    """Return which bytes stand before one that is in a row."""
    return row[w] >> ONE | row[w + 1] << TOP


@inlined
def along(first: int, runs: int) -> int:
    """Return the part of each run from the lowest bit of `first` in it on."""
    return (((first & runs) + runs) ^ runs | first) & runs


@inlined
def _flags(text: Bytes, i: int, classes: Bytes) -> int:
    """Return the flags of the code point of several bytes at i, and how many bytes, times 256."""
    first, second = load8(text, i), load8(text, i + 1) & 63
    if first < 0xE0:
        return _FLAGS[load8(classes, (first & 31) << 6 | second)] | 0x200
    third = load8(text, i + 2) & 63
    if first < 0xF0:
        return _FLAGS[load8(classes, (first & 15) << 12 | second << 6 | third)] | 0x300
    point = (first & 7) << 18 | second << 12 | third << 6 | (load8(text, i + 3) & 63)
    return _FLAGS[load8(classes, min(point, 0x10FFFF))] | 0x400


@helper
def _decode(text: Bytes, stop: int, words: int, classes: Bytes, codes: Bytes) -> None:
    """Write the flags of each code point of several bytes at its first byte, 0 elsewhere, in words that have any."""
    for w in range(1, words + 1):
        i = 64 * w
        if within(text, i, 0x80, 0xFF) == NONE:
            continue
        codes[i : i + 64] = 0
        heads = within(text, i, 0xC0, 0xFF)
        while heads != NONE:
            at = i + lowest(heads)
            heads &= heads - ONE
            flags = _flags(text, at, classes)
            if flags & (1 << SPACES):
                after = at + (flags >> 8)
                byte = load8(text, after)
                following = _flags(text, after, classes) if byte >= 0x80 else 0
                white = following & (1 << SPACES) != 0 or byte == 32 or 9 <= byte <= 13
                if after < stop and not white:
                    flags |= _LAST
            store8(codes, at, flags)


@inlined
def whole_points(heads: int, rest: int, before: int) -> int:
    """Add to first bytes the bytes that go on their code points; `before` is the word before, where that is done."""
    return heads | rest & ~(rest + ((heads << ONE | before >> TOP) & rest))


@helper
def classify(
    text: Bytes, size: int, words: int, classes: Bytes, codes: Bytes, rows: Words, cased: bool, alone: bool
) -> None:
    """Fill the rows up to OTHERS; those that tell case or stand alone, if they are asked for."""
    _decode(text, 64 + size, words, classes, codes)
    for w in range(1, words + 1):
        i = 64 * w
        uppers, lowers = within(text, i, 65, 90), within(text, i, 97, 122)
        letters = uppers | lowers
        numbers = within(text, i, 48, 57)
        spaces = within(text, i, 32, 32) | within(text, i, 9, 13)
        marks = NONE
        high = within(text, i, 0x80, 0xFF)
        if alone:
            signs = within(text, i, 33, 126) & ~(letters | numbers)
            if high != NONE:
                rest = high & ~heads_of(text, w)
                signs = whole_points(signs | having(codes, i, 1 << ALONE), rest, rows[ALONE, w - 1])
            rows[ALONE, w] = signs
        if high != NONE:
            rest = high & ~heads_of(text, w)
            letters = whole_points(letters | having(codes, i, 1 << LETTERS), rest, rows[LETTERS, w - 1])
            numbers = whole_points(numbers | having(codes, i, 1 << NUMBERS), rest, rows[NUMBERS, w - 1])
            spaces = whole_points(spaces | having(codes, i, 1 << SPACES), rest, rows[SPACES, w - 1])
            if cased:
                uppers = whole_points(uppers | having(codes, i, 1 << UPPERS), rest, rows[UPPERS, w - 1])
                lowers = whole_points(lowers | having(codes, i, 1 << LOWERS), rest, rows[LOWERS, w - 1])
                marks = uppers & lowers & ~letters
        if w == words:
            spaces |= ALL << np.uint64(size & 63)
        rows[LETTERS, w], rows[NUMBERS, w], rows[SPACES, w] = letters, numbers, spaces
        rows[UPPERS, w], rows[LOWERS, w] = uppers, lowers
        rows[OTHERS, w] = ~(letters | numbers | spaces | marks)
    rows[:, words + 1] = NONE
    rows[SPACES, words + 1] = ALL


@inlined
def heads_of(text: Bytes, w: int) -> int:
    """Return which bytes start a code point."""
    return ~within(text, 64 * w, 0x80, 0xBF)


@inlined
def newlines_of(text: Bytes, w: int) -> int:
    """Return which bytes are CR or LF."""
    return within(text, 64 * w, 10, 10) | within(text, 64 * w, 13, 13)


@inlined
def last_spaces(text: Bytes, w: int, codes: Bytes, spaces: Words) -> int:
    """Return where the last code point of a run of white space starts that does not end the text."""
    high = within(text, 64 * w, 0x80, 0xFF)
    last = spaces[w] & ~high & ~after(spaces, w)
    if high != NONE:
        last |= having(codes, 64 * w, _LAST)
    return last


@helper
def inner_spaces(text: Bytes, size: int, words: int, to_end: bool, rows: Words) -> None:
    """Fill the row of white space from which more of it leads to a newline, or with `to_end` to the end of the text."""
    inner = rows[INNER]
    following = NONE
    for w in range(words, 0, -1):
        newlines = newlines_of(text, w)
        goals = newlines
        if to_end and w == words:
            goals |= ALL << np.uint64(size & 63)
        white = rows[SPACES, w] & ~newlines
        found = white & (goals >> ONE | following << TOP)
        if found != NONE:
            step = ONE
            while step < np.uint64(64):
                found |= white & found >> step
                white &= white >> step
                step <<= ONE
        inner[w] = found
        following = (goals | found) & ONE
