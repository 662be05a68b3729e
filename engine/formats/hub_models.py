"""The models of a `tokenizer.json`.

Source: huggingface/tokenizers 0.23, tokenizers/src/models.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Any, NamedTuple

import numpy as np

from engine.formats.hub_fields import Fields
from engine.formats.source import LARGEST_ID
from engine.model import Model
from engine.models.alphabet import Alphabet, Kind
from engine.models.bpe import BPE
from engine.models.lookup import Lookup
from engine.models.merge_ranks import MergeRanks
from engine.models.unigram import Unigram
from engine.models.wordpiece import WordPiece
from engine.piece_table import PieceTable
from engine.special_tokens import Matching
from engine.utf8 import BYTE_LETTERS, from_printable
from engine.vocabulary import Pieces


@dataclass(frozen=True)
class Added:
    """Tokens beside the model's: special ones, those that are read in every text, and how they are looked for."""

    specials: Mapping[str, int]
    always: Mapping[str, int]
    matching: Mapping[str, Matching]


class _Vocabulary(NamedTuple):
    ids: dict[str, int]
    pieces: Pieces
    written: Callable[[str], bytes]


def bpe(fields: Fields, added: Added, byte_level: bool) -> BPE:
    """Read a BPE model."""
    fields.refuse("dropout", 0, 0.0)
    fields.refuse("continuing_subword_prefix", "")
    vocabulary = _vocabulary(_ids(fields), added, byte_level)
    ids = vocabulary.ids
    suffix = fields.text("end_of_word_suffix") if fields.value.get("end_of_word_suffix") is not None else ""
    unknown = _unknown(fields, ids)
    fallback = _byte_pieces(ids) if fields.flag("byte_fallback", False) else ()
    if byte_level:
        symbols = {bytes([byte]): ids[char] for byte, char in enumerate(BYTE_LETTERS) if char in ids}
        symbols |= {
            bytes([byte]) + suffix.encode(): ids[char + suffix]
            for byte, char in enumerate(BYTE_LETTERS)
            if suffix and char + suffix in ids
        }
        if unknown is None and len(symbols) < (512 if suffix else 256):
            raise fields.error("some single bytes are no pieces and there is no unknown token, so text would be lost")
    else:
        symbols = {text.encode(): id for text, id in ids.items() if len(text.removesuffix(suffix) or text) == 1}
        if unknown is None and not fallback:
            raise fields.error("there is neither an unknown token nor all byte pieces, so characters would be lost")
    kind: Kind = "bytes" if byte_level else "characters"
    alphabet = Alphabet(kind, symbols, unknown, suffix, bool(suffix), fallback, fields.flag("fuse_unk", False))
    ranks, products = _merges(fields, ids)
    whole: dict[bytes, int] = {}
    if fields.flag("ignore_merges", False):
        rank_of = {id: rank for rank, id in reversed(list(enumerate(products)))}
        for text, id in ids.items():
            if id not in rank_of:
                rank_of[id] = len(products)
                products.append(id)
            whole[vocabulary.written(text)] = rank_of[id]
    return BPE(alphabet, vocabulary.pieces, ranks, products, len(products), whole)


def wordpiece(fields: Fields, added: Added, byte_level: bool) -> WordPiece:
    """Read a WordPiece model."""
    vocabulary = _vocabulary(_ids(fields), added, False)
    unknown = _unknown(fields, vocabulary.ids)
    if unknown is None:
        raise fields.error("the unknown token is missing")
    prefix = fields.text("continuing_subword_prefix")
    longest = fields.number("max_input_chars_per_word", 100)
    return WordPiece(vocabulary.pieces, vocabulary.ids, unknown, 0, len(vocabulary.pieces), prefix, longest)


def word_level(fields: Fields, added: Added, byte_level: bool) -> Lookup:
    """Read a vocabulary of whole words."""
    vocabulary = _vocabulary(_ids(fields), added, False)
    unknown = _unknown(fields, vocabulary.ids)
    if unknown is None:
        raise fields.error("the unknown token is missing")
    return Lookup(False, vocabulary.pieces, vocabulary.ids, unknown, 0, len(vocabulary.pieces))


def unigram(fields: Fields, added: Added, byte_level: bool) -> Unigram:
    """Read a Unigram model."""
    ids: dict[str, int] = {}
    scores: list[float] = []
    for id, entry in enumerate(fields.items("vocab")):
        match entry.value:
            case [str() as text, float() | int() as score]:
                if not text or not isfinite(score):
                    raise entry.error(f"a piece needs a text and a finite score; this is {text!r}, {score}")
                if text in ids:
                    raise entry.error(f"the piece {text!r} stands here for the second time")
                ids[text] = id
                scores.append(float(score))
            case _:
                raise entry.error("here a piece and its score must stand")
    unknown = fields.value.get("unk_id")
    if not isinstance(unknown, int) or not 0 <= unknown < len(scores):
        raise fields.get("unk_id").error("the id of the unknown token is missing or outside the vocabulary")
    fallback = _byte_pieces(ids) if fields.flag("byte_fallback", False) else ()
    vocabulary = _vocabulary(ids, added, False)
    return Unigram(vocabulary.pieces, ids, scores, unknown, fallback=fallback)


MODELS: Mapping[str, Callable[[Fields, Added, bool], Model]] = {
    "BPE": bpe,
    "WordPiece": wordpiece,
    "WordLevel": word_level,
    "Unigram": unigram,
}


def _ids(fields: Fields) -> dict[str, int]:
    part = fields.get("vocab")
    ids = part.at(part.value).value
    for text, id in ids.items():
        if not isinstance(id, int) or not 0 <= id < LARGEST_ID:
            raise part.error(f"the piece {text!r} must have an id from 0 to {LARGEST_ID - 1:,}; it has {id!r}")
    if len(set(ids.values())) < len(ids):
        raise part.error("two pieces have one id")
    return dict(ids)


def _vocabulary(ids: dict[str, int], added: Added, byte_level: bool) -> _Vocabulary:
    tokens = {**added.always, **added.specials}

    def written(text: str) -> bytes:
        if byte_level and text not in tokens:
            try:
                return from_printable(text)
            except ValueError:
                pass  # it is not in letters, so it is read as it stands
        return text.encode("utf-8", "replace")

    table: list[bytes | None] = [None] * (1 + max(*ids.values(), *tokens.values(), -1, -1))
    for text, id in ids.items():
        table[id] = written(text)
    for text, id in tokens.items():
        table[id] = text.encode()
    return _Vocabulary(ids, Pieces(PieceTable.of(table), added.specials), written)


def _unknown(fields: Fields, ids: Mapping[str, int]) -> int | None:
    if fields.value.get("unk_token") is None:
        return None
    text = fields.text("unk_token")
    if text not in ids:
        raise fields.get("unk_token").error(f"the unknown token {text!r} is not in the vocabulary")
    return ids[text]


def _byte_pieces(ids: Mapping[str, int]) -> tuple[int, ...]:
    found = [ids.get(f"<0x{byte:02X}>") for byte in range(256)]
    return tuple(id for id in found if id is not None) if None not in found else ()


def _merges(fields: Fields, ids: Mapping[str, int]) -> tuple[Mapping[tuple[int, int], int], list[int]]:
    merges = fields.get("merges")
    if not isinstance(merges.value, list):
        raise merges.error("here the list of merges must stand")
    parts = [entry.split(" ") if isinstance(entry, str) else entry for entry in merges.value]
    try:
        lefts = np.array([ids[left] for left, _ in parts], np.int64)
        rights = np.array([ids[right] for _, right in parts], np.int64)
        products = [ids[left + right] for left, right in parts]
    except (ValueError, TypeError, KeyError):
        raise _broken_merge(merges, ids, parts) from None
    if len(np.unique(lefts << 32 | rights)) == len(parts):
        return MergeRanks(lefts, rights), products
    return {pair: rank for rank, pair in enumerate(zip(lefts.tolist(), rights.tolist(), strict=True))}, products


def _broken_merge(merges: Fields, ids: Mapping[str, int], parts: Sequence[Any]) -> ValueError:
    """Return the error that names the first merge that cannot be read."""
    for rank, entry in enumerate(parts):
        place = f"{merges.path}[{rank}]"
        match entry:
            case [str() as left, str() as right]:
                missing = [piece for piece in (left, right, left + right) if piece not in ids]
            case _:
                return merges.source.error(f"a merge joins two pieces; got {merges.value[rank]!r}", place)
        if missing:
            needs = f"the merge {merges.value[rank]!r} needs the piece {missing[0]!r}, which is not in the vocabulary"
            return merges.source.error(needs, place)
    return merges.error("here the list of merges must stand")
