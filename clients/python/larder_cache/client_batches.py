"""`CacheClient`'s calls on many items at once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from larder_cache import operations as op
from larder_cache import pipeline_codec as codec
from larder_cache import responses as r
from larder_cache.arguments import BatchItem, Key, Value, refused, to_bytes, to_items
from larder_cache.client_calls import ClientCalls
from larder_cache.ttl import Ttl


class BatchCalls(ClientCalls):
    """Many items in one call."""

    async def get_batch(self, cache: str, keys: Iterable[Key], *, timeout_s: float | None = None) -> r.GetBatchResponse:
        """Get many values in one call, in the keys' order."""
        key_bytes = [to_bytes(key) for key in keys]
        if b"" in key_bytes or not cache.strip():
            return refused(cache)
        payload = codec.encode_items([codec.encode_key(key) for key in key_bytes])
        return await self._run(op.GET_BATCH, cache, payload, timeout_s)

    async def set_batch(
        self,
        cache: str,
        items: Mapping[str, Value] | Mapping[bytes, Value] | Iterable[BatchItem],
        *,
        ttl: Ttl | None = None,
        timeout_s: float | None = None,
    ) -> r.SetBatchResponse:
        """Set many values in one call: a mapping, or (key, value) or (key, value, ttl) tuples."""
        requests: list[bytes] = []
        for item in to_items(items):
            key, value = item[0], item[1]
            own = item[2] if len(item) == 3 else None
            ttl_ms = self._ttl(ttl if own is None else own)
            if isinstance(ttl_ms, r.Error):
                return ttl_ms
            if not (key_bytes := to_bytes(key)):
                return refused(cache)
            requests.append(codec.encode_set(key_bytes, to_bytes(value), codec.encode_ttl(ttl_ms)))
        if not cache.strip():
            return refused(cache)
        return await self._run(op.SET_BATCH, cache, codec.encode_items(requests), timeout_s)
