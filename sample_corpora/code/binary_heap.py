"""A heap that answers "which is the smallest?" and lets priorities change."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Generic, TypeVar

Item = TypeVar("Item", bound=Hashable)


@dataclass
class IndexedHeap(Generic[Item]):
    """Keep items by priority; the smallest stands at the root.

    >>> heap = IndexedHeap.of([("tea", 3.0), ("rice", 1.5), ("salt", 2.0)])
    >>> heap.pop()
    ('rice', 1.5)
    >>> heap.push("tea", 0.5)  # a new priority moves the item
    >>> [item for item, _ in heap.drain()]
    ['tea', 'salt']
    """

    _entries: list[tuple[float, Item]] = field(default_factory=list)
    _place: dict[Item, int] = field(default_factory=dict)

    @classmethod
    def of(cls, pairs: Iterable[tuple[Item, float]]) -> IndexedHeap[Item]:
        heap: IndexedHeap[Item] = cls()
        for item, priority in pairs:
            heap.push(item, priority)
        return heap

    def __len__(self) -> int:
        return len(self._entries)

    def __contains__(self, item: object) -> bool:
        return item in self._place

    def push(self, item: Item, priority: float) -> None:
        """Add an item, or give a known one a new priority."""
        if item in self._place:
            at = self._place[item]
            self._entries[at] = (priority, item)
        else:
            at = len(self._entries)
            self._entries.append((priority, item))
            self._place[item] = at
        self._sink(self._rise(at))

    def pop(self) -> tuple[Item, float]:
        """Take the item with the smallest priority away."""
        if not self._entries:
            raise IndexError("pop from an empty heap")
        priority, item = self._entries[0]
        last = self._entries.pop()
        del self._place[item]
        if self._entries:
            self._entries[0] = last
            self._place[last[1]] = 0
            self._sink(0)
        return item, priority

    def drain(self) -> Iterator[tuple[Item, float]]:
        while self._entries:
            yield self.pop()

    def _rise(self, at: int) -> int:
        while at > 0:
            parent = (at - 1) // 2
            if self._entries[parent][0] <= self._entries[at][0]:
                break
            self._swap(parent, at)
            at = parent
        return at

    def _sink(self, at: int) -> int:
        size = len(self._entries)
        while True:
            left, right, least = 2 * at + 1, 2 * at + 2, at
            if left < size and self._entries[left][0] < self._entries[least][0]:
                least = left
            if right < size and self._entries[right][0] < self._entries[least][0]:
                least = right
            if least == at:
                return at
            self._swap(least, at)
            at = least

    def _swap(self, a: int, b: int) -> None:
        self._entries[a], self._entries[b] = self._entries[b], self._entries[a]
        self._place[self._entries[a][1]] = a
        self._place[self._entries[b][1]] = b
