"""The real app, opened at one of its pages without a browser."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from streamlit.testing.v1 import AppTest

from explorer import links

APP = str(Path(__file__).parents[2] / "app.py")


def opened(page: str, **query: str) -> AppTest:
    """Open a page by its file in explorer/pages/, as a link with that query would."""
    at = AppTest.from_file(APP, default_timeout=120)
    at.switch_page(f"explorer/pages/{page}.py")
    for name, value in query.items():
        at.query_params[name] = value
    at.run()
    assert not at.exception
    return at


def widget(kind: Sequence[Any], name: str) -> Any:
    """Return the widget of a setting among those of a kind; it has a new key after the page decided on its value."""
    return next(each for each in kind if f"{each.key}.".startswith(f"{name}."))


def component(at: AppTest, holds: str) -> dict[str, Any]:
    """Return the data of the first component that has a key of that name."""
    found = [json.loads(block.proto.json) for block in at.get("bidi_component")]
    return next(data for data in found if holds in data)


def packed(text: str) -> str:
    """Return a text as a link holds it."""
    made = links.pack(text)
    assert made is not None
    return made
