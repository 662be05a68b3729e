"""Write a `.model` of SentencePiece: the same ids there, or a refusal with the reason.

Source: google/sentencepiece 0.2.3, src/sentencepiece_model.proto, src/normalizer.cc, src/bpe_model.cc and
src/unigram_model.cc.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping

from engine.formats.own_merges import own_merges
from engine.formats.protobuf import bytes_field, fixed32_field, varint_field
from engine.formats.sentencepiece_columns import BYTE, CONTROL, NORMAL, UNKNOWN
from engine.models.bpe import BPE
from engine.models.unigram import Unigram
from engine.pre_tokenizers import DUMMY_PREFIX, DUMMY_PREFIX_WHOLE
from engine.tokenizer import Tokenizer

_MARK = "▁"
_UNIGRAM, _BPE = 1, 2


def write(tokenizer: Tokenizer) -> bytes:
    """Write a tokenizer: pieces with scores, no rewriting of text, and the dummy prefix.

    Raises:
        ValueError: The file cannot say exactly what the tokenizer does; the message has the reason.
    """
    model = tokenizer.model
    if not isinstance(model, BPE | Unigram):
        raise ValueError("a .model of SentencePiece holds Unigram or BPE over characters; this tokenizer is neither")
    if tokenizer.normalizers or tokenizer.added:
        raise ValueError(
            "a .model is written without rewriting of text; this tokenizer has normalizers, or tokens that are read in "
            "every text"
        )
    if tokenizer.pre_tokenizer not in (DUMMY_PREFIX, DUMMY_PREFIX_WHOLE):
        raise ValueError(
            "SentencePiece puts ▁ before every text; the split metaspace only where no space or ▁ stands there, and "
            f'the others not at all. Train with the split "dummy-prefix"; this one is {tokenizer.pre_tokenizer.name!r}'
        )
    scores = _bpe(model) if isinstance(model, BPE) else _unigram(model)
    fallback = model.alphabet.fallback if isinstance(model, BPE) else model.fallback
    if model.unknown is None:
        raise ValueError("a .model needs an unknown token; this tokenizer has none")
    kinds = dict.fromkeys(tokenizer.vocabulary.specials.values(), CONTROL)
    kinds |= dict.fromkeys(fallback, BYTE) | {model.unknown: UNKNOWN}
    names = [piece.decode() for piece in model.vocabulary]
    if len(set(names)) < len(names):
        twice = next(name for id, name in enumerate(names) if name in names[:id])
        raise ValueError(f"a .model gives a piece one id; here {twice!r} has two")
    pieces = (_piece(name, scores.get(id, 0.0), kinds.get(id, NORMAL)) for id, name in enumerate(names))
    trainer = varint_field(3, _BPE if isinstance(model, BPE) else _UNIGRAM) + varint_field(4, len(names))
    trainer += varint_field(35, bool(fallback)) + bytes_field(44, names[model.unknown].encode())
    trainer += bytes_field(45, names[model.unknown].encode())
    rules = bytes_field(1, b"identity") + varint_field(3, True) + varint_field(4, False) + varint_field(5, True)
    return b"".join(pieces) + bytes_field(2, trainer) + bytes_field(3, rules)


def _piece(name: str, score: float, kind: int) -> bytes:
    content = bytes_field(1, name.encode()) + fixed32_field(2, struct.pack("<f", score))
    return bytes_field(1, content + (varint_field(3, kind) if kind != NORMAL else b""))


def _unigram(model: Unigram) -> Mapping[int, float]:
    """Return the scores; they must be exact in single precision."""
    if model.favored or _MARK not in model.ids:
        raise ValueError("a .model is written for Unigram trained here, with ▁ as a piece; this model is none")
    if any(struct.unpack("<f", struct.pack("<f", score))[0] != score for score in model.scores):
        raise ValueError("a .model has scores in single precision; those of this model have more digits")
    return {id: model.scores[id] for id in model.ids.values()}


def _bpe(model: BPE) -> Mapping[int, float]:
    """Return scores that fall with the rank; any two pieces that join to a piece merge, which must change nothing."""
    alphabet = model.alphabet
    if alphabet.kind != "characters" or alphabet.end_of_word:
        raise ValueError("a .model holds BPE over characters, without a mark of a word's end; this tokenizer is none")
    if not alphabet.fallback and not alphabet.joins_unknown:
        raise ValueError(
            "SentencePiece reads unknown characters in a row as one unknown token; this tokenizer gives each its own"
        )
    if model.whole or model.tied or _MARK.encode() not in alphabet.ids:
        raise ValueError("a .model is written for BPE trained here, with ▁ as a piece; this model is none")
    own_merges(model)
    return {id: -float(rank) for rank, id in enumerate(model.products[: model.learned])}
