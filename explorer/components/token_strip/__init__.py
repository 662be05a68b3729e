"""The tokens of a text as patches of color over the text itself."""

from __future__ import annotations

from collections.abc import Mapping

from explorer.components import load

_component = load("token_strip")


def _ignore() -> None:
    """Give the state key the callback without which it does not exist before the first choice."""


def token_strip(view: Mapping[str, object], *, key: str) -> tuple[int, int] | None:
    """Draw the tokens of a text, and return the byte span chosen by click or Enter, or None.

    Args:
        view: what the browser draws, plain JSON. `text`, without lone surrogates; per token `starts` and `stops` (UTF-8
            bytes of `text`) and `entry` (index into `entries`); `entries` of `id`, `piece` (hex of its bytes), `slot`
            0..7 and `kind` ("token", "special" or "unknown"); `name` of the tokenizer; `group` of the strips that light
            up together; `marks`: show hidden characters; `size` "normal" or "large"; `ids` and `readout`: show them;
            `notation` of pieces, "text" or "bytes"; and, where tokenizers are compared, `differs`: bytes, rising, at
            which not all of them have a boundary; `card`: the address of the tokens' cards, to which an id is added.
        key: the widget key.
    """
    selected = _component(key=key, data=dict(view), on_selected_change=_ignore).selected
    if not isinstance(selected, list) or len(selected) != 2:
        return None
    start, stop = int(selected[0]), int(selected[1])
    # A choice outlives the text it was made in: what no longer lies in the text is no choice.
    return (start, stop) if stop <= len(str(view["text"]).encode()) else None
