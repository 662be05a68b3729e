"""The settings of a page: in the session, in its widgets, and in the address.

The address is written by the browser (see `components/address`), never by `st.query_params`, which would put every
typed letter into the history.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import parse_qsl, quote, urlencode

import streamlit as st

from explorer import links, recipes
from explorer.settings import BETWEEN, Setting
from explorer.state import texts


class PageState:
    """The settings of one page, from the address or from earlier in the session."""

    def __init__(self, page: str, settings: Mapping[str, Setting[Any]], version: int = 1) -> None:
        """Take the settings over from the address if a link was opened, else from the session.

        Texts of a visitor's own that the address holds (`t.<digest>`) are kept for `texts()`.
        """
        self._page, self._settings = page, settings
        self._values: dict[str, Any] = st.session_state.setdefault(f"view.{page}", {})
        self.problems: list[str] = []
        popped = st.session_state.pop(f"view.{page}.popped", None)
        query = (
            dict(parse_qsl(popped.lstrip("?"), keep_blank_values=True))
            if popped is not None
            else dict(st.query_params.items())
        )
        opened = not self._values and bool(query)
        if opened or popped is not None:
            self._read(query)
        for name, setting in settings.items():
            self._values.setdefault(name, setting.default)
            if setting.everywhere and st.session_state.get(f"view.{name}", self._values[name]) != self._values[name]:
                self.put(**{name: st.session_state[f"view.{name}"]})

    @property
    def page(self) -> str:
        """The name of the page."""
        return self._page

    def __getitem__(self, name: str) -> Any:  # as many types as settings
        return self._values[name]

    def __setitem__(self, name: str, value: Any) -> None:
        self._values[name] = value
        if self._settings[name].everywhere:
            st.session_state[f"view.{name}"] = value

    @property
    def opened(self) -> int:
        """How often settings came from elsewhere than their widgets: a new number means that those take new values."""
        return int(st.session_state.get(f"view.{self._page}.opened", 0))

    def widget(self, name: str) -> str:
        """Return the key of the widget for a setting, with the setting's value put into it."""
        key = f"{self._page}.{name}"
        if key not in st.session_state:
            st.session_state[key] = self._values[name]
        self[name] = st.session_state[key]
        return key

    def put(self, **values: Any) -> None:
        """Set what the page itself decides (an example, a preset); the widgets take it over at the next run."""
        for name, value in values.items():
            self[name] = value
            st.session_state.pop(f"{self._page}.{name}", None)
        st.session_state[f"view.{self._page}.opened"] = self.opened + 1

    def query(self) -> tuple[str, list[str]]:
        """Write the settings as the query of an address.

        Returns:
            The query without "?", and the names of what was too long for it.
        """
        parts: dict[str, str] = {}
        too_long: list[str] = []
        for name, setting in self._settings.items():
            value = self._values[name]
            if value == setting.default:
                continue
            written = setting.write(value)
            if written is None:
                too_long.append(name)
            else:
                parts[name] = written
        for digest in _digests(parts.values()):
            packed = links.pack(texts().get(digest)) if digest in texts() else None
            if packed is None:
                too_long.append("corpus")
            else:
                parts[f"t.{digest}"] = packed
        return urlencode(parts, quote_via=quote, safe="~:,/."), too_long

    def lasting(self) -> str:
        """Return what of the settings makes an entry in the browser's history when it changes."""
        return repr({name: self._values[name] for name, s in self._settings.items() if not s.fleeting})

    def _read(self, query: Mapping[str, str]) -> None:
        for name, written in query.items():
            if name.startswith("t."):
                self._guarded("corpus", lambda written=written: texts().keep(links.unpack(written)))
        for name, setting in self._settings.items():
            self[name] = setting.default
            if name in query:
                value = self._guarded(name, lambda s=setting, w=query[name]: s.read(w))
                self[name] = setting.default if value is None else value
            st.session_state.pop(f"{self._page}.{name}", None)
        st.session_state[f"view.{self._page}.opened"] = self.opened + 1

    def _guarded(self, name: str, read: Any) -> Any:
        try:
            return read()
        except ValueError as error:
            self.problems.append(f"The link's “{name}” could not be read, so the default stands: {error}.")
            return None


def hand_over(page: str, **values: Any) -> None:
    """Set settings of another page, for when it is drawn next."""
    st.session_state.setdefault(f"view.{page}", {}).update(values)
    for name in values:
        st.session_state.pop(f"{page}.{name}", None)
    st.session_state[f"view.{page}.opened"] = int(st.session_state.get(f"view.{page}.opened", 0)) + 1


def _parsed(query: str) -> dict[str, str]:
    return dict(parse_qsl(query.lstrip("?"), keep_blank_values=True))


def _digests(values: Any) -> list[str]:
    found: list[str] = []
    for code in (code for value in values for code in value.split(BETWEEN)):
        try:
            digest = recipes.decode(code).corpus.digest
        except ValueError:
            continue
        if digest and digest not in found:
            found.append(digest)
    return found
