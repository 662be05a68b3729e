"""What vocabularies have in common, by the bytes that their pieces stand for."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from explorer.views.vocabulary import Table


@dataclass(frozen=True)
class Region:
    """The pieces that exactly some of the vocabularies have.

    Attributes:
        members: Which of them have it, in order.
        pieces: The bytes that the pieces stand for, in order of the ids of the first member.
    """

    members: tuple[str, ...]
    pieces: Sequence[bytes]


def overlap(tables: Mapping[str, Table]) -> list[Region]:
    """Part the pieces of several vocabularies by who has them, the largest part first; special tokens are left out.

    >>> import engine
    >>> from explorer.views.vocabulary import table
    >>> one, two = engine.from_merges("bytes", ["ab"]), engine.from_merges("bytes", ["ab", "cd"])
    >>> [(region.members, len(region.pieces)) for region in overlap({"one": table(one), "two": table(two)})]
    [(('one', 'two'), 257), (('two',), 1)]
    """
    holders: defaultdict[bytes, int] = defaultdict(int)
    for place, made in enumerate(tables.values()):
        for meaning, special in zip(made.meanings, made.special.tolist(), strict=True):
            if not special:
                holders[meaning] |= 1 << place
    parts: defaultdict[int, list[bytes]] = defaultdict(list)
    for meaning, who in holders.items():
        parts[who].append(meaning)
    names = list(tables)
    regions = [
        Region(tuple(name for place, name in enumerate(names) if who >> place & 1), pieces)
        for who, pieces in parts.items()
    ]
    return sorted(regions, key=lambda region: -len(region.pieces))
