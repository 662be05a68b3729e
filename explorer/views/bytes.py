"""Bytes and runes as the page draws them: tokens over any bytes, the byte alphabet, counts."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import TypedDict

import numpy as np
import regex

import engine
from engine.runes import Runes, to_printable
from engine.utf8 import SELF_PRINTED
from explorer.views.strip import entries

_LONGEST_HEX = 600_000


class Tokens(TypedDict):
    """The tokens of bytes, as `components.byte_table` takes them."""

    starts: list[int]
    stops: list[int]
    entry: list[int]
    entries: list[dict[str, object]]


def read_hex(written: str) -> bytes:
    r"""Read bytes that were typed in hex: "48 65", "0x48,0x65", "\x48\x65" or "4865".

    Raises:
        ValueError: What is left is no pairs of hexadecimal digits; the message names the place.

    >>> read_hex("4f 6c c3 a1").decode(), read_hex(r"0xE2,\x82 ac").decode()
    ('Olá', '€')
    """
    if len(written) > _LONGEST_HEX:
        raise ValueError(f"hex may have {_LONGEST_HEX:,} characters; this has {len(written):,}")
    bare = regex.sub(r"0[xX](?=[0-9a-fA-F]{2})|\\x|[\s,;:]", "", written)
    wrong = regex.search(r"[^0-9a-fA-F]", bare)
    if wrong:
        raise ValueError(f"hex has the digits 0 to 9 and A to F; digit {wrong.start() + 1} is {wrong.group()!r}")
    if len(bare) % 2:
        raise ValueError(f"a byte has two hex digits; {len(bare):,} digits leave one over")
    return bytes.fromhex(bare)


def tokens(runes: Runes, tokenizer: engine.Tokenizer) -> Tokens:
    """Encode bytes that may be invalid: each run of valid ones by itself; an invalid byte has no token."""
    ids: list[int] = []
    spans: list[tuple[int, int]] = []
    edges = [-1, *sorted(runes.invalid), len(runes.source)]
    for before, after in pairwise(edges):
        part = runes.source[before + 1 : after]
        if part:
            encoding = tokenizer.encode(part.decode())
            ids += encoding.ids.tolist()
            spans += [(start + before + 1, stop + before + 1) for start, stop in encoding.spans.tolist()]
    distinct, places = np.unique(np.array(ids, np.int64), return_inverse=True)
    return {
        "starts": [start for start, _ in spans],
        "stops": [stop for _, stop in spans],
        "entry": places.tolist(),
        "entries": entries(tokenizer, distinct.tolist()),
    }


def points(runes: Runes) -> list[dict[str, object]]:
    """Describe each code point that occurs, once."""
    return [
        {"cp": point.point, "name": point.name, "category": point.category, "script": point.script}
        for point in runes.distinct
    ]


def alphabet(source: bytes, tokenizer: engine.Tokenizer) -> list[dict[str, object]]:
    """Describe the 256 bytes: the letter that stands for each, its id in the vocabulary, how often it occurs."""
    counts = np.bincount(np.frombuffer(source, np.uint8), minlength=256).tolist()
    single = _single_bytes(tokenizer)
    return [
        {
            "value": value,
            "shown": to_printable(bytes([value])),
            "id": single.get(value),
            "direct": value in SELF_PRINTED,
            "count": counts[value],
        }
        for value in range(256)
    ]


def _single_bytes(tokenizer: engine.Tokenizer) -> dict[int, int]:
    """Return byte -> id, where the vocabulary has a piece for the byte alone."""
    found: dict[int, int] = {}
    for value in range(256):
        id = tokenizer.vocabulary.id_of(bytes([value]))
        if id is None:  # SentencePiece writes a byte as "<0x41>"
            id = tokenizer.vocabulary.id_of(f"<0x{value:02X}>".encode())
        if id is not None:
            found[value] = id
    return found


def cuts_inside(runes: Runes, drawn: Tokens) -> tuple[int, int]:
    """Count the token boundaries that stand inside a code point, and inside a grapheme."""
    boundaries = set(drawn["stops"]) | set(drawn["starts"])
    boundaries -= {0, len(runes.source)}
    rune_edges = set(runes.starts.tolist())
    grapheme_edges = set(runes.starts[runes.grapheme_starts].tolist())
    return len(boundaries - rune_edges), len(boundaries - grapheme_edges)


def shares(counts: Sequence[tuple[str, int]]) -> list[dict[str, str | int | float]]:
    """Return counts with their share of all, in percent.

    >>> shares([("Latin", 3), ("Han", 1)])[0]
    {'name': 'Latin', 'code points': 3, 'share': 75.0}
    """
    total = sum(count for _, count in counts) or 1
    return [
        {"name": name, "code points": count, "share": round(100 * count / total, 1)} for name, count in counts if count
    ]
