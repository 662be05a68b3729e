"""A part of a `tokenizer.json`, with errors that name the file and the place."""

from __future__ import annotations

import binascii
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import regex

from engine.formats import hub_patterns
from engine.formats.source import Source


@dataclass(frozen=True)
class Fields:
    """A value of the file, and the path that leads to it, as in `normalizer.normalizers[1]`."""

    source: Source
    value: Any
    path: str = ""

    def error(self, reason: str) -> ValueError:
        """Return the error that names the file and this place."""
        return self.source.error(reason, self.path)

    def at(self, value: Any) -> Fields:
        """Return the same place, after checking that an object stands there."""
        if not isinstance(value, dict):
            raise self.error(f"here an object must stand, not {_kind(value)}")
        return Fields(self.source, value, self.path)

    def get(self, key: str) -> Fields:
        """Return what stands under a key; None where there is none."""
        return Fields(self.source, self.value.get(key), f"{self.path}.{key}" if self.path else key)

    def items(self, key: str) -> Iterator[Fields]:
        """Yield the members of a list."""
        inner = self.get(key)
        if not isinstance(inner.value, list):
            raise inner.error(f"here a list must stand, not {_kind(inner.value)}")
        for i, value in enumerate(inner.value):
            yield Fields(self.source, value, f"{inner.path}[{i}]")

    def text(self, key: str) -> str:
        """Return a text."""
        inner = self.get(key)
        if not isinstance(inner.value, str):
            raise inner.error(f"here a text must stand, not {_kind(inner.value)}")
        return inner.value

    def flag(self, key: str, default: bool) -> bool:
        """Return true or false; `default` where there is none."""
        inner = self.get(key)
        if inner.value is None:
            return default
        if not isinstance(inner.value, bool):
            raise inner.error(f"here true or false must stand, not {_kind(inner.value)}")
        return inner.value

    def number(self, key: str, default: int) -> int:
        """Return an integer; `default` where there is none."""
        inner = self.get(key)
        if inner.value is None:
            return default
        if not isinstance(inner.value, int) or isinstance(inner.value, bool):
            raise inner.error(f"here an integer must stand, not {_kind(inner.value)}")
        return inner.value

    def base64(self, key: str) -> bytes:
        """Return bytes that are written in base64."""
        try:
            return binascii.a2b_base64(self.text(key))
        except binascii.Error as error:
            raise self.get(key).error("this is no base64") from error

    def pattern(self, key: str) -> regex.Pattern[str]:
        """Return a pattern: {"String": ...} or {"Regex": ...}."""
        inner = self.get(key)
        value = inner.at(inner.value)
        if "String" in value.value:
            return regex.compile(regex.escape(value.text("String")))
        return hub_patterns.read(value.text("Regex"), value.error)

    def refuse(self, key: str, *allowed: object) -> None:
        """Refuse an option unless it is missing or has one of the values given."""
        inner = self.get(key)
        if inner.value is not None and inner.value not in allowed:
            only = " or ".join(map(repr, allowed))
            raise inner.error(f"{inner.value!r} is not supported here; only {only}")


def id_of_added(text: str, names: Mapping[str, int], before: Mapping[str, int]) -> int:
    """Return the id that the library gives an added token: the model's own, else the first that is free.

    Source: huggingface/tokenizers 0.23, tokenizers/src/tokenizer/added_vocabulary.rs, `add_tokens`.

    Args:
        text: The token.
        names: The pieces of the model, with their ids.
        before: The tokens added so far, with theirs.
    """
    return names.get(text, max(len(names), 1 + max(before.values(), default=-1)))


def _kind(value: object) -> str:
    names = {dict: "an object", list: "a list", str: "a text", bool: "true or false", type(None): "nothing"}
    return names.get(type(value), "a number")
