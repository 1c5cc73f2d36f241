"""The types that the content of an item can have in addition to bytes."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from typing import Union


class Dictionary(dict[bytes, bytes]):
    """The content of a dictionary: fields and their values."""


class ElementSet(dict[bytes, None]):
    """The content of a set: distinct elements. They have insertion order, so that test runs are reproducible."""


class SortedSet(dict[bytes, float]):
    """The content of a sorted set: elements and their scores."""

    def ordered(self, *, descending: bool = False) -> list[tuple[bytes, float]]:
        """Return the elements sorted by score. Elements with equal scores are sorted by their bytes (ZSET-1)."""
        return sorted(self.items(), key=lambda each: (each[1], each[0]), reverse=descending)


class ElementList:
    """The content of a list: elements in order.

    Each element has a unique number. The numbers increase from front to back. Scans use them as positions.
    """

    def __init__(self) -> None:
        self.values: list[bytes] = []
        self._numbers: list[int] = []
        self._front = self._back = 0

    def __len__(self) -> int:
        return len(self.values)

    def push_front(self, values: Sequence[bytes]) -> None:
        """Add elements before the first element, in the given order."""
        self.values[:0] = values
        self._numbers[:0] = range(self._front - len(values), self._front)
        self._front -= len(values)

    def push_back(self, values: Sequence[bytes]) -> None:
        """Add elements after the last element."""
        self.values += values
        self._numbers += range(self._back, self._back + len(values))
        self._back += len(values)

    def keep(self, start: int | None, end: int | None) -> None:
        """Remove all elements outside a slice."""
        self.values, self._numbers = self.values[start:end], self._numbers[start:end]

    def keep_at(self, places: Iterable[int]) -> None:
        """Remove all elements except those at the given positions, which must be in order."""
        kept = list(places)
        self.values = [self.values[place] for place in kept]
        self._numbers = [self._numbers[place] for place in kept]

    def number_at(self, place: int) -> int:
        """Return the number of the element at a position."""
        return self._numbers[place]

    def place_after(self, number: int) -> int:
        """Return the position of the first element whose number is larger than `number`."""
        return bisect_right(self._numbers, number)


Collection = Union[Dictionary, ElementSet, SortedSet, ElementList]
Content = Union[bytes, Collection]
# The types in the order of the numbers that ItemGetType returns.
TYPES: tuple[type[Content], ...] = (bytes, Dictionary, ElementSet, ElementList, SortedSet)
