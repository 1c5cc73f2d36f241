# Written by tools/operations from protocol/operations.toml and protocol/proto; not edited by hand.
from collections.abc import Iterable, Mapping
from typing import Any, ClassVar

from google.protobuf import descriptor, message
from google.protobuf.internal import containers, enum_type_wrapper
from protobuf_messages import cache_pb2

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
    NEAR_FIELD_NUMBER: ClassVar[int]
    CANCEL_FIELD_NUMBER: ClassVar[int]
    NEAR_OPEN_FIELD_NUMBER: ClassVar[int]
    NEAR_RENEW_FIELD_NUMBER: ClassVar[int]
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
    DICTIONARY_GET_FIELD_NUMBER: ClassVar[int]
    DICTIONARY_FETCH_FIELD_NUMBER: ClassVar[int]
    DICTIONARY_SET_FIELD_NUMBER: ClassVar[int]
    DICTIONARY_INCREMENT_FIELD_NUMBER: ClassVar[int]
    DICTIONARY_DELETE_FIELD_NUMBER: ClassVar[int]
    DICTIONARY_LENGTH_FIELD_NUMBER: ClassVar[int]
    SET_FETCH_FIELD_NUMBER: ClassVar[int]
    SET_SAMPLE_FIELD_NUMBER: ClassVar[int]
    SET_UNION_FIELD_NUMBER: ClassVar[int]
    SET_DIFFERENCE_FIELD_NUMBER: ClassVar[int]
    SET_CONTAINS_FIELD_NUMBER: ClassVar[int]
    SET_LENGTH_FIELD_NUMBER: ClassVar[int]
    SET_POP_FIELD_NUMBER: ClassVar[int]
    LIST_PUSH_FRONT_FIELD_NUMBER: ClassVar[int]
    LIST_PUSH_BACK_FIELD_NUMBER: ClassVar[int]
    LIST_CONCATENATE_FRONT_FIELD_NUMBER: ClassVar[int]
    LIST_CONCATENATE_BACK_FIELD_NUMBER: ClassVar[int]
    LIST_POP_FRONT_FIELD_NUMBER: ClassVar[int]
    LIST_POP_BACK_FIELD_NUMBER: ClassVar[int]
    LIST_FETCH_FIELD_NUMBER: ClassVar[int]
    LIST_RETAIN_FIELD_NUMBER: ClassVar[int]
    LIST_REMOVE_FIELD_NUMBER: ClassVar[int]
    LIST_ERASE_FIELD_NUMBER: ClassVar[int]
    LIST_LENGTH_FIELD_NUMBER: ClassVar[int]
    SORTED_SET_PUT_FIELD_NUMBER: ClassVar[int]
    SORTED_SET_FETCH_FIELD_NUMBER: ClassVar[int]
    SORTED_SET_GET_SCORE_FIELD_NUMBER: ClassVar[int]
    SORTED_SET_GET_RANK_FIELD_NUMBER: ClassVar[int]
    SORTED_SET_INCREMENT_FIELD_NUMBER: ClassVar[int]
    SORTED_SET_REMOVE_FIELD_NUMBER: ClassVar[int]
    SORTED_SET_LENGTH_FIELD_NUMBER: ClassVar[int]
    SORTED_SET_LENGTH_BY_SCORE_FIELD_NUMBER: ClassVar[int]
    SORTED_SET_UNION_STORE_FIELD_NUMBER: ClassVar[int]
    UPDATE_TTL_IF_PREFIX_FIELD_NUMBER: ClassVar[int]
    id: int
    cache: str
    deadline_ms: int
    near: bool
    cancel: Cancel
    near_open: NearOpen
    near_renew: NearRenew
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
    dictionary_get: cache_pb2.DictionaryGetRequest
    dictionary_fetch: cache_pb2.DictionaryFetchRequest
    dictionary_set: cache_pb2.DictionarySetRequest
    dictionary_increment: cache_pb2.DictionaryIncrementRequest
    dictionary_delete: cache_pb2.DictionaryDeleteRequest
    dictionary_length: cache_pb2.DictionaryLengthRequest
    set_fetch: cache_pb2.SetFetchRequest
    set_sample: cache_pb2.SetSampleRequest
    set_union: cache_pb2.SetUnionRequest
    set_difference: cache_pb2.SetDifferenceRequest
    set_contains: cache_pb2.SetContainsRequest
    set_length: cache_pb2.SetLengthRequest
    set_pop: cache_pb2.SetPopRequest
    list_push_front: cache_pb2.ListPushFrontRequest
    list_push_back: cache_pb2.ListPushBackRequest
    list_concatenate_front: cache_pb2.ListConcatenateFrontRequest
    list_concatenate_back: cache_pb2.ListConcatenateBackRequest
    list_pop_front: cache_pb2.ListPopFrontRequest
    list_pop_back: cache_pb2.ListPopBackRequest
    list_fetch: cache_pb2.ListFetchRequest
    list_retain: cache_pb2.ListRetainRequest
    list_remove: cache_pb2.ListRemoveRequest
    list_erase: cache_pb2.ListEraseRequest
    list_length: cache_pb2.ListLengthRequest
    sorted_set_put: cache_pb2.SortedSetPutRequest
    sorted_set_fetch: cache_pb2.SortedSetFetchRequest
    sorted_set_get_score: cache_pb2.SortedSetGetScoreRequest
    sorted_set_get_rank: cache_pb2.SortedSetGetRankRequest
    sorted_set_increment: cache_pb2.SortedSetIncrementRequest
    sorted_set_remove: cache_pb2.SortedSetRemoveRequest
    sorted_set_length: cache_pb2.SortedSetLengthRequest
    sorted_set_length_by_score: cache_pb2.SortedSetLengthByScoreRequest
    sorted_set_union_store: cache_pb2.SortedSetUnionStoreRequest
    update_ttl_if_prefix: cache_pb2.UpdateTtlIfPrefixRequest
    def __init__(
        self,
        id: int | None = ...,
        cache: str | None = ...,
        deadline_ms: int | None = ...,
        near: bool | None = ...,
        cancel: Cancel | Mapping[str, Any] | None = ...,
        near_open: NearOpen | Mapping[str, Any] | None = ...,
        near_renew: NearRenew | Mapping[str, Any] | None = ...,
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
        dictionary_get: cache_pb2.DictionaryGetRequest | Mapping[str, Any] | None = ...,
        dictionary_fetch: cache_pb2.DictionaryFetchRequest | Mapping[str, Any] | None = ...,
        dictionary_set: cache_pb2.DictionarySetRequest | Mapping[str, Any] | None = ...,
        dictionary_increment: cache_pb2.DictionaryIncrementRequest | Mapping[str, Any] | None = ...,
        dictionary_delete: cache_pb2.DictionaryDeleteRequest | Mapping[str, Any] | None = ...,
        dictionary_length: cache_pb2.DictionaryLengthRequest | Mapping[str, Any] | None = ...,
        set_fetch: cache_pb2.SetFetchRequest | Mapping[str, Any] | None = ...,
        set_sample: cache_pb2.SetSampleRequest | Mapping[str, Any] | None = ...,
        set_union: cache_pb2.SetUnionRequest | Mapping[str, Any] | None = ...,
        set_difference: cache_pb2.SetDifferenceRequest | Mapping[str, Any] | None = ...,
        set_contains: cache_pb2.SetContainsRequest | Mapping[str, Any] | None = ...,
        set_length: cache_pb2.SetLengthRequest | Mapping[str, Any] | None = ...,
        set_pop: cache_pb2.SetPopRequest | Mapping[str, Any] | None = ...,
        list_push_front: cache_pb2.ListPushFrontRequest | Mapping[str, Any] | None = ...,
        list_push_back: cache_pb2.ListPushBackRequest | Mapping[str, Any] | None = ...,
        list_concatenate_front: cache_pb2.ListConcatenateFrontRequest | Mapping[str, Any] | None = ...,
        list_concatenate_back: cache_pb2.ListConcatenateBackRequest | Mapping[str, Any] | None = ...,
        list_pop_front: cache_pb2.ListPopFrontRequest | Mapping[str, Any] | None = ...,
        list_pop_back: cache_pb2.ListPopBackRequest | Mapping[str, Any] | None = ...,
        list_fetch: cache_pb2.ListFetchRequest | Mapping[str, Any] | None = ...,
        list_retain: cache_pb2.ListRetainRequest | Mapping[str, Any] | None = ...,
        list_remove: cache_pb2.ListRemoveRequest | Mapping[str, Any] | None = ...,
        list_erase: cache_pb2.ListEraseRequest | Mapping[str, Any] | None = ...,
        list_length: cache_pb2.ListLengthRequest | Mapping[str, Any] | None = ...,
        sorted_set_put: cache_pb2.SortedSetPutRequest | Mapping[str, Any] | None = ...,
        sorted_set_fetch: cache_pb2.SortedSetFetchRequest | Mapping[str, Any] | None = ...,
        sorted_set_get_score: cache_pb2.SortedSetGetScoreRequest | Mapping[str, Any] | None = ...,
        sorted_set_get_rank: cache_pb2.SortedSetGetRankRequest | Mapping[str, Any] | None = ...,
        sorted_set_increment: cache_pb2.SortedSetIncrementRequest | Mapping[str, Any] | None = ...,
        sorted_set_remove: cache_pb2.SortedSetRemoveRequest | Mapping[str, Any] | None = ...,
        sorted_set_length: cache_pb2.SortedSetLengthRequest | Mapping[str, Any] | None = ...,
        sorted_set_length_by_score: cache_pb2.SortedSetLengthByScoreRequest | Mapping[str, Any] | None = ...,
        sorted_set_union_store: cache_pb2.SortedSetUnionStoreRequest | Mapping[str, Any] | None = ...,
        update_ttl_if_prefix: cache_pb2.UpdateTtlIfPrefixRequest | Mapping[str, Any] | None = ...,
    ) -> None: ...

class Cancel(message.Message):
    def __init__(self) -> None: ...

class NearOpen(message.Message):
    def __init__(self) -> None: ...

class NearRenew(message.Message):
    def __init__(self) -> None: ...

class BatchResult(message.Message):
    RESULTS_FIELD_NUMBER: ClassVar[int]
    DRAINING_FIELD_NUMBER: ClassVar[int]
    INVALIDATED_FIELD_NUMBER: ClassVar[int]
    CLEAR_FIELD_NUMBER: ClassVar[int]
    results: containers.RepeatedCompositeFieldContainer[Result]
    draining: bool
    invalidated: containers.RepeatedScalarFieldContainer[int]
    clear: bool
    def __init__(
        self,
        results: Iterable[Result | Mapping[str, Any]] | None = ...,
        draining: bool | None = ...,
        invalidated: Iterable[int] | None = ...,
        clear: bool | None = ...,
    ) -> None: ...

class Result(message.Message):
    ID_FIELD_NUMBER: ClassVar[int]
    TICKET_FIELD_NUMBER: ClassVar[int]
    TTL_LEFT_MS_FIELD_NUMBER: ClassVar[int]
    STATUS_FIELD_NUMBER: ClassVar[int]
    USE_UNARY_FIELD_NUMBER: ClassVar[int]
    NEAR_OPEN_FIELD_NUMBER: ClassVar[int]
    NEAR_RENEW_FIELD_NUMBER: ClassVar[int]
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
    DICTIONARY_GET_FIELD_NUMBER: ClassVar[int]
    DICTIONARY_FETCH_FIELD_NUMBER: ClassVar[int]
    DICTIONARY_SET_FIELD_NUMBER: ClassVar[int]
    DICTIONARY_INCREMENT_FIELD_NUMBER: ClassVar[int]
    DICTIONARY_DELETE_FIELD_NUMBER: ClassVar[int]
    DICTIONARY_LENGTH_FIELD_NUMBER: ClassVar[int]
    SET_FETCH_FIELD_NUMBER: ClassVar[int]
    SET_SAMPLE_FIELD_NUMBER: ClassVar[int]
    SET_UNION_FIELD_NUMBER: ClassVar[int]
    SET_DIFFERENCE_FIELD_NUMBER: ClassVar[int]
    SET_CONTAINS_FIELD_NUMBER: ClassVar[int]
    SET_LENGTH_FIELD_NUMBER: ClassVar[int]
    SET_POP_FIELD_NUMBER: ClassVar[int]
    LIST_PUSH_FRONT_FIELD_NUMBER: ClassVar[int]
    LIST_PUSH_BACK_FIELD_NUMBER: ClassVar[int]
    LIST_CONCATENATE_FRONT_FIELD_NUMBER: ClassVar[int]
    LIST_CONCATENATE_BACK_FIELD_NUMBER: ClassVar[int]
    LIST_POP_FRONT_FIELD_NUMBER: ClassVar[int]
    LIST_POP_BACK_FIELD_NUMBER: ClassVar[int]
    LIST_FETCH_FIELD_NUMBER: ClassVar[int]
    LIST_RETAIN_FIELD_NUMBER: ClassVar[int]
    LIST_REMOVE_FIELD_NUMBER: ClassVar[int]
    LIST_ERASE_FIELD_NUMBER: ClassVar[int]
    LIST_LENGTH_FIELD_NUMBER: ClassVar[int]
    SORTED_SET_PUT_FIELD_NUMBER: ClassVar[int]
    SORTED_SET_FETCH_FIELD_NUMBER: ClassVar[int]
    SORTED_SET_GET_SCORE_FIELD_NUMBER: ClassVar[int]
    SORTED_SET_GET_RANK_FIELD_NUMBER: ClassVar[int]
    SORTED_SET_INCREMENT_FIELD_NUMBER: ClassVar[int]
    SORTED_SET_REMOVE_FIELD_NUMBER: ClassVar[int]
    SORTED_SET_LENGTH_FIELD_NUMBER: ClassVar[int]
    SORTED_SET_LENGTH_BY_SCORE_FIELD_NUMBER: ClassVar[int]
    SORTED_SET_UNION_STORE_FIELD_NUMBER: ClassVar[int]
    UPDATE_TTL_IF_PREFIX_FIELD_NUMBER: ClassVar[int]
    id: int
    ticket: int
    ttl_left_ms: int
    status: CallStatus
    use_unary: UseUnary
    near_open: NearOpened
    near_renew: NearRenewed
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
    dictionary_get: cache_pb2.DictionaryGetResponse
    dictionary_fetch: cache_pb2.DictionaryFetchResponse
    dictionary_set: cache_pb2.DictionarySetResponse
    dictionary_increment: cache_pb2.DictionaryIncrementResponse
    dictionary_delete: cache_pb2.DictionaryDeleteResponse
    dictionary_length: cache_pb2.DictionaryLengthResponse
    set_fetch: cache_pb2.SetFetchResponse
    set_sample: cache_pb2.SetSampleResponse
    set_union: cache_pb2.SetUnionResponse
    set_difference: cache_pb2.SetDifferenceResponse
    set_contains: cache_pb2.SetContainsResponse
    set_length: cache_pb2.SetLengthResponse
    set_pop: cache_pb2.SetPopResponse
    list_push_front: cache_pb2.ListPushFrontResponse
    list_push_back: cache_pb2.ListPushBackResponse
    list_concatenate_front: cache_pb2.ListConcatenateFrontResponse
    list_concatenate_back: cache_pb2.ListConcatenateBackResponse
    list_pop_front: cache_pb2.ListPopFrontResponse
    list_pop_back: cache_pb2.ListPopBackResponse
    list_fetch: cache_pb2.ListFetchResponse
    list_retain: cache_pb2.ListRetainResponse
    list_remove: cache_pb2.ListRemoveResponse
    list_erase: cache_pb2.ListEraseResponse
    list_length: cache_pb2.ListLengthResponse
    sorted_set_put: cache_pb2.SortedSetPutResponse
    sorted_set_fetch: cache_pb2.SortedSetFetchResponse
    sorted_set_get_score: cache_pb2.SortedSetGetScoreResponse
    sorted_set_get_rank: cache_pb2.SortedSetGetRankResponse
    sorted_set_increment: cache_pb2.SortedSetIncrementResponse
    sorted_set_remove: cache_pb2.SortedSetRemoveResponse
    sorted_set_length: cache_pb2.SortedSetLengthResponse
    sorted_set_length_by_score: cache_pb2.SortedSetLengthByScoreResponse
    sorted_set_union_store: cache_pb2.SortedSetUnionStoreResponse
    update_ttl_if_prefix: cache_pb2.UpdateTtlIfPrefixResponse
    def __init__(
        self,
        id: int | None = ...,
        ticket: int | None = ...,
        ttl_left_ms: int | None = ...,
        status: CallStatus | Mapping[str, Any] | None = ...,
        use_unary: UseUnary | Mapping[str, Any] | None = ...,
        near_open: NearOpened | Mapping[str, Any] | None = ...,
        near_renew: NearRenewed | Mapping[str, Any] | None = ...,
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
        dictionary_get: cache_pb2.DictionaryGetResponse | Mapping[str, Any] | None = ...,
        dictionary_fetch: cache_pb2.DictionaryFetchResponse | Mapping[str, Any] | None = ...,
        dictionary_set: cache_pb2.DictionarySetResponse | Mapping[str, Any] | None = ...,
        dictionary_increment: cache_pb2.DictionaryIncrementResponse | Mapping[str, Any] | None = ...,
        dictionary_delete: cache_pb2.DictionaryDeleteResponse | Mapping[str, Any] | None = ...,
        dictionary_length: cache_pb2.DictionaryLengthResponse | Mapping[str, Any] | None = ...,
        set_fetch: cache_pb2.SetFetchResponse | Mapping[str, Any] | None = ...,
        set_sample: cache_pb2.SetSampleResponse | Mapping[str, Any] | None = ...,
        set_union: cache_pb2.SetUnionResponse | Mapping[str, Any] | None = ...,
        set_difference: cache_pb2.SetDifferenceResponse | Mapping[str, Any] | None = ...,
        set_contains: cache_pb2.SetContainsResponse | Mapping[str, Any] | None = ...,
        set_length: cache_pb2.SetLengthResponse | Mapping[str, Any] | None = ...,
        set_pop: cache_pb2.SetPopResponse | Mapping[str, Any] | None = ...,
        list_push_front: cache_pb2.ListPushFrontResponse | Mapping[str, Any] | None = ...,
        list_push_back: cache_pb2.ListPushBackResponse | Mapping[str, Any] | None = ...,
        list_concatenate_front: cache_pb2.ListConcatenateFrontResponse | Mapping[str, Any] | None = ...,
        list_concatenate_back: cache_pb2.ListConcatenateBackResponse | Mapping[str, Any] | None = ...,
        list_pop_front: cache_pb2.ListPopFrontResponse | Mapping[str, Any] | None = ...,
        list_pop_back: cache_pb2.ListPopBackResponse | Mapping[str, Any] | None = ...,
        list_fetch: cache_pb2.ListFetchResponse | Mapping[str, Any] | None = ...,
        list_retain: cache_pb2.ListRetainResponse | Mapping[str, Any] | None = ...,
        list_remove: cache_pb2.ListRemoveResponse | Mapping[str, Any] | None = ...,
        list_erase: cache_pb2.ListEraseResponse | Mapping[str, Any] | None = ...,
        list_length: cache_pb2.ListLengthResponse | Mapping[str, Any] | None = ...,
        sorted_set_put: cache_pb2.SortedSetPutResponse | Mapping[str, Any] | None = ...,
        sorted_set_fetch: cache_pb2.SortedSetFetchResponse | Mapping[str, Any] | None = ...,
        sorted_set_get_score: cache_pb2.SortedSetGetScoreResponse | Mapping[str, Any] | None = ...,
        sorted_set_get_rank: cache_pb2.SortedSetGetRankResponse | Mapping[str, Any] | None = ...,
        sorted_set_increment: cache_pb2.SortedSetIncrementResponse | Mapping[str, Any] | None = ...,
        sorted_set_remove: cache_pb2.SortedSetRemoveResponse | Mapping[str, Any] | None = ...,
        sorted_set_length: cache_pb2.SortedSetLengthResponse | Mapping[str, Any] | None = ...,
        sorted_set_length_by_score: cache_pb2.SortedSetLengthByScoreResponse | Mapping[str, Any] | None = ...,
        sorted_set_union_store: cache_pb2.SortedSetUnionStoreResponse | Mapping[str, Any] | None = ...,
        update_ttl_if_prefix: cache_pb2.UpdateTtlIfPrefixResponse | Mapping[str, Any] | None = ...,
    ) -> None: ...

class UseUnary(message.Message):
    def __init__(self) -> None: ...

class NearOpened(message.Message):
    LEASE_MS_FIELD_NUMBER: ClassVar[int]
    lease_ms: int
    def __init__(
        self,
        lease_ms: int | None = ...,
    ) -> None: ...

class NearRenewed(message.Message):
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
