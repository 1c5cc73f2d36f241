"""A backend of dogpile.cache: `make_region().configure("larder", arguments={"url": "http://127.0.0.1:8080"})`.

If the package larder_cache is installed, the backend name "larder" is registered automatically. If larder_cache is only
on the path (for example, from a checkout), import `larder_cache.dogpile` first. The import registers the name.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any

from dogpile.cache.api import NO_VALUE, BytesBackend, CacheMutex
from dogpile.cache.region import register_backend

from larder_cache import sync
from larder_cache._internal.integrations.failure_tolerance import FailureTolerance
from larder_cache._internal.integrations.lease_mutex import LeaseMutex
from larder_cache._internal.integrations.longest_ttl import LongestTtl
from larder_cache._internal.integrations.replacement import replace
from larder_cache._internal.integrations.text_keys import key_of, lock_key_of
from larder_cache.configuration import Configuration
from larder_cache.configurations import Configurations
from larder_cache.credential_provider import CredentialProvider
from larder_cache.ttl import ttl_to_ms

__all__ = ["NAME", "LarderBackend"]

# The name of the backend in `region.configure`.
NAME = "larder"

_ARGUMENTS = {
    *("url", "client", "cache", "configuration", "ttl_s", "distributed_lock", "lock_timeout_s", "misses_when_down"),
}


class LarderBackend(BytesBackend):
    """A dogpile.cache backend. It stores the output of the region's serializer. Keys may be any text.

    The backend itself neither pickles nor unpickles.

    The default serializer of dogpile.cache is pickle. With pickle, anyone who can write to the cache can run code in
    every process that reads it. Use another serializer unless only the application can write to the cache.

    Arguments:

    - `url`: `http[s]://[token@]host[:port]`. The default is "http://127.0.0.1:8080".
    - `client`: a shared larder_cache.sync.CacheClient instead of a URL. The application closes it.
    - `cache`: the name of the cache on the server. The default is "cache".
    - `configuration`: a larder_cache.Configuration. The default is InRegion.Default.
    - `ttl_s`: the number of seconds for which the server keeps a value. It should exceed the region's
      `expiration_time`, because dogpile.cache returns an expired value while the next one is created. The default,
      None, selects the longest time that the server accepts (its `--max-ttl`, by default 24 hours). A longer time is an
      error.
    - `distributed_lock`: if true, a lease on the server ensures that only one process at a time creates a value. The
      default is False.
    - `lock_timeout_s`: the seconds after which a lease expires. The default is 60. It must exceed the time that any
      creator function takes, because after this time another process may start to create the same value.
    - `misses_when_down`: if true and the server is unreachable, reads are misses, writes and deletes do nothing, locks
      work only between the threads of this process, and a warning is logged once. The default is False.

    Invalid arguments raise ValueError or TypeError. A failure raises larder_cache.CacheError. If a value is too large,
    the error code is LIMIT_EXCEEDED, and the older values of all keys of the call are removed.
    """

    def __init__(self, arguments: Mapping[str, Any]) -> None:
        if unknown := sorted(set(arguments) - _ARGUMENTS):
            raise ValueError(f"unknown argument {unknown[0]!r}; known arguments: {', '.join(sorted(_ARGUMENTS))}")
        self._own = arguments.get("client") is None
        self._client = _client_of(arguments)
        name = arguments.get("cache", "cache")
        if not isinstance(name, str) or not name.strip():
            raise ValueError("cache must be the name of a cache on the server")
        self._cache = self._client.asynchronous.cache(name)
        self._ttl_s = _seconds("ttl_s", arguments.get("ttl_s"))
        self._longest = LongestTtl(self._client.asynchronous, name)
        self._has_lock = bool(arguments.get("distributed_lock", False))
        # dogpile.cache defines no default. A minute is twice the usual request timeout of the workers of web servers.
        self._lease_s = _seconds("lock_timeout_s", arguments.get("lock_timeout_s")) or 60.0
        self._reach = FailureTolerance(misses_when_down=bool(arguments.get("misses_when_down", False)))

    def close(self) -> None:
        """Close the client if this backend created it. dogpile.cache itself never calls this."""
        if self._own:
            self._client.close()

    def get_mutex(self, key: str) -> CacheMutex | None:
        """Return a lock that uses a lease on the server, or None if `distributed_lock` is false.

        If the result is None, dogpile.cache uses a lock between the threads of this process.
        """
        if not self._has_lock:
            return None
        return LeaseMutex(self._cache, lock_key_of(key), lease_s=self._lease_s, reach=self._reach)

    def get_serialized(self, key: str) -> Any:
        found = self._reach.answer(self._cache.get(key_of(key)), None)
        return NO_VALUE if found is None else found

    def get_serialized_multi(self, keys: Sequence[str]) -> list[Any]:
        if not keys:
            return []
        wanted = [key_of(key) for key in keys]
        found = self._reach.answer(self._cache.get_batch(wanted), {})
        return [found.get(key, NO_VALUE) for key in wanted]

    def set_serialized(self, key: str, value: bytes) -> None:
        self._reach.answer(self._set({key_of(key): value}), None)

    def set_serialized_multi(self, mapping: Mapping[str, bytes]) -> None:
        if mapping:
            self._reach.answer(self._set({key_of(key): value for key, value in mapping.items()}), None)

    def delete(self, key: str) -> None:
        self._reach.answer(self._cache.delete(key_of(key)), None)

    def delete_multi(self, keys: Sequence[str]) -> None:
        if keys:
            self._reach.answer(self._cache.delete_each([key_of(key) for key in keys]), None)

    async def _set(self, items: Mapping[bytes, bytes]) -> None:
        await replace(self._cache, items, ttl=await self._longest.seconds() if self._ttl_s is None else self._ttl_s)


def _client_of(arguments: Mapping[str, Any]) -> sync.CacheClient:
    given = arguments.get("client")
    if given is not None:
        if not isinstance(given, sync.CacheClient):
            raise TypeError(f"client must be a larder_cache.sync.CacheClient, not {type(given).__name__}")
        if also := {"url", "configuration"} & set(arguments):
            raise ValueError(f"client and {sorted(also)[0]} are mutually exclusive; pass one of them")
        return given
    configuration = arguments.get("configuration") or Configurations.InRegion.Default.latest()
    if not isinstance(configuration, Configuration):
        raise TypeError("configuration must be a larder_cache.Configuration")
    url = arguments.get("url", "http://127.0.0.1:8080")
    if not isinstance(url, str):
        raise TypeError(f"url must be str, not {type(url).__name__}")
    # The default time to live is not used, because each set passes its own.
    return sync.CacheClient(
        CredentialProvider.from_string(url), default_ttl=timedelta(hours=1), configuration=configuration
    )


def _seconds(name: str, given: Any) -> float | None:
    if given is None:
        return None
    try:
        ttl_to_ms(given)
    except (TypeError, ValueError) as error:
        raise type(error)(f"{name}: {error}") from None
    return given.total_seconds() if isinstance(given, timedelta) else float(given)


register_backend(NAME, "larder_cache.dogpile", "LarderBackend")
