"""The decoders of a `tokenizer.json`.

Source: huggingface/tokenizers 0.23, tokenizers/src/decoders.
"""

from __future__ import annotations

from engine.decoders import Decoder, SpaceMarkDecoder, WordPieceDecoder
from engine.formats.hub_fields import Fields


def read(fields: Fields, byte_level: bool) -> Decoder | None:
    """Return the decoder that a part of a file describes; None where the model's own way back is the same.

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
        case ["BPEDecoder"]:
            return None
        case ["WordPiece"]:
            return WordPieceDecoder(steps[0].text("prefix"), steps[0].flag("cleanup", True))
        case ["Metaspace"]:
            never = steps[0].value.get("prepend_scheme", "always") == "never"
            return SpaceMarkDecoder(steps[0].text("replacement"), False, "none" if never else "one")
        case ["Replace", "ByteFallback", "Fuse"] | ["Replace", "ByteFallback", "Fuse", "Strip"]:
            return _space_mark(steps)
    raise fields.error(f"the decoder {' + '.join(kinds) or 'of no steps'} is not supported")


def _space_mark(steps: list[Fields]) -> Decoder:
    replace, strip = steps[0], steps[3:]
    pattern = replace.value.get("pattern")
    if not isinstance(pattern, dict) or not isinstance(pattern.get("String"), str) or replace.text("content") != " ":
        raise replace.error('only the replacement of a text by " " is supported here')
    for step in strip:
        step.refuse("content", " ")
        step.refuse("start", 1)
        step.refuse("stop", 0)
    return SpaceMarkDecoder(pattern["String"], True, "one" if strip else "none")


def _steps(fields: Fields) -> list[Fields]:
    step = fields.at(fields.value)
    if step.text("type") != "Sequence":
        return [step]
    return [inner for part in step.items("decoders") for inner in _steps(part)]
