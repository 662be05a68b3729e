"""The lattices of words that share their beginnings: sums over all ways to cut them, and the best way.

The words are sorted, so a word shares its first code points with the one before: what is known of their nodes holds for
both. A node is a beginning of a word; a word adds the nodes beyond what it shares, and nothing else is ever looked at.
Words come in blocks; the first of a block shares nothing, so that blocks stand alone. Per word there are three numbers:
where it stops among all code points, how many code points it shares, and its first edge.

An edge is a piece that ends at a node. `many[place]` edges end at the node after a place; they lie one after another in
`pieces` and `widths`, node after node, the longer piece first. So all passes read them in order, from either end, and
need not be told where they are. What a pass knows of the nodes from the root down to where it is lies in arrays by
their depth.

Places in arrays are unsigned in inner loops, for of a signed one Numba first asks whether it counts from the end.

Probabilities are multiplied and added as they are, without logarithms. A sum that becomes very small or large is
brought back by a power of two, which loses nothing, and that power is kept beside it. All sums run in one order: block
after block; within a block, what leads to a node is added with the longer piece first, and what leads on from it with
the last node first.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from engine.kernels.jit import helper, kernel

Bytes = NDArray[np.uint8]
Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Ints32 = NDArray[np.int32]
Pieces = NDArray[np.uint32]

_U = np.uint64
_ONE, _TWO = np.uint64(1), np.uint64(2)

_LARGE = 2.0**400
_SMALL = 2.0**-400  # the product of two that are not smaller is still exact
_SMALLEST = 2.0**-900  # the product with a probability is

WORDS = "int64[::1], int64[::1], int64[::1]"
"""stops, shared, heads."""

EDGES = "uint8[::1], uint32[::1], uint8[::1]"
"""many, pieces, widths."""


@helper
def _power(value: float, small: float) -> int:
    """Return the power of two that a value is to be divided by; 0 where it is neither small nor large, or 0."""
    if small <= value <= _LARGE or value == 0.0:
        return 0
    _, power = math.frexp(value)
    return np.int64(power)


@helper
def _sum_of_powers(
    head: int, tail: int, depth: int, start: int, pieces: Pieces, widths: Bytes, table: Floats, sums: Floats,
    powers: Ints,
) -> tuple[float, int]:  # fmt: skip
    """Sum what leads to a node where some sums have powers."""
    top, mixed, empty = 0, False, True
    for i in range(head, tail):
        if table[2 * np.int64(pieces[i])] > 0.0:
            power = powers[start + depth - widths[i]]
            mixed = mixed or not (empty or power == top)
            top = power if empty else max(top, power)
            empty = False
    total = 0.0
    for i in range(head, tail):
        at = start + depth - widths[i]
        way = sums[at] * table[2 * np.int64(pieces[i])]
        total += math.ldexp(way, powers[at] - top) if mixed and way > 0.0 else way
    return total, top


@helper
def _ahead(
    first: int, last: int, stops: Ints, shared: Ints, heads: Ints, many: Bytes, pieces: Pieces, widths: Bytes,
    table: Floats, sums: Floats, powers: Ints,
) -> bool:  # fmt: skip
    """Sum, for each node of each word of a block, the probabilities of all ways to it; say whether there are powers.

    Those of a word stand behind those of the word before.
    """
    scaled = False
    start, before = 0, 0
    for word in range(first, last):
        place = stops[word - 1] if word else 0
        size = stops[word] - place
        for depth in range(shared[word] + 1):
            sums[start + depth] = sums[before + depth]
        sums[start] = 1.0
        if scaled:
            for depth in range(shared[word] + 1):
                powers[start + depth] = powers[before + depth]
            powers[start] = 0
        edge = _U(heads[word])
        for depth in range(shared[word] + 1, size + 1):
            tail = edge + _U(many[_U(place + depth - 1)])
            at = _U(start + depth)
            total = 0.0
            power = 0
            if scaled:
                total, power = _sum_of_powers(edge, tail, depth, start, pieces, widths, table, sums, powers)
            else:
                for i in range(edge, tail):
                    total += sums[at - _U(widths[i])] * table[_TWO * _U(pieces[i])]
            more = _power(total, _SMALLEST)
            if more != 0:
                total = math.ldexp(total, -more)
                if not scaled:
                    powers[: start + depth] = 0
                    scaled = True
            sums[at] = total
            if scaled:
                powers[at] = power + more
            edge = tail
        before = start
        start += size + 1
    return scaled


@helper
def _add(value: float, power: int, at: int, sums: Floats, powers: Ints) -> None:
    """Add a value times a power of two to a sum."""
    if sums[at] == 0.0:
        powers[at] = power
    if power == powers[at]:
        sums[at] += value
    elif power < powers[at]:
        sums[at] += math.ldexp(value, power - powers[at])
    else:
        sums[at] = math.ldexp(sums[at], powers[at] - power) + value
        powers[at] = power


@helper
def _behind(
    first: int, last: int, start: int, stops: Ints, shared: Ints, weights: Ints, heads: Ints, many: Bytes,
    pieces: Pieces, widths: Bytes, table: Floats, sums: Floats, gains: Floats,
) -> None:  # fmt: skip
    """Sum, for each node of a block, what leads on from it, and with it what each piece is expected to stand.

    `start` is where the sums of the last word end; `gains` is all 0 before, by depth, and afterwards.
    """
    for word in range(last - 1, first - 1, -1):
        place = stops[word - 1] if word else 0
        size = stops[word] - place
        start -= size + 1
        gains[size] += weights[word] / sums[start + size]
        edge, root = _U(heads[word + 1]), _U(start)
        for depth in range(size, shared[word], -1):
            node = _U(depth)
            gain = gains[node]
            gains[node] = 0.0
            head = edge - _U(many[_U(place + depth - 1)])
            for i in range(head, edge):
                at = _TWO * _U(pieces[i])
                target = node - _U(widths[i])
                way = table[at] * gain
                gains[target] += way
                table[at + _ONE] += sums[root + target] * way
            edge = head
    gains[0] = 0.0


@helper
def _behind_in_powers(
    first: int, last: int, start: int, stops: Ints, shared: Ints, weights: Ints, heads: Ints, many: Bytes,
    pieces: Pieces, widths: Bytes, table: Floats, sums: Floats, powers: Ints, gains: Floats, gain_powers: Ints,
) -> None:  # fmt: skip
    """Do the same where sums have powers."""
    known, factor = 0, 1.0
    for i in range(start):
        more = _power(sums[i], _SMALL)
        if more != 0:
            sums[i], powers[i] = math.ldexp(sums[i], -more), powers[i] + more
    for word in range(last - 1, first - 1, -1):
        place = stops[word - 1] if word else 0
        size = stops[word] - place
        start -= size + 1
        _add(weights[word] / sums[start + size], -powers[start + size], size, gains, gain_powers)
        edge = heads[word + 1]
        for depth in range(size, shared[word], -1):
            gain, power = gains[depth], gain_powers[depth]
            more = _power(gain, _SMALL)
            if more != 0:
                gain, power = math.ldexp(gain, -more), power + more
            gains[depth] = 0.0
            head = edge - many[place + depth - 1]
            for i in range(head, edge):
                at = 2 * np.int64(pieces[i])
                target = depth - widths[i]
                way = table[at] * gain
                if way == 0.0:
                    continue
                _add(way, power, target, gains, gain_powers)
                if powers[start + target] + power != known:
                    known = powers[start + target] + power
                    factor = math.ldexp(1.0, max(-1000, min(known, 1000)))
                share = sums[start + target] * way
                table[at + 1] += share * factor if abs(known) <= 1000 else math.ldexp(share, known)
            edge = head
    gains[0] = 0.0


@kernel(
    f"void(int64[::1], int64, int64, {WORDS}, int64[::1], {EDGES}, float64[::1], float64[::1], int64[::1],"
    "float64[::1], int64[::1])"
)
def expect(
    blocks: Ints, first: int, last: int, stops: Ints, shared: Ints, heads: Ints, weights: Ints, many: Bytes,
    pieces: Pieces, widths: Bytes, table: Floats, sums: Floats, powers: Ints, gains: Floats, gain_powers: Ints,
) -> None:  # fmt: skip
    """Add up how often each piece is expected to stand, over all ways to cut the words.

    Args:
        blocks: int64[blocks + 1], the first word of each block, and how many words there are.
        first: The first block to look at.
        last: The block before which to stop.
        stops: int64[words], where each word stops among all code points.
        shared: int64[words], how many it shares with the word before.
        heads: int64[words + 1], its first edge; then how many edges there are.
        weights: int64[words], how much it counts.
        many: uint8[code points], how many edges end at the node after each place.
        pieces: uint32[edges], the piece of each.
        widths: uint8[edges], its code points.
        table: float64[2 * pieces], probability and expected count of each piece in turns, so that one look brings both.
        sums: float64[nodes of the largest block, as if no word shared any].
        powers: int64[], likewise.
        gains: float64[nodes of the longest word], all 0.
        gain_powers: int64[], likewise.
    """
    for block in range(first, last):
        low, high = blocks[block], blocks[block + 1]
        scaled = _ahead(low, high, stops, shared, heads, many, pieces, widths, table, sums, powers)
        end = stops[high - 1] - (stops[low - 1] if low else 0) + high - low
        if scaled:
            _behind_in_powers(
                low, high, end, stops, shared, weights, heads, many, pieces, widths, table, sums, powers, gains,
                gain_powers,
            )  # fmt: skip
        else:
            _behind(low, high, end, stops, shared, weights, heads, many, pieces, widths, table, sums, gains)


@kernel(
    f"void(int64, int64, boolean, {WORDS}, int64[::1], {EDGES}, float64[::1], int64[::1], float64[::1], int64[::1],"
    "float64[::1], int64[::1], float64[::1], int64[::1])"
)
def follow(
    first: int, last: int, summing: bool, stops: Ints, shared: Ints, heads: Ints, weights: Ints, many: Bytes,
    pieces: Pieces, widths: Bytes, table: Floats, used: Ints, totals: Floats, total_powers: Ints, sums: Floats,
    powers: Ints, best: Floats, arrived: Ints,
) -> None:  # fmt: skip
    """Find the best way through each word (Viterbi), and sum the probabilities of all.

    Of equally good ways to a node the one whose last piece is longest is the best.

    Args:
        first: The first word to look at; it shares nothing.
        last: The word before which to stop.
        summing: Whether the sums are wanted.
        stops: See `expect`, and so on to `widths`.
        shared: See there.
        heads: See there.
        weights: See there.
        many: See there.
        pieces: See there.
        widths: See there.
        table: float64[2 * pieces], probability and its natural logarithm in turns.
        used: int64[pieces], how often each stands on a best way, by the words' weights, is added there.
        totals: float64[words], the probability of each word is written there; it is to be multiplied by 2 to the power
        total_powers: int64[words], of this.
        sums: float64[nodes of the longest word].
        powers: int64[], likewise.
        best: float64[], likewise.
        arrived: int64[], likewise.
    """
    sums[0], powers[0], best[0] = 1.0, 0, 0.0
    scaled = False
    for word in range(first, last):
        place = stops[word - 1] if word else 0
        size = stops[word] - place
        edge = _U(heads[word])
        scaled = scaled and shared[word] > 0
        for depth in range(shared[word] + 1, size + 1):
            tail = edge + _U(many[_U(place + depth - 1)])
            node = _U(depth)
            top, leading = -np.inf, edge
            for i in range(edge, tail):
                score = best[node - _U(widths[i])] + table[_TWO * _U(pieces[i]) + _ONE]
                if score > top:
                    top, leading = score, i
            best[node], arrived[node] = top, leading
            if summing:
                total = 0.0
                power = 0
                if scaled:
                    total, power = _sum_of_powers(edge, tail, depth, 0, pieces, widths, table, sums, powers)
                else:
                    for i in range(edge, tail):
                        total += sums[node - _U(widths[i])] * table[_TWO * _U(pieces[i])]
                more = _power(total, _SMALLEST)
                if more != 0:
                    scaled = True
                    total = math.ldexp(total, -more)
                sums[node], powers[node] = total, power + more
            edge = tail
        if summing:
            totals[word], total_powers[word] = sums[size], powers[size]
        node = _U(size)
        while node > 0:
            i = _U(arrived[node])
            used[pieces[i]] += weights[word]
            node -= _U(widths[i])


@kernel(f"void(int64, int64, {WORDS}, {EDGES}, int32[::1], int64[::1])")
def keep(
    first: int, last: int, stops: Ints, shared: Ints, heads: Ints, many: Bytes, pieces: Pieces, widths: Bytes,
    renamed: Ints32, state: Ints,
) -> None:  # fmt: skip
    """Leave out the edges of pieces that are gone; the others move up.

    Args:
        first: The first word to look at.
        last: The word before which to stop.
        stops: See `expect`, and so on to `widths`.
        shared: See there.
        heads: See there.
        many: See there.
        pieces: See there.
        widths: See there.
        renamed: int32[pieces], the new number of each piece, or -1.
        state: int64[2]: how many edges have been read so far, and how many of them are left.
    """
    read, left = _U(state[0]), _U(state[1])
    for word in range(first, last):
        heads[word] = left
        start = stops[word - 1] if word else 0
        for place in range(_U(start + shared[word]), _U(stops[word])):
            before, until = left, read + _U(many[place])
            while read < until:
                piece = renamed[pieces[read]]
                # Whether it stays is hard to guess, so this never jumps.
                pieces[left], widths[left] = piece, widths[read]
                left += _U(piece >= 0)
                read += _ONE
            many[place] = left - before
    state[0], state[1] = read, left
