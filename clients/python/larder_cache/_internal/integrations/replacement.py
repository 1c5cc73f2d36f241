"""Writes for frameworks' caches. A failed write must not leave the older value in place."""

from __future__ import annotations

from collections.abc import Mapping

from larder_cache.cache import Cache
from larder_cache.errors import CacheError, ErrorCode


async def replace(cache: Cache, items: Mapping[bytes, bytes], *, ttl: float) -> None:
    """Store items for `ttl` seconds. If an item is too large, the old values of all keys are deleted.

    Raises:
        CacheError: The items could not be stored.
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
