# Written by tools/operations from protocol/operations.toml and protocol/proto; not edited by hand.
"""`CacheClient`'s calls, but those on many items and the hot ones."""

from __future__ import annotations

from larder_cache import operations as op
from larder_cache import pipeline_codec as codec
from larder_cache import responses as r
from larder_cache.arguments import Key, Value, to_bytes, to_hash, to_int64, to_key, to_ttl_ms
from larder_cache.client_calls import ClientCalls
from larder_cache.ttl import Ttl


class OperationCalls(ClientCalls):
    """Each operation of the table as one call."""

    async def delete(self, cache: str, key: Key, *, timeout_s: float | None = None) -> r.DeleteResponse:
        """Removes an item; it need not exist."""
        return await self._by_key(op.DELETE, cache, key, timeout_s)

    async def increment(
        self,
        cache: str,
        key: Key,
        amount: int = 1,
        *,
        ttl: Ttl | None = None,
        keep_ttl: bool = False,
        timeout_s: float | None = None,
    ) -> r.IncrementResponse:
        """Adds to an integer item, which is made at 0 where it is missing. Never sent twice where it may have run.

        `amount`: What is added; may be negative.

        `keep_ttl`: Whether an item that is there keeps the time it has left; `ttl` is then for a new one. Default: each
        increment refreshes it.
        """

        def make() -> bytes:
            fields = (
                codec.bytes_field(1, to_key(key)),
                codec.number_field(2, to_int64("amount", amount)),
                codec.number_field(3, self._ttl(ttl)),
                codec.number_field(64, int(keep_ttl)),
            )
            return b"".join(fields)

        return await self._send(op.INCREMENT, cache, make, timeout_s)

    async def item_get_ttl(self, cache: str, key: Key, *, timeout_s: float | None = None) -> r.ItemGetTtlResponse:
        """Asks how long an item will live."""
        return await self._by_key(op.ITEM_GET_TTL, cache, key, timeout_s)

    async def item_get_type(self, cache: str, key: Key, *, timeout_s: float | None = None) -> r.ItemGetTypeResponse:
        """Asks what an item holds."""
        return await self._by_key(op.ITEM_GET_TYPE, cache, key, timeout_s)

    async def get_with_hash(self, cache: str, key: Key, *, timeout_s: float | None = None) -> r.GetWithHashResponse:
        """Gets an item's value and its hash, for a later set conditional on it."""
        return await self._by_key(op.GET_WITH_HASH, cache, key, timeout_s)

    async def update_ttl(
        self, cache: str, key: Key, ttl: Ttl, *, timeout_s: float | None = None
    ) -> r.UpdateTtlResponse:
        """Gives an item a new time to live, whatever is left."""

        def make() -> bytes:
            fields = (
                codec.bytes_field(1, to_key(key)),
                codec.number_field(4, to_ttl_ms(ttl)),
            )
            return b"".join(fields)

        return await self._send(op.UPDATE_TTL, cache, make, timeout_s)

    async def increase_ttl(
        self, cache: str, key: Key, ttl: Ttl, *, timeout_s: float | None = None
    ) -> r.UpdateTtlResponse:
        """Gives an item a new time to live where that is longer than what is left."""

        def make() -> bytes:
            fields = (
                codec.bytes_field(1, to_key(key)),
                codec.number_field(2, to_ttl_ms(ttl)),
            )
            return b"".join(fields)

        return await self._send(op.UPDATE_TTL, cache, make, timeout_s)

    async def decrease_ttl(
        self, cache: str, key: Key, ttl: Ttl, *, timeout_s: float | None = None
    ) -> r.UpdateTtlResponse:
        """Gives an item a new time to live where that is shorter than what is left."""

        def make() -> bytes:
            fields = (
                codec.bytes_field(1, to_key(key)),
                codec.number_field(3, to_ttl_ms(ttl)),
            )
            return b"".join(fields)

        return await self._send(op.UPDATE_TTL, cache, make, timeout_s)

    async def set_if_absent(
        self, cache: str, key: Key, value: Value, *, ttl: Ttl | None = None, timeout_s: float | None = None
    ) -> r.SetIfResponse:
        """Stores where the key is missing."""

        def make() -> bytes:
            fields = (
                codec.bytes_field(1, to_key(key)),
                codec.bytes_field(2, to_bytes(value)),
                codec.number_field(3, self._ttl(ttl)),
                codec.bytes_field(6, b""),
            )
            return b"".join(fields)

        return await self._send(op.SET_IF, cache, make, timeout_s)

    async def set_if_present(
        self, cache: str, key: Key, value: Value, *, ttl: Ttl | None = None, timeout_s: float | None = None
    ) -> r.SetIfResponse:
        """Stores where the key is there."""

        def make() -> bytes:
            fields = (
                codec.bytes_field(1, to_key(key)),
                codec.bytes_field(2, to_bytes(value)),
                codec.number_field(3, self._ttl(ttl)),
                codec.bytes_field(4, b""),
            )
            return b"".join(fields)

        return await self._send(op.SET_IF, cache, make, timeout_s)

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
        """Stores where the key holds exactly `equal`."""

        def make() -> bytes:
            fields = (
                codec.bytes_field(1, to_key(key)),
                codec.bytes_field(2, to_bytes(value)),
                codec.number_field(3, self._ttl(ttl)),
                codec.bytes_field(7, codec.bytes_field(1, to_bytes(equal))),
            )
            return b"".join(fields)

        return await self._send(op.SET_IF, cache, make, timeout_s)

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
        """Stores where the key does not hold exactly `equal`; a missing key stores."""

        def make() -> bytes:
            fields = (
                codec.bytes_field(1, to_key(key)),
                codec.bytes_field(2, to_bytes(value)),
                codec.number_field(3, self._ttl(ttl)),
                codec.bytes_field(9, codec.bytes_field(1, to_bytes(equal))),
            )
            return b"".join(fields)

        return await self._send(op.SET_IF, cache, make, timeout_s)

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
        """Stores where the key is there and holds something else."""

        def make() -> bytes:
            fields = (
                codec.bytes_field(1, to_key(key)),
                codec.bytes_field(2, to_bytes(value)),
                codec.number_field(3, self._ttl(ttl)),
                codec.bytes_field(5, codec.bytes_field(1, to_bytes(equal))),
            )
            return b"".join(fields)

        return await self._send(op.SET_IF, cache, make, timeout_s)

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
        """Stores where the key is missing or holds exactly `equal`."""

        def make() -> bytes:
            fields = (
                codec.bytes_field(1, to_key(key)),
                codec.bytes_field(2, to_bytes(value)),
                codec.number_field(3, self._ttl(ttl)),
                codec.bytes_field(8, codec.bytes_field(1, to_bytes(equal))),
            )
            return b"".join(fields)

        return await self._send(op.SET_IF, cache, make, timeout_s)

    async def set_if_present_and_hash_equal(
        self, cache: str, key: Key, value: Value, hash: bytes, *, ttl: Ttl | None = None, timeout_s: float | None = None
    ) -> r.SetIfHashResponse:
        """Stores where the key's value has the hash."""

        def make() -> bytes:
            fields = (
                codec.bytes_field(1, to_key(key)),
                codec.bytes_field(2, to_bytes(value)),
                codec.number_field(3, self._ttl(ttl)),
                codec.bytes_field(5, codec.bytes_field(1, to_hash(hash))),
            )
            return b"".join(fields)

        return await self._send(op.SET_IF_HASH, cache, make, timeout_s)

    async def set_if_present_and_not_hash_equal(
        self, cache: str, key: Key, value: Value, hash: bytes, *, ttl: Ttl | None = None, timeout_s: float | None = None
    ) -> r.SetIfHashResponse:
        """Stores where the key is there and its value has another hash."""

        def make() -> bytes:
            fields = (
                codec.bytes_field(1, to_key(key)),
                codec.bytes_field(2, to_bytes(value)),
                codec.number_field(3, self._ttl(ttl)),
                codec.bytes_field(4, codec.bytes_field(1, to_hash(hash))),
            )
            return b"".join(fields)

        return await self._send(op.SET_IF_HASH, cache, make, timeout_s)

    async def set_if_absent_or_hash_equal(
        self, cache: str, key: Key, value: Value, hash: bytes, *, ttl: Ttl | None = None, timeout_s: float | None = None
    ) -> r.SetIfHashResponse:
        """Stores where the key is missing or its value has the hash."""

        def make() -> bytes:
            fields = (
                codec.bytes_field(1, to_key(key)),
                codec.bytes_field(2, to_bytes(value)),
                codec.number_field(3, self._ttl(ttl)),
                codec.bytes_field(6, codec.bytes_field(1, to_hash(hash))),
            )
            return b"".join(fields)

        return await self._send(op.SET_IF_HASH, cache, make, timeout_s)

    async def set_if_absent_or_not_hash_equal(
        self, cache: str, key: Key, value: Value, hash: bytes, *, ttl: Ttl | None = None, timeout_s: float | None = None
    ) -> r.SetIfHashResponse:
        """Stores where the key is missing or its value has another hash."""

        def make() -> bytes:
            fields = (
                codec.bytes_field(1, to_key(key)),
                codec.bytes_field(2, to_bytes(value)),
                codec.number_field(3, self._ttl(ttl)),
                codec.bytes_field(7, codec.bytes_field(1, to_hash(hash))),
            )
            return b"".join(fields)

        return await self._send(op.SET_IF_HASH, cache, make, timeout_s)

    async def set_with_hash(
        self, cache: str, key: Key, value: Value, *, ttl: Ttl | None = None, timeout_s: float | None = None
    ) -> r.SetIfHashResponse:
        """Stores whatever is there, and answers the value's hash."""

        def make() -> bytes:
            fields = (
                codec.bytes_field(1, to_key(key)),
                codec.bytes_field(2, to_bytes(value)),
                codec.number_field(3, self._ttl(ttl)),
                codec.bytes_field(8, b""),
            )
            return b"".join(fields)

        return await self._send(op.SET_IF_HASH, cache, make, timeout_s)

    async def create_cache(self, cache: str, *, timeout_s: float | None = None) -> r.CreateCacheResponse:
        """Makes a cache. ALREADY_EXISTS where it is there."""
        return await self._control(op.CREATE_CACHE, cache, timeout_s)

    async def delete_cache(self, cache: str, *, timeout_s: float | None = None) -> r.DeleteCacheResponse:
        """Drops a cache with its items. NOT_FOUND where it is not there."""
        return await self._control(op.DELETE_CACHE, cache, timeout_s)

    async def flush_cache(self, cache: str, *, timeout_s: float | None = None) -> r.FlushCacheResponse:
        """Empties a cache. NOT_FOUND where it is not there."""
        return await self._control(op.FLUSH_CACHE, cache, timeout_s)

    async def list_caches(self, *, timeout_s: float | None = None) -> r.ListCachesResponse:
        """Lists the caches and their limits."""
        return await self._run(op.LIST_CACHES, "", b"", timeout_s)

    async def ping(self, *, timeout_s: float | None = None) -> r.PingResponse:
        """Asks the server for an answer, and nothing else."""
        return await self._run(op.PING, "", b"", timeout_s)
