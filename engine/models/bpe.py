"""Byte pair encoding: pieces are merged in the order in which they were learned.

Source: Gage 1994 (compression); Sennrich et al. 2016, arXiv:1508.07909 (words); Radford et al. 2019 (bytes, GPT-2).
"""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import groupby, pairwise
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from engine.model import Cut, State
from engine.models.alphabet import BYTE_PIECES, Alphabet, Kind, symbols_seen
from engine.models.merge_ranks import MergeRanks
from engine.models.merging import Start
from engine.once import Once
from engine.piece_table import PieceTable
from engine.training import Recipe
from engine.vocabulary import Pieces

if TYPE_CHECKING:
    from engine.models.bpe_loops import BPELoops
    from engine.models.bpe_tables import BPETables

Pair: TypeAlias = tuple[int, int]

_ABSORBED = -2  # apart from -1, which a caller may use for "unknown"


class Fired(NamedTuple):
    """One merge as it was applied: its rank, and the positions of its two parts among the first symbols."""

    rank: int
    left: int
    right: int


@dataclass(frozen=True, eq=False)
class BPE:
    """A BPE model.

    Attributes:
        alphabet: How a pre-token becomes symbols.
        vocabulary: The pieces.
        ranks: A pair of ids -> the rank of its merge, from 0. Several pairs may have one rank.
        products: `products[rank]` is the id that the merge makes.
        learned: Merges of this rank and above are not applied, so a prefix of a model costs nothing.
        whole: Pieces that a pre-token may become at once, before any merging, with their ranks. This is what tiktoken
            does, and what tokenizers calls `ignore_merges`.
        tied: Of each rank, the last one that has the same score; those merge leftmost first, whatever their ranks.
            () if no two are tied.
        tables: What the compiled loops read, shared by all prefixes of a model.

    >>> from engine.tokenizer import Tokenizer
    >>> alphabet = Alphabet("bytes", {bytes([b]): b for b in range(256)})
    >>> model = BPE(alphabet, Pieces([bytes([b]) for b in range(256)] + [b"aa"]), {(97, 97): 0}, [256], 1)
    >>> Tokenizer(model).encode("aaa").ids.tolist()
    [256, 97]
    """

    alphabet: Alphabet
    vocabulary: Pieces
    ranks: Mapping[Pair, int]
    products: Sequence[int]
    learned: int
    whole: Mapping[bytes, int] = field(default_factory=dict)
    tied: Sequence[int] = ()
    tables: Once[BPETables | None] = field(default_factory=Once, repr=False)

    @property
    def lossless(self) -> bool:
        """Whether every pre-token comes back byte for byte."""
        return self.alphabet.complete

    @property
    def unknown(self) -> int | None:
        """Id of the token for a symbol outside the alphabet; None if there is none."""
        return self.alphabet.unknown

    def first(self, learned: int, vocabulary: Pieces) -> BPE:
        """Return the model of the first `learned` merges."""
        return replace(self, learned=learned, vocabulary=vocabulary)

    def encode(self, word: str) -> Cut:
        """Merge the pair of lowest rank, leftmost on overlap, until none is left."""
        if self.whole and (rank := self._rank_of_whole(word)) < self.learned:
            return self._as_whole(word, rank)
        first = self.alphabet.cut(word)
        ids = list(first.ids)
        for rank, left, right in self.merges(ids):
            ids[left], ids[right] = self.products[rank], _ABSORBED
        return _alive(ids, first.stops)

    def merges(self, ids: Sequence[int]) -> list[Fired]:
        """List the merges that turn symbols into tokens, in the order in which they fire.

        Time is O(n log n) in the number of symbols: a heap of candidate pairs over a doubly linked list. A candidate
        is the integer rank * n + position, which sorts as (rank, position) does and needs a fraction of the memory.
        """
        current: list[int] = list(ids)
        size, limit = len(current), self.learned
        following = list(range(1, size + 1))
        previous = list(range(-1, size - 1))
        find, products = self.ranks.get, self.products
        order = self.tied or range(limit + 1)
        rank_at = [min(find(pair, limit), limit) for pair in pairwise(current)]
        heap = [order[rank] * size + i for i, rank in enumerate(rank_at) if rank < limit]
        heapq.heapify(heap)
        rank_at.append(limit)
        fired: list[Fired] = []
        while heap:
            turn, i = divmod(heapq.heappop(heap), size)
            rank = rank_at[i]
            if rank >= limit or order[rank] != turn:
                continue  # one of the two has been merged meanwhile
            j = following[i]
            new = current[i] = products[rank]
            fired.append(Fired(rank, i, j))
            rank_at[i] = rank_at[j] = limit
            k = following[i] = following[j]
            if k < size:
                previous[k] = i
                rank = find((new, current[k]), limit)
                if rank < limit:
                    rank_at[i] = rank
                    heapq.heappush(heap, order[rank] * size + i)
            h = previous[i]
            if h >= 0:
                rank = rank_at[h] = min(find((current[h], new), limit), limit)
                if rank < limit:
                    heapq.heappush(heap, order[rank] * size + h)
        return fired

    def states(self, word: str) -> Iterator[State]:
        """Yield the symbols, then the state after each merge, all its occurrences at once."""
        first = self.alphabet.cut(word)
        yield State(first)
        ids = list(first.ids)
        whole = self._rank_of_whole(word)
        for rank, fired in groupby(self.merges(ids), key=lambda merge: merge.rank):
            if rank >= whole:
                break
            for _, left, right in fired:
                ids[left], ids[right] = self.products[rank], _ABSORBED
            yield State(_alive(ids, first.stops), self.products[rank], rank)
        if whole < self.learned:
            yield State(self._as_whole(word, whole), self.products[whole], whole)

    def meaning(self, id: int) -> bytes:
        """Return the bytes that a piece stands for: without the mark of a word's end, or the byte of a byte piece."""
        byte = self._byte_of.get(id)
        return self.alphabet.meaning(self.vocabulary[id]) if byte is None else byte

    def spell(self, ids: Iterable[int], space: bytes) -> Iterator[bytes]:
        """Yield the bytes that each id adds; the mark of a word's end becomes `space` once another piece follows."""
        mark = self.alphabet.end_of_word.encode()
        before = b""
        for id in ids:
            piece = self._byte_of.get(id) or self.vocabulary[id]
            ends = bool(mark) and piece.endswith(mark)
            yield before + (piece.removesuffix(mark) if ends else piece)
            before = space if ends else b""

    def adds(self) -> PieceTable | None:
        """Return what each id adds to a text; None if a word's end has a mark, which is read as it stands."""
        return None if self.alphabet.end_of_word else self.vocabulary.packed.put(self._byte_of)

    def lengths(self, words: Counter[str]) -> NDArray[np.int64]:
        """Count the tokens of `words` with the first k merges: int64[learned + 1], k from 0.

        A merge that fires after one of higher rank needs that one, so it counts from there on.
        """
        lengths = np.zeros(self.learned + 1, np.int64)
        for word, count in words.items():
            ids = self.alphabet.cut(word).ids
            lengths[0] += count * len(ids)
            left, needed, whole = len(ids), 0, self._rank_of_whole(word)
            for merge in self.merges(ids):
                needed = max(needed, self.tied[merge.rank] if self.tied else merge.rank)
                if needed >= whole:
                    break
                lengths[needed + 1] -= count
                left -= 1
            if whole < self.learned:
                lengths[whole + 1] -= count * (left - 1)
        return np.cumsum(lengths)

    def loops(self) -> BPELoops | None:
        """Return compiled loops that cut as this model does; None if they cannot read it."""
        from engine.models import bpe_loops  # not before they are ready

        return bpe_loops.of(self)

    @cached_property
    def _byte_of(self) -> dict[int, bytes]:
        return {id: bytes([byte]) for byte, id in enumerate(self.alphabet.fallback)}

    def _rank_of_whole(self, word: str) -> int:
        """Return the rank at which a pre-token is a piece of its own; `learned` if it never is."""
        return self.whole.get(word.encode(), self.learned)

    def _as_whole(self, word: str, rank: int) -> Cut:
        return Cut((self.products[rank],), (len(word.encode()),))


def _alive(ids: Sequence[int], stops: Sequence[int]) -> Cut:
    """Leave out what was absorbed; a token stops where the next one that is left starts."""
    starts = [i for i, id in enumerate(ids) if id != _ABSORBED]
    return Cut(tuple(ids[i] for i in starts), tuple(stops[i - 1] for i in [*starts[1:], len(ids)] if i))


def bpe_start(recipe: Recipe, counts: Mapping[str, int]) -> Start:
    """Return what BPE starts from on a corpus, pre-token -> count."""
    wanted = recipe.alphabet or "bytes"
    kind: Kind = "characters" if wanted == "characters" else "bytes"
    end, joined = recipe.end_of_word, recipe.end_of_word_joined
    if wanted == "bytes":
        symbols = _all_bytes(end, joined)
        unknown = recipe.unknown
    else:
        symbols = symbols_seen(counts, kind, end, joined)
        unknown = recipe.unknown or "<unk>"
    specials = list(recipe.special_tokens)
    if unknown is not None and unknown not in specials:
        specials.append(unknown)
    special_ids = {text: id for id, text in enumerate(specials)}
    bytes_ = BYTE_PIECES if recipe.byte_fallback else ()
    fallback = range(len(specials), len(specials) + len(bytes_))
    offset = fallback.stop
    ids = {symbol: offset + i for i, symbol in enumerate(symbols)}
    alphabet = Alphabet(kind, ids, None if unknown is None else special_ids[unknown], end, joined, fallback)
    base = offset + len(symbols)

    def model(pieces: Sequence[bytes | None], merges: MergeRanks) -> BPE:
        return BPE(alphabet, Pieces(pieces, special_ids), merges, range(base, len(pieces)), len(merges))

    return Start(
        pieces=[*(text.encode() for text in (*specials, *bytes_)), *symbols],
        symbols=lambda word: alphabet.cut(word).ids,
        arrays=alphabet.arrays,
        mark=b"",
        model=model,
        needs=_needs(len(specials), len(bytes_), len(symbols), wanted == "bytes" and not end),
        by_score=False,
    )


def _all_bytes(end_of_word: str, joined: bool) -> list[bytes]:
    """List the alphabet of all bytes, with the marks of a word's end behind them."""
    singles = [bytes([byte]) for byte in range(256)]
    if not end_of_word:
        return singles
    mark = end_of_word.encode()
    return singles + ([single + mark for single in singles] if joined else [mark])


def _needs(specials: int, bytes_: int, symbols: int, one_per_byte: bool) -> str:
    if one_per_byte and not specials:
        return "one per byte"
    said = f"{specials} special tokens and an alphabet of {symbols}"
    return f"{said}, with {bytes_} pieces of a byte" if bytes_ else said
