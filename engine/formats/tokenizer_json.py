"""The `tokenizer.json` of Hugging Face's tokenizers: one file for the whole pipeline.

What this reader does not know is refused by name, so that ids are never silently other than the library's. Truncation
and padding, which cut and fill the rows of a batch, are no part of reading a text and are passed over.

Source: huggingface/tokenizers 0.23, tokenizers/src/tokenizer/serialization.rs.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.formats import hub_decoders, hub_normalizers, hub_splits, hub_templates
from engine.formats.hub_fields import Fields, id_of_added
from engine.formats.hub_models import MODELS, Added
from engine.formats.source import LARGEST_ID, Source
from engine.special_tokens import AS_WRITTEN, Matching
from engine.tokenizer import Tokenizer


def read(source: Source) -> Tokenizer:
    """Read a `tokenizer.json`.

    Raises:
        ValueError: The file is broken, or has what is not supported; the message names the place.
    """
    return read_parsed(source, source.json)


def read_parsed(source: Source, content: Any) -> Tokenizer:
    """Read the content of such a file; `source` names it in errors.

    Raises:
        ValueError: As for `read`.
    """
    file = Fields(source, content)
    file.at(file.value)
    normalizers = hub_normalizers.read(file.value.get("normalizer"), file.get("normalizer"))
    split, byte_level = hub_splits.read(file.value.get("pre_tokenizer"), file.get("pre_tokenizer"))
    model = file.get("model")
    model.at(model.value)
    added = _added(file, _names(model.value.get("vocab")))
    kind = model.value.get("type") or _guessed(model)
    if not isinstance(kind, str) or kind not in MODELS:
        raise model.error(f"the model {kind!r} is not supported; these are: {', '.join(MODELS)}")
    if byte_level and kind != "BPE":
        raise model.error(f"a split that turns text into bytes (ByteLevel) is read for BPE; this model is {kind}")
    made = MODELS[kind](model, added, byte_level)
    decoder = hub_decoders.read(file.get("decoder"), byte_level, model.value)
    around = hub_templates.read(file.get("post_processor"))
    return Tokenizer(made, normalizers, split, source.name, decoder, added.always, *around, added.matching)


def _added(file: Fields, names: Mapping[str, Any]) -> Added:
    """Read the added tokens; `names` are those of the model, with their ids."""
    specials: dict[str, int] = {}
    always: dict[str, int] = {}
    matching: dict[str, Matching] = {}
    for token in file.items("added_tokens") if file.value.get("added_tokens") is not None else ():
        token.at(token.value)
        text, id = token.text("content"), token.number("id", -1)
        if not text or not 0 <= id < LARGEST_ID:
            raise token.error(f"an added token needs a text and an id from 0 to {LARGEST_ID - 1:,}")
        given = id_of_added(text, names, {**specials, **always})
        if id != given:
            raise token.error(f"its library gives {text!r} the id {given}, whatever stands here; this is {id}")
        special = token.flag("special", False)
        how = Matching(
            token.flag("lstrip", False),
            token.flag("rstrip", False),
            token.flag("single_word", False),
            token.flag("normalized", not special),
        )
        if how != AS_WRITTEN:
            matching[text] = how
        (specials if special else always)[text] = id
    return Added(specials, always, matching)


def _names(vocab: Any) -> Mapping[str, Any]:
    """Return the names of a model's pieces with their ids; what is broken in it is said where the model is read."""
    if isinstance(vocab, dict):
        return vocab
    entries = vocab if isinstance(vocab, list) else []
    return {name: id for id, entry in enumerate(entries) for name in _first(entry)}


def _first(entry: Any) -> list[str]:
    return [name for name in entry[:1] if isinstance(name, str)] if isinstance(entry, list) else []


def _guessed(model: Fields) -> str:
    """Tell the model of older files, which do not name it, by its parts."""
    if "merges" in model.value:
        return "BPE"
    if "continuing_subword_prefix" in model.value:
        return "WordPiece"
    return "Unigram" if isinstance(model.value.get("vocab"), list) else "WordLevel"
