"""The normalizers of a `tokenizer.json`, with the Unicode tables of the library that reads it.

Source: huggingface/tokenizers 0.23, tokenizers/src/normalizers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache, partial
from typing import Any

import numpy as np
import regex
import unicodedata2

from engine.alignment import AlignedText, Normalizer
from engine.formats import charsmap
from engine.formats.hub_fields import Fields
from engine.formats.hub_patterns import found
from engine.formats.older_unicode import CONTROLS_KEPT, IDEOGRAPHS, in_class, is_m, is_mn, newer
from engine.normalizers import Characters, Form, by_code_point, by_unit, lowercase, replaced


@dataclass(frozen=True, eq=False)
class Said:
    """A normalizer, with the step of a `tokenizer.json` that says it.

    Attributes:
        rule: What it does.
        step: The step, type and options.
    """

    rule: Normalizer
    step: Mapping[str, Any]

    def __call__(self, text: AlignedText) -> AlignedText:
        """Apply the rule."""
        return self.rule(text)

    @property
    def __name__(self) -> str:
        """What to call it: its type, or the one part of BertNormalizer that it is."""
        return next((key for key, value in self.step.items() if value is True), str(self.step["type"]))


def read(given: Any, fields: Fields) -> tuple[Normalizer, ...]:
    """Return the normalizers that a part of a file describes.

    Raises:
        ValueError: A step, or an option of one, is not supported.
    """
    if given is None:
        return ()
    step = fields.at(given)
    kind = step.text("type")
    if kind == "Sequence":
        return tuple(rule for inner in step.items("normalizers") for rule in read(inner.value, inner))
    if kind not in _STEPS:
        raise step.error(f"the normalizer {kind} is not supported; these are: Sequence, {', '.join(_STEPS)}")
    return _STEPS[kind](step)


@cache
def form(name: Form) -> Normalizer:
    """Return a normalization form as tokenizers knows it: code points that came later stay as they are."""
    return partial(by_unit, form=name, rule=partial(_older, name))


def _put(pattern: regex.Pattern[str], content: str, text: AlignedText) -> AlignedText:
    """Put `content` in the place of every match, of empty ones too."""
    if pattern.pattern == r"\s+" and content == " ":
        pattern = _NOT_ONE_SPACE  # most white space is a space that stays
    spans = [(start, stop) for start, stop in found(pattern, text.text) if text.text[start:stop] != content]
    return text.edited(spans, [content] * len(spans))


def prepended(content: str, text: AlignedText) -> AlignedText:
    """Put `content` before a text that is not empty; it comes from no bytes."""
    return text.edited([(0, 0)], [content]) if text.text else text


def bert(clean: bool = True, chinese: bool = True, strip: bool = True, lower: bool = True) -> tuple[Normalizer, ...]:
    """Return the four steps of BertNormalizer that are asked for."""
    steps: list[Normalizer] = []
    if clean:
        steps.append(Said(_clean, _bert_step("clean_text")))
    if chinese:
        steps.append(Said(_set_ideographs_apart, _bert_step("handle_chinese_chars")))
    if strip:
        steps.append(Said(partial(by_unit, form="NFD", rule=_without_accents), _bert_step("strip_accents")))
    if lower:
        steps.append(lowercase)
    return tuple(steps)


def _bert_step(part: str) -> Mapping[str, Any]:
    parts = ("clean_text", "handle_chinese_chars", "strip_accents", "lowercase")
    return {"type": "BertNormalizer", **{each: each == part for each in parts}}


def _clean(text: AlignedText) -> AlignedText:
    return by_code_point(text, _cleaned)


@lru_cache(maxsize=1 << 16)
def _cleaned(character: str) -> str:
    if _controls().match(character):
        return ""
    return " " if _OTHER_SPACE.match(character) else character


def _older(name: Form, unit: str) -> str:
    parts = newer().split(unit)
    return "".join(part if i % 2 else unicodedata2.normalize(name, part) for i, part in enumerate(parts))


def _without_accents(unit: str) -> str:
    return "".join(character for character in _older("NFD", unit) if not is_mn(character))


@cache
def _controls() -> regex.Pattern[str]:
    return regex.compile(rf"[\0\uFFFD]|(?![\t\n\r{in_class(CONTROLS_KEPT)}])[\p{{Cc}}\p{{Cf}}\p{{Co}}]")


@cache
def _ideographs() -> Characters:
    pattern = regex.compile(f"[{in_class(IDEOGRAPHS)}]")
    return Characters(lambda character: pattern.match(character) is not None)


def _set_ideographs_apart(text: AlignedText) -> AlignedText:
    places = _ideographs().places(text.text)
    return text.edited(np.repeat(places, 4) + np.tile([0, 0, 1, 1], len(places)), [" "] * (2 * len(places)))


def _strip(step: Fields) -> tuple[Normalizer, ...]:
    made: list[Normalizer] = []
    for side, pattern in (("left", r"\A\s+"), ("right", r"\s+\Z")):
        if step.flag(f"strip_{side}", True):
            said = {"type": "Strip", "strip_left": side == "left", "strip_right": side == "right"}
            made.append(Said(partial(replaced, regex.compile(pattern), ""), said))
    return tuple(made)


def _replace(step: Fields) -> tuple[Normalizer, ...]:
    return (Said(partial(_put, step.pattern("pattern"), step.text("content")), step.value),)


def _prepend(step: Fields) -> tuple[Normalizer, ...]:
    return (Said(partial(prepended, step.text("prepend")), step.value),)


def _bert(step: Fields) -> tuple[Normalizer, ...]:
    lower = step.flag("lowercase", True)
    strip = lower if step.value.get("strip_accents") is None else step.flag("strip_accents", lower)
    return bert(step.flag("clean_text", True), step.flag("handle_chinese_chars", True), strip, lower)


def _strip_accents(step: Fields) -> tuple[Normalizer, ...]:
    return (Said(_drop_marks, step.value),)


def _drop_marks(text: AlignedText) -> AlignedText:
    return by_code_point(text, _unmarked)


def _unmarked(character: str) -> str:
    return "" if is_m(character) else character


def _precompiled(step: Fields) -> tuple[Normalizer, ...]:
    rules = charsmap.read(step.base64("precompiled_charsmap"), step.error)
    return (Said(rules.by_grapheme, step.value),)


_STEPS: Mapping[str, Callable[[Fields], tuple[Normalizer, ...]]] = {
    "NFC": lambda step: (form("NFC"),),
    "NFD": lambda step: (form("NFD"),),
    "NFKC": lambda step: (form("NFKC"),),
    "NFKD": lambda step: (form("NFKD"),),
    "Lowercase": lambda step: (lowercase,),
    "StripAccents": _strip_accents,
    "Strip": _strip,
    "Replace": _replace,
    "Prepend": _prepend,
    "BertNormalizer": _bert,
    "Precompiled": _precompiled,
}

_NOT_ONE_SPACE = regex.compile(r"[^\S ]\s*| \s+")
_OTHER_SPACE = regex.compile(r"[^\S ]")
