"""A result backend of Celery: `result_backend = "larder_cache.celery:LarderBackend+larder://127.0.0.1:8080/cache"`.

Where the package is installed, `result_backend = "larder://127.0.0.1:8080/cache"` says the same.
"""

from __future__ import annotations

import re
from collections.abc import Coroutine, Sequence
from typing import Any, TypeVar
from urllib.parse import unquote

from celery.backends.base import KeyValueStoreBackend
from celery.exceptions import ImproperlyConfigured
from kombu.exceptions import EncodeError

from larder_cache import sync
from larder_cache._internal.blocking.background_loop import drive_anywhere
from larder_cache._internal.integrations.longest_ttl import LongestTtl
from larder_cache._internal.integrations.replacement import replace
from larder_cache._internal.integrations.shared_clients import SharedClients
from larder_cache._internal.operations.arguments import Refusal, to_name
from larder_cache.configuration import Configuration
from larder_cache.configurations import Configurations
from larder_cache.credential_provider import CredentialProvider
from larder_cache.errors import CacheError, ErrorCode
from larder_cache.ttl import ttl_to_ms

__all__ = ["LarderBackend"]

T = TypeVar("T")

_OPTIONS = {"client", "configuration"}
_UNLESS_GIVEN = "larder://127.0.0.1:8080"
# Another attempt may mend it: what `result_backend_always_retry` makes again.
_PASSING = (ErrorCode.UNAVAILABLE, ErrorCode.TIMEOUT, ErrorCode.CLIENT_OVERLOADED)
# The name of a cache behind the last server's address.
_PATH = re.compile(r"(?<=[^:/])/([^/,?#]+)/?$")
_TOKENS = re.compile(r"(?<=://)[^@,]*@")

_clients = SharedClients()


class LarderBackend(KeyValueStoreBackend):
    """Results, groups' and chords' too, are items that expire by themselves; chords count on the server.

    The URL: `larder[s]://[token@]host[:port][/cache]`, several gateways with commas between, the cache's name ("cache"
    where left out) behind the last; a character that an address has no room for is percent-encoded.

    `result_backend_transport_options`: `configuration` (a larder_cache.Configuration, InRegion.Default), or in place of
    URL and configuration `client` (a larder_cache.sync.CacheClient, closed by whoever made it; the URL then says the
    cache alone).

    `result_expires` is how long a result is kept; None or 0 is the longest that the server takes (its `--max-ttl`, 24
    hours unless set; a longer one that was asked for is an error). ImproperlyConfigured for settings that cannot be
    right. What fails raises larder_cache.CacheError, which `result_backend_always_retry` makes Celery try again where
    that may help. A result over the limit, 4,883 KiB with its key, fails its task with kombu's EncodeError.
    """

    supports_autoexpire = True
    supports_native_join = True
    implements_incr = True

    def __init__(self, app: Any, expires: Any = None, url: str | None = None, **settings: Any) -> None:
        super().__init__(app, expires=expires, url=url, **settings)
        self._keep_s = _seconds(self.expires)
        options: dict[str, Any] = app.conf.get("result_backend_transport_options") or {}
        if unknown := sorted(set(options) - _OPTIONS):
            names = ", ".join(sorted(_OPTIONS))
            raise ImproperlyConfigured(f"result_backend_transport_options have no {unknown[0]!r}; they have {names}")
        servers, name = _split(url or _UNLESS_GIVEN)
        client = _client_of(servers, options)
        # Celery asks it to delete a chord's counter.
        self.client = client.cache(name)
        self._items = self.client.asynchronous
        self._longest = LongestTtl(client.asynchronous, name)

    def as_uri(self, include_password: bool = False) -> str:
        """The URL, which Celery prints: without tokens, unless they are asked for."""
        url = self.url or _UNLESS_GIVEN
        return url if include_password else _TOKENS.sub("**@", url)

    def exception_safe_to_retry(self, exc: BaseException) -> bool:
        """Whether another attempt may help. Celery makes those of reads and writes alone, which may be repeated."""
        return isinstance(exc, CacheError) and exc.code in _PASSING

    def get(self, key: bytes) -> bytes | None:
        return _now(self._items.get(key))

    def mget(self, keys: Sequence[bytes]) -> list[bytes | None]:
        """The values in the keys' order; in one call."""
        if not keys:
            return []
        found = _now(self._items.get_batch(keys))
        return [found.get(key) for key in keys]

    def set(self, key: bytes, value: str | bytes) -> None:
        try:
            _now(self._set(key, value.encode() if isinstance(value, str) else value))
        except CacheError as error:
            if error.code is not ErrorCode.LIMIT_EXCEEDED:
                raise
            # What Celery makes a failure of the task: nothing of it would be stored otherwise.
            raise EncodeError(f"the result cannot be stored: {error.message}") from error

    def delete(self, key: bytes) -> None:
        _now(self._items.delete(key))

    def incr(self, key: bytes) -> int:
        return _now(self._incr(key))

    def expire(self, key: bytes, value: Any) -> None:
        """Keep an item for so many seconds from now; None or 0: as long as the server takes."""
        _now(self._expire(key, _seconds(value)))

    def __reduce__(self, args: Any = (), kwargs: Any = None) -> Any:
        return super().__reduce__(args, {**(kwargs or {}), "url": self.url, "expires": self.expires})

    async def _ttl(self, seconds: float | None) -> float:
        return await self._longest.seconds() if seconds is None else seconds

    async def _set(self, key: bytes, value: bytes) -> None:
        await replace(self._items, {key: value}, ttl=await self._ttl(self._keep_s))

    async def _incr(self, key: bytes) -> int:
        return await self._items.increment(key, ttl=await self._ttl(self._keep_s))

    async def _expire(self, key: bytes, seconds: float | None) -> None:
        await self._items.update_ttl(key, await self._ttl(seconds))


def _now(work: Coroutine[Any, Any, T]) -> T:
    return drive_anywhere(work)


def _seconds(expires: Any) -> float | None:
    """How long a result is kept; None: as long as the server takes."""
    if expires is None or (not isinstance(expires, bool) and expires == 0):
        return None
    try:
        ttl_to_ms(expires)
    except (TypeError, ValueError) as error:
        raise ImproperlyConfigured(f"result_expires: {error}") from None
    return float(expires)


def _split(url: str) -> tuple[str, str]:
    """The servers' addresses, and the cache's name."""
    found = _PATH.search(url)
    if found is None:
        return url.rstrip("/"), "cache"
    try:
        return url[: found.start()], to_name(unquote(found[1], errors="strict"))
    except (Refusal, UnicodeDecodeError) as refused:
        raise ImproperlyConfigured(f"result_backend: {refused}") from None


def _client_of(servers: str, options: dict[str, Any]) -> sync.CacheClient:
    given, configuration = options.get("client"), options.get("configuration")
    if given is not None:
        if not isinstance(given, sync.CacheClient):
            kind = type(given).__name__
            raise ImproperlyConfigured(f"the client is a larder_cache.sync.CacheClient, not {kind}")
        if configuration is not None:
            raise ImproperlyConfigured("a client that is given has its own configuration")
        return given
    settings = Configurations.InRegion.Default.latest() if configuration is None else configuration
    if not isinstance(settings, Configuration):
        raise ImproperlyConfigured("the configuration is no larder_cache.Configuration")
    try:
        return _clients.of(CredentialProvider.from_string(servers), settings)
    except ValueError as error:
        raise ImproperlyConfigured(f"result_backend: {error}") from None
