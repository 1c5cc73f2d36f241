"""The blocking client, for scripts and threads: each call waits in its own thread.

Written by tools/python-sync from client*.py and bound_cache.py; not edited by hand. Safe to use from many threads.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from types import TracebackType
from typing import Any, Self, TypeVar, Union, overload

from larder_cache import bound_cache
from larder_cache import responses as r
from larder_cache.arguments import BatchItem
from larder_cache.background_loop import drive
from larder_cache.blocking_client import BlockingClient
from larder_cache.configuration import Configuration
from larder_cache.credential_provider import CredentialProvider
from larder_cache.statistics import ClientStatistics
from larder_cache.telemetry import Metrics
from larder_cache.ttl import Ttl

D = TypeVar("D")
K = TypeVar("K", str, bytes)
Key = Union[str, bytes]
Value = Union[str, bytes]


class CacheClient:
    """larder_cache.CacheClient, blocking. Use it as `with`, or call `close()`."""

    def __init__(
        self,
        credentials: CredentialProvider | None = None,
        *,
        default_ttl: Ttl,
        configuration: Configuration | None = None,
        headers: Mapping[str, str] | None = None,
        metrics: Metrics | None = None,
    ) -> None:
        """As larder_cache.CacheClient."""
        self._async = BlockingClient(
            credentials, default_ttl=default_ttl, configuration=configuration, headers=headers, metrics=metrics
        )

    def __enter__(self) -> Self:
        drive(self._async.__aenter__())
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """End the calls in flight with CANCELLED and close the connections."""
        drive(self._async.aclose())

    def cache(self, name: str) -> BoundCache:
        """Return a handle on one cache, with the ecosystem's short names; its calls return plain values."""
        return BoundCache(self._async.cache(name))

    def statistics(self) -> ClientStatistics:
        """What the client holds now."""
        return self._async.statistics()

    def held(self) -> dict[str, int]:
        """What must be nothing once every call has ended, by name."""
        return self._async.held()

    def connect(self, *, timeout_s: float = 10.0) -> bool:
        """Connect before the first call. False: not within the time; calls will go on trying."""
        return drive(self._async.connect(timeout_s=timeout_s))

    def get(self, cache: str, key: Key, *, timeout_s: float | None = None) -> r.GetResponse:
        """Get a value: Hit, or Miss."""
        return drive(self._async.get(cache, key, timeout_s=timeout_s))

    def set(
        self, cache: str, key: Key, value: Value, *, ttl: Ttl | None = None, timeout_s: float | None = None
    ) -> r.SetResponse:
        """Store a value for `ttl` (the default time to live where left out)."""
        return drive(self._async.set(cache, key, value, ttl=ttl, timeout_s=timeout_s))

    def delete(self, cache: str, key: Key, *, timeout_s: float | None = None) -> r.DeleteResponse:
        """Removes an item; it need not exist."""
        return drive(self._async.delete(cache, key, timeout_s=timeout_s))

    def increment(
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
        increment refreshes it."""
        return drive(self._async.increment(cache, key, amount, ttl=ttl, keep_ttl=keep_ttl, timeout_s=timeout_s))

    def item_get_ttl(self, cache: str, key: Key, *, timeout_s: float | None = None) -> r.ItemGetTtlResponse:
        """Asks how long an item will live."""
        return drive(self._async.item_get_ttl(cache, key, timeout_s=timeout_s))

    def item_get_type(self, cache: str, key: Key, *, timeout_s: float | None = None) -> r.ItemGetTypeResponse:
        """Asks what an item holds."""
        return drive(self._async.item_get_type(cache, key, timeout_s=timeout_s))

    def get_with_hash(self, cache: str, key: Key, *, timeout_s: float | None = None) -> r.GetWithHashResponse:
        """Gets an item's value and its hash, for a later set conditional on it."""
        return drive(self._async.get_with_hash(cache, key, timeout_s=timeout_s))

    def update_ttl(self, cache: str, key: Key, ttl: Ttl, *, timeout_s: float | None = None) -> r.UpdateTtlResponse:
        """Gives an item a new time to live, whatever is left."""
        return drive(self._async.update_ttl(cache, key, ttl, timeout_s=timeout_s))

    def increase_ttl(self, cache: str, key: Key, ttl: Ttl, *, timeout_s: float | None = None) -> r.UpdateTtlResponse:
        """Gives an item a new time to live where that is longer than what is left."""
        return drive(self._async.increase_ttl(cache, key, ttl, timeout_s=timeout_s))

    def decrease_ttl(self, cache: str, key: Key, ttl: Ttl, *, timeout_s: float | None = None) -> r.UpdateTtlResponse:
        """Gives an item a new time to live where that is shorter than what is left."""
        return drive(self._async.decrease_ttl(cache, key, ttl, timeout_s=timeout_s))

    def set_if_absent(
        self, cache: str, key: Key, value: Value, *, ttl: Ttl | None = None, timeout_s: float | None = None
    ) -> r.SetIfResponse:
        """Stores where the key is missing."""
        return drive(self._async.set_if_absent(cache, key, value, ttl=ttl, timeout_s=timeout_s))

    def set_if_present(
        self, cache: str, key: Key, value: Value, *, ttl: Ttl | None = None, timeout_s: float | None = None
    ) -> r.SetIfResponse:
        """Stores where the key is there."""
        return drive(self._async.set_if_present(cache, key, value, ttl=ttl, timeout_s=timeout_s))

    def set_if_equal(
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
        return drive(self._async.set_if_equal(cache, key, value, equal, ttl=ttl, timeout_s=timeout_s))

    def set_if_not_equal(
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
        return drive(self._async.set_if_not_equal(cache, key, value, equal, ttl=ttl, timeout_s=timeout_s))

    def set_if_present_and_not_equal(
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
        return drive(self._async.set_if_present_and_not_equal(cache, key, value, equal, ttl=ttl, timeout_s=timeout_s))

    def set_if_absent_or_equal(
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
        return drive(self._async.set_if_absent_or_equal(cache, key, value, equal, ttl=ttl, timeout_s=timeout_s))

    def set_if_present_and_hash_equal(
        self, cache: str, key: Key, value: Value, hash: bytes, *, ttl: Ttl | None = None, timeout_s: float | None = None
    ) -> r.SetIfHashResponse:
        """Stores where the key's value has the hash."""
        return drive(self._async.set_if_present_and_hash_equal(cache, key, value, hash, ttl=ttl, timeout_s=timeout_s))

    def set_if_present_and_not_hash_equal(
        self, cache: str, key: Key, value: Value, hash: bytes, *, ttl: Ttl | None = None, timeout_s: float | None = None
    ) -> r.SetIfHashResponse:
        """Stores where the key is there and its value has another hash."""
        return drive(
            self._async.set_if_present_and_not_hash_equal(cache, key, value, hash, ttl=ttl, timeout_s=timeout_s)
        )

    def set_if_absent_or_hash_equal(
        self, cache: str, key: Key, value: Value, hash: bytes, *, ttl: Ttl | None = None, timeout_s: float | None = None
    ) -> r.SetIfHashResponse:
        """Stores where the key is missing or its value has the hash."""
        return drive(self._async.set_if_absent_or_hash_equal(cache, key, value, hash, ttl=ttl, timeout_s=timeout_s))

    def set_if_absent_or_not_hash_equal(
        self, cache: str, key: Key, value: Value, hash: bytes, *, ttl: Ttl | None = None, timeout_s: float | None = None
    ) -> r.SetIfHashResponse:
        """Stores where the key is missing or its value has another hash."""
        return drive(self._async.set_if_absent_or_not_hash_equal(cache, key, value, hash, ttl=ttl, timeout_s=timeout_s))

    def set_with_hash(
        self, cache: str, key: Key, value: Value, *, ttl: Ttl | None = None, timeout_s: float | None = None
    ) -> r.SetIfHashResponse:
        """Stores whatever is there, and answers the value's hash."""
        return drive(self._async.set_with_hash(cache, key, value, ttl=ttl, timeout_s=timeout_s))

    def create_cache(self, cache: str, *, timeout_s: float | None = None) -> r.CreateCacheResponse:
        """Makes a cache. ALREADY_EXISTS where it is there."""
        return drive(self._async.create_cache(cache, timeout_s=timeout_s))

    def delete_cache(self, cache: str, *, timeout_s: float | None = None) -> r.DeleteCacheResponse:
        """Drops a cache with its items. NOT_FOUND where it is not there."""
        return drive(self._async.delete_cache(cache, timeout_s=timeout_s))

    def flush_cache(self, cache: str, *, timeout_s: float | None = None) -> r.FlushCacheResponse:
        """Empties a cache. NOT_FOUND where it is not there."""
        return drive(self._async.flush_cache(cache, timeout_s=timeout_s))

    def list_caches(self, *, timeout_s: float | None = None) -> r.ListCachesResponse:
        """Lists the caches and their limits."""
        return drive(self._async.list_caches(timeout_s=timeout_s))

    def ping(self, *, timeout_s: float | None = None) -> r.PingResponse:
        """Asks the server for an answer, and nothing else."""
        return drive(self._async.ping(timeout_s=timeout_s))

    def get_batch(self, cache: str, keys: Iterable[Key], *, timeout_s: float | None = None) -> r.GetBatchResponse:
        """Get many values in one call, in the keys' order.

        A batch over 11,010,048 bytes is sent in parts, within the one deadline; the keys of a part that failed are
        answered with its error, where another part did not fail."""
        return drive(self._async.get_batch(cache, keys, timeout_s=timeout_s))

    def set_batch(
        self,
        cache: str,
        items: Mapping[str, Value] | Mapping[bytes, Value] | Iterable[BatchItem],
        *,
        ttl: Ttl | None = None,
        timeout_s: float | None = None,
    ) -> r.SetBatchResponse:
        """Set many values in one call: a mapping, or (key, value) or (key, value, ttl) tuples.

        A batch over 11,010,048 bytes is sent in parts, within the one deadline: an Error is then the first part's that
        failed, and the others were stored."""
        return drive(self._async.set_batch(cache, items, ttl=ttl, timeout_s=timeout_s))

    def keys_exist(self, cache: str, keys: Iterable[Key], *, timeout_s: float | None = None) -> r.KeysExistResponse:
        """Whether each of the keys is there, in their order. Over 11,010,048 bytes: as `set_batch`."""
        return drive(self._async.keys_exist(cache, keys, timeout_s=timeout_s))

    def key_exists(self, cache: str, key: Key, *, timeout_s: float | None = None) -> r.KeyExistsResponse:
        """Whether a key is there."""
        return drive(self._async.key_exists(cache, key, timeout_s=timeout_s))

    def delete_each(self, cache: str, keys: Iterable[Key], *, timeout_s: float | None = None) -> list[r.DeleteResponse]:
        """Remove many items at once: an answer for each key, in order. A refused key refuses all."""
        return drive(self._async.delete_each(cache, keys, timeout_s=timeout_s))


class BoundCache:
    """larder_cache.BoundCache, blocking; made by `client.cache(name)`."""

    def __init__(self, cache: bound_cache.BoundCache) -> None:
        self._async = cache
        self.name = cache.name

    @property
    def asynchronous(self) -> bound_cache.BoundCache:
        """The same cache; its coroutines are for `background_loop.drive` alone."""
        return self._async

    def get_or_set(self, key: Key, factory: Callable[[], Value], *, ttl: Ttl | None = None) -> bytes:
        """The value; where missing, what `factory` returns, stored for the next. One factory call per key at a time.

        The factory runs in the thread of the first caller, with its context variables; the others wait for it.
        """

        async def make() -> Value:
            return factory()

        return drive(self._async.get_or_set(key, make, ttl=ttl))

    @overload
    def get(self, key: Key) -> bytes | None:
        ...

    @overload
    def get(self, key: Key, default: D) -> bytes | D:
        ...

    def get(self, key: Key, default: Any = None) -> Any:
        """The value, or `default` where the key is missing."""
        return drive(self._async.get(key, default))

    def set(self, key: Key, value: Value, *, ttl: Ttl | None = None) -> None:
        """Store a value."""
        return drive(self._async.set(key, value, ttl=ttl))

    def add(self, key: Key, value: Value, *, ttl: Ttl | None = None) -> bool:
        """Store a value where the key is missing. Whether it was stored."""
        return drive(self._async.add(key, value, ttl=ttl))

    def delete(self, key: Key) -> None:
        """Remove an item, if it is there."""
        return drive(self._async.delete(key))

    def exists(self, key: Key) -> bool:
        """Whether the key is there."""
        return drive(self._async.exists(key))

    def incr(self, key: Key, amount: int = 1, *, ttl: Ttl | None = None, keep_ttl: bool = False) -> int:
        """Add to a counter and return it; a missing one starts at 0. `keep_ttl`: one that is there keeps its time."""
        return drive(self._async.incr(key, amount, ttl=ttl, keep_ttl=keep_ttl))

    def decr(self, key: Key, amount: int = 1, *, ttl: Ttl | None = None, keep_ttl: bool = False) -> int:
        """Subtract from a counter and return it. `keep_ttl`: as `incr`."""
        return drive(self._async.decr(key, amount, ttl=ttl, keep_ttl=keep_ttl))

    def touch(self, key: Key, ttl: Ttl) -> bool:
        """Give an item another time to live. Whether it was there."""
        return drive(self._async.touch(key, ttl))

    def ttl(self, key: Key) -> float | None:
        """The seconds an item has left; None where it is missing."""
        return drive(self._async.ttl(key))

    def get_many(self, keys: Iterable[K]) -> dict[K, bytes]:
        """The values of the keys that are there."""
        return drive(self._async.get_many(keys))

    def set_many(self, items: Mapping[K, Value], *, ttl: Ttl | None = None) -> None:
        """Store many values in one call."""
        return drive(self._async.set_many(items, ttl=ttl))

    def delete_many(self, keys: Iterable[Key]) -> None:
        """Remove many items. Raises the first error, after every key was tried."""
        return drive(self._async.delete_many(keys))

    def clear(self) -> None:
        """Empty the cache: every user's items."""
        return drive(self._async.clear())

    def item_get_type(self, key: Key) -> r.FoundType | r.Missing:
        """Asks what an item holds."""
        return drive(self._async.item_get_type(key))

    def get_with_hash(self, key: Key) -> r.FoundWithHash | r.Missing:
        """Gets an item's value and its hash, for a later set conditional on it."""
        return drive(self._async.get_with_hash(key))

    def increase_ttl(self, key: Key, ttl: Ttl) -> r.TtlSet | r.TtlNotSet | r.Missing:
        """Gives an item a new time to live where that is longer than what is left."""
        return drive(self._async.increase_ttl(key, ttl))

    def decrease_ttl(self, key: Key, ttl: Ttl) -> r.TtlSet | r.TtlNotSet | r.Missing:
        """Gives an item a new time to live where that is shorter than what is left."""
        return drive(self._async.decrease_ttl(key, ttl))

    def set_if_present(self, key: Key, value: Value, *, ttl: Ttl | None = None) -> r.Stored | r.NotStored:
        """Stores where the key is there."""
        return drive(self._async.set_if_present(key, value, ttl=ttl))

    def set_if_equal(self, key: Key, value: Value, equal: Value, *, ttl: Ttl | None = None) -> r.Stored | r.NotStored:
        """Stores where the key holds exactly `equal`."""
        return drive(self._async.set_if_equal(key, value, equal, ttl=ttl))

    def set_if_not_equal(
        self, key: Key, value: Value, equal: Value, *, ttl: Ttl | None = None
    ) -> r.Stored | r.NotStored:
        """Stores where the key does not hold exactly `equal`; a missing key stores."""
        return drive(self._async.set_if_not_equal(key, value, equal, ttl=ttl))

    def set_if_present_and_not_equal(
        self, key: Key, value: Value, equal: Value, *, ttl: Ttl | None = None
    ) -> r.Stored | r.NotStored:
        """Stores where the key is there and holds something else."""
        return drive(self._async.set_if_present_and_not_equal(key, value, equal, ttl=ttl))

    def set_if_absent_or_equal(
        self, key: Key, value: Value, equal: Value, *, ttl: Ttl | None = None
    ) -> r.Stored | r.NotStored:
        """Stores where the key is missing or holds exactly `equal`."""
        return drive(self._async.set_if_absent_or_equal(key, value, equal, ttl=ttl))

    def set_if_present_and_hash_equal(
        self, key: Key, value: Value, hash: bytes, *, ttl: Ttl | None = None
    ) -> r.StoredWithHash | r.NotStored:
        """Stores where the key's value has the hash."""
        return drive(self._async.set_if_present_and_hash_equal(key, value, hash, ttl=ttl))

    def set_if_present_and_not_hash_equal(
        self, key: Key, value: Value, hash: bytes, *, ttl: Ttl | None = None
    ) -> r.StoredWithHash | r.NotStored:
        """Stores where the key is there and its value has another hash."""
        return drive(self._async.set_if_present_and_not_hash_equal(key, value, hash, ttl=ttl))

    def set_if_absent_or_hash_equal(
        self, key: Key, value: Value, hash: bytes, *, ttl: Ttl | None = None
    ) -> r.StoredWithHash | r.NotStored:
        """Stores where the key is missing or its value has the hash."""
        return drive(self._async.set_if_absent_or_hash_equal(key, value, hash, ttl=ttl))

    def set_if_absent_or_not_hash_equal(
        self, key: Key, value: Value, hash: bytes, *, ttl: Ttl | None = None
    ) -> r.StoredWithHash | r.NotStored:
        """Stores where the key is missing or its value has another hash."""
        return drive(self._async.set_if_absent_or_not_hash_equal(key, value, hash, ttl=ttl))

    def set_with_hash(self, key: Key, value: Value, *, ttl: Ttl | None = None) -> r.StoredWithHash | r.NotStored:
        """Stores whatever is there, and answers the value's hash."""
        return drive(self._async.set_with_hash(key, value, ttl=ttl))
