"""Maps the path of an rpc to the function that processes its requests."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from larder_cache._internal.operations._generated.messages import cache, control, extras
from larder_cache._internal.operations.message import Message
from larder_cache._internal.testing import (
    dictionary_calls,
    lease_calls,
    list_calls,
    scalar_calls,
    scan_calls,
    set_calls,
    sorted_set_calls,
    tag_calls,
)
from larder_cache._internal.testing.caches import Caches
from larder_cache._internal.testing.items import Items

Call = Callable[[Items, Any], Message]

_SCS: dict[str, Call] = {
    "Get": scalar_calls.get,
    "GetWithHash": scalar_calls.get_with_hash,
    "GetBatch": scalar_calls.get_batch,
    "Set": scalar_calls.set,
    "SetBatch": scalar_calls.set_batch,
    "Delete": scalar_calls.delete,
    "KeysExist": scalar_calls.keys_exist,
    "Increment": scalar_calls.increment,
    "SetIf": scalar_calls.set_if,
    "SetIfHash": scalar_calls.set_if_hash,
    "UpdateTtl": scalar_calls.update_ttl,
    "UpdateTtlIfPrefix": scalar_calls.update_ttl_if_prefix,
    "ItemGetTtl": scalar_calls.item_get_ttl,
    "ItemGetType": scalar_calls.item_get_type,
    "DictionaryGet": dictionary_calls.get,
    "DictionaryFetch": dictionary_calls.fetch,
    "DictionarySet": dictionary_calls.set,
    "DictionaryIncrement": dictionary_calls.increment,
    "DictionaryDelete": dictionary_calls.delete,
    "DictionaryLength": dictionary_calls.length,
    "SetFetch": set_calls.fetch,
    "SetSample": set_calls.sample,
    "SetUnion": set_calls.union,
    "SetDifference": set_calls.difference,
    "SetContains": set_calls.contains,
    "SetLength": set_calls.length,
    "SetPop": set_calls.pop,
    "ListPushFront": list_calls.push_front,
    "ListPushBack": list_calls.push_back,
    "ListConcatenateFront": list_calls.concatenate_front,
    "ListConcatenateBack": list_calls.concatenate_back,
    "ListPopFront": list_calls.pop_front,
    "ListPopBack": list_calls.pop_back,
    "ListFetch": list_calls.fetch,
    "ListRetain": list_calls.retain,
    "ListRemove": list_calls.remove,
    "ListErase": list_calls.erase,
    "ListLength": list_calls.length,
    "SortedSetPut": sorted_set_calls.put,
    "SortedSetFetch": sorted_set_calls.fetch,
    "SortedSetGetScore": sorted_set_calls.get_score,
    "SortedSetGetRank": sorted_set_calls.get_rank,
    "SortedSetIncrement": sorted_set_calls.increment,
    "SortedSetRemove": sorted_set_calls.remove,
    "SortedSetLength": sorted_set_calls.length,
    "SortedSetLengthByScore": sorted_set_calls.length_by_score,
    "SortedSetUnionStore": sorted_set_calls.union_store,
}
_EXTRAS: dict[str, Call] = {
    "ScanKeys": scan_calls.scan_keys,
    "ScanItems": scan_calls.scan_items,
    "GetOrLease": lease_calls.get_or_lease,
    "SetWithLease": lease_calls.set_with_lease,
    "ReleaseLease": lease_calls.release_lease,
    "RemoveByTag": tag_calls.remove_by_tag,
}

# The message type of the request and the implementation of the call, by path.
_ON_ITEMS: dict[str, tuple[type[Message], Call]] = {
    f"/{service}/{name}": (getattr(proto, f"{name}Request"), call)
    for service, proto, calls in (("cache_client.Scs", cache, _SCS), ("larder.v1.Extras", extras, _EXTRAS))
    for name, call in calls.items()
}


class Rpcs:
    """Processes calls on items and administrative calls."""

    def __init__(self, caches: Caches) -> None:
        self._caches = caches
        self._control: dict[str, tuple[type[Message], Callable[[Any], Message]]] = {
            "/control_client.ScsControl/CreateCache": (control.CreateCacheRequest, caches.create),
            "/control_client.ScsControl/DeleteCache": (control.DeleteCacheRequest, caches.delete),
            "/control_client.ScsControl/FlushCache": (control.FlushCacheRequest, caches.flush),
            "/control_client.ScsControl/ListCaches": (control.ListCachesRequest, caches.list),
            "/cache_client.Ping/Ping": (cache.PingRequest, lambda _: cache.PingResponse()),
        }

    def answer(self, path: str, cache: str, payload: bytes) -> bytes:
        """Run a call and return the encoded response. Raises Refused if the call fails."""
        control = self._control.get(path)
        if control is not None:
            message, run = control
            return run(message.FromString(payload)).SerializeToString()
        request, call = _ON_ITEMS[path]
        return call(self._caches.of(cache), request.FromString(payload)).SerializeToString()
