"""The blocking handle on a cache whose values are of a type.

Written by tools/python-sync from typed_cache.py; not edited by hand. Safe to use from many threads.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Generic, TypeVar

from larder_cache import responses as r
from larder_cache import typed_cache
from larder_cache._internal.blocking.background_loop import drive, made_by
from larder_cache._internal.operations.arguments import Key
from larder_cache._internal.operations.typed_responses import TypedGetBatchSuccess, TypedHit
from larder_cache.get_or_set_options import GetOrSetOptions
from larder_cache.ttl import Ttl
from larder_cache.typed_cache import TypedItem

K = TypeVar("K", str, bytes)
V = TypeVar("V")


class TypedCache(Generic[V]):
    """larder_cache.TypedCache, blocking; made by `client.typed(name, codec)`."""

    def __init__(self, cache: typed_cache.TypedCache[V]) -> None:
        self._async = cache
        self.name = cache.name

    def get(self, key: Key, *, timeout_s: float | None = None) -> TypedHit[V] | r.Miss | r.Error:
        """Get a value: TypedHit, or Miss."""
        return drive(self._async.get(key, timeout_s=timeout_s))

    def set(
        self, key: Key, value: V | None, *, ttl: Ttl | None = None, timeout_s: float | None = None
    ) -> r.SetResponse:
        """Store a value for `ttl` (the client's default time to live where left out)."""
        return drive(self._async.set(key, value, ttl=ttl, timeout_s=timeout_s))

    def get_or_set(
        self,
        key: Key,
        factory: Callable[[], V | None],
        *,
        ttl: Ttl | None = None,
        options: GetOrSetOptions | None = None,
    ) -> V | None:
        """The value, or what `factory` returns: CacheClient.get_or_set. What cannot be read is made anew and replaced.

        `options`: its `ttl_of` is given the object.
        """
        return drive(self._async.get_or_set(key, made_by(factory), ttl=ttl, options=options))

    def get_or_set_batch(
        self, keys: Iterable[K], factory: Callable[[list[K]], Sequence[V | None]], *, ttl: Ttl | None = None
    ) -> list[V | None]:
        """The value of each key, or what `factory` makes of those missing: CacheClient.get_or_set_batch."""
        return drive(self._async.get_or_set_batch(keys, made_by(factory), ttl=ttl))

    def get_batch(self, keys: Iterable[Key], *, timeout_s: float | None = None) -> TypedGetBatchSuccess[V] | r.Error:
        """Get many values in one call, in the keys' order. One that cannot be read is an Error in its place."""
        return drive(self._async.get_batch(keys, timeout_s=timeout_s))

    def set_batch(
        self,
        items: Mapping[str, V | None] | Mapping[bytes, V | None] | Iterable[TypedItem[V]],
        *,
        ttl: Ttl | None = None,
        timeout_s: float | None = None,
    ) -> r.SetBatchResponse:
        """Store many values in one call, all or none: a mapping, or (key, value) or (key, value, ttl) tuples."""
        return drive(self._async.set_batch(items, ttl=ttl, timeout_s=timeout_s))
