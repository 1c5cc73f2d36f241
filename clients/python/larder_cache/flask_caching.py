"""A backend of Flask-Caching: `CACHE_TYPE = "larder_cache.flask_caching.LarderCache"`."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from flask_caching.backends.base import BaseCache

from larder_cache import sync
from larder_cache._internal.integrations.failure_tolerance import FailureTolerance
from larder_cache._internal.integrations.flask_values import ForeignValue, OwnValues, SafeValues, Values
from larder_cache._internal.integrations.longest_ttl import LongestTtl
from larder_cache._internal.integrations.replacement import replace
from larder_cache._internal.integrations.text_keys import key_of
from larder_cache.configuration import Configuration
from larder_cache.configurations import Configurations
from larder_cache.credential_provider import CredentialProvider

__all__ = ["ForeignValue", "LarderCache"]

# The time to live of a counter that must not be kept. This is the shortest time to live.
_GONE_S = 0.001


class LarderCache(BaseCache):
    """A Flask-Caching backend.

    CACHE_LARDER_URL is `http[s]://[token@]host[:port]`. The default is "http://127.0.0.1:8080".

    CACHE_OPTIONS contains:

    - `cache`: the name of the cache on the server. The default is "cache".
    - `configuration`: a larder_cache.Configuration. The default is InRegion.Default.
    - `client`: a larder_cache.sync.CacheClient instead of a URL and configuration. The application closes it.
    - `serializer`: an object or class with dumps and loads, instead of SafeValues. The application must ensure that it
      is safe. Pickle, for example, can run code when it decodes a value.
    - `misses_when_down`: if true and the server is unreachable, reads are misses, writes do nothing and report failure,
      and a warning is logged once. The default is False.

    Times to live follow Flask-Caching: None selects CACHE_DEFAULT_TIMEOUT, 0 means "never expires", and with a
    negative time nothing is stored. "Never" is the longest time that the server accepts (its `--max-ttl`, by default 24
    hours). A longer time is an error. CACHE_KEY_PREFIX precedes each key. `clear` removes the keys with that prefix,
    or all items of the cache if the prefix is empty.

    Invalid settings raise ValueError or TypeError. A failure raises larder_cache.CacheError. Flask-Caching's decorators
    then call the function. A value that this backend did not write raises ForeignValue, which is a ValueError.
    """

    def __init__(
        self,
        *,
        default_timeout: Any = 300,
        key_prefix: str = "",
        url: str | None = None,
        cache: str = "cache",
        configuration: Configuration | None = None,
        client: sync.CacheClient | None = None,
        serializer: Any = None,
        misses_when_down: bool = False,
    ) -> None:
        super().__init__(0 if default_timeout is None else default_timeout)
        if not isinstance(cache, str) or not cache.strip():  # pyright: ignore[reportUnnecessaryIsInstance]
            raise ValueError("CACHE_OPTIONS['cache'] must be the name of a cache on the server")
        self._prefix = key_prefix
        self._own = client is None
        self._client = _client_of(url, configuration) if client is None else _given(client, url, configuration)
        self._cache = self._client.asynchronous.cache(cache)
        self._longest = LongestTtl(self._client.asynchronous, cache)
        self._values = _values_of(serializer)
        self._reach = FailureTolerance(misses_when_down=misses_when_down)

    @classmethod
    def factory(cls, app: Any, config: Any, args: list[Any], kwargs: dict[str, Any]) -> LarderCache:
        """Create a backend for Flask-Caching. `kwargs` contains CACHE_OPTIONS and the default timeout."""
        settings = {"url": config.get("CACHE_LARDER_URL"), "key_prefix": config.get("CACHE_KEY_PREFIX") or ""}
        return cls(*args, **(settings | kwargs))

    def close(self) -> None:
        """Close the client if this backend created it. Flask-Caching itself never calls this."""
        if self._own:
            self._client.close()

    def get(self, key: str) -> Any:
        found = self._reach.answer(self._cache.get(self._key(key)), None)
        return None if found is None else self._values.loads(key, found)

    def get_many(self, *keys: str) -> list[Any]:
        """Return the values in the order of the keys, with None for each missing key. Makes a single call."""
        if not keys:
            return []
        wanted = [self._key(key) for key in keys]
        found = self._reach.answer(self._cache.get_batch(wanted), {})
        # Decode the value of a repeated key once for each occurrence, because the caller may modify the results
        # separately.
        return [self._values.loads(key, found[at]) if at in found else None for key, at in zip(keys, wanted)]

    def has(self, key: str) -> bool:
        return self._reach.answer(self._cache.key_exists(self._key(key)), False)

    def set(self, key: str, value: Any, timeout: Any = None) -> bool:
        return self._reach.answer(self._set({self._key(key): self._values.dumps(value)}, timeout), False)

    def set_many(self, mapping: dict[str, Any], timeout: Any = None) -> list[Any]:
        """Store many values in one call and return their keys.

        Returns an empty list if the server is unreachable and `misses_when_down` is set.
        """
        items = {self._key(key): self._values.dumps(value) for key, value in mapping.items()}
        stored = not items or self._reach.answer(self._set(items, timeout), False)
        return list(mapping) if stored else []

    def add(self, key: str, value: Any, timeout: Any = None) -> bool:
        return self._reach.answer(self._add(self._key(key), self._values.dumps(value), timeout), False)

    def delete(self, key: str) -> bool:
        """Remove an item. Returns whether it existed immediately before its removal."""
        return self._reach.answer(self._delete(self._key(key)), False)

    def delete_many(self, *keys: str) -> list[Any]:
        """Remove several items. Keys without an item are ignored. Returns the keys that existed."""
        if not keys:
            return []
        return self._reach.answer(self._delete_many({key: self._key(key) for key in keys}), [])

    def clear(self) -> bool:
        return self._reach.answer(self._clear(), False)

    def inc(self, key: str, delta: int = 1) -> int | None:
        """Add to a counter on the server and return the new value.

        Returns None if the server is unreachable and `misses_when_down` is set.

        A new counter gets CACHE_DEFAULT_TIMEOUT. An existing counter keeps its time to live. Raises CacheError if the
        value is not a 64-bit integer.

        With a custom serializer, this runs the method of Flask-Caching's base class. That method reads the value and
        then writes it, so concurrent increments may be lost.
        """
        if not self._values.counts:
            return super().inc(key, delta)
        return self._reach.answer(self._inc(self._key(key), delta), None)

    def dec(self, key: str, delta: int = 1) -> int | None:
        """Subtract from a counter. See `inc`."""
        return self.inc(key, -delta)

    def _key(self, key: str) -> bytes:
        return key_of(self._prefix + key)

    async def _ttl(self, timeout: Any) -> float | None:
        """Return the time to live in seconds, or None if the value must not be stored."""
        seconds = self.default_timeout if timeout is None else timeout
        if seconds == 0:
            return await self._longest.seconds()
        return float(seconds) if seconds > 0 else None

    async def _set(self, items: dict[bytes, bytes], timeout: Any) -> bool:
        ttl = await self._ttl(timeout)
        if ttl is None:
            await self._cache.delete_each(items)
        else:
            await replace(self._cache, items, ttl=ttl)
        return True

    async def _add(self, key: bytes, data: bytes, timeout: Any) -> bool:
        ttl = await self._ttl(timeout)
        return (
            not await self._cache.key_exists(key)
            if ttl is None
            else await self._cache.set_if_absent(key, data, ttl=ttl)
        )

    async def _delete(self, key: bytes) -> bool:
        existed = await self._cache.key_exists(key)
        await self._cache.delete(key)
        return existed

    async def _delete_many(self, keys: dict[str, bytes]) -> list[str]:
        cache = self._cache
        there = await cache.keys_exist(keys.values())
        await cache.delete_each(keys.values())
        return [key for key, existed in zip(keys, there) if existed]

    async def _inc(self, key: bytes, delta: int) -> int:
        return await self._cache.increment(key, delta, ttl=await self._ttl(None) or _GONE_S, keep_ttl=True)

    async def _clear(self) -> bool:
        if not self._prefix:
            await self._client.asynchronous.flush_cache(self._cache.name)
            return True
        cursor, cache = b"", self._cache
        while True:
            page = await cache.scan_keys(key_of(self._prefix), cursor=cursor, count=1_000)
            if page.keys:
                await cache.delete_each(each.key for each in page.keys)
            cursor = page.cursor
            if not cursor:
                return True


def _client_of(url: str | None, configuration: Configuration | None) -> sync.CacheClient:
    at = "http://127.0.0.1:8080" if url is None else url
    if not isinstance(at, str):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise TypeError(f"CACHE_LARDER_URL must be str, not {type(at).__name__}")
    settings = Configurations.InRegion.Default.latest() if configuration is None else configuration
    if not isinstance(settings, Configuration):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise TypeError("CACHE_OPTIONS['configuration'] must be a larder_cache.Configuration")
    # The default time to live is not used, because each set passes its own.
    hour = timedelta(hours=1)
    return sync.CacheClient(CredentialProvider.from_string(at), default_ttl=hour, configuration=settings)


def _given(client: Any, url: str | None, configuration: Configuration | None) -> sync.CacheClient:
    if not isinstance(client, sync.CacheClient):
        raise TypeError(f"CACHE_OPTIONS['client'] must be a larder_cache.sync.CacheClient, not {type(client).__name__}")
    if url is not None or configuration is not None:
        raise ValueError(
            "CACHE_OPTIONS: client cannot be combined with url or configuration; pass only client, or omit it"
        )
    return client


def _values_of(serializer: Any) -> Values:
    if serializer is None:
        return SafeValues()
    own = serializer() if isinstance(serializer, type) else serializer
    if callable(getattr(own, "dumps", None)) and callable(getattr(own, "loads", None)):
        return OwnValues(own)
    raise TypeError("CACHE_OPTIONS['serializer'] must be an object or a class with dumps and loads")
