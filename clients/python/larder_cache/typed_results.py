"""`TypedResults`: the calls of a typed cache. They return response objects."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from typing import Any, Generic, TypeVar, Union, cast

from larder_cache import responses as r
from larder_cache._internal.codecs.codec import DecodingError
from larder_cache._internal.codecs.envelope import Envelope
from larder_cache._internal.codecs.kept_objects import KeptObjects
from larder_cache._internal.codecs.typed_form import TypedForm
from larder_cache._internal.common.unpicklable import Unpicklable
from larder_cache._internal.leases.cache_aside import check_load, get_or_make, without_context
from larder_cache._internal.leases.cache_aside_batch import get_or_make_batch
from larder_cache._internal.operations.arguments import Key, Refusal, Value, to_items
from larder_cache._internal.operations.typed_responses import TypedGetBatchSuccess, TypedHit
from larder_cache.cache_results import CacheResults
from larder_cache.errors import ErrorCode
from larder_cache.factory_context import FactoryContext
from larder_cache.get_or_set_options import GetOrSetOptions
from larder_cache.ttl import Ttl

K = TypeVar("K", str, bytes)
V = TypeVar("V")
# A key, its value, and optionally the item's own time to live.
TypedItem = Union[tuple[Key, Union[V, None]], tuple[Key, Union[V, None], Union[Ttl, None]]]


class TypedResults(Unpicklable, Generic[V]):
    """The methods of `TypedCache`, but with response objects as results: `typed.results`. Values are decoded objects.

    If a stored value cannot be decoded, the response is an Error with DECODING_FAILED. A value that the codec cannot
    encode raises the codec's TypeError, and nothing is stored. For a value longer than `max_decoded_bytes` the response
    is an Error with INVALID_ARGUMENT.
    """

    def __init__(self, cache: CacheResults, envelope: Envelope[V], kept: KeptObjects[V] | None = None) -> None:
        """Create the object. Applications use `typed.results` instead."""
        self._cache = cache
        self._envelope = envelope
        self._kept = kept or KeptObjects(envelope, None, None)
        self._near = cache.calls.near

    @property
    def name(self) -> str:
        """The cache's name."""
        return self._cache.name

    def with_timeout(self, timeout_s: float | None) -> TypedResults[V]:
        """Return a copy whose calls have this deadline, in seconds. See `Cache.with_timeout`."""
        return TypedResults(self._cache.with_timeout(timeout_s), self._envelope, self._kept)

    async def get(self, key: Key) -> TypedHit[V] | r.Miss | r.Error:
        """Get a value. Returns a TypedHit or a Miss."""
        if self._near is not None and (kept := self._kept.find(self._near, self._cache.name, key)) is not None:
            return kept
        return self._read(await self._cache.get(key))

    async def set(self, key: Key, value: V | None, *, ttl: Ttl | None = None) -> r.SetResponse:
        """Store a value. `ttl` is the value's time to live. None selects the client's default."""
        try:
            stored = self._envelope.encode(value)
        except Refusal as refusal:
            return refusal.error
        return await self._cache.set(key, stored, ttl=ttl)

    async def get_or_set(
        self,
        key: Key,
        factory: Callable[[], Awaitable[V | None]],
        *,
        ttl: Ttl | None = None,
        options: GetOrSetOptions | None = None,
    ) -> V | None:
        """Return the value of a key. On a miss run `factory`, store its value and return it.

        See `TypedCache.get_or_set`.
        """
        return await self._get_or_make(key, without_context(factory), ttl, options)

    async def get_or_set_with_context(
        self,
        key: Key,
        factory: Callable[[FactoryContext[V | None]], Awaitable[V | None]],
        *,
        ttl: Ttl | None = None,
        options: GetOrSetOptions | None = None,
    ) -> V | None:
        """Return the value of a key, loaded with a lease and a factory that receives a FactoryContext.

        See `TypedCache.get_or_set_with_context`.
        """
        return await self._get_or_make(key, factory, ttl, GetOrSetOptions() if options is None else options)

    async def get_or_set_batch(
        self,
        keys: Iterable[K],
        factory: Callable[[list[K]], Awaitable[Sequence[V | None]]],
        *,
        ttl: Ttl | None = None,
    ) -> list[V | None]:
        """Return the values in the order of the keys. `factory` loads the missing values.

        See `Cache.get_or_set_batch`.
        """
        form = TypedForm(self._envelope)
        stored = await get_or_make_batch(self._cache, cast(Iterable[Key], keys), factory, ttl, form)
        return [form.value_of(each) for each in stored]

    async def get_batch(self, keys: Iterable[Key]) -> TypedGetBatchSuccess[V] | r.Error:
        """Get many values in one call, in the order of the keys.

        The response for a value that cannot be decoded is an Error.
        """
        answer = await self._cache.get_batch(keys)
        if isinstance(answer, r.Error):
            return answer
        return TypedGetBatchSuccess([self._read(each) for each in answer.responses])

    async def set_batch(
        self,
        items: Mapping[str, V | None] | Mapping[bytes, V | None] | Iterable[TypedItem[V]],
        *,
        ttl: Ttl | None = None,
    ) -> r.SetBatchResponse:
        """Store many values in one call.

        Args:
            items: A mapping, or (key, value) or (key, value, ttl) tuples.
            ttl: The time to live of the items that have no time to live of their own. None selects the client's
                default.
        """
        try:
            stored = [self._stored(each) for each in to_items(cast(Any, items))]
        except Refusal as refusal:
            return refusal.error
        return await self._cache.set_batch(stored, ttl=ttl)

    async def _get_or_make(
        self,
        key: Key,
        factory: Callable[[FactoryContext[V | None]], Awaitable[V | None]],
        ttl: Ttl | None,
        options: GetOrSetOptions | None,
    ) -> V | None:
        form = TypedForm(self._envelope)
        if self._near is not None:
            check_load(self._cache, key, ttl, options)
            if (kept := self._kept.find(self._near, self._cache.name, key)) is not None:
                return kept.value
        return form.value_of(await get_or_make(self._cache, key, factory, ttl, options, form))

    def _stored(self, item: Any) -> tuple[Key, Value, Ttl | None]:
        if not isinstance(item, (tuple, list)) or not 2 <= len(cast(Sequence[Any], item)) <= 3:
            raise TypeError("an item of a batch must be (key, value) or (key, value, ttl)")
        key, value, *own = cast(Sequence[Any], item)
        return key, self._envelope.encode(value), own[0] if own else None

    def _read(self, answer: r.Hit | r.Miss | r.Error) -> TypedHit[V] | r.Miss | r.Error:
        if not isinstance(answer, r.Hit):
            return answer
        try:
            return TypedHit(self._envelope.decode(answer.value))
        except DecodingError as error:
            return r.Error(ErrorCode.DECODING_FAILED, f"a value in cache {self.name!r} cannot be decoded: {error}")
