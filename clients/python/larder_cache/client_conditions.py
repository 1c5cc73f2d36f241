"""`CacheClient`'s sets that happen only where a condition holds."""

from __future__ import annotations

from typing import Any

from larder_cache import operations as op
from larder_cache import responses as r
from larder_cache._proto import cache_pb2 as pb
from larder_cache.arguments import Key, Value, to_bytes, to_hash, to_key
from larder_cache.client_calls import ClientCalls
from larder_cache.ttl import Ttl

_EMPTY = pb.Empty()


class ConditionalCalls(ClientCalls):
    """Conditional sets, by what the key holds or by its hash."""

    async def set_if_absent(
        self, cache: str, key: Key, value: Value, *, ttl: Ttl | None = None, timeout_s: float | None = None
    ) -> r.SetIfResponse:
        """Set where the key is missing."""
        return await self._set_if(cache, key, value, ttl, timeout_s, "absent")

    async def set_if_present(
        self, cache: str, key: Key, value: Value, *, ttl: Ttl | None = None, timeout_s: float | None = None
    ) -> r.SetIfResponse:
        """Set where the key is there."""
        return await self._set_if(cache, key, value, ttl, timeout_s, "present")

    async def set_if_equal(
        self,
        cache: str,
        key: Key,
        value: Value,
        equal: Value,
        *,
        ttl: Ttl | None = None,
        timeout_s: float | None = None,
    ) -> r.SetIfResponse:
        """Set where the key holds exactly `equal`."""
        return await self._set_if(cache, key, value, ttl, timeout_s, "equal", equal)

    async def set_if_not_equal(
        self,
        cache: str,
        key: Key,
        value: Value,
        equal: Value,
        *,
        ttl: Ttl | None = None,
        timeout_s: float | None = None,
    ) -> r.SetIfResponse:
        """Set where the key is missing, or holds something else than `equal`."""
        return await self._set_if(cache, key, value, ttl, timeout_s, "not_equal", equal)

    async def set_if_present_and_not_equal(
        self,
        cache: str,
        key: Key,
        value: Value,
        equal: Value,
        *,
        ttl: Ttl | None = None,
        timeout_s: float | None = None,
    ) -> r.SetIfResponse:
        """Set where the key is there and holds something else than `equal`."""
        return await self._set_if(cache, key, value, ttl, timeout_s, "present_and_not_equal", equal)

    async def set_if_absent_or_equal(
        self,
        cache: str,
        key: Key,
        value: Value,
        equal: Value,
        *,
        ttl: Ttl | None = None,
        timeout_s: float | None = None,
    ) -> r.SetIfResponse:
        """Set where the key is missing, or holds exactly `equal`."""
        return await self._set_if(cache, key, value, ttl, timeout_s, "absent_or_equal", equal)

    async def get_with_hash(self, cache: str, key: Key, *, timeout_s: float | None = None) -> r.GetWithHashResponse:
        """Get a value and its hash, an opaque token for the sets below."""
        return await self._by_key(op.GET_WITH_HASH, cache, key, timeout_s)

    async def set_with_hash(
        self, cache: str, key: Key, value: Value, *, ttl: Ttl | None = None, timeout_s: float | None = None
    ) -> r.SetIfHashResponse:
        """Set whatever is there, and answer the new value's hash."""
        return await self._set_if_hash(cache, key, value, ttl, timeout_s, "unconditional")

    async def set_if_present_and_hash_equal(
        self, cache: str, key: Key, value: Value, hash: bytes, *, ttl: Ttl | None = None, timeout_s: float | None = None
    ) -> r.SetIfHashResponse:
        """Set where the key's value has the hash."""
        return await self._set_if_hash(cache, key, value, ttl, timeout_s, "present_and_hash_equal", hash)

    async def set_if_present_and_not_hash_equal(
        self, cache: str, key: Key, value: Value, hash: bytes, *, ttl: Ttl | None = None, timeout_s: float | None = None
    ) -> r.SetIfHashResponse:
        """Set where the key is there and its value has another hash."""
        return await self._set_if_hash(cache, key, value, ttl, timeout_s, "present_and_not_hash_equal", hash)

    async def set_if_absent_or_hash_equal(
        self, cache: str, key: Key, value: Value, hash: bytes, *, ttl: Ttl | None = None, timeout_s: float | None = None
    ) -> r.SetIfHashResponse:
        """Set where the key is missing or its value has the hash."""
        return await self._set_if_hash(cache, key, value, ttl, timeout_s, "absent_or_hash_equal", hash)

    async def set_if_absent_or_not_hash_equal(
        self, cache: str, key: Key, value: Value, hash: bytes, *, ttl: Ttl | None = None, timeout_s: float | None = None
    ) -> r.SetIfHashResponse:
        """Set where the key is missing or its value has another hash."""
        return await self._set_if_hash(cache, key, value, ttl, timeout_s, "absent_or_not_hash_equal", hash)

    async def _set_if(
        self,
        cache: str,
        key: Key,
        value: Value,
        ttl: Ttl | None,
        timeout_s: float | None,
        condition: str,
        equal: Value | None = None,
    ) -> Any:
        def make() -> pb.SetIfRequest:
            said: Any = _EMPTY if equal is None else pb.Comparand(value=to_bytes(equal))
            ttl_ms = self._ttl(ttl)
            return pb.SetIfRequest(key=to_key(key), value=to_bytes(value), ttl_ms=ttl_ms, **{condition: said})

        return await self._send(op.SET_IF, cache, make, timeout_s)

    async def _set_if_hash(
        self,
        cache: str,
        key: Key,
        value: Value,
        ttl: Ttl | None,
        timeout_s: float | None,
        condition: str,
        hash: bytes | None = None,
    ) -> Any:
        def make() -> pb.SetIfHashRequest:
            said: Any = _EMPTY if hash is None else pb.HashComparand(hash=to_hash(hash))
            ttl_ms = self._ttl(ttl)
            return pb.SetIfHashRequest(key=to_key(key), value=to_bytes(value), ttl_ms=ttl_ms, **{condition: said})

        return await self._send(op.SET_IF_HASH, cache, make, timeout_s)
