"""Lattices over sorted words, which share the nodes of what they begin with: how they are made, and divided."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from engine.counts import Ints
from engine.lattices import Lattices
from engine.sorted_words import Words


def joined(words: Words, pieces: Ints, starts: Ints, stops: Ints) -> Lattices:
    """Make lattices of edges over words that share nothing yet: their nodes are numbered word after word.

    The edges come block after block, those that end last first.
    """
    sizes = np.diff(words.stops, prepend=0)
    begins = np.cumsum(sizes + 1) - sizes - 1
    offsets = np.arange(int(sizes.sum()) + len(sizes)) - np.repeat(begins, sizes + 1)
    named = _names(words)
    own = offsets > np.repeat(words.shared, sizes + 1)
    edge = np.flatnonzero(own[stops])
    block = np.searchsorted(begins[words.blocks[1:-1]], stops[edge], side="right")
    edge = edge[np.lexsort((starts[edge], -stops[edge], block))]
    depths = np.empty(int(named.max(initial=-1)) + 1, np.int64)
    depths[named] = offsets
    return Lattices(named[begins], named[begins + sizes], pieces[edge], named[starts[edge]], named[stops[edge]], depths)


def divided(words: Words, graph: Lattices) -> tuple[Words, Lattices]:
    """Divide words where no piece crosses, and count equal parts as one word: every way to cut a word cuts there."""
    sizes = np.diff(words.stops, prepend=0)
    word = np.repeat(np.arange(len(sizes)), sizes)
    named = _names(words)
    ends = _ends(words, graph, named)
    stops = np.flatnonzero(ends) + 1
    starts = np.concatenate([[0], stops[:-1]])
    counts: dict[str, int] = {}
    places: dict[str, int] = {}
    for start, stop, weight in zip(starts.tolist(), stops.tolist(), words.weights[word[starts]].tolist(), strict=True):
        part = words.text[start:stop]
        counts[part] = counts.get(part, 0) + weight
        places.setdefault(part, start)
    parts = Words.of(counts)
    bounds = np.concatenate([[0], parts.stops])
    origins = np.array([places[parts.text[a:b]] for a, b in pairwise(bounds.tolist())])
    new_sizes = np.diff(bounds)
    # The node behind each place: there is one node more in each word than there are code points.
    behind = np.arange(int(bounds[-1])) + np.repeat(np.arange(len(new_sizes)), new_sizes) + 1
    node = named[np.repeat(origins + word[origins] - bounds[:-1], new_sizes) + np.arange(int(bounds[-1])) + 1]
    order = np.argsort(graph.stops, kind="stable")
    heads = np.searchsorted(graph.stops[order], np.arange(len(graph.offsets) + 1))
    many = heads[node + 1] - heads[node]
    firsts = np.cumsum(many) - many
    edge = order[np.repeat(heads[node] - firsts, many) + np.arange(int(many.sum()))]
    width = graph.offsets[graph.stops[edge]] - graph.offsets[graph.starts[edge]]
    ends_at = np.repeat(behind, many)
    return parts, joined(parts, graph.pieces[edge], ends_at - width, ends_at)


def _ends(words: Words, graph: Lattices, named: Ints) -> NDArray[np.bool_]:
    """Say of each code point whether a part ends behind it."""
    sizes = np.diff(words.stops, prepend=0)
    word = np.repeat(np.arange(len(sizes)), sizes + 1)
    depth = np.arange(len(named)) - np.repeat(np.cumsum(sizes + 1) - sizes - 1, sizes + 1)
    reach = graph.offsets.copy()  # where the longest edge that ends at a node starts
    np.minimum.at(reach, graph.stops, graph.offsets[graph.starts])
    beyond = word * (int(sizes.max(initial=0)) + 1)  # so that no word sees the one behind it
    lowest = np.minimum.accumulate((reach[named] + beyond)[::-1])[::-1] - beyond
    free = (np.append(lowest[1:], 0) >= depth) | (depth == sizes[word])
    ends: NDArray[np.bool_] = free[depth > 0]
    return ends


def _names(words: Words) -> Ints:
    """Return the node that stands before and behind each code point, word after word."""
    sizes = np.diff(words.stops, prepend=0)
    names: list[int] = []
    path: list[int] = []
    made = 0
    heads = set(words.blocks.tolist())
    for word, (size, shared) in enumerate(zip(sizes.tolist(), words.shared.tolist(), strict=True)):
        kept = 0 if word in heads else shared + 1
        path = path[:kept] + list(range(made, made + size + 1 - kept))
        made += size + 1 - kept
        names += path
    return np.array(names, np.int64)
