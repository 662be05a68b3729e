"""Pieces as the tree that compiled loops walk down, and texts as they read them.

Import this only after `engine.kernels.serve` has said yes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from engine.counts import PreTokenCounts
from engine.kernels import piece_trie
from engine.piece_table import PieceNumbers, PieceTable
from engine.text_parts import padded

Ints = NDArray[np.int64]


def columns(ids: Mapping[str, int]) -> PieceNumbers[str]:
    """Return pieces and their ids as columns."""
    if isinstance(ids, PieceNumbers):
        return ids
    # No word has a surrogate, so a piece that has one is never found, however it is written.
    table = PieceTable.of([piece.encode("utf-8", "surrogatepass") for piece in ids])
    return PieceNumbers(table, np.arange(len(table)), np.fromiter(ids.values(), np.int64, len(table)), bytes.decode)


def planted(blob: bytes, groups: Sequence[tuple[Ints, Ints, Ints]]) -> piece_trie.Trie:
    """Make a tree.

    Args:
        blob: The pieces in UTF-8.
        groups: For each root, where its pieces start and stop in `blob`, and their ids.
    """
    starts, stops, ids = (np.concatenate(column) for column in zip(*groups, strict=True))
    roots = np.repeat(np.arange(len(groups)), [len(group[0]) for group in groups])
    data = padded(blob)
    begun = np.zeros(len(data) + 1, np.int64)
    np.cumsum((data & 0xC0) != 0x80, out=begun[1:])
    points = int((begun[stops] - begun[starts]).sum())
    room = 1 << max(2 * points, 1).bit_length()
    trie = np.zeros(room, np.int64), np.empty(room, np.int32), np.full(points + len(groups), -1, np.int32)
    piece_trie.plant(data, starts, stops, roots, ids, len(groups), trie)
    return trie


def laid_out(words: PreTokenCounts) -> tuple[NDArray[np.uint8], Ints]:
    """Return words one after another, and where each starts: uint8[], int64[words + 1]."""
    return padded(words.raw), np.concatenate([[0], words.stops])
