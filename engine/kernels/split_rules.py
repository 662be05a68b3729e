r"""The rules of the named regular expressions, as formulas over rows of bits that `class_rows` makes of a text.

A rule gives one more row: where tokens start. `row[w - 1]` and `row[w + 1]` are there for every word w of a window;
behind its end all is white space.

Fast, because a formula handles 64 bytes in the time of a few, and no branch depends on a single one. What comes next
or came before is a shift; a run is found by adding: `run + its first bit` carries up to the end of the run.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.kernels.bits import lowest
from engine.kernels.class_rows import (
    ALL,
    ALONE,
    DROPPED,
    INNER,
    LETTERS,
    LOWERS,
    NONE,
    NUMBERS,
    ONE,
    OTHERS,
    SPACES,
    STARTS,
    TAILS,
    TOP,
    UPPERS,
    Bytes,
    Words,
    after,
    along,
    before,
    classify,
    heads_of,
    inner_spaces,
    last_spaces,
    newlines_of,
    whole_points,
)
from engine.kernels.jit import helper, inlined
from engine.kernels.memory import load8, within

Ints = NDArray[np.int64]

# What `kind` may be.
WHOLE, WHITESPACE, LINES, GPT2, CL100K, O200K, QWEN, TEKKEN, BERT, CLIP, DIGITS, METASPACE, MARKED_WORDS, GLASSLLM = (
    range(14)
)


@helper
def _groups(text: Bytes, w: int, numbers: Words, most: int, count: int) -> tuple[int, int]:
    """Return where numbers start, `most` together; `count` is how many the last such group has so far."""
    heads = numbers[w] & heads_of(text, w)
    if most == 1 or heads == NONE:
        return heads, count
    first = heads & ~before(numbers, w)
    found = NONE
    while heads != NONE:
        bit = heads & (~heads + ONE)
        heads ^= bit
        if first & bit != NONE or count == most:
            found |= bit
            count = 0
        count += 1
    return found, count


@helper
def _suffix(text: Bytes, i: int, any_case: bool) -> int:
    """Return where 's, 't, 'm, 'd, 'll, 've or 're ends that starts at i; i if none does."""
    fold = 32 if any_case else 0
    second = load8(text, i + 1) | fold
    if second == 115 or second == 116 or second == 109 or second == 100:
        return i + 2
    if any_case and load8(text, i + 1) == 0xC5 and load8(text, i + 2) == 0xBF:
        return i + 3  # the long s is an s in another case
    third = load8(text, i + 2) | fold
    if (second == 108 and third == 108) or (second == 118 and third == 101) or (second == 114 and third == 101):
        return i + 3
    return i


@helper
def _mark_tails(text: Bytes, w: int, found: int, any_case: bool, joined: bool, tails: Words) -> None:
    """Enter the letters of the suffixes that start at some of the apostrophes found.

    With `joined`, a suffix belongs to what stands before it: so enter the apostrophe too, but no second suffix.
    """
    while found != NONE:
        i = 64 * w + lowest(found)
        found &= found - ONE
        end = _suffix(text, i, any_case)
        if joined and tails[i - 1 >> 6] >> np.uint64(i - 1 & 63) & ONE != NONE:
            continue
        for at in range(i if joined else i + 1, end):
            tails[at >> 6] |= ONE << np.uint64(at & 63)


@helper
def _gpt2(text: Bytes, words: int, codes: Bytes, rows: Words) -> None:
    letters, numbers, spaces, others = rows[LETTERS], rows[NUMBERS], rows[SPACES], rows[OTHERS]
    tails, starts = rows[TAILS], rows[STARTS]
    for w in range(1, words + 1):
        blank = within(text, 64 * w - 1, 32, 32)
        signs = others[w] & ~before(others, w) & ~blank
        suffixes = within(text, 64 * w, 39, 39) & signs & after(letters, w)
        if suffixes != NONE:
            _mark_tails(text, w, suffixes, False, False, tails)
        found = letters[w] & ~(before(letters, w) & ~before(tails, w) | blank | tails[w])
        found |= numbers[w] & ~(before(numbers, w) | blank)
        found |= spaces[w] & ~before(spaces, w) | last_spaces(text, w, codes, spaces)
        starts[w] = found | signs


@helper
def _gpt4(text: Bytes, size: int, words: int, codes: Bytes, rows: Words, most: int, to_end: bool) -> None:
    """Find tokens by the rule of cl100k, and of Qwen, which has single numbers and no rule for spaces at the end.

    Newlines behind signs are theirs: `trail`. `single` is a sign where a token starts, as a word takes it in.
    """
    letters, numbers, spaces, others = rows[LETTERS], rows[NUMBERS], rows[SPACES], rows[OTHERS]
    inner, tails, starts = rows[INNER], rows[TAILS], rows[STARTS]
    inner_spaces(text, size, words, to_end, rows)
    trail = single = breaks = white = NONE
    count = 0
    for w in range(1, words + 1):
        blank = within(text, 64 * w - 1, 32, 32)
        newlines = newlines_of(text, w)
        trail_before, single_before, breaks_before, white_before = trail, single, breaks, white
        breaks = newlines
        trail = along(before(others, w) | trail_before >> TOP, newlines)
        white = spaces[w] & ~trail
        signs = others[w] & heads_of(text, w) & ~(before(others, w) | blank)
        single = whole_points(signs, ~heads_of(text, w), single_before)
        suffixes = within(text, 64 * w, 39, 39) & signs & after(letters, w)
        if suffixes != NONE:
            _mark_tails(text, w, suffixes, True, False, tails)
        plain = spaces[w] & ~newlines
        taken = (single | plain) << ONE | (single_before | spaces[w - 1] & ~breaks_before) >> TOP
        found = letters[w] & ~(before(letters, w) & ~before(tails, w) | taken | tails[w])
        found |= white & ~(white << ONE | white_before >> TOP)
        found |= plain & (newlines << ONE | breaks_before >> TOP) & ~inner[w]
        found |= plain & last_spaces(text, w, codes, spaces)
        groups, count = _groups(text, w, numbers, most, count)
        starts[w] = found | signs | groups


@helper
def _goes_small(start: int, uppers: Words, lowers: Words) -> bool:
    """Say whether the capitals from a bit of the rows on end where a small letter, or one without case, stands."""
    w = start >> 6
    rest = ALL << np.uint64(start & 63)
    while True:
        end = ~(uppers[w] & ~lowers[w]) & rest
        if end != NONE:
            return lowers[w] >> np.uint64(lowest(end)) & ONE != NONE
        rest = ALL
        w += 1


@helper
def _gpt4o(text: Bytes, size: int, words: int, codes: Bytes, rows: Words, most: int, suffixes: bool) -> None:
    """Find tokens by the rule of o200k, and of Tekken, which has single numbers and no suffixes.

    Newlines and slashes behind signs are theirs: `trail`. Marks are letters behind a letter, or behind one sign; among
    more signs, or behind a space and a sign, they are signs: `mixed`. A word is cut before capitals that follow a
    small letter, with what has no case between them; and before those that follow the last letter without case, if no
    small letter follows them.
    """
    letters, numbers, spaces, others = rows[LETTERS], rows[NUMBERS], rows[SPACES], rows[OTHERS]
    uppers, lowers, inner, tails, starts = rows[UPPERS], rows[LOWERS], rows[INNER], rows[TAILS], rows[STARTS]
    inner_spaces(text, size, words, False, rows)
    trail = single = breaks = white = mixed = signs = word = small = either = NONE
    count = 0
    for w in range(1, words + 1):
        blank = within(text, 64 * w - 1, 32, 32)
        newlines = newlines_of(text, w)
        heads = heads_of(text, w)
        trail_before, single_before, breaks_before, white_before = trail, single, breaks, white
        mixed_before, signs_before, word_before, small_before, either_before = mixed, signs, word, small, either
        breaks = newlines
        marks = (uppers[w] | lowers[w]) & ~letters[w]
        trail = NONE
        while True:
            signs = others[w] & ~trail
            behind = signs << ONE | signs_before >> TOP
            mixed = along(signs & heads & (behind | blank) | mixed_before >> TOP, signs | marks)
            ends = signs | mixed
            found = newlines & (ends << ONE | (signs_before | mixed_before) >> TOP) | trail_before >> TOP
            longer = along(found, newlines | within(text, 64 * w, 47, 47))
            same = longer & others[w] == trail & others[w]
            trail = longer
            if same:
                break
        word = (letters[w] | marks) & ~mixed
        white = spaces[w] & ~trail
        first = signs & heads & ~(ends << ONE | (signs_before | mixed_before) >> TOP | blank)
        single = whole_points(first, ~heads, single_before)
        if suffixes:
            found = within(text, 64 * w, 39, 39) & (word << ONE | word_before >> TOP)
            if found != NONE:
                _mark_tails(text, w, found, True, True, tails)
        tail = before(tails, w)
        word_behind = word << ONE | word_before >> TOP
        plain = spaces[w] & ~newlines
        taken = (single | plain) << ONE | (single_before | spaces[w - 1] & ~breaks_before) >> TOP
        found = word & heads & ~(word_behind | taken)
        upper, lower = word & uppers[w], word & lowers[w] & ~tails[w]
        caseless = upper & lower
        small = lower & ~upper
        small |= along(small << ONE | small_before >> TOP, caseless)
        either = caseless & ~small
        capitals = upper & ~lower & heads
        found |= capitals & (small << ONE | small_before >> TOP)
        maybe = capitals & (either << ONE | either_before >> TOP)
        while maybe != NONE:
            bit = maybe & (~maybe + ONE)
            maybe ^= bit
            if not _goes_small(64 * w + lowest(bit), uppers, lowers):
                found |= bit
        found |= first | word & tail
        found |= white & ~(white << ONE | white_before >> TOP)
        found |= plain & (newlines << ONE | breaks_before >> TOP) & ~inner[w]
        found |= plain & last_spaces(text, w, codes, spaces)
        groups, count = _groups(text, w, numbers, most, count)
        starts[w] = (found | groups) & ~tails[w]


@helper
def _words(text: Bytes, words: int, rows: Words, kind: int) -> None:
    """Find tokens where classes change, by rules that drop white space or know digits only."""
    letters, numbers, spaces, others = rows[LETTERS], rows[NUMBERS], rows[SPACES], rows[OTHERS]
    alone, tails, starts = rows[ALONE], rows[TAILS], rows[STARTS]
    for w in range(1, words + 1):
        heads = heads_of(text, w)
        if kind == DIGITS:
            starts[w] = heads & (numbers[w] | before(numbers, w))
            continue
        found = spaces[w] & ~before(spaces, w)
        if kind == WHITESPACE:
            found |= ~spaces[w] & before(spaces, w)
        elif kind == BERT:
            found |= heads & (alone[w] | ~spaces[w] & (before(spaces, w) | before(alone, w)))
        else:
            signs = others[w] & ~before(others, w)
            suffixes = within(text, 64 * w, 39, 39) & signs & after(letters, w)
            if suffixes != NONE:
                _mark_tails(text, w, suffixes, False, False, tails)
            found |= signs | numbers[w] & heads
            found |= letters[w] & ~(before(letters, w) & ~before(tails, w) | tails[w])
        starts[w] = found


@inlined
def _space_marks(text: Bytes, i: int) -> int:
    """Return where U+2581 starts."""
    return within(text, i, 0xE2, 0xE2) & within(text, i + 1, 0x96, 0x96) & within(text, i + 2, 0x81, 0x81)


@helper
def _marks(text: Bytes, words: int, starts: Words, kind: int) -> None:
    """Find tokens where a newline ends, or where U+2581 stands, alone or as the first of several."""
    for w in range(1, words + 1):
        i = 64 * w
        if kind == LINES:
            starts[w] = within(text, i - 1, 10, 10) | within(text, i - 1, 13, 13) & ~within(text, i, 10, 10)
            continue
        starts[w] = _space_marks(text, i)
        if kind == MARKED_WORDS:
            starts[w] &= ~_space_marks(text, i - 3)
        if kind == GLASSLLM:
            starts[w] |= within(text, i, 10, 10) | within(text, i - 1, 10, 10)


@helper
def find_starts(text: Bytes, size: int, words: int, kind: int, classes: Bytes, codes: Bytes, rows: Words) -> None:
    """Fill the row of starts, by one of the rules."""
    if kind in (LINES, METASPACE, MARKED_WORDS, GLASSLLM):
        _marks(text, words, rows[STARTS], kind)
        return
    classify(text, size, words, classes, codes, rows, kind in (O200K, TEKKEN), kind == BERT)
    if kind == GPT2:
        _gpt2(text, words, codes, rows)
    elif kind == CL100K:
        _gpt4(text, size, words, codes, rows, 3, True)
    elif kind == QWEN:
        _gpt4(text, size, words, codes, rows, 1, False)
    elif kind == O200K:
        _gpt4o(text, size, words, codes, rows, 3, True)
    elif kind == TEKKEN:
        _gpt4o(text, size, words, codes, rows, 1, False)
    else:
        _words(text, words, rows, kind)
        if kind != DIGITS:
            for w in range(rows.shape[1]):
                rows[DROPPED, w] = rows[SPACES, w]
