"""Writes of frameworks' caches: an older value does not outlive one that was to take its place."""

from __future__ import annotations

from collections.abc import Mapping

from larder_cache.errors import CacheError, ErrorCode
from larder_cache.plain_cache import PlainCache


async def replace(cache: PlainCache, items: Mapping[bytes, bytes], *, ttl: float) -> None:
    """Store items for `ttl` seconds. Where one is too large nothing is left under their keys.

    Raises CacheError.
    """
    try:
        if len(items) == 1:
            [(key, value)] = items.items()
            await cache.set(key, value, ttl=ttl)
        else:
            await cache.set_many(items, ttl=ttl)
    except CacheError as error:
        if error.code is ErrorCode.LIMIT_EXCEEDED:
            await cache.client.delete_each(cache.name, items)
        raise
