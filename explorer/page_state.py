"""The settings of a page: in the session, in its widgets, and in the address.

The address is written by the browser (see `components/address`), never by `st.query_params`, which would put every
typed letter into the history.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any
from urllib.parse import parse_qsl, quote, urlencode

import streamlit as st

from explorer import links, recipes
from explorer.settings import Setting
from explorer.state import texts

_TOO_LONG = "~"
"""What a link says of a setting that is too long for it."""


class PageState:
    """The settings of one page, from the address or from earlier in the session."""

    def __init__(self, page: str, settings: Mapping[str, Setting[Any]], version: int = 1) -> None:
        """Take the settings over from the address if a link was opened, else from the session.

        Texts of a visitor's own that the address holds (`t.<digest>`) are kept for `texts()`.
        """
        self._page, self._settings = page, settings
        self._values: dict[str, Any] = st.session_state.setdefault(f"view.{page}", {})
        self._sent: dict[str, bool] = st.session_state.setdefault(f"view.{page}.sent", {})
        self._drawn: set[str] = set()
        self.problems: list[str] = []
        popped = st.session_state.pop(f"view.{page}.popped", None)
        query = _parsed(popped) if popped is not None else dict(st.query_params.items())
        opened = not self._values and bool(query)
        if opened or popped is not None:
            self._read(query)
        for name, setting in settings.items():
            self._values.setdefault(name, setting.unsaid(bare=not query))
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
        """Return the key of the widget for a setting, with the setting's value put into it.

        The value is sent again until the page was drawn whole: of a run that another one interrupts, the browser may
        hear nothing, and its widget would then begin with its first option.
        """
        key = _key(self._page, name)
        if key in st.session_state:
            self[name] = st.session_state[key]
        else:
            self._sent[key] = False
        if not self._sent.get(key) and key not in self._drawn:
            st.session_state[key] = self._values[name]
        self._drawn.add(key)
        return key

    def drawn(self) -> None:
        """Note that the page was drawn whole."""
        self._sent.update(dict.fromkeys(self._drawn, True))

    def send_again(self) -> None:
        """Have the next run send every value again: the browser itself cut short what it heard of the last one."""
        self._sent.clear()

    def put(self, **values: Any) -> None:
        """Set what the page itself decides (an example, a preset); new widgets take it over at the next run."""
        for name, value in values.items():
            self[name] = value
        _renew(self._page, values)

    def query(self) -> tuple[str, list[str]]:
        """Write the settings as the query of an address.

        Returns:
            The query without "?", and the names of what was too long for it.
        """
        parts: dict[str, str] = {}
        too_long: list[str] = []
        for name, setting in self._settings.items():
            value = self._values[name]
            if value == setting.default and setting.begins is None:
                continue
            written = setting.write(value)
            if written is None:
                too_long.append(name)
                parts[name] = _TOO_LONG
            else:
                parts[name] = written
        for digest in self.own_texts():
            packed = links.pack(texts().get(digest)) if digest in texts() else None
            if packed is None:
                too_long.append("corpus")
            else:
                parts[f"t.{digest}"] = packed
        return urlencode(parts, quote_via=quote, safe="~:,/."), too_long

    def codes(self) -> list[str]:
        """List the codes of tokenizers and corpora that the view is made of."""
        values = [self._values[name] for name, setting in self._settings.items() if setting.codes]
        return [code for value in values for code in ([value] if isinstance(value, str) else value)]

    def own_texts(self) -> list[str]:
        """List the digests of the visitors' texts that the view is made of."""
        return list(dict.fromkeys(digest for code in self.codes() if (digest := recipes.text_of(code))))

    def lasting(self) -> str:
        """Return what of the settings makes an entry in the browser's history when it changes."""
        return repr({name: self._values[name] for name, s in self._settings.items() if not s.fleeting})

    def _read(self, query: Mapping[str, str]) -> None:
        for name, written in query.items():
            if name.startswith("t."):
                self._guarded("corpus", lambda written=written: texts().keep(links.unpack(written)))
        for name, setting in self._settings.items():
            if query.get(name) == _TOO_LONG:
                if name in self._values:  # the reader went back to it
                    continue
                self.problems.append(f"The link could not hold its “{name}”, so the default stands: it was too long.")
            self[name] = setting.unsaid(bare=not query)
            if query.get(name, _TOO_LONG) != _TOO_LONG:
                value = self._guarded(name, lambda s=setting, w=query[name]: s.read(w))
                self[name] = setting.default if value is None else value
        _renew(self._page, self._settings)

    def _guarded(self, name: str, read: Any) -> Any:
        try:
            return read()
        except ValueError as error:
            self.problems.append(f"The link's “{name}” could not be read, so the default stands: {error}.")
            return None


def hand_over(page: str, **values: Any) -> None:
    """Set settings of another page, for when it is drawn next."""
    st.session_state.setdefault(f"view.{page}", {}).update(values)
    _renew(page, values)


def _key(page: str, name: str) -> str:
    turn = st.session_state.get(f"view.{page}.turns", {}).get(name, 0)
    return f"{page}.{name}.{turn}" if turn else f"{page}.{name}"


def _renew(page: str, names: Iterable[str]) -> None:
    """Give settings whose widgets were drawn new ones, which begin with their values.

    A value that is set for a widget already drawn can be lost: if the page runs again at once, the browser, which has
    not heard of it, sends the old one back.
    """
    turns = st.session_state.setdefault(f"view.{page}.turns", {})
    sent = st.session_state.get(f"view.{page}.sent", {})
    for name in names:
        if sent.pop(_key(page, name), None) is not None:
            st.session_state.pop(_key(page, name), None)
            turns[name] = turns.get(name, 0) + 1
    st.session_state[f"view.{page}.opened"] = int(st.session_state.get(f"view.{page}.opened", 0)) + 1


def _parsed(query: str) -> dict[str, str]:
    return dict(parse_qsl(query.lstrip("?"), keep_blank_values=True))
