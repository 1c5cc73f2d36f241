# Written by tools/operations from protocol/operations.toml and protocol/proto; not edited by hand.
from collections.abc import Iterable, Mapping
from typing import Any, ClassVar

from google.protobuf import descriptor, message
from google.protobuf.internal import containers, enum_type_wrapper

DESCRIPTOR: descriptor.FileDescriptor

class KeyType(int, metaclass=enum_type_wrapper.EnumTypeWrapper): ...

ANY: KeyType
SCALAR: KeyType
DICTIONARY: KeyType
SET: KeyType
LIST: KeyType
SORTED_SET: KeyType

class ScanKeysRequest(message.Message):
    PREFIX_FIELD_NUMBER: ClassVar[int]
    TYPE_FIELD_NUMBER: ClassVar[int]
    CURSOR_FIELD_NUMBER: ClassVar[int]
    COUNT_FIELD_NUMBER: ClassVar[int]
    prefix: bytes
    type: KeyType
    cursor: bytes
    count: int
    def __init__(
        self,
        prefix: bytes | None = ...,
        type: KeyType | str | None = ...,
        cursor: bytes | None = ...,
        count: int | None = ...,
    ) -> None: ...

class ScanKeysResponse(message.Message):
    KEYS_FIELD_NUMBER: ClassVar[int]
    CURSOR_FIELD_NUMBER: ClassVar[int]
    keys: containers.RepeatedCompositeFieldContainer[ScannedKey]
    cursor: bytes
    def __init__(
        self,
        keys: Iterable[ScannedKey | Mapping[str, Any]] | None = ...,
        cursor: bytes | None = ...,
    ) -> None: ...

class ScannedKey(message.Message):
    KEY_FIELD_NUMBER: ClassVar[int]
    TYPE_FIELD_NUMBER: ClassVar[int]
    TTL_MS_FIELD_NUMBER: ClassVar[int]
    BYTES_FIELD_NUMBER: ClassVar[int]
    key: bytes
    type: KeyType
    ttl_ms: int
    bytes: int
    def __init__(
        self,
        key: bytes | None = ...,
        type: KeyType | str | None = ...,
        ttl_ms: int | None = ...,
        bytes: int | None = ...,
    ) -> None: ...

class ScanItemsRequest(message.Message):
    NAME_FIELD_NUMBER: ClassVar[int]
    CURSOR_FIELD_NUMBER: ClassVar[int]
    COUNT_FIELD_NUMBER: ClassVar[int]
    name: bytes
    cursor: bytes
    count: int
    def __init__(
        self,
        name: bytes | None = ...,
        cursor: bytes | None = ...,
        count: int | None = ...,
    ) -> None: ...

class ScanItemsResponse(message.Message):
    DICTIONARY_FIELD_NUMBER: ClassVar[int]
    SET_FIELD_NUMBER: ClassVar[int]
    LIST_FIELD_NUMBER: ClassVar[int]
    SORTED_SET_FIELD_NUMBER: ClassVar[int]
    MISSING_FIELD_NUMBER: ClassVar[int]
    CURSOR_FIELD_NUMBER: ClassVar[int]
    dictionary: ScannedFields
    set: ScannedElements
    list: ScannedElements
    sorted_set: ScannedScores
    missing: ScannedNothing
    cursor: bytes
    def __init__(
        self,
        dictionary: ScannedFields | Mapping[str, Any] | None = ...,
        set: ScannedElements | Mapping[str, Any] | None = ...,
        list: ScannedElements | Mapping[str, Any] | None = ...,
        sorted_set: ScannedScores | Mapping[str, Any] | None = ...,
        missing: ScannedNothing | Mapping[str, Any] | None = ...,
        cursor: bytes | None = ...,
    ) -> None: ...

class ScannedFields(message.Message):
    FIELDS_FIELD_NUMBER: ClassVar[int]
    fields: containers.RepeatedCompositeFieldContainer[ScannedField]
    def __init__(
        self,
        fields: Iterable[ScannedField | Mapping[str, Any]] | None = ...,
    ) -> None: ...

class ScannedField(message.Message):
    FIELD_FIELD_NUMBER: ClassVar[int]
    VALUE_FIELD_NUMBER: ClassVar[int]
    field: bytes
    value: bytes
    def __init__(
        self,
        field: bytes | None = ...,
        value: bytes | None = ...,
    ) -> None: ...

class ScannedElements(message.Message):
    ELEMENTS_FIELD_NUMBER: ClassVar[int]
    elements: containers.RepeatedScalarFieldContainer[bytes]
    def __init__(
        self,
        elements: Iterable[bytes] | None = ...,
    ) -> None: ...

class ScannedScores(message.Message):
    ELEMENTS_FIELD_NUMBER: ClassVar[int]
    elements: containers.RepeatedCompositeFieldContainer[ScannedScore]
    def __init__(
        self,
        elements: Iterable[ScannedScore | Mapping[str, Any]] | None = ...,
    ) -> None: ...

class ScannedScore(message.Message):
    VALUE_FIELD_NUMBER: ClassVar[int]
    SCORE_FIELD_NUMBER: ClassVar[int]
    value: bytes
    score: float
    def __init__(
        self,
        value: bytes | None = ...,
        score: float | None = ...,
    ) -> None: ...

class ScannedNothing(message.Message):
    def __init__(self) -> None: ...

class GetOrLeaseRequest(message.Message):
    KEY_FIELD_NUMBER: ClassVar[int]
    LEASE_MS_FIELD_NUMBER: ClassVar[int]
    WAIT_MS_FIELD_NUMBER: ClassVar[int]
    key: bytes
    lease_ms: int
    wait_ms: int
    def __init__(
        self,
        key: bytes | None = ...,
        lease_ms: int | None = ...,
        wait_ms: int | None = ...,
    ) -> None: ...

class GetOrLeaseResponse(message.Message):
    class Hit(message.Message):
        VALUE_FIELD_NUMBER: ClassVar[int]
        value: bytes
        def __init__(
            self,
            value: bytes | None = ...,
        ) -> None: ...

    class Stale(message.Message):
        VALUE_FIELD_NUMBER: ClassVar[int]
        EXPIRED_MS_FIELD_NUMBER: ClassVar[int]
        TOKEN_FIELD_NUMBER: ClassVar[int]
        VALIDATOR_FIELD_NUMBER: ClassVar[int]
        value: bytes
        expired_ms: int
        token: bytes
        validator: bytes
        def __init__(
            self,
            value: bytes | None = ...,
            expired_ms: int | None = ...,
            token: bytes | None = ...,
            validator: bytes | None = ...,
        ) -> None: ...

    class Lease(message.Message):
        TOKEN_FIELD_NUMBER: ClassVar[int]
        token: bytes
        def __init__(
            self,
            token: bytes | None = ...,
        ) -> None: ...

    class Elsewhere(message.Message):
        def __init__(self) -> None: ...

    HIT_FIELD_NUMBER: ClassVar[int]
    STALE_FIELD_NUMBER: ClassVar[int]
    LEASE_FIELD_NUMBER: ClassVar[int]
    ELSEWHERE_FIELD_NUMBER: ClassVar[int]
    hit: GetOrLeaseResponse.Hit
    stale: GetOrLeaseResponse.Stale
    lease: GetOrLeaseResponse.Lease
    elsewhere: GetOrLeaseResponse.Elsewhere
    def __init__(
        self,
        hit: GetOrLeaseResponse.Hit | Mapping[str, Any] | None = ...,
        stale: GetOrLeaseResponse.Stale | Mapping[str, Any] | None = ...,
        lease: GetOrLeaseResponse.Lease | Mapping[str, Any] | None = ...,
        elsewhere: GetOrLeaseResponse.Elsewhere | Mapping[str, Any] | None = ...,
    ) -> None: ...

class SetWithLeaseRequest(message.Message):
    KEY_FIELD_NUMBER: ClassVar[int]
    VALUE_FIELD_NUMBER: ClassVar[int]
    TTL_MS_FIELD_NUMBER: ClassVar[int]
    STALE_MS_FIELD_NUMBER: ClassVar[int]
    TOKEN_FIELD_NUMBER: ClassVar[int]
    TAGS_FIELD_NUMBER: ClassVar[int]
    VALIDATOR_FIELD_NUMBER: ClassVar[int]
    key: bytes
    value: bytes
    ttl_ms: int
    stale_ms: int
    token: bytes
    tags: containers.RepeatedScalarFieldContainer[bytes]
    validator: bytes
    def __init__(
        self,
        key: bytes | None = ...,
        value: bytes | None = ...,
        ttl_ms: int | None = ...,
        stale_ms: int | None = ...,
        token: bytes | None = ...,
        tags: Iterable[bytes] | None = ...,
        validator: bytes | None = ...,
    ) -> None: ...

class SetWithLeaseResponse(message.Message):
    class Empty(message.Message):
        def __init__(self) -> None: ...

    STORED_FIELD_NUMBER: ClassVar[int]
    NOT_STORED_FIELD_NUMBER: ClassVar[int]
    stored: SetWithLeaseResponse.Empty
    not_stored: SetWithLeaseResponse.Empty
    def __init__(
        self,
        stored: SetWithLeaseResponse.Empty | Mapping[str, Any] | None = ...,
        not_stored: SetWithLeaseResponse.Empty | Mapping[str, Any] | None = ...,
    ) -> None: ...

class ReleaseLeaseRequest(message.Message):
    KEY_FIELD_NUMBER: ClassVar[int]
    TOKEN_FIELD_NUMBER: ClassVar[int]
    key: bytes
    token: bytes
    def __init__(
        self,
        key: bytes | None = ...,
        token: bytes | None = ...,
    ) -> None: ...

class ReleaseLeaseResponse(message.Message):
    def __init__(self) -> None: ...

class RemoveByTagRequest(message.Message):
    TAGS_FIELD_NUMBER: ClassVar[int]
    tags: containers.RepeatedScalarFieldContainer[bytes]
    def __init__(
        self,
        tags: Iterable[bytes] | None = ...,
    ) -> None: ...

class RemoveByTagResponse(message.Message):
    def __init__(self) -> None: ...
