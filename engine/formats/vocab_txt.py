"""BERT's `vocab.txt`: one piece a line, the line's number is the id.

Source: google-research/bert, tokenization.py; read as huggingface/tokenizers' BertWordPieceTokenizer reads it.
"""

from __future__ import annotations

from engine.decoders import WordPieceDecoder
from engine.formats import hub_normalizers, hub_splits
from engine.formats.source import LARGEST_ID, Source
from engine.models.wordpiece import WordPiece
from engine.tokenizer import Tokenizer
from engine.vocabulary import Pieces

_SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")


def read(source: Source, lower: bool | None = None) -> Tokenizer:
    """Read a `vocab.txt`.

    Args:
        source: The file.
        lower: Whether text becomes small letters without accents; None: unless some piece has a capital.

    Raises:
        ValueError: A piece stands twice, or there is no [UNK].
    """
    lines = [line.removesuffix("\r") for line in source.text.removesuffix("\n").split("\n")]
    if len(lines) > LARGEST_ID:
        raise source.error(f"it has {len(lines):,} lines, the limit is {LARGEST_ID:,}")
    ids: dict[str, int] = {}
    for id, text in enumerate(lines):
        if text in ids:
            raise source.error(f"the piece {text!r} stands here for the second time", f"line {id + 1}")
        ids[text] = id
    if "[UNK]" not in ids:
        raise source.error("there is no [UNK], the token for words that cannot be cut")
    specials = {text: ids[text] for text in _SPECIAL if text in ids}
    if lower is None:
        lower = not any(text != text.lower() for text in ids if text not in specials and not text.startswith("["))
    model = WordPiece(Pieces([line.encode() for line in lines], specials), ids, ids["[UNK]"], 0, len(lines))
    normalizers = hub_normalizers.bert(strip=lower, lower=lower)
    around = [(ids[text],) if text in ids else () for text in ("[CLS]", "[SEP]")]
    split, decoder = hub_splits.bert(), WordPieceDecoder()
    return Tokenizer(model, normalizers, split, source.name, decoder, before=around[0], after=around[1])


def write(tokenizer: Tokenizer) -> bytes:
    """Write a `vocab.txt`; the normalizers and the split have no place in it.

    Raises:
        ValueError: The tokenizer is no WordPiece with `##` and [UNK], or a piece has a line break.
    """
    model = tokenizer.model
    if not isinstance(model, WordPiece) or model.prefix != "##":
        raise ValueError("a vocab.txt holds WordPiece with the prefix ##; this tokenizer is none")
    if model.vocabulary[model.unknown] != b"[UNK]":
        raise ValueError(f"a vocab.txt calls the unknown token [UNK]; here it is {model.vocabulary[model.unknown]!r}")
    pieces = list(model.vocabulary)
    for piece in pieces:
        if piece.decode().splitlines() != [piece.decode()]:
            raise ValueError(
                f"a vocab.txt has one piece a line, so none may be empty or have a line break; got {piece!r}"
            )
    if len(pieces) != len(model.vocabulary) or len(set(pieces)) != len(pieces):
        raise ValueError("a vocab.txt numbers its lines, so no id may be unused and no piece may stand twice")
    return b"".join(piece + b"\n" for piece in pieces)
