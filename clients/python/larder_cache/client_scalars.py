"""`CacheClient`'s calls on one item: its value."""

from __future__ import annotations

from collections.abc import Coroutine
from typing import Any

from larder_cache import operations as op
from larder_cache import pipeline_codec as codec
from larder_cache import responses as r
from larder_cache._proto import cache_pb2 as pb
from larder_cache.arguments import Key, Value, invalid, refused, to_bytes, to_ttl_ms
from larder_cache.client_calls import ClientCalls, answered, is_coroutine_function
from larder_cache.ttl import Ttl


class ScalarCalls(ClientCalls):
    """Get, set, delete, increment."""

    # The two calls that matter most are the runner's coroutine itself, not one around it: one frame less to enter and
    # to wake, and one object less for each caller that waits, which the collector would walk (bench.compare --callers).

    @is_coroutine_function
    def get(self, cache: str, key: Key, *, timeout_s: float | None = None) -> Coroutine[Any, Any, r.GetResponse]:
        """Get a value: Hit, or Miss."""
        if (key_bytes := to_bytes(key)) and cache and not cache.isspace():
            return self._run(op.GET, cache, codec.encode_key(key_bytes), timeout_s)
        return answered(refused(cache))

    @is_coroutine_function
    def set(
        self, cache: str, key: Key, value: Value, *, ttl: Ttl | None = None, timeout_s: float | None = None
    ) -> Coroutine[Any, Any, r.SetResponse]:
        """Store a value for `ttl` (the default time to live where left out)."""
        value_bytes = to_bytes(value)
        if not (key_bytes := to_bytes(key)) or not cache or cache.isspace():
            return answered(refused(cache))
        if ttl is None:
            ttl_field = self._default_ttl_field
        elif isinstance(ttl_ms := to_ttl_ms(ttl), int):
            ttl_field = codec.encode_ttl(ttl_ms)
        else:
            return answered(ttl_ms)
        request = codec.encode_set(key_bytes, value_bytes, ttl_field)
        return self._run(op.SET, cache, request, timeout_s)

    async def delete(self, cache: str, key: Key, *, timeout_s: float | None = None) -> r.DeleteResponse:
        """Remove an item; the same answer whether or not it was there."""
        return await self._by_key(op.DELETE, cache, key, timeout_s)

    async def increment(
        self, cache: str, key: Key, amount: int = 1, *, ttl: Ttl | None = None, timeout_s: float | None = None
    ) -> r.IncrementResponse:
        """Add to a counter (a signed 64-bit integer, kept as base-10 text), created as 0 where missing."""
        if not -(2**63) <= amount < 2**63:
            return invalid(f"an amount is a signed 64-bit integer, not {amount}")
        if isinstance(ttl_ms := self._ttl(ttl), r.Error):
            return ttl_ms
        request = pb.IncrementRequest(key=to_bytes(key), amount=amount, ttl_ms=ttl_ms)
        return await self._send(op.INCREMENT, cache, request, request.key, timeout_s)
