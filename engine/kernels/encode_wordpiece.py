"""Cutting words by longest match from the left, and how many tokens that gives as the vocabulary grows.

Root 0 of the tree holds the pieces as they are written, which start a word; root 1 those that go on inside one, without
their prefix. A walk down the tree passes every piece that matches, so the longest is found in one go.
"""

from __future__ import annotations

import numpy as np

from engine.kernels.byte_keys import Bytes, Ints
from engine.kernels.jit import helper, kernel
from engine.kernels.piece_trie import NOWHERE, TRIE, Ints32, Trie, down
from engine.kernels.utf8_text import code_point


@helper
def _count_points(text: Bytes, start: int, stop: int) -> int:
    count = 0
    for at in range(start, stop):
        count += (text[at] & 0xC0) != 0x80
    return count


@helper
def _cut(
    text: Bytes, start: int, stop: int, trie: Trie, unknown: int, size: int, ids: Ints32, stops: Ints32, first: int
) -> int:
    """Cut a word by the pieces with ids below `size`; write from `first` on and return where the tokens end."""
    written = first
    at = start
    while at < stop:
        node, here, found, end = (0 if at == start else 1), at, -1, at
        while here < stop:
            point, width = code_point(text, here)
            node = down(node, point, trie)
            if node == NOWHERE:
                break
            here += width
            id = trie[2][node]
            if 0 <= id < size:
                found, end = id, here
        if found < 0:
            ids[first] = unknown
            stops[first] = stop - start
            return first + 1
        ids[written] = found
        stops[written] = end - start
        written += 1
        at = end
    return written


@kernel(f"int64(uint8[::1], int64[:, ::1], {TRIE}, int64[::1], int32[::1], int32[::1], int32[::1])")
def encode(
    text: Bytes, spans: Ints, trie: Trie, rules: Ints, out_ids: Ints32, out_stops: Ints32, out_sizes: Ints32
) -> int:
    """Encode words.

    Args:
        text: UTF-8 with spare bytes behind it.
        spans: int64[words, 2], where each word starts and stops in `text`.
        trie: The pieces, as `piece_trie` says.
        rules: int64[3]: the unknown id; the most code points of a word, beyond which it is unknown; how many ids count.
        out_ids: int32[bytes], one a token.
        out_stops: int32[bytes], where each token stops, in bytes of its word.
        out_sizes: int32[words], tokens of each word.

    Returns:
        The number of tokens.
    """
    unknown, longest, size = rules[0], rules[1], rules[2]
    written = 0
    for word in range(spans.shape[0]):
        start, stop = spans[word, 0], spans[word, 1]
        first = written
        if stop - start > longest and _count_points(text, start, stop) > longest:
            out_ids[written] = unknown
            out_stops[written] = stop - start
            written += 1
        else:
            written = _cut(text, start, stop, trie, unknown, size, out_ids, out_stops, written)
        out_sizes[word] = written - first
    return written


@helper
def _joining(text: Bytes, start: int, stop: int, trie: Trie, base: int, size: int, joining: Ints) -> int:
    """List the learned pieces that stand anywhere in a word; return how many, or -1 if there is no room for them."""
    found = 0
    at = start
    while at < stop:
        node, here = (0 if at == start else 1), at
        _, step = code_point(text, at)
        while here < stop:
            point, width = code_point(text, here)
            node = down(node, point, trie)
            if node == NOWHERE:
                break
            here += width
            id = trie[2][node]
            if base <= id < size:
                if found == joining.size:
                    return -1
                joining[found] = id
                found += 1
        at += step
    return found


@helper
def _note(
    text: Bytes, start: int, stop: int, weight: int, trie: Trie, unknown: int, base: int, joining: Ints, found: int,
    ids: Ints32, stops: Ints32, changes: Ints,
) -> None:  # fmt: skip
    """Note how one word becomes longer or shorter, from the pieces in it, which are in order."""
    before = _cut(text, start, stop, trie, unknown, base, ids, stops, 0)
    changes[0] += weight * before
    for i in range(found):
        if i == 0 or joining[i] != joining[i - 1]:
            now = _cut(text, start, stop, trie, unknown, joining[i] + 1, ids, stops, 0)
            changes[joining[i] + 1 - base] += weight * (now - before)
            before = now


@kernel(f"void(uint8[::1], int64[::1], int64[::1], {TRIE}, int64[::1], int64, int64[::1])", makes_arrays=True)
def lengths(text: Bytes, offsets: Ints, counts: Ints, trie: Trie, rules: Ints, base: int, changes: Ints) -> None:
    """Note at which size of the vocabulary a corpus becomes how much longer or shorter.

    A word can only be cut otherwise once a piece that stands somewhere in it joins the vocabulary.

    Args:
        text: The distinct words, one after another, with spare bytes behind them.
        offsets: int64[words + 1], where they begin.
        counts: int64[words], how often each stands.
        trie: The pieces, as `piece_trie` says.
        rules: As for `encode`.
        base: Ids from here on were learned, in their order.
        changes: int64[learned + 1], filled here: the sum of the first k + 1 is the length with k learned pieces.
    """
    unknown, longest, size = rules[0], rules[1], rules[2]
    most = 0
    for word in range(counts.size):
        most = max(most, offsets[word + 1] - offsets[word])
    ids, stops = np.empty(most, np.int32), np.empty(most, np.int32)
    joining = np.empty(256, np.int64)
    for word in range(counts.size):
        start, stop = offsets[word], offsets[word + 1]
        if stop == start:
            continue
        if stop - start > longest and _count_points(text, start, stop) > longest:
            changes[0] += counts[word]
            continue
        found = _joining(text, start, stop, trie, base, size, joining)
        while found < 0:
            joining = np.empty(2 * joining.size, np.int64)
            found = _joining(text, start, stop, trie, base, size, joining)
        joining[:found].sort()
        _note(text, start, stop, counts[word], trie, unknown, base, joining, found, ids, stops, changes)
