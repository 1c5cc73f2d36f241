"""Implements `get_or_set`, which returns the cached value or loads it with a factory."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any

from larder_cache import responses as r
from larder_cache._internal.calls.soft_timeout import SoftTimeout
from larder_cache._internal.common import log
from larder_cache._internal.leases.expiry_policy import ExpiryPolicy
from larder_cache._internal.leases.leased_load import LeasedLoad
from larder_cache._internal.leases.made_value import PLAIN, Form, Made, made
from larder_cache._internal.operations.arguments import Key, Refusal, to_key, to_ttl_ms
from larder_cache._internal.operations.lease_answers import Stale
from larder_cache.errors import ErrorCode
from larder_cache.factory_context import FactoryContext
from larder_cache.get_or_set_options import GetOrSetOptions
from larder_cache.ttl import Ttl

if TYPE_CHECKING:
    from larder_cache.cache_results import CacheResults


def check_load(
    cache: CacheResults, key: Key, ttl: Ttl | None, options: GetOrSetOptions | None
) -> tuple[bytes, ExpiryPolicy]:
    """Check the arguments of `get_or_set`. Returns the key's bytes and the times to live."""
    if options is not None and not isinstance(options, GetOrSetOptions):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise TypeError(f"options must be a GetOrSetOptions, not {type(options).__name__}")
    try:
        key_bytes = to_key(key)
        ttl_ms = cache.parts.default_ttl_ms if ttl is None else to_ttl_ms(ttl)
    except Refusal as refusal:
        raise refusal.error.to_exception() from None
    times = ExpiryPolicy(ttl_ms=ttl_ms) if options is None else options.times(ttl_ms)
    if not times.fits:
        raise ValueError("get_or_set: refresh_ahead_for must be at most half the time to live")
    return key_bytes, times


async def get_or_make(
    cache: CacheResults,
    key: Key,
    factory: Callable[[FactoryContext[Any]], Awaitable[Any]],
    ttl: Ttl | None,
    options: GetOrSetOptions | None = None,
    form: Form = PLAIN,
) -> bytes:
    """Implement CacheResults.get_or_set_with_context.

    A stored value that `form` cannot decode is treated as a miss.
    """
    flights, parts = cache.calls.flights, cache.parts
    key_bytes, times = check_load(cache, key, ttl, options)
    copy = cache.try_get_near(key_bytes)
    if copy is not None and form.is_usable(copy):
        return copy

    timeout_s = None if options is None else options.hard_timeout_s
    soft_timeout = _soft_timeout(cache.name, times, options, form)
    ttl_of, tags = (None, ()) if options is None else (options.ttl_of, options.tags)

    async def make_value(stale: Stale | None = None) -> Made:
        if stale is None:
            context: FactoryContext[Any] = FactoryContext(None, form.decode)
        else:
            context = FactoryContext(stale.value, form.decode, stale.validator)
        if timeout_s is None:
            value = await factory(context)
        else:
            value = await flights.within(lambda: factory(context), timeout_s)
        return made(value, form, context, stale, ttl_of, tags)

    async def make(alone: bool = False) -> bytes:
        # Start with a get even if leases are used, because a get is pipelined and its response may be kept in the near
        # cache.
        found = await cache.get(key_bytes)
        if isinstance(found, r.Hit) and form.is_usable(found.value):
            return found.value
        if isinstance(found, r.Error):
            if found.code is ErrorCode.INVALID_ARGUMENT:
                raise found.to_exception()
            parts.lasting_errors.tell(cache.name, found)
            # Do not store the value. After a failed get, a set would probably fail in the same way and delay the caller
            # again.
            return (await make_value()).value
        if options is not None and alone:
            # Load without a lease. The background refresh that waits for this load has the lease and stores the value
            # itself.
            return (await make_value()).value
        if options is not None:
            return await LeasedLoad(cache, key_bytes, make_value, times, options, form, soft_timeout).run()
        value = (await make_value()).value
        stored = await cache.set(key_bytes, value, ttl=ttl)
        if isinstance(stored, r.Error):
            parts.lasting_errors.tell(cache.name, stored)
        return value

    return await flights.run((cache.name, key_bytes), make, lambda: make(alone=True), soft_timeout)


def without_context(factory: Callable[[], Awaitable[Any]]) -> Callable[[FactoryContext[Any]], Awaitable[Any]]:
    """Return a factory that ignores its context."""
    return lambda _: factory()


def _soft_timeout(cache: str, times: ExpiryPolicy, options: GetOrSetOptions | None, form: Form) -> SoftTimeout | None:
    """Return the soft timeout of a call, or None if the call always waits for a new value."""
    soft_timeout_s = None if options is None else options.soft_timeout_s
    if soft_timeout_s is None or not times.fail_safe_ms:
        return None

    def allows(value: bytes, expired_ms: int) -> bool:
        return times.falls_back(expired_ms) and form.is_usable(value)

    return SoftTimeout(soft_timeout_s, allows, lambda: log.stale_answered(cache, None))
