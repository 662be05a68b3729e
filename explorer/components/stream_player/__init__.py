"""A text that arrives in parts: what each way of decoding has shown after each of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from explorer.components import load
from explorer.views.streaming import StreamPart

_component = load("stream_player")


def stream_player(
    parts: Sequence[StreamPart], *, end: str, stopped: int | None, movable: bool, key: str, large: bool = False
) -> list[int] | None:
    """Play a stream part by part; the cuts between parts can be dragged, or moved by the arrow keys, byte by byte.

    Args:
        parts: The parts, in order.
        end: What the buffered decoder gives out when the stream ends.
        stopped: The number of the part with which a stop string was complete, from 0; None if there was none.
        movable: Whether the cuts may be moved.
        key: The widget key.
        large: For a projector.

    Returns:
        The cuts as the reader moved them: byte offsets between the first and the last byte; None before that.
    """
    data = {"parts": list(parts), "end": end, "stopped": stopped, "movable": movable, "large": large}
    result = _component(key=key, data=data, default={"cuts": None}, on_cuts_change=lambda: None)
    return cast("list[int] | None", result.cuts)
