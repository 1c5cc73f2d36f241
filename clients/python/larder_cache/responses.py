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


class ItemType(enum.Enum):
    """The types of items."""

    SCALAR = "scalar"
    DICTIONARY = "dictionary"
    SET = "set"
    LIST = "list"
    SORTED_SET = "sortedSet"


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


# operations: cases (tools/operations writes them from operations.toml)


@dataclass(slots=True)
class Incremented:
    """The item was incremented. `value`: the value after the increment."""

    value: int


@dataclass(slots=True)
class RemainingTtl:
    """The item exists. `remaining_ttl_ms`: time until it expires, floored to the millisecond."""

    remaining_ttl_ms: int


@dataclass(slots=True)
class FoundType:
    """The item exists. `type`: what the item holds."""

    type: ItemType


@dataclass(slots=True)
class TtlSet:
    """The TTL was changed."""


TTL_SET = TtlSet()


@dataclass(slots=True)
class TtlNotSet:
    """The TTL stands as it was: the change would not have increased (or decreased) it."""


TTL_NOT_SET = TtlNotSet()


@dataclass(slots=True)
class StoredWithHash:
    """The condition held, and the value is stored. `hash`: the hash of the value now stored."""

    hash: bytes


# operations: end

MISS = Miss()
SUCCESS = Success()
STORED = Stored()
NOT_STORED = NotStored()
MISSING = Missing()

GetResponse = Union[Hit, Miss, Error]
SetResponse = Union[Success, Error]
KeyExistsResponse = Union[Exists, Error]
GetWithHashResponse = Union[FoundWithHash, Missing, Error]
GetBatchResponse = Union[GetBatchSuccess, Error]
SetBatchResponse = Union[Success, Error]
ListCachesResponse = Union[Caches, Error]
# operations: unions (tools/operations writes them from operations.toml)
DeleteResponse = Union[Success, Error]
IncrementResponse = Union[Incremented, Error]
ItemGetTtlResponse = Union[RemainingTtl, Missing, Error]
ItemGetTypeResponse = Union[FoundType, Missing, Error]
UpdateTtlResponse = Union[TtlSet, TtlNotSet, Missing, Error]
SetIfResponse = Union[Stored, NotStored, Error]
SetIfHashResponse = Union[StoredWithHash, NotStored, Error]
KeysExistResponse = Union[ExistsEach, Error]
CreateCacheResponse = Union[Success, Error]
DeleteCacheResponse = Union[Success, Error]
FlushCacheResponse = Union[Success, Error]
PingResponse = Union[Success, Error]
# operations: end
