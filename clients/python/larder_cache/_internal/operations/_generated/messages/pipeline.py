# Written by tools/operations from protocol/operations.toml and protocol/proto; not edited by hand.
"""The messages of protocol/proto/pipeline.proto."""

from __future__ import annotations

import builtins  # noqa: F401

from larder_cache._internal.operations._generated.messages import cache as _cache
from larder_cache._internal.operations.message import Message
from larder_cache._internal.operations.message import field as _field


class Batch(Message):
    operations: list[Operation] = _field("message", 1, repeated=True, of=lambda: Operation())


class Operation(Message):
    id: int = _field("uint32", 1)
    cache: str = _field("string", 2)
    deadline_ms: int = _field("uint32", 3)
    near: bool = _field("bool", 64)
    cancel: Cancel = _field("message", 7, oneof="call", of=lambda: Cancel())
    near_open: NearOpen = _field("message", 80, oneof="call", of=lambda: NearOpen())
    near_renew: NearRenew = _field("message", 81, oneof="call", of=lambda: NearRenew())
    get: _cache.GetRequest = _field("message", 4, oneof="call", of=lambda: _cache.GetRequest())
    set: _cache.SetRequest = _field("message", 5, oneof="call", of=lambda: _cache.SetRequest())
    delete: _cache.DeleteRequest = _field("message", 6, oneof="call", of=lambda: _cache.DeleteRequest())
    keys_exist: _cache.KeysExistRequest = _field("message", 8, oneof="call", of=lambda: _cache.KeysExistRequest())
    increment: _cache.IncrementRequest = _field("message", 9, oneof="call", of=lambda: _cache.IncrementRequest())
    set_if: _cache.SetIfRequest = _field("message", 10, oneof="call", of=lambda: _cache.SetIfRequest())
    update_ttl: _cache.UpdateTtlRequest = _field("message", 11, oneof="call", of=lambda: _cache.UpdateTtlRequest())
    item_get_ttl: _cache.ItemGetTtlRequest = _field("message", 12, oneof="call", of=lambda: _cache.ItemGetTtlRequest())
    set_if_not_exists: _cache.SetIfNotExistsRequest = _field("message", 13, oneof="call", of=lambda: _cache.SetIfNotExistsRequest())
    get_batch: _cache.GetBatchRequest = _field("message", 14, oneof="call", of=lambda: _cache.GetBatchRequest())
    set_batch: _cache.SetBatchRequest = _field("message", 15, oneof="call", of=lambda: _cache.SetBatchRequest())
    get_with_hash: _cache.GetWithHashRequest = _field("message", 16, oneof="call", of=lambda: _cache.GetWithHashRequest())
    set_if_hash: _cache.SetIfHashRequest = _field("message", 17, oneof="call", of=lambda: _cache.SetIfHashRequest())
    item_get_type: _cache.ItemGetTypeRequest = _field("message", 18, oneof="call", of=lambda: _cache.ItemGetTypeRequest())
    dictionary_get: _cache.DictionaryGetRequest = _field("message", 19, oneof="call", of=lambda: _cache.DictionaryGetRequest())
    dictionary_fetch: _cache.DictionaryFetchRequest = _field("message", 20, oneof="call", of=lambda: _cache.DictionaryFetchRequest())
    dictionary_set: _cache.DictionarySetRequest = _field("message", 21, oneof="call", of=lambda: _cache.DictionarySetRequest())
    dictionary_increment: _cache.DictionaryIncrementRequest = _field("message", 22, oneof="call", of=lambda: _cache.DictionaryIncrementRequest())
    dictionary_delete: _cache.DictionaryDeleteRequest = _field("message", 23, oneof="call", of=lambda: _cache.DictionaryDeleteRequest())
    dictionary_length: _cache.DictionaryLengthRequest = _field("message", 24, oneof="call", of=lambda: _cache.DictionaryLengthRequest())
    set_fetch: _cache.SetFetchRequest = _field("message", 25, oneof="call", of=lambda: _cache.SetFetchRequest())
    set_sample: _cache.SetSampleRequest = _field("message", 26, oneof="call", of=lambda: _cache.SetSampleRequest())
    set_union: _cache.SetUnionRequest = _field("message", 27, oneof="call", of=lambda: _cache.SetUnionRequest())
    set_difference: _cache.SetDifferenceRequest = _field("message", 28, oneof="call", of=lambda: _cache.SetDifferenceRequest())
    set_contains: _cache.SetContainsRequest = _field("message", 29, oneof="call", of=lambda: _cache.SetContainsRequest())
    set_length: _cache.SetLengthRequest = _field("message", 30, oneof="call", of=lambda: _cache.SetLengthRequest())
    set_pop: _cache.SetPopRequest = _field("message", 31, oneof="call", of=lambda: _cache.SetPopRequest())
    list_push_front: _cache.ListPushFrontRequest = _field("message", 32, oneof="call", of=lambda: _cache.ListPushFrontRequest())
    list_push_back: _cache.ListPushBackRequest = _field("message", 33, oneof="call", of=lambda: _cache.ListPushBackRequest())
    list_concatenate_front: _cache.ListConcatenateFrontRequest = _field("message", 34, oneof="call", of=lambda: _cache.ListConcatenateFrontRequest())
    list_concatenate_back: _cache.ListConcatenateBackRequest = _field("message", 35, oneof="call", of=lambda: _cache.ListConcatenateBackRequest())
    list_pop_front: _cache.ListPopFrontRequest = _field("message", 36, oneof="call", of=lambda: _cache.ListPopFrontRequest())
    list_pop_back: _cache.ListPopBackRequest = _field("message", 37, oneof="call", of=lambda: _cache.ListPopBackRequest())
    list_fetch: _cache.ListFetchRequest = _field("message", 38, oneof="call", of=lambda: _cache.ListFetchRequest())
    list_retain: _cache.ListRetainRequest = _field("message", 39, oneof="call", of=lambda: _cache.ListRetainRequest())
    list_remove: _cache.ListRemoveRequest = _field("message", 40, oneof="call", of=lambda: _cache.ListRemoveRequest())
    list_erase: _cache.ListEraseRequest = _field("message", 41, oneof="call", of=lambda: _cache.ListEraseRequest())
    list_length: _cache.ListLengthRequest = _field("message", 42, oneof="call", of=lambda: _cache.ListLengthRequest())
    sorted_set_put: _cache.SortedSetPutRequest = _field("message", 43, oneof="call", of=lambda: _cache.SortedSetPutRequest())
    sorted_set_fetch: _cache.SortedSetFetchRequest = _field("message", 44, oneof="call", of=lambda: _cache.SortedSetFetchRequest())
    sorted_set_get_score: _cache.SortedSetGetScoreRequest = _field("message", 45, oneof="call", of=lambda: _cache.SortedSetGetScoreRequest())
    sorted_set_get_rank: _cache.SortedSetGetRankRequest = _field("message", 46, oneof="call", of=lambda: _cache.SortedSetGetRankRequest())
    sorted_set_increment: _cache.SortedSetIncrementRequest = _field("message", 47, oneof="call", of=lambda: _cache.SortedSetIncrementRequest())
    sorted_set_remove: _cache.SortedSetRemoveRequest = _field("message", 48, oneof="call", of=lambda: _cache.SortedSetRemoveRequest())
    sorted_set_length: _cache.SortedSetLengthRequest = _field("message", 49, oneof="call", of=lambda: _cache.SortedSetLengthRequest())
    sorted_set_length_by_score: _cache.SortedSetLengthByScoreRequest = _field("message", 50, oneof="call", of=lambda: _cache.SortedSetLengthByScoreRequest())
    sorted_set_union_store: _cache.SortedSetUnionStoreRequest = _field("message", 51, oneof="call", of=lambda: _cache.SortedSetUnionStoreRequest())
    update_ttl_if_prefix: _cache.UpdateTtlIfPrefixRequest = _field("message", 52, oneof="call", of=lambda: _cache.UpdateTtlIfPrefixRequest())


class Cancel(Message):
    pass


class NearOpen(Message):
    pass


class NearRenew(Message):
    pass


class BatchResult(Message):
    results: list[Result] = _field("message", 1, repeated=True, of=lambda: Result())
    draining: bool = _field("bool", 2)
    invalidated: list[int] = _field("uint32", 3, repeated=True)
    clear: bool = _field("bool", 4)


class Result(Message):
    id: int = _field("uint32", 1)
    ticket: int = _field("uint32", 64)
    ttl_left_ms: int = _field("uint32", 65)
    status: CallStatus = _field("message", 2, oneof="outcome", of=lambda: CallStatus())
    use_unary: UseUnary = _field("message", 3, oneof="outcome", of=lambda: UseUnary())
    near_open: NearOpened = _field("message", 80, oneof="outcome", of=lambda: NearOpened())
    near_renew: NearRenewed = _field("message", 81, oneof="outcome", of=lambda: NearRenewed())
    get: _cache.GetResponse = _field("message", 4, oneof="outcome", of=lambda: _cache.GetResponse())
    set: _cache.SetResponse = _field("message", 5, oneof="outcome", of=lambda: _cache.SetResponse())
    delete: _cache.DeleteResponse = _field("message", 6, oneof="outcome", of=lambda: _cache.DeleteResponse())
    keys_exist: _cache.KeysExistResponse = _field("message", 8, oneof="outcome", of=lambda: _cache.KeysExistResponse())
    increment: _cache.IncrementResponse = _field("message", 9, oneof="outcome", of=lambda: _cache.IncrementResponse())
    set_if: _cache.SetIfResponse = _field("message", 10, oneof="outcome", of=lambda: _cache.SetIfResponse())
    update_ttl: _cache.UpdateTtlResponse = _field("message", 11, oneof="outcome", of=lambda: _cache.UpdateTtlResponse())
    item_get_ttl: _cache.ItemGetTtlResponse = _field("message", 12, oneof="outcome", of=lambda: _cache.ItemGetTtlResponse())
    set_if_not_exists: _cache.SetIfNotExistsResponse = _field("message", 13, oneof="outcome", of=lambda: _cache.SetIfNotExistsResponse())
    get_batch: GetBatchResult = _field("message", 14, oneof="outcome", of=lambda: GetBatchResult())
    set_batch: SetBatchResult = _field("message", 15, oneof="outcome", of=lambda: SetBatchResult())
    get_with_hash: _cache.GetWithHashResponse = _field("message", 16, oneof="outcome", of=lambda: _cache.GetWithHashResponse())
    set_if_hash: _cache.SetIfHashResponse = _field("message", 17, oneof="outcome", of=lambda: _cache.SetIfHashResponse())
    item_get_type: _cache.ItemGetTypeResponse = _field("message", 18, oneof="outcome", of=lambda: _cache.ItemGetTypeResponse())
    dictionary_get: _cache.DictionaryGetResponse = _field("message", 19, oneof="outcome", of=lambda: _cache.DictionaryGetResponse())
    dictionary_fetch: _cache.DictionaryFetchResponse = _field("message", 20, oneof="outcome", of=lambda: _cache.DictionaryFetchResponse())
    dictionary_set: _cache.DictionarySetResponse = _field("message", 21, oneof="outcome", of=lambda: _cache.DictionarySetResponse())
    dictionary_increment: _cache.DictionaryIncrementResponse = _field("message", 22, oneof="outcome", of=lambda: _cache.DictionaryIncrementResponse())
    dictionary_delete: _cache.DictionaryDeleteResponse = _field("message", 23, oneof="outcome", of=lambda: _cache.DictionaryDeleteResponse())
    dictionary_length: _cache.DictionaryLengthResponse = _field("message", 24, oneof="outcome", of=lambda: _cache.DictionaryLengthResponse())
    set_fetch: _cache.SetFetchResponse = _field("message", 25, oneof="outcome", of=lambda: _cache.SetFetchResponse())
    set_sample: _cache.SetSampleResponse = _field("message", 26, oneof="outcome", of=lambda: _cache.SetSampleResponse())
    set_union: _cache.SetUnionResponse = _field("message", 27, oneof="outcome", of=lambda: _cache.SetUnionResponse())
    set_difference: _cache.SetDifferenceResponse = _field("message", 28, oneof="outcome", of=lambda: _cache.SetDifferenceResponse())
    set_contains: _cache.SetContainsResponse = _field("message", 29, oneof="outcome", of=lambda: _cache.SetContainsResponse())
    set_length: _cache.SetLengthResponse = _field("message", 30, oneof="outcome", of=lambda: _cache.SetLengthResponse())
    set_pop: _cache.SetPopResponse = _field("message", 31, oneof="outcome", of=lambda: _cache.SetPopResponse())
    list_push_front: _cache.ListPushFrontResponse = _field("message", 32, oneof="outcome", of=lambda: _cache.ListPushFrontResponse())
    list_push_back: _cache.ListPushBackResponse = _field("message", 33, oneof="outcome", of=lambda: _cache.ListPushBackResponse())
    list_concatenate_front: _cache.ListConcatenateFrontResponse = _field("message", 34, oneof="outcome", of=lambda: _cache.ListConcatenateFrontResponse())
    list_concatenate_back: _cache.ListConcatenateBackResponse = _field("message", 35, oneof="outcome", of=lambda: _cache.ListConcatenateBackResponse())
    list_pop_front: _cache.ListPopFrontResponse = _field("message", 36, oneof="outcome", of=lambda: _cache.ListPopFrontResponse())
    list_pop_back: _cache.ListPopBackResponse = _field("message", 37, oneof="outcome", of=lambda: _cache.ListPopBackResponse())
    list_fetch: _cache.ListFetchResponse = _field("message", 38, oneof="outcome", of=lambda: _cache.ListFetchResponse())
    list_retain: _cache.ListRetainResponse = _field("message", 39, oneof="outcome", of=lambda: _cache.ListRetainResponse())
    list_remove: _cache.ListRemoveResponse = _field("message", 40, oneof="outcome", of=lambda: _cache.ListRemoveResponse())
    list_erase: _cache.ListEraseResponse = _field("message", 41, oneof="outcome", of=lambda: _cache.ListEraseResponse())
    list_length: _cache.ListLengthResponse = _field("message", 42, oneof="outcome", of=lambda: _cache.ListLengthResponse())
    sorted_set_put: _cache.SortedSetPutResponse = _field("message", 43, oneof="outcome", of=lambda: _cache.SortedSetPutResponse())
    sorted_set_fetch: _cache.SortedSetFetchResponse = _field("message", 44, oneof="outcome", of=lambda: _cache.SortedSetFetchResponse())
    sorted_set_get_score: _cache.SortedSetGetScoreResponse = _field("message", 45, oneof="outcome", of=lambda: _cache.SortedSetGetScoreResponse())
    sorted_set_get_rank: _cache.SortedSetGetRankResponse = _field("message", 46, oneof="outcome", of=lambda: _cache.SortedSetGetRankResponse())
    sorted_set_increment: _cache.SortedSetIncrementResponse = _field("message", 47, oneof="outcome", of=lambda: _cache.SortedSetIncrementResponse())
    sorted_set_remove: _cache.SortedSetRemoveResponse = _field("message", 48, oneof="outcome", of=lambda: _cache.SortedSetRemoveResponse())
    sorted_set_length: _cache.SortedSetLengthResponse = _field("message", 49, oneof="outcome", of=lambda: _cache.SortedSetLengthResponse())
    sorted_set_length_by_score: _cache.SortedSetLengthByScoreResponse = _field("message", 50, oneof="outcome", of=lambda: _cache.SortedSetLengthByScoreResponse())
    sorted_set_union_store: _cache.SortedSetUnionStoreResponse = _field("message", 51, oneof="outcome", of=lambda: _cache.SortedSetUnionStoreResponse())
    update_ttl_if_prefix: _cache.UpdateTtlIfPrefixResponse = _field("message", 52, oneof="outcome", of=lambda: _cache.UpdateTtlIfPrefixResponse())


class UseUnary(Message):
    pass


class NearOpened(Message):
    lease_ms: int = _field("uint32", 1)


class NearRenewed(Message):
    pass


class CallStatus(Message):
    code: int = _field("uint32", 1)
    message: str = _field("string", 2)
    cause: str = _field("string", 3)


class GetBatchResult(Message):
    responses: list[_cache.GetResponse] = _field("message", 1, repeated=True, of=lambda: _cache.GetResponse())


class SetBatchResult(Message):
    responses: list[_cache.SetResponse] = _field("message", 1, repeated=True, of=lambda: _cache.SetResponse())
