"""`TypedCache`: a cache with values of one type.

All clients can read the envelope around the values (CODEC-1 to CODEC-9).
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from typing import Any, Generic, TypeVar, cast, overload

from larder_cache._internal.client.checked import checked
from larder_cache._internal.common.unpicklable import Unpicklable
from larder_cache._internal.operations.arguments import Key, read_keys
from larder_cache._internal.operations.typed_responses import TypedHit
from larder_cache.factory_context import FactoryContext
from larder_cache.get_or_set_options import GetOrSetOptions
from larder_cache.ttl import Ttl
from larder_cache.typed_results import TypedItem, TypedResults

D = TypeVar("D")
K = TypeVar("K", str, bytes)
V = TypeVar("V")


class TypedCache(Unpicklable, Generic[V]):
    """A cache with values of one type: `client.cache(name).typed(codec)`.

    Calls return decoded objects and raise CacheError.

    None can be stored. As with a dict, `get(key)` returns None for a stored None and for a miss. Pass a `default` to
    distinguish them. A stored value that cannot be decoded raises CacheError with DECODING_FAILED, but get_or_set
    replaces it. A value that the codec cannot encode raises the codec's TypeError, and nothing is stored. `results` has
    the same methods, but they return response objects. For other calls on the same keys use the cache itself.
    """

    def __init__(self, results: TypedResults[V]) -> None:
        """Create a typed cache. Applications call `cache.typed(codec)` instead."""
        self._results = results

    @property
    def name(self) -> str:
        """The cache's name."""
        return self._results.name

    @property
    def results(self) -> TypedResults[V]:
        """The same methods with response objects as results, for use with `match`."""
        return self._results

    def with_timeout(self, timeout_s: float | None) -> TypedCache[V]:
        """Return a copy whose calls have this deadline, in seconds. See `Cache.with_timeout`."""
        return TypedCache(self._results.with_timeout(timeout_s))

    @overload
    async def get(self, key: Key) -> V | None:
        ...

    @overload
    async def get(self, key: Key, default: D) -> V | D | None:
        ...

    async def get(self, key: Key, default: Any = None) -> Any:
        """Get a value. Returns `default` on a miss, and None if None was stored."""
        answer = checked(await self._results.get(key))
        return answer.value if isinstance(answer, TypedHit) else default

    async def set(self, key: Key, value: V | None, *, ttl: Ttl | None = None) -> None:
        """Store a value. `ttl` is the value's time to live. None selects the client's default."""
        checked(await self._results.set(key, value, ttl=ttl))

    async def get_or_set(
        self,
        key: Key,
        factory: Callable[[], Awaitable[V | None]],
        *,
        ttl: Ttl | None = None,
        options: GetOrSetOptions | None = None,
    ) -> V | None:
        """Return the value of a key. On a miss run `factory`, store its value and return it. See `Cache.get_or_set`.

        A stored value that cannot be decoded is treated as a miss and is replaced. The function `ttl_of` in `options`
        receives the decoded object.
        """
        return await self._results.get_or_set(key, factory, ttl=ttl, options=options)

    async def get_or_set_with_context(
        self,
        key: Key,
        factory: Callable[[FactoryContext[V | None]], Awaitable[V | None]],
        *,
        ttl: Ttl | None = None,
        options: GetOrSetOptions | None = None,
    ) -> V | None:
        """Return the value of a key, loaded with a lease and a factory that receives a FactoryContext.

        See `Cache.get_or_set_with_context`. The context contains the stale value as a decoded object.
        """
        return await self._results.get_or_set_with_context(key, factory, ttl=ttl, options=options)

    async def get_or_set_batch(
        self, keys: Iterable[K], factory: Callable[[list[K]], Awaitable[Sequence[V | None]]], *, ttl: Ttl | None = None
    ) -> dict[K, V | None]:
        """Return the values by key. One call of `factory` loads the missing values. See `Cache.get_or_set_batch`."""
        wanted = read_keys(keys)
        values = await self._results.get_or_set_batch(wanted, factory, ttl=ttl)
        return dict(zip(wanted, values, strict=True))

    async def get_batch(self, keys: Iterable[K]) -> dict[K, V | None]:
        """Get many values in one call.

        Returns the existing values by key, with the keys in the form in which the caller passed them.
        """
        wanted = read_keys(keys)
        answer = checked(await self._results.get_batch(wanted))
        found: dict[K, V | None] = {}
        for key, response in zip(wanted, answer.responses, strict=True):
            if isinstance(checked(response), TypedHit):
                found[key] = cast(TypedHit[V], response).value
        return found

    async def set_batch(
        self,
        items: Mapping[str, V | None] | Mapping[bytes, V | None] | Iterable[TypedItem[V]],
        *,
        ttl: Ttl | None = None,
    ) -> None:
        """Store many values in one call.

        Args:
            items: A mapping, or (key, value) or (key, value, ttl) tuples.
            ttl: The time to live of the items that have no time to live of their own. None selects the client's
                default.
        """
        checked(await self._results.set_batch(items, ttl=ttl))
