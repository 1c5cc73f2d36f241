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
