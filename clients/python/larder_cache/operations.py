# Written by tools/operations from protocol/operations.toml and protocol/proto; not edited by hand.
"""The calls of the contract: where each goes, how its answer is read, whether it may be sent again."""

from __future__ import annotations

from larder_cache import answers
from larder_cache import responses as r
from larder_cache.operation import Operation, UnexpectedAnswer


def _item_get_ttl(payload: bytes) -> r.RemainingTtl | r.Missing:
    outcome, content = answers.outcome(payload)
    if outcome == 1:
        return r.RemainingTtl(answers.number(content, 1))
    if outcome == 2:
        return r.MISSING
    raise UnexpectedAnswer(f"item_get_ttl has no outcome {outcome}")


def _item_get_type(payload: bytes) -> r.FoundType | r.Missing:
    outcome, content = answers.outcome(payload)
    if outcome == 1:
        return r.FoundType(answers.item_type(content, 1))
    if outcome == 2:
        return r.MISSING
    raise UnexpectedAnswer(f"item_get_type has no outcome {outcome}")


def _get_with_hash(payload: bytes) -> r.FoundWithHash | r.Missing:
    outcome, content = answers.outcome(payload)
    if outcome == 1:
        return r.FoundWithHash(answers.data(content, 1), answers.data(content, 2))
    if outcome == 2:
        return r.MISSING
    raise UnexpectedAnswer(f"get_with_hash has no outcome {outcome}")


def _update_ttl(payload: bytes) -> r.TtlSet | r.TtlNotSet | r.Missing:
    outcome, _ = answers.outcome(payload)
    if outcome == 1:
        return r.TTL_SET
    if outcome == 2:
        return r.TTL_NOT_SET
    if outcome == 3:
        return r.MISSING
    raise UnexpectedAnswer(f"update_ttl has no outcome {outcome}")


def _set_if(payload: bytes) -> r.Stored | r.NotStored:
    outcome, _ = answers.outcome(payload)
    if outcome == 1:
        return r.STORED
    if outcome == 2:
        return r.NOT_STORED
    raise UnexpectedAnswer(f"set_if has no outcome {outcome}")


def _set_if_hash(payload: bytes) -> r.StoredWithHash | r.NotStored:
    outcome, content = answers.outcome(payload)
    if outcome == 1:
        return r.StoredWithHash(answers.data(content, 1))
    if outcome == 2:
        return r.NOT_STORED
    raise UnexpectedAnswer(f"set_if_hash has no outcome {outcome}")


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
SET_IF = Operation("set_if", "/cache_client.Scs/SetIf", 10, _set_if)
SET_IF_HASH = Operation("set_if_hash", "/cache_client.Scs/SetIfHash", 17, _set_if_hash)
KEYS_EXIST = Operation(
    "keys_exist", "/cache_client.Scs/KeysExist", 8, answers.read_keys_exist, idempotent=True, keyed=False
)
GET_BATCH = Operation(
    "get_batch", "/cache_client.Scs/GetBatch", 14, answers.read_get_batch, idempotent=True, streams=True, keyed=False
)
SET_BATCH = Operation(
    "set_batch", "/cache_client.Scs/SetBatch", 15, answers.read_set_batch, idempotent=True, streams=True, keyed=False
)
CREATE_CACHE = Operation("create_cache", "/control_client.ScsControl/CreateCache", None, answers.success, keyed=False)
DELETE_CACHE = Operation("delete_cache", "/control_client.ScsControl/DeleteCache", None, answers.success, keyed=False)
FLUSH_CACHE = Operation("flush_cache", "/control_client.ScsControl/FlushCache", None, answers.success, keyed=False)
LIST_CACHES = Operation(
    "list_caches", "/control_client.ScsControl/ListCaches", None, answers.read_list_caches, idempotent=True, keyed=False
)
PING = Operation("ping", "/cache_client.Ping/Ping", None, answers.success, idempotent=True, keyed=False)

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
)
