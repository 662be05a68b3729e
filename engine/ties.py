"""The rules that choose among equally good pairs.

An algorithm that leaves this open is no definition: two programs that follow it give two vocabularies.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal, TypeAlias, get_args

Tie: TypeAlias = Literal["lowest-id", "first", "smallest", "largest", "random"]
Pair: TypeAlias = tuple[int, int]
Key: TypeAlias = tuple[Any, ...]  # keys of one rule compare with each other

TIES: tuple[Tie, ...] = get_args(Tie)

_MASK = (1 << 64) - 1


def tie_key(tie: Tie, pieces: Sequence[bytes], leftmost: Callable[[Pair], int], seed: int = 0) -> Callable[[Pair], Key]:
    """Return the sort key of a tie rule: of equally good pairs, the one with the smallest key wins.

    Args:
        tie: `lowest-id`: the smallest (left id, right id). `first`: the leftmost occurrence stands earliest in the
            corpus as it is at that step. `smallest`, `largest`: the pieces, compared as bytes (which is the order of
            code points). `random`: drawn by `seed`.
        pieces: The piece of each id, growing while training goes on.
        leftmost: Tells where a pair stands first.
        seed: Of the random draw.
    """
    if tie == "first":
        return lambda pair: (leftmost(pair),)
    if tie == "smallest":
        return lambda pair: (pieces[pair[0]], pieces[pair[1]], pair)
    if tie == "largest":
        return lambda pair: (_reversed(pieces[pair[0]]), _reversed(pieces[pair[1]]), pair)
    if tie == "random":
        return lambda pair: (mixed(seed, *pair), pair)
    return lambda pair: pair


def mixed(seed: int, left: int, right: int) -> int:
    """Hash a pair of ids to 64 bits.

    A draw that hangs on nothing but the seed and the pair is the same for every order of the corpus.

    Source: the finalizer of SplitMix64 (Steele, Lea and Flood 2014, doi:10.1145/2660193.2660195).
    """
    z = (seed * 0x9E3779B97F4A7C15 + left * 0xD1B54A32D192ED03 + right * 0xABC98388FB8FAC03) & _MASK
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & _MASK
    return z ^ (z >> 31)


def _reversed(piece: bytes) -> tuple[int, ...]:
    """Return a key that sorts the largest piece first: a prefix comes after what it starts."""
    return (*(255 - byte for byte in piece), 256)
