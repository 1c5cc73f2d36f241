"""A result backend of Celery: `result_backend = "larder_cache.celery:LarderBackend+larder://127.0.0.1:8080/cache"`.

If the package is installed, `result_backend = "larder://127.0.0.1:8080/cache"` is equivalent.
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
from larder_cache._internal.blocking.background_loop import run_on_any_thread
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
# Transient errors, which `result_backend_always_retry` retries.
_PASSING = (ErrorCode.UNAVAILABLE, ErrorCode.TIMEOUT, ErrorCode.CLIENT_OVERLOADED)
# The name of the cache, which follows the address of the last server.
_PATH = re.compile(r"(?<=[^:/])/([^/,?#]+)/?$")
_TOKENS = re.compile(r"(?<=://)[^@,]*@")

_clients = SharedClients()


class LarderBackend(KeyValueStoreBackend):
    """A Celery result backend. Results, including those of groups and chords, are stored as items that expire.

    The counter of a chord's results is stored on the server.

    The URL is `larder[s]://[token@]host[:port][/cache]`. Separate several gateways with commas. The name of the cache
    follows the last gateway. The default name is "cache". Percent-encode reserved characters.

    Options in `result_backend_transport_options`:

    - `configuration`: a larder_cache.Configuration. The default is InRegion.Default.
    - `client`: a larder_cache.sync.CacheClient, instead of a configuration and an address. The application closes it.
      The URL then contains only the name of the cache.

    `result_expires` is the time for which a result is kept. None or 0 selects the longest time that the server accepts
    (its `--max-ttl`, by default 24 hours). A longer time is an error.

    Invalid settings raise ImproperlyConfigured. A failure raises larder_cache.CacheError. With
    `result_backend_always_retry` Celery retries transient failures. If a result and its key together exceed 4,883 KiB,
    the task fails with kombu's EncodeError.
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
            raise ImproperlyConfigured(
                f"result_backend_transport_options: unknown option {unknown[0]!r}; known options: {names}"
            )
        servers, name = _split(url or _UNLESS_GIVEN)
        client = _client_of(servers, options)
        # Celery deletes the counter of a chord with `client.delete`.
        self.client = client.cache(name)
        self._items = self.client.asynchronous
        self._longest = LongestTtl(client.asynchronous, name)

    def as_uri(self, include_password: bool = False) -> str:
        """Return the URL for printing. It contains no tokens unless `include_password` is set."""
        url = self.url or _UNLESS_GIVEN
        return url if include_password else _TOKENS.sub("**@", url)

    def exception_safe_to_retry(self, exc: BaseException) -> bool:
        """Return whether a retry may help. Celery retries only idempotent reads and writes."""
        return isinstance(exc, CacheError) and exc.code in _PASSING

    def get(self, key: bytes) -> bytes | None:
        return _now(self._items.get(key))

    def mget(self, keys: Sequence[bytes]) -> list[bytes | None]:
        """Get the values of several keys in one call.

        Returns the values in the order of the keys, with None for each missing key.
        """
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
            # Celery turns an EncodeError into a failure of the task. For other errors it would store nothing.
            raise EncodeError(f"the result cannot be stored: {error.message}") from error

    def delete(self, key: bytes) -> None:
        _now(self._items.delete(key))

    def incr(self, key: bytes) -> int:
        return _now(self._incr(key))

    def expire(self, key: bytes, value: Any) -> None:
        """Set the time to live of an item in seconds. None or 0 selects the longest time that the server accepts."""
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
    return run_on_any_thread(work)


def _seconds(expires: Any) -> float | None:
    """Return how many seconds to keep a result, or None to keep it as long as the server accepts."""
    if expires is None or (not isinstance(expires, bool) and expires == 0):
        return None
    try:
        ttl_to_ms(expires)
    except (TypeError, ValueError) as error:
        raise ImproperlyConfigured(f"result_expires: {error}") from None
    return float(expires)


def _split(url: str) -> tuple[str, str]:
    """Split a URL into the addresses of the servers and the name of the cache."""
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
            raise ImproperlyConfigured(f"client must be a larder_cache.sync.CacheClient, not {kind}")
        if configuration is not None:
            raise ImproperlyConfigured("client and configuration are mutually exclusive; pass one of them")
        return given
    settings = Configurations.InRegion.Default.latest() if configuration is None else configuration
    if not isinstance(settings, Configuration):
        raise ImproperlyConfigured("configuration must be a larder_cache.Configuration")
    try:
        return _clients.of(CredentialProvider.from_string(servers), settings)
    except ValueError as error:
        raise ImproperlyConfigured(f"result_backend: {error}") from None
