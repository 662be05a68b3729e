"""A table of a text's code points and bytes, in which the tokens are patches."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Literal, TypedDict

from explorer.components import load

_component = load("byte_table")

MAX_BYTES = 200_000
"""The most bytes one table shows: with more, its rows would be higher than what browsers can scroll."""


class CodePoint(TypedDict):
    """What Unicode says of one code point: `cp` its number, its name, general category and script."""

    cp: int
    name: str
    category: str
    script: str


class TableEntry(TypedDict):
    """A piece of the vocabulary: its id, its palette slot 0..7, and what kind of token it makes."""

    id: int
    slot: int
    kind: Literal["token", "special", "unknown"]


class TableTokens(TypedDict):
    """The tokens of a text, in order, in columns.

    `starts` and `stops` are spans in bytes of the table's source: ordered, gaps and shared or empty spans allowed;
    `entry` is each token's index in `entries`.
    """

    starts: Sequence[int]
    stops: Sequence[int]
    entry: Sequence[int]
    entries: Sequence[TableEntry]


NO_TOKENS: TableTokens = {"starts": [], "stops": [], "entry": [], "entries": []}


def byte_table(
    source: bytes,
    *,
    key: str,
    group: str,
    points: Sequence[CodePoint],
    joins: Collection[int] = (),
    invalid: Mapping[int, str] | None = None,
    tokens: TableTokens = NO_TOKENS,
    notation: Literal["text", "bytes"] = "text",
    name: str = "Bytes and runes",
    large: bool = False,
) -> None:
    """Draw one row for each code point, and one for each byte that belongs to none.

    The browser makes the columns from the bytes, so what is sent stays near two characters a byte. The number "at rune"
    is the row's own, counted from 0: an invalid byte counts as one rune, as in Go's `range`.

    Args:
        source: the bytes, at most 200,000; UTF-8 apart from `invalid`.
        key: the widget key.
        group: strips and tables of one group show the same bytes as pointed at and as pinned.
        points: each code point of the source once, in any order.
        joins: the rows, counted from 0, that go on with the grapheme of the row before.
        invalid: byte offset of each byte that is no part of a code point, and why, in a few words.
        tokens: their spans count bytes of the source.
        notation: "bytes" shows the letter that byte-level vocabularies print for a byte beside it (Ġ).
        name: the name a screen reader says.
        large: for a projector.

    Raises:
        ValueError: the source has more than 200,000 bytes.
    """
    if len(source) > MAX_BYTES:
        raise ValueError(
            f"a byte table holds at most {MAX_BYTES:,} bytes, or it cannot be scrolled; got {len(source):,}"
        )
    columns = {column: [point[column] for point in points] for column in ("cp", "name", "category", "script")}
    data = {
        "hex": source.hex(),
        "points": columns,
        "joins": sorted(joins),
        "invalid": sorted((invalid or {}).items()),
        "tokens": {**tokens, "starts": list(tokens["starts"]), "stops": list(tokens["stops"])},
        "notation": notation,
        "group": group,
        "name": name,
        "large": large,
    }
    _component(key=key, data=data)
