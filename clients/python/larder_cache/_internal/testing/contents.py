"""What an item may hold besides bytes."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from typing import Union


class Dictionary(dict[bytes, bytes]):
    """Fields with their values."""


class ElementSet(dict[bytes, None]):
    """Distinct elements, in the order in which they came: a test's run is as the one before."""


class SortedSet(dict[bytes, float]):
    """Elements with their scores."""

    def ordered(self, *, descending: bool = False) -> list[tuple[bytes, float]]:
        """By score, and by their bytes where scores are the same (ZSET-1)."""
        return sorted(self.items(), key=lambda each: (each[1], each[0]), reverse=descending)


class ElementList:
    """Elements in order. Each has a number, which grows from front to back and is given once: scans go by it."""

    def __init__(self) -> None:
        self.values: list[bytes] = []
        self._numbers: list[int] = []
        self._front = self._back = 0

    def __len__(self) -> int:
        return len(self.values)

    def push_front(self, values: Sequence[bytes]) -> None:
        """Add elements, which keep their order, before the first."""
        self.values[:0] = values
        self._numbers[:0] = range(self._front - len(values), self._front)
        self._front -= len(values)

    def push_back(self, values: Sequence[bytes]) -> None:
        """Add elements after the last."""
        self.values += values
        self._numbers += range(self._back, self._back + len(values))
        self._back += len(values)

    def keep(self, start: int | None, end: int | None) -> None:
        """Let go of all but a slice."""
        self.values, self._numbers = self.values[start:end], self._numbers[start:end]

    def keep_at(self, places: Iterable[int]) -> None:
        """Let go of all but the elements at these places, which are in order."""
        kept = list(places)
        self.values = [self.values[place] for place in kept]
        self._numbers = [self._numbers[place] for place in kept]

    def number_at(self, place: int) -> int:
        """The number of the element at a place."""
        return self._numbers[place]

    def place_after(self, number: int) -> int:
        """The place of the first element behind a number."""
        return bisect_right(self._numbers, number)


Collection = Union[Dictionary, ElementSet, SortedSet, ElementList]
Content = Union[bytes, Collection]
# ItemType's numbers, as ItemGetType answers them.
TYPES: tuple[type[Content], ...] = (bytes, Dictionary, ElementSet, ElementList, SortedSet)
