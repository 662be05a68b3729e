"""Write a `tokenizer.json` for Hugging Face's tokenizers: the same ids there, or a refusal with the reason.

Source: huggingface/tokenizers 0.23, tokenizers/src/tokenizer/serialization.rs.
"""

from __future__ import annotations

import json

import regex

from engine.decoders import SpaceMarkDecoder
from engine.formats import hub_templates, hub_written_models, hub_written_steps
from engine.formats.hub_written_models import Written
from engine.formats.hub_written_steps import Json, replace, sequence
from engine.models.bpe import BPE
from engine.models.unigram import Unigram
from engine.models.wordpiece import WordPiece
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
    if tokenizer.added:
        raise ValueError("a tokenizer.json is not written for tokens that are read in every text")
    model = tokenizer.model
    byte_level = isinstance(model, BPE) and model.alphabet.kind == "bytes"
    steps = hub_written_steps.normalizers(tokenizer.normalizers)
    before, splits = hub_written_steps.pre_tokenizers(tokenizer.pre_tokenizer, byte_level)
    written = _written(tokenizer)
    specials = sorted(model.vocabulary.specials.items(), key=lambda entry: entry[1])
    return {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": [_added(text, id) for text, id in specials],
        "normalizer": sequence([*steps, *before, *written.normalizers], "normalizers"),
        "pre_tokenizer": sequence([*splits, *written.cuts], "pretokenizers"),
        "post_processor": hub_templates.write(tokenizer),
        "decoder": _decoder(tokenizer, byte_level),
        "model": written.model,
    }


def _written(tokenizer: Tokenizer) -> Written:
    match tokenizer.model:
        case BPE() as model:
            return hub_written_models.bpe(model)
        case WordPiece() as model:
            return hub_written_models.wordpiece(model, tokenizer.pre_tokenizer)
        case Unigram() as model:
            return hub_written_models.unigram(model)
    raise ValueError("a tokenizer.json is written for BPE, WordPiece and Unigram; this tokenizer is none of them")


def _added(text: str, id: int) -> Json:
    options = dict.fromkeys(("single_word", "lstrip", "rstrip", "normalized"), False)
    return {"id": id, "content": text, **options, "special": True}


def _decoder(tokenizer: Tokenizer, byte_level: bool) -> Json | None:
    """Return the steps that give the text back."""
    model, split = tokenizer.model, tokenizer.pre_tokenizer
    mark = model.alphabet.end_of_word if isinstance(model, BPE) else ""
    last: Json = hub_written_steps.byte_step(use_regex=True) if byte_level else {"type": "Fuse"}
    if isinstance(tokenizer.decoder, SpaceMarkDecoder):
        strip = {"type": "Strip", "content": " ", "start": 1, "stop": 0}
        return sequence([replace({"String": "▁"}, " "), {"type": "ByteFallback"}, last, strip], "decoders")
    if isinstance(model, Unigram):
        return sequence([{"type": "ByteFallback"}, last], "decoders")
    if isinstance(model, WordPiece):
        if not split.keeps_spaces:
            return {"type": "WordPiece", "prefix": model.prefix, "cleanup": False}
        return sequence([replace({"Regex": f"^{regex.escape(model.prefix)}"}, ""), last], "decoders")
    if not mark:
        return last
    if split.keeps_spaces:
        return sequence([replace({"Regex": f"{regex.escape(mark)}$"}, ""), last], "decoders")
    if byte_level:
        raise ValueError(
            f"the decoders of a tokenizer.json cannot turn {mark!r} into the space between two words of bytes; take a "
            "split that keeps spaces, or characters"
        )
    return {"type": "BPEDecoder", "suffix": mark}
