"""`CacheClient`'s calls on caches as wholes, and ping."""

from __future__ import annotations

from typing import Any

from larder_cache import operations as op
from larder_cache import pipeline_codec as codec
from larder_cache import responses as r
from larder_cache.arguments import Refusal
from larder_cache.client_calls import ClientCalls


class ControlCalls(ClientCalls):
    """Caches by name, and ping. Always unary."""

    async def ping(self, *, timeout_s: float | None = None) -> r.ControlResponse:
        """Ask the server to answer."""
        return await self._run(op.PING, "", b"", timeout_s)

    async def create_cache(self, cache: str, *, timeout_s: float | None = None) -> r.ControlResponse:
        """Make a cache; ALREADY_EXISTS where it is there."""
        return await self._control(op.CREATE_CACHE, cache, timeout_s)

    async def delete_cache(self, cache: str, *, timeout_s: float | None = None) -> r.ControlResponse:
        """Drop a cache with its items; NOT_FOUND where there is none."""
        return await self._control(op.DELETE_CACHE, cache, timeout_s)

    async def flush_cache(self, cache: str, *, timeout_s: float | None = None) -> r.ControlResponse:
        """Empty a cache; NOT_FOUND where there is none."""
        return await self._control(op.FLUSH_CACHE, cache, timeout_s)

    async def list_caches(self, *, timeout_s: float | None = None) -> r.ListCachesResponse:
        """The names of the caches."""
        return await self._run(op.LIST_CACHES, "", b"", timeout_s)

    async def _control(self, operation: op.Operation[r.Success], cache: str, timeout_s: float | None) -> Any:
        try:
            name = self._names.get(cache) or self._name(cache)
        except Refusal as refusal:
            return refusal.error
        # The three requests have the same shape: field 1, the name.
        return await self._run(operation, "", codec.encode_key(name.encode()), timeout_s)
