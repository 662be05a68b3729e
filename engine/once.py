"""A value that is made when it is first needed, and only once, whoever asks at the same time."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Generic, TypeVar

T = TypeVar("T")


class Once(Generic[T]):
    """A value to come.

    >>> once = Once[int]()
    >>> once.get(lambda: 1), once.get(lambda: 2)
    (1, 1)
    """

    def __init__(self) -> None:
        self._made: list[T] = []
        self._lock = threading.RLock()

    def get(self, make: Callable[[], T]) -> T:
        """Return the value; whoever asks first makes it, and others wait for it."""
        if not self._made:
            with self._lock:
                if not self._made:
                    self._made.append(make())
        return self._made[0]

    def __reduce__(self) -> tuple[type[Once[T]], tuple[()]]:
        """Give a copy nothing: it makes its own, where it is needed."""
        return type(self), ()
