"""A BPE model as the arrays that compiled loops read.

Import this only after `engine.kernels.serve` has said yes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from engine.kernels import byte_keys, merge_words, own_pairs, pair_table
from engine.models.alphabet import Alphabet
from engine.models.concatenation import Concatenations
from engine.models.lines import paged
from engine.models.merge_ranks import MergeRanks
from engine.piece_table import PieceNumbers, PieceTable
from engine.text_parts import padded

if TYPE_CHECKING:
    from engine.models.bpe import BPE

_Array: TypeAlias = NDArray[Any]

_NONE = pair_table.NONE
_LONGEST_PIECE = 65_535


@dataclass(frozen=True, eq=False)
class BPETables:
    """The tables of a model; those of a prefix of it differ in one small array.

    Attributes:
        arrays: The eleven that `engine.kernels.merge_words` describes.
    """

    arrays: merge_words.Model

    def first(self, learned: int) -> BPETables:
        """Return the tables of the model of the first merges."""
        rules = self.arrays[0].copy()
        rules[4] = learned
        return BPETables((rules, *self.arrays[1:]))


class _Slots:
    """Pieces by their bytes, in the slots of `engine.kernels.byte_keys`."""

    def __init__(self, pieces: Mapping[bytes, int], products: _Array) -> None:
        """Enter pieces with their ranks and what they become."""
        if isinstance(pieces, PieceNumbers):
            table, ids, ranks = pieces.table, pieces.ids, pieces.numbers
        else:
            table = PieceTable.of(list(pieces))
            ids = np.arange(len(table))
            ranks = np.fromiter(pieces.values(), np.int64, len(table))
        self.ranks = np.asarray(ranks, np.int64)
        self.starts, self.sizes = table.offsets[:-1][ids], np.diff(table.offsets)[ids]
        self.longest = int(self.sizes.max(initial=0))
        self.blob = padded(table.blob)
        self.slots = paged(4 * _room(len(ids)), np.uint64)
        if self.longest <= _LONGEST_PIECE:
            values = self.ranks | products[self.ranks] << 32
            byte_keys.fill(self.blob, self.starts, self.sizes, values, self.slots)
        self.sieve = np.zeros(len(self.slots) // 8, np.uint8)
        byte_keys.fill_sieve(self.slots, self.sieve)


def tables(model: BPE) -> BPETables | None:
    """Turn a model into tables, all its merges included; None if the loops cannot read it."""
    alphabet, ranks = model.alphabet, model.ranks
    implied = ranks if isinstance(ranks, Concatenations) else None
    if not _readable(alphabet, implied) or max(len(model.vocabulary), len(model.products)) > pair_table.LARGEST:
        return None
    products = np.array(model.products, np.int64)
    whole = _Slots(model.whole, products)
    made = whole if implied is None or implied.rank_of is model.whole else _Slots(implied.rank_of, products)
    if max(whole.longest, made.longest) > _LONGEST_PIECE:
        return None
    first, last = _symbol_ids(alphabet, ""), np.empty(0, np.int32)
    if alphabet.joined and alphabet.end_of_word:
        last = _symbol_ids(alphabet, alphabet.end_of_word)
    mark = _NONE
    if alphabet.end_of_word and not alphabet.joined:
        mark = alphabet.ids[alphabet.end_of_word.encode()]
    unknown = _NONE if alphabet.unknown is None else alphabet.unknown
    base = int(products[0]) if len(products) and (np.diff(products) == 1).all() else _NONE
    characters = alphabet.kind == "characters"
    learned = len(products) if implied is None else model.learned
    rules = np.array([characters, unknown, alphabet.joins_unknown, mark, learned, whole.longest, base], np.int64)
    places = max(_room(len(made.ranks) if implied is not None else len(ranks)), 16)
    pairs = paged(17 * places // 16, np.int64)
    dense = np.empty(0, np.int32)
    arrays = (
        rules, first, last, np.array(alphabet.fallback, np.int32), pairs, products.astype(np.int32),
        np.array(model.tied, np.int32), dense, whole.slots if model.whole else np.empty(0, np.uint64), whole.blob,
        whole.sieve,
    )  # fmt: skip
    if implied is None:
        _enter(ranks, pairs)
    else:
        order = np.argsort(made.ranks, kind="stable")
        columns = made.starts[order], made.sizes[order], made.ranks[order]
        own_pairs.derive(made.blob, *columns, made.slots, arrays, np.empty(merge_words.ROOM, np.uint8))
    if not (characters or len(last) or mark != _NONE or (first < 0).any()):
        dense = np.empty(65_536, np.int32)
        pair_table.fill_dense(first, pairs, dense)
    return BPETables((*arrays[:7], dense, *arrays[8:]))


def _readable(alphabet: Alphabet, implied: Concatenations | None) -> bool:
    """Say whether every word has symbols that the loops can tell."""
    end = alphabet.end_of_word
    if end and (implied is not None or alphabet.fallback):
        return False
    if implied is not None and not all(implied.table[id] for id in alphabet.ids.values()):
        return False
    if end and not alphabet.joined and end.encode() not in alphabet.ids:
        return False
    return alphabet.complete or alphabet.unknown is not None


def _symbol_ids(alphabet: Alphabet, end: str) -> NDArray[np.int32]:
    """Return the id of each byte, or of each code point: int32[256] or int32[largest + 1]."""
    mark = end.encode()
    if alphabet.kind == "bytes":
        singles = [alphabet.ids.get(bytes([byte]) + mark, _NONE) for byte in range(256)]
        return np.array(singles, np.int32)
    ids = {}
    for symbol, id in alphabet.ids.items():
        text = symbol.decode("utf-8", "replace")
        if len(text) == 1 + len(end) and text.endswith(end):
            ids[ord(text[0])] = id
    known = np.full(1 + max(ids, default=-1), _NONE, np.int32)
    known[list(ids)] = list(ids.values())
    return known


def _enter(ranks: Mapping[tuple[int, int], int], pairs: _Array) -> None:
    """Enter pairs with their ranks."""
    if isinstance(ranks, MergeRanks):
        pair_table.fill_pairs(ranks.left, ranks.right, np.arange(len(ranks)), pairs)
        return
    ids = np.fromiter(chain.from_iterable(ranks), np.int64, 2 * len(ranks))
    pair_table.fill_pairs(ids[::2].copy(), ids[1::2].copy(), np.fromiter(ranks.values(), np.int64, len(ranks)), pairs)


def _room(count: int) -> int:
    """Return a number of slots, a power of two and at least twice as many as there are keys."""
    return 1 << max(2 * count - 1, 1).bit_length()
