"""A Django cache backend: `"BACKEND": "larder_cache.django.LarderCache"`.

Every method of Django's cache API, and the async twins that Django 4 and later name. Values travel as JSON, text,
bytes or integers; nothing is ever unpickled.
"""

from __future__ import annotations

import asyncio
import json
import os
import threading
from collections.abc import Callable, Coroutine, Iterable, Mapping
from datetime import timedelta
from typing import Any, TypeVar

from django.core.cache.backends.base import DEFAULT_TIMEOUT, BaseCache
from django.core.exceptions import ImproperlyConfigured

from larder_cache import responses as r
from larder_cache.background_loop import submit, wait_for
from larder_cache.client import CacheClient
from larder_cache.configuration import Configuration
from larder_cache.configurations import Configurations
from larder_cache.credential_provider import CredentialProvider
from larder_cache.errors import ErrorCode
from larder_cache.ttl import MAX_TTL_MS

T = TypeVar("T")

_MISSING = object()
_MAX_TTL_S = MAX_TTL_MS / 1_000

# Django makes a backend for each thread; all of a process share one client for each server.
_lock = threading.Lock()
_clients: dict[CredentialProvider, CacheClient] = {}

# The last two are read by Django's BaseCache, and mean nothing here.
_OPTIONS = {"cache", "configuration", "serializer", "MAX_ENTRIES", "CULL_FREQUENCY"}


def _forget() -> None:
    # A forked child has the clients' memory but not the thread that runs them.
    global _lock
    _lock = threading.Lock()
    _clients.clear()


os.register_at_fork(after_in_child=_forget)


class JsonSerializer:
    """An integer is its decimal text, so that the server can count; all else has a letter before it.

    `s` text, `b` bytes, `j` JSON (tuples come back as lists). Raises TypeError for what JSON cannot say.
    """

    def dumps(self, value: Any) -> bytes:
        if isinstance(value, int) and not isinstance(value, bool) and -(2**63) <= value < 2**63:
            return b"%d" % value
        if isinstance(value, str):
            return b"s" + value.encode()
        if isinstance(value, bytes):
            return b"b" + value
        return b"j" + json.dumps(value, separators=(",", ":")).encode()

    def loads(self, data: bytes) -> Any:
        kind, rest = data[:1], data[1:]
        if kind == b"s":
            return rest.decode()
        if kind == b"b":
            return rest
        return json.loads(rest) if kind == b"j" else int(data)


class LarderCache(BaseCache):
    """LOCATION: `http[s]://[token@]host[:port]`, or `host[:port]` in plaintext.

    OPTIONS: `cache` (its name on the server, "cache"), `configuration` (a larder_cache.Configuration,
    InRegion.Default), `serializer` (a class with dumps and loads, JsonSerializer). A TIMEOUT of None is the longest
    time to live, 24 hours. What fails raises larder_cache.CacheError; a value of a foreign format ValueError; settings
    that cannot be right ImproperlyConfigured, when they are read (`manage check` reads them).
    """

    def __init__(self, location: Any, params: dict[str, Any]) -> None:
        super().__init__(params)
        options: dict[str, Any] = params.get("OPTIONS", {})
        self._credentials = _credentials_of(location)
        if unknown := sorted(set(options) - _OPTIONS):
            raise ImproperlyConfigured(f"CACHES: OPTIONS has no {unknown[0]!r}; it has {', '.join(sorted(_OPTIONS))}")
        self._name: str = options.get("cache", "cache")
        self._configuration: Any = options.get("configuration") or Configurations.InRegion.Default.latest()
        if not isinstance(self._configuration, Configuration):
            raise ImproperlyConfigured("CACHES: OPTIONS' configuration is no larder_cache.Configuration")
        self._serializer: Any = options.get("serializer", JsonSerializer)()

    # Each operation, once; the public methods below run it and wait, or await it.

    def _client(self) -> CacheClient:
        with _lock:
            client = _clients.get(self._credentials)
            if client is None:
                client = CacheClient(
                    self._credentials, default_ttl=timedelta(hours=24), configuration=self._configuration
                )
                _clients[self._credentials] = client
            return client

    def _key(self, key: Any, version: int | None) -> str:
        made: str = self.make_key(key, version=version)
        self.validate_key(made)
        return made

    def _ttl(self, timeout: Any) -> float | None:
        """Seconds to live; None where the item is to be gone at once."""
        seconds = self.default_timeout if timeout is DEFAULT_TIMEOUT else timeout
        if seconds is None:
            return _MAX_TTL_S
        return min(float(seconds), _MAX_TTL_S) if seconds > 0 else None

    async def _get(self, key: Any, default: Any, version: int | None) -> Any:
        answer = _checked(await self._client().get(self._name, self._key(key, version)))
        return self._serializer.loads(answer.value) if isinstance(answer, r.Hit) else default

    async def _set(self, key: Any, value: Any, timeout: Any, version: int | None) -> None:
        made, ttl = self._key(key, version), self._ttl(timeout)
        if ttl is None:
            _checked(await self._client().delete(self._name, made))
        else:
            _checked(await self._client().set(self._name, made, self._serializer.dumps(value), ttl=ttl))

    async def _add(self, key: Any, value: Any, timeout: Any, version: int | None) -> bool:
        made, ttl = self._key(key, version), self._ttl(timeout)
        if ttl is None:
            return not _checked(await self._client().key_exists(self._name, made)).exists
        answer = await self._client().set_if_absent(self._name, made, self._serializer.dumps(value), ttl=ttl)
        return isinstance(_checked(answer), r.Stored)

    async def _touch(self, key: Any, timeout: Any, version: int | None) -> bool:
        made, ttl = self._key(key, version), self._ttl(timeout)
        if ttl is None:
            return await self._delete(key, version)
        return isinstance(_checked(await self._client().update_ttl(self._name, made, ttl)), r.TtlSet)

    async def _delete(self, key: Any, version: int | None) -> bool:
        made = self._key(key, version)
        existed = _checked(await self._client().key_exists(self._name, made)).exists
        _checked(await self._client().delete(self._name, made))
        return existed

    async def _has_key(self, key: Any, version: int | None) -> bool:
        return _checked(await self._client().key_exists(self._name, self._key(key, version))).exists

    async def _incr(self, key: Any, delta: int, version: int | None) -> int:
        made = self._key(key, version)
        left = _checked(await self._client().item_get_ttl(self._name, made))
        if isinstance(left, r.Missing) or left.remaining_ms == 0:
            raise ValueError(f"Key '{key}' not found")
        ttl = timedelta(milliseconds=left.remaining_ms)
        answer = await self._client().increment(self._name, made, delta, ttl=ttl)
        if isinstance(answer, r.Error) and answer.code is ErrorCode.FAILED_PRECONDITION:
            raise ValueError(f"the value of key '{key}' is not an integer")
        return _checked(answer).value

    async def _get_many(self, keys: Iterable[Any], version: int | None) -> dict[Any, Any]:
        made = {self._key(key, version): key for key in keys}
        answer = _checked(await self._client().get_batch(self._name, list(made)))
        found = zip(made.values(), answer.responses, strict=True)
        return {key: self._serializer.loads(each.value) for key, each in found if isinstance(each, r.Hit)}

    async def _set_many(self, data: Mapping[Any, Any], timeout: Any, version: int | None) -> list[Any]:
        ttl = self._ttl(timeout)
        if ttl is None:
            await self._delete_many(data, version)
            return []
        items = [(self._key(key, version), self._serializer.dumps(value)) for key, value in data.items()]
        _checked(await self._client().set_batch(self._name, items, ttl=ttl))
        return []

    async def _delete_many(self, keys: Iterable[Any], version: int | None) -> None:
        for key in keys:
            _checked(await self._client().delete(self._name, self._key(key, version)))

    async def _clear(self) -> None:
        _checked(await self._client().flush_cache(self._name))

    # Django's API.

    def get(self, key: Any, default: Any = None, version: int | None = None) -> Any:
        return wait_for(self._get(key, default, version))

    async def aget(self, key: Any, default: Any = None, version: int | None = None) -> Any:
        return await _elsewhere(self._get(key, default, version))

    def set(self, key: Any, value: Any, timeout: Any = DEFAULT_TIMEOUT, version: int | None = None) -> None:
        wait_for(self._set(key, value, timeout, version))

    async def aset(self, key: Any, value: Any, timeout: Any = DEFAULT_TIMEOUT, version: int | None = None) -> None:
        await _elsewhere(self._set(key, value, timeout, version))

    def add(self, key: Any, value: Any, timeout: Any = DEFAULT_TIMEOUT, version: int | None = None) -> bool:
        return wait_for(self._add(key, value, timeout, version))

    async def aadd(self, key: Any, value: Any, timeout: Any = DEFAULT_TIMEOUT, version: int | None = None) -> bool:
        return await _elsewhere(self._add(key, value, timeout, version))

    def touch(self, key: Any, timeout: Any = DEFAULT_TIMEOUT, version: int | None = None) -> bool:
        return wait_for(self._touch(key, timeout, version))

    async def atouch(self, key: Any, timeout: Any = DEFAULT_TIMEOUT, version: int | None = None) -> bool:
        return await _elsewhere(self._touch(key, timeout, version))

    def delete(self, key: Any, version: int | None = None) -> bool:
        return wait_for(self._delete(key, version))

    async def adelete(self, key: Any, version: int | None = None) -> bool:
        return await _elsewhere(self._delete(key, version))

    def has_key(self, key: Any, version: int | None = None) -> bool:
        return wait_for(self._has_key(key, version))

    async def ahas_key(self, key: Any, version: int | None = None) -> bool:
        return await _elsewhere(self._has_key(key, version))

    def incr(self, key: Any, delta: int = 1, version: int | None = None) -> int:
        return wait_for(self._incr(key, delta, version))

    async def aincr(self, key: Any, delta: int = 1, version: int | None = None) -> int:
        return await _elsewhere(self._incr(key, delta, version))

    def decr(self, key: Any, delta: int = 1, version: int | None = None) -> int:
        return self.incr(key, -delta, version)

    async def adecr(self, key: Any, delta: int = 1, version: int | None = None) -> int:
        return await self.aincr(key, -delta, version)

    def get_many(self, keys: Iterable[Any], version: int | None = None) -> dict[Any, Any]:
        return wait_for(self._get_many(keys, version))

    async def aget_many(self, keys: Iterable[Any], version: int | None = None) -> dict[Any, Any]:
        return await _elsewhere(self._get_many(keys, version))

    def set_many(
        self, data: Mapping[Any, Any], timeout: Any = DEFAULT_TIMEOUT, version: int | None = None
    ) -> list[Any]:
        return wait_for(self._set_many(data, timeout, version))

    async def aset_many(
        self, data: Mapping[Any, Any], timeout: Any = DEFAULT_TIMEOUT, version: int | None = None
    ) -> list[Any]:
        return await _elsewhere(self._set_many(data, timeout, version))

    def delete_many(self, keys: Iterable[Any], version: int | None = None) -> None:
        wait_for(self._delete_many(keys, version))

    async def adelete_many(self, keys: Iterable[Any], version: int | None = None) -> None:
        await _elsewhere(self._delete_many(keys, version))

    def clear(self) -> None:
        wait_for(self._clear())

    async def aclear(self) -> None:
        await _elsewhere(self._clear())

    async def aget_or_set(
        self, key: Any, default: Any, timeout: Any = DEFAULT_TIMEOUT, version: int | None = None
    ) -> Any:
        found = await self.aget(key, _MISSING, version)
        if found is not _MISSING:
            return found
        made: Any = default() if isinstance(default, Callable) else default
        await self.aadd(key, made, timeout, version)
        # Another may have added first: what is there now is the answer, as in Django.
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
        """Called after each request; the connection stays for the next."""

    async def aclose(self, **kwargs: Any) -> None:
        """Called after each request; the connection stays for the next."""


def _credentials_of(location: Any) -> CredentialProvider:
    if not isinstance(location, str):
        raise ImproperlyConfigured("CACHES: LOCATION is one server's address, a text")
    try:
        return CredentialProvider.from_string(location if "://" in location else f"http://{location or '127.0.0.1'}")
    except ValueError as error:
        raise ImproperlyConfigured(f"CACHES: LOCATION: {error}") from None


def _checked(answer: T | r.Error) -> T:
    if isinstance(answer, r.Error):
        raise answer.to_exception()
    return answer


async def _elsewhere(work: Coroutine[Any, Any, T]) -> T:
    return await asyncio.wrap_future(submit(work))
