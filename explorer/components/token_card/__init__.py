"""The head of a token's card: the piece large, what is odd about it, and its facts."""

from __future__ import annotations

from collections.abc import Sequence

from explorer.components import load

_component = load("token_card")


def token_card(
    piece: bytes,
    facts: Sequence[tuple[str, str]],
    flags: Sequence[tuple[str, str]],
    *,
    slot: int,
    kind: str,
    key: str,
    large: bool = False,
) -> None:
    """Draw the head of the card.

    Args:
        piece: the bytes of the piece.
        facts: pairs of name and value.
        flags: what is odd about the token, and a sentence that explains it.
        slot: its fill.
        kind: "token", "special" or "unknown".
        key: the widget key.
        large: for a projector.
    """
    data = {
        "piece": piece.hex(),
        "facts": [list(fact) for fact in facts],
        "flags": [list(flag) for flag in flags],
        "slot": slot,
        "kind": kind,
    }
    _component(key=key, data={**data, "large": large})
