"""Readings of one text as a table: lengths, what they cost, and how much of a context window they fill."""

from __future__ import annotations

import re
from collections.abc import Sequence

from explorer.views.reading import Reading


def numbers_each(written: str, places: int) -> list[float | None]:
    """Read one number for all, or one for each, set apart by spaces or semicolons; a dash stands for none.

    Raises:
        ValueError: Something is no number that is 0 or more, or there are not as many as places.

    >>> numbers_each("2.50", 2), numbers_each("3; - ; 10,5", 3), numbers_each("", 2)
    ([2.5, 2.5], [3.0, None, 10.5], [None, None])
    >>> numbers_each("128,000", 1)
    [128000.0]
    """
    parts = [part for part in re.split(r"[\s;]+", written.strip()) if part]
    numbers = [_number(part) for part in parts]
    if len(numbers) in (0, 1):
        return (numbers or [None]) * places
    if len(numbers) != places:
        raise ValueError(f"there must be one number for all or {places}, one for each; got {len(numbers)}")
    return numbers


def _number(part: str) -> float | None:
    if part in ("-", "–", "—"):
        return None
    plain = part.replace(",", "") if re.fullmatch(r"\d{1,3}(,\d{3})+(\.\d+)?", part) else part.replace(",", ".")
    if not re.fullmatch(r"\d{1,12}(\.\d{1,9})?", plain):
        raise ValueError(f"a number is written as 2.50 or 128000; got {part[:20]!r}")
    return float(plain)


def comparison_table(
    readings: Sequence[Reading], prices: Sequence[float | None], windows: Sequence[float | None]
) -> list[dict[str, str | int | float | None]]:
    """Return one row a reading; columns without any number are left out.

    Args:
        readings: Readings of one text.
        prices: Of a million tokens, for each.
        windows: Tokens that fit into a context window, for each.
    """
    rows: list[dict[str, str | int | float | None]] = []
    for reading, price, window in zip(readings, prices, windows, strict=True):
        ids, text = reading.encoding.ids, reading.encoding.text
        tokens = len(ids)
        row: dict[str, str | int | float | None] = {
            "tokenizer": reading.name,
            "vocabulary, pieces": reading.tokenizer.vocab_size,
            "tokens": tokens,
            "with special tokens": len(reading.tokenizer.with_specials(ids)),
            "bytes per token": round(len(text.encode()) / tokens, 4) if tokens else None,
            "characters per token": round(len(text) / tokens, 4) if tokens else None,
        }
        if price is not None:
            row["cost"] = round(tokens * price / 1_000_000, 9)
        if window:
            row["share of the window, %"] = round(100 * tokens / window, 6)
        rows.append(row)
    columns = list(dict.fromkeys(column for row in rows for column in row))
    return [{column: row.get(column) for column in columns} for row in rows]
