# Written by tools/operations from protocol/operations.toml and protocol/proto; not edited by hand.
"""The calls of the protocol: path, decoder of the response, and whether a retry is allowed."""

from __future__ import annotations

from larder_cache import responses as r
from larder_cache._internal.operations import answers
from larder_cache._internal.operations._generated import collection_answers
from larder_cache._internal.operations.operation import Operation, UnexpectedResponse


def _item_get_ttl(payload: bytes) -> r.RemainingTtl | r.Missing:
    outcome, content = answers.outcome(payload)
    if outcome == 1:
        return r.RemainingTtl(answers.number(content, 1))
    if outcome == 2:
        return r.MISSING
    raise UnexpectedResponse(f"unknown outcome {outcome} in the response of item_get_ttl")


def _item_get_type(payload: bytes) -> r.FoundType | r.Missing:
    outcome, content = answers.outcome(payload)
    if outcome == 1:
        return r.FoundType(answers.item_type(content, 1))
    if outcome == 2:
        return r.MISSING
    raise UnexpectedResponse(f"unknown outcome {outcome} in the response of item_get_type")


def _get_with_hash(payload: bytes) -> r.FoundWithHash | r.Missing:
    outcome, content = answers.outcome(payload)
    if outcome == 1:
        return r.FoundWithHash(answers.data(content, 1), answers.data(content, 2))
    if outcome == 2:
        return r.MISSING
    raise UnexpectedResponse(f"unknown outcome {outcome} in the response of get_with_hash")


def _update_ttl(payload: bytes) -> r.TtlSet | r.TtlNotSet | r.Missing:
    outcome, _ = answers.outcome(payload)
    if outcome == 1:
        return r.TTL_SET
    if outcome == 2:
        return r.TTL_NOT_SET
    if outcome == 3:
        return r.MISSING
    raise UnexpectedResponse(f"unknown outcome {outcome} in the response of update_ttl")


def _update_ttl_if_prefix(payload: bytes) -> r.TtlSet | r.PrefixDiffers | r.Missing:
    outcome, content = answers.outcome(payload)
    if outcome == 1:
        return r.TTL_SET
    if outcome == 2:
        return r.PrefixDiffers(answers.data(content, 1))
    if outcome == 3:
        return r.MISSING
    raise UnexpectedResponse(f"unknown outcome {outcome} in the response of update_ttl_if_prefix")


def _set_if(payload: bytes) -> r.Stored | r.NotStored:
    outcome, _ = answers.outcome(payload)
    if outcome == 1:
        return r.STORED
    if outcome == 2:
        return r.NOT_STORED
    raise UnexpectedResponse(f"unknown outcome {outcome} in the response of set_if")


def _set_if_hash(payload: bytes) -> r.StoredWithHash | r.NotStored:
    outcome, content = answers.outcome(payload)
    if outcome == 1:
        return r.StoredWithHash(answers.data(content, 1))
    if outcome == 2:
        return r.NOT_STORED
    raise UnexpectedResponse(f"unknown outcome {outcome} in the response of set_if_hash")


def _increment(payload: bytes) -> r.Incremented:
    return r.Incremented(answers.signed(payload, 1))


GET = Operation("get", "/cache_client.Scs/Get", 4, answers.read_get, idempotent=True)
SET = Operation("set", "/cache_client.Scs/Set", 5, answers.read_set, idempotent=True)
DELETE = Operation("delete", "/cache_client.Scs/Delete", 6, answers.success, idempotent=True)
INCREMENT = Operation("increment", "/cache_client.Scs/Increment", 9, _increment)
ITEM_GET_TTL = Operation("item_get_ttl", "/cache_client.Scs/ItemGetTtl", 12, _item_get_ttl, idempotent=True)
ITEM_GET_TYPE = Operation("item_get_type", "/cache_client.Scs/ItemGetType", 18, _item_get_type, idempotent=True)
GET_WITH_HASH = Operation("get_with_hash", "/cache_client.Scs/GetWithHash", 16, _get_with_hash, idempotent=True)
UPDATE_TTL = Operation("update_ttl", "/cache_client.Scs/UpdateTtl", 11, _update_ttl)
UPDATE_TTL_IF_PREFIX = Operation(
    "update_ttl_if_prefix", "/cache_client.Scs/UpdateTtlIfPrefix", 52, _update_ttl_if_prefix, idempotent=True
)
SET_IF = Operation("set_if", "/cache_client.Scs/SetIf", 10, _set_if)
SET_IF_HASH = Operation("set_if_hash", "/cache_client.Scs/SetIfHash", 17, _set_if_hash)
KEYS_EXIST = Operation(
    "keys_exist",
    "/cache_client.Scs/KeysExist",
    8,
    answers.read_keys_exist,
    idempotent=True,
    each=("exists", 1),
    keyed=False,
    keys=((1,),),
)
GET_BATCH = Operation(
    "get_batch",
    "/cache_client.Scs/GetBatch",
    14,
    answers.read_get_batch,
    idempotent=True,
    streams=True,
    each=("responses", 1),
    keyed=False,
    keys=((1, 1),),
)
SET_BATCH = Operation(
    "set_batch",
    "/cache_client.Scs/SetBatch",
    15,
    answers.read_set_batch,
    idempotent=True,
    streams=True,
    keyed=False,
    keys=((1, 1),),
)
DICTIONARY_GET = Operation(
    "dictionary_get",
    "/cache_client.Scs/DictionaryGet",
    19,
    collection_answers.dictionary_get,
    idempotent=True,
    each=("values", 2),
)
DICTIONARY_FETCH = Operation(
    "dictionary_fetch", "/cache_client.Scs/DictionaryFetch", 20, collection_answers.dictionary_fetch, idempotent=True
)
DICTIONARY_SET = Operation("dictionary_set", "/cache_client.Scs/DictionarySet", 21, answers.success, idempotent=True)
DICTIONARY_INCREMENT = Operation(
    "dictionary_increment", "/cache_client.Scs/DictionaryIncrement", 22, collection_answers.dictionary_increment
)
DICTIONARY_DELETE = Operation(
    "dictionary_delete", "/cache_client.Scs/DictionaryDelete", 23, answers.success, idempotent=True
)
DICTIONARY_REMOVE = Operation(
    "dictionary_remove", "/cache_client.Scs/DictionaryDelete", 23, answers.success, idempotent=True
)
DICTIONARY_LENGTH = Operation(
    "dictionary_length", "/cache_client.Scs/DictionaryLength", 24, collection_answers.dictionary_length, idempotent=True
)
SET_FETCH = Operation("set_fetch", "/cache_client.Scs/SetFetch", 25, collection_answers.set_fetch, idempotent=True)
SET_SAMPLE = Operation("set_sample", "/cache_client.Scs/SetSample", 26, collection_answers.set_sample, idempotent=True)
SET_UNION = Operation("set_union", "/cache_client.Scs/SetUnion", 27, answers.success, idempotent=True)
SET_DIFFERENCE = Operation(
    "set_difference", "/cache_client.Scs/SetDifference", 28, collection_answers.set_difference, idempotent=True
)
SET_DIFFERENCE_FROM = Operation(
    "set_difference_from", "/cache_client.Scs/SetDifference", 28, collection_answers.set_difference
)
SET_CONTAINS = Operation(
    "set_contains",
    "/cache_client.Scs/SetContains",
    29,
    collection_answers.set_contains,
    idempotent=True,
    each=("contains", 2),
)
SET_LENGTH = Operation("set_length", "/cache_client.Scs/SetLength", 30, collection_answers.set_length, idempotent=True)
SET_POP = Operation("set_pop", "/cache_client.Scs/SetPop", 31, collection_answers.set_pop)
LIST_PUSH_FRONT = Operation(
    "list_push_front", "/cache_client.Scs/ListPushFront", 32, collection_answers.list_push_front
)
LIST_PUSH_BACK = Operation("list_push_back", "/cache_client.Scs/ListPushBack", 33, collection_answers.list_push_back)
LIST_CONCATENATE_FRONT = Operation(
    "list_concatenate_front", "/cache_client.Scs/ListConcatenateFront", 34, collection_answers.list_concatenate_front
)
LIST_CONCATENATE_BACK = Operation(
    "list_concatenate_back", "/cache_client.Scs/ListConcatenateBack", 35, collection_answers.list_concatenate_back
)
LIST_POP_FRONT = Operation("list_pop_front", "/cache_client.Scs/ListPopFront", 36, collection_answers.list_pop_front)
LIST_POP_BACK = Operation("list_pop_back", "/cache_client.Scs/ListPopBack", 37, collection_answers.list_pop_back)
LIST_FETCH = Operation("list_fetch", "/cache_client.Scs/ListFetch", 38, collection_answers.list_fetch, idempotent=True)
LIST_RETAIN = Operation("list_retain", "/cache_client.Scs/ListRetain", 39, collection_answers.list_retain)
LIST_REMOVE = Operation(
    "list_remove", "/cache_client.Scs/ListRemove", 40, collection_answers.list_remove, idempotent=True
)
LIST_ERASE = Operation("list_erase", "/cache_client.Scs/ListErase", 41, collection_answers.list_erase)
LIST_LENGTH = Operation(
    "list_length", "/cache_client.Scs/ListLength", 42, collection_answers.list_length, idempotent=True
)
SORTED_SET_PUT = Operation("sorted_set_put", "/cache_client.Scs/SortedSetPut", 43, answers.success, idempotent=True)
SORTED_SET_FETCH_BY_RANK = Operation(
    "sorted_set_fetch_by_rank",
    "/cache_client.Scs/SortedSetFetch",
    44,
    collection_answers.sorted_set_fetch,
    idempotent=True,
)
SORTED_SET_FETCH_BY_SCORE = Operation(
    "sorted_set_fetch_by_score",
    "/cache_client.Scs/SortedSetFetch",
    44,
    collection_answers.sorted_set_fetch,
    idempotent=True,
)
SORTED_SET_GET_SCORE = Operation(
    "sorted_set_get_score",
    "/cache_client.Scs/SortedSetGetScore",
    45,
    collection_answers.sorted_set_get_score,
    idempotent=True,
    each=("scores", 2),
)
SORTED_SET_GET_RANK = Operation(
    "sorted_set_get_rank",
    "/cache_client.Scs/SortedSetGetRank",
    46,
    collection_answers.sorted_set_get_rank,
    idempotent=True,
)
SORTED_SET_INCREMENT = Operation(
    "sorted_set_increment", "/cache_client.Scs/SortedSetIncrement", 47, collection_answers.sorted_set_increment
)
SORTED_SET_REMOVE = Operation(
    "sorted_set_remove", "/cache_client.Scs/SortedSetRemove", 48, answers.success, idempotent=True
)
SORTED_SET_LENGTH = Operation(
    "sorted_set_length", "/cache_client.Scs/SortedSetLength", 49, collection_answers.sorted_set_length, idempotent=True
)
SORTED_SET_LENGTH_BY_SCORE = Operation(
    "sorted_set_length_by_score",
    "/cache_client.Scs/SortedSetLengthByScore",
    50,
    collection_answers.sorted_set_length_by_score,
    idempotent=True,
)
SORTED_SET_UNION_STORE = Operation(
    "sorted_set_union_store",
    "/cache_client.Scs/SortedSetUnionStore",
    51,
    collection_answers.sorted_set_union_store,
    keys=((2, 1),),
)
CREATE_CACHE = Operation("create_cache", "/control_client.ScsControl/CreateCache", None, answers.success, keyed=False)
DELETE_CACHE = Operation("delete_cache", "/control_client.ScsControl/DeleteCache", None, answers.success, keyed=False)
FLUSH_CACHE = Operation("flush_cache", "/control_client.ScsControl/FlushCache", None, answers.success, keyed=False)
LIST_CACHES = Operation(
    "list_caches", "/control_client.ScsControl/ListCaches", None, answers.read_list_caches, idempotent=True, keyed=False
)
PING = Operation("ping", "/cache_client.Ping/Ping", None, answers.success, idempotent=True, keyed=False)
SCAN_KEYS = Operation(
    "scan_keys", "/larder.v1.Extras/ScanKeys", None, answers.read_scan_keys, idempotent=True, keyed=False
)
SCAN_ITEMS = Operation("scan_items", "/larder.v1.Extras/ScanItems", None, answers.read_scan_items, idempotent=True)
GET_OR_LEASE = Operation("get_or_lease", "/larder.v1.Extras/GetOrLease", None, answers.read_get_or_lease)
SET_WITH_LEASE = Operation("set_with_lease", "/larder.v1.Extras/SetWithLease", None, answers.read_set_with_lease)
RELEASE_LEASE = Operation("release_lease", "/larder.v1.Extras/ReleaseLease", None, answers.read_release_lease)
REMOVE_BY_TAG = Operation(
    "remove_by_tag", "/larder.v1.Extras/RemoveByTag", None, answers.read_remove_by_tag, idempotent=True, keyed=False
)
PUBLISH = Operation("publish", "/cache_client.pubsub.Pubsub/Publish", None, answers.read_publish, keyed=False)

PIPELINED = (
    GET,
    SET,
    DELETE,
    KEYS_EXIST,
    INCREMENT,
    SET_IF,
    UPDATE_TTL,
    ITEM_GET_TTL,
    GET_BATCH,
    SET_BATCH,
    GET_WITH_HASH,
    SET_IF_HASH,
    ITEM_GET_TYPE,
    DICTIONARY_GET,
    DICTIONARY_FETCH,
    DICTIONARY_SET,
    DICTIONARY_INCREMENT,
    DICTIONARY_DELETE,
    DICTIONARY_REMOVE,
    DICTIONARY_LENGTH,
    SET_FETCH,
    SET_SAMPLE,
    SET_UNION,
    SET_DIFFERENCE,
    SET_DIFFERENCE_FROM,
    SET_CONTAINS,
    SET_LENGTH,
    SET_POP,
    LIST_PUSH_FRONT,
    LIST_PUSH_BACK,
    LIST_CONCATENATE_FRONT,
    LIST_CONCATENATE_BACK,
    LIST_POP_FRONT,
    LIST_POP_BACK,
    LIST_FETCH,
    LIST_RETAIN,
    LIST_REMOVE,
    LIST_ERASE,
    LIST_LENGTH,
    SORTED_SET_PUT,
    SORTED_SET_FETCH_BY_RANK,
    SORTED_SET_FETCH_BY_SCORE,
    SORTED_SET_GET_SCORE,
    SORTED_SET_GET_RANK,
    SORTED_SET_INCREMENT,
    SORTED_SET_REMOVE,
    SORTED_SET_LENGTH,
    SORTED_SET_LENGTH_BY_SCORE,
    SORTED_SET_UNION_STORE,
    UPDATE_TTL_IF_PREFIX,
)
