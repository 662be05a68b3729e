"""The rank files of tiktoken: one piece a line, in base64, with its rank.

Source: openai/tiktoken, tiktoken/load.py (the file) and src/lib.rs (`byte_pair_encode`: a pre-token that is a piece is
one token; else the two neighbors whose concatenation has the lowest rank merge, leftmost first).
"""

from __future__ import annotations

import binascii
from base64 import b64encode
from collections.abc import Mapping, Sequence

import numpy as np

from engine.formats import tiktoken_columns
from engine.formats.own_merges import own_merges
from engine.formats.source import LARGEST_ID, Source
from engine.models.alphabet import Alphabet
from engine.models.bpe import BPE
from engine.models.concatenation import Concatenations
from engine.normalizers import Normalizer
from engine.piece_table import PieceNumbers, PieceTable
from engine.pre_tokenizers import PreTokenizer
from engine.tokenizer import Tokenizer
from engine.vocabulary import Pieces


def read(
    source: Source,
    pre_tokenizer: PreTokenizer,
    specials: Mapping[str, int] | None = None,
    normalizers: tuple[Normalizer, ...] = (),
    offset: int = 0,
    size: int = 0,
) -> Tokenizer:
    """Read a rank file.

    Args:
        source: The file.
        pre_tokenizer: The split, which the file does not hold.
        specials: Special tokens with their ids, which the file does not hold either.
        normalizers: Rewrites before the split.
        offset: What is added to a rank to make an id.
        size: Number of ids, if some behind the last piece are unused.

    Raises:
        ValueError: A line is broken, a piece or rank stands twice, or a single byte is missing.
    """
    ranked = tiktoken_columns.ranked(source.data) or PieceTable.of(_by_line(source))
    specials = specials or {}
    table = _table(ranked, specials, offset, size)
    for text, id in specials.items():
        piece = ranked[id - offset] if 0 <= id - offset < len(ranked) else None
        if piece is not None:
            raise source.error(f"the special token {text!r} has the id {id}, which is the piece {piece!r}")
    return Tokenizer(_model(ranked, Pieces(table, specials), offset), normalizers, pre_tokenizer, source.name)


def write(tokenizer: Tokenizer) -> bytes:
    """Write a rank file, ranks being ids; the split and the special tokens have no place in it.

    Raises:
        ValueError: The tokenizer is no BPE over all 256 bytes, or tiktoken's rule would merge otherwise than it does.
    """
    model = tokenizer.model
    if not isinstance(model, BPE) or model.alphabet.kind != "bytes" or model.alphabet.end_of_word:
        raise ValueError("a tiktoken file holds BPE over bytes, without a mark of a word's end; this tokenizer is none")
    if not model.alphabet.complete:
        raise ValueError(
            "a tiktoken file needs all 256 bytes in the alphabet; this tokenizer has only those it has seen"
        )
    if tokenizer.normalizers or tokenizer.pre_tokenizer.prepare:
        raise ValueError("tiktoken never rewrites a text; this tokenizer has normalizers, or a split that marks spaces")
    if tokenizer.added:
        raise ValueError(
            "tiktoken reads special tokens only where asked to; this tokenizer has some that it always reads"
        )
    made = [model.products[rank] for rank in range(model.learned)]
    if not isinstance(model.ranks, Concatenations):
        if any(made[i] >= made[i + 1] for i in range(len(made) - 1)):
            raise ValueError("tiktoken merges in the order of ids; in this tokenizer a later merge has a smaller id")
        own_merges(model)
    ids = sorted([*(model.alphabet.ids[bytes([byte])] for byte in range(256)), *made])
    return b"".join(b"%s %d\n" % (b64encode(model.vocabulary[id]), id) for id in ids)


def _by_line(source: Source) -> list[bytes | None]:
    """Read the pieces by rank; None where a rank is missing."""
    ranks: dict[bytes, int] = {}
    decode = binascii.a2b_base64
    number = 0
    for number, line in enumerate(source.data.splitlines(), 1):
        if not line:
            continue
        try:
            encoded, digits = line.split()
            piece = decode(encoded, strict_mode=True)
            rank = int(digits) if digits.isdigit() else -1
        except ValueError as error:
            raise source.error("a line must be a piece in base64, a space and a rank", f"line {number}") from error
        if not 0 <= rank < LARGEST_ID:
            raise source.error(f"a rank must be from 0 to {LARGEST_ID - 1:,}", f"line {number}")
        if not piece:
            raise source.error("this piece is empty", f"line {number}")
        if piece in ranks:
            raise source.error(f"the piece {piece!r} stands here for the second time", f"line {number}")
        ranks[piece] = rank
    missing = [byte for byte in range(256) if bytes([byte]) not in ranks]
    if missing:
        raise source.error(
            f"all 256 single bytes must be pieces, or some texts could not be encoded; it has none for byte "
            f"0x{missing[0]:02X}" + (f" and {len(missing) - 1} more" if missing[1:] else ""),
            f"line {number}, the last",
        )
    table: list[bytes | None] = [None] * (1 + max(ranks.values()))
    for piece, rank in ranks.items():
        if table[rank] is not None:
            raise source.error(f"two pieces have the rank {rank}: {table[rank]!r} and {piece!r}")
        table[rank] = piece
    return table


def _table(ranked: PieceTable, specials: Mapping[str, int], offset: int, size: int) -> PieceTable:
    """Put the special tokens among the pieces."""
    named = {id: text.encode() for text, id in specials.items()}
    end = offset + len(ranked)
    if any(offset <= id < end for id in named):
        ranked = PieceTable.of([piece or named.get(id) for id, piece in enumerate(ranked, offset)])
    before = PieceTable.of([named.get(id) for id in range(offset)])
    after = PieceTable.of([named.get(id) for id in range(end, max(size, 1 + max(named, default=0)))])
    return before + ranked + after


def _model(ranked: PieceTable, vocabulary: Pieces, offset: int) -> BPE:
    """Make the model; ids are ranks plus `offset`."""
    sizes = np.diff(ranked.offsets)
    blob = np.frombuffer(ranked.blob, np.uint8)
    singles = np.flatnonzero(sizes == 1)
    in_order = singles[np.argsort(blob[ranked.offsets[singles]])] + offset
    alphabet = Alphabet("bytes", {bytes([byte]): id for byte, id in enumerate(in_order.tolist())})
    made = np.flatnonzero(sizes > 1) + offset
    products: Sequence[int] = made.tolist()
    if products and products[-1] - products[0] == len(products) - 1:
        products = range(products[0], products[-1] + 1)
    merged = PieceNumbers(vocabulary.packed, made, np.arange(len(made)), bytes)
    return BPE(alphabet, vocabulary, Concatenations(vocabulary.packed, merged), products, len(made), merged)
