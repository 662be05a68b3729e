"""Texts that visitors gave to train on."""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock

from explorer import recipes

_KEPT_BYTES = 256 * 1024 * 1024


class Texts:
    """Texts that visitors gave to train on, by digest; the oldest go when there are too many."""

    def __init__(self) -> None:
        """Start empty."""
        self._texts: OrderedDict[str, str] = OrderedDict()
        self._size = 0
        self._lock = Lock()

    def keep(self, text: str) -> str:
        """Keep a text and return its digest."""
        name = recipes.digest(text)
        with self._lock:
            if name not in self._texts:
                self._texts[name] = text
                self._size += len(text)
            self._texts.move_to_end(name)
            while self._size > _KEPT_BYTES and len(self._texts) > 1:
                self._size -= len(self._texts.popitem(last=False)[1])
        return name

    def __contains__(self, digest: str) -> bool:
        return digest in self._texts

    def get(self, digest: str) -> str:
        """Return a text.

        Raises:
            ValueError: It is not kept: it came with a link that could not hold it, or is too old.
        """
        if digest not in self._texts:
            raise ValueError("the corpus of this recipe is a text that is not in the link; paste or upload it again")
        return self._texts[digest]
