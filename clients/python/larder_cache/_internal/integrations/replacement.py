"""Writes of frameworks' caches: an older value does not outlive one that was to take its place."""

from __future__ import annotations

from collections.abc import Mapping

from larder_cache.cache import Cache
from larder_cache.errors import CacheError, ErrorCode


async def replace(cache: Cache, items: Mapping[bytes, bytes], *, ttl: float) -> None:
    """Store items for `ttl` seconds. Where one is too large nothing is left under their keys.

    Raises CacheError.
    """
    try:
        if len(items) == 1:
            [(key, value)] = items.items()
            await cache.set(key, value, ttl=ttl)
        else:
            await cache.set_batch(items, ttl=ttl)
    except CacheError as error:
        if error.code is ErrorCode.LIMIT_EXCEEDED:
            await cache.results.delete_each(items)
        raise
