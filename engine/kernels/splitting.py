"""Cutting UTF-8 into spans by rules that look a few code points ahead, as the named regular expressions do.

`raw` is text in UTF-8 with 16 bytes of padding behind it; `stop` is where the text ends. `classes[point]` is the class
of a code point. Each rule is a function that returns where the token that starts at i ends. A set of classes is a
number with one bit a class.

Fast, because a token is read once, without backtracking: what a regular expression would try and give up is known from
what the run before it contained. GPT-2's rule looks at three neighbors only, so it is a table, and no branch of it can
be guessed wrong.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.kernels.jit import helper, inlined, kernel
from engine.kernels.memory import load8, load64, store8, store32

Bytes = NDArray[np.uint8]
Ints = NDArray[np.int64]

# What `kind` may be.
WHOLE, WHITESPACE, LINES, GPT2, CL100K, O200K, QWEN, TEKKEN, BERT, CLIP, DIGITS, METASPACE = range(12)

# Classes of code points, and sets of them.
_OTHER, _UPPER, _LOWER, _LETTER, _MARK, _NUMBER, _SPACE, _NEWLINE, _PUNCTUATION, _IDEOGRAPH, _SIGN = range(11)
_LETTERS = 1 << _UPPER | 1 << _LOWER | 1 << _LETTER | 1 << _IDEOGRAPH
_NUMBERS = 1 << _NUMBER
_SPACES = 1 << _SPACE | 1 << _NEWLINE
_OTHERS = 1 << _OTHER | 1 << _MARK | 1 << _PUNCTUATION | 1 << _SIGN
_NO_CASE = 1 << _LETTER | 1 << _MARK | 1 << _IDEOGRAPH
_UPPERS = 1 << _UPPER | _NO_CASE
_LOWERS = 1 << _LOWER | _NO_CASE
_ALONE = 1 << _PUNCTUATION | 1 << _IDEOGRAPH | 1 << _SIGN
_ALL = (1 << 11) - 1


@inlined
def _read(raw: Bytes, i: int, classes: Bytes) -> int:
    """Return the class of the code point at i, and its bytes times 16."""
    first = load8(raw, i)
    if first < 0x80:
        return load8(classes, first) | 16
    second = load8(raw, i + 1) & 63
    if first < 0xE0:
        return load8(classes, (first & 31) << 6 | second) | 32
    third = load8(raw, i + 2) & 63
    if first < 0xF0:
        return load8(classes, (first & 15) << 12 | second << 6 | third) | 48
    return load8(classes, (first & 7) << 18 | second << 12 | third << 6 | (load8(raw, i + 3) & 63)) | 64


@inlined
def _has(set: int, read: int) -> bool:
    return (set >> (read & 15)) & 1 == 1


@inlined
def _run(raw: Bytes, i: int, stop: int, classes: Bytes, set: int) -> int:
    """Return where the run of a set of classes ends that starts at i."""
    while i < stop:
        read = _read(raw, i, classes)
        if not _has(set, read):
            break
        i += read >> 4
    return i


@helper
def _suffix(raw: Bytes, i: int, stop: int, any_case: bool) -> int:
    """Return where 's, 't, 'm, 'd, 'll, 've or 're ends that starts at i; i if none does."""
    if i + 1 >= stop or load8(raw, i) != 39:
        return i
    fold = 32 if any_case else 0
    second = load8(raw, i + 1) | fold
    if second == 115 or second == 116 or second == 109 or second == 100:
        return i + 2
    if i + 2 >= stop:
        return i
    if any_case and load8(raw, i + 1) == 0xC5 and load8(raw, i + 2) == 0xBF:
        return i + 3  # the long s is an s in another case
    third = load8(raw, i + 2) | fold
    if (second == 108 and third == 108) or (second == 118 and third == 101) or (second == 114 and third == 101):
        return i + 3
    return i


@helper
def _spaces(raw: Bytes, i: int, stop: int, classes: Bytes, newlines: bool, end_first: bool) -> int:
    r"""Return where a token of white space ends: all but the last, which goes with what follows.

    With `newlines` a run is cut after its last newline, but not, with `end_first`, if it ends the text.
    """
    start = last = i
    newline = np.int64(-1)
    while i < stop:
        read = _read(raw, i, classes)
        if not _has(_SPACES, read):
            break
        last = i
        i += read >> 4
        if read & 15 == _NEWLINE:
            newline = i
    if end_first and i == stop:
        return i
    if newlines and newline >= 0:
        return newline
    return i if i == stop or last == start else last


@helper
def _gpt2(raw: Bytes, i: int, stop: int, classes: Bytes) -> int:
    end = _suffix(raw, i, stop, False)
    if end > i:
        return end
    read = _read(raw, i, classes)
    after = i + (read >> 4)
    if load8(raw, i) == 32 and after < stop:
        following = _read(raw, after, classes)
        if not _has(_SPACES, following):
            read = following
            after += following >> 4
    if _has(_LETTERS, read):
        return _run(raw, after, stop, classes, _LETTERS)
    if _has(_NUMBERS, read):
        return _run(raw, after, stop, classes, _NUMBERS)
    if _has(_OTHERS, read):
        return _run(raw, after, stop, classes, _OTHERS)
    return _spaces(raw, i, stop, classes, False, True)


@helper
def _numbers(raw: Bytes, i: int, stop: int, classes: Bytes, most: int) -> int:
    """Return where `most` numbers in a row, or fewer, end."""
    while most > 0 and i < stop:
        read = _read(raw, i, classes)
        if not _has(_NUMBERS, read):
            break
        i += read >> 4
        most -= 1
    return i


@helper
def _others(raw: Bytes, i: int, stop: int, classes: Bytes, read: int, slash: bool) -> int:
    """Return where signs end that a space may precede, and newlines follow; i if there are none."""
    after = i
    if load8(raw, i) == 32:
        after = i + 1
        if after >= stop:
            return i
        read = _read(raw, after, classes)
    if not _has(_OTHERS, read):
        return i
    after = _run(raw, after, stop, classes, _OTHERS)
    while after < stop:
        byte = load8(raw, after)
        if not (byte == 10 or byte == 13 or (slash and byte == 47)):
            break
        after += 1
    return after


@helper
def _gpt4(raw: Bytes, i: int, stop: int, classes: Bytes, most: int, end_first: bool) -> int:
    """Read a token by the rule of cl100k, and of Qwen, which has single numbers and no rule for spaces at the end."""
    end = _suffix(raw, i, stop, True)
    if end > i:
        return end
    read = _read(raw, i, classes)
    after = i + (read >> 4)
    if _has(_LETTERS, read):
        return _run(raw, after, stop, classes, _LETTERS)
    if _has(_NUMBERS, read):
        return _numbers(raw, i, stop, classes, most)
    if read & 15 != _NEWLINE and after < stop and _has(_LETTERS, _read(raw, after, classes)):
        return _run(raw, after, stop, classes, _LETTERS)
    end = _others(raw, i, stop, classes, read, False)
    return end if end > i else _spaces(raw, i, stop, classes, True, end_first)


@helper
def _cased(raw: Bytes, i: int, stop: int, classes: Bytes, read: int) -> int:
    """Return where a word ends that is cut before capitals: a mark before it, capitals, small letters; i if none.

    A regular expression takes all that can be a capital, then wants what can be a small letter; if none follows, it
    gives back code points until one is found that can be either.
    """
    start = i
    if not _has(_LETTERS, read):
        start += read >> 4
    after, either = start, np.int64(-1)
    following = np.int64(0)
    while after < stop:
        following = _read(raw, after, classes)
        if not _has(_UPPERS, following):
            break
        after += following >> 4
        if _has(_NO_CASE, following):
            either = after
    if after < stop and _has(1 << _LOWER, following):
        return _run(raw, after, stop, classes, _LOWERS)
    if either >= 0:
        return either
    if read & 15 == _MARK:
        return start
    return after if after > start else i


@helper
def _gpt4o(raw: Bytes, i: int, stop: int, classes: Bytes, most: int, suffixes: bool) -> int:
    """Read a token by the rule of o200k, and of Tekken, which has single numbers and no suffixes."""
    read = _read(raw, i, classes)
    if _has(_NUMBERS, read):
        return _numbers(raw, i, stop, classes, most)
    if read & 15 != _NEWLINE:
        end = _cased(raw, i, stop, classes, read)
        if end > i:
            return _suffix(raw, end, stop, True) if suffixes else end
    end = _others(raw, i, stop, classes, read, True)
    return end if end > i else _spaces(raw, i, stop, classes, True, False)


@helper
def _digits(raw: Bytes, i: int, stop: int, classes: Bytes) -> int:
    read = _read(raw, i, classes)
    after = i + (read >> 4)
    return after if _has(_NUMBERS, read) else _run(raw, after, stop, classes, _ALL & ~_NUMBERS)


@helper
def _line(raw: Bytes, i: int, stop: int) -> int:
    while i < stop:
        byte = load8(raw, i)
        i += 1
        if byte == 10:
            break
        if byte == 13:
            if i < stop and load8(raw, i) == 10:
                i += 1
            break
    return i


@helper
def _marked(raw: Bytes, i: int, stop: int) -> int:
    """Return where the next U+2581 begins after the first byte."""
    i += 1
    while i < stop and not (load8(raw, i) == 0xE2 and load8(raw, i + 1) == 0x96 and load8(raw, i + 2) == 0x81):
        i += 1
    return min(i, stop)


@helper
def _bert(raw: Bytes, i: int, stop: int, classes: Bytes) -> int:
    read = _read(raw, i, classes)
    after = i + (read >> 4)
    return after if _has(_ALONE, read) else _run(raw, after, stop, classes, _ALL & ~(_SPACES | _ALONE))


# GPT-2's rule without branches: each byte becomes one of these codes, and whether a token starts there follows from it
# and the codes on either side, by a look-up. A byte that goes on a code point has the code of its first byte, plus 8.
_O, _L, _N, _WHITE, _BLANK, _BEFORE, _EDGE = 0, 1, 2, 3, 4, 5, 7
_CODES = sum(code << 4 * i for i, code in enumerate((_O, _L, _L, _L, _O, _N, _WHITE, _WHITE, _O, _L, _O)))  # by class
_NOT_ASCII = np.uint64(0x8080808080808080)


def _ascii_codes() -> Bytes:
    """Tabulate the code of each ASCII byte: uint8[128]."""
    table = np.full(128, _O, np.uint8)
    for byte in range(128):
        if chr(byte).isalnum():
            table[byte] = _L if chr(byte).isalpha() else _N
        elif byte in b"\t\n\v\f\r":
            table[byte] = _WHITE
    table[32] = _BLANK
    return table


def _starts() -> Bytes:
    """Tabulate where tokens start: uint8[4096] by code before << 8 | code << 4 | code after."""
    table = np.zeros(4096, np.uint8)
    for place in range(4096):
        before, code, after = place >> 8 & 7, place >> 4 & 15, place & 7
        if code in (_O, _L, _N):
            table[place] = before not in (code, _BLANK)
        elif code in (_WHITE, _BLANK):  # the last of several goes with what follows
            table[place] = before not in (_WHITE, _BLANK, _BEFORE) or after in (_O, _L, _N)
        else:
            table[place] = code == _BEFORE  # the last of several, in more than one byte
    return table


_ASCII = _ascii_codes()
_STARTS = _starts()
_BLOCK = 8192


@helper
def _certain(raw: Bytes, start: int, stop: int) -> int:
    """Return the last place up to `stop` where a token starts whatever stands around; `start` if none is near."""
    for i in range(stop, max(start, stop - 4096), -1):
        if load8(raw, i) == 32:
            before, after = load8(raw, i - 1), load8(raw, i + 1) | 32
            if 32 < before < 127 and 97 <= after <= 122:
                return i
    return start


@helper
def _encode(raw: Bytes, start: int, stop: int, text_end: int, classes: Bytes, codes: Bytes) -> None:
    """Write the codes of a block and of what stands on either side; it starts and stops where a token does."""
    store8(codes, 0, _EDGE)
    i, at = start, 1
    while i < stop:
        if i + 8 <= stop and load64(raw, i) & _NOT_ASCII == 0:
            for k in range(8):
                store8(codes, at + k, load8(_ASCII, load8(raw, i + k)))
            i += 8
            at += 8
            continue
        first = load8(raw, i)
        if first < 0x80:
            store8(codes, at, load8(_ASCII, first))
            i += 1
            at += 1
            continue
        read = _read(raw, i, classes)
        size = read >> 4
        code = _CODES >> 4 * (read & 15) & 15
        if code == _WHITE and i + size < text_end and not _has(_SPACES, _read(raw, i + size, classes)):
            code = _BEFORE
        store8(codes, at, code)
        store8(codes, at + 1, code | 8)
        store8(codes, at + 2, code | 8)  # what is too many is overwritten
        store8(codes, at + 3, code | 8)
        i += size
        at += size
    store8(codes, at, _EDGE if stop == text_end else _BLANK)


@helper
def _split_gpt2(raw: Bytes, start: int, stop: int, classes: Bytes, spans: Ints) -> tuple[int, int]:
    """Cut text by GPT-2's rule, in blocks without branches where there are words between spaces."""
    codes = np.empty(_BLOCK + 8, np.uint8)
    places = np.empty(_BLOCK + 8, np.int32)
    many, i = 0, start
    while i < stop and many < spans.shape[0]:
        end = stop if stop - i <= _BLOCK else _certain(raw, i, i + _BLOCK)
        room = spans.shape[0] - many
        if end > i and end - i > room and many > 0:
            break  # there may be a token a byte
        if end == i or end - i > room:
            for _ in range(min(1024, room)):
                if i < stop:
                    spans[many, 0] = i
                    i = _gpt2(raw, i, stop, classes)
                    spans[many, 1] = i
                    many += 1
            continue
        _encode(raw, i, end, stop, classes, codes)
        found = 0
        window = np.int64(_EDGE) << 4 | load8(codes, 1)
        for at in range(end - i):
            window = (window << 4 | load8(codes, at + 2)) & 0xFFF
            store32(places, found, at)
            found += load8(_STARTS, window)
        places[found] = end - i
        j = 0
        while j < found:
            first = i + places[j]
            spans[many, 0] = first
            after = i + places[j + 1]
            if after == first + 1 and load8(raw, first) == 39 and j + 1 < found:
                suffix = _suffix(raw, first, i + places[j + 2], False)
                if suffix > first:
                    spans[many, 1] = suffix
                    many += 1
                    j += 1
                    after = i + places[j + 1]
                    if suffix < after:
                        spans[many, 0] = suffix
                    else:
                        j += 1
                        continue
            spans[many, 1] = after
            many += 1
            j += 1
        i = end
    return many, i


@helper
def _clip(raw: Bytes, i: int, stop: int, classes: Bytes) -> int:
    end = _suffix(raw, i, stop, False)
    if end > i:
        return end
    read = _read(raw, i, classes)
    if _has(_NUMBERS, read):
        return i + (read >> 4)
    return _run(raw, i, stop, classes, _LETTERS if _has(_LETTERS, read) else _OTHERS)


@kernel("Tuple((int64, int64))(uint8[::1], int64, int64, int64, uint8[::1], int64[:,::1])")
def split(raw: Bytes, start: int, stop: int, kind: int, classes: Bytes, spans: Ints) -> tuple[int, int]:
    """Cut text until it ends or `spans` is full.

    Args:
        raw: uint8[n + 16].
        start: Where the first token starts.
        stop: Where the text ends, at most n.
        kind: Which rule.
        classes: uint8[0x110000].
        spans: int64[most, 2]; start and stop of each token are written, in bytes of `raw`.

    Returns:
        How many tokens were found, and where the next one would start.
    """
    if kind == GPT2:
        return _split_gpt2(raw, start, stop, classes, spans)
    many, i = 0, start
    while i < stop and many < spans.shape[0]:
        if kind in (WHITESPACE, BERT, CLIP):
            i = _run(raw, i, stop, classes, _SPACES)
            if i == stop:
                break
        spans[many, 0] = i
        if kind == CL100K:
            i = _gpt4(raw, i, stop, classes, 3, True)
        elif kind == O200K:
            i = _gpt4o(raw, i, stop, classes, 3, True)
        elif kind == QWEN:
            i = _gpt4(raw, i, stop, classes, 1, False)
        elif kind == TEKKEN:
            i = _gpt4o(raw, i, stop, classes, 1, False)
        elif kind == BERT:
            i = _bert(raw, i, stop, classes)
        elif kind == CLIP:
            i = _clip(raw, i, stop, classes)
        elif kind == WHITESPACE:
            i = _run(raw, i, stop, classes, _ALL & ~_SPACES)
        elif kind == DIGITS:
            i = _digits(raw, i, stop, classes)
        elif kind == METASPACE:
            i = _marked(raw, i, stop)
        elif kind == LINES:
            i = _line(raw, i, stop)
        else:
            i = stop
        spans[many, 1] = i
        many += 1
    return many, i
