"""The decoders of a `tokenizer.json`.

Source: huggingface/tokenizers 0.23, tokenizers/src/decoders.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import regex

from engine.decoders import Decoder, SpaceMarkDecoder, WordPieceDecoder, inside_words
from engine.formats.hub_fields import Fields


def read(fields: Fields, byte_level: bool, model: Mapping[str, Any]) -> Decoder | None:
    """Return the decoder that a part of a file describes; None where the model's own way back is the same.

    Args:
        fields: The part.
        byte_level: Whether pieces are bytes.
        model: The part of the file about the model.

    Raises:
        ValueError: It is not supported.
    """
    if fields.value is None:
        return None
    steps = _steps(fields)
    kinds = [step.text("type") for step in steps]
    match kinds:
        case ["ByteLevel"] if byte_level:
            return None
        case ["BPEDecoder"] | ["Fuse"]:
            return None
        case ["ByteFallback", "Fuse"] if model.get("type") in ("Unigram", "BPE"):
            return None
        case ["Replace", "Fuse" | "ByteLevel"] if _drops(steps[0], model):
            return None
        case ["ByteLevel", "Replace", "Replace"] if byte_level and _values(steps[1:]) == word_ends(_mark(model)):
            return None
        case ["WordPiece"]:
            return WordPieceDecoder(steps[0].text("prefix"), steps[0].flag("cleanup", True))
        case ["Metaspace"]:
            never = steps[0].value.get("prepend_scheme", "always") == "never"
            return SpaceMarkDecoder(steps[0].text("replacement"), False, "none" if never else "one")
        case ["ByteLevel", "Replace", "Replace"] if byte_level and _values(steps[1:]) == space_marks("▁"):
            return SpaceMarkDecoder("▁", False)
        case ["Replace", "Fuse"] | ["Replace", "Fuse", "Strip"]:
            return _space_mark(steps[0], steps[2:], False, {})
        case ["Replace", "Replace", "Fuse", "Strip"] if _drops(steps[0], model):
            prefix = model["continuing_subword_prefix"]
            read = inside_words((piece.encode() for piece in model["vocab"]), prefix)
            return _space_mark(steps[1], steps[3:], False, read)
        case ["Replace", "ByteFallback", "Fuse"] | ["Replace", "ByteFallback", "Fuse", "Strip"]:
            return _space_mark(steps[0], steps[3:], True, {})
    raise fields.error(f"the decoder {' + '.join(kinds) or 'of no steps'} is not supported")


def _space_mark(replace: Fields, strip: list[Fields], bytes_: bool, read: Mapping[bytes, bytes]) -> Decoder:
    pattern = replace.value.get("pattern")
    if not isinstance(pattern, dict) or not isinstance(pattern.get("String"), str) or replace.text("content") != " ":
        raise replace.error('only the replacement of a text by " " is supported here')
    for step in strip:
        step.refuse("content", " ")
        step.refuse("start", 1)
        step.refuse("stop", 0)
    return SpaceMarkDecoder(pattern["String"], bytes_, "one" if strip else "none", read)


def _drops(replace: Fields, model: Mapping[str, Any]) -> bool:
    """Say whether a replacement takes a mark of the model away, which its own way back does too."""
    prefix, suffix = model.get("continuing_subword_prefix"), model.get("end_of_word_suffix")
    marks = [f"^{regex.escape(prefix)}"] if prefix else []
    marks += [f"{regex.escape(suffix)}$"] if suffix else []
    return not replace.text("content") and replace.value.get("pattern") in [{"Regex": mark} for mark in marks]


def word_ends(mark: str) -> list[dict[str, Any]]:
    """Return the steps that make a space of the mark of a word's end, and nothing of the last; not by Strip.

    Strip of tokenizers 0.23 panics on an empty text.
    """
    last, other = {"Regex": rf"{regex.escape(mark)}\z"}, {"String": mark}
    return [{"type": "Replace", "pattern": last, "content": ""}, {"type": "Replace", "pattern": other, "content": " "}]


def space_marks(mark: str) -> list[dict[str, Any]]:
    """Return the steps that make a space of each mark, and nothing of one that stands first."""
    first, other = {"Regex": rf"\A{regex.escape(mark)}"}, {"String": mark}
    return [{"type": "Replace", "pattern": first, "content": ""}, {"type": "Replace", "pattern": other, "content": " "}]


def _steps(fields: Fields) -> list[Fields]:
    step = fields.at(fields.value)
    if step.text("type") != "Sequence":
        return [step]
    return [inner for part in step.items("decoders") for inner in _steps(part)]


def _mark(model: Mapping[str, Any]) -> str:
    return str(model.get("end_of_word_suffix") or "")


def _values(steps: list[Fields]) -> list[Any]:
    return [step.value for step in steps]
