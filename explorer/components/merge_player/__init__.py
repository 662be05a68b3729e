"""The merge player: a passage that is merged step by step while the reader plays, scrubs or walks with the keys."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from explorer.components import load
from explorer.words import SWITCH_HELP, SWITCHES

_component = load("merge_player")


def merge_player(
    data: Mapping[str, object],
    *,
    key: str,
    letters: bool = False,
    on_step: Callable[[], None] | None = None,
    on_word: Callable[[], None] | None = None,
    on_textbook: Callable[[], None] | None = None,
    on_flipped: Callable[[], None] | None = None,
) -> int | None:
    """Mount the player on one trace and return the step at which it rests.

    The whole trace travels once; play and scrubbing never ask the server. The step comes back 300 ms after the player
    has come to rest, and never at mount: until then the value is None and the player stands at `data["step"]`. New
    `data` that differs in `rivals` or `letters` alone disturbs neither position, focus nor play. A new passage keeps
    the step; a new run begins at its own `data["step"]`.

    Args:
        data: the trace of one training run over one passage.
            `passage` (text, at most 2,000 characters), `boundaries` (UTF-8 byte offsets between the symbols of the
            alphabet), `vanish` (per boundary the step after which it is gone, steps + 1 for never) or `frames`
            (`steps`, and per step a bit set of standing boundaries as hex, lowest bit first), `fixed` (byte offsets of
            pre-token edges), `gaps` and `unknown` (byte spans), `slots` (start, stop and slot of tokens that hold the
            mark of a word's end, which has no part in the slot), `columns` (one row a step: `left`, `right`, `count`,
            `ties`, `length`, and for WordPiece `left_count`, `right_count`), `entries` (`piece` as hex, `slot`,
            `learned`), `first_id`, `initial_length`, `initial_unit`, `algorithm`, `tie`, `exhausted`, `rivals` (`step`
            and `rows`, or a `note` that says why there are none), `step`, `text_source`. WordPiece and Unigram add
            `words` (byte spans that can be looked at) and `word` (the one to begin with); WordPiece `match` (`step`,
            `word`, `note` and `rows` of `tried`, `more`, `piece`, `slot`), which comes later, as the rivals do. The
            steps of Unigram are rounds: its `columns` are `length`, `size`, `pruned` and `likelihood`, it has `seeds`
            (`size`, `length`, `log`) and `rounds` (`go` and `stay`: rows of `piece`, `slot`, `value`) from round 0 on.
            Merges of a vocabulary whose counts are not known have `ranks` (one a step) and `ranked` (how many there
            are) instead of `count` and `ties`, and entries with their `id`. `card` is the address of the pieces' cards,
            to which an id is added; without it there are no links.
        key: the widget key.
        letters: whether pieces are written in the letters of byte-level vocabularies.
        on_step: runs after the player has come to rest at another step.
        on_word: runs when the reader looks at another word; its index is the state `word`.
        on_textbook: runs when the reader asks for the textbook version of this algorithm.
        on_flipped: runs when the reader flips the switch of `letters`.
    """
    switch = {"on": letters, "label": SWITCHES["letters"], "help": SWITCH_HELP["letters"]}
    result = _component(
        key=key,
        data={**data, "letters": switch},
        on_step_change=on_step or _nothing,
        on_word_change=on_word or _nothing,
        on_textbook_change=on_textbook or _nothing,
        on_flipped_change=on_flipped or _nothing,
    )
    step = result.get("step")
    return step if isinstance(step, int) else None


def _nothing() -> None:
    """Give a state value the callback without which Streamlit does not keep it."""
