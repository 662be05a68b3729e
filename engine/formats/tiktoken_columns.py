"""Rank files as columns: a file of the usual form is read as a whole, not line by line.

Reading 200,000 lines one by one takes most of the time until a tokenizer is there. Here every step works on all lines
at once; what is not of the usual form is left to the reader that goes line by line and says what is wrong where.
"""

from __future__ import annotations

import binascii
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from engine.piece_table import PieceTable

_Bytes: TypeAlias = NDArray[np.uint8]
_Ints: TypeAlias = NDArray[np.int64]

_LONGEST_RANK = 7  # digits
_ODD = 0x9E3779B97F4A7C15  # 2^64 divided by the golden ratio


def ranked(data: bytes) -> PieceTable | None:
    """Return the pieces by rank, or None if the file is not of the usual form.

    That form is: lines of base64, a space, a rank and a newline; ranks count up from 0; no piece is empty, none stands
    twice, and all 256 single bytes are there.
    """
    text = np.frombuffer(data, np.uint8)
    ends, spaces = np.flatnonzero(text == ord("\n")), np.flatnonzero(text == ord(" "))
    if not len(ends) or len(ends) != len(spaces) or ends[-1] != len(text) - 1:
        return None
    starts = np.concatenate([[0], ends[:-1] + 1])
    widths = spaces - starts
    if widths.min() <= 0 or (widths % 4).any() or not _counts_up(text, spaces, ends):
        return None
    decoded = _decoded(text, starts, spaces, widths)
    if decoded is None:
        return None
    table = PieceTable.cut(*decoded)
    sizes = np.diff(table.offsets)
    singles = np.frombuffer(table.blob, np.uint8)[table.offsets[:-1][sizes == 1]]
    return table if len(np.unique(singles)) == 256 and _distinct(table) else None


def _counts_up(text: _Bytes, spaces: _Ints, ends: _Ints) -> bool:
    """Say whether the numbers between spaces and ends of lines are 0, 1, 2 and so on."""
    sizes = ends - spaces - 1
    numbers = np.arange(len(ends))
    if (sizes != np.searchsorted(10 ** np.arange(1, _LONGEST_RANK), numbers, side="right") + 1).any():
        return False
    value = np.zeros(len(ends), np.int64)
    for place in range(sizes[-1]):
        first = int(np.searchsorted(sizes, place, side="right"))  # the numbers of fewer digits stand before
        digits = text[spaces[first:] + 1 + place] - np.uint8(ord("0"))  # what is below 0 comes out above 9
        if (digits > 9).any():
            return False
        value[first:] = value[first:] * 10 + digits
    return bool((value == numbers).all())


def _decoded(text: _Bytes, starts: _Ints, stops: _Ints, widths: _Ints) -> tuple[bytes, _Ints] | None:
    """Decode a column of base64: all pieces in a row, and the size of each; None if some are broken."""
    edges = np.zeros(len(text), np.int8)
    edges[starts] = 1
    edges[stops] = -1
    letters = text[np.cumsum(edges, dtype=np.int8).view(np.bool_)].tobytes()
    padded = (text[stops - 1] == ord("=")).astype(np.int64) + (text[stops - 2] == ord("="))
    if letters.count(b"=") != padded.sum():
        return None
    try:
        whole = binascii.a2b_base64(letters.replace(b"=", b"A"), strict_mode=True)
    except binascii.Error:
        return None
    sizes = widths // 4 * 3
    last = np.cumsum(sizes) - 1
    kept = np.ones(len(whole), np.bool_)
    kept[last[padded > 0]] = False
    kept[last[padded > 1] - 1] = False
    return np.frombuffer(whole, np.uint8)[kept].tobytes(), sizes - padded


def _distinct(table: PieceTable) -> bool:
    """Say whether no piece stands twice; in doubt, no.

    Pieces are hashed eight bytes at a time, those that are long enough all at once.
    """
    padded = table.blob + bytes(8)
    words = np.ndarray(len(padded) - 7, "<u8", padded, strides=(1,))  # the eight bytes from each place on
    sizes = np.diff(table.offsets)
    hashes = sizes.astype(np.uint64)
    for start in range(0, int(sizes.max()), 8):
        longer = np.flatnonzero(sizes > start)
        left = np.minimum(sizes[longer] - start, 8).astype(np.uint64)
        word = words[table.offsets[longer] + start] << (64 - 8 * left)
        hashes[longer] = (hashes[longer] ^ word ^ (word >> np.uint64(31))) * np.uint64(_ODD)
    hashes.sort()
    return not (hashes[1:] == hashes[:-1]).any()
