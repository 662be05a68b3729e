"""A button that copies the address of the view."""

from __future__ import annotations

from explorer.components import load

_component = load("copy_link")


def copy_link(*, key: str, url: str | None = None, too_long: str | None = None, label: str = "Copy link") -> None:
    """Draw the button that copies the link to this view.

    Args:
        key: the widget key.
        url: the address to copy, relative to the page's own (`"?text=..."`); None copies the page's own.
        too_long: the sentence that stands beside the button when the link cannot hold the text; None where it does.
        label: the words on the button.
    """
    _component(key=key, data={"url": url, "too_long": too_long, "label": label}, width="content")
