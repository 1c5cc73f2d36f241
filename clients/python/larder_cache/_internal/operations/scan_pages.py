"""The results of scans: a page of a cache's keys, or of a collection's elements."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

from larder_cache._internal.common.shown_values import shown


class ItemType(enum.Enum):
    """The types of items."""

    SCALAR = "scalar"
    DICTIONARY = "dictionary"
    SET = "set"
    LIST = "list"
    SORTED_SET = "sortedSet"


@dataclass(slots=True)
class ScannedKey:
    """A key found by a scan, with the item's type, its remaining time in ms, and its total size in bytes."""

    key: bytes
    type: ItemType
    remaining_ttl_ms: int
    size_bytes: int


@dataclass(slots=True, repr=False)
class KeyPage:
    """A page of keys, unordered. It may be empty although more follow.

    `cursor`: pass it to the next call; empty: this is the last page.
    """

    keys: list[ScannedKey]
    cursor: bytes

    def __repr__(self) -> str:
        return f"KeyPage({len(self.keys):,} keys{'' if self.cursor else ', the last'})"


class DictionaryField(NamedTuple):
    """A field of a dictionary, and its value."""

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
    """A page of a dictionary. `items`: fields, unordered; may be empty although more follow.

    `cursor`, of each page: pass it to the next call; empty: this is the last page.
    """

    type: ClassVar[ItemType] = ItemType.DICTIONARY
    items: list[DictionaryField]
    cursor: bytes

    def __repr__(self) -> str:
        return f"DictionaryPage({len(self.items):,} items{'' if self.cursor else ', the last'})"

    @property
    def texts(self) -> dict[str, str]:
        """The items as UTF-8. Raises UnicodeDecodeError if one is not."""
        return {each.field.decode(): each.value.decode() for each in self.items}


@dataclass(slots=True, repr=False)
class SetPage:
    """A page of a set. `elements`: unordered; may be empty although more follow."""

    type: ClassVar[ItemType] = ItemType.SET
    elements: list[bytes]
    cursor: bytes

    def __repr__(self) -> str:
        return f"SetPage({len(self.elements):,} elements{'' if self.cursor else ', the last'})"

    @property
    def texts(self) -> list[str]:
        """The elements as UTF-8. Raises UnicodeDecodeError if one is not."""
        return [each.decode() for each in self.elements]


@dataclass(slots=True, repr=False)
class ListPage:
    """A page of a list. `values`: the elements in order; may be empty although more follow."""

    type: ClassVar[ItemType] = ItemType.LIST
    values: list[bytes]
    cursor: bytes

    def __repr__(self) -> str:
        return f"ListPage({len(self.values):,} values{'' if self.cursor else ', the last'})"

    @property
    def texts(self) -> list[str]:
        """The values as UTF-8. Raises UnicodeDecodeError if one is not."""
        return [each.decode() for each in self.values]


@dataclass(slots=True, repr=False)
class SortedSetPage:
    """A page of a sorted set. `elements`: with their scores; may be empty although more follow."""

    type: ClassVar[ItemType] = ItemType.SORTED_SET
    elements: list[ScoredElement]
    cursor: bytes

    def __repr__(self) -> str:
        return f"SortedSetPage({len(self.elements):,} elements{'' if self.cursor else ', the last'})"

    @property
    def texts(self) -> dict[str, float]:
        """The elements as UTF-8. Raises UnicodeDecodeError if one is not."""
        return {each.value.decode(): each.score for each in self.elements}
