# Written by tools/operations from protocol/operations.toml and protocol/proto; not edited by hand.
from collections.abc import Iterable, Mapping
from typing import Any, ClassVar

from google.protobuf import descriptor, message
from google.protobuf.internal import containers, enum_type_wrapper

DESCRIPTOR: descriptor.FileDescriptor

class CacheResult(int, metaclass=enum_type_wrapper.EnumTypeWrapper): ...

Invalid: CacheResult
Ok: CacheResult
Hit: CacheResult
Miss: CacheResult

class SortedSetOrder(int, metaclass=enum_type_wrapper.EnumTypeWrapper): ...

ASCENDING: SortedSetOrder
DESCENDING: SortedSetOrder

class Empty(message.Message):
    def __init__(self) -> None: ...

class PingRequest(message.Message):
    def __init__(self) -> None: ...

class PingResponse(message.Message):
    def __init__(self) -> None: ...

class GetRequest(message.Message):
    KEY_FIELD_NUMBER: ClassVar[int]
    key: bytes
    def __init__(
        self,
        key: bytes | None = ...,
    ) -> None: ...

class GetResponse(message.Message):
    RESULT_FIELD_NUMBER: ClassVar[int]
    VALUE_FIELD_NUMBER: ClassVar[int]
    MESSAGE_FIELD_NUMBER: ClassVar[int]
    result: CacheResult
    value: bytes
    message: str
    def __init__(
        self,
        result: CacheResult | str | None = ...,
        value: bytes | None = ...,
        message: str | None = ...,
    ) -> None: ...

class GetWithHashRequest(message.Message):
    KEY_FIELD_NUMBER: ClassVar[int]
    key: bytes
    def __init__(
        self,
        key: bytes | None = ...,
    ) -> None: ...

class GetWithHashResponse(message.Message):
    class Found(message.Message):
        VALUE_FIELD_NUMBER: ClassVar[int]
        HASH_FIELD_NUMBER: ClassVar[int]
        value: bytes
        hash: bytes
        def __init__(
            self,
            value: bytes | None = ...,
            hash: bytes | None = ...,
        ) -> None: ...

    FOUND_FIELD_NUMBER: ClassVar[int]
    MISSING_FIELD_NUMBER: ClassVar[int]
    found: GetWithHashResponse.Found
    missing: Empty
    def __init__(
        self,
        found: GetWithHashResponse.Found | Mapping[str, Any] | None = ...,
        missing: Empty | Mapping[str, Any] | None = ...,
    ) -> None: ...

class GetBatchRequest(message.Message):
    ITEMS_FIELD_NUMBER: ClassVar[int]
    items: containers.RepeatedCompositeFieldContainer[GetRequest]
    def __init__(
        self,
        items: Iterable[GetRequest | Mapping[str, Any]] | None = ...,
    ) -> None: ...

class SetRequest(message.Message):
    KEY_FIELD_NUMBER: ClassVar[int]
    VALUE_FIELD_NUMBER: ClassVar[int]
    TTL_MS_FIELD_NUMBER: ClassVar[int]
    key: bytes
    value: bytes
    ttl_ms: int
    def __init__(
        self,
        key: bytes | None = ...,
        value: bytes | None = ...,
        ttl_ms: int | None = ...,
    ) -> None: ...

class SetResponse(message.Message):
    RESULT_FIELD_NUMBER: ClassVar[int]
    MESSAGE_FIELD_NUMBER: ClassVar[int]
    result: CacheResult
    message: str
    def __init__(
        self,
        result: CacheResult | str | None = ...,
        message: str | None = ...,
    ) -> None: ...

class SetBatchRequest(message.Message):
    ITEMS_FIELD_NUMBER: ClassVar[int]
    items: containers.RepeatedCompositeFieldContainer[SetRequest]
    def __init__(
        self,
        items: Iterable[SetRequest | Mapping[str, Any]] | None = ...,
    ) -> None: ...

class DeleteRequest(message.Message):
    KEY_FIELD_NUMBER: ClassVar[int]
    key: bytes
    def __init__(
        self,
        key: bytes | None = ...,
    ) -> None: ...

class DeleteResponse(message.Message):
    def __init__(self) -> None: ...

class KeysExistRequest(message.Message):
    KEYS_FIELD_NUMBER: ClassVar[int]
    keys: containers.RepeatedScalarFieldContainer[bytes]
    def __init__(
        self,
        keys: Iterable[bytes] | None = ...,
    ) -> None: ...

class KeysExistResponse(message.Message):
    EXISTS_FIELD_NUMBER: ClassVar[int]
    exists: containers.RepeatedScalarFieldContainer[bool]
    def __init__(
        self,
        exists: Iterable[bool] | None = ...,
    ) -> None: ...

class IncrementRequest(message.Message):
    KEY_FIELD_NUMBER: ClassVar[int]
    AMOUNT_FIELD_NUMBER: ClassVar[int]
    TTL_MS_FIELD_NUMBER: ClassVar[int]
    KEEP_TTL_FIELD_NUMBER: ClassVar[int]
    key: bytes
    amount: int
    ttl_ms: int
    keep_ttl: bool
    def __init__(
        self,
        key: bytes | None = ...,
        amount: int | None = ...,
        ttl_ms: int | None = ...,
        keep_ttl: bool | None = ...,
    ) -> None: ...

class IncrementResponse(message.Message):
    VALUE_FIELD_NUMBER: ClassVar[int]
    value: int
    def __init__(
        self,
        value: int | None = ...,
    ) -> None: ...

class Comparand(message.Message):
    VALUE_FIELD_NUMBER: ClassVar[int]
    value: bytes
    def __init__(
        self,
        value: bytes | None = ...,
    ) -> None: ...

class SetIfRequest(message.Message):
    KEY_FIELD_NUMBER: ClassVar[int]
    VALUE_FIELD_NUMBER: ClassVar[int]
    TTL_MS_FIELD_NUMBER: ClassVar[int]
    PRESENT_FIELD_NUMBER: ClassVar[int]
    PRESENT_AND_NOT_EQUAL_FIELD_NUMBER: ClassVar[int]
    ABSENT_FIELD_NUMBER: ClassVar[int]
    EQUAL_FIELD_NUMBER: ClassVar[int]
    ABSENT_OR_EQUAL_FIELD_NUMBER: ClassVar[int]
    NOT_EQUAL_FIELD_NUMBER: ClassVar[int]
    key: bytes
    value: bytes
    ttl_ms: int
    present: Empty
    present_and_not_equal: Comparand
    absent: Empty
    equal: Comparand
    absent_or_equal: Comparand
    not_equal: Comparand
    def __init__(
        self,
        key: bytes | None = ...,
        value: bytes | None = ...,
        ttl_ms: int | None = ...,
        present: Empty | Mapping[str, Any] | None = ...,
        present_and_not_equal: Comparand | Mapping[str, Any] | None = ...,
        absent: Empty | Mapping[str, Any] | None = ...,
        equal: Comparand | Mapping[str, Any] | None = ...,
        absent_or_equal: Comparand | Mapping[str, Any] | None = ...,
        not_equal: Comparand | Mapping[str, Any] | None = ...,
    ) -> None: ...

class SetIfResponse(message.Message):
    STORED_FIELD_NUMBER: ClassVar[int]
    NOT_STORED_FIELD_NUMBER: ClassVar[int]
    stored: Empty
    not_stored: Empty
    def __init__(
        self,
        stored: Empty | Mapping[str, Any] | None = ...,
        not_stored: Empty | Mapping[str, Any] | None = ...,
    ) -> None: ...

class HashComparand(message.Message):
    HASH_FIELD_NUMBER: ClassVar[int]
    hash: bytes
    def __init__(
        self,
        hash: bytes | None = ...,
    ) -> None: ...

class SetIfHashRequest(message.Message):
    KEY_FIELD_NUMBER: ClassVar[int]
    VALUE_FIELD_NUMBER: ClassVar[int]
    TTL_MS_FIELD_NUMBER: ClassVar[int]
    PRESENT_AND_NOT_HASH_EQUAL_FIELD_NUMBER: ClassVar[int]
    PRESENT_AND_HASH_EQUAL_FIELD_NUMBER: ClassVar[int]
    ABSENT_OR_HASH_EQUAL_FIELD_NUMBER: ClassVar[int]
    ABSENT_OR_NOT_HASH_EQUAL_FIELD_NUMBER: ClassVar[int]
    UNCONDITIONAL_FIELD_NUMBER: ClassVar[int]
    key: bytes
    value: bytes
    ttl_ms: int
    present_and_not_hash_equal: HashComparand
    present_and_hash_equal: HashComparand
    absent_or_hash_equal: HashComparand
    absent_or_not_hash_equal: HashComparand
    unconditional: Empty
    def __init__(
        self,
        key: bytes | None = ...,
        value: bytes | None = ...,
        ttl_ms: int | None = ...,
        present_and_not_hash_equal: HashComparand | Mapping[str, Any] | None = ...,
        present_and_hash_equal: HashComparand | Mapping[str, Any] | None = ...,
        absent_or_hash_equal: HashComparand | Mapping[str, Any] | None = ...,
        absent_or_not_hash_equal: HashComparand | Mapping[str, Any] | None = ...,
        unconditional: Empty | Mapping[str, Any] | None = ...,
    ) -> None: ...

class SetIfHashResponse(message.Message):
    class Stored(message.Message):
        NEW_HASH_FIELD_NUMBER: ClassVar[int]
        new_hash: bytes
        def __init__(
            self,
            new_hash: bytes | None = ...,
        ) -> None: ...

    STORED_FIELD_NUMBER: ClassVar[int]
    NOT_STORED_FIELD_NUMBER: ClassVar[int]
    stored: SetIfHashResponse.Stored
    not_stored: Empty
    def __init__(
        self,
        stored: SetIfHashResponse.Stored | Mapping[str, Any] | None = ...,
        not_stored: Empty | Mapping[str, Any] | None = ...,
    ) -> None: ...

class SetIfNotExistsRequest(message.Message):
    KEY_FIELD_NUMBER: ClassVar[int]
    VALUE_FIELD_NUMBER: ClassVar[int]
    TTL_MS_FIELD_NUMBER: ClassVar[int]
    key: bytes
    value: bytes
    ttl_ms: int
    def __init__(
        self,
        key: bytes | None = ...,
        value: bytes | None = ...,
        ttl_ms: int | None = ...,
    ) -> None: ...

class SetIfNotExistsResponse(message.Message):
    STORED_FIELD_NUMBER: ClassVar[int]
    NOT_STORED_FIELD_NUMBER: ClassVar[int]
    stored: Empty
    not_stored: Empty
    def __init__(
        self,
        stored: Empty | Mapping[str, Any] | None = ...,
        not_stored: Empty | Mapping[str, Any] | None = ...,
    ) -> None: ...

class UpdateTtlRequest(message.Message):
    KEY_FIELD_NUMBER: ClassVar[int]
    INCREASE_TO_MS_FIELD_NUMBER: ClassVar[int]
    DECREASE_TO_MS_FIELD_NUMBER: ClassVar[int]
    OVERWRITE_TO_MS_FIELD_NUMBER: ClassVar[int]
    key: bytes
    increase_to_ms: int
    decrease_to_ms: int
    overwrite_to_ms: int
    def __init__(
        self,
        key: bytes | None = ...,
        increase_to_ms: int | None = ...,
        decrease_to_ms: int | None = ...,
        overwrite_to_ms: int | None = ...,
    ) -> None: ...

class UpdateTtlResponse(message.Message):
    SET_FIELD_NUMBER: ClassVar[int]
    NOT_SET_FIELD_NUMBER: ClassVar[int]
    MISSING_FIELD_NUMBER: ClassVar[int]
    set: Empty
    not_set: Empty
    missing: Empty
    def __init__(
        self,
        set: Empty | Mapping[str, Any] | None = ...,
        not_set: Empty | Mapping[str, Any] | None = ...,
        missing: Empty | Mapping[str, Any] | None = ...,
    ) -> None: ...

class UpdateTtlIfPrefixRequest(message.Message):
    KEY_FIELD_NUMBER: ClassVar[int]
    PREFIX_FIELD_NUMBER: ClassVar[int]
    TTL_MS_FIELD_NUMBER: ClassVar[int]
    key: bytes
    prefix: bytes
    ttl_ms: int
    def __init__(
        self,
        key: bytes | None = ...,
        prefix: bytes | None = ...,
        ttl_ms: int | None = ...,
    ) -> None: ...

class UpdateTtlIfPrefixResponse(message.Message):
    class Different(message.Message):
        PREFIX_FIELD_NUMBER: ClassVar[int]
        prefix: bytes
        def __init__(
            self,
            prefix: bytes | None = ...,
        ) -> None: ...

    SET_FIELD_NUMBER: ClassVar[int]
    DIFFERENT_FIELD_NUMBER: ClassVar[int]
    MISSING_FIELD_NUMBER: ClassVar[int]
    set: Empty
    different: UpdateTtlIfPrefixResponse.Different
    missing: Empty
    def __init__(
        self,
        set: Empty | Mapping[str, Any] | None = ...,
        different: UpdateTtlIfPrefixResponse.Different | Mapping[str, Any] | None = ...,
        missing: Empty | Mapping[str, Any] | None = ...,
    ) -> None: ...

class ItemGetTtlRequest(message.Message):
    KEY_FIELD_NUMBER: ClassVar[int]
    key: bytes
    def __init__(
        self,
        key: bytes | None = ...,
    ) -> None: ...

class ItemGetTtlResponse(message.Message):
    class Found(message.Message):
        REMAINING_MS_FIELD_NUMBER: ClassVar[int]
        remaining_ms: int
        def __init__(
            self,
            remaining_ms: int | None = ...,
        ) -> None: ...

    FOUND_FIELD_NUMBER: ClassVar[int]
    MISSING_FIELD_NUMBER: ClassVar[int]
    found: ItemGetTtlResponse.Found
    missing: Empty
    def __init__(
        self,
        found: ItemGetTtlResponse.Found | Mapping[str, Any] | None = ...,
        missing: Empty | Mapping[str, Any] | None = ...,
    ) -> None: ...

class ItemGetTypeRequest(message.Message):
    KEY_FIELD_NUMBER: ClassVar[int]
    key: bytes
    def __init__(
        self,
        key: bytes | None = ...,
    ) -> None: ...

class ItemGetTypeResponse(message.Message):
    class ItemType(int, metaclass=enum_type_wrapper.EnumTypeWrapper): ...

    SCALAR: ItemGetTypeResponse.ItemType
    DICTIONARY: ItemGetTypeResponse.ItemType
    SET: ItemGetTypeResponse.ItemType
    LIST: ItemGetTypeResponse.ItemType
    SORTED_SET: ItemGetTypeResponse.ItemType

    class Found(message.Message):
        TYPE_FIELD_NUMBER: ClassVar[int]
        type: ItemGetTypeResponse.ItemType
        def __init__(
            self,
            type: ItemGetTypeResponse.ItemType | str | None = ...,
        ) -> None: ...

    FOUND_FIELD_NUMBER: ClassVar[int]
    MISSING_FIELD_NUMBER: ClassVar[int]
    found: ItemGetTypeResponse.Found
    missing: Empty
    def __init__(
        self,
        found: ItemGetTypeResponse.Found | Mapping[str, Any] | None = ...,
        missing: Empty | Mapping[str, Any] | None = ...,
    ) -> None: ...

class LengthFound(message.Message):
    LENGTH_FIELD_NUMBER: ClassVar[int]
    length: int
    def __init__(
        self,
        length: int | None = ...,
    ) -> None: ...

class DictionaryItem(message.Message):
    FIELD_FIELD_NUMBER: ClassVar[int]
    VALUE_FIELD_NUMBER: ClassVar[int]
    field: bytes
    value: bytes
    def __init__(
        self,
        field: bytes | None = ...,
        value: bytes | None = ...,
    ) -> None: ...

class DictionaryGetRequest(message.Message):
    NAME_FIELD_NUMBER: ClassVar[int]
    FIELDS_FIELD_NUMBER: ClassVar[int]
    name: bytes
    fields: containers.RepeatedScalarFieldContainer[bytes]
    def __init__(
        self,
        name: bytes | None = ...,
        fields: Iterable[bytes] | None = ...,
    ) -> None: ...

class DictionaryGetResponse(message.Message):
    class Found(message.Message):
        PARTS_FIELD_NUMBER: ClassVar[int]
        parts: containers.RepeatedCompositeFieldContainer[DictionaryGetResponse.Part]
        def __init__(
            self,
            parts: Iterable[DictionaryGetResponse.Part | Mapping[str, Any]] | None = ...,
        ) -> None: ...

    class Part(message.Message):
        RESULT_FIELD_NUMBER: ClassVar[int]
        VALUE_FIELD_NUMBER: ClassVar[int]
        result: CacheResult
        value: bytes
        def __init__(
            self,
            result: CacheResult | str | None = ...,
            value: bytes | None = ...,
        ) -> None: ...

    FOUND_FIELD_NUMBER: ClassVar[int]
    MISSING_FIELD_NUMBER: ClassVar[int]
    found: DictionaryGetResponse.Found
    missing: Empty
    def __init__(
        self,
        found: DictionaryGetResponse.Found | Mapping[str, Any] | None = ...,
        missing: Empty | Mapping[str, Any] | None = ...,
    ) -> None: ...

class DictionaryFetchRequest(message.Message):
    NAME_FIELD_NUMBER: ClassVar[int]
    name: bytes
    def __init__(
        self,
        name: bytes | None = ...,
    ) -> None: ...

class DictionaryFetchResponse(message.Message):
    class Found(message.Message):
        ITEMS_FIELD_NUMBER: ClassVar[int]
        items: containers.RepeatedCompositeFieldContainer[DictionaryItem]
        def __init__(
            self,
            items: Iterable[DictionaryItem | Mapping[str, Any]] | None = ...,
        ) -> None: ...

    FOUND_FIELD_NUMBER: ClassVar[int]
    MISSING_FIELD_NUMBER: ClassVar[int]
    found: DictionaryFetchResponse.Found
    missing: Empty
    def __init__(
        self,
        found: DictionaryFetchResponse.Found | Mapping[str, Any] | None = ...,
        missing: Empty | Mapping[str, Any] | None = ...,
    ) -> None: ...

class DictionarySetRequest(message.Message):
    NAME_FIELD_NUMBER: ClassVar[int]
    ITEMS_FIELD_NUMBER: ClassVar[int]
    TTL_MS_FIELD_NUMBER: ClassVar[int]
    REFRESH_TTL_FIELD_NUMBER: ClassVar[int]
    name: bytes
    items: containers.RepeatedCompositeFieldContainer[DictionaryItem]
    ttl_ms: int
    refresh_ttl: bool
    def __init__(
        self,
        name: bytes | None = ...,
        items: Iterable[DictionaryItem | Mapping[str, Any]] | None = ...,
        ttl_ms: int | None = ...,
        refresh_ttl: bool | None = ...,
    ) -> None: ...

class DictionarySetResponse(message.Message):
    def __init__(self) -> None: ...

class DictionaryIncrementRequest(message.Message):
    NAME_FIELD_NUMBER: ClassVar[int]
    FIELD_FIELD_NUMBER: ClassVar[int]
    AMOUNT_FIELD_NUMBER: ClassVar[int]
    TTL_MS_FIELD_NUMBER: ClassVar[int]
    REFRESH_TTL_FIELD_NUMBER: ClassVar[int]
    name: bytes
    field: bytes
    amount: int
    ttl_ms: int
    refresh_ttl: bool
    def __init__(
        self,
        name: bytes | None = ...,
        field: bytes | None = ...,
        amount: int | None = ...,
        ttl_ms: int | None = ...,
        refresh_ttl: bool | None = ...,
    ) -> None: ...

class DictionaryIncrementResponse(message.Message):
    VALUE_FIELD_NUMBER: ClassVar[int]
    value: int
    def __init__(
        self,
        value: int | None = ...,
    ) -> None: ...

class DictionaryDeleteRequest(message.Message):
    class Some(message.Message):
        FIELDS_FIELD_NUMBER: ClassVar[int]
        fields: containers.RepeatedScalarFieldContainer[bytes]
        def __init__(
            self,
            fields: Iterable[bytes] | None = ...,
        ) -> None: ...

    NAME_FIELD_NUMBER: ClassVar[int]
    SOME_FIELD_NUMBER: ClassVar[int]
    ALL_FIELD_NUMBER: ClassVar[int]
    name: bytes
    some: DictionaryDeleteRequest.Some
    all: Empty
    def __init__(
        self,
        name: bytes | None = ...,
        some: DictionaryDeleteRequest.Some | Mapping[str, Any] | None = ...,
        all: Empty | Mapping[str, Any] | None = ...,
    ) -> None: ...

class DictionaryDeleteResponse(message.Message):
    def __init__(self) -> None: ...

class DictionaryLengthRequest(message.Message):
    NAME_FIELD_NUMBER: ClassVar[int]
    name: bytes
    def __init__(
        self,
        name: bytes | None = ...,
    ) -> None: ...

class DictionaryLengthResponse(message.Message):
    FOUND_FIELD_NUMBER: ClassVar[int]
    MISSING_FIELD_NUMBER: ClassVar[int]
    found: LengthFound
    missing: Empty
    def __init__(
        self,
        found: LengthFound | Mapping[str, Any] | None = ...,
        missing: Empty | Mapping[str, Any] | None = ...,
    ) -> None: ...

class ElementsFound(message.Message):
    ELEMENTS_FIELD_NUMBER: ClassVar[int]
    elements: containers.RepeatedScalarFieldContainer[bytes]
    def __init__(
        self,
        elements: Iterable[bytes] | None = ...,
    ) -> None: ...

class SetFetchRequest(message.Message):
    NAME_FIELD_NUMBER: ClassVar[int]
    name: bytes
    def __init__(
        self,
        name: bytes | None = ...,
    ) -> None: ...

class SetFetchResponse(message.Message):
    FOUND_FIELD_NUMBER: ClassVar[int]
    MISSING_FIELD_NUMBER: ClassVar[int]
    found: ElementsFound
    missing: Empty
    def __init__(
        self,
        found: ElementsFound | Mapping[str, Any] | None = ...,
        missing: Empty | Mapping[str, Any] | None = ...,
    ) -> None: ...

class SetSampleRequest(message.Message):
    NAME_FIELD_NUMBER: ClassVar[int]
    LIMIT_FIELD_NUMBER: ClassVar[int]
    name: bytes
    limit: int
    def __init__(
        self,
        name: bytes | None = ...,
        limit: int | None = ...,
    ) -> None: ...

class SetSampleResponse(message.Message):
    FOUND_FIELD_NUMBER: ClassVar[int]
    MISSING_FIELD_NUMBER: ClassVar[int]
    found: ElementsFound
    missing: Empty
    def __init__(
        self,
        found: ElementsFound | Mapping[str, Any] | None = ...,
        missing: Empty | Mapping[str, Any] | None = ...,
    ) -> None: ...

class SetUnionRequest(message.Message):
    NAME_FIELD_NUMBER: ClassVar[int]
    ELEMENTS_FIELD_NUMBER: ClassVar[int]
    TTL_MS_FIELD_NUMBER: ClassVar[int]
    REFRESH_TTL_FIELD_NUMBER: ClassVar[int]
    name: bytes
    elements: containers.RepeatedScalarFieldContainer[bytes]
    ttl_ms: int
    refresh_ttl: bool
    def __init__(
        self,
        name: bytes | None = ...,
        elements: Iterable[bytes] | None = ...,
        ttl_ms: int | None = ...,
        refresh_ttl: bool | None = ...,
    ) -> None: ...

class SetUnionResponse(message.Message):
    def __init__(self) -> None: ...

class SetDifferenceRequest(message.Message):
    class Elements(message.Message):
        ELEMENTS_FIELD_NUMBER: ClassVar[int]
        elements: containers.RepeatedScalarFieldContainer[bytes]
        def __init__(
            self,
            elements: Iterable[bytes] | None = ...,
        ) -> None: ...

    class Subtrahend(message.Message):
        SET_FIELD_NUMBER: ClassVar[int]
        IDENTITY_FIELD_NUMBER: ClassVar[int]
        set: SetDifferenceRequest.Elements
        identity: Empty
        def __init__(
            self,
            set: SetDifferenceRequest.Elements | Mapping[str, Any] | None = ...,
            identity: Empty | Mapping[str, Any] | None = ...,
        ) -> None: ...

    NAME_FIELD_NUMBER: ClassVar[int]
    MINUEND_FIELD_NUMBER: ClassVar[int]
    SUBTRAHEND_FIELD_NUMBER: ClassVar[int]
    name: bytes
    minuend: SetDifferenceRequest.Elements
    subtrahend: SetDifferenceRequest.Subtrahend
    def __init__(
        self,
        name: bytes | None = ...,
        minuend: SetDifferenceRequest.Elements | Mapping[str, Any] | None = ...,
        subtrahend: SetDifferenceRequest.Subtrahend | Mapping[str, Any] | None = ...,
    ) -> None: ...

class SetDifferenceResponse(message.Message):
    FOUND_FIELD_NUMBER: ClassVar[int]
    MISSING_FIELD_NUMBER: ClassVar[int]
    found: Empty
    missing: Empty
    def __init__(
        self,
        found: Empty | Mapping[str, Any] | None = ...,
        missing: Empty | Mapping[str, Any] | None = ...,
    ) -> None: ...

class SetContainsRequest(message.Message):
    NAME_FIELD_NUMBER: ClassVar[int]
    ELEMENTS_FIELD_NUMBER: ClassVar[int]
    name: bytes
    elements: containers.RepeatedScalarFieldContainer[bytes]
    def __init__(
        self,
        name: bytes | None = ...,
        elements: Iterable[bytes] | None = ...,
    ) -> None: ...

class SetContainsResponse(message.Message):
    class Found(message.Message):
        CONTAINS_FIELD_NUMBER: ClassVar[int]
        contains: containers.RepeatedScalarFieldContainer[bool]
        def __init__(
            self,
            contains: Iterable[bool] | None = ...,
        ) -> None: ...

    FOUND_FIELD_NUMBER: ClassVar[int]
    MISSING_FIELD_NUMBER: ClassVar[int]
    found: SetContainsResponse.Found
    missing: Empty
    def __init__(
        self,
        found: SetContainsResponse.Found | Mapping[str, Any] | None = ...,
        missing: Empty | Mapping[str, Any] | None = ...,
    ) -> None: ...

class SetLengthRequest(message.Message):
    NAME_FIELD_NUMBER: ClassVar[int]
    name: bytes
    def __init__(
        self,
        name: bytes | None = ...,
    ) -> None: ...

class SetLengthResponse(message.Message):
    FOUND_FIELD_NUMBER: ClassVar[int]
    MISSING_FIELD_NUMBER: ClassVar[int]
    found: LengthFound
    missing: Empty
    def __init__(
        self,
        found: LengthFound | Mapping[str, Any] | None = ...,
        missing: Empty | Mapping[str, Any] | None = ...,
    ) -> None: ...

class SetPopRequest(message.Message):
    NAME_FIELD_NUMBER: ClassVar[int]
    COUNT_FIELD_NUMBER: ClassVar[int]
    name: bytes
    count: int
    def __init__(
        self,
        name: bytes | None = ...,
        count: int | None = ...,
    ) -> None: ...

class SetPopResponse(message.Message):
    FOUND_FIELD_NUMBER: ClassVar[int]
    MISSING_FIELD_NUMBER: ClassVar[int]
    found: ElementsFound
    missing: Empty
    def __init__(
        self,
        found: ElementsFound | Mapping[str, Any] | None = ...,
        missing: Empty | Mapping[str, Any] | None = ...,
    ) -> None: ...

class ListPushFrontRequest(message.Message):
    NAME_FIELD_NUMBER: ClassVar[int]
    VALUE_FIELD_NUMBER: ClassVar[int]
    TTL_MS_FIELD_NUMBER: ClassVar[int]
    REFRESH_TTL_FIELD_NUMBER: ClassVar[int]
    TRUNCATE_BACK_TO_SIZE_FIELD_NUMBER: ClassVar[int]
    name: bytes
    value: bytes
    ttl_ms: int
    refresh_ttl: bool
    truncate_back_to_size: int
    def __init__(
        self,
        name: bytes | None = ...,
        value: bytes | None = ...,
        ttl_ms: int | None = ...,
        refresh_ttl: bool | None = ...,
        truncate_back_to_size: int | None = ...,
    ) -> None: ...

class ListPushFrontResponse(message.Message):
    LENGTH_FIELD_NUMBER: ClassVar[int]
    length: int
    def __init__(
        self,
        length: int | None = ...,
    ) -> None: ...

class ListPushBackRequest(message.Message):
    NAME_FIELD_NUMBER: ClassVar[int]
    VALUE_FIELD_NUMBER: ClassVar[int]
    TTL_MS_FIELD_NUMBER: ClassVar[int]
    REFRESH_TTL_FIELD_NUMBER: ClassVar[int]
    TRUNCATE_FRONT_TO_SIZE_FIELD_NUMBER: ClassVar[int]
    name: bytes
    value: bytes
    ttl_ms: int
    refresh_ttl: bool
    truncate_front_to_size: int
    def __init__(
        self,
        name: bytes | None = ...,
        value: bytes | None = ...,
        ttl_ms: int | None = ...,
        refresh_ttl: bool | None = ...,
        truncate_front_to_size: int | None = ...,
    ) -> None: ...

class ListPushBackResponse(message.Message):
    LENGTH_FIELD_NUMBER: ClassVar[int]
    length: int
    def __init__(
        self,
        length: int | None = ...,
    ) -> None: ...

class ListConcatenateFrontRequest(message.Message):
    NAME_FIELD_NUMBER: ClassVar[int]
    VALUES_FIELD_NUMBER: ClassVar[int]
    TTL_MS_FIELD_NUMBER: ClassVar[int]
    REFRESH_TTL_FIELD_NUMBER: ClassVar[int]
    TRUNCATE_BACK_TO_SIZE_FIELD_NUMBER: ClassVar[int]
    name: bytes
    values: containers.RepeatedScalarFieldContainer[bytes]
    ttl_ms: int
    refresh_ttl: bool
    truncate_back_to_size: int
    def __init__(
        self,
        name: bytes | None = ...,
        values: Iterable[bytes] | None = ...,
        ttl_ms: int | None = ...,
        refresh_ttl: bool | None = ...,
        truncate_back_to_size: int | None = ...,
    ) -> None: ...

class ListConcatenateFrontResponse(message.Message):
    LENGTH_FIELD_NUMBER: ClassVar[int]
    length: int
    def __init__(
        self,
        length: int | None = ...,
    ) -> None: ...

class ListConcatenateBackRequest(message.Message):
    NAME_FIELD_NUMBER: ClassVar[int]
    VALUES_FIELD_NUMBER: ClassVar[int]
    TTL_MS_FIELD_NUMBER: ClassVar[int]
    REFRESH_TTL_FIELD_NUMBER: ClassVar[int]
    TRUNCATE_FRONT_TO_SIZE_FIELD_NUMBER: ClassVar[int]
    name: bytes
    values: containers.RepeatedScalarFieldContainer[bytes]
    ttl_ms: int
    refresh_ttl: bool
    truncate_front_to_size: int
    def __init__(
        self,
        name: bytes | None = ...,
        values: Iterable[bytes] | None = ...,
        ttl_ms: int | None = ...,
        refresh_ttl: bool | None = ...,
        truncate_front_to_size: int | None = ...,
    ) -> None: ...

class ListConcatenateBackResponse(message.Message):
    LENGTH_FIELD_NUMBER: ClassVar[int]
    length: int
    def __init__(
        self,
        length: int | None = ...,
    ) -> None: ...

class ListPopFrontRequest(message.Message):
    NAME_FIELD_NUMBER: ClassVar[int]
    name: bytes
    def __init__(
        self,
        name: bytes | None = ...,
    ) -> None: ...

class ListPopFrontResponse(message.Message):
    class Found(message.Message):
        VALUE_FIELD_NUMBER: ClassVar[int]
        LENGTH_FIELD_NUMBER: ClassVar[int]
        value: bytes
        length: int
        def __init__(
            self,
            value: bytes | None = ...,
            length: int | None = ...,
        ) -> None: ...

    FOUND_FIELD_NUMBER: ClassVar[int]
    MISSING_FIELD_NUMBER: ClassVar[int]
    found: ListPopFrontResponse.Found
    missing: Empty
    def __init__(
        self,
        found: ListPopFrontResponse.Found | Mapping[str, Any] | None = ...,
        missing: Empty | Mapping[str, Any] | None = ...,
    ) -> None: ...

class ListPopBackRequest(message.Message):
    NAME_FIELD_NUMBER: ClassVar[int]
    name: bytes
    def __init__(
        self,
        name: bytes | None = ...,
    ) -> None: ...

class ListPopBackResponse(message.Message):
    class Found(message.Message):
        VALUE_FIELD_NUMBER: ClassVar[int]
        LENGTH_FIELD_NUMBER: ClassVar[int]
        value: bytes
        length: int
        def __init__(
            self,
            value: bytes | None = ...,
            length: int | None = ...,
        ) -> None: ...

    FOUND_FIELD_NUMBER: ClassVar[int]
    MISSING_FIELD_NUMBER: ClassVar[int]
    found: ListPopBackResponse.Found
    missing: Empty
    def __init__(
        self,
        found: ListPopBackResponse.Found | Mapping[str, Any] | None = ...,
        missing: Empty | Mapping[str, Any] | None = ...,
    ) -> None: ...

class ListFetchRequest(message.Message):
    NAME_FIELD_NUMBER: ClassVar[int]
    UNBOUNDED_START_FIELD_NUMBER: ClassVar[int]
    INCLUSIVE_START_FIELD_NUMBER: ClassVar[int]
    UNBOUNDED_END_FIELD_NUMBER: ClassVar[int]
    EXCLUSIVE_END_FIELD_NUMBER: ClassVar[int]
    name: bytes
    unbounded_start: Empty
    inclusive_start: int
    unbounded_end: Empty
    exclusive_end: int
    def __init__(
        self,
        name: bytes | None = ...,
        unbounded_start: Empty | Mapping[str, Any] | None = ...,
        inclusive_start: int | None = ...,
        unbounded_end: Empty | Mapping[str, Any] | None = ...,
        exclusive_end: int | None = ...,
    ) -> None: ...

class ListFetchResponse(message.Message):
    FOUND_FIELD_NUMBER: ClassVar[int]
    MISSING_FIELD_NUMBER: ClassVar[int]
    found: ElementsFound
    missing: Empty
    def __init__(
        self,
        found: ElementsFound | Mapping[str, Any] | None = ...,
        missing: Empty | Mapping[str, Any] | None = ...,
    ) -> None: ...

class ListRetainRequest(message.Message):
    NAME_FIELD_NUMBER: ClassVar[int]
    UNBOUNDED_START_FIELD_NUMBER: ClassVar[int]
    INCLUSIVE_START_FIELD_NUMBER: ClassVar[int]
    UNBOUNDED_END_FIELD_NUMBER: ClassVar[int]
    EXCLUSIVE_END_FIELD_NUMBER: ClassVar[int]
    TTL_MS_FIELD_NUMBER: ClassVar[int]
    REFRESH_TTL_FIELD_NUMBER: ClassVar[int]
    name: bytes
    unbounded_start: Empty
    inclusive_start: int
    unbounded_end: Empty
    exclusive_end: int
    ttl_ms: int
    refresh_ttl: bool
    def __init__(
        self,
        name: bytes | None = ...,
        unbounded_start: Empty | Mapping[str, Any] | None = ...,
        inclusive_start: int | None = ...,
        unbounded_end: Empty | Mapping[str, Any] | None = ...,
        exclusive_end: int | None = ...,
        ttl_ms: int | None = ...,
        refresh_ttl: bool | None = ...,
    ) -> None: ...

class ListRetainResponse(message.Message):
    FOUND_FIELD_NUMBER: ClassVar[int]
    MISSING_FIELD_NUMBER: ClassVar[int]
    found: LengthFound
    missing: Empty
    def __init__(
        self,
        found: LengthFound | Mapping[str, Any] | None = ...,
        missing: Empty | Mapping[str, Any] | None = ...,
    ) -> None: ...

class ListRemoveRequest(message.Message):
    NAME_FIELD_NUMBER: ClassVar[int]
    ALL_WITH_VALUE_FIELD_NUMBER: ClassVar[int]
    name: bytes
    all_with_value: bytes
    def __init__(
        self,
        name: bytes | None = ...,
        all_with_value: bytes | None = ...,
    ) -> None: ...

class ListRemoveResponse(message.Message):
    FOUND_FIELD_NUMBER: ClassVar[int]
    MISSING_FIELD_NUMBER: ClassVar[int]
    found: LengthFound
    missing: Empty
    def __init__(
        self,
        found: LengthFound | Mapping[str, Any] | None = ...,
        missing: Empty | Mapping[str, Any] | None = ...,
    ) -> None: ...

class ListEraseRequest(message.Message):
    class Some(message.Message):
        RANGES_FIELD_NUMBER: ClassVar[int]
        ranges: containers.RepeatedCompositeFieldContainer[ListEraseRequest.Range]
        def __init__(
            self,
            ranges: Iterable[ListEraseRequest.Range | Mapping[str, Any]] | None = ...,
        ) -> None: ...

    class Range(message.Message):
        BEGIN_FIELD_NUMBER: ClassVar[int]
        COUNT_FIELD_NUMBER: ClassVar[int]
        begin: int
        count: int
        def __init__(
            self,
            begin: int | None = ...,
            count: int | None = ...,
        ) -> None: ...

    NAME_FIELD_NUMBER: ClassVar[int]
    SOME_FIELD_NUMBER: ClassVar[int]
    ALL_FIELD_NUMBER: ClassVar[int]
    name: bytes
    some: ListEraseRequest.Some
    all: Empty
    def __init__(
        self,
        name: bytes | None = ...,
        some: ListEraseRequest.Some | Mapping[str, Any] | None = ...,
        all: Empty | Mapping[str, Any] | None = ...,
    ) -> None: ...

class ListEraseResponse(message.Message):
    FOUND_FIELD_NUMBER: ClassVar[int]
    MISSING_FIELD_NUMBER: ClassVar[int]
    found: LengthFound
    missing: Empty
    def __init__(
        self,
        found: LengthFound | Mapping[str, Any] | None = ...,
        missing: Empty | Mapping[str, Any] | None = ...,
    ) -> None: ...

class ListLengthRequest(message.Message):
    NAME_FIELD_NUMBER: ClassVar[int]
    name: bytes
    def __init__(
        self,
        name: bytes | None = ...,
    ) -> None: ...

class ListLengthResponse(message.Message):
    FOUND_FIELD_NUMBER: ClassVar[int]
    MISSING_FIELD_NUMBER: ClassVar[int]
    found: LengthFound
    missing: Empty
    def __init__(
        self,
        found: LengthFound | Mapping[str, Any] | None = ...,
        missing: Empty | Mapping[str, Any] | None = ...,
    ) -> None: ...

class SortedSetElement(message.Message):
    VALUE_FIELD_NUMBER: ClassVar[int]
    SCORE_FIELD_NUMBER: ClassVar[int]
    value: bytes
    score: float
    def __init__(
        self,
        value: bytes | None = ...,
        score: float | None = ...,
    ) -> None: ...

class SortedSetPutRequest(message.Message):
    NAME_FIELD_NUMBER: ClassVar[int]
    ELEMENTS_FIELD_NUMBER: ClassVar[int]
    TTL_MS_FIELD_NUMBER: ClassVar[int]
    REFRESH_TTL_FIELD_NUMBER: ClassVar[int]
    name: bytes
    elements: containers.RepeatedCompositeFieldContainer[SortedSetElement]
    ttl_ms: int
    refresh_ttl: bool
    def __init__(
        self,
        name: bytes | None = ...,
        elements: Iterable[SortedSetElement | Mapping[str, Any]] | None = ...,
        ttl_ms: int | None = ...,
        refresh_ttl: bool | None = ...,
    ) -> None: ...

class SortedSetPutResponse(message.Message):
    def __init__(self) -> None: ...

class SortedSetFetchRequest(message.Message):
    class ByIndex(message.Message):
        UNBOUNDED_START_FIELD_NUMBER: ClassVar[int]
        INCLUSIVE_START_FIELD_NUMBER: ClassVar[int]
        UNBOUNDED_END_FIELD_NUMBER: ClassVar[int]
        EXCLUSIVE_END_FIELD_NUMBER: ClassVar[int]
        unbounded_start: Empty
        inclusive_start: int
        unbounded_end: Empty
        exclusive_end: int
        def __init__(
            self,
            unbounded_start: Empty | Mapping[str, Any] | None = ...,
            inclusive_start: int | None = ...,
            unbounded_end: Empty | Mapping[str, Any] | None = ...,
            exclusive_end: int | None = ...,
        ) -> None: ...

    class ByScore(message.Message):
        UNBOUNDED_MIN_FIELD_NUMBER: ClassVar[int]
        MIN_SCORE_FIELD_NUMBER: ClassVar[int]
        UNBOUNDED_MAX_FIELD_NUMBER: ClassVar[int]
        MAX_SCORE_FIELD_NUMBER: ClassVar[int]
        OFFSET_FIELD_NUMBER: ClassVar[int]
        COUNT_FIELD_NUMBER: ClassVar[int]
        unbounded_min: Empty
        min_score: SortedSetFetchRequest.Bound
        unbounded_max: Empty
        max_score: SortedSetFetchRequest.Bound
        offset: int
        count: int
        def __init__(
            self,
            unbounded_min: Empty | Mapping[str, Any] | None = ...,
            min_score: SortedSetFetchRequest.Bound | Mapping[str, Any] | None = ...,
            unbounded_max: Empty | Mapping[str, Any] | None = ...,
            max_score: SortedSetFetchRequest.Bound | Mapping[str, Any] | None = ...,
            offset: int | None = ...,
            count: int | None = ...,
        ) -> None: ...

    class Bound(message.Message):
        SCORE_FIELD_NUMBER: ClassVar[int]
        EXCLUSIVE_FIELD_NUMBER: ClassVar[int]
        score: float
        exclusive: bool
        def __init__(
            self,
            score: float | None = ...,
            exclusive: bool | None = ...,
        ) -> None: ...

    NAME_FIELD_NUMBER: ClassVar[int]
    ORDER_FIELD_NUMBER: ClassVar[int]
    WITH_SCORES_FIELD_NUMBER: ClassVar[int]
    BY_INDEX_FIELD_NUMBER: ClassVar[int]
    BY_SCORE_FIELD_NUMBER: ClassVar[int]
    name: bytes
    order: SortedSetOrder
    with_scores: bool
    by_index: SortedSetFetchRequest.ByIndex
    by_score: SortedSetFetchRequest.ByScore
    def __init__(
        self,
        name: bytes | None = ...,
        order: SortedSetOrder | str | None = ...,
        with_scores: bool | None = ...,
        by_index: SortedSetFetchRequest.ByIndex | Mapping[str, Any] | None = ...,
        by_score: SortedSetFetchRequest.ByScore | Mapping[str, Any] | None = ...,
    ) -> None: ...

class SortedSetFetchResponse(message.Message):
    class Found(message.Message):
        WITH_SCORES_FIELD_NUMBER: ClassVar[int]
        VALUES_FIELD_NUMBER: ClassVar[int]
        with_scores: SortedSetFetchResponse.WithScores
        values: SortedSetFetchResponse.Values
        def __init__(
            self,
            with_scores: SortedSetFetchResponse.WithScores | Mapping[str, Any] | None = ...,
            values: SortedSetFetchResponse.Values | Mapping[str, Any] | None = ...,
        ) -> None: ...

    class WithScores(message.Message):
        ELEMENTS_FIELD_NUMBER: ClassVar[int]
        elements: containers.RepeatedCompositeFieldContainer[SortedSetElement]
        def __init__(
            self,
            elements: Iterable[SortedSetElement | Mapping[str, Any]] | None = ...,
        ) -> None: ...

    class Values(message.Message):
        VALUES_FIELD_NUMBER: ClassVar[int]
        values: containers.RepeatedScalarFieldContainer[bytes]
        def __init__(
            self,
            values: Iterable[bytes] | None = ...,
        ) -> None: ...

    FOUND_FIELD_NUMBER: ClassVar[int]
    MISSING_FIELD_NUMBER: ClassVar[int]
    found: SortedSetFetchResponse.Found
    missing: Empty
    def __init__(
        self,
        found: SortedSetFetchResponse.Found | Mapping[str, Any] | None = ...,
        missing: Empty | Mapping[str, Any] | None = ...,
    ) -> None: ...

class SortedSetGetScoreRequest(message.Message):
    NAME_FIELD_NUMBER: ClassVar[int]
    VALUES_FIELD_NUMBER: ClassVar[int]
    name: bytes
    values: containers.RepeatedScalarFieldContainer[bytes]
    def __init__(
        self,
        name: bytes | None = ...,
        values: Iterable[bytes] | None = ...,
    ) -> None: ...

class SortedSetGetScoreResponse(message.Message):
    class Found(message.Message):
        PARTS_FIELD_NUMBER: ClassVar[int]
        parts: containers.RepeatedCompositeFieldContainer[SortedSetGetScoreResponse.Part]
        def __init__(
            self,
            parts: Iterable[SortedSetGetScoreResponse.Part | Mapping[str, Any]] | None = ...,
        ) -> None: ...

    class Part(message.Message):
        RESULT_FIELD_NUMBER: ClassVar[int]
        SCORE_FIELD_NUMBER: ClassVar[int]
        result: CacheResult
        score: float
        def __init__(
            self,
            result: CacheResult | str | None = ...,
            score: float | None = ...,
        ) -> None: ...

    FOUND_FIELD_NUMBER: ClassVar[int]
    MISSING_FIELD_NUMBER: ClassVar[int]
    found: SortedSetGetScoreResponse.Found
    missing: Empty
    def __init__(
        self,
        found: SortedSetGetScoreResponse.Found | Mapping[str, Any] | None = ...,
        missing: Empty | Mapping[str, Any] | None = ...,
    ) -> None: ...

class SortedSetGetRankRequest(message.Message):
    NAME_FIELD_NUMBER: ClassVar[int]
    VALUE_FIELD_NUMBER: ClassVar[int]
    ORDER_FIELD_NUMBER: ClassVar[int]
    name: bytes
    value: bytes
    order: SortedSetOrder
    def __init__(
        self,
        name: bytes | None = ...,
        value: bytes | None = ...,
        order: SortedSetOrder | str | None = ...,
    ) -> None: ...

class SortedSetGetRankResponse(message.Message):
    class Part(message.Message):
        RESULT_FIELD_NUMBER: ClassVar[int]
        RANK_FIELD_NUMBER: ClassVar[int]
        result: CacheResult
        rank: int
        def __init__(
            self,
            result: CacheResult | str | None = ...,
            rank: int | None = ...,
        ) -> None: ...

    PART_FIELD_NUMBER: ClassVar[int]
    MISSING_FIELD_NUMBER: ClassVar[int]
    part: SortedSetGetRankResponse.Part
    missing: Empty
    def __init__(
        self,
        part: SortedSetGetRankResponse.Part | Mapping[str, Any] | None = ...,
        missing: Empty | Mapping[str, Any] | None = ...,
    ) -> None: ...

class SortedSetIncrementRequest(message.Message):
    NAME_FIELD_NUMBER: ClassVar[int]
    VALUE_FIELD_NUMBER: ClassVar[int]
    AMOUNT_FIELD_NUMBER: ClassVar[int]
    TTL_MS_FIELD_NUMBER: ClassVar[int]
    REFRESH_TTL_FIELD_NUMBER: ClassVar[int]
    name: bytes
    value: bytes
    amount: float
    ttl_ms: int
    refresh_ttl: bool
    def __init__(
        self,
        name: bytes | None = ...,
        value: bytes | None = ...,
        amount: float | None = ...,
        ttl_ms: int | None = ...,
        refresh_ttl: bool | None = ...,
    ) -> None: ...

class SortedSetIncrementResponse(message.Message):
    SCORE_FIELD_NUMBER: ClassVar[int]
    score: float
    def __init__(
        self,
        score: float | None = ...,
    ) -> None: ...

class SortedSetRemoveRequest(message.Message):
    class Some(message.Message):
        VALUES_FIELD_NUMBER: ClassVar[int]
        values: containers.RepeatedScalarFieldContainer[bytes]
        def __init__(
            self,
            values: Iterable[bytes] | None = ...,
        ) -> None: ...

    NAME_FIELD_NUMBER: ClassVar[int]
    ALL_FIELD_NUMBER: ClassVar[int]
    SOME_FIELD_NUMBER: ClassVar[int]
    name: bytes
    all: Empty
    some: SortedSetRemoveRequest.Some
    def __init__(
        self,
        name: bytes | None = ...,
        all: Empty | Mapping[str, Any] | None = ...,
        some: SortedSetRemoveRequest.Some | Mapping[str, Any] | None = ...,
    ) -> None: ...

class SortedSetRemoveResponse(message.Message):
    def __init__(self) -> None: ...

class SortedSetLengthRequest(message.Message):
    NAME_FIELD_NUMBER: ClassVar[int]
    name: bytes
    def __init__(
        self,
        name: bytes | None = ...,
    ) -> None: ...

class SortedSetLengthResponse(message.Message):
    FOUND_FIELD_NUMBER: ClassVar[int]
    MISSING_FIELD_NUMBER: ClassVar[int]
    found: LengthFound
    missing: Empty
    def __init__(
        self,
        found: LengthFound | Mapping[str, Any] | None = ...,
        missing: Empty | Mapping[str, Any] | None = ...,
    ) -> None: ...

class SortedSetLengthByScoreRequest(message.Message):
    NAME_FIELD_NUMBER: ClassVar[int]
    INCLUSIVE_MIN_FIELD_NUMBER: ClassVar[int]
    EXCLUSIVE_MIN_FIELD_NUMBER: ClassVar[int]
    UNBOUNDED_MIN_FIELD_NUMBER: ClassVar[int]
    INCLUSIVE_MAX_FIELD_NUMBER: ClassVar[int]
    EXCLUSIVE_MAX_FIELD_NUMBER: ClassVar[int]
    UNBOUNDED_MAX_FIELD_NUMBER: ClassVar[int]
    name: bytes
    inclusive_min: float
    exclusive_min: float
    unbounded_min: Empty
    inclusive_max: float
    exclusive_max: float
    unbounded_max: Empty
    def __init__(
        self,
        name: bytes | None = ...,
        inclusive_min: float | None = ...,
        exclusive_min: float | None = ...,
        unbounded_min: Empty | Mapping[str, Any] | None = ...,
        inclusive_max: float | None = ...,
        exclusive_max: float | None = ...,
        unbounded_max: Empty | Mapping[str, Any] | None = ...,
    ) -> None: ...

class SortedSetLengthByScoreResponse(message.Message):
    FOUND_FIELD_NUMBER: ClassVar[int]
    MISSING_FIELD_NUMBER: ClassVar[int]
    found: LengthFound
    missing: Empty
    def __init__(
        self,
        found: LengthFound | Mapping[str, Any] | None = ...,
        missing: Empty | Mapping[str, Any] | None = ...,
    ) -> None: ...

class SortedSetUnionStoreRequest(message.Message):
    class Aggregate(int, metaclass=enum_type_wrapper.EnumTypeWrapper): ...

    SUM: SortedSetUnionStoreRequest.Aggregate
    MIN: SortedSetUnionStoreRequest.Aggregate
    MAX: SortedSetUnionStoreRequest.Aggregate

    class Source(message.Message):
        NAME_FIELD_NUMBER: ClassVar[int]
        WEIGHT_FIELD_NUMBER: ClassVar[int]
        name: bytes
        weight: float
        def __init__(
            self,
            name: bytes | None = ...,
            weight: float | None = ...,
        ) -> None: ...

    NAME_FIELD_NUMBER: ClassVar[int]
    SOURCES_FIELD_NUMBER: ClassVar[int]
    AGGREGATE_FIELD_NUMBER: ClassVar[int]
    TTL_MS_FIELD_NUMBER: ClassVar[int]
    name: bytes
    sources: containers.RepeatedCompositeFieldContainer[SortedSetUnionStoreRequest.Source]
    aggregate: SortedSetUnionStoreRequest.Aggregate
    ttl_ms: int
    def __init__(
        self,
        name: bytes | None = ...,
        sources: Iterable[SortedSetUnionStoreRequest.Source | Mapping[str, Any]] | None = ...,
        aggregate: SortedSetUnionStoreRequest.Aggregate | str | None = ...,
        ttl_ms: int | None = ...,
    ) -> None: ...

class SortedSetUnionStoreResponse(message.Message):
    LENGTH_FIELD_NUMBER: ClassVar[int]
    length: int
    def __init__(
        self,
        length: int | None = ...,
    ) -> None: ...
