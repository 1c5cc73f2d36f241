"""One cache by its handle, with the names that Python's caches have; plain values, and exceptions for errors."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Iterable, Mapping
from itertools import islice
from typing import TYPE_CHECKING, Any, TypeVar, Union, cast, overload

from larder_cache import responses as r
from larder_cache.arguments import MOST_ITEMS, Refusal, to_bytes, to_key
from larder_cache.errors import CacheError, ErrorCode
from larder_cache.ttl import Ttl

if TYPE_CHECKING:
    from larder_cache.client import CacheClient

_log = logging.getLogger("larder_cache")
_LASTING = (ErrorCode.NOT_FOUND, ErrorCode.PERMISSION_DENIED, ErrorCode.UNAUTHENTICATED, ErrorCode.FAILED_PRECONDITION)

D = TypeVar("D")
T = TypeVar("T")
Key = Union[str, bytes]
K = TypeVar("K", str, bytes)
Value = Union[str, bytes]


class BoundCache:
    """Made by `client.cache(name)`. A miss is None (or the default given); anything else that fails is a CacheError.

    Keys of one call are all text or all bytes, and come back as they were given.
    """

    def __init__(self, client: CacheClient, name: str) -> None:
        self._client = client
        self.name = name

    @overload
    async def get(self, key: Key) -> bytes | None:
        ...

    @overload
    async def get(self, key: Key, default: D) -> bytes | D:
        ...

    async def get(self, key: Key, default: Any = None) -> Any:
        """The value, or `default` where the key is missing."""
        answer = await self._client.get(self.name, key)
        if isinstance(answer, r.Hit):
            return answer.value
        return default if isinstance(answer, r.Miss) else _raise(answer)

    async def set(self, key: Key, value: Value, *, ttl: Ttl | None = None) -> None:
        """Store a value."""
        _checked(await self._client.set(self.name, key, value, ttl=ttl))

    async def add(self, key: Key, value: Value, *, ttl: Ttl | None = None) -> bool:
        """Store a value where the key is missing. Whether it was stored."""
        answer = _checked(await self._client.set_if_absent(self.name, key, value, ttl=ttl))
        return isinstance(answer, r.Stored)

    async def delete(self, key: Key) -> None:
        """Remove an item, if it is there."""
        _checked(await self._client.delete(self.name, key))

    async def exists(self, key: Key) -> bool:
        """Whether the key is there."""
        return _checked(await self._client.key_exists(self.name, key)).exists

    async def incr(self, key: Key, amount: int = 1, *, ttl: Ttl | None = None, keep_ttl: bool = False) -> int:
        """Add to a counter and return it; a missing one starts at 0. `keep_ttl`: one that is there keeps its time."""
        return _checked(await self._client.increment(self.name, key, amount, ttl=ttl, keep_ttl=keep_ttl)).value

    async def decr(self, key: Key, amount: int = 1, *, ttl: Ttl | None = None, keep_ttl: bool = False) -> int:
        """Subtract from a counter and return it. `keep_ttl`: as `incr`."""
        return await self.incr(key, -amount, ttl=ttl, keep_ttl=keep_ttl)

    async def touch(self, key: Key, ttl: Ttl) -> bool:
        """Give an item another time to live. Whether it was there."""
        return isinstance(_checked(await self._client.update_ttl(self.name, key, ttl)), r.TtlSet)

    async def ttl(self, key: Key) -> float | None:
        """The seconds an item has left; None where it is missing."""
        answer = _checked(await self._client.item_get_ttl(self.name, key))
        return answer.remaining_ttl_ms / 1_000 if isinstance(answer, r.RemainingTtl) else None

    async def get_many(self, keys: Iterable[K]) -> dict[K, bytes]:
        """The values of the keys that are there."""
        # One past the most, for the client to refuse.
        wanted = list(islice(keys, MOST_ITEMS + 1))
        answer = _checked(await self._client.get_batch(self.name, cast(list[Key], wanted)))
        found = zip(wanted, map(_checked, answer.responses), strict=True)
        return {key: each.value for key, each in found if isinstance(each, r.Hit)}

    async def set_many(self, items: Mapping[K, Value], *, ttl: Ttl | None = None) -> None:
        """Store many values in one call."""
        pairs = [(cast(Key, key), value) for key, value in items.items()]
        _checked(await self._client.set_batch(self.name, pairs, ttl=ttl))

    async def delete_many(self, keys: Iterable[Key]) -> None:
        """Remove many items. Raises the first error, after every key was tried."""
        for answer in await self._client.delete_each(self.name, keys):
            if isinstance(answer, r.Error):
                raise answer.to_exception()

    async def clear(self) -> None:
        """Empty the cache: every user's items."""
        _checked(await self._client.flush_cache(self.name))

    # operations: calls (tools/operations writes them from operations.toml)

    async def item_get_type(self, key: Key) -> r.FoundType | r.Missing:
        """Asks what an item holds."""
        return _checked(await self._client.item_get_type(self.name, key))

    async def get_with_hash(self, key: Key) -> r.FoundWithHash | r.Missing:
        """Gets an item's value and its hash, for a later set conditional on it."""
        return _checked(await self._client.get_with_hash(self.name, key))

    async def increase_ttl(self, key: Key, ttl: Ttl) -> r.TtlSet | r.TtlNotSet | r.Missing:
        """Gives an item a new time to live where that is longer than what is left."""
        return _checked(await self._client.increase_ttl(self.name, key, ttl))

    async def decrease_ttl(self, key: Key, ttl: Ttl) -> r.TtlSet | r.TtlNotSet | r.Missing:
        """Gives an item a new time to live where that is shorter than what is left."""
        return _checked(await self._client.decrease_ttl(self.name, key, ttl))

    async def set_if_present(self, key: Key, value: Value, *, ttl: Ttl | None = None) -> r.Stored | r.NotStored:
        """Stores where the key is there."""
        return _checked(await self._client.set_if_present(self.name, key, value, ttl=ttl))

    async def set_if_equal(
        self, key: Key, value: Value, equal: Value, *, ttl: Ttl | None = None
    ) -> r.Stored | r.NotStored:
        """Stores where the key holds exactly `equal`."""
        return _checked(await self._client.set_if_equal(self.name, key, value, equal, ttl=ttl))

    async def set_if_not_equal(
        self, key: Key, value: Value, equal: Value, *, ttl: Ttl | None = None
    ) -> r.Stored | r.NotStored:
        """Stores where the key does not hold exactly `equal`; a missing key stores."""
        return _checked(await self._client.set_if_not_equal(self.name, key, value, equal, ttl=ttl))

    async def set_if_present_and_not_equal(
        self, key: Key, value: Value, equal: Value, *, ttl: Ttl | None = None
    ) -> r.Stored | r.NotStored:
        """Stores where the key is there and holds something else."""
        return _checked(await self._client.set_if_present_and_not_equal(self.name, key, value, equal, ttl=ttl))

    async def set_if_absent_or_equal(
        self, key: Key, value: Value, equal: Value, *, ttl: Ttl | None = None
    ) -> r.Stored | r.NotStored:
        """Stores where the key is missing or holds exactly `equal`."""
        return _checked(await self._client.set_if_absent_or_equal(self.name, key, value, equal, ttl=ttl))

    async def set_if_present_and_hash_equal(
        self, key: Key, value: Value, hash: bytes, *, ttl: Ttl | None = None
    ) -> r.StoredWithHash | r.NotStored:
        """Stores where the key's value has the hash."""
        return _checked(await self._client.set_if_present_and_hash_equal(self.name, key, value, hash, ttl=ttl))

    async def set_if_present_and_not_hash_equal(
        self, key: Key, value: Value, hash: bytes, *, ttl: Ttl | None = None
    ) -> r.StoredWithHash | r.NotStored:
        """Stores where the key is there and its value has another hash."""
        return _checked(await self._client.set_if_present_and_not_hash_equal(self.name, key, value, hash, ttl=ttl))

    async def set_if_absent_or_hash_equal(
        self, key: Key, value: Value, hash: bytes, *, ttl: Ttl | None = None
    ) -> r.StoredWithHash | r.NotStored:
        """Stores where the key is missing or its value has the hash."""
        return _checked(await self._client.set_if_absent_or_hash_equal(self.name, key, value, hash, ttl=ttl))

    async def set_if_absent_or_not_hash_equal(
        self, key: Key, value: Value, hash: bytes, *, ttl: Ttl | None = None
    ) -> r.StoredWithHash | r.NotStored:
        """Stores where the key is missing or its value has another hash."""
        return _checked(await self._client.set_if_absent_or_not_hash_equal(self.name, key, value, hash, ttl=ttl))

    async def set_with_hash(self, key: Key, value: Value, *, ttl: Ttl | None = None) -> r.StoredWithHash | r.NotStored:
        """Stores whatever is there, and answers the value's hash."""
        return _checked(await self._client.set_with_hash(self.name, key, value, ttl=ttl))

    # operations: end

    async def get_or_set(self, key: Key, factory: Callable[[], Awaitable[Value]], *, ttl: Ttl | None = None) -> bytes:
        """The value; where missing, what `factory` returns, stored for the next. One call of it per key at a time.

        Callers that ask meanwhile, by any handle of this client, wait for that call, and get its value or its
        exception. A cache that cannot be reached is no reason to fail: the factory's value is returned all the same,
        and was not stored.
        """
        return await self.get_or_make(key, factory, ttl=ttl, usable=None)

    async def get_or_make(
        self,
        key: Key,
        factory: Callable[[], Awaitable[Value]],
        *,
        ttl: Ttl | None,
        usable: Callable[[bytes], bool] | None,
    ) -> bytes:
        """As `get_or_set`; a value that `usable` refuses is a miss."""
        try:
            key_bytes = to_key(key)
        except Refusal as refusal:
            raise refusal.error.to_exception() from None

        async def make() -> bytes:
            found = await self._client.get(self.name, key_bytes)
            if isinstance(found, r.Hit) and (usable is None or usable(found.value)):
                return found.value
            if isinstance(found, r.Error):
                if found.code is ErrorCode.INVALID_ARGUMENT:
                    raise found.to_exception()
                self._say_once(found)
            try:
                value = to_bytes(await factory())
            except Refusal as refusal:
                raise refusal.error.to_exception() from None
            if not isinstance(found, r.Error):
                # After a failed get a set would fail too, as late.
                await self._client.set(self.name, key_bytes, value, ttl=ttl)
            return value

        return await self._client.flights.run((self.name, key_bytes), make)

    def _say_once(self, error: r.Error) -> None:
        """Log what no retry will mend, which would otherwise be a miss for ever: once for each cache and code."""
        said = self._client.said
        if error.code in _LASTING and (self.name, error.code) not in said and len(said) < 1_000:
            said.add((self.name, error.code))
            what = "Cache %r: %s: %s. Values are made without it from now on; this is said once."
            _log.error(what, self.name, error.code.value, error.message)


def _checked(answer: T | r.Error) -> T:
    if isinstance(answer, r.Error):
        _raise(answer)
    return cast(T, answer)


def _raise(error: r.Error) -> Any:
    raise CacheError(error.code, error.message, error.cause)
