"""A value that several models share and that is made when it is first needed."""

from __future__ import annotations

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

    def get(self, make: Callable[[], T]) -> T:
        """Return the value; whoever asks first makes it."""
        if not self._made:
            self._made.append(make())
        return self._made[0]
