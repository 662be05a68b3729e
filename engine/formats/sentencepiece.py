"""The `.model` of SentencePiece: pieces with scores, and the rules by which text is normalized.

Source: google/sentencepiece, src/sentencepiece_model.proto (the file), src/bpe_model.cc, src/unigram_model.cc and
src/sentencepiece_processor.cc (what it means).
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from functools import partial

import numpy as np
import regex

from engine.alignment import Span
from engine.decoders import SpaceMarkDecoder
from engine.formats import charsmap, protobuf, sentencepiece_columns
from engine.formats.sentencepiece_columns import (
    BYTE,
    CONTROL,
    NORMAL,
    UNKNOWN,
    UNUSED,
    USER_DEFINED,
    Piece,
    PieceColumns,
)
from engine.formats.sentencepiece_normalizer import Rewrite
from engine.formats.source import LARGEST_ID, Source
from engine.models.alphabet import Alphabet
from engine.models.bpe import BPE
from engine.models.concatenation import Concatenations
from engine.models.unigram import Unigram
from engine.piece_table import PieceNumbers
from engine.pre_tokenizers import PreTokenizer, marked_words, whole
from engine.tokenizer import Tokenizer
from engine.vocabulary import Pieces

_UNIGRAM, _BPE = 1, 2
_MARK = "▁"


@dataclass
class _Spec:
    """What the file says beside its pieces; the defaults are those of the format."""

    pieces: PieceColumns
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
    unknown = spec.pieces.ids(UNKNOWN)
    if len(unknown) != 1:
        raise source.error(f"one piece must be the unknown one; {len(unknown)} are")
    vocabulary = Pieces(spec.pieces.texts, spec.pieces.named(UNKNOWN, CONTROL))
    favored = spec.pieces.named(USER_DEFINED)
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
    surfaces = {vocabulary[unknown[0]]: spec.unknown_surface.encode()}
    return Tokenizer(made, (rewrite,), split, source.name, SpaceMarkDecoder(_MARK, True, drop, surfaces))


def _unigram(
    spec: _Spec, vocabulary: Pieces, unknown: int, fallback: tuple[int, ...], favored: dict[str, int]
) -> Unigram:
    used = np.array(spec.pieces.ids(NORMAL, USER_DEFINED), np.int64)
    ids = PieceNumbers(spec.pieces.texts, used, used, bytes.decode)
    scores = spec.pieces.scores.tolist()
    return Unigram(vocabulary, ids, scores, unknown, 0, fallback, frozenset(favored.values()), single=True)


def _bpe(spec: _Spec, vocabulary: Pieces, unknown: int, fallback: tuple[int, ...], source: Source) -> BPE:
    if spec.pieces.ids(UNUSED):
        raise source.error("a BPE model with unused pieces is not supported")
    normal = spec.pieces.named(NORMAL)
    scores = spec.pieces.scores.tolist()
    merged = sorted((-scores[id], id) for text, id in normal.items() if len(text) > 1)
    products = [id for _, id in merged]
    table = list(spec.pieces.texts)
    rank_of = {table[id] or b"": rank for rank, id in enumerate(products)}
    last_of = {score: rank for rank, (score, _) in enumerate(merged)}
    tied = [last_of[score] for score, _ in merged] if len(last_of) < len(merged) else []
    whole_pieces: dict[bytes, int] = {}
    for text, id in spec.pieces.named(USER_DEFINED).items():
        whole_pieces[text.encode()] = len(products)
        if tied:
            tied.append(len(products))
        products.append(id)
    for id in spec.pieces.ids(UNKNOWN, CONTROL, USER_DEFINED, BYTE):
        table[id] = None  # takes no part in merging
    symbols = {text.encode(): id for text, id in normal.items() if len(text) == 1}
    alphabet = Alphabet("characters", symbols, unknown, fallback=fallback, joins_unknown=True)
    return BPE(alphabet, vocabulary, Concatenations(table, rank_of), products, len(products), whole_pieces, tied)


def _split(spec: _Spec, favored: list[str]) -> PreTokenizer:
    """Cut before ▁ where no piece goes on across it, and around user-defined pieces; merges never cross either."""
    inside = regex.compile(f"[^{_MARK}]{_MARK}")
    crossing = any(_MARK in text[1:] and inside.search(text) for text in spec.pieces.named(NORMAL))
    cut = whole if crossing else marked_words
    if not favored:
        return PreTokenizer("words", cut, keeps_spaces=True, steps=())  # the cuts save time alone
    longest_first = sorted(favored, key=len, reverse=True)
    around = regex.compile("(" + "|".join(map(regex.escape, longest_first)) + ")")
    return PreTokenizer("words", partial(_around, around, crossing), keeps_spaces=True)


def _around(favored: regex.Pattern[str], crossing: bool, text: str) -> list[Span]:
    spans: list[Span] = []
    end = 0
    for number, part in enumerate(favored.split(text)):
        start, end = end, end + len(part)
        if number % 2 or crossing:
            spans += [Span(start, end)] if part else []
        else:
            spans += [Span(start + a, start + b) for a, b in marked_words(part)]
    return spans


def _fallback(spec: _Spec, source: Source) -> tuple[int, ...]:
    if not spec.fallback:
        return ()
    ids = spec.pieces.named(BYTE)
    missing = [byte for byte in range(256) if f"<0x{byte:02X}>" not in ids]
    if missing:
        raise source.error(f"it falls back to bytes, but the piece <0x{missing[0]:02X}> is missing")
    return tuple(ids[f"<0x{byte:02X}>"] for byte in range(256))


def _spec(source: Source) -> _Spec:
    pieces, end = sentencepiece_columns.leading(source.data, LARGEST_ID)
    spec = _Spec(pieces)
    others: list[Piece] = []
    for number, value, at in protobuf.fields(source.data[end:], source.error, end):
        if number == 1 and isinstance(value, bytes):
            if len(pieces) + len(others) >= LARGEST_ID:
                raise source.error(f"it has more than {LARGEST_ID:,} pieces", f"byte {at}")
            others.append(_piece(value, source, at))
        elif number == 2 and isinstance(value, bytes):
            _read_trainer(spec, value, source, at)
        elif number == 3 and isinstance(value, bytes):
            _read_normalizer(spec, value, source, at)
    if others:
        spec.pieces = pieces + PieceColumns.of(others)
    if not len(spec.pieces):
        raise source.error("it has no pieces, so it is no SentencePiece model")
    return spec


def _piece(data: bytes, source: Source, at: int) -> Piece:
    text, score, kind = "", 0.0, NORMAL
    for number, value, _ in protobuf.fields(data, source.error, at):
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
