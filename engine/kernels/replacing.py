"""What a piece would be cut into if it were not there: the best way through its own text, in the lattice of a word."""

from __future__ import annotations

import numpy as np

from engine.kernels.jit import kernel
from engine.kernels.lattices import EDGES, WORDS, Bytes, Floats, Ints, Pieces

_U, _ONE = np.uint64, np.uint64(1)


@kernel(
    f"void(int64, int64, {WORDS}, {EDGES}, float64[::1], uint8[::1], int64[::1], float64[::1], int64[::1],"
    "uint32[::1], int64[::1])",
    makes_arrays=True,
)
def replace(
    first: int, last: int, stops: Ints, shared: Ints, heads: Ints, many: Bytes, pieces: Pieces, widths: Bytes,
    log_probs: Floats, done: Bytes, places: Ints, scores: Floats, parts: Ints, written: Pieces, edges: Ints,
) -> None:  # fmt: skip
    """Find the best path through the text of each piece without the piece itself.

    A piece is looked at where it first stands. Logarithms are added from the end of the text on, for pieces that end
    at one node then have their best ways in common; of equally good ways from a node on the one whose first piece is
    longest is the best.

    Args:
        first: The first word to look at; it shares nothing.
        last: The word before which to stop.
        stops: See `lattices.expect`, and so on to `widths`.
        shared: See there.
        heads: See there.
        many: See there.
        pieces: See there.
        widths: See there.
        log_probs: float64[pieces], natural logarithms.
        done: uint8[pieces], whether a piece need not be looked at any more; single characters never need to.
        places: int64[pieces], where in `written` to write.
        scores: float64[pieces], the logarithm of the best way's probability is written there; -inf where there is none.
        parts: int64[pieces], how many pieces are on it is written there.
        written: uint32[code points of the pieces], those pieces, from the first one to the last.
        edges: int64[2 * nodes of the longest word], for the edges that end at each.
    """
    without, best = np.empty(256), np.empty(256)
    next_without, next_best = np.empty(256, np.int64), np.empty(256, np.int64)
    for word in range(first, last):
        place = stops[word - 1] if word else 0
        edge = _U(heads[word])
        for depth in range(shared[word] + 1, stops[word] - place + 1):
            head = edge
            edge += _U(many[_U(place + depth - 1)])
            edges[2 * depth], edges[2 * depth + 1] = head, edge
            while head < edge and done[pieces[head]]:
                head += _ONE
            if head == edge:
                continue
            size = np.int64(widths[head])  # the longest comes first
            for i in range(size + 1):
                without[i], best[i] = -np.inf, -np.inf
            best[0] = 0.0
            for behind in range(size):  # code points from the end
                if without[behind] > best[behind]:
                    best[behind], next_best[behind] = without[behind], next_without[behind]
                node = 2 * (depth - behind)
                for i in range(edges[node + 1] - 1, edges[node] - 1, -1):
                    target = behind + widths[i]
                    if target > size:
                        break
                    score = best[behind] + log_probs[pieces[i]]
                    if behind == 0:
                        best[target], next_best[target] = score, i
                    elif score > without[target]:
                        without[target], next_without[target] = score, i
            for asked in range(head, edge):
                piece = pieces[asked]
                if done[piece]:
                    continue
                done[piece] = 1
                left = np.int64(widths[asked])
                scores[piece] = without[left]
                if without[left] == -np.inf:
                    continue
                i, end = next_without[left], places[piece]
                while True:
                    written[end] = pieces[i]
                    end += 1
                    left -= widths[i]
                    if left == 0:
                        break
                    i = next_best[left]
                parts[piece] = end - places[piece]
