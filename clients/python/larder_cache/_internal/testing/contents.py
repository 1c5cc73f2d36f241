"""The types that an item can contain besides bytes."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from typing import Union


class Dictionary(dict[bytes, bytes]):
    """Fields and their values."""


class ElementSet(dict[bytes, None]):
    """Distinct elements in insertion order, so that test runs are reproducible."""


class SortedSet(dict[bytes, float]):
    """Elements and their scores."""

    def ordered(self, *, descending: bool = False) -> list[tuple[bytes, float]]:
        """Return the elements by score, and by their bytes for equal scores (ZSET-1)."""
        return sorted(self.items(), key=lambda each: (each[1], each[0]), reverse=descending)


class ElementList:
    """Elements in order. Each has a unique number that grows from front to back; scans use it as the position."""

    def __init__(self) -> None:
        self.values: list[bytes] = []
        self._numbers: list[int] = []
        self._front = self._back = 0

    def __len__(self) -> int:
        return len(self.values)

    def push_front(self, values: Sequence[bytes]) -> None:
        """Add elements before the first, in the given order."""
        self.values[:0] = values
        self._numbers[:0] = range(self._front - len(values), self._front)
        self._front -= len(values)

    def push_back(self, values: Sequence[bytes]) -> None:
        """Add elements after the last."""
        self.values += values
        self._numbers += range(self._back, self._back + len(values))
        self._back += len(values)

    def keep(self, start: int | None, end: int | None) -> None:
        """Remove all elements outside a slice."""
        self.values, self._numbers = self.values[start:end], self._numbers[start:end]

    def keep_at(self, places: Iterable[int]) -> None:
        """Remove all elements but those at these positions, which are in order."""
        kept = list(places)
        self.values = [self.values[place] for place in kept]
        self._numbers = [self._numbers[place] for place in kept]

    def number_at(self, place: int) -> int:
        """Return the number of the element at a position."""
        return self._numbers[place]

    def place_after(self, number: int) -> int:
        """Return the position of the first element after a number."""
        return bisect_right(self._numbers, number)


Collection = Union[Dictionary, ElementSet, SortedSet, ElementList]
Content = Union[bytes, Collection]
# In the order of ItemType's numbers, as ItemGetType returns them.
TYPES: tuple[type[Content], ...] = (bytes, Dictionary, ElementSet, ElementList, SortedSet)
