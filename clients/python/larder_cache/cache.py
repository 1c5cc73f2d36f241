"""`Cache`: a handle of one cache. Its calls return plain values and raise exceptions."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import Any, TypeVar, overload

from larder_cache import responses as r
from larder_cache._internal.client._generated.plain_calls import PlainCalls
from larder_cache._internal.client.checked import checked
from larder_cache._internal.codecs.codec import Codec
from larder_cache._internal.codecs.envelope import MOST_DECODED_BYTES, Envelope
from larder_cache._internal.codecs.kept_objects import KeptObjects
from larder_cache._internal.operations.arguments import Key, Value, read_keys
from larder_cache.cache_results import CacheResults
from larder_cache.errors import CacheError, ErrorCode
from larder_cache.factory_context import FactoryContext
from larder_cache.get_or_set_options import GetOrSetOptions
from larder_cache.topic_start import TopicStart
from larder_cache.topic_subscription import TopicSubscription
from larder_cache.ttl import Ttl
from larder_cache.typed_cache import TypedCache
from larder_cache.typed_results import TypedResults

D = TypeVar("D")
K = TypeVar("K", str, bytes)
V = TypeVar("V")


class Cache(PlainCalls):
    """A handle for reading and writing the data of one cache: `client.cache("orders")`.

    Keys and values are bytes or strings. Strings are sent as UTF-8. Calls return plain values. A call returns None for
    a miss. A conditional call returns whether it changed anything. A call with one result returns that result.

    A failure raises CacheError, and so does an invalid key. An argument of a wrong type raises TypeError. `results` has
    the same methods, but they return response objects. They do not raise CacheError, except in `get_or_set` and
    `get_or_set_batch`.

    A handle can be used concurrently. Creating a handle does not contact the server.
    """

    def __init__(self, results: CacheResults) -> None:
        """Create a handle. Applications call `client.cache(name)` instead."""
        self._results = results

    @property
    def name(self) -> str:
        """The cache's name."""
        return self._results.name

    @property
    def results(self) -> CacheResults:
        """The same methods with response objects as results, for use with `match`."""
        return self._results

    def with_timeout(self, timeout_s: float | None) -> Cache:
        """Return a handle of the same cache whose calls have this deadline instead of the configured one.

        Args:
            timeout_s: The deadline in seconds, above 0 and at most 3,600. With any other number each call fails. None
                selects the configured timeout. Subscriptions have no deadline.

        Raises:
            TypeError: `timeout_s` is not a number.
        """
        return Cache(self._results.with_timeout(timeout_s))

    def typed(
        self,
        codec: Codec[V],
        *,
        compress_above: int | None = None,
        max_decoded_bytes: int = MOST_DECODED_BYTES,
        keep_objects: bool | None = None,
        object_bytes: Callable[[V], int] | None = None,
    ) -> TypedCache[V]:
        """Return a view of the cache whose values have one type, encoded by `codec` (larder_cache.codecs).

        Args:
            codec: The codec. It limits the number of elements and nesting levels of a value.
            compress_above: The size in bytes above which encoded values are compressed, if that makes them smaller.
                None disables compression.
            max_decoded_bytes: The maximum size of a value in bytes. Longer values are neither stored nor read. The
                default is 8 MiB.
            keep_objects: Whether the near cache keeps decoded values, so that its hits do not decode them again. All
                callers then get the same object and must not change it. None keeps only values that cannot be changed:
                str, bytes, int, float, bool and None. A value is kept for the codec that decoded it, so create the
                codec once.
            object_bytes: Returns the memory that a kept value uses, in bytes. It counts against the near cache's
                `max_bytes`, in addition to the encoded value. None uses the size of the encoded value.
        """
        envelope = Envelope(codec, compress_above, max_decoded_bytes)
        kept = KeptObjects(envelope, keep_objects, object_bytes)
        return TypedCache(TypedResults(self._results, envelope, kept))

    def try_get_near(self, key: Key) -> bytes | None:
        """Return the value of a key from the near cache without calling the server, or None if there is no valid copy.

        Thread-safe. Raises TypeError if the key is not a string or bytes.
        """
        return self._results.try_get_near(key)

    @overload
    async def get(self, key: Key) -> bytes | None:
        ...

    @overload
    async def get(self, key: Key, default: D) -> bytes | D:
        ...

    async def get(self, key: Key, default: Any = None) -> Any:
        """Get a value. Returns `default` on a miss."""
        answer = await self._results.get(key)
        if isinstance(answer, r.Hit):
            return answer.value
        checked(answer)
        return default

    async def get_or_set(
        self,
        key: Key,
        factory: Callable[[], Awaitable[Value]],
        *,
        ttl: Ttl | None = None,
        options: GetOrSetOptions | None = None,
    ) -> bytes:
        """Return the value of a key. On a miss run `factory`, store its value and return it.

        Concurrent callers for the same key share one call of the factory, even if they use different handles of this
        client. Each of them gets the factory's value or its exception. If the cache fails, the factory's value is
        returned but not stored.

        Args:
            factory: Loads the value.
            ttl: The time to live of a new value. None selects the client's default.
            options: Leases across processes, stale values, early refresh, and tags.

        Raises:
            CacheError: The cache's name, the key or an option is invalid.
        """
        return await self._results.get_or_set(key, factory, ttl=ttl, options=options)

    async def get_or_set_with_context(
        self,
        key: Key,
        factory: Callable[[FactoryContext[bytes]], Awaitable[Value]],
        *,
        ttl: Ttl | None = None,
        options: GetOrSetOptions | None = None,
    ) -> bytes:
        """Return the value of a key. On a miss load it with a factory that receives a context.

        The context contains the stale value, if there is one. The factory can declare that the stale value is still
        valid, and decide how its result is stored. Everything else is as in `get_or_set`.

        Args:
            factory: Loads the value. Its argument is a FactoryContext.
            ttl: The time to live of a new value. None selects the client's default.
            options: Stale values, early refresh, and tags. None selects `GetOrSetOptions()`.

        Raises:
            CacheError: The cache's name, the key, an option or a setting of the context is invalid.
        """
        return await self._results.get_or_set_with_context(key, factory, ttl=ttl, options=options)

    async def get_or_set_batch(
        self, keys: Iterable[K], factory: Callable[[list[K]], Awaitable[Sequence[Value]]], *, ttl: Ttl | None = None
    ) -> dict[K, bytes]:
        """Return the values by key. One call of `factory` loads all missing values, which are then stored.

        One call reads all values, and one call stores the new ones. Concurrent callers that miss the same keys each run
        their own factory. If the cache fails, the factory's values are returned but not stored.

        Args:
            factory: Receives the distinct missing keys and returns one value for each, in the same order.
            ttl: The time to live of new values. None selects the client's default.

        Raises:
            CacheError: The cache's name or a key is invalid.
            ValueError: The factory returned a different number of values.
        """
        wanted = read_keys(keys)
        values = await self._results.get_or_set_batch(wanted, factory, ttl=ttl)
        return dict(zip(wanted, values, strict=True))

    async def get_batch(self, keys: Iterable[K]) -> dict[K, bytes]:
        """Get many values in one call.

        Returns the existing values by key, with the keys in the form in which the caller passed them.
        """
        wanted = read_keys(keys)
        answer = checked(await self._results.get_batch(wanted))
        found = zip(wanted, map(checked, answer.responses), strict=True)
        return {key: each.value for key, each in found if isinstance(each, r.Hit)}

    async def delete_each(self, keys: Iterable[Key]) -> None:
        """Remove many items concurrently. Raises the first error after all keys have been tried."""
        for answer in await self._results.delete_each(keys):
            checked(answer)

    async def set_with_hash(self, key: Key, value: Value, *, ttl: Ttl | None = None) -> bytes:
        """Store a value unconditionally and return its hash.

        `ttl` is the value's time to live. None selects the client's default.
        """
        answer = checked(await self._results.set_with_hash(key, value, ttl=ttl))
        if isinstance(answer, r.NotStored):
            raise CacheError(ErrorCode.INTERNAL, "the server did not store the value of an unconditional set")
        return answer.hash

    async def update_ttl_if_prefix(self, key: Key, prefix: Value, *, ttl: Ttl | None = None) -> bool:
        """Set the time to live of an item if its value begins with `prefix`.

        Returns whether the time to live was set. `prefix` has at most 64 bytes. `ttl` is the time to live. None selects
        the client's default. The method of the same name in `results` also returns the beginning of a value that does
        not match.
        """
        return isinstance(checked(await self._results.update_ttl_if_prefix(key, prefix, ttl=ttl)), r.TtlSet)

    def subscribe(
        self,
        topic: str,
        *,
        resume_at: int = 0,
        page: int = 0,
        start: TopicStart = TopicStart.NEWEST,
        heartbeats: bool = False,
    ) -> TopicSubscription:
        """Subscribe to a topic. See `CacheResults.subscribe`."""
        return self._results.subscribe(topic, resume_at=resume_at, page=page, start=start, heartbeats=heartbeats)
