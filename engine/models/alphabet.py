"""How a pre-token becomes the symbols that merging starts from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from engine.counts import PreTokenCounts
from engine.model import Cut

Kind: TypeAlias = Literal["bytes", "characters"]

BYTE_PIECES = tuple(f"<0x{byte:02X}>" for byte in range(256))
"""How SentencePiece names the pieces of single bytes."""


@dataclass(frozen=True, eq=False)
class Alphabet:
    """The symbols of a merging model.

    Attributes:
        kind: What a pre-token is cut into: its UTF-8 bytes, or its code points.
        ids: Each symbol as the vocabulary writes it -> its id.
        unknown: Id of the token for a symbol that is missing; None if none can be.
        end_of_word: The mark of a word's end, or "".
        joined: False: the mark is a symbol of its own, of no width (Sennrich et al. 2016). True: it is fused to the
            last symbol of the word (CLIP).
        fallback: Ids of the 256 byte pieces that a missing character is written with; () for none.
        joins_unknown: Whether missing symbols in a row are one unknown token.
    """

    kind: Kind
    ids: Mapping[bytes, int]
    unknown: int | None = None
    end_of_word: str = ""
    joined: bool = False
    fallback: Sequence[int] = ()
    joins_unknown: bool = False

    def cut(self, word: str) -> Cut:
        """Cut a pre-token into its symbols."""
        symbols = split_symbols(word, self.kind)
        stops: list[int] = []
        stop = 0
        for symbol in symbols:
            stop += len(symbol)
            stops.append(stop)
        if symbols and self.end_of_word:
            if self.joined:
                symbols[-1] += self.end_of_word.encode()
            else:
                symbols.append(self.end_of_word.encode())
                stops.append(stop)
        if self.fallback:
            return self._in_bytes(symbols, stops)
        if self.unknown is None:
            return Cut(tuple(self.ids[symbol] for symbol in symbols), tuple(stops))
        ids = [self.ids.get(symbol, self.unknown) for symbol in symbols]
        return self._joined(ids, stops) if self.joins_unknown else Cut(tuple(ids), tuple(stops))

    def arrays(self, words: PreTokenCounts) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
        """Cut all pre-tokens at once, none of whose symbols may be missing.

        Returns:
            int32[n], the ids of their symbols; and int64[words], where each pre-token stops among them.
        """
        points: NDArray[np.uint8] | NDArray[np.uint32]
        points, stops = (words.raw, words.stops) if self.kind == "bytes" else words.code_points()
        ids = self._ids_of(points, "")
        if not self.end_of_word:
            return ids, stops
        full = np.diff(stops, prepend=0) > 0
        if self.joined:
            last = stops[full] - 1
            ids[last] = self._ids_of(points[last], self.end_of_word)
            return ids, stops
        return np.insert(ids, stops[full], self.ids[self.end_of_word.encode()]), stops + np.cumsum(full)

    def _ids_of(self, points: NDArray[np.uint8] | NDArray[np.uint32], end: str) -> NDArray[np.int32]:
        """Look up symbols, given as bytes or code points, with `end` behind each."""
        # A symbol that is missing stands only at the ends of words, where another one takes its place.
        if self.kind == "bytes":
            ids = np.array([self.ids.get(bytes([byte]) + end.encode(), 0) for byte in range(256)], np.int32)
            in_order = bool((np.diff(ids) == 1).all())  # as a rule: then an addition does, and no look-up
            return points.astype(np.int32) + ids[0] if in_order else ids[points]
        seen = np.zeros(int(points.max(initial=0)) + 1, np.bool_)
        seen[points] = True
        table = np.zeros(len(seen), np.int32)
        for point in np.flatnonzero(seen).tolist():
            table[point] = self.ids.get((chr(point) + end).encode(), 0)
        return table[points]

    def symbols(self, piece: bytes) -> list[bytes]:
        """Return the symbols that a piece was merged from, in order.

        >>> Alphabet("characters", {}, end_of_word="</w>", joined=True).symbols(b"low</w>")
        [b'l', b'o', b'w</w>']
        """
        mark = self.end_of_word.encode()
        ends = bool(mark) and piece.endswith(mark)
        inner = piece.removesuffix(mark) if ends else piece
        if self.kind == "bytes":
            symbols = [inner[i : i + 1] for i in range(len(inner))]
        else:
            symbols = split_symbols(inner.decode(), self.kind)
        if ends and self.joined and symbols:
            symbols[-1] += mark
        elif ends:
            symbols.append(mark)
        return symbols

    def _joined(self, ids: Sequence[int], stops: Sequence[int]) -> Cut:
        last = [i for i, (id, after) in enumerate(pairwise([*ids, None])) if id != self.unknown or after != id]
        return Cut(tuple(ids[i] for i in last), tuple(stops[i] for i in last))

    def _in_bytes(self, symbols: Sequence[bytes], stops: Sequence[int]) -> Cut:
        ids: list[int] = []
        ends: list[int] = []
        for symbol, stop in zip(symbols, stops, strict=True):
            id = self.ids.get(symbol)
            if id is not None:
                ids.append(id)
                ends.append(stop)
            else:
                ids += [self.fallback[byte] for byte in symbol]
                ends += range(stop - len(symbol) + 1, stop + 1)
        return Cut(tuple(ids), tuple(ends))

    @cached_property
    def complete(self) -> bool:
        """Whether no pre-token can hold a symbol that is missing."""
        if self.kind == "characters":
            return bool(self.fallback)
        singles = (bytes([byte]) for byte in range(256))
        ends = (bytes([byte]) + self.end_of_word.encode() for byte in range(256 if self.joined else 0))
        return all(symbol in self.ids for symbols in (singles, ends) for symbol in symbols)

    def meaning(self, piece: bytes) -> bytes:
        """Return the bytes a piece stands for: itself without the mark of a word's end."""
        return piece.removesuffix(self.end_of_word.encode()) if self.end_of_word else piece


def split_symbols(word: str, kind: Kind) -> list[bytes]:
    r"""Cut a word into single bytes, or into the UTF-8 of its characters.

    >>> split_symbols("né", "bytes"), split_symbols("né", "characters")
    ([b'n', b'\xc3', b'\xa9'], [b'n', b'\xc3\xa9'])
    """
    if kind == "bytes":
        raw = word.encode()
        return [raw[i : i + 1] for i in range(len(raw))]
    return [character.encode() for character in word]


def symbols_seen(counts: Mapping[str, int], kind: Kind, end_of_word: str, joined: bool) -> list[bytes]:
    """Collect the symbols of a corpus in code-point order, the mark of a word's end last."""
    ends: set[bytes] = set()
    if joined and end_of_word:
        full = [word for word in counts if word]
        lasts = {split_symbols(word[-1], kind)[-1] for word in full}
        ends = {symbol + end_of_word.encode() for symbol in lasts}
        seen = {symbol for word in full for symbol in split_symbols(word, kind)[:-1]}
    else:
        starts, behind = PreTokenCounts.of(counts).letters()
        seen = set(split_symbols("".join(starts | behind), kind))
        if end_of_word:
            ends.add(end_of_word.encode())
    return sorted(seen - ends) + sorted(ends)
