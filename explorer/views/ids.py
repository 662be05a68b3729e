"""Ids as people write them."""

from __future__ import annotations

import re

MOST = 100_000


def read_ids(written: str) -> list[int]:
    """Read ids that are set apart by spaces, commas, line ends or brackets.

    Raises:
        ValueError: Something is no whole number, or there are too many.

    >>> read_ids("[464, 40304] 9808")
    [464, 40304, 9808]
    """
    parts = re.findall(r"[^\s,;\[\](){}]+", written)
    if len(parts) > MOST:
        raise ValueError(f"at most {MOST:,} ids are decoded at a time; these are {len(parts):,}")
    return [_id(part, place) for place, part in enumerate(parts, 1)]


def _id(part: str, place: int) -> int:
    if not re.fullmatch(r"[-−]?[0-9]{1,12}", part):
        raise ValueError(f"an id is a whole number of up to 12 digits; number {place:,} in the list is {part[:40]!r}")
    return int(part.replace("−", "-"))
