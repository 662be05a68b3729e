"""The lattice of a word: every piece that can stand in it, as a bar over its characters, and the ways through."""

from __future__ import annotations

from collections.abc import Mapping

from explorer.components import load

_component = load("lattice")


def lattice(view: Mapping[str, object], *, key: str) -> None:
    """Draw a lattice with a list of its most probable ways and a list of ways that were drawn by lot.

    The arrow keys walk: along the text to the likeliest piece that goes on, across to the pieces that start at the same
    place. What the reader points at, or walks to, is told in a row below; a way of a list is ringed in the picture.

    Args:
        view: what the browser draws, plain JSON. `characters`, the code points of the word; `edges` of `start` and
            `stop` (code points), `piece` (hex), `id`, `slot` 0..7, `kind` ("token" or "unknown"), `log` (of its
            probability, natural), `share` (0 to 1, how often it stands here over all ways, each by its probability) and
            `best` (whether it lies on the best path); `lists`, each of `title`, `note` and `rows` of `path`
            (indexes of edges), `share` (0 to 1) and `words` at the end of the row; `large`: for a projector; `name`
            for a screen reader; `legend`, what the marks mean; `empty`, what is said where there is no word; `cut`,
            what is said where the word was cut short, or "".
        key: the widget key.
    """
    _component(key=key, data=dict(view))
