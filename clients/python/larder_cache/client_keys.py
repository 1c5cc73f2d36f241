"""`CacheClient`'s calls on an item's key: existence, type, time to live."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from larder_cache import operations as op
from larder_cache import responses as r
from larder_cache._proto import cache_pb2 as pb
from larder_cache.arguments import Key, to_bytes, to_ttl_ms
from larder_cache.client_calls import ClientCalls
from larder_cache.ttl import Ttl


class KeyCalls(ClientCalls):
    """Existence, type and time to live."""

    async def key_exists(self, cache: str, key: Key, *, timeout_s: float | None = None) -> r.KeyExistsResponse:
        """Whether a key is there."""
        answer = await self.keys_exist(cache, [key], timeout_s=timeout_s)
        return answer if isinstance(answer, r.Error) else r.Exists(answer.exists[0])

    async def keys_exist(
        self, cache: str, keys: Iterable[Key], *, timeout_s: float | None = None
    ) -> r.KeysExistResponse:
        """Whether each of the keys is there, in their order."""
        key_bytes = [to_bytes(key) for key in keys]
        return await self._send(
            op.KEYS_EXIST, cache, pb.KeysExistRequest(keys=key_bytes), b"" not in key_bytes, timeout_s
        )

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
        if isinstance(ttl_ms := to_ttl_ms(ttl), r.Error):
            return ttl_ms
        request = pb.UpdateTtlRequest(key=to_bytes(key), **{change: ttl_ms})
        return await self._send(op.UPDATE_TTL, cache, request, request.key, timeout_s)
