"""A Django cache backend: `"BACKEND": "larder_cache.django.LarderCache"`.

The backend implements every method of Django's cache API, including the async methods of Django 4 and later. Values are
pickled and signed with SECRET_KEY, or stored as JSON. Encoding and decoding run in the caller's thread.
"""

from __future__ import annotations

from collections.abc import Coroutine, Iterable, Mapping
from itertools import islice
from typing import Any, TypeVar

from django.core.cache.backends.base import DEFAULT_TIMEOUT, BaseCache
from django.core.exceptions import ImproperlyConfigured

from larder_cache._internal.blocking.background_loop import run_on_any_thread
from larder_cache._internal.common import log
from larder_cache._internal.integrations.django_clients import ClientCache, clients
from larder_cache._internal.integrations.django_values import (
    ForeignValue,
    JsonValues,
    OwnSerializer,
    SignedPickle,
    Values,
)
from larder_cache._internal.integrations.unreadable_values import unreadable
from larder_cache._internal.operations.arguments import MOST_ITEMS
from larder_cache.configuration import Configuration
from larder_cache.configurations import Configurations
from larder_cache.credential_provider import CredentialProvider
from larder_cache.errors import CacheError, ErrorCode

__all__ = ["ForeignValue", "LarderCache", "NotAnInteger", "unreadable"]

T = TypeVar("T")

_MISSING = object()
# The time to live of a counter that `incr` creates unintentionally, because the existing counter expired just before
# the increment.
_AT_ONCE_S = 0.001

# Django's BaseCache reads the last two options. This backend does not use them, because the server decides which items
# to evict.
_OPTIONS = {"cache", "configuration", "serializer", "misses_when_down", "MAX_ENTRIES", "CULL_FREQUENCY"}
# The errors that `misses_when_down` turns into misses.
_DOWN = (ErrorCode.UNAVAILABLE, ErrorCode.TIMEOUT, ErrorCode.CLIENT_OVERLOADED)


class NotAnInteger(TypeError, ValueError):
    """The value to increment is not a 64-bit integer.

    Django's own backends raise either TypeError or ValueError, so this class is a subclass of both.
    """


class LarderCache(BaseCache):
    """A Django cache backend.

    LOCATION is `http[s]://[token@]host[:port]`, or `host[:port]` for plaintext.

    OPTIONS contains:

    - `cache`: the name of the cache on the server. The default is "cache".
    - `configuration`: a larder_cache.Configuration. The default is InRegion.Default.
    - `serializer`: "pickle" (the default, signed with SECRET_KEY), "json", or a class with dumps and loads.
    - `misses_when_down`: if true and the server is unreachable, reads are misses, writes do nothing, and a warning is
      logged. The default is False.

    A TIMEOUT of None selects the longest time to live that the server accepts (its `--max-ttl`, by default 24 hours). A
    longer TIMEOUT is an error.

    A failure raises larder_cache.CacheError. Invalid settings raise ImproperlyConfigured when they are read, for
    example by `manage.py check`. A value that cannot be decoded is a miss, for example after a change of SECRET_KEY or
    of the serializer. Such values are counted (`unreadable.count`) and logged.
    """

    def __init__(self, location: Any, params: dict[str, Any]) -> None:
        super().__init__(params)
        options: dict[str, Any] = params.get("OPTIONS", {})
        self._credentials = _credentials_of(location)
        if unknown := sorted(set(options) - _OPTIONS):
            raise ImproperlyConfigured(
                f"CACHES: unknown option {unknown[0]!r} in OPTIONS; known options: {', '.join(sorted(_OPTIONS))}"
            )
        self._name: Any = options.get("cache", "cache")
        if not isinstance(self._name, str) or not self._name.strip():
            raise ImproperlyConfigured("CACHES: OPTIONS['cache'] must be the name of a cache on the server")
        self._configuration: Any = options.get("configuration") or Configurations.InRegion.Default.latest()
        if not isinstance(self._configuration, Configuration):
            raise ImproperlyConfigured("CACHES: OPTIONS['configuration'] must be a larder_cache.Configuration")
        self._values = _values_of(options.get("serializer", "pickle"))
        self._lenient = bool(options.get("misses_when_down", False))
        self._said_down = False

    # Each operation is implemented once for both clients. The public methods below either run it in this thread or
    # await it.

    def _now(self, work: Coroutine[Any, Any, T], down: T) -> T:
        """Run an operation in this thread. `down` is the result if the server is unreachable (`misses_when_down`)."""
        try:
            return self._reached(run_on_any_thread(work))
        except CacheError as error:
            return self._on_unreachable_server(error, down)

    async def _later(self, work: Coroutine[Any, Any, T], down: T) -> T:
        try:
            return self._reached(await work)
        except CacheError as error:
            return self._on_unreachable_server(error, down)

    def _reached(self, answer: T) -> T:
        if self._said_down:
            self._said_down = False
            log.server_up()
        return answer

    def _on_unreachable_server(self, error: CacheError, down: T) -> T:
        if not self._lenient or error.code not in _DOWN:
            raise error
        if not self._said_down:
            self._said_down = True
            log.server_down(error.code, error.message)
        return down

    @property
    def _blocking(self) -> ClientCache:
        return ClientCache(clients.of(self._credentials, self._configuration)[0], self._name)

    @property
    def _cross_loop(self) -> ClientCache:
        return ClientCache(clients.of(self._credentials, self._configuration)[1], self._name)

    def _key(self, key: Any, version: int | None) -> str:
        made: str = self.make_key(key, version=version)
        self.validate_key(made)
        return made

    async def _ttl(self, cache: ClientCache, timeout: Any) -> float | None:
        """Return the time to live in seconds, or None if the item must be removed immediately."""
        seconds = self.default_timeout if timeout is DEFAULT_TIMEOUT else timeout
        if seconds is None:
            return await self._longest(cache)
        return float(seconds) if seconds > 0 else None

    async def _longest(self, cache: ClientCache) -> int:
        """Return the longest time to live that the server accepts, which stands for "never expires".

        The time is requested from the server once and then cached.
        """
        where = (self._credentials, cache.name)
        longest = clients.longest_s.get(where)
        if longest is None:
            caches = await cache.client.list_caches()
            # If the cache does not exist, the call that uses this time to live reports the error.
            longest = caches.max_ttl_s.get(cache.name) or 86_400
            if cache.name in caches.max_ttl_s:
                clients.longest_s[where] = longest
        return longest

    async def _get(self, cache: ClientCache, key: Any, default: Any, version: int | None) -> Any:
        made = self._key(key, version)
        found = await cache.get(made)
        value = _MISSING if found is None else self._read(made, found)
        return default if value is _MISSING else value

    def _read(self, made: str, data: bytes) -> Any:
        """Decode a stored value.

        Returns _MISSING if decoding fails, for example because SECRET_KEY or the serializer has changed, or because a
        pickled class was moved.
        """
        try:
            return self._values.loads(made, data)
        except Exception as error:
            unreadable.add(error)
            return _MISSING

    async def _set(self, cache: ClientCache, key: Any, value: Any, timeout: Any, version: int | None) -> None:
        made = self._key(key, version)
        data = self._values.dumps(made, value)
        ttl = await self._ttl(cache, timeout)
        if ttl is None:
            return await cache.delete(made)
        try:
            await cache.set(made, data, ttl=ttl)
        except CacheError as error:
            if error.code is ErrorCode.LIMIT_EXCEEDED:
                # The previous value must not stay in place after the failed set. Sessions of cached_db rely on this.
                await cache.results.delete(made)
            raise

    async def _add(self, cache: ClientCache, key: Any, value: Any, timeout: Any, version: int | None) -> bool:
        made = self._key(key, version)
        data = self._values.dumps(made, value)
        ttl = await self._ttl(cache, timeout)
        if ttl is None:
            return not await cache.key_exists(made)
        if await cache.set_if_absent(made, data, ttl=ttl):
            return True
        # A value that cannot be decoded is also a miss here. Otherwise get_or_set could not store a value before the
        # old one expires.
        found = await cache.get(made)
        if found is None or self._read(made, found) is not _MISSING:
            return False
        return await cache.set_if_equal(made, data, found, ttl=ttl)

    async def _touch(self, cache: ClientCache, key: Any, timeout: Any, version: int | None) -> bool:
        made, ttl = self._key(key, version), await self._ttl(cache, timeout)
        return await self._delete(cache, key, version) if ttl is None else await cache.update_ttl(made, ttl)

    async def _delete(self, cache: ClientCache, key: Any, version: int | None) -> bool:
        made = self._key(key, version)
        existed = await cache.key_exists(made)
        await cache.delete(made)
        return existed

    async def _has_key(self, cache: ClientCache, key: Any, version: int | None) -> bool:
        return await cache.key_exists(self._key(key, version))

    async def _incr(self, cache: ClientCache, key: Any, delta: int, version: int | None) -> int:
        made = self._key(key, version)
        if not await cache.key_exists(made):
            raise ValueError(f"Key '{key}' not found")
        try:
            # If the counter expired after the check above, the server creates a new counter, which expires almost
            # immediately.
            value = await cache.increment(made, delta, ttl=_AT_ONCE_S, keep_ttl=True)
            if value == delta and await self._is_ending(cache, made):
                raise ValueError(f"Key '{key}' not found")
            return value
        except CacheError as error:
            if error.code is ErrorCode.FAILED_PRECONDITION:
                raise NotAnInteger(f"the value of key '{key}' is not an integer") from None
            raise

    async def _is_ending(self, cache: ClientCache, made: str) -> bool:
        """Return whether an item is missing or about to expire.

        If `incr` creates a counter unintentionally, it gives the counter a TTL of 1 ms, so this method returns True.
        """
        left_s = await cache.item_get_ttl(made)
        return left_s is None or left_s <= _AT_ONCE_S

    async def _get_many(self, cache: ClientCache, keys: Iterable[Any], version: int | None) -> dict[Any, Any]:
        # Read at most one key more than the limit, so that the client rejects a batch that is too large.
        made = {key: self._key(key, version) for key in islice(keys, MOST_ITEMS + 1)}
        found = await cache.get_batch(made.values())
        read = {key: self._read(at, found[at]) for key, at in made.items() if at in found}
        return {key: value for key, value in read.items() if value is not _MISSING}

    async def _set_many(
        self, cache: ClientCache, data: Mapping[Any, Any], timeout: Any, version: int | None
    ) -> list[Any]:
        made = {self._key(key, version): value for key, value in data.items()}
        items = {key: self._values.dumps(key, value) for key, value in made.items()}
        ttl = await self._ttl(cache, timeout)
        if ttl is None:
            await cache.delete_each(items)
        else:
            await cache.set_batch(items, ttl=ttl)
        return []

    async def _delete_many(self, cache: ClientCache, keys: Iterable[Any], version: int | None) -> None:
        await cache.delete_each(self._key(key, version) for key in islice(keys, MOST_ITEMS + 1))

    async def _clear(self, cache: ClientCache) -> None:
        await cache.client.flush_cache(cache.name)

    # The methods of Django's cache API.

    def get(self, key: Any, default: Any = None, version: int | None = None) -> Any:
        return self._now(self._get(self._blocking, key, default, version), default)

    async def aget(self, key: Any, default: Any = None, version: int | None = None) -> Any:
        return await self._later(self._get(self._cross_loop, key, default, version), default)

    def set(self, key: Any, value: Any, timeout: Any = DEFAULT_TIMEOUT, version: int | None = None) -> None:
        self._now(self._set(self._blocking, key, value, timeout, version), None)

    async def aset(self, key: Any, value: Any, timeout: Any = DEFAULT_TIMEOUT, version: int | None = None) -> None:
        await self._later(self._set(self._cross_loop, key, value, timeout, version), None)

    def add(self, key: Any, value: Any, timeout: Any = DEFAULT_TIMEOUT, version: int | None = None) -> bool:
        return self._now(self._add(self._blocking, key, value, timeout, version), False)

    async def aadd(self, key: Any, value: Any, timeout: Any = DEFAULT_TIMEOUT, version: int | None = None) -> bool:
        return await self._later(self._add(self._cross_loop, key, value, timeout, version), False)

    def touch(self, key: Any, timeout: Any = DEFAULT_TIMEOUT, version: int | None = None) -> bool:
        return self._now(self._touch(self._blocking, key, timeout, version), False)

    async def atouch(self, key: Any, timeout: Any = DEFAULT_TIMEOUT, version: int | None = None) -> bool:
        return await self._later(self._touch(self._cross_loop, key, timeout, version), False)

    def delete(self, key: Any, version: int | None = None) -> bool:
        return self._now(self._delete(self._blocking, key, version), False)

    async def adelete(self, key: Any, version: int | None = None) -> bool:
        return await self._later(self._delete(self._cross_loop, key, version), False)

    def has_key(self, key: Any, version: int | None = None) -> bool:
        return self._now(self._has_key(self._blocking, key, version), False)

    async def ahas_key(self, key: Any, version: int | None = None) -> bool:
        return await self._later(self._has_key(self._cross_loop, key, version), False)

    def incr(self, key: Any, delta: int = 1, version: int | None = None) -> int:
        return _there(key, self._now(self._incr(self._blocking, key, delta, version), None))

    async def aincr(self, key: Any, delta: int = 1, version: int | None = None) -> int:
        return _there(key, await self._later(self._incr(self._cross_loop, key, delta, version), None))

    def decr(self, key: Any, delta: int = 1, version: int | None = None) -> int:
        return self.incr(key, -delta, version)

    async def adecr(self, key: Any, delta: int = 1, version: int | None = None) -> int:
        return await self.aincr(key, -delta, version)

    def get_many(self, keys: Iterable[Any], version: int | None = None) -> dict[Any, Any]:
        return self._now(self._get_many(self._blocking, keys, version), {})

    async def aget_many(self, keys: Iterable[Any], version: int | None = None) -> dict[Any, Any]:
        return await self._later(self._get_many(self._cross_loop, keys, version), {})

    def set_many(
        self, data: Mapping[Any, Any], timeout: Any = DEFAULT_TIMEOUT, version: int | None = None
    ) -> list[Any]:
        return self._now(self._set_many(self._blocking, data, timeout, version), list(data))

    async def aset_many(
        self, data: Mapping[Any, Any], timeout: Any = DEFAULT_TIMEOUT, version: int | None = None
    ) -> list[Any]:
        return await self._later(self._set_many(self._cross_loop, data, timeout, version), list(data))

    def delete_many(self, keys: Iterable[Any], version: int | None = None) -> None:
        self._now(self._delete_many(self._blocking, keys, version), None)

    async def adelete_many(self, keys: Iterable[Any], version: int | None = None) -> None:
        await self._later(self._delete_many(self._cross_loop, keys, version), None)

    def clear(self) -> None:
        self._now(self._clear(self._blocking), None)

    async def aclear(self) -> None:
        await self._later(self._clear(self._cross_loop), None)

    async def aget_or_set(
        self, key: Any, default: Any, timeout: Any = DEFAULT_TIMEOUT, version: int | None = None
    ) -> Any:
        found = await self.aget(key, _MISSING, version)
        if found is not _MISSING:
            return found
        made: Any = default() if callable(default) else default
        await self.aadd(key, made, timeout, version)
        # Another caller may have added a value first. Return the current value, as Django does.
        return await self.aget(key, made, version)

    async def aincr_version(self, key: Any, delta: int = 1, version: int | None = None) -> int:
        old = self.version if version is None else version
        value = await self.aget(key, _MISSING, old)
        if value is _MISSING:
            raise ValueError(f"Key '{key}' not found")
        await self.aset(key, value, version=old + delta)
        await self.adelete(key, version=old)
        return old + delta

    async def adecr_version(self, key: Any, delta: int = 1, version: int | None = None) -> int:
        return await self.aincr_version(key, -delta, version)

    def close(self, **kwargs: Any) -> None:
        """Do nothing. Django calls this after each request. The connection stays open for the next request."""

    async def aclose(self, **kwargs: Any) -> None:
        """Do nothing. Django calls this after each request. The connection stays open for the next request."""


def _credentials_of(location: Any) -> CredentialProvider:
    if not isinstance(location, str):
        raise ImproperlyConfigured("CACHES: LOCATION must be the address of one server, as str")
    try:
        return CredentialProvider.from_string(location if "://" in location else f"http://{location or '127.0.0.1'}")
    except ValueError as error:
        raise ImproperlyConfigured(f"CACHES: LOCATION: {error}") from None


def _values_of(serializer: Any) -> Values:
    if serializer == "pickle":
        return SignedPickle()
    if serializer == "json":
        return JsonValues()
    if isinstance(serializer, type) and hasattr(serializer, "dumps") and hasattr(serializer, "loads"):
        return OwnSerializer(serializer())
    raise ImproperlyConfigured('CACHES: OPTIONS["serializer"] must be "pickle", "json" or a class with dumps and loads')


def _there(key: Any, value: int | None) -> int:
    if value is None:
        raise ValueError(f"Key '{key}' not found")
    return value
