"""The post-processors of a `tokenizer.json`: which tokens the library puts around a text unless told not to.

Source: huggingface/tokenizers 0.23, tokenizers/src/processors.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from engine.formats.hub_fields import Fields
from engine.formats.source import LARGEST_ID
from engine.tokenizer import Tokenizer


class Around(NamedTuple):
    """Ids that are put before and behind those of a text."""

    before: tuple[int, ...] = ()
    after: tuple[int, ...] = ()


def read(fields: Fields) -> Around:
    """Return what the post-processor of a file puts around a text.

    Raises:
        ValueError: It is broken or not supported.
    """
    if fields.value is None:
        return Around()
    step = fields.at(fields.value)
    match step.text("type"):
        case "ByteLevel":  # it trims offsets
            return Around()
        case "BertProcessing" | "RobertaProcessing":
            return Around(_id(step.get("cls")), _id(step.get("sep")))
        case "TemplateProcessing":
            return _template(step)
        case "Sequence":
            made = [around for around in map(read, step.items("processors")) if around != Around()]
            if len(made) > 1:  # the second would take what the first has added for a second text
                raise step.error("only one of several post-processors may add tokens")
            return made[0] if made else Around()
        case kind:
            raise step.error(f"the post-processor {kind} is not supported")


def write(tokenizer: Tokenizer) -> dict[str, Any] | None:
    """Return the post-processor that puts a tokenizer's special tokens around a text; None where there are none.

    Raises:
        ValueError: One of them is outside the vocabulary.
    """
    if not tokenizer.before and not tokenizer.after:
        return None
    used = [*tokenizer.before, *tokenizer.after]
    names = {id: tokenizer.vocabulary[id].decode("utf-8", "replace") for id in used}

    def single(ids: tuple[int, ...]) -> list[dict[str, Any]]:
        return [{"SpecialToken": {"id": names[id], "type_id": 0}} for id in ids]

    first, second = ({"Sequence": {"id": name, "type_id": 0}} for name in "AB")
    around = {names[id]: {"id": names[id], "ids": [id], "tokens": [names[id]]} for id in used}
    before, after = single(tokenizer.before), single(tokenizer.after)
    return {
        "type": "TemplateProcessing",
        "single": [*before, first, *after],
        "pair": [*before, first, *after, second, *after],
        "special_tokens": around,
    }


def _id(fields: Fields) -> tuple[int, ...]:
    match fields.value:
        case [str(), int() as id] if 0 <= id < LARGEST_ID:
            return (id,)
    raise fields.error("here a token and its id must stand")


def _template(step: Fields) -> Around:
    known = step.get("special_tokens")
    known.at(known.value)
    before: list[int] = []
    after: list[int] = []
    texts = 0
    for part in step.items("single"):
        match part.value:
            case {"Sequence": {"id": "A"}}:
                texts += 1
            case {"SpecialToken": {"id": str() as name}}:
                token = known.get(name)
                ids = token.at(token.value).value.get("ids")
                if not isinstance(ids, list) or not all(isinstance(id, int) and 0 <= id < LARGEST_ID for id in ids):
                    raise token.error("here the ids of the special token must stand")
                (after if texts else before).extend(ids)
            case _:
                raise part.error("only the text A and special tokens can stand here")
    if texts != 1:
        raise step.get("single").error(f"the text must stand once; it stands {texts} times")
    return Around(tuple(before), tuple(after))
