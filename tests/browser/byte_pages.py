"""The byte table and the byte grid on a page of their own: `?case=` chooses what they show."""

from __future__ import annotations

import unicodedata
import zlib
from collections.abc import Sequence
from itertools import accumulate
from pathlib import Path
from typing import Any

import regex
import streamlit as st

from explorer.components.byte_grid import byte_grid
from explorer.components.byte_table import NO_TOKENS, byte_table
from explorer.components.token_strip import token_strip

MOCK_TEXT = "naïve 世界 👩🏽‍🚀 हि"
# What gpt2 makes of it: ids, and how many bytes each stands for (tiktoken 0.14, encoding "gpt2").
MOCK_IDS = (2616, 38776, 220, 10310, 244, 45911, 234, 50169, 102, 8582, 237, 121, 447, 235, 8582, 248, 222, 28225, 117)
MOCK_IDS += (11976, 123)
MOCK_LENGTHS = (2, 4, 1, 2, 1, 2, 1, 4, 1, 2, 1, 1, 2, 1, 2, 1, 1, 3, 1, 2, 1)
HOSTILE = "\0\t\r\n\u202e\u0301e\u0301\u200b\u00ad\ufffd<img src=x onerror=alert(1)>"
# The least and the greatest code point of each UTF-8 length, and the neighbors of the surrogates.
EDGES = "\x00\x7f\x80\u07ff\u0800\ud7ff\ue000\uffff\U00010000\U0010ffff"
LONG_TEXT = ("The quick brown fox. Größe, déjà vu, 世界 👩🏽‍🚀\n" * 2400)[:100_000]


def tokens_of(source: bytes, ids: Sequence[int], lengths: Sequence[int]) -> dict[str, Any]:
    """Columns for tokens that tile the source."""
    stops = list(accumulate(lengths))
    starts = [0, *stops[:-1]]
    pieces = [source[start:stop] for start, stop in zip(starts, stops, strict=True)]
    entries = [
        {"id": id_, "piece": piece.hex(), "slot": zlib.crc32(piece) & 7, "kind": "token"}
        for id_, piece in zip(ids, pieces, strict=True)
    ]
    return {"starts": starts, "stops": stops, "entry": list(range(len(ids))), "entries": entries}


def table(text: str, tokens: Any = NO_TOKENS, *, notation: Any = "text", key: str = "table") -> None:
    """Draw the table of a text."""
    joins: list[int] = []
    row = 0
    for cluster in regex.findall(r"\X", text):
        joins += range(row + 1, row + len(cluster))
        row += len(cluster)
    points: Any = [
        {"cp": ord(char), "name": unicodedata.name(char, "<control>"), "category": unicodedata.category(char)}
        | {"script": "Any"}
        for char in sorted(set(text))
    ]
    byte_table(text.encode(), key=key, group="g", points=points, joins=joins, tokens=tokens, notation=notation)


def invalid_bytes() -> None:
    """A lead byte without its second byte, a lone continuation, an impossible byte."""
    source = b"e\xe4x\x96\xff"
    byte_table(
        source,
        key="table",
        group="g",
        points=[
            {"cp": 0x65, "name": "LATIN SMALL LETTER E", "category": "Ll", "script": "Latin"},
            {"cp": 0x78, "name": "LATIN SMALL LETTER X", "category": "Ll", "script": "Latin"},
        ],
        invalid={1: "first of 3, the second is missing", 3: "continuation without a first byte", 4: "never in UTF-8"},
        tokens=tokens_of(source, (68, 160, 87, 244, 187), (1, 1, 1, 1, 1)),  # type: ignore[arg-type]
    )


def odd_tokens() -> None:
    """Two tokens that share bytes, one of no bytes, a gap, a special and an unknown token."""
    entries = [(64, 3, "token"), (127, 0, "token"), (102, 5, "token"), (7, 6, "token"), (1, 0, "special")]
    entries += [(-1, 0, "unknown")]
    tokens = {
        "starts": [0, 1, 1, 4, 5, 8],
        "stops": [1, 4, 4, 4, 8, 9],
        "entry": list(range(6)),
        "entries": [{"id": id_, "slot": slot, "kind": kind} for id_, slot, kind in entries],
    }
    table("ae\u0301 <s>q", tokens)


def long_text() -> None:
    """As much text as the page takes live: 100,000 bytes in about as many rows."""
    source = LONG_TEXT.encode()
    starts = list(range(0, len(source), 3))
    tokens = tokens_of(source[:300], range(100), [3] * 100)
    tokens |= {"starts": starts, "stops": [*starts[1:], len(source)], "entry": [i % 100 for i in range(len(starts))]}
    table(LONG_TEXT, tokens)


def linked() -> None:
    """A strip above, the table below, one group."""
    tokens = tokens_of(MOCK_TEXT.encode(), MOCK_IDS, MOCK_LENGTHS)
    looks = {"name": "gpt2", "group": "g", "marks": True, "size": "normal", "ids": False, "readout": False}
    token_strip({"text": MOCK_TEXT, "notation": "text", **tokens, **looks}, key="strip")
    table(MOCK_TEXT, tokens)


def grid(source: bytes) -> None:
    """The grid of a text's bytes, in the vocabulary of gpt2: the bytes that stand for themselves have the first ids."""
    direct = [*range(33, 127), *range(161, 173), *range(174, 256)]
    mapped = [value for value in range(256) if value not in direct]
    ids = {value: id_ for id_, value in enumerate(direct + mapped)}
    cells: Any = [
        {
            "value": value,
            "shown": chr(value) if value in direct else chr(256 + mapped.index(value)),
            "id": ids[value],
            "direct": value in direct,
            "count": source.count(value),
        }
        for value in range(256)
    ]
    byte_grid(cells, key="grid")


if __name__ == "__main__":
    st.set_page_config(layout="wide")
    mock = tokens_of(MOCK_TEXT.encode(), MOCK_IDS, MOCK_LENGTHS)
    {
        "mock": lambda: table(MOCK_TEXT, mock),
        "printable": lambda: table(MOCK_TEXT, mock, notation="bytes"),
        "hostile": lambda: table(HOSTILE),
        "edges": lambda: table(EDGES),
        "empty": lambda: table(""),
        "invalid": invalid_bytes,
        "odd": odd_tokens,
        "long": long_text,
        "linked": linked,
        "grid": lambda: grid(Path(__file__).read_bytes()),
        "no-text": lambda: grid(b""),
    }[st.query_params.get("case", "mock")]()
