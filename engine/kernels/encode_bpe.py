"""Encoding with merges, a whole text in one call, and all lengths that it had while the merges were learned.

Nine words out of ten have been met before in the same text, so words are kept with their tokens: a look-up costs a
fraction of a merge. The look-ups of 16 words are asked for at once, so that waiting for memory overlaps.
"""

from __future__ import annotations

import numpy as np

from engine.kernels.byte_keys import MISSING, SHORT, Bytes, Ints, Words, find, key, mixed, same
from engine.kernels.jit import helper, kernel
from engine.kernels.memory import load8, prefetch, store8, store32
from engine.kernels.merge_words import MODEL, Ints32, Model, merge, symbols

LONGEST_KEPT = 256
"""Bytes of the longest word that is kept."""

BATCH = 16
SLOTS_PER_WORD = 4


@helper
def _encode_word(
    text: Bytes, start: int, size: int, model: Model, ids: Ints32, starts: Ints32, turns: Ints, fired: Ints32
) -> int:
    """Encode one word into `ids` and `starts`; return the number of tokens."""
    rules, whole, whole_blob = model[0], model[8], model[9]
    if whole.size and size <= rules[6]:
        found = find(text, start, size, whole, whole_blob)
        if found != MISSING and found & 0xFFFFFFFF < rules[5]:
            ids[0] = found >> 32
            starts[0], starts[1] = 0, size
            return 1
    count = symbols(text, start, size, model, ids, starts)
    left, _ = merge(text, start, count, model, ids, starts, turns, fired)
    return left


@kernel(
    f"int64(uint8[::1], int64[:, ::1], {MODEL}, uint64[::1], uint8[::1], int32[::1], int64[::1],"
    "int32[::1], int32[::1], int32[::1])"
)
def encode(
    text: Bytes, spans: Ints, model: Model, kept: Words, kept_text: Bytes, kept_tokens: Ints32, state: Ints,
    out_ids: Ints32, out_stops: Ints32, out_sizes: Ints32,
) -> int:  # fmt: skip
    """Encode words until all are done or there is no room to keep more of them.

    Args:
        text: UTF-8 with 16 spare bytes behind it.
        spans: int64[words, 2], where each word starts and stops in `text`.
        model: As `merge_words` says.
        kept: uint64[4 * n], the words met so far, in slots of `byte_keys`; the value is 1 + (id << 32) for one token,
            else the number of tokens + (place in `kept_tokens` << 32).
        kept_text: The bytes of longer words.
        kept_tokens: int32[], id and stop by turns.
        state: int64[5]: words done, tokens written, words kept, bytes used of `kept_text`, places of `kept_tokens`.
        out_ids: int32[n], one a token; the text has at most one token a byte and one a word.
        out_stops: int32[n], where each token stops, in bytes of its word.
        out_sizes: int32[words], tokens of each word.

    Returns:
        1 if all words are done, 0 if one of the `kept` arrays is full.
    """
    lows, highs = np.empty(BATCH, np.uint64), np.empty(BATCH, np.uint64)
    places = np.empty(BATCH, np.int64)
    room = LONGEST_KEPT + 2
    ids, starts, fired = np.empty(room, np.int32), np.empty(room, np.int32), np.empty(room, np.int32)
    turns = np.empty(room, np.int64)
    done, written, words, used_text, used_tokens = state[0], state[1], state[2], state[3], state[4]
    mask = (kept.size >> 2) - 1
    finished = 1
    while done < spans.shape[0]:
        batch = min(BATCH, spans.shape[0] - done)
        if (
            2 * (words + batch) > mask
            or used_text + batch * (LONGEST_KEPT + 16) > kept_text.size
            or used_tokens + batch * 2 * room > kept_tokens.size
        ):
            finished = 0
            break
        for i in range(batch):
            start = spans[done + i, 0]
            size = spans[done + i, 1] - start
            if size <= LONGEST_KEPT:
                lows[i], highs[i] = key(text, start, size)
                places[i] = np.int64(mixed(lows[i], highs[i], size)) & mask
                prefetch(kept, 4 * places[i])
        for i in range(batch):
            start = spans[done + i, 0]
            size = spans[done + i, 1] - start
            if size > LONGEST_KEPT:
                if size + 2 > ids.size:
                    ids, starts, fired = (
                        np.empty(size + 2, np.int32), np.empty(size + 2, np.int32), np.empty(size + 2, np.int32),
                    )  # fmt: skip
                    turns = np.empty(size + 2, np.int64)
                count = _encode_word(text, start, size, model, ids, starts, turns, fired)
                for j in range(count):
                    id = np.int64(ids[j])
                    out_ids[written + j] = id if id >= 0 else -2 - id
                    out_stops[written + j] = starts[j + 1]
                out_sizes[done + i] = count
                written += count
                continue
            low, high, slot = lows[i], highs[i], places[i]
            while True:
                about = kept[4 * slot + 2]
                if about == 0 or (
                    kept[4 * slot] == low
                    and kept[4 * slot + 1] == high
                    and np.int64(about & np.uint64(0xFFFF)) == size
                    and (size <= SHORT or same(text, start, kept_text, np.int64(about >> np.uint64(16)), size))
                ):
                    break
                slot = (slot + 1) & mask
            if about == 0 and size:
                count = _encode_word(text, start, size, model, ids, starts, turns, fired)
                value = np.int64(count)
                if count == 1:
                    value |= (np.int64(ids[0]) if ids[0] >= 0 else np.int64(-2 - ids[0])) << 32
                else:
                    value |= used_tokens << 32
                    for j in range(count):
                        id = np.int64(ids[j])
                        kept_tokens[used_tokens] = id if id >= 0 else -2 - id
                        kept_tokens[used_tokens + 1] = starts[j + 1]
                        used_tokens += 2
                kept[4 * slot], kept[4 * slot + 1] = low, high
                kept[4 * slot + 2] = np.uint64(size) | np.uint64(used_text) << np.uint64(16)
                kept[4 * slot + 3] = np.uint64(value)
                words += 1
                if size > SHORT:
                    for j in range(size):
                        store8(kept_text, used_text + j, load8(text, start + j))
                    used_text += size
            value = np.int64(kept[4 * slot + 3]) if size else np.int64(0)
            count = value & 0xFFFFFFFF
            if count == 1:
                store32(out_ids, written, value >> 32)
                store32(out_stops, written, size)
            else:
                at = value >> 32
                for j in range(count):
                    out_ids[written + j] = kept_tokens[at + 2 * j]
                    out_stops[written + j] = kept_tokens[at + 2 * j + 1]
            out_sizes[done + i] = count
            written += count
        done += batch
    state[0], state[1], state[2], state[3], state[4] = done, written, words, used_text, used_tokens
    return finished


@kernel(f"void(uint8[::1], int64[::1], int64[::1], {MODEL}, int64[::1])")
def lengths(text: Bytes, offsets: Ints, counts: Ints, model: Model, changes: Ints) -> None:
    """Note at which merge a corpus becomes how much shorter.

    One encoding tells the length after every number of merges, as merges fire in their order; one that fires after a
    later one needs that one, so it counts from there on.

    Args:
        text: The distinct words, one after another, with 16 spare bytes behind them.
        offsets: int64[words + 1], where they begin.
        counts: int64[words], how often each stands.
        model: As `merge_words` says.
        changes: int64[merges + 1], filled here: the sum of the first k + 1 is the length after k merges.
    """
    room = LONGEST_KEPT + 2
    ids, starts, fired = np.empty(room, np.int32), np.empty(room, np.int32), np.empty(room, np.int32)
    turns = np.empty(room, np.int64)
    rules, whole, whole_blob = model[0], model[8], model[9]
    learned = rules[5]
    for word in range(counts.size):
        start = offsets[word]
        size = offsets[word + 1] - start
        if size + 2 > ids.size:
            ids, starts, fired = (
                np.empty(size + 2, np.int32), np.empty(size + 2, np.int32), np.empty(size + 2, np.int32),
            )  # fmt: skip
            turns = np.empty(size + 2, np.int64)
        at_once = learned
        if whole.size and 0 < size <= rules[6]:
            found = find(text, start, size, whole, whole_blob)
            if found != MISSING:
                at_once = min(found & 0xFFFFFFFF, learned)
        left = symbols(text, start, size, model, ids, starts)
        changes[0] += counts[word] * left
        _, merges = merge(text, start, left, model, ids, starts, turns, fired)
        needed = np.int64(0)
        for i in range(merges):
            needed = max(needed, np.int64(fired[i]))
            if needed >= at_once:
                break
            changes[needed + 1] -= counts[word]
            left -= 1
        if at_once < learned:
            changes[at_once + 1] -= counts[word] * (left - 1)


@kernel("void(uint64[::1], uint64[::1])")
def move(kept: Words, larger: Words) -> None:
    """Put all words of a table into an empty one of more slots."""
    mask = (larger.size >> 2) - 1
    for old in range(0, kept.size, 4):
        about = kept[old + 2]
        if about != 0:
            size = np.int64(about & np.uint64(0xFFFF))
            slot = np.int64(mixed(kept[old], kept[old + 1], size)) & mask
            while larger[4 * slot + 2] != 0:
                slot = (slot + 1) & mask
            for i in range(4):
                larger[4 * slot + i] = kept[old + i]
