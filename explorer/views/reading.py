"""A text as one tokenizer reads it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import engine
from explorer import words
from explorer.views.roundtrip import losses


@dataclass(frozen=True)
class Reading:
    """A text read by a tokenizer.

    Attributes:
        name: What the tokenizer is called.
        tokenizer: Who reads.
        encoding: What it reads.
    """

    name: str
    tokenizer: engine.Tokenizer
    encoding: engine.Encoding

    @cached_property
    def lost(self) -> list[str]:
        """What is lost on the way to ids and back, as sentences; empty where nothing is."""
        return [words.loss(*loss) for loss in losses(self.encoding, self.tokenizer)]


def read(name: str, tokenizer: engine.Tokenizer, text: str, specials: bool) -> Reading:
    """Read a text; with `specials`, the text of a special token is that token."""
    return Reading(name, tokenizer, tokenizer.encode(text, "parse" if specials else "plain"))


def figures(readings: Sequence[Reading], large: bool = False) -> list[dict[str, object]]:
    """Compare readings of one text: the data of `components.figure` for each.

    The bars are measured against the longest reading, and every one after the first says how far it is from the first.
    """
    lengths = [len(reading.encoding) for reading in readings]
    drawn: list[dict[str, object]] = []
    for number, (reading, length) in enumerate(zip(readings, lengths, strict=True)):
        unit, note = words.figure(length, lengths[0] if number else None)
        drawn.append(
            {
                "number": f"{length:,}",
                "unit": unit,
                "note": note,
                "share": length / max(*lengths, 1),
                "facts": " · ".join(filter(None, _facts(reading, length))),
                "good": "" if reading.lost else words.SAME,
                "bad": reading.lost,
                "reserve": max(len(other.lost) for other in readings),
                "large": large,
            }
        )
    return drawn


def _facts(reading: Reading, length: int) -> tuple[str, str]:
    tokenizer = reading.tokenizer
    before, after = (
        [tokenizer.vocabulary[id].decode("utf-8", "replace") for id in ids]
        for ids in (tokenizer.before, tokenizer.after)
    )
    said = words.facts(tokenizer.vocab_size, length, len(reading.encoding.text.encode()))
    return words.around(length, before, after), said
