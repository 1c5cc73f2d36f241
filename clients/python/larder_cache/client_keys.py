"""`CacheClient`'s calls on an item's key: type, time to live."""

from __future__ import annotations

from typing import Any

from larder_cache import operations as op
from larder_cache import responses as r
from larder_cache._proto import cache_pb2 as pb
from larder_cache.arguments import Key, to_key, to_ttl_ms
from larder_cache.client_calls import ClientCalls
from larder_cache.ttl import Ttl


class KeyCalls(ClientCalls):
    """Type and time to live."""

    async def item_get_ttl(self, cache: str, key: Key, *, timeout_s: float | None = None) -> r.ItemGetTtlResponse:
        """The time an item has left."""
        return await self._by_key(op.ITEM_GET_TTL, cache, key, timeout_s)

    async def item_get_type(self, cache: str, key: Key, *, timeout_s: float | None = None) -> r.ItemGetTypeResponse:
        """The type of an item."""
        return await self._by_key(op.ITEM_GET_TYPE, cache, key, timeout_s)

    async def update_ttl(
        self, cache: str, key: Key, ttl: Ttl, *, timeout_s: float | None = None
    ) -> r.UpdateTtlResponse:
        """Give an item another time to live, whatever it has left."""
        return await self._update_ttl(cache, key, "overwrite_to_ms", ttl, timeout_s)

    async def increase_ttl(
        self, cache: str, key: Key, ttl: Ttl, *, timeout_s: float | None = None
    ) -> r.UpdateTtlResponse:
        """Give an item a longer time to live; TtlNotSet where it has as much left."""
        return await self._update_ttl(cache, key, "increase_to_ms", ttl, timeout_s)

    async def decrease_ttl(
        self, cache: str, key: Key, ttl: Ttl, *, timeout_s: float | None = None
    ) -> r.UpdateTtlResponse:
        """Give an item a shorter time to live; TtlNotSet where it has less left."""
        return await self._update_ttl(cache, key, "decrease_to_ms", ttl, timeout_s)

    async def _update_ttl(self, cache: str, key: Key, change: str, ttl: Ttl, timeout_s: float | None) -> Any:
        def make() -> pb.UpdateTtlRequest:
            return pb.UpdateTtlRequest(key=to_key(key), **{change: to_ttl_ms(ttl)})

        return await self._send(op.UPDATE_TTL, cache, make, timeout_s)
