"""The substrings that stand often enough in a corpus, and the lattices that they span: what pruning starts from."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from engine.counts import Ints
from engine.lattices import Lattices
from engine.shared_lattices import joined
from engine.slices import Slices
from engine.sorted_words import Words


class Seeds(NamedTuple):
    """The substrings of a corpus that stand often enough.

    Attributes:
        texts: The substrings: single characters, then the others; by where they first end, the shorter first.
        counts: int64[n], how often each stands, overlaps included, weighted by the words' counts.
        singles: How many of them are single characters.
    """

    texts: Slices
    counts: Ints
    singles: int


def seeds(words: Words, longest: int, least: int, branching: bool = False) -> tuple[Seeds, Lattices]:
    """Collect the substrings of at most `longest` code points that stand `least` times, and all characters.

    Substrings of n code points are named by those of n - 1 and a character, so each length is one sort, and a
    substring that is too rare is not made longer.

    Args:
        words: The distinct words.
        longest: Code points of a substring at most.
        least: How often it must stand.
        branching: Whether two different characters must follow it, the end of a word being one: the inner nodes of a
            suffix tree.

    Returns:
        The substrings, and the lattices that they span over the words.
    """
    sizes = np.diff(words.stops, prepend=0)
    text = words.points.astype(np.int64)
    room = np.repeat(words.stops, sizes) - np.arange(len(text))
    node = np.arange(len(text)) + np.repeat(np.arange(len(sizes)), sizes)
    weight = np.repeat(words.weights, sizes)
    names, place, letter = np.unique(text, return_index=True, return_inverse=True)
    places, widths = [place], [np.ones(len(names), np.int64)]
    counts = [np.bincount(letter, weight, len(names)).astype(np.int64)]
    edges = [(letter.astype(np.int64), node, node + 1)]
    padded = np.append(letter, -1)
    at, gram, total = np.arange(len(text)), letter.astype(np.int64), len(names)
    for length in range(2, longest + 1):
        fits = room[at] >= length
        at = at[fits]
        if not len(at):
            break
        key = gram[fits] * len(names) + letter[at + length - 1]
        found, place, gram = np.unique(key, return_index=True, return_inverse=True)
        count = np.bincount(gram, weight[at], len(found)).astype(np.int64)
        often = count >= least
        chosen = often
        if branching:
            follower = np.where(room[at] > length, padded[at + length], -1)
            chosen = often & (np.bincount(gram, follower != follower[place][gram], len(found)) > 0)
        places.append(at[place[chosen]])
        widths.append(np.full(int(chosen.sum()), length))
        counts.append(count[chosen])
        taken = chosen[gram]
        renamed = np.cumsum(chosen) - 1 + total
        edges.append((renamed[gram[taken]], node[at[taken]], node[at[taken]] + length))
        total += int(chosen.sum())
        kept = often[gram]
        at, gram = at[kept], gram[kept]
    found_seeds, renamed = in_order(words.text, np.concatenate(places), np.concatenate(widths), np.concatenate(counts))
    piece, start, stop = (np.concatenate(column) for column in zip(*edges, strict=True))
    return found_seeds, joined(words, renamed[piece], start, stop)


def in_order(text: str, places: Ints, sizes: Ints, counts: Ints) -> tuple[Seeds, Ints]:
    """Put substrings of a text into the order that `Seeds` has; return the new number of each, too.

    Args:
        text: All words.
        places: int64[n], where each substring first stands.
        sizes: int64[n], its code points.
        counts: int64[n].
    """
    order = np.argsort((sizes > 1) << 62 | places + sizes << 8 | sizes)
    renamed = np.empty(len(order), np.int64)
    renamed[order] = np.arange(len(order))
    texts = Slices(text, places[order].astype(np.uint32), sizes[order].astype(np.uint8))
    return Seeds(texts, counts[order], int((sizes == 1).sum())), renamed
