"""The responses of `cache.results`. The responses of each call are a closed set, for use with `match`."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Union

from larder_cache._internal.common.shown_values import shown as _shown
from larder_cache._internal.operations.scan_pages import DictionaryField as DictionaryField
from larder_cache._internal.operations.scan_pages import DictionaryPage as DictionaryPage
from larder_cache._internal.operations.scan_pages import ItemType as ItemType
from larder_cache._internal.operations.scan_pages import KeyPage as KeyPage
from larder_cache._internal.operations.scan_pages import ListPage as ListPage
from larder_cache._internal.operations.scan_pages import ScannedKey as ScannedKey  # noqa: F401 (a part of KeyPage)
from larder_cache._internal.operations.scan_pages import ScoredElement as ScoredElement
from larder_cache._internal.operations.scan_pages import SetPage as SetPage
from larder_cache._internal.operations.scan_pages import SortedSetPage as SortedSetPage
from larder_cache._internal.operations.typed_responses import TypedGetBatchSuccess as TypedGetBatchSuccess  # noqa: F401
from larder_cache._internal.operations.typed_responses import TypedHit as TypedHit  # noqa: F401
from larder_cache.errors import CacheError, ErrorCode


@dataclass(slots=True, repr=False)
class Hit:
    """The item exists. `value` contains its bytes."""

    value: bytes

    def __repr__(self) -> str:
        return f"Hit({_shown(self.value)})"

    @property
    def text(self) -> str:
        """The value, decoded as UTF-8. Raises UnicodeDecodeError if the value is not valid UTF-8."""
        return self.value.decode()


@dataclass(slots=True)
class Miss:
    """The item does not exist or has expired. This is not an error."""


@dataclass(slots=True)
class Error:
    """The call failed. `code` is the kind of the failure.

    The calls of `Cache` raise a CacheError instead.
    """

    code: ErrorCode
    message: str
    cause: str | None = None
    # The exception that a token provider raised. Its text may contain the token.
    exception: BaseException | None = field(default=None, repr=False, compare=False)
    # Whether the server does not support the call (UNIMPLEMENTED). The code UNKNOWN also stands for other failures.
    is_unsupported: bool = field(default=False, init=False, repr=False, compare=False)

    def to_exception(self) -> CacheError:
        """Return the error as an exception to raise."""
        raised = CacheError(self.code, self.message, self.cause)
        raised.__cause__ = self.exception
        return raised


@dataclass(slots=True)
class Success:
    """The call succeeded."""


@dataclass(slots=True)
class Exists:
    """The call succeeded. `exists` is true if the key exists."""

    exists: bool


@dataclass(slots=True, repr=False)
class ExistsEach:
    """The call succeeded. `exists` contains, for each key in the order of the request, whether the key exists."""

    exists: list[bool]

    def __repr__(self) -> str:
        return f"ExistsEach({sum(self.exists):,} of {len(self.exists):,} exist)"


@dataclass(slots=True)
class Stored:
    """The condition was met, and the value was stored."""


@dataclass(slots=True)
class NotStored:
    """The condition was not met. Nothing was changed."""


@dataclass(slots=True, repr=False)
class FoundWithHash:
    """The item exists. `value` is its value, and `hash` is the value's hash (opaque bytes)."""

    value: bytes
    hash: bytes

    def __repr__(self) -> str:
        return f"FoundWithHash({_shown(self.value)}, hash={self.hash.hex()})"


@dataclass(slots=True)
class Missing:
    """The item does not exist or has expired."""


@dataclass(slots=True, repr=False)
class GetBatchSuccess:
    """The responses of a batch, one per key in the order of the request.

    If only a part of a large batch failed, the responses of that part's keys are Errors.
    """

    responses: list[Hit | Miss | Error]

    def __repr__(self) -> str:
        hits = sum(isinstance(each, Hit) for each in self.responses)
        return f"GetBatchSuccess({len(self.responses):,} responses, {hits:,} hits)"

    @property
    def values(self) -> list[bytes | None]:
        """The values in the order of the request. None for a miss or an error."""
        return [r.value if isinstance(r, Hit) else None for r in self.responses]


@dataclass(slots=True)
class Caches:
    """The names of the server's caches, and the longest time to live that each cache accepts, in seconds (TTL-16)."""

    names: list[str]
    max_ttl_s: dict[str, int] = field(default_factory=dict[str, int], compare=False)


@dataclass(slots=True)
class SetContainsElementHit:
    """The set exists. `contains` is true if the set contains the element."""

    contains: bool


@dataclass(slots=True)
class SortedSetGetElementScoreHit:
    """The sorted set contains the element. `score`: the score of the element, which may be infinite."""

    score: float


# operations: cases (tools/operations writes them from operations.toml)


@dataclass(slots=True)
class Incremented:
    """The item was incremented. `value`: the value after the increment."""

    value: int


@dataclass(slots=True)
class RemainingTtl:
    """The item exists. `remaining_ttl_ms`: the time until the item expires, rounded down to milliseconds."""

    remaining_ttl_ms: int


@dataclass(slots=True)
class FoundType:
    """The item exists. `type`: the type of the item."""

    type: ItemType


@dataclass(slots=True)
class TtlSet:
    """The TTL was changed."""


TTL_SET = TtlSet()


@dataclass(slots=True)
class TtlNotSet:
    """The TTL is unchanged, because the new TTL is not longer (or not shorter) than the remaining TTL."""


TTL_NOT_SET = TtlNotSet()


@dataclass(slots=True, repr=False)
class PrefixDiffers:
    """The value does not begin with the given prefix; the item is unchanged. `prefix`: the first 64 bytes of the value,
    or the whole value if it is shorter.
    """

    prefix: bytes

    @property
    def text(self) -> str:
        """The prefix as UTF-8. Raises UnicodeDecodeError if it is not valid UTF-8."""
        return self.prefix.decode()


@dataclass(slots=True)
class StoredWithHash:
    """The condition held, and the value is stored. `hash`: the hash of the value now stored."""

    hash: bytes


@dataclass(slots=True, repr=False)
class DictionaryGetHit:
    """The dictionary exists. `values`: one entry for each requested field, in the same order; None for each missing
    one.
    """

    values: list[bytes | None]

    def __repr__(self) -> str:
        return f"DictionaryGetHit({len(self.values):,} values)"

    @property
    def texts(self) -> list[str | None]:
        """The values as UTF-8. Raises UnicodeDecodeError if one of them is not valid UTF-8."""
        return [None if each is None else each.decode() for each in self.values]


@dataclass(slots=True, repr=False)
class DictionaryFetchHit:
    """The dictionary exists. `items`: all fields, read atomically."""

    items: list[DictionaryField]

    def __repr__(self) -> str:
        return f"DictionaryFetchHit({len(self.items):,} items)"

    @property
    def texts(self) -> dict[str, str]:
        """The items as UTF-8. Raises UnicodeDecodeError if one of them is not valid UTF-8."""
        return {each.field.decode(): each.value.decode() for each in self.items}


@dataclass(slots=True)
class DictionaryIncrementSuccess:
    """The field was incremented. `value`: the field's value after the increment."""

    value: int


@dataclass(slots=True)
class DictionaryLengthHit:
    """The dictionary exists. `length`: the number of elements."""

    length: int


@dataclass(slots=True, repr=False)
class SetFetchHit:
    """The set exists. `elements`: the elements."""

    elements: list[bytes]

    def __repr__(self) -> str:
        return f"SetFetchHit({len(self.elements):,} elements)"

    @property
    def texts(self) -> list[str]:
        """The elements as UTF-8. Raises UnicodeDecodeError if one of them is not valid UTF-8."""
        return [each.decode() for each in self.elements]


@dataclass(slots=True, repr=False)
class SetSampleHit:
    """The set exists. `elements`: the elements."""

    elements: list[bytes]

    def __repr__(self) -> str:
        return f"SetSampleHit({len(self.elements):,} elements)"

    @property
    def texts(self) -> list[str]:
        """The elements as UTF-8. Raises UnicodeDecodeError if one of them is not valid UTF-8."""
        return [each.decode() for each in self.elements]


@dataclass(slots=True)
class SetDifferenceHit:
    """The set exists."""


SET_DIFFERENCE_HIT = SetDifferenceHit()


@dataclass(slots=True, repr=False)
class SetContainsHit:
    """The set exists. `contains`: whether the set contains each element, in the order of the elements."""

    contains: list[bool]

    def __repr__(self) -> str:
        return f"SetContainsHit({sum(self.contains):,} of {len(self.contains):,})"


@dataclass(slots=True)
class SetLengthHit:
    """The set exists. `length`: the number of elements."""

    length: int


@dataclass(slots=True, repr=False)
class SetPopHit:
    """The set exists. `elements`: the elements."""

    elements: list[bytes]

    def __repr__(self) -> str:
        return f"SetPopHit({len(self.elements):,} elements)"

    @property
    def texts(self) -> list[str]:
        """The elements as UTF-8. Raises UnicodeDecodeError if one of them is not valid UTF-8."""
        return [each.decode() for each in self.elements]


@dataclass(slots=True)
class ListPushFrontSuccess:
    """The element was added. `length`: the number of elements in the list after the call."""

    length: int


@dataclass(slots=True)
class ListPushBackSuccess:
    """The element was added. `length`: the number of elements in the list after the call."""

    length: int


@dataclass(slots=True)
class ListConcatenateFrontSuccess:
    """The elements were added. `length`: the number of elements in the list after the call."""

    length: int


@dataclass(slots=True)
class ListConcatenateBackSuccess:
    """The elements were added. `length`: the number of elements in the list after the call."""

    length: int


@dataclass(slots=True, repr=False)
class ListPopFrontHit:
    """The list exists. `value`: the element that was removed. `length`: the number of elements in the list after the
    call.
    """

    value: bytes
    length: int

    def __repr__(self) -> str:
        return f"ListPopFrontHit({_shown(self.value)}, length={self.length:,})"

    @property
    def text(self) -> str:
        """The value as UTF-8. Raises UnicodeDecodeError if it is not valid UTF-8."""
        return self.value.decode()


@dataclass(slots=True, repr=False)
class ListPopBackHit:
    """The list exists. `value`: the element that was removed. `length`: the number of elements in the list after the
    call.
    """

    value: bytes
    length: int

    def __repr__(self) -> str:
        return f"ListPopBackHit({_shown(self.value)}, length={self.length:,})"

    @property
    def text(self) -> str:
        """The value as UTF-8. Raises UnicodeDecodeError if it is not valid UTF-8."""
        return self.value.decode()


@dataclass(slots=True, repr=False)
class ListFetchHit:
    """The list exists, and the slice is not empty. `values`: the elements."""

    values: list[bytes]

    def __repr__(self) -> str:
        return f"ListFetchHit({len(self.values):,} values)"

    @property
    def texts(self) -> list[str]:
        """The values as UTF-8. Raises UnicodeDecodeError if one of them is not valid UTF-8."""
        return [each.decode() for each in self.values]


@dataclass(slots=True)
class ListRetainHit:
    """The list exists. `length`: the number of elements."""

    length: int


@dataclass(slots=True)
class ListRemoveHit:
    """The list exists. `length`: the number of elements."""

    length: int


@dataclass(slots=True)
class ListEraseHit:
    """The list exists. `length`: the number of elements."""

    length: int


@dataclass(slots=True)
class ListLengthHit:
    """The list exists. `length`: the number of elements."""

    length: int


@dataclass(slots=True, repr=False)
class SortedSetFetchHit:
    """The sorted set exists. `elements`: the elements with their scores, in the requested order."""

    elements: list[ScoredElement]

    def __repr__(self) -> str:
        return f"SortedSetFetchHit({len(self.elements):,} elements)"

    @property
    def texts(self) -> dict[str, float]:
        """The elements as UTF-8. Raises UnicodeDecodeError if one of them is not valid UTF-8."""
        return {each.value.decode(): each.score for each in self.elements}


@dataclass(slots=True, repr=False)
class SortedSetGetScoreHit:
    """The sorted set exists. `scores`: one entry for each requested element, in the same order; None for each missing
    one.
    """

    scores: list[float | None]

    def __repr__(self) -> str:
        return f"SortedSetGetScoreHit({len(self.scores):,} scores)"


@dataclass(slots=True)
class SortedSetGetRankHit:
    """The sorted set exists. `rank`: the number of elements before this element in the requested order."""

    rank: int


@dataclass(slots=True)
class SortedSetIncrementSuccess:
    """The score was incremented. `score`: the score after the increment."""

    score: float


@dataclass(slots=True)
class SortedSetLengthHit:
    """The sorted set exists. `length`: the number of elements."""

    length: int


@dataclass(slots=True)
class SortedSetLengthByScoreHit:
    """The sorted set exists. `length`: the number of elements."""

    length: int


@dataclass(slots=True)
class SortedSetUnionStoreSuccess:
    """The union is stored. `length`: the number of elements in the union; if it is 0, the sorted set no longer
    exists.
    """

    length: int


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
ScanKeysResponse = Union[KeyPage, Error]
ScanItemsResponse = Union[DictionaryPage, SetPage, ListPage, SortedSetPage, Miss, Error]
DictionaryGetFieldResponse = Union[Hit, Miss, Error]
SetContainsElementResponse = Union[SetContainsElementHit, Miss, Error]
SortedSetGetElementScoreResponse = Union[SortedSetGetElementScoreHit, Miss, Error]
# operations: unions (tools/operations writes them from operations.toml)
DeleteResponse = Union[Success, Error]
IncrementResponse = Union[Incremented, Error]
ItemGetTtlResponse = Union[RemainingTtl, Missing, Error]
ItemGetTypeResponse = Union[FoundType, Missing, Error]
UpdateTtlResponse = Union[TtlSet, TtlNotSet, Missing, Error]
UpdateTtlIfPrefixResponse = Union[TtlSet, PrefixDiffers, Missing, Error]
SetIfResponse = Union[Stored, NotStored, Error]
SetIfHashResponse = Union[StoredWithHash, NotStored, Error]
KeysExistResponse = Union[ExistsEach, Error]
DictionaryGetResponse = Union[DictionaryGetHit, Miss, Error]
DictionaryFetchResponse = Union[DictionaryFetchHit, Miss, Error]
DictionarySetResponse = Union[Success, Error]
DictionaryIncrementResponse = Union[DictionaryIncrementSuccess, Error]
DictionaryDeleteResponse = Union[Success, Error]
DictionaryLengthResponse = Union[DictionaryLengthHit, Miss, Error]
SetFetchResponse = Union[SetFetchHit, Miss, Error]
SetSampleResponse = Union[SetSampleHit, Miss, Error]
SetUnionResponse = Union[Success, Error]
SetDifferenceResponse = Union[SetDifferenceHit, Miss, Error]
SetContainsResponse = Union[SetContainsHit, Miss, Error]
SetLengthResponse = Union[SetLengthHit, Miss, Error]
SetPopResponse = Union[SetPopHit, Miss, Error]
ListPushFrontResponse = Union[ListPushFrontSuccess, Error]
ListPushBackResponse = Union[ListPushBackSuccess, Error]
ListConcatenateFrontResponse = Union[ListConcatenateFrontSuccess, Error]
ListConcatenateBackResponse = Union[ListConcatenateBackSuccess, Error]
ListPopFrontResponse = Union[ListPopFrontHit, Miss, Error]
ListPopBackResponse = Union[ListPopBackHit, Miss, Error]
ListFetchResponse = Union[ListFetchHit, Miss, Error]
ListRetainResponse = Union[ListRetainHit, Miss, Error]
ListRemoveResponse = Union[ListRemoveHit, Miss, Error]
ListEraseResponse = Union[ListEraseHit, Miss, Error]
ListLengthResponse = Union[ListLengthHit, Miss, Error]
SortedSetPutResponse = Union[Success, Error]
SortedSetFetchResponse = Union[SortedSetFetchHit, Miss, Error]
SortedSetGetScoreResponse = Union[SortedSetGetScoreHit, Miss, Error]
SortedSetGetRankResponse = Union[SortedSetGetRankHit, Miss, Error]
SortedSetIncrementResponse = Union[SortedSetIncrementSuccess, Error]
SortedSetRemoveResponse = Union[Success, Error]
SortedSetLengthResponse = Union[SortedSetLengthHit, Miss, Error]
SortedSetLengthByScoreResponse = Union[SortedSetLengthByScoreHit, Miss, Error]
SortedSetUnionStoreResponse = Union[SortedSetUnionStoreSuccess, Error]
CreateCacheResponse = Union[Success, Error]
DeleteCacheResponse = Union[Success, Error]
FlushCacheResponse = Union[Success, Error]
PingResponse = Union[Success, Error]
RemoveByTagResponse = Union[Success, Error]
PublishResponse = Union[Success, Error]
# operations: end
