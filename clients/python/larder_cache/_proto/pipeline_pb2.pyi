# Written by tools/operations from protocol/operations.toml and protocol/proto; not edited by hand.
from collections.abc import Iterable, Mapping
from typing import Any, ClassVar

from google.protobuf import descriptor, message
from google.protobuf.internal import containers, enum_type_wrapper
from larder_cache._proto import cache_pb2

DESCRIPTOR: descriptor.FileDescriptor

class Batch(message.Message):
    OPERATIONS_FIELD_NUMBER: ClassVar[int]
    operations: containers.RepeatedCompositeFieldContainer[Operation]
    def __init__(
        self,
        operations: Iterable[Operation | Mapping[str, Any]] | None = ...,
    ) -> None: ...

class Operation(message.Message):
    ID_FIELD_NUMBER: ClassVar[int]
    CACHE_FIELD_NUMBER: ClassVar[int]
    DEADLINE_MS_FIELD_NUMBER: ClassVar[int]
    CANCEL_FIELD_NUMBER: ClassVar[int]
    GET_FIELD_NUMBER: ClassVar[int]
    SET_FIELD_NUMBER: ClassVar[int]
    DELETE_FIELD_NUMBER: ClassVar[int]
    KEYS_EXIST_FIELD_NUMBER: ClassVar[int]
    INCREMENT_FIELD_NUMBER: ClassVar[int]
    SET_IF_FIELD_NUMBER: ClassVar[int]
    UPDATE_TTL_FIELD_NUMBER: ClassVar[int]
    ITEM_GET_TTL_FIELD_NUMBER: ClassVar[int]
    SET_IF_NOT_EXISTS_FIELD_NUMBER: ClassVar[int]
    GET_BATCH_FIELD_NUMBER: ClassVar[int]
    SET_BATCH_FIELD_NUMBER: ClassVar[int]
    GET_WITH_HASH_FIELD_NUMBER: ClassVar[int]
    SET_IF_HASH_FIELD_NUMBER: ClassVar[int]
    ITEM_GET_TYPE_FIELD_NUMBER: ClassVar[int]
    id: int
    cache: str
    deadline_ms: int
    cancel: Cancel
    get: cache_pb2.GetRequest
    set: cache_pb2.SetRequest
    delete: cache_pb2.DeleteRequest
    keys_exist: cache_pb2.KeysExistRequest
    increment: cache_pb2.IncrementRequest
    set_if: cache_pb2.SetIfRequest
    update_ttl: cache_pb2.UpdateTtlRequest
    item_get_ttl: cache_pb2.ItemGetTtlRequest
    set_if_not_exists: cache_pb2.SetIfNotExistsRequest
    get_batch: cache_pb2.GetBatchRequest
    set_batch: cache_pb2.SetBatchRequest
    get_with_hash: cache_pb2.GetWithHashRequest
    set_if_hash: cache_pb2.SetIfHashRequest
    item_get_type: cache_pb2.ItemGetTypeRequest
    def __init__(
        self,
        id: int | None = ...,
        cache: str | None = ...,
        deadline_ms: int | None = ...,
        cancel: Cancel | Mapping[str, Any] | None = ...,
        get: cache_pb2.GetRequest | Mapping[str, Any] | None = ...,
        set: cache_pb2.SetRequest | Mapping[str, Any] | None = ...,
        delete: cache_pb2.DeleteRequest | Mapping[str, Any] | None = ...,
        keys_exist: cache_pb2.KeysExistRequest | Mapping[str, Any] | None = ...,
        increment: cache_pb2.IncrementRequest | Mapping[str, Any] | None = ...,
        set_if: cache_pb2.SetIfRequest | Mapping[str, Any] | None = ...,
        update_ttl: cache_pb2.UpdateTtlRequest | Mapping[str, Any] | None = ...,
        item_get_ttl: cache_pb2.ItemGetTtlRequest | Mapping[str, Any] | None = ...,
        set_if_not_exists: cache_pb2.SetIfNotExistsRequest | Mapping[str, Any] | None = ...,
        get_batch: cache_pb2.GetBatchRequest | Mapping[str, Any] | None = ...,
        set_batch: cache_pb2.SetBatchRequest | Mapping[str, Any] | None = ...,
        get_with_hash: cache_pb2.GetWithHashRequest | Mapping[str, Any] | None = ...,
        set_if_hash: cache_pb2.SetIfHashRequest | Mapping[str, Any] | None = ...,
        item_get_type: cache_pb2.ItemGetTypeRequest | Mapping[str, Any] | None = ...,
    ) -> None: ...

class Cancel(message.Message):
    def __init__(self) -> None: ...

class BatchResult(message.Message):
    RESULTS_FIELD_NUMBER: ClassVar[int]
    DRAINING_FIELD_NUMBER: ClassVar[int]
    results: containers.RepeatedCompositeFieldContainer[Result]
    draining: bool
    def __init__(
        self,
        results: Iterable[Result | Mapping[str, Any]] | None = ...,
        draining: bool | None = ...,
    ) -> None: ...

class Result(message.Message):
    ID_FIELD_NUMBER: ClassVar[int]
    STATUS_FIELD_NUMBER: ClassVar[int]
    USE_UNARY_FIELD_NUMBER: ClassVar[int]
    GET_FIELD_NUMBER: ClassVar[int]
    SET_FIELD_NUMBER: ClassVar[int]
    DELETE_FIELD_NUMBER: ClassVar[int]
    KEYS_EXIST_FIELD_NUMBER: ClassVar[int]
    INCREMENT_FIELD_NUMBER: ClassVar[int]
    SET_IF_FIELD_NUMBER: ClassVar[int]
    UPDATE_TTL_FIELD_NUMBER: ClassVar[int]
    ITEM_GET_TTL_FIELD_NUMBER: ClassVar[int]
    SET_IF_NOT_EXISTS_FIELD_NUMBER: ClassVar[int]
    GET_BATCH_FIELD_NUMBER: ClassVar[int]
    SET_BATCH_FIELD_NUMBER: ClassVar[int]
    GET_WITH_HASH_FIELD_NUMBER: ClassVar[int]
    SET_IF_HASH_FIELD_NUMBER: ClassVar[int]
    ITEM_GET_TYPE_FIELD_NUMBER: ClassVar[int]
    id: int
    status: CallStatus
    use_unary: UseUnary
    get: cache_pb2.GetResponse
    set: cache_pb2.SetResponse
    delete: cache_pb2.DeleteResponse
    keys_exist: cache_pb2.KeysExistResponse
    increment: cache_pb2.IncrementResponse
    set_if: cache_pb2.SetIfResponse
    update_ttl: cache_pb2.UpdateTtlResponse
    item_get_ttl: cache_pb2.ItemGetTtlResponse
    set_if_not_exists: cache_pb2.SetIfNotExistsResponse
    get_batch: GetBatchResult
    set_batch: SetBatchResult
    get_with_hash: cache_pb2.GetWithHashResponse
    set_if_hash: cache_pb2.SetIfHashResponse
    item_get_type: cache_pb2.ItemGetTypeResponse
    def __init__(
        self,
        id: int | None = ...,
        status: CallStatus | Mapping[str, Any] | None = ...,
        use_unary: UseUnary | Mapping[str, Any] | None = ...,
        get: cache_pb2.GetResponse | Mapping[str, Any] | None = ...,
        set: cache_pb2.SetResponse | Mapping[str, Any] | None = ...,
        delete: cache_pb2.DeleteResponse | Mapping[str, Any] | None = ...,
        keys_exist: cache_pb2.KeysExistResponse | Mapping[str, Any] | None = ...,
        increment: cache_pb2.IncrementResponse | Mapping[str, Any] | None = ...,
        set_if: cache_pb2.SetIfResponse | Mapping[str, Any] | None = ...,
        update_ttl: cache_pb2.UpdateTtlResponse | Mapping[str, Any] | None = ...,
        item_get_ttl: cache_pb2.ItemGetTtlResponse | Mapping[str, Any] | None = ...,
        set_if_not_exists: cache_pb2.SetIfNotExistsResponse | Mapping[str, Any] | None = ...,
        get_batch: GetBatchResult | Mapping[str, Any] | None = ...,
        set_batch: SetBatchResult | Mapping[str, Any] | None = ...,
        get_with_hash: cache_pb2.GetWithHashResponse | Mapping[str, Any] | None = ...,
        set_if_hash: cache_pb2.SetIfHashResponse | Mapping[str, Any] | None = ...,
        item_get_type: cache_pb2.ItemGetTypeResponse | Mapping[str, Any] | None = ...,
    ) -> None: ...

class UseUnary(message.Message):
    def __init__(self) -> None: ...

class CallStatus(message.Message):
    CODE_FIELD_NUMBER: ClassVar[int]
    MESSAGE_FIELD_NUMBER: ClassVar[int]
    CAUSE_FIELD_NUMBER: ClassVar[int]
    code: int
    message: str
    cause: str
    def __init__(
        self,
        code: int | None = ...,
        message: str | None = ...,
        cause: str | None = ...,
    ) -> None: ...

class GetBatchResult(message.Message):
    RESPONSES_FIELD_NUMBER: ClassVar[int]
    responses: containers.RepeatedCompositeFieldContainer[cache_pb2.GetResponse]
    def __init__(
        self,
        responses: Iterable[cache_pb2.GetResponse | Mapping[str, Any]] | None = ...,
    ) -> None: ...

class SetBatchResult(message.Message):
    RESPONSES_FIELD_NUMBER: ClassVar[int]
    responses: containers.RepeatedCompositeFieldContainer[cache_pb2.SetResponse]
    def __init__(
        self,
        responses: Iterable[cache_pb2.SetResponse | Mapping[str, Any]] | None = ...,
    ) -> None: ...
