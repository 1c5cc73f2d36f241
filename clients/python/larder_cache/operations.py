"""The calls of the contract: where each goes, how its answer is read, whether it may be sent again."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar

from larder_cache import pipeline_codec as codec
from larder_cache import responses as r
from larder_cache._proto import cache_pb2 as pb
from larder_cache._proto import control_pb2, pipeline_pb2

R = TypeVar("R")


class Operation(Generic[R]):
    """One rpc. `field` is its number in the pipeline's Operation and Result; None: unary only."""

    __slots__ = ("name", "path", "field", "tag", "idempotent", "decode", "streams", "keyed")

    def __init__(
        self,
        name: str,
        path: str,
        field: int | None,
        decode: Callable[[bytes], R],
        *,
        idempotent: bool = False,
        streams: bool = False,
        keyed: bool = True,
    ) -> None:
        self.name = name
        self.path = path
        self.field = field
        self.tag = b"" if field is None else codec.varint(field << 3 | 2)
        self.idempotent = idempotent
        self.decode = decode
        # The unary rpc answers by a server stream of items, field 1 of the pipeline's one result.
        self.streams = streams
        # The request's first field is the one key that it is about.
        self.keyed = keyed


class UnexpectedAnswer(Exception):
    """A server answered what the contract does not know."""


def _hit_or_miss(response: Any) -> r.Hit | r.Miss:
    if response.result == pb.Hit:
        return r.Hit(response.value)
    if response.result == pb.Miss:
        return r.MISS
    raise UnexpectedAnswer(f"get result {response.result}")


def _success(_: bytes) -> r.Success:
    return r.SUCCESS


def _keys_exist(payload: bytes) -> r.ExistsEach:
    return r.ExistsEach(list(pb.KeysExistResponse.FromString(payload).exists))


def _increment(payload: bytes) -> r.Incremented:
    return r.Incremented(pb.IncrementResponse.FromString(payload).value)


def _stored(message: Any) -> r.Stored | r.NotStored:
    outcome = message.WhichOneof("outcome")
    if outcome == "stored":
        return r.STORED
    if outcome == "not_stored":
        return r.NOT_STORED
    raise UnexpectedAnswer("a conditional set without an outcome")


def _set_if(payload: bytes) -> r.Stored | r.NotStored:
    return _stored(pb.SetIfResponse.FromString(payload))


def _set_if_hash(payload: bytes) -> r.StoredWithHash | r.NotStored:
    message = pb.SetIfHashResponse.FromString(payload)
    return r.StoredWithHash(message.stored.new_hash) if message.HasField("stored") else r.NOT_STORED


def _get_with_hash(payload: bytes) -> r.FoundWithHash | r.Missing:
    message = pb.GetWithHashResponse.FromString(payload)
    return r.FoundWithHash(message.found.value, message.found.hash) if message.HasField("found") else r.MISSING


def _item_get_ttl(payload: bytes) -> r.RemainingTtl | r.Missing:
    message = pb.ItemGetTtlResponse.FromString(payload)
    return r.RemainingTtl(message.found.remaining_ms) if message.HasField("found") else r.MISSING


_TYPES = (r.ItemType.SCALAR, r.ItemType.DICTIONARY, r.ItemType.SET, r.ItemType.LIST, r.ItemType.SORTED_SET)


def _item_get_type(payload: bytes) -> r.FoundType | r.Missing:
    message = pb.ItemGetTypeResponse.FromString(payload)
    return r.FoundType(_TYPES[message.found.type]) if message.HasField("found") else r.MISSING


def _update_ttl(payload: bytes) -> r.TtlSet | r.TtlNotSet | r.Missing:
    outcome = pb.UpdateTtlResponse.FromString(payload).WhichOneof("outcome")
    if outcome == "set":
        return r.TTL_SET
    return r.TTL_NOT_SET if outcome == "not_set" else r.MISSING


def _get_batch(payload: bytes) -> r.GetBatchSuccess:
    result = pipeline_pb2.GetBatchResult.FromString(payload)
    return r.GetBatchSuccess([_hit_or_miss(each) for each in result.responses])


def _list_caches(payload: bytes) -> r.Caches:
    caches = control_pb2.ListCachesResponse.FromString(payload).caches
    return r.Caches([each.name for each in caches], {each.name: each.cache_limits.max_ttl_seconds for each in caches})


_SCS = "/cache_client.Scs/"
_CONTROL = "/control_client.ScsControl/"

GET: Operation[r.Hit | r.Miss] = Operation("get", _SCS + "Get", 4, codec.decode_get, idempotent=True)
SET = Operation("set", _SCS + "Set", 5, _success, idempotent=True)
DELETE = Operation("delete", _SCS + "Delete", 6, _success, idempotent=True)
KEYS_EXIST = Operation("keys_exist", _SCS + "KeysExist", 8, _keys_exist, idempotent=True, keyed=False)
INCREMENT = Operation("increment", _SCS + "Increment", 9, _increment)
SET_IF = Operation("set_if", _SCS + "SetIf", 10, _set_if)
UPDATE_TTL = Operation("update_ttl", _SCS + "UpdateTtl", 11, _update_ttl)
ITEM_GET_TTL = Operation("item_get_ttl", _SCS + "ItemGetTtl", 12, _item_get_ttl, idempotent=True)
GET_BATCH = Operation("get_batch", _SCS + "GetBatch", 14, _get_batch, idempotent=True, streams=True, keyed=False)
SET_BATCH = Operation("set_batch", _SCS + "SetBatch", 15, _success, idempotent=True, streams=True, keyed=False)
GET_WITH_HASH = Operation("get_with_hash", _SCS + "GetWithHash", 16, _get_with_hash, idempotent=True)
SET_IF_HASH = Operation("set_if_hash", _SCS + "SetIfHash", 17, _set_if_hash)
ITEM_GET_TYPE = Operation("item_get_type", _SCS + "ItemGetType", 18, _item_get_type, idempotent=True)
PING = Operation("ping", "/cache_client.Ping/Ping", None, _success, idempotent=True, keyed=False)
CREATE_CACHE = Operation("create_cache", _CONTROL + "CreateCache", None, _success, keyed=False)
DELETE_CACHE = Operation("delete_cache", _CONTROL + "DeleteCache", None, _success, keyed=False)
FLUSH_CACHE = Operation("flush_cache", _CONTROL + "FlushCache", None, _success, keyed=False)
LIST_CACHES = Operation("list_caches", _CONTROL + "ListCaches", None, _list_caches, idempotent=True, keyed=False)

PIPELINED = tuple(
    each
    for each in (
        *(GET, SET, DELETE, KEYS_EXIST, INCREMENT, SET_IF, UPDATE_TTL, ITEM_GET_TTL),
        *(GET_BATCH, SET_BATCH, GET_WITH_HASH, SET_IF_HASH, ITEM_GET_TYPE),
    )
)
