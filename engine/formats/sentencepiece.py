"""The `.model` of SentencePiece: pieces with scores, and the rules by which text is normalized.

Source: google/sentencepiece, src/sentencepiece_model.proto (the file), src/bpe_model.cc, src/unigram_model.cc and
src/sentencepiece_processor.cc (what it means).
"""

from __future__ import annotations

import re
import struct
from dataclasses import dataclass, field
from functools import partial
from typing import NamedTuple

import regex

from engine.alignment import Span
from engine.decoders import SpaceMarkDecoder
from engine.formats import charsmap, protobuf
from engine.formats.sentencepiece_normalizer import Rewrite
from engine.formats.source import LARGEST_ID, Source
from engine.models.alphabet import Alphabet
from engine.models.bpe import BPE
from engine.models.concatenation import Concatenations
from engine.models.unigram import Unigram
from engine.pre_tokenizers import PreTokenizer, whole
from engine.tokenizer import Tokenizer
from engine.vocabulary import Pieces

NORMAL, UNKNOWN, CONTROL, USER_DEFINED, UNUSED, BYTE = range(1, 7)
_UNIGRAM, _BPE = 1, 2
_MARK = "▁"
_USUAL_PIECE = re.compile(rb"\x0a([\0-\x7f])(.+)\x15(.{4})(?:\x18([\x01-\x06]))?", re.DOTALL)
_WORDS = regex.compile(f"{_MARK}*[^{_MARK}]+|{_MARK}+")


class Piece(NamedTuple):
    """An entry of the file: its text, its score (for Unigram a natural log probability) and its type."""

    text: str
    score: float
    kind: int


@dataclass
class _Spec:
    """What the file says beside its pieces; the defaults are those of the format."""

    pieces: list[Piece] = field(default_factory=list)
    model: int = _UNIGRAM
    suffix: bool = False
    fallback: bool = False
    unknown_surface: str = " ⁇ "
    rules: bytes = b""
    dummy_prefix: bool = True
    remove_extra: bool = True
    escape: bool = True


def read(source: Source) -> Tokenizer:
    """Read a `.model` of the types BPE and Unigram.

    Raises:
        ValueError: The file is broken, or of a type that is not supported.
    """
    spec = _spec(source)
    if spec.model not in (_UNIGRAM, _BPE):
        raise source.error(f"its model type is {spec.model} (word or char); only Unigram and BPE are supported")
    if spec.suffix or not spec.escape:
        raise source.error("white space as a suffix, or not escaped, is not supported")
    unknown = [id for id, piece in enumerate(spec.pieces) if piece.kind == UNKNOWN]
    if len(unknown) != 1:
        raise source.error(f"one piece must be the unknown one; {len(unknown)} are")
    specials = {piece.text: id for id, piece in enumerate(spec.pieces) if piece.kind in (UNKNOWN, CONTROL)}
    vocabulary = Pieces([piece.text.encode() for piece in spec.pieces], specials)
    favored = {piece.text: id for id, piece in enumerate(spec.pieces) if piece.kind == USER_DEFINED}
    fallback = _fallback(spec, source)
    rules = charsmap.read(spec.rules, source.error) if spec.rules else None
    rewrite = Rewrite(rules, frozenset(favored), spec.dummy_prefix, spec.remove_extra)
    if spec.model == _UNIGRAM:
        made: Unigram | BPE = _unigram(spec, vocabulary, unknown[0], fallback, favored)
        split = PreTokenizer("whole", whole, keeps_spaces=True)
    else:
        made = _bpe(spec, vocabulary, unknown[0], fallback, source)
        split = _split(spec, list(favored))
    drop = "all" if spec.remove_extra else "one" if spec.dummy_prefix else "none"
    surfaces = {spec.pieces[unknown[0]].text.encode(): spec.unknown_surface.encode()}
    return Tokenizer(made, (rewrite,), split, source.name, SpaceMarkDecoder(_MARK, True, drop, surfaces))


def _unigram(
    spec: _Spec, vocabulary: Pieces, unknown: int, fallback: tuple[int, ...], favored: dict[str, int]
) -> Unigram:
    used = {piece.text: id for id, piece in enumerate(spec.pieces) if piece.kind in (NORMAL, USER_DEFINED)}
    scores = [piece.score for piece in spec.pieces]
    return Unigram(vocabulary, used, scores, unknown, 0, fallback, frozenset(favored.values()), single=True)


def _bpe(spec: _Spec, vocabulary: Pieces, unknown: int, fallback: tuple[int, ...], source: Source) -> BPE:
    if any(piece.kind == UNUSED for piece in spec.pieces):
        raise source.error("a BPE model with unused pieces is not supported")
    normal = [(piece, id) for id, piece in enumerate(spec.pieces) if piece.kind == NORMAL]
    merged = sorted(((-piece.score, id) for piece, id in normal if len(piece.text) > 1))
    products = [id for _, id in merged]
    rank_of = {spec.pieces[id].text.encode(): rank for rank, id in enumerate(products)}
    table: list[bytes | None] = [None] * len(spec.pieces)
    for piece, id in normal:
        table[id] = piece.text.encode()
    last_of = {score: rank for rank, (score, _) in enumerate(merged)}
    tied = [last_of[score] for score, _ in merged] if len(last_of) < len(merged) else []
    whole_pieces: dict[bytes, int] = {}
    for id, piece in enumerate(spec.pieces):
        if piece.kind == USER_DEFINED:
            whole_pieces[piece.text.encode()] = len(products)
            if tied:
                tied.append(len(products))
            products.append(id)
    symbols = {piece.text.encode(): id for piece, id in normal if len(piece.text) == 1}
    alphabet = Alphabet("characters", symbols, unknown, fallback=fallback, joins_unknown=True)
    return BPE(alphabet, vocabulary, Concatenations(table, rank_of), products, len(products), whole_pieces, tied)


def _split(spec: _Spec, favored: list[str]) -> PreTokenizer:
    """Cut before ▁ where no piece goes on across it, and around user-defined pieces; merges never cross either."""
    crossing = any(piece.kind == NORMAL and regex.search(f"[^{_MARK}]{_MARK}", piece.text) for piece in spec.pieces)
    cut = whole if crossing else _words
    if not favored:
        return PreTokenizer("words", cut, keeps_spaces=True)
    longest_first = sorted(favored, key=len, reverse=True)
    around = regex.compile("(" + "|".join(map(regex.escape, longest_first)) + ")")
    return PreTokenizer("words", partial(_around, around, crossing), keeps_spaces=True)


def _words(text: str) -> list[Span]:
    return [Span._make(match.span()) for match in _WORDS.finditer(text)]


def _around(favored: regex.Pattern[str], crossing: bool, text: str) -> list[Span]:
    spans: list[Span] = []
    end = 0
    for number, part in enumerate(favored.split(text)):
        start, end = end, end + len(part)
        if number % 2 or crossing:
            spans += [Span(start, end)] if part else []
        else:
            spans += [Span(start + a, start + b) for a, b in _words(part)]
    return spans


def _fallback(spec: _Spec, source: Source) -> tuple[int, ...]:
    if not spec.fallback:
        return ()
    ids = {piece.text: id for id, piece in enumerate(spec.pieces) if piece.kind == BYTE}
    missing = [byte for byte in range(256) if f"<0x{byte:02X}>" not in ids]
    if missing:
        raise source.error(f"it falls back to bytes, but the piece <0x{missing[0]:02X}> is missing")
    return tuple(ids[f"<0x{byte:02X}>"] for byte in range(256))


def _spec(source: Source) -> _Spec:
    spec = _Spec()
    for number, value, at in protobuf.fields(source.data, source.error):
        if number == 1 and isinstance(value, bytes):
            if len(spec.pieces) >= LARGEST_ID:
                raise source.error(f"it has more than {LARGEST_ID:,} pieces", f"byte {at}")
            spec.pieces.append(_piece(value, source, at))
        elif number == 2 and isinstance(value, bytes):
            _read_trainer(spec, value, source, at)
        elif number == 3 and isinstance(value, bytes):
            _read_normalizer(spec, value, source, at)
    if not spec.pieces:
        raise source.error("it has no pieces, so it is no SentencePiece model")
    return spec


def _piece(data: bytes, source: Source, at: int) -> Piece:
    usual = _USUAL_PIECE.fullmatch(data)
    if usual and len(usual[2]) == usual[1][0]:
        parts: list[tuple[int, int | bytes]] = [(1, usual[2]), (2, usual[3]), (3, usual[4][0] if usual[4] else NORMAL)]
    else:
        parts = [(number, value) for number, value, _ in protobuf.fields(data, source.error, at)]
    text, score, kind = "", 0.0, NORMAL
    for number, value in parts:
        if number == 1 and isinstance(value, bytes):
            try:
                text = value.decode()
            except UnicodeDecodeError as error:
                raise source.error("a piece is no UTF-8", f"byte {at}") from error
        elif number == 2 and isinstance(value, bytes) and len(value) == 4:
            score = struct.unpack("<f", value)[0]
        elif number == 3 and isinstance(value, int):
            kind = value
    if not text:
        raise source.error("a piece is empty", f"byte {at}")
    return Piece(text, score, kind)


def _read_trainer(spec: _Spec, data: bytes, source: Source, at: int) -> None:
    for number, value, _ in protobuf.fields(data, source.error, at):
        if number == 3 and isinstance(value, int):
            spec.model = value
        elif number == 24:
            spec.suffix = bool(value)
        elif number == 35:
            spec.fallback = bool(value)
        elif number == 44 and isinstance(value, bytes):
            spec.unknown_surface = value.decode("utf-8", "replace")


def _read_normalizer(spec: _Spec, data: bytes, source: Source, at: int) -> None:
    for number, value, _ in protobuf.fields(data, source.error, at):
        if number == 2 and isinstance(value, bytes):
            spec.rules = value
        elif number == 3:
            spec.dummy_prefix = bool(value)
        elif number == 4:
            spec.remove_extra = bool(value)
        elif number == 5:
            spec.escape = bool(value)
