"""One cache by its handle, with the names that Python's caches have; plain values, and exceptions for errors."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any, TypeVar, cast, overload

from larder_cache import responses as r
from larder_cache._internal.operations.arguments import MOST_ITEMS, Key, Value
from larder_cache.get_or_set_options import GetOrSetOptions
from larder_cache.ttl import Ttl

if TYPE_CHECKING:
    from larder_cache.client import CacheClient

D = TypeVar("D")
T = TypeVar("T")
K = TypeVar("K", str, bytes)


class PlainCache:
    """Made by `client.plain(name)`. A miss is None (or the default given); anything else that fails is a CacheError.

    Keys of one call are all text or all bytes, and come back as they were given.
    """

    def __init__(self, client: CacheClient, name: str) -> None:
        self.client = client
        self.name = name

    @overload
    async def get(self, key: Key) -> bytes | None:
        ...

    @overload
    async def get(self, key: Key, default: D) -> bytes | D:
        ...

    async def get(self, key: Key, default: Any = None) -> Any:
        """The value, or `default` where the key is missing."""
        answer = checked(await self.client.get(self.name, key))
        return answer.value if isinstance(answer, r.Hit) else default

    async def set(self, key: Key, value: Value, *, ttl: Ttl | None = None) -> None:
        """Store a value."""
        checked(await self.client.set(self.name, key, value, ttl=ttl))

    async def add(self, key: Key, value: Value, *, ttl: Ttl | None = None) -> bool:
        """Store a value where the key is missing. Whether it was stored."""
        return isinstance(checked(await self.client.set_if_absent(self.name, key, value, ttl=ttl)), r.Stored)

    async def delete(self, key: Key) -> None:
        """Remove an item, if it is there."""
        checked(await self.client.delete(self.name, key))

    async def exists(self, key: Key) -> bool:
        """Whether the key is there."""
        return checked(await self.client.key_exists(self.name, key)).exists

    async def incr(self, key: Key, amount: int = 1, *, ttl: Ttl | None = None, keep_ttl: bool = False) -> int:
        """Add to a counter and return it; a missing one starts at 0. `keep_ttl`: one that is there keeps its time."""
        return checked(await self.client.increment(self.name, key, amount, ttl=ttl, keep_ttl=keep_ttl)).value

    async def decr(self, key: Key, amount: int = 1, *, ttl: Ttl | None = None, keep_ttl: bool = False) -> int:
        """Subtract from a counter and return it. `keep_ttl`: as `incr`."""
        return await self.incr(key, -amount, ttl=ttl, keep_ttl=keep_ttl)

    async def touch(self, key: Key, ttl: Ttl) -> bool:
        """Give an item another time to live. Whether it was there."""
        return isinstance(checked(await self.client.update_ttl(self.name, key, ttl)), r.TtlSet)

    async def ttl(self, key: Key) -> float | None:
        """The seconds an item has left; None where it is missing."""
        answer = checked(await self.client.item_get_ttl(self.name, key))
        return answer.remaining_ttl_ms / 1_000 if isinstance(answer, r.RemainingTtl) else None

    async def get_many(self, keys: Iterable[K]) -> dict[K, bytes]:
        """The values of the keys that are there."""
        # One past the most, for the client to refuse.
        wanted = list(islice(keys, MOST_ITEMS + 1))
        answer = checked(await self.client.get_batch(self.name, cast(list[Key], wanted)))
        found = zip(wanted, map(checked, answer.responses), strict=True)
        return {key: each.value for key, each in found if isinstance(each, r.Hit)}

    async def set_many(self, items: Mapping[K, Value], *, ttl: Ttl | None = None) -> None:
        """Store many values in one call."""
        pairs = [(cast(Key, key), value) for key, value in items.items()]
        checked(await self.client.set_batch(self.name, pairs, ttl=ttl))

    async def delete_many(self, keys: Iterable[Key]) -> None:
        """Remove many items. Raises the first error, after every key was tried."""
        for answer in await self.client.delete_each(self.name, keys):
            checked(answer)

    async def get_or_set(
        self,
        key: Key,
        factory: Callable[[], Awaitable[Value]],
        *,
        ttl: Ttl | None = None,
        options: GetOrSetOptions | None = None,
    ) -> bytes:
        """The value, or what `factory` returns, stored: one factory call per key at a time, which all others wait for.

        A cache that cannot be reached is no reason to fail: the factory's value is then not stored.
        """
        return await self.client.get_or_set(self.name, key, factory, ttl=ttl, options=options)

    async def get_or_set_many(
        self, keys: Iterable[K], factory: Callable[[list[K]], Awaitable[Sequence[Value]]], *, ttl: Ttl | None = None
    ) -> dict[K, bytes]:
        """The values of the keys; those that are missing are made by one call of `factory`, given them, and stored.

        It returns a value for each, in their order; ValueError where it returns another number.
        """
        if isinstance(keys, str):
            raise TypeError("keys are several texts or bytes, not one text")
        wanted = list(islice(keys, MOST_ITEMS + 1))
        values = await self.client.get_or_set_batch(self.name, wanted, factory, ttl=ttl)
        return dict(zip(wanted, values, strict=True))

    async def clear(self) -> None:
        """Empty the cache: every user's items."""
        checked(await self.client.flush_cache(self.name))


def checked(answer: T | r.Error) -> T:
    """Return an answer that is no error, or raise it as CacheError."""
    if isinstance(answer, r.Error):
        raise answer.to_exception()
    return answer
