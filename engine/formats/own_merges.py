"""The merge that makes each piece, where a file holds pieces alone and any two neighbors that join to one merge.

If every piece, encoded alone, is merged to itself by the merge of its own rank, then two neighbors that join to a piece
are always the pair of that merge: no merge crosses their outer ends, so within them all goes as in the piece alone.
Then the pieces say all there is to say, and so does one pair for each of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from engine.models.alphabet import Alphabet
from engine.models.bpe import BPE, Pair
from engine.models.concatenation import Concatenations


def own_merges(model: BPE) -> list[Pair]:
    """Return the pair that makes each learned piece, by rank.

    Raises:
        ValueError: A piece alone becomes other tokens, so merging what joins to it is not what pairs would do.
    """
    pieces = list(model.vocabulary.table)
    if isinstance(model.ranks, Concatenations):  # packed tables are small, and slow if all is looked up
        model = replace(model, ranks=Concatenations(list(model.ranks.table), dict(model.ranks.rank_of)))
    pairs: list[Pair] = []
    for rank, id in enumerate(model.products[: model.learned]):
        piece = pieces[id] or b""
        ids = symbols(model.alphabet, piece)
        fired = model.merges(ids)
        if len(fired) != len(ids) - 1 or not fired or fired[-1].rank != rank:
            raise ValueError(
                f"the symbols of the piece {piece!r}, encoded alone, become other tokens, so merging any two neighbors "
                "that join to it is not the same as merging the pairs that were learned"
            )
        for merge in fired[:-1]:
            ids[merge.left] = model.products[merge.rank]
        pairs.append((ids[fired[-1].left], ids[fired[-1].right]))
    return pairs


def symbols(alphabet: Alphabet, piece: bytes) -> list[int]:
    """Cut a piece into the symbols that merging starts from."""
    parts: Sequence[bytes]
    if alphabet.kind == "bytes":
        parts = [piece[i : i + 1] for i in range(len(piece))]
    else:
        parts = [character.encode() for character in piece.decode()]
    return [alphabet.ids[part] for part in parts]
