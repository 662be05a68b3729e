"""Encoding by look-up: a word, or each code point of it, is a piece or unknown.

The functions share these arguments:

- text: UTF-8 with 16 spare bytes behind it.
- spans: int64[words, 2], where each word starts and stops in `text`.
- unknown: The id of what is no piece.
- size: Ids from here on do not count.
- out_ids: int32[bytes], one a token.
- out_stops: int32[bytes], where each token stops, in bytes of its word; empty if nobody asks.
- out_sizes: int32[words], tokens of each word; empty if nobody asks.

They return how many tokens there are.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.kernels.byte_keys import Bytes, Ints, Words, find
from engine.kernels.jit import kernel
from engine.kernels.memory import address
from engine.kernels.utf8_text import code_point

Ints32 = NDArray[np.int32]

_OUT = "int64, int64, int32[::1], int32[::1], int32[::1]"


@kernel(f"int64(uint8[::1], int64[:, ::1], uint64[::1], uint8[::1], {_OUT})")
def words(
    text: Bytes, spans: Ints, slots: Words, blob: Bytes, unknown: int, size: int,
    out_ids: Ints32, out_stops: Ints32, out_sizes: Ints32,
) -> int:  # fmt: skip
    """Look words up whole; `slots` are those of `byte_keys`, over `blob`."""
    raw, table, mask, pieces = address(text), address(slots), (slots.size >> 2) - 1, address(blob)
    written = 0
    for word in range(spans.shape[0]):
        start, bytes_ = spans[word, 0], spans[word, 1] - spans[word, 0]
        if bytes_ > 0:
            id = find(raw, start, bytes_, table, mask, pieces)
            out_ids[written] = id if 0 <= id < size else unknown
            if out_stops.size:
                out_stops[written] = bytes_
            written += 1
        if out_sizes.size:
            out_sizes[word] = bytes_ > 0
    return written


@kernel(f"int64(uint8[::1], int64[:, ::1], int32[::1], {_OUT})")
def characters(
    text: Bytes, spans: Ints, ids: Ints32, unknown: int, size: int,
    out_ids: Ints32, out_stops: Ints32, out_sizes: Ints32,
) -> int:  # fmt: skip
    """Look up each code point in `ids`, int32[largest + 1], which has -1 for those that are no piece."""
    written = 0
    for word in range(spans.shape[0]):
        start, stop = spans[word, 0], spans[word, 1]
        first, at = written, start
        while at < stop:
            point, width = code_point(text, at)
            id = np.int64(ids[point]) if point < ids.size else np.int64(-1)
            at += width
            out_ids[written] = id if 0 <= id < size else unknown
            if out_stops.size:
                out_stops[written] = at - start
            written += 1
        if out_sizes.size:
            out_sizes[word] = written - first
    return written
