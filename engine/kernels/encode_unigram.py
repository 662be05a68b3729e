"""The most probable way to cut words, with one visit to each piece that stands in them (Viterbi).

The tree gives all pieces from a place on in one walk, and what is kept for a place is three numbers: the best sum up to
there, where its last piece starts, and which piece that is.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.kernels.byte_keys import Bytes, Ints
from engine.kernels.jit import helper, kernel
from engine.kernels.memory import load8
from engine.kernels.piece_trie import NOWHERE, TRIE, Ints32, Trie, down
from engine.kernels.utf8_text import code_point

Floats = NDArray[np.float64]

_LARGEST_SUM = 100_000.0


@helper
def _points(text: Bytes, start: int, stop: int, offsets: Ints32) -> int:
    """Write down where the code points of a word start, in bytes of it; return how many there are."""
    count = 0
    at = start
    while at < stop:
        offsets[count] = at - start
        _, width = code_point(text, at)
        at += width
        count += 1
    offsets[count] = stop - start
    return count


@helper
def _start_anew(best: Floats, place: int, furthest: int) -> None:
    """Take the sum at a place off all sums that are still needed, in single precision."""
    offset = best[place]
    for i in range(place, furthest + 1):
        best[i] = np.float64(np.float32(best[i] - offset))


@helper
def _search(
    text: Bytes, start: int, count: int, trie: Trie, scores: Floats, rules: Ints, unknown_score: float,
    offsets: Ints32, best: Floats, before: Ints32, arrived: Ints32,
) -> None:  # fmt: skip
    """Find the best way to each place of a word; of equal ones the first that was found."""
    unknown, single = rules[0], rules[1] == 1
    best[0] = 0.0
    for i in range(1, count + 1):
        before[i] = -1
        best[i] = 0.0
    furthest = 0
    for place in range(count):
        if single and abs(best[place]) > _LARGEST_SUM:
            _start_anew(best, place, furthest)
        node = 0
        covered = False
        for stop in range(place + 1, count + 2):
            id = -1
            if stop <= count and node != NOWHERE:
                point, _ = code_point(text, start + offsets[stop - 1])
                node = down(node, point, trie)
                id = np.int64(trie[2][node]) if node != NOWHERE else -1
            last = node == NOWHERE or stop > count
            if id >= 0:
                covered = covered or stop == place + 1
                score = scores[id]
                target = stop
            elif last and not covered:
                id, score, target = unknown, unknown_score, place + 1
            if id >= 0:
                total = best[place] + score
                if single:
                    total = np.float64(np.float32(total))
                furthest = max(furthest, target)
                if before[target] < 0 or total > best[target]:
                    best[target], before[target], arrived[target] = total, place, id
            if last:
                break


@kernel(
    f"int64(uint8[::1], int64[:, ::1], {TRIE}, float64[::1], int64[::1], float64, int32[::1], int32[::1], int32[::1],"
    "int32[::1])",
    makes_arrays=True,
)
def encode(
    text: Bytes, spans: Ints, trie: Trie, scores: Floats, rules: Ints, unknown_score: float, fallback: Ints32,
    out_ids: Ints32, out_stops: Ints32, out_sizes: Ints32,
) -> int:  # fmt: skip
    """Encode words.

    Args:
        text: UTF-8 with spare bytes behind it.
        spans: int64[words, 2], where each word starts and stops in `text`.
        trie: The pieces, as `piece_trie` says.
        scores: float64[ids], natural log probabilities.
        rules: int64[3]: the unknown id; whether sums are in single precision (1); whether unknown characters in a row
            are one token (1).
        unknown_score: What an unknown character costs.
        fallback: int32[256], ids of the bytes that it is written with; empty for none.
        out_ids: int32[bytes], one a token.
        out_stops: int32[bytes], where each token stops, in bytes of its word.
        out_sizes: int32[words], tokens of each word.

    Returns:
        The number of tokens.
    """
    longest = 0
    for word in range(spans.shape[0]):
        longest = max(longest, spans[word, 1] - spans[word, 0])
    offsets, before = np.empty(longest + 1, np.int32), np.empty(longest + 1, np.int32)
    arrived, way = np.empty(longest + 1, np.int32), np.empty(longest + 1, np.int32)
    best = np.empty(longest + 1, np.float64)
    unknown, joins = rules[0], rules[2] == 1
    written = 0
    for word in range(spans.shape[0]):
        start = spans[word, 0]
        first = written
        count = _points(text, start, spans[word, 1], offsets)
        _search(text, start, count, trie, scores, rules, unknown_score, offsets, best, before, arrived)
        steps = 0
        at = count
        while at > 0:
            way[steps] = at
            steps += 1
            at = before[at]
        for i in range(steps - 1, -1, -1):
            stop = way[i]
            id = np.int64(arrived[stop])
            if id == unknown and fallback.size:
                for byte in range(offsets[before[stop]], offsets[stop]):
                    out_ids[written] = fallback[load8(text, start + byte)]
                    out_stops[written] = byte + 1
                    written += 1
            elif id == unknown and joins and written > first and out_ids[written - 1] == unknown:
                out_stops[written - 1] = offsets[stop]
            else:
                out_ids[written] = id
                out_stops[written] = offsets[stop]
                written += 1
        out_sizes[word] = written - first
    return written
