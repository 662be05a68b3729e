"""Encoding with merges, many words in one call, and all lengths that a text had while the merges were learned.

Nine words out of ten have been met before in the same text, so words are kept with their tokens: a look-up costs a
fraction of a merge. Words are read in batches, so that waiting for memory overlaps: all look-ups of a batch are asked
for at once, what is new in it is merged in lanes, and then all tokens are written in order.
"""

from __future__ import annotations

import numpy as np

from engine.kernels.byte_keys import MISSING, SHORT, Bytes, Ints, Words, find, key, mixed, same, sifted
from engine.kernels.jit import helper, kernel, maker
from engine.kernels.memory import address, load8, load32, load64, prefetch, store8, store32, store64
from engine.kernels.merge_long_words import merge_many
from engine.kernels.merge_words import (
    ABOUT,
    FEW,
    FIRED,
    IDS,
    LANES,
    MERGES,
    MODEL,
    STARTS,
    SYMBOLS,
    Model,
    begin,
    begin_bytes,
    begin_lanes,
    gather,
    lane_at,
    merge_step,
)
from engine.kernels.pair_table import Ints32, mask_of

LONGEST_KEPT = 256
"""Bytes of the longest word that is kept."""

BATCH = 512
"""Words whose tokens are written at once: some fifty of them are new, and take turns in the lanes."""
_NEAR = 64
"""Words that are asked for at once."""
INLINE = 3
"""Tokens that stand in the slot of a word."""

# A slot of a word that is kept: the two numbers of its key; `about`, which is its bytes (9 bits), its tokens (9), its
# place in `kept_text` (23, if it is longer than 16 bytes) and in `kept_tokens` (23, if it has several tokens); and the
# ids of up to three tokens, of 21 bits each.
_COUNT, _TEXT, _TOKENS = np.uint64(9), np.uint64(18), np.uint64(41)
_NINE, _MANY = np.uint64(2**9 - 1), np.uint64(2**23 - 1)
_ID = np.int64(2**21 - 1)
_SKIPPED, _LONG = np.int64(-1), np.int64(-2)

MOST_KEPT = 1 << 23
"""Places of `kept_text` and of `kept_tokens` at most."""


@helper
def _keep(slot: int, count: int, ids: int, starts: int, tokens: int, used: int) -> int:
    """Put the tokens of a word into its slot; return how much of `kept_tokens`, at address `tokens`, is used then."""
    value = np.int64(0)
    for i in range(min(count, INLINE)):
        value |= load32(ids, 4 * i) << 21 * i
    about = load64(slot, 16) | np.uint64(count) << _COUNT
    if count > 1:
        about |= np.uint64(used) << _TOKENS
        for i in range(count):
            store32(tokens, 4 * (used + i), load32(ids, 4 * i))
            store32(tokens, 4 * (used + count + i), load32(starts, 4 * i + 4))
        used += 2 * count
    store64(slot, 16, np.int64(about))
    store64(slot, 24, value)
    return used


@maker
def _long(text: Bytes, start: int, size: int, model: Model, ids: Ints32, stops: Ints32) -> int:
    """Write the tokens of a word that is not kept; return how many.

    It makes arrays, as the loop that calls it may not: one that might be another each time is counted for each word.
    """
    rules, first, last, fallback, pairs, products, tied, _, whole, whole_blob, _ = model
    if whole.size and size <= rules[5]:
        found = find(address(text), start, size, address(whole), (whole.size >> 2) - 1, address(whole_blob))
        if found != MISSING and found & 0xFFFFFFFF < rules[4]:
            ids[0] = found >> 32
            if stops.size:
                stops[0] = size
            return 1
    starts = np.empty(size + 2, np.int32)
    count, _ = merge_many(
        text, start, size, rules, first, last, fallback, pairs, products, tied,
        ids, starts, np.empty(size + 2, np.int32),
    )  # fmt: skip
    if stops.size:
        stops[:count] = starts[1 : count + 1]
    return count


@kernel(
    f"int64(uint8[::1], int64[:, ::1], {MODEL}, uint64[::1], uint8[::1], int32[::1], int64[::1],"
    "uint8[::1], int32[::1], int32[::1], int32[::1])",
    makes_arrays=True,
)
def encode(
    text: Bytes, spans: Ints, model: Model, kept: Words, kept_text: Bytes, kept_tokens: Ints32, state: Ints,
    room: Bytes, out_ids: Ints32, out_stops: Ints32, out_sizes: Ints32,
) -> int:  # fmt: skip
    """Encode words until all are done or there is no room to keep more of them.

    Args:
        text: UTF-8 with 16 spare bytes behind it.
        spans: int64[words, 2], where each word starts and stops in `text`.
        model: As `merge_words` says.
        kept: uint64[4 * n], the words met so far, n a power of two.
        kept_text: The bytes of longer words.
        kept_tokens: int32[], of each word the ids, then the stops.
        state: int64[5]: words done, tokens written, words kept, bytes used of `kept_text`, places of `kept_tokens`.
        room: uint8[merge_words.ROOM], for words on their way.
        out_ids: int32[n + 2], one a token; the text has at most one token a byte and one a word.
        out_stops: int32[n], where each token stops, in bytes of its word; empty if nobody asks.
        out_sizes: int32[words], tokens of each word; empty if nobody asks.

    Returns:
        1 if all words are done, 0 if one of the `kept` arrays is full.
    """
    rules, first, last, fallback, pairs = model[0], model[1], model[2], model[3], model[4]
    products, tied, dense, whole, whole_blob = model[5], model[6], model[7], model[8], model[9]
    learned, longest, base = rules[4], rules[5], rules[6]
    sieve_at, sieve_bits = address(model[10]), 8 * model[10].size
    raw, places, lanes, table = address(text), address(spans), address(room), address(kept)
    known_text, known_tokens, ids, stops = (
        address(kept_text),
        address(kept_tokens),
        address(out_ids),
        address(out_stops),
    )
    pairs_at, pairs_mask, products_at = address(pairs), mask_of(pairs), address(products)
    ties, tied_at, dense_size, dense_at, first_at = tied.size, address(tied), dense.size, address(dense), address(first)
    wholes, wholes_at, wholes_mask, wholes_text = whole.size, address(whole), (whole.size >> 2) - 1, address(whole_blob)
    lows, highs = np.empty(BATCH, np.uint64), np.empty(BATCH, np.uint64)
    slots, new = np.empty(BATCH, np.int64), np.empty(BATCH, np.int64)
    done, written, words, used_text, used_tokens = state[0], state[1], state[2], state[3], state[4]
    begin_lanes(lanes)
    mask = (kept.size >> 2) - 1
    with_stops, with_sizes = out_stops.size > 0, out_sizes.size > 0
    finished = 1
    while done < spans.shape[0]:
        batch = min(BATCH, spans.shape[0] - done)
        if (
            4 * (words + batch) > 3 * mask
            or used_text + batch * (LONGEST_KEPT + 16) > kept_text.size
            or used_tokens + batch * 2 * (LONGEST_KEPT + 2) > kept_tokens.size
        ):
            finished = 0
            break
        many = 0
        for near in range(0, batch, _NEAR):
            far = min(near + _NEAR, batch)
            for i in range(near, far):
                start = np.int64(load64(places, 16 * (done + i)))
                size = np.int64(load64(places, 16 * (done + i) + 8)) - start
                slots[i] = _SKIPPED if size == 0 else _LONG
                if 0 < size <= LONGEST_KEPT:
                    lows[i], highs[i] = key(raw, start, size)
                    slots[i] = np.int64(mixed(lows[i], highs[i], size)) & mask
                    prefetch(table, 32 * slots[i])
            for i in range(near, far):
                if slots[i] < 0:
                    continue
                start = np.int64(load64(places, 16 * (done + i)))
                size = np.int64(load64(places, 16 * (done + i) + 8)) - start
                low, high = lows[i], highs[i]
                slot = table + 32 * slots[i]
                about = load64(slot, 16)
                while about != 0 and not (
                    load64(slot, 0) == low
                    and load64(slot, 8) == high
                    and np.int64(about & _NINE) == size
                    and (size <= SHORT or same(raw, start, known_text, np.int64(about >> _TEXT & _MANY), size))
                ):
                    slot = table + ((slot - table + 32) & (32 * mask + 31))
                    about = load64(slot, 16)
                slots[i] = slot
                if about == 0:
                    about = np.uint64(size)
                    if size > SHORT:
                        about |= np.uint64(used_text) << _TEXT
                        for j in range(size):
                            store8(known_text, used_text + j, load8(raw, start + j))
                        used_text += size
                    store64(slot, 0, np.int64(low))
                    store64(slot, 8, np.int64(high))
                    store64(slot, 16, np.int64(about))
                    maybe = np.int64(0)
                    if wholes:
                        mix = mixed(low, high, size)
                        maybe = sifted(mix, sieve_at, sieve_bits)
                        prefetch(wholes_at, 32 * (np.int64(mix) & wholes_mask & -maybe))
                    new[many] = i << 1 | maybe
                    many += 1
        words += many
        begun = k = 0
        while True:
            while begun < LANES and k < many:
                i, maybe = new[k] >> 1, new[k] & 1
                slot = slots[i]
                start = np.int64(load64(places, 16 * (done + i)))
                size = np.int64(load64(places, 16 * (done + i) + 8)) - start
                k += 1
                if maybe and size <= longest:
                    found = find(raw, start, size, wholes_at, wholes_mask, wholes_text)
                    if found != MISSING and found & 0xFFFFFFFF < learned:
                        store64(slot, 16, np.int64(load64(slot, 16) | np.uint64(1) << _COUNT))
                        store64(slot, 24, found >> 32)
                        continue
                lane = lane_at(lanes, begun)
                if dense_size and not ties:
                    begin_bytes(raw + start, size, lane, learned, first_at, dense_at)
                else:
                    begin(text, start, size, lane, rules, first, last, fallback, pairs, tied)
                store64(lane, ABOUT, slot)
                begun += 1
            if begun == 0:
                break
            left = merge_step(begun, lanes, pairs_at, pairs_mask, products_at, ties, tied_at, learned, base)
            for j in range(left, begun):
                lane = lane_at(lanes, j)
                count = gather(lane)
                slot = np.int64(load64(lane, ABOUT))
                used_tokens = _keep(slot, count, lane + IDS + 4, lane + STARTS + 4, known_tokens, used_tokens)
            begun = left
        for i in range(batch):
            slot = slots[i]
            count = np.int64(0)
            if slot >= 0:
                about = load64(slot, 16)
                value = np.int64(load64(slot, 24))
                count = np.int64(about >> _COUNT & _NINE)
                tokens = known_tokens + 4 * np.int64(about >> _TOKENS)
                if count <= INLINE:
                    store32(ids, 4 * written, value & _ID)
                    store32(ids, 4 * written + 4, value >> 21 & _ID)
                    store32(ids, 4 * written + 8, value >> 42)
                else:
                    for j in range(0, count, 2):  # what is one too many is written over
                        store64(ids, 4 * (written + j), np.int64(load64(tokens, 4 * j)))
                if with_stops:
                    if count == 1:
                        store32(stops, 4 * written, np.int64(about & _NINE))
                    else:
                        for j in range(count):
                            store32(stops, 4 * (written + j), load32(tokens, 4 * (count + j)))
            elif slot == _LONG:
                start = np.int64(load64(places, 16 * (done + i)))
                size = np.int64(load64(places, 16 * (done + i) + 8)) - start
                count = _long(text, start, size, model, out_ids[written:], out_stops[written:])
            if with_sizes:
                out_sizes[done + i] = count
            written += count
        done += batch
    state[0], state[1], state[2], state[3], state[4] = done, written, words, used_text, used_tokens
    return finished


@helper
def _note(
    text: Bytes, start: int, stop: int, weight: int, left: int, merged: int, fired: int,
    rules: Ints, whole: Words, whole_blob: Bytes, changes: Ints,
) -> None:  # fmt: skip
    """Note how one word becomes shorter, from the turns of its merges, which stand at an address."""
    learned = rules[4]
    at_once = learned
    if whole.size and stop - start <= rules[5]:
        found = find(address(text), start, stop - start, address(whole), (whole.size >> 2) - 1, address(whole_blob))
        if found != MISSING:
            at_once = min(found & 0xFFFFFFFF, learned)
    changes[0] += weight * left
    needed = np.int64(0)
    for i in range(merged):
        needed = max(needed, load32(fired, 4 * i))
        if needed >= at_once:
            break
        changes[needed + 1] -= weight
        left -= 1
    if at_once < learned:
        changes[at_once + 1] -= weight * (left - 1)


@maker
def _note_long(text: Bytes, start: int, size: int, weight: int, model: Model, changes: Ints) -> None:
    """Do the same for a word that no lane takes."""
    rules, first, last, fallback, pairs, products, tied, _, whole, whole_blob, _ = model
    fired = np.empty(size + 2, np.int32)
    left, merged = merge_many(
        text, start, size, rules, first, last, fallback, pairs, products, tied,
        np.empty(size + 2, np.int32), np.empty(size + 2, np.int32), fired,
    )  # fmt: skip
    many, stop, at = left + merged, start + size, address(fired)
    _note(text, start, stop, weight, many, merged, at, rules, whole, whole_blob, changes)
    fired[0] = 0  # it lives up to here


@kernel(f"void(uint8[::1], int64[::1], int64[::1], {MODEL}, uint8[::1], int64[::1])")
def lengths(text: Bytes, offsets: Ints, counts: Ints, model: Model, room: Bytes, changes: Ints) -> None:
    """Note at which merge a corpus becomes how much shorter.

    One encoding tells the length after every number of merges, as merges fire in their order; one that fires after a
    later one needs that one, so it counts from there on.

    Args:
        text: The distinct words, one after another, with 16 spare bytes behind them.
        offsets: int64[words + 1], where they begin.
        counts: int64[words], how often each stands.
        model: As `merge_words` says.
        room: uint8[merge_words.ROOM], for words on their way.
        changes: int64[merges + 1], filled here: the sum of the first k + 1 is the length after k merges.
    """
    rules, first, last, fallback, pairs = model[0], model[1], model[2], model[3], model[4]
    products, tied, whole, whole_blob, lanes = model[5], model[6], model[8], model[9], address(room)
    begin_lanes(lanes)
    begun = word = 0
    while True:
        while begun < LANES and word < counts.size:
            start = offsets[word]
            size = offsets[word + 1] - start
            if 0 < size < FEW:
                lane = lane_at(lanes, begun)
                begin(text, start, size, lane, rules, first, last, fallback, pairs, tied)
                store64(lane, ABOUT, word)
                begun += 1
            elif size:
                _note_long(text, start, size, counts[word], model, changes)
            word += 1
        if begun == 0:
            break
        working = merge_step(
            begun, lanes, address(pairs), mask_of(pairs), address(products), tied.size, address(tied),
            rules[4], rules[6],
        )  # fmt: skip
        for j in range(working, begun):
            lane = lane_at(lanes, j)
            known, symbols = np.int64(load64(lane, ABOUT)), np.int64(load64(lane, SYMBOLS))
            merged = np.int64(load64(lane, MERGES))
            start, stop, weight = offsets[known], offsets[known + 1], counts[known]
            _note(text, start, stop, weight, symbols, merged, lane + FIRED, rules, whole, whole_blob, changes)
        begun = working


@kernel("void(uint64[::1], uint64[::1])")
def move(kept: Words, larger: Words) -> None:
    """Put all words of a table into an empty one of more slots."""
    mask = (larger.size >> 2) - 1
    for old in range(0, kept.size, 4):
        about = kept[old + 2]
        if about != 0:
            size = np.int64(about & _NINE)
            slot = np.int64(mixed(kept[old], kept[old + 1], size)) & mask
            while larger[4 * slot + 2] != 0:
                slot = (slot + 1) & mask
            for i in range(4):
                larger[4 * slot + i] = kept[old + i]
