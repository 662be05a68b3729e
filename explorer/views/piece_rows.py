"""Rows of a vocabulary as the long table draws them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

import engine
from explorer.views.strip import entries
from explorer.views.vocabulary import SCRIPT_NAMES, Kind, Table

_LONGEST = 60
"""Bytes of a piece that a row shows."""


def piece_rows(
    made: Table,
    tokenizer: engine.Tokenizer,
    rows: Sequence[int],
    counts: NDArray[np.int64],
    marked: Mapping[Kind, NDArray[np.bool_]],
    card: str,
) -> list[dict[str, object]]:
    """Describe rows: id, bytes in hex, length, characters, script, kind, count.

    Args:
        made: The vocabulary.
        tokenizer: Whose it is.
        rows: Which rows.
        counts: int64[n], how often each piece stands in the corpus.
        marked: Kind -> bool[n], the pieces of that kind.
        card: The address of the cards, to which an id is added.
    """
    ids = [int(made.ids[row]) for row in rows]
    return [
        {
            "piece": str(entry["piece"])[: 2 * _LONGEST],
            "slot": entry["slot"],
            "kind": entry["kind"],
            "href": f"{card}{id}",
            "cells": [
                id,
                made.meanings[row][:_LONGEST].hex(" ").upper(),
                int(made.bytes[row]),
                int(made.characters[row]),
                SCRIPT_NAMES[made.scripts[row]],
                ", ".join(name for name, which in marked.items() if which[row]),
                int(counts[row]),
            ],
        }
        for row, id, entry in zip(rows, ids, entries(tokenizer, ids), strict=True)
    ]


def table_csv(
    made: Table,
    tokenizer: engine.Tokenizer,
    rows: Sequence[int],
    counts: NDArray[np.int64],
    marked: Mapping[Kind, NDArray[np.bool_]],
) -> Iterator[dict[str, str | int | float | None]]:
    """Yield all that is known of rows, for a file."""
    for row in rows:
        id = int(made.ids[row])
        yield {
            "id": id,
            "piece, hex": tokenizer.vocabulary[id].hex(),
            "stands for, hex": made.meanings[row].hex(),
            "text": made.texts[row],
            "bytes": int(made.bytes[row]),
            "characters": int(made.characters[row]),
            "script": SCRIPT_NAMES[made.scripts[row]],
            "kind": ", ".join(name for name, which in marked.items() if which[row]),
            "count": int(counts[row]),
        }
