"""`Cache`: a handle of one cache, with plain values and exceptions."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Sequence
from itertools import islice
from typing import Any, TypeVar, cast, overload

from larder_cache import responses as r
from larder_cache._internal.client._generated.plain_calls import PlainCalls
from larder_cache._internal.client.checked import checked
from larder_cache._internal.codecs.codec import Codec
from larder_cache._internal.codecs.envelope import MOST_DECODED_BYTES, Envelope
from larder_cache._internal.operations.arguments import MOST_ITEMS, Key, Value
from larder_cache.cache_results import CacheResults
from larder_cache.errors import CacheError, ErrorCode
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
    """A handle of one cache, which has all calls on its data: `client.cache("orders")`.

    Keys and values are bytes, or strings that are sent as UTF-8. Calls return plain values: a miss is None, a
    conditional call returns whether it changed something, and a call with one result returns that. What fails raises
    CacheError, also an invalid key; TypeError if an argument is not a key or value at all. `results` has the same
    methods with responses as objects, which never raise.

    Any number of callers may use a handle at once. It costs nothing on the server.
    """

    def __init__(self, results: CacheResults) -> None:
        """A program gets its handles from `client.cache(name)`."""
        self._results = results

    @property
    def name(self) -> str:
        """The cache's name."""
        return self._results.name

    @property
    def results(self) -> CacheResults:
        """The same methods, which return responses for `match` and do not raise."""
        return self._results

    def with_timeout(self, timeout_s: float | None) -> Cache:
        """Return a handle of the same cache whose calls have this deadline in place of the configuration's.

        Args:
            timeout_s: Seconds, over 0 and at most 3,600; other numbers are the error of each call. TypeError if it is
                not a number. None: the configuration's. Subscriptions have no deadline.
        """
        return Cache(self._results.with_timeout(timeout_s))

    def typed(
        self, codec: Codec[V], *, compress_above: int | None = None, max_decoded_bytes: int = MOST_DECODED_BYTES
    ) -> TypedCache[V]:
        """Return the cache with values of one type, which `codec` encodes (larder_cache.codecs).

        Args:
            codec: The codec. It limits the elements and levels of a value.
            compress_above: Encoded values of more bytes are compressed if that makes them smaller; None: never.
            max_decoded_bytes: Longer values are neither stored nor read; the default is 8 MiB.
        """
        return TypedCache(TypedResults(self._results, Envelope(codec, compress_above, max_decoded_bytes)))

    def try_get_near(self, key: Key) -> bytes | None:
        """Return the value of the near cache's copy, without a call; None: there is none that may be served now.

        From any thread. TypeError if the key is not a string or bytes.
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
        """Return the value under `key`; on a miss run `factory`, store its value and return it.

        Callers that request one key at the same time, with any handle of this client, share one factory call: each gets
        its value or its exception. If the cache fails, the factory's value is returned all the same, and not stored.

        Args:
            ttl: The time to live of a new value; None: the client's default.
            options: One factory call of all processes, stale values, refreshes ahead, tags.

        Raises:
            CacheError: The cache's name, the key or an option is invalid.
        """
        return await self._results.get_or_set(key, factory, ttl=ttl, options=options)

    async def get_or_set_batch(
        self, keys: Iterable[K], factory: Callable[[list[K]], Awaitable[Sequence[Value]]], *, ttl: Ttl | None = None
    ) -> dict[K, bytes]:
        """Return the values by key; those missing are created by one call of `factory`, and stored.

        One call reads and one stores. Callers that miss the same keys at the same time each run their factory. If the
        cache fails, the factory's values are returned all the same.

        Args:
            factory: Receives the missing keys, each once, and returns a value for each, in that order.
            ttl: The time to live of new values; None: the client's default.

        Raises:
            CacheError: The cache's name or a key is invalid.
            ValueError: The factory returned another number of values.
        """
        if isinstance(keys, str):
            raise TypeError("keys are several texts or bytes, not one text")
        wanted = list(islice(keys, MOST_ITEMS + 1))
        values = await self._results.get_or_set_batch(wanted, factory, ttl=ttl)
        return dict(zip(wanted, values, strict=True))

    async def get_batch(self, keys: Iterable[K]) -> dict[K, bytes]:
        """Get many values in one call. Returns those that exist, by key as it was given."""
        # One past the most, for the call to refuse.
        wanted = keys if isinstance(keys, str) else list(islice(keys, MOST_ITEMS + 1))
        answer = checked(await self._results.get_batch(cast(Iterable[Key], wanted)))
        found = zip(cast(Iterable[K], wanted), map(checked, answer.responses), strict=True)
        return {key: each.value for key, each in found if isinstance(each, r.Hit)}

    async def delete_each(self, keys: Iterable[Key]) -> None:
        """Remove many items at once. Raises the first error, after every key was tried."""
        for answer in await self._results.delete_each(keys):
            checked(answer)

    async def set_with_hash(self, key: Key, value: Value, *, ttl: Ttl | None = None) -> bytes:
        """Store a value unconditionally, and return its hash. `ttl`: its time to live; None: the client's default."""
        answer = checked(await self._results.set_with_hash(key, value, ttl=ttl))
        if isinstance(answer, r.NotStored):
            raise CacheError(ErrorCode.INTERNAL, "the server did not store an unconditional set")
        return answer.hash

    async def update_ttl_if_prefix(self, key: Key, prefix: Value, *, ttl: Ttl | None = None) -> bool:
        """Give an item a new time to live if its value begins with `prefix`, at most 64 bytes. Returns whether it does.

        `ttl`: the time to live; None: the client's default. The same method of `results` also returns what the value
        begins with.
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
        """Subscribe to a topic: CacheResults.subscribe."""
        return self._results.subscribe(topic, resume_at=resume_at, page=page, start=start, heartbeats=heartbeats)
