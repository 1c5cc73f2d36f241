"""Answers: each operation's are a closed set, made for `match`."""

from __future__ import annotations

import enum
from dataclasses import dataclass, field
from typing import Union

from larder_cache.errors import CacheError, ErrorCode

# Bytes of a value that its answer's text shows: logs are no place for whole values.
_SHOWN_BYTES = 32


def _shown(value: bytes) -> str:
    more = "…" if len(value) > _SHOWN_BYTES else ""
    return f"{len(value):,} byte{'' if len(value) == 1 else 's'}: {value[:_SHOWN_BYTES]!r}{more}"


@dataclass(slots=True, repr=False)
class Hit:
    """The item is there. `value` is its bytes."""

    value: bytes

    def __repr__(self) -> str:
        return f"Hit({_shown(self.value)})"

    @property
    def text(self) -> str:
        """The value as UTF-8. Raises UnicodeDecodeError where it is not."""
        return self.value.decode()


@dataclass(slots=True)
class Miss:
    """The item is not there, or has expired. Not an error."""


@dataclass(slots=True)
class Error:
    """The call failed. `code` says what a caller can do about it; a response, never raised by `CacheClient`."""

    code: ErrorCode
    message: str
    cause: str | None = None

    def to_exception(self) -> CacheError:
        """Return the same error as an exception to raise."""
        return CacheError(self.code, self.message, self.cause)


@dataclass(slots=True)
class Success:
    """The call did what it says."""


@dataclass(slots=True)
class Incremented:
    """`value` is the counter after adding (a signed 64-bit integer)."""

    value: int


@dataclass(slots=True)
class Exists:
    """`exists` says whether the key is there."""

    exists: bool


@dataclass(slots=True, repr=False)
class ExistsEach:
    """`exists` says, key by key in the request's order, whether it is there."""

    exists: list[bool]

    def __repr__(self) -> str:
        return f"ExistsEach({sum(self.exists):,} of {len(self.exists):,} are there)"


@dataclass(slots=True)
class Stored:
    """The condition held and the value was stored."""


@dataclass(slots=True)
class NotStored:
    """The condition did not hold; nothing changed."""


@dataclass(slots=True)
class StoredWithHash:
    """The condition held and the value was stored; `hash` is the hash of the new value."""

    hash: bytes


@dataclass(slots=True, repr=False)
class FoundWithHash:
    """The item is there: its value and the value's hash (opaque bytes)."""

    value: bytes
    hash: bytes

    def __repr__(self) -> str:
        return f"FoundWithHash({_shown(self.value)}, hash={self.hash.hex()})"


@dataclass(slots=True)
class Missing:
    """The item is not there, or has expired."""


@dataclass(slots=True)
class RemainingTtl:
    """The time the item has left, in milliseconds, rounded down."""

    remaining_ms: int


class ItemType(enum.Enum):
    """The types of items."""

    SCALAR = "scalar"
    DICTIONARY = "dictionary"
    SET = "set"
    LIST = "list"
    SORTED_SET = "sortedSet"


@dataclass(slots=True)
class FoundType:
    """The item's type."""

    type: ItemType


@dataclass(slots=True)
class TtlSet:
    """The time to live was changed."""


@dataclass(slots=True)
class TtlNotSet:
    """The item's time to live was already as long (or as short); nothing changed."""


@dataclass(slots=True, repr=False)
class GetBatchSuccess:
    """One answer per key, in the request's order; an Error where the key's part of a large batch failed."""

    responses: list[Hit | Miss | Error]

    def __repr__(self) -> str:
        hits = sum(isinstance(each, Hit) for each in self.responses)
        return f"GetBatchSuccess({len(self.responses):,} responses, {hits:,} hits)"

    @property
    def values(self) -> list[bytes | None]:
        """The values, None for a miss or an error."""
        return [r.value if isinstance(r, Hit) else None for r in self.responses]


@dataclass(slots=True)
class Caches:
    """The names of the server's caches, and the longest time to live that each takes, in seconds (TTL-16)."""

    names: list[str]
    max_ttl_s: dict[str, int] = field(default_factory=dict[str, int], compare=False)


MISS = Miss()
SUCCESS = Success()
STORED = Stored()
NOT_STORED = NotStored()
MISSING = Missing()
TTL_SET = TtlSet()
TTL_NOT_SET = TtlNotSet()

GetResponse = Union[Hit, Miss, Error]
SetResponse = Union[Success, Error]
DeleteResponse = Union[Success, Error]
IncrementResponse = Union[Incremented, Error]
KeyExistsResponse = Union[Exists, Error]
KeysExistResponse = Union[ExistsEach, Error]
SetIfResponse = Union[Stored, NotStored, Error]
SetIfHashResponse = Union[StoredWithHash, NotStored, Error]
GetWithHashResponse = Union[FoundWithHash, Missing, Error]
ItemGetTtlResponse = Union[RemainingTtl, Missing, Error]
ItemGetTypeResponse = Union[FoundType, Missing, Error]
UpdateTtlResponse = Union[TtlSet, TtlNotSet, Missing, Error]
GetBatchResponse = Union[GetBatchSuccess, Error]
SetBatchResponse = Union[Success, Error]
ControlResponse = Union[Success, Error]
ListCachesResponse = Union[Caches, Error]
