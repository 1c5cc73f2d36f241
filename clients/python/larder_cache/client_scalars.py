"""`CacheClient`'s calls on one item: its value."""

from __future__ import annotations

from collections.abc import Coroutine
from typing import Any

from larder_cache import operations as op
from larder_cache import pipeline_codec as codec
from larder_cache import responses as r
from larder_cache.arguments import Key, Refusal, Value, to_bytes, to_key, to_ttl_ms
from larder_cache.client_calls import ClientCalls, answered, is_coroutine_function
from larder_cache.ttl import Ttl


class ScalarCalls(ClientCalls):
    """Get and set."""

    # The two calls that matter most are the runner's coroutine itself, not one around it: one frame less to enter and
    # to wake, and one object less for each caller that waits, which the collector would walk (bench.compare --callers).

    @is_coroutine_function
    def get(self, cache: str, key: Key, *, timeout_s: float | None = None) -> Coroutine[Any, Any, r.GetResponse]:
        """Get a value: Hit, or Miss."""
        try:
            name = self._names.get(cache) or self._name(cache)
            payload = codec.encode_key(to_key(key))
        except Refusal as refusal:
            return answered(refusal.error)
        return self._run(op.GET, name, payload, timeout_s)

    @is_coroutine_function
    def set(
        self, cache: str, key: Key, value: Value, *, ttl: Ttl | None = None, timeout_s: float | None = None
    ) -> Coroutine[Any, Any, r.SetResponse]:
        """Store a value for `ttl` (the default time to live where left out)."""
        try:
            name = self._names.get(cache) or self._name(cache)
            ttl_field = self._default_ttl_field if ttl is None else codec.encode_ttl(to_ttl_ms(ttl))
            payload = codec.encode_set(to_key(key), to_bytes(value), ttl_field)
        except Refusal as refusal:
            return answered(refusal.error)
        return self._run(op.SET, name, payload, timeout_s)
