from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Iterable as _Iterable, Mapping as _Mapping, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor
Hit: CacheResult
Invalid: CacheResult
Miss: CacheResult
Ok: CacheResult

class Comparand(_message.Message):
    __slots__ = ["value"]
    VALUE_FIELD_NUMBER: _ClassVar[int]
    value: bytes
    def __init__(self, value: _Optional[bytes] = ...) -> None: ...

class DeleteRequest(_message.Message):
    __slots__ = ["key"]
    KEY_FIELD_NUMBER: _ClassVar[int]
    key: bytes
    def __init__(self, key: _Optional[bytes] = ...) -> None: ...

class DeleteResponse(_message.Message):
    __slots__ = []
    def __init__(self) -> None: ...

class Empty(_message.Message):
    __slots__ = []
    def __init__(self) -> None: ...

class GetBatchRequest(_message.Message):
    __slots__ = ["items"]
    ITEMS_FIELD_NUMBER: _ClassVar[int]
    items: _containers.RepeatedCompositeFieldContainer[GetRequest]
    def __init__(self, items: _Optional[_Iterable[_Union[GetRequest, _Mapping]]] = ...) -> None: ...

class GetRequest(_message.Message):
    __slots__ = ["key"]
    KEY_FIELD_NUMBER: _ClassVar[int]
    key: bytes
    def __init__(self, key: _Optional[bytes] = ...) -> None: ...

class GetResponse(_message.Message):
    __slots__ = ["message", "result", "value"]
    MESSAGE_FIELD_NUMBER: _ClassVar[int]
    RESULT_FIELD_NUMBER: _ClassVar[int]
    VALUE_FIELD_NUMBER: _ClassVar[int]
    message: str
    result: CacheResult
    value: bytes
    def __init__(self, result: _Optional[_Union[CacheResult, str]] = ..., value: _Optional[bytes] = ..., message: _Optional[str] = ...) -> None: ...

class GetWithHashRequest(_message.Message):
    __slots__ = ["key"]
    KEY_FIELD_NUMBER: _ClassVar[int]
    key: bytes
    def __init__(self, key: _Optional[bytes] = ...) -> None: ...

class GetWithHashResponse(_message.Message):
    __slots__ = ["found", "missing"]
    class Found(_message.Message):
        __slots__ = ["hash", "value"]
        HASH_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        hash: bytes
        value: bytes
        def __init__(self, value: _Optional[bytes] = ..., hash: _Optional[bytes] = ...) -> None: ...
    FOUND_FIELD_NUMBER: _ClassVar[int]
    MISSING_FIELD_NUMBER: _ClassVar[int]
    found: GetWithHashResponse.Found
    missing: Empty
    def __init__(self, found: _Optional[_Union[GetWithHashResponse.Found, _Mapping]] = ..., missing: _Optional[_Union[Empty, _Mapping]] = ...) -> None: ...

class HashComparand(_message.Message):
    __slots__ = ["hash"]
    HASH_FIELD_NUMBER: _ClassVar[int]
    hash: bytes
    def __init__(self, hash: _Optional[bytes] = ...) -> None: ...

class IncrementRequest(_message.Message):
    __slots__ = ["amount", "keep_ttl", "key", "ttl_ms"]
    AMOUNT_FIELD_NUMBER: _ClassVar[int]
    KEEP_TTL_FIELD_NUMBER: _ClassVar[int]
    KEY_FIELD_NUMBER: _ClassVar[int]
    TTL_MS_FIELD_NUMBER: _ClassVar[int]
    amount: int
    keep_ttl: bool
    key: bytes
    ttl_ms: int
    def __init__(self, key: _Optional[bytes] = ..., amount: _Optional[int] = ..., ttl_ms: _Optional[int] = ..., keep_ttl: bool = ...) -> None: ...

class IncrementResponse(_message.Message):
    __slots__ = ["value"]
    VALUE_FIELD_NUMBER: _ClassVar[int]
    value: int
    def __init__(self, value: _Optional[int] = ...) -> None: ...

class ItemGetTtlRequest(_message.Message):
    __slots__ = ["key"]
    KEY_FIELD_NUMBER: _ClassVar[int]
    key: bytes
    def __init__(self, key: _Optional[bytes] = ...) -> None: ...

class ItemGetTtlResponse(_message.Message):
    __slots__ = ["found", "missing"]
    class Found(_message.Message):
        __slots__ = ["remaining_ms"]
        REMAINING_MS_FIELD_NUMBER: _ClassVar[int]
        remaining_ms: int
        def __init__(self, remaining_ms: _Optional[int] = ...) -> None: ...
    FOUND_FIELD_NUMBER: _ClassVar[int]
    MISSING_FIELD_NUMBER: _ClassVar[int]
    found: ItemGetTtlResponse.Found
    missing: Empty
    def __init__(self, found: _Optional[_Union[ItemGetTtlResponse.Found, _Mapping]] = ..., missing: _Optional[_Union[Empty, _Mapping]] = ...) -> None: ...

class ItemGetTypeRequest(_message.Message):
    __slots__ = ["key"]
    KEY_FIELD_NUMBER: _ClassVar[int]
    key: bytes
    def __init__(self, key: _Optional[bytes] = ...) -> None: ...

class ItemGetTypeResponse(_message.Message):
    __slots__ = ["found", "missing"]
    class ItemType(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
        __slots__ = []
    class Found(_message.Message):
        __slots__ = ["type"]
        TYPE_FIELD_NUMBER: _ClassVar[int]
        type: ItemGetTypeResponse.ItemType
        def __init__(self, type: _Optional[_Union[ItemGetTypeResponse.ItemType, str]] = ...) -> None: ...
    DICTIONARY: ItemGetTypeResponse.ItemType
    FOUND_FIELD_NUMBER: _ClassVar[int]
    LIST: ItemGetTypeResponse.ItemType
    MISSING_FIELD_NUMBER: _ClassVar[int]
    SCALAR: ItemGetTypeResponse.ItemType
    SET: ItemGetTypeResponse.ItemType
    SORTED_SET: ItemGetTypeResponse.ItemType
    found: ItemGetTypeResponse.Found
    missing: Empty
    def __init__(self, found: _Optional[_Union[ItemGetTypeResponse.Found, _Mapping]] = ..., missing: _Optional[_Union[Empty, _Mapping]] = ...) -> None: ...

class KeysExistRequest(_message.Message):
    __slots__ = ["keys"]
    KEYS_FIELD_NUMBER: _ClassVar[int]
    keys: _containers.RepeatedScalarFieldContainer[bytes]
    def __init__(self, keys: _Optional[_Iterable[bytes]] = ...) -> None: ...

class KeysExistResponse(_message.Message):
    __slots__ = ["exists"]
    EXISTS_FIELD_NUMBER: _ClassVar[int]
    exists: _containers.RepeatedScalarFieldContainer[bool]
    def __init__(self, exists: _Optional[_Iterable[bool]] = ...) -> None: ...

class PingRequest(_message.Message):
    __slots__ = []
    def __init__(self) -> None: ...

class PingResponse(_message.Message):
    __slots__ = []
    def __init__(self) -> None: ...

class SetBatchRequest(_message.Message):
    __slots__ = ["items"]
    ITEMS_FIELD_NUMBER: _ClassVar[int]
    items: _containers.RepeatedCompositeFieldContainer[SetRequest]
    def __init__(self, items: _Optional[_Iterable[_Union[SetRequest, _Mapping]]] = ...) -> None: ...

class SetIfHashRequest(_message.Message):
    __slots__ = ["absent_or_hash_equal", "absent_or_not_hash_equal", "key", "present_and_hash_equal", "present_and_not_hash_equal", "ttl_ms", "unconditional", "value"]
    ABSENT_OR_HASH_EQUAL_FIELD_NUMBER: _ClassVar[int]
    ABSENT_OR_NOT_HASH_EQUAL_FIELD_NUMBER: _ClassVar[int]
    KEY_FIELD_NUMBER: _ClassVar[int]
    PRESENT_AND_HASH_EQUAL_FIELD_NUMBER: _ClassVar[int]
    PRESENT_AND_NOT_HASH_EQUAL_FIELD_NUMBER: _ClassVar[int]
    TTL_MS_FIELD_NUMBER: _ClassVar[int]
    UNCONDITIONAL_FIELD_NUMBER: _ClassVar[int]
    VALUE_FIELD_NUMBER: _ClassVar[int]
    absent_or_hash_equal: HashComparand
    absent_or_not_hash_equal: HashComparand
    key: bytes
    present_and_hash_equal: HashComparand
    present_and_not_hash_equal: HashComparand
    ttl_ms: int
    unconditional: Empty
    value: bytes
    def __init__(self, key: _Optional[bytes] = ..., value: _Optional[bytes] = ..., ttl_ms: _Optional[int] = ..., present_and_not_hash_equal: _Optional[_Union[HashComparand, _Mapping]] = ..., present_and_hash_equal: _Optional[_Union[HashComparand, _Mapping]] = ..., absent_or_hash_equal: _Optional[_Union[HashComparand, _Mapping]] = ..., absent_or_not_hash_equal: _Optional[_Union[HashComparand, _Mapping]] = ..., unconditional: _Optional[_Union[Empty, _Mapping]] = ...) -> None: ...

class SetIfHashResponse(_message.Message):
    __slots__ = ["not_stored", "stored"]
    class Stored(_message.Message):
        __slots__ = ["new_hash"]
        NEW_HASH_FIELD_NUMBER: _ClassVar[int]
        new_hash: bytes
        def __init__(self, new_hash: _Optional[bytes] = ...) -> None: ...
    NOT_STORED_FIELD_NUMBER: _ClassVar[int]
    STORED_FIELD_NUMBER: _ClassVar[int]
    not_stored: Empty
    stored: SetIfHashResponse.Stored
    def __init__(self, stored: _Optional[_Union[SetIfHashResponse.Stored, _Mapping]] = ..., not_stored: _Optional[_Union[Empty, _Mapping]] = ...) -> None: ...

class SetIfNotExistsRequest(_message.Message):
    __slots__ = ["key", "ttl_ms", "value"]
    KEY_FIELD_NUMBER: _ClassVar[int]
    TTL_MS_FIELD_NUMBER: _ClassVar[int]
    VALUE_FIELD_NUMBER: _ClassVar[int]
    key: bytes
    ttl_ms: int
    value: bytes
    def __init__(self, key: _Optional[bytes] = ..., value: _Optional[bytes] = ..., ttl_ms: _Optional[int] = ...) -> None: ...

class SetIfNotExistsResponse(_message.Message):
    __slots__ = ["not_stored", "stored"]
    NOT_STORED_FIELD_NUMBER: _ClassVar[int]
    STORED_FIELD_NUMBER: _ClassVar[int]
    not_stored: Empty
    stored: Empty
    def __init__(self, stored: _Optional[_Union[Empty, _Mapping]] = ..., not_stored: _Optional[_Union[Empty, _Mapping]] = ...) -> None: ...

class SetIfRequest(_message.Message):
    __slots__ = ["absent", "absent_or_equal", "equal", "key", "not_equal", "present", "present_and_not_equal", "ttl_ms", "value"]
    ABSENT_FIELD_NUMBER: _ClassVar[int]
    ABSENT_OR_EQUAL_FIELD_NUMBER: _ClassVar[int]
    EQUAL_FIELD_NUMBER: _ClassVar[int]
    KEY_FIELD_NUMBER: _ClassVar[int]
    NOT_EQUAL_FIELD_NUMBER: _ClassVar[int]
    PRESENT_AND_NOT_EQUAL_FIELD_NUMBER: _ClassVar[int]
    PRESENT_FIELD_NUMBER: _ClassVar[int]
    TTL_MS_FIELD_NUMBER: _ClassVar[int]
    VALUE_FIELD_NUMBER: _ClassVar[int]
    absent: Empty
    absent_or_equal: Comparand
    equal: Comparand
    key: bytes
    not_equal: Comparand
    present: Empty
    present_and_not_equal: Comparand
    ttl_ms: int
    value: bytes
    def __init__(self, key: _Optional[bytes] = ..., value: _Optional[bytes] = ..., ttl_ms: _Optional[int] = ..., present: _Optional[_Union[Empty, _Mapping]] = ..., present_and_not_equal: _Optional[_Union[Comparand, _Mapping]] = ..., absent: _Optional[_Union[Empty, _Mapping]] = ..., equal: _Optional[_Union[Comparand, _Mapping]] = ..., absent_or_equal: _Optional[_Union[Comparand, _Mapping]] = ..., not_equal: _Optional[_Union[Comparand, _Mapping]] = ...) -> None: ...

class SetIfResponse(_message.Message):
    __slots__ = ["not_stored", "stored"]
    NOT_STORED_FIELD_NUMBER: _ClassVar[int]
    STORED_FIELD_NUMBER: _ClassVar[int]
    not_stored: Empty
    stored: Empty
    def __init__(self, stored: _Optional[_Union[Empty, _Mapping]] = ..., not_stored: _Optional[_Union[Empty, _Mapping]] = ...) -> None: ...

class SetRequest(_message.Message):
    __slots__ = ["key", "ttl_ms", "value"]
    KEY_FIELD_NUMBER: _ClassVar[int]
    TTL_MS_FIELD_NUMBER: _ClassVar[int]
    VALUE_FIELD_NUMBER: _ClassVar[int]
    key: bytes
    ttl_ms: int
    value: bytes
    def __init__(self, key: _Optional[bytes] = ..., value: _Optional[bytes] = ..., ttl_ms: _Optional[int] = ...) -> None: ...

class SetResponse(_message.Message):
    __slots__ = ["message", "result"]
    MESSAGE_FIELD_NUMBER: _ClassVar[int]
    RESULT_FIELD_NUMBER: _ClassVar[int]
    message: str
    result: CacheResult
    def __init__(self, result: _Optional[_Union[CacheResult, str]] = ..., message: _Optional[str] = ...) -> None: ...

class UpdateTtlRequest(_message.Message):
    __slots__ = ["decrease_to_ms", "increase_to_ms", "key", "overwrite_to_ms"]
    DECREASE_TO_MS_FIELD_NUMBER: _ClassVar[int]
    INCREASE_TO_MS_FIELD_NUMBER: _ClassVar[int]
    KEY_FIELD_NUMBER: _ClassVar[int]
    OVERWRITE_TO_MS_FIELD_NUMBER: _ClassVar[int]
    decrease_to_ms: int
    increase_to_ms: int
    key: bytes
    overwrite_to_ms: int
    def __init__(self, key: _Optional[bytes] = ..., increase_to_ms: _Optional[int] = ..., decrease_to_ms: _Optional[int] = ..., overwrite_to_ms: _Optional[int] = ...) -> None: ...

class UpdateTtlResponse(_message.Message):
    __slots__ = ["missing", "not_set", "set"]
    MISSING_FIELD_NUMBER: _ClassVar[int]
    NOT_SET_FIELD_NUMBER: _ClassVar[int]
    SET_FIELD_NUMBER: _ClassVar[int]
    missing: Empty
    not_set: Empty
    set: Empty
    def __init__(self, set: _Optional[_Union[Empty, _Mapping]] = ..., not_set: _Optional[_Union[Empty, _Mapping]] = ..., missing: _Optional[_Union[Empty, _Mapping]] = ...) -> None: ...

class CacheResult(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []
