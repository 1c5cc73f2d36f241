from larder_cache._proto import cache_pb2 as _cache_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Iterable as _Iterable, Mapping as _Mapping, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class Batch(_message.Message):
    __slots__ = ["operations"]
    OPERATIONS_FIELD_NUMBER: _ClassVar[int]
    operations: _containers.RepeatedCompositeFieldContainer[Operation]
    def __init__(self, operations: _Optional[_Iterable[_Union[Operation, _Mapping]]] = ...) -> None: ...

class BatchResult(_message.Message):
    __slots__ = ["draining", "results"]
    DRAINING_FIELD_NUMBER: _ClassVar[int]
    RESULTS_FIELD_NUMBER: _ClassVar[int]
    draining: bool
    results: _containers.RepeatedCompositeFieldContainer[Result]
    def __init__(self, results: _Optional[_Iterable[_Union[Result, _Mapping]]] = ..., draining: bool = ...) -> None: ...

class CallStatus(_message.Message):
    __slots__ = ["cause", "code", "message"]
    CAUSE_FIELD_NUMBER: _ClassVar[int]
    CODE_FIELD_NUMBER: _ClassVar[int]
    MESSAGE_FIELD_NUMBER: _ClassVar[int]
    cause: str
    code: int
    message: str
    def __init__(self, code: _Optional[int] = ..., message: _Optional[str] = ..., cause: _Optional[str] = ...) -> None: ...

class Cancel(_message.Message):
    __slots__ = []
    def __init__(self) -> None: ...

class GetBatchResult(_message.Message):
    __slots__ = ["responses"]
    RESPONSES_FIELD_NUMBER: _ClassVar[int]
    responses: _containers.RepeatedCompositeFieldContainer[_cache_pb2.GetResponse]
    def __init__(self, responses: _Optional[_Iterable[_Union[_cache_pb2.GetResponse, _Mapping]]] = ...) -> None: ...

class Operation(_message.Message):
    __slots__ = ["cache", "cancel", "deadline_ms", "delete", "get", "get_batch", "get_with_hash", "id", "increment", "item_get_ttl", "item_get_type", "keys_exist", "set", "set_batch", "set_if", "set_if_hash", "set_if_not_exists", "update_ttl"]
    CACHE_FIELD_NUMBER: _ClassVar[int]
    CANCEL_FIELD_NUMBER: _ClassVar[int]
    DEADLINE_MS_FIELD_NUMBER: _ClassVar[int]
    DELETE_FIELD_NUMBER: _ClassVar[int]
    GET_BATCH_FIELD_NUMBER: _ClassVar[int]
    GET_FIELD_NUMBER: _ClassVar[int]
    GET_WITH_HASH_FIELD_NUMBER: _ClassVar[int]
    ID_FIELD_NUMBER: _ClassVar[int]
    INCREMENT_FIELD_NUMBER: _ClassVar[int]
    ITEM_GET_TTL_FIELD_NUMBER: _ClassVar[int]
    ITEM_GET_TYPE_FIELD_NUMBER: _ClassVar[int]
    KEYS_EXIST_FIELD_NUMBER: _ClassVar[int]
    SET_BATCH_FIELD_NUMBER: _ClassVar[int]
    SET_FIELD_NUMBER: _ClassVar[int]
    SET_IF_FIELD_NUMBER: _ClassVar[int]
    SET_IF_HASH_FIELD_NUMBER: _ClassVar[int]
    SET_IF_NOT_EXISTS_FIELD_NUMBER: _ClassVar[int]
    UPDATE_TTL_FIELD_NUMBER: _ClassVar[int]
    cache: str
    cancel: Cancel
    deadline_ms: int
    delete: _cache_pb2.DeleteRequest
    get: _cache_pb2.GetRequest
    get_batch: _cache_pb2.GetBatchRequest
    get_with_hash: _cache_pb2.GetWithHashRequest
    id: int
    increment: _cache_pb2.IncrementRequest
    item_get_ttl: _cache_pb2.ItemGetTtlRequest
    item_get_type: _cache_pb2.ItemGetTypeRequest
    keys_exist: _cache_pb2.KeysExistRequest
    set: _cache_pb2.SetRequest
    set_batch: _cache_pb2.SetBatchRequest
    set_if: _cache_pb2.SetIfRequest
    set_if_hash: _cache_pb2.SetIfHashRequest
    set_if_not_exists: _cache_pb2.SetIfNotExistsRequest
    update_ttl: _cache_pb2.UpdateTtlRequest
    def __init__(self, id: _Optional[int] = ..., cache: _Optional[str] = ..., deadline_ms: _Optional[int] = ..., get: _Optional[_Union[_cache_pb2.GetRequest, _Mapping]] = ..., set: _Optional[_Union[_cache_pb2.SetRequest, _Mapping]] = ..., delete: _Optional[_Union[_cache_pb2.DeleteRequest, _Mapping]] = ..., cancel: _Optional[_Union[Cancel, _Mapping]] = ..., keys_exist: _Optional[_Union[_cache_pb2.KeysExistRequest, _Mapping]] = ..., increment: _Optional[_Union[_cache_pb2.IncrementRequest, _Mapping]] = ..., set_if: _Optional[_Union[_cache_pb2.SetIfRequest, _Mapping]] = ..., update_ttl: _Optional[_Union[_cache_pb2.UpdateTtlRequest, _Mapping]] = ..., item_get_ttl: _Optional[_Union[_cache_pb2.ItemGetTtlRequest, _Mapping]] = ..., set_if_not_exists: _Optional[_Union[_cache_pb2.SetIfNotExistsRequest, _Mapping]] = ..., get_batch: _Optional[_Union[_cache_pb2.GetBatchRequest, _Mapping]] = ..., set_batch: _Optional[_Union[_cache_pb2.SetBatchRequest, _Mapping]] = ..., get_with_hash: _Optional[_Union[_cache_pb2.GetWithHashRequest, _Mapping]] = ..., set_if_hash: _Optional[_Union[_cache_pb2.SetIfHashRequest, _Mapping]] = ..., item_get_type: _Optional[_Union[_cache_pb2.ItemGetTypeRequest, _Mapping]] = ...) -> None: ...

class Result(_message.Message):
    __slots__ = ["delete", "get", "get_batch", "get_with_hash", "id", "increment", "item_get_ttl", "item_get_type", "keys_exist", "set", "set_batch", "set_if", "set_if_hash", "set_if_not_exists", "status", "update_ttl", "use_unary"]
    DELETE_FIELD_NUMBER: _ClassVar[int]
    GET_BATCH_FIELD_NUMBER: _ClassVar[int]
    GET_FIELD_NUMBER: _ClassVar[int]
    GET_WITH_HASH_FIELD_NUMBER: _ClassVar[int]
    ID_FIELD_NUMBER: _ClassVar[int]
    INCREMENT_FIELD_NUMBER: _ClassVar[int]
    ITEM_GET_TTL_FIELD_NUMBER: _ClassVar[int]
    ITEM_GET_TYPE_FIELD_NUMBER: _ClassVar[int]
    KEYS_EXIST_FIELD_NUMBER: _ClassVar[int]
    SET_BATCH_FIELD_NUMBER: _ClassVar[int]
    SET_FIELD_NUMBER: _ClassVar[int]
    SET_IF_FIELD_NUMBER: _ClassVar[int]
    SET_IF_HASH_FIELD_NUMBER: _ClassVar[int]
    SET_IF_NOT_EXISTS_FIELD_NUMBER: _ClassVar[int]
    STATUS_FIELD_NUMBER: _ClassVar[int]
    UPDATE_TTL_FIELD_NUMBER: _ClassVar[int]
    USE_UNARY_FIELD_NUMBER: _ClassVar[int]
    delete: _cache_pb2.DeleteResponse
    get: _cache_pb2.GetResponse
    get_batch: GetBatchResult
    get_with_hash: _cache_pb2.GetWithHashResponse
    id: int
    increment: _cache_pb2.IncrementResponse
    item_get_ttl: _cache_pb2.ItemGetTtlResponse
    item_get_type: _cache_pb2.ItemGetTypeResponse
    keys_exist: _cache_pb2.KeysExistResponse
    set: _cache_pb2.SetResponse
    set_batch: SetBatchResult
    set_if: _cache_pb2.SetIfResponse
    set_if_hash: _cache_pb2.SetIfHashResponse
    set_if_not_exists: _cache_pb2.SetIfNotExistsResponse
    status: CallStatus
    update_ttl: _cache_pb2.UpdateTtlResponse
    use_unary: UseUnary
    def __init__(self, id: _Optional[int] = ..., status: _Optional[_Union[CallStatus, _Mapping]] = ..., use_unary: _Optional[_Union[UseUnary, _Mapping]] = ..., get: _Optional[_Union[_cache_pb2.GetResponse, _Mapping]] = ..., set: _Optional[_Union[_cache_pb2.SetResponse, _Mapping]] = ..., delete: _Optional[_Union[_cache_pb2.DeleteResponse, _Mapping]] = ..., keys_exist: _Optional[_Union[_cache_pb2.KeysExistResponse, _Mapping]] = ..., increment: _Optional[_Union[_cache_pb2.IncrementResponse, _Mapping]] = ..., set_if: _Optional[_Union[_cache_pb2.SetIfResponse, _Mapping]] = ..., update_ttl: _Optional[_Union[_cache_pb2.UpdateTtlResponse, _Mapping]] = ..., item_get_ttl: _Optional[_Union[_cache_pb2.ItemGetTtlResponse, _Mapping]] = ..., set_if_not_exists: _Optional[_Union[_cache_pb2.SetIfNotExistsResponse, _Mapping]] = ..., get_batch: _Optional[_Union[GetBatchResult, _Mapping]] = ..., set_batch: _Optional[_Union[SetBatchResult, _Mapping]] = ..., get_with_hash: _Optional[_Union[_cache_pb2.GetWithHashResponse, _Mapping]] = ..., set_if_hash: _Optional[_Union[_cache_pb2.SetIfHashResponse, _Mapping]] = ..., item_get_type: _Optional[_Union[_cache_pb2.ItemGetTypeResponse, _Mapping]] = ...) -> None: ...

class SetBatchResult(_message.Message):
    __slots__ = ["responses"]
    RESPONSES_FIELD_NUMBER: _ClassVar[int]
    responses: _containers.RepeatedCompositeFieldContainer[_cache_pb2.SetResponse]
    def __init__(self, responses: _Optional[_Iterable[_Union[_cache_pb2.SetResponse, _Mapping]]] = ...) -> None: ...

class UseUnary(_message.Message):
    __slots__ = []
    def __init__(self) -> None: ...
