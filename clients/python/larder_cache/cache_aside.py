"""`get_or_set`: a value from the cache, or what a factory makes of its key."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

from larder_cache import responses as r
from larder_cache.arguments import Key, Refusal, Value, to_bytes, to_key, to_ttl_ms
from larder_cache.errors import ErrorCode
from larder_cache.ttl import Ttl

if TYPE_CHECKING:
    from larder_cache.client import CacheClient

_log = logging.getLogger("larder_cache")
_LASTING = (
    ErrorCode.NOT_FOUND,
    ErrorCode.PERMISSION_DENIED,
    ErrorCode.UNAUTHENTICATED,
    ErrorCode.FAILED_PRECONDITION,
    # What a server refuses to store: its time to live, its size.
    ErrorCode.INVALID_ARGUMENT,
    ErrorCode.LIMIT_EXCEEDED,
)


async def get_or_make(
    client: CacheClient,
    cache: str,
    key: Key,
    factory: Callable[[], Awaitable[Value]],
    ttl: Ttl | None,
    usable: Callable[[bytes], bool] | None = None,
) -> bytes:
    """As CacheClient.get_or_set; a value that `usable` refuses is a miss."""
    try:
        key_bytes = to_key(key)
        if ttl is not None:
            to_ttl_ms(ttl)
    except Refusal as refusal:
        raise refusal.error.to_exception() from None

    copy = client.try_get_near(cache, key_bytes)
    if copy is not None and (usable is None or usable(copy)):
        return copy

    async def make() -> bytes:
        found = await client.get(cache, key_bytes)
        if isinstance(found, r.Hit) and (usable is None or usable(found.value)):
            return found.value
        if isinstance(found, r.Error):
            if found.code is ErrorCode.INVALID_ARGUMENT:
                raise found.to_exception()
            _say_once(client, cache, found)
        try:
            value = to_bytes(await factory())
        except Refusal as refusal:
            raise refusal.error.to_exception() from None
        if not isinstance(found, r.Error):
            # After a failed get a set would fail too, as late.
            stored = await client.set(cache, key_bytes, value, ttl=ttl)
            if isinstance(stored, r.Error):
                _say_once(client, cache, stored)
        return value

    return await client.flights.run((cache, key_bytes), make)


def _say_once(client: CacheClient, cache: str, error: r.Error) -> None:
    """Log what no retry will mend, which would otherwise be a miss for ever: once for each cache and code."""
    said = client.said
    if error.code in _LASTING and (cache, error.code) not in said and len(said) < 1_000:
        said.add((cache, error.code))
        what = "Cache %r: %s: %s. Values are made without it from now on; this is said once."
        _log.error(what, cache, error.code.value, error.message)
