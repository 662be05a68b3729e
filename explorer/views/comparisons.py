"""What would be different: other splits of a text, and overlaps merged from the other side."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import engine
from engine.alignment import AlignedText
from engine.models.bpe import BPE
from explorer.palette import slot

MOST_CHARACTERS = 240
MOST_WORDS = 12
_LONGEST_WORD = 200


class Row(NamedTuple):
    """One row of a comparison: what it is, its pieces as bytes, and a fill for each, or None."""

    label: str
    pieces: list[bytes]
    slots: list[int] | None


class Overlap(NamedTuple):
    """A pre-token that comes out differently: its pieces merged from the left, as it should be, and from the right."""

    word: str
    left: list[bytes]
    right: list[bytes]


def splits(text: str, own: str = "") -> list[Row]:
    """Split the beginning of a text by every named split, and by a pattern of one's own.

    Raises:
        ValueError: The pattern is broken, or takes too long.
    """
    aligned = AlignedText.of(text[:MOST_CHARACTERS])
    chosen = list(engine.PRE_TOKENIZERS.values())
    if own:
        chosen.append(engine.by_pattern(own))
    rows: list[Row] = []
    for split in chosen:
        prepared = split.prepare(aligned) if split.prepare else aligned
        parts = [prepared.text[start:stop].encode() for start, stop in split.split(prepared.text)]
        rows.append(Row(split.name, parts, None))
    return rows


def overlaps(tokenizer: engine.Tokenizer, text: str) -> list[Overlap]:
    """Find the pre-tokens of a text that would come out differently if overlapping pairs were merged from the right.

    In "eee" with a merge of (e, e), the pair at the left is merged: ee|e. Merging from the right gives e|ee.
    """
    model = tokenizer.model
    if not isinstance(model, BPE):
        return []
    found: dict[str, Overlap] = {}
    for explanation in tokenizer.explain(text):
        word = explanation.text
        if word in found or len(word) > _LONGEST_WORD:
            continue
        left, right = model.encode(word).ids, from_right(model, word)
        if list(left) != right:
            found[word] = Overlap(word, *([model.vocabulary[id] for id in ids] for ids in (left, right)))
    return list(found.values())


def from_right(model: BPE, word: str) -> list[int]:
    """Encode a pre-token with each merge applied from the right, which is wrong.

    >>> tokenizer = engine.from_merges("bytes", [("e", "e")])
    >>> from_right(tokenizer.model, "eee")
    [101, 256]
    """
    ids = list(model.alphabet.cut(word).ids)
    while True:
        known = [rank for pair in pairwise(ids) if (rank := model.ranks.get(pair, model.learned)) < model.learned]
        if not known:
            return ids
        rank = min(known)
        merged: list[int] = []
        while ids:
            if len(ids) > 1 and model.ranks.get((ids[-2], ids[-1])) == rank:
                del ids[-2:]
                merged.append(model.products[rank])
            else:
                merged.append(ids.pop())
        ids = merged[::-1]


def fills(pieces: Sequence[bytes]) -> list[int]:
    """Return the fill of each piece."""
    return [slot(piece) for piece in pieces]
