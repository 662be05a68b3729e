"""A BPE model as the arrays that compiled loops read.

Import this only after `engine.kernels.serve` has said yes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from engine.kernels import byte_keys, merge_words
from engine.models.alphabet import Alphabet
from engine.models.concatenation import Concatenations
from engine.piece_table import PieceNumbers, PieceTable
from engine.span_counter import padded

if TYPE_CHECKING:
    from engine.models.bpe import BPE

_Array: TypeAlias = NDArray[Any]

_NONE = merge_words.NONE
_LONGEST_PIECE = 65_535


@dataclass(frozen=True, eq=False)
class BPETables:
    """The tables of a model; those of a prefix of it differ in one small array.

    Attributes:
        arrays: The ten that `engine.kernels.merge_words` describes.
    """

    arrays: merge_words.Model

    def first(self, learned: int) -> BPETables:
        """Return the tables of the model of the first merges."""
        rules = self.arrays[0].copy()
        rules[5] = learned
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
        sizes = np.diff(table.offsets)[ids]
        self.longest = int(sizes.max(initial=0))
        self.blob = padded(table.blob)
        self.slots = np.zeros(4 * _room(len(ids)), np.uint64)
        if self.longest <= _LONGEST_PIECE:
            byte_keys.fill(self.blob, table.offsets[:-1][ids], sizes, ranks | products[ranks] << 32, self.slots)


def tables(model: BPE) -> BPETables | None:
    """Turn a model into tables, all its merges included; None if the loops cannot read it."""
    alphabet, ranks = model.alphabet, model.ranks
    by_bytes = isinstance(ranks, Concatenations)
    if not _readable(alphabet, by_bytes):
        return None
    products = np.array(model.products, np.int64)
    inert = _Inert(ranks.table if isinstance(ranks, Concatenations) else None)
    whole = _Slots(model.whole, products)
    if isinstance(ranks, Concatenations):
        made = whole if ranks.rank_of is model.whole else _Slots(ranks.rank_of, products)
        table, blob, longest = made.slots, made.blob, max(made.longest, whole.longest)
    else:
        table, blob, longest = _pair_slots(ranks, products), np.empty(0, np.uint8), whole.longest
    if longest > _LONGEST_PIECE:
        return None
    first, last = _symbol_ids(alphabet, "", inert), np.empty(0, np.int32)
    if alphabet.joined and alphabet.end_of_word:
        last = _symbol_ids(alphabet, alphabet.end_of_word, inert)
    mark = _NONE
    if alphabet.end_of_word and not alphabet.joined:
        mark = alphabet.ids[alphabet.end_of_word.encode()]
    unknown = _NONE if alphabet.unknown is None else inert(alphabet.unknown)
    characters = alphabet.kind == "characters"
    rules = np.array([by_bytes, characters, unknown, alphabet.joins_unknown, mark, len(products), longest], np.int64)
    dense = np.empty(0, np.int64)
    if not characters and (first >= 0).all():
        dense = np.empty(65_536, np.int64)
        merge_words.fill_dense(rules, first, table, blob, dense)
    fallback = np.array([inert(id) for id in alphabet.fallback], np.int32)
    seen = whole.slots if model.whole else np.empty(0, np.uint64)
    tied = np.array(model.tied, np.int32)
    return BPETables((rules, first, last, fallback, table, blob, tied, dense, seen, whole.blob))


class _Inert:
    """Writes ids of symbols that take no part in merging as the loops want them: -2 - id."""

    def __init__(self, table: Sequence[bytes | None] | None) -> None:
        """Take the table of a model that merges by bytes; None if merges name ids."""
        self._table = table

    def __call__(self, id: int) -> int:
        return id if self._table is None or self._table[id] else -2 - id


def _readable(alphabet: Alphabet, by_bytes: bool) -> bool:
    """Say whether every word has symbols that the loops can tell."""
    end = alphabet.end_of_word
    if end and (by_bytes or alphabet.fallback):
        return False
    if end and not alphabet.joined and end.encode() not in alphabet.ids:
        return False
    return alphabet.complete or alphabet.unknown is not None


def _symbol_ids(alphabet: Alphabet, end: str, inert: _Inert) -> NDArray[np.int32]:
    """Return the id of each byte, or of each code point: int32[256] or int32[largest + 1]."""
    mark = end.encode()
    if alphabet.kind == "bytes":
        singles = [alphabet.ids.get(bytes([byte]) + mark) for byte in range(256)]
        return np.array([_NONE if id is None else inert(id) for id in singles], np.int32)
    ids = {}
    for symbol, id in alphabet.ids.items():
        text = symbol.decode("utf-8", "replace")
        if len(text) == 1 + len(end) and text.endswith(end):
            ids[ord(text[0])] = inert(id)
    known = np.full(1 + max(ids, default=-1), _NONE, np.int32)
    known[list(ids)] = list(ids.values())
    return known


def _pair_slots(ranks: Mapping[tuple[int, int], int], products: _Array) -> NDArray[np.uint64]:
    pairs = np.fromiter(chain.from_iterable(ranks), np.int64, 2 * len(ranks))
    numbers = np.fromiter(ranks.values(), np.int64, len(ranks))
    table = np.zeros(2 * _room(len(ranks)), np.uint64)
    merge_words.fill_pairs(pairs[::2].copy(), pairs[1::2].copy(), numbers | products[numbers] << 32, table)
    return table


def _room(count: int) -> int:
    """Return a number of slots, a power of two and at least twice as many as there are keys."""
    return 1 << max(2 * count - 1, 1).bit_length()
