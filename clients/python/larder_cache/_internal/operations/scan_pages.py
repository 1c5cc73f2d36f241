"""The results of scans: pages of a cache's keys, or of a collection's elements."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

from larder_cache._internal.common.shown_values import shown


class ItemType(enum.Enum):
    """The type of an item."""

    SCALAR = "scalar"
    DICTIONARY = "dictionary"
    SET = "set"
    LIST = "list"
    SORTED_SET = "sortedSet"


@dataclass(slots=True)
class ScannedKey:
    """A key that a scan found, with the type, the remaining time in ms and the total size in bytes of its item."""

    key: bytes
    type: ItemType
    remaining_ttl_ms: int
    size_bytes: int


@dataclass(slots=True, repr=False)
class KeyPage:
    """A page of keys in no particular order. A page may be empty although more pages follow.

    Pass `cursor` to the next call. It is empty on the last page.
    """

    keys: list[ScannedKey]
    cursor: bytes

    def __repr__(self) -> str:
        return f"KeyPage({len(self.keys):,} keys{'' if self.cursor else ', the last'})"


class DictionaryField(NamedTuple):
    """The name of a dictionary field and its value."""

    field: bytes
    value: bytes

    def __repr__(self) -> str:
        return f"DictionaryField({shown(self.field)}, {shown(self.value)})"


class ScoredElement(NamedTuple):
    """An element of a sorted set and its score, which may be infinite."""

    value: bytes
    score: float

    def __repr__(self) -> str:
        return f"ScoredElement({shown(self.value)}, {self.score})"


@dataclass(slots=True, repr=False)
class DictionaryPage:
    """A page of a dictionary. `items` are fields in no particular order. They may be empty although more pages follow.

    Pass `cursor` to the next call. It is empty on the last page. The pages of the other collections work in the same
    way.
    """

    type: ClassVar[ItemType] = ItemType.DICTIONARY
    items: list[DictionaryField]
    cursor: bytes

    def __repr__(self) -> str:
        return f"DictionaryPage({len(self.items):,} items{'' if self.cursor else ', the last'})"

    @property
    def texts(self) -> dict[str, str]:
        """The items, decoded as UTF-8. Raises UnicodeDecodeError if an item is not valid UTF-8."""
        return {each.field.decode(): each.value.decode() for each in self.items}


@dataclass(slots=True, repr=False)
class SetPage:
    """A page of a set. `elements` are in no particular order. They may be empty although more pages follow."""

    type: ClassVar[ItemType] = ItemType.SET
    elements: list[bytes]
    cursor: bytes

    def __repr__(self) -> str:
        return f"SetPage({len(self.elements):,} elements{'' if self.cursor else ', the last'})"

    @property
    def texts(self) -> list[str]:
        """The elements, decoded as UTF-8. Raises UnicodeDecodeError if an element is not valid UTF-8."""
        return [each.decode() for each in self.elements]


@dataclass(slots=True, repr=False)
class ListPage:
    """A page of a list. `values` are the elements in order. They may be empty although more pages follow."""

    type: ClassVar[ItemType] = ItemType.LIST
    values: list[bytes]
    cursor: bytes

    def __repr__(self) -> str:
        return f"ListPage({len(self.values):,} values{'' if self.cursor else ', the last'})"

    @property
    def texts(self) -> list[str]:
        """The values, decoded as UTF-8. Raises UnicodeDecodeError if a value is not valid UTF-8."""
        return [each.decode() for each in self.values]


@dataclass(slots=True, repr=False)
class SortedSetPage:
    """A page of a sorted set. `elements` contains elements and scores. It may be empty although more pages follow."""

    type: ClassVar[ItemType] = ItemType.SORTED_SET
    elements: list[ScoredElement]
    cursor: bytes

    def __repr__(self) -> str:
        return f"SortedSetPage({len(self.elements):,} elements{'' if self.cursor else ', the last'})"

    @property
    def texts(self) -> dict[str, float]:
        """The elements, decoded as UTF-8. Raises UnicodeDecodeError if an element is not valid UTF-8."""
        return {each.value.decode(): each.score for each in self.elements}
