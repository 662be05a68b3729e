"""Write a `tokenizer.json` for Hugging Face's tokenizers: the same ids there, or a refusal with the reason.

Source: huggingface/tokenizers 0.23, tokenizers/src/tokenizer/serialization.rs.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import regex

from engine.decoders import SpaceMarkDecoder, WordPieceDecoder
from engine.formats import hub_decoders, hub_fields, hub_templates, hub_written_models, hub_written_steps
from engine.formats.hub_written_models import Written
from engine.formats.hub_written_steps import Json, replace, sequence
from engine.model import Model
from engine.models.bpe import BPE
from engine.models.unigram import Unigram
from engine.models.wordpiece import WordPiece
from engine.pre_tokenizers import PreTokenizer
from engine.special_tokens import AS_WRITTEN
from engine.tokenizer import Tokenizer


def write(tokenizer: Tokenizer) -> bytes:
    """Write a tokenizer.

    Raises:
        ValueError: The file cannot say exactly what the tokenizer does; the message has the reason.
    """
    return json.dumps(content(tokenizer), ensure_ascii=False, indent=1).encode()


def content(tokenizer: Tokenizer) -> Json:
    """Return the content of the file.

    Raises:
        ValueError: As for `write`.
    """
    model = tokenizer.model
    byte_level = isinstance(model, BPE) and model.alphabet.kind == "bytes"
    steps = hub_written_steps.normalizers(tokenizer.normalizers)
    before, splits = hub_written_steps.pre_tokenizers(tokenizer.pre_tokenizer, byte_level)
    written = _written(tokenizer)
    return {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": _added(tokenizer, written.model["vocab"]),
        "normalizer": sequence([*steps, *before, *written.normalizers], "normalizers"),
        "pre_tokenizer": sequence([*splits, *written.cuts], "pretokenizers"),
        "post_processor": hub_templates.write(tokenizer),
        "decoder": _decoder(tokenizer, byte_level),
        "model": written.model,
    }


def _written(tokenizer: Tokenizer) -> Written:
    match tokenizer.model:
        case BPE() as model:
            return hub_written_models.bpe(model, tokenizer.added.values())
        case WordPiece() as model:
            return hub_written_models.wordpiece(model, tokenizer.pre_tokenizer)
        case Unigram() as model:
            return hub_written_models.unigram(model)
    raise ValueError("a tokenizer.json is written for BPE, WordPiece and Unigram; this tokenizer is none of them")


def _added(tokenizer: Tokenizer, vocab: Mapping[str, int] | Sequence[Sequence[Any]]) -> list[Json]:
    """Return the special and the added tokens, in the order of ids.

    Raises:
        ValueError: The library would give one of them another id.
    """
    specials = tokenizer.vocabulary.specials
    names = vocab if isinstance(vocab, Mapping) else {entry[0]: id for id, entry in enumerate(vocab)}
    tokens: list[Json] = []
    given: dict[str, int] = {}
    for text, id in sorted({**specials, **tokenizer.added}.items(), key=lambda entry: entry[1]):
        given[text] = hub_fields.id_of_added(text, names, given)
        if given[text] != id:
            raise ValueError(f"the library of a tokenizer.json gives {text!r} the id {given[text]}; here it has {id}")
        how = tokenizer.matching.get(text, AS_WRITTEN)
        options = {"single_word": how.alone, "lstrip": how.takes_left, "rstrip": how.takes_right}
        options |= {"normalized": how.normalized, "special": text in specials}
        tokens.append({"id": id, "content": text, **options})
    return tokens


def _decoder(tokenizer: Tokenizer, byte_level: bool) -> Json | None:
    """Return the steps that give the text back."""
    model, split = tokenizer.model, tokenizer.pre_tokenizer
    last: Json = hub_written_steps.byte_step(use_regex=True) if byte_level else {"type": "Fuse"}
    match tokenizer.decoder:
        case WordPieceDecoder() as decoder:
            return {"type": "WordPiece", "prefix": decoder.prefix, "cleanup": decoder.cleanup}
        case SpaceMarkDecoder() as decoder:
            return _of_space_marks(decoder, model, byte_level, last)
    if isinstance(model, Unigram) or (isinstance(model, BPE) and model.alphabet.fallback):
        return sequence([{"type": "ByteFallback"}, last], "decoders")
    if isinstance(model, WordPiece):
        if not split.keeps_spaces:
            return {"type": "WordPiece", "prefix": model.prefix, "cleanup": False}
        return sequence([replace({"Regex": f"^{regex.escape(model.prefix)}"}, ""), last], "decoders")
    mark = model.alphabet.end_of_word if isinstance(model, BPE) else ""
    return _of_word_ends(mark, split, byte_level, last) if mark else last


def _of_space_marks(decoder: SpaceMarkDecoder, model: Model, byte_level: bool, last: Json) -> Json | None:
    if decoder.drop == "all":
        raise ValueError("the decoders of a tokenizer.json take one space off the start; this tokenizer takes all")
    if byte_level:
        return sequence([last, *hub_decoders.space_marks(decoder.mark)], "decoders")
    steps = [replace({"String": decoder.mark}, " ")]
    if isinstance(model, WordPiece):
        steps.insert(0, replace({"Regex": f"^{regex.escape(model.prefix)}"}, ""))
    if decoder.reads_bytes:
        steps.append({"type": "ByteFallback"})
    strip = [{"type": "Strip", "content": " ", "start": 1, "stop": 0}] if decoder.drop == "one" else []
    return sequence([*steps, last, *strip], "decoders")


def _of_word_ends(mark: str, split: PreTokenizer, byte_level: bool, last: Json) -> Json | None:
    if split.keeps_spaces:
        return sequence([replace({"Regex": f"{regex.escape(mark)}$"}, ""), last], "decoders")
    if not byte_level:
        return {"type": "BPEDecoder", "suffix": mark}
    if len(split.split(f"a{mark}a")) == 1 or split.steps is None:
        raise ValueError(
            f"the decoders of a tokenizer.json cannot turn {mark!r} into the space between two words of bytes; take a "
            "split that keeps spaces, or characters"
        )
    return sequence([last, *hub_decoders.word_ends(mark)], "decoders")
