"""One cache whose values are of a type: a codec, in an envelope that other clients read too (CODEC-1 to CODEC-9)."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Generic, TypeVar, Union, cast

from larder_cache import responses as r
from larder_cache._internal.codecs.codec import Codec, DecodingError
from larder_cache._internal.codecs.envelope import MOST_DECODED_BYTES, Envelope
from larder_cache._internal.codecs.typed_form import TypedForm
from larder_cache._internal.leases.cache_aside import get_or_make
from larder_cache._internal.leases.cache_aside_batch import get_or_make_batch
from larder_cache._internal.operations.arguments import Key, Refusal, Value, to_items
from larder_cache._internal.operations.typed_responses import TypedGetBatchSuccess, TypedHit
from larder_cache.errors import ErrorCode
from larder_cache.get_or_set_options import GetOrSetOptions
from larder_cache.ttl import Ttl

if TYPE_CHECKING:
    from larder_cache.client import CacheClient

K = TypeVar("K", str, bytes)
V = TypeVar("V")
# A key, its value, and its own time to live where it has one.
TypedItem = Union[tuple[Key, Union[V, None]], tuple[Key, Union[V, None], Union[Ttl, None]]]


class TypedCache(Generic[V]):
    """Made by `client.typed(name, codec)`. Answers are those of CacheClient, but for the values, which are objects.

    What is stored and cannot be read is an Error, DECODING_FAILED. A value that its codec cannot encode raises its
    TypeError, and nothing is stored; one that is longer than `max_decoded_bytes` is INVALID_ARGUMENT. None can be
    stored. Other calls are those of the plain cache on the same keys.
    """

    def __init__(
        self,
        client: CacheClient,
        name: str,
        codec: Codec[V],
        compress_above: int | None = None,
        max_decoded_bytes: int = MOST_DECODED_BYTES,
    ) -> None:
        self.client = client
        self.name = name
        self._envelope: Envelope[V] = Envelope(codec, compress_above, max_decoded_bytes)

    async def get(self, key: Key, *, timeout_s: float | None = None) -> TypedHit[V] | r.Miss | r.Error:
        """Get a value: TypedHit, or Miss."""
        return self._read(await self.client.get(self.name, key, timeout_s=timeout_s))

    async def set(
        self, key: Key, value: V | None, *, ttl: Ttl | None = None, timeout_s: float | None = None
    ) -> r.SetResponse:
        """Store a value for `ttl` (the client's default time to live where left out)."""
        try:
            stored = self._envelope.encode(value)
        except Refusal as refusal:
            return refusal.error
        return await self.client.set(self.name, key, stored, ttl=ttl, timeout_s=timeout_s)

    async def get_or_set(
        self,
        key: Key,
        factory: Callable[[], Awaitable[V | None]],
        *,
        ttl: Ttl | None = None,
        options: GetOrSetOptions | None = None,
    ) -> V | None:
        """The value, or what `factory` returns: CacheClient.get_or_set. What cannot be read is made anew and replaced.

        `options`: its `ttl_of` is given the object.
        """
        form = TypedForm(self._envelope)
        return form.value_of(await get_or_make(self.client, self.name, key, factory, ttl, options, form))

    async def get_or_set_batch(
        self,
        keys: Iterable[K],
        factory: Callable[[list[K]], Awaitable[Sequence[V | None]]],
        *,
        ttl: Ttl | None = None,
    ) -> list[V | None]:
        """The value of each key, or what `factory` makes of those missing: CacheClient.get_or_set_batch."""
        form = TypedForm(self._envelope)
        given = cast(Iterable[Key], keys)
        stored = await get_or_make_batch(self.client, self.name, given, factory, ttl, form)
        return [form.value_of(each) for each in stored]

    async def get_batch(
        self, keys: Iterable[Key], *, timeout_s: float | None = None
    ) -> TypedGetBatchSuccess[V] | r.Error:
        """Get many values in one call, in the keys' order. One that cannot be read is an Error in its place."""
        answer = await self.client.get_batch(self.name, keys, timeout_s=timeout_s)
        if isinstance(answer, r.Error):
            return answer
        return TypedGetBatchSuccess([self._read(each) for each in answer.responses])

    async def set_batch(
        self,
        items: Mapping[str, V | None] | Mapping[bytes, V | None] | Iterable[TypedItem[V]],
        *,
        ttl: Ttl | None = None,
        timeout_s: float | None = None,
    ) -> r.SetBatchResponse:
        """Store many values in one call, all or none: a mapping, or (key, value) or (key, value, ttl) tuples."""
        try:
            stored = [self._stored(each) for each in to_items(cast(Any, items))]
        except Refusal as refusal:
            return refusal.error
        return await self.client.set_batch(self.name, stored, ttl=ttl, timeout_s=timeout_s)

    def _stored(self, item: Any) -> tuple[Key, Value, Ttl | None]:
        if not isinstance(item, (tuple, list)) or not 2 <= len(cast(Sequence[Any], item)) <= 3:
            raise TypeError("a batch's item is (key, value) or (key, value, ttl)")
        key, value, *own = cast(Sequence[Any], item)
        return key, self._envelope.encode(value), own[0] if own else None

    def _read(self, answer: r.Hit | r.Miss | r.Error) -> TypedHit[V] | r.Miss | r.Error:
        if not isinstance(answer, r.Hit):
            return answer
        try:
            return TypedHit(self._envelope.decode(answer.value))
        except DecodingError as error:
            return r.Error(ErrorCode.DECODING_FAILED, f"cache {self.name!r}: {error}")
