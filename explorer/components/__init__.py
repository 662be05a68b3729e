"""Widgets of the browser: each folder holds one, as a typed Python function and its JavaScript and CSS."""

from pathlib import Path

import streamlit as st
from streamlit.components.v2.types import ComponentRenderer

_HERE = Path(__file__).parent


def load(name: str) -> ComponentRenderer:
    """Register the component in the folder `name` and return its mounting function.

    The style sheet is `tokens.css` before the folder's `component.css`. The script is every file of `shared/`, then
    the folder's own files in alphabetical order, then `component.js`, which holds the `export default`: one module
    without imports, so nothing is fetched. The markup is one empty `<div class="tg tg-<name>">`.

    Raises:
        FileNotFoundError: the folder has no `component.js` or no `component.css`.
    """
    folder = _HERE / name
    parts = sorted(path for path in folder.glob("*.js") if path.name != "component.js")
    scripts = [*sorted((_HERE / "shared").glob("*.js")), *parts, folder / "component.js"]
    styles = [_HERE / "tokens.css", folder / "component.css"]
    return st.components.v2.component(
        f"tokenglass_{name}",
        html=f'<div class="tg tg-{name.replace("_", "-")}"></div>',
        css=_joined(styles),
        js=_joined(scripts),
    )


def _joined(paths: list[Path]) -> str:
    return "\n".join(path.read_text("utf-8") for path in paths)
