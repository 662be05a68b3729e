"""A piece as the tree of merges that built it."""

from __future__ import annotations

from collections.abc import Mapping

from explorer.components import load

_component = load("merge_tree")


def merge_tree(root: Mapping[str, object], *, name: str, key: str, large: bool = False) -> None:
    """Draw the tree, the piece at the top and the alphabet at the bottom.

    Args:
        root: `id`; `piece`, hex of its bytes; `slot` or None; `kind`; `rank` and `count` of the merge or None; `href`,
            where it links to; and `parts`, the two pieces it was merged from, alike.
        name: what a screen reader calls the tree.
        key: the widget key.
        large: for a projector.
    """
    _component(key=key, data={"root": dict(root), "name": name, "large": large})
