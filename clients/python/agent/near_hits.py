"""Measures near-cache hits, with one caller and one hit after another (conformance/AGENT.md, `nearHits`)."""

from __future__ import annotations

import asyncio
import functools
import importlib.util
import time
from collections.abc import Awaitable, Callable
from typing import Any

from agent.target import AgentError, Unsupported
from larder_cache import CacheClient, CacheResults
from larder_cache import responses as r

_TTL_S = 3_600
_PATIENCE_S = 10.0
# After this many hits, other tasks of the event loop run. The time of these tasks is not measured.
_HITS_AT_A_TIME = 5_000
_WARMUP_S = 0.2

_clock = time.perf_counter_ns


def hits_of(client: CacheClient) -> int:
    """Return the number of hits of a client's near cache, or 0 if the client has no near cache."""
    return figures.hits if (figures := client.near_cache) is not None else 0


async def near_hits(client: CacheClient, cache: str, request: dict[str, Any]) -> dict[str, Any]:
    """Measure hits of the near cache, or of the alternatives that a program would use without a near cache."""
    what = request.get("what", "get")
    keys = [b"hit-%09d" % key for key in range(int(request.get("keys", 1_000)))]
    value = bytes(int(request.get("valueBytes", 100)))
    if what in ("get", "tryGet"):
        results = client.cache(cache).results
        await _fill(client, results, keys, value)
        read = _near(results, keys) if what == "get" else _tried(results, keys)
    else:
        read = _bare(what, keys, value)
    rounds = max(1, _HITS_AT_A_TIME // len(keys))
    await _run(_WARMUP_S, rounds, read)
    before = hits_of(client)
    turns, size, taken_ns = await _run(float(request.get("seconds", 1)), rounds, read)
    reads = turns * rounds * len(keys)
    found = size // len(value)
    times = {"nsPerHit": taken_ns / reads, "bytesPerHit": None}
    return {"result": "success", "reads": reads, "found": found, "hits": hits_of(client) - before} | times


async def _run(seconds: float, rounds: int, read: Callable[[int], Awaitable[int]]) -> tuple[int, int, int]:
    end = _clock() + round(seconds * 1e9)
    turns = size = taken = 0
    while _clock() < end:
        began = _clock()
        size += await read(rounds)
        taken += _clock() - began
        turns += 1
        await asyncio.sleep(0)
    return turns, size, taken


def _near(cache: CacheResults, keys: list[bytes]) -> Callable[[int], Awaitable[int]]:
    async def read(rounds: int) -> int:
        size = 0
        for _ in range(rounds):
            for key in keys:
                response = await cache.get(key)
                if isinstance(response, r.Hit):
                    size += len(response.value)
        return size

    return read


def _tried(cache: CacheResults, keys: list[bytes]) -> Callable[[int], Awaitable[int]]:
    async def read(rounds: int) -> int:
        size = 0
        for _ in range(rounds):
            for key in keys:
                size += len(cache.try_get_near(key) or b"")
        return size

    return read


def _bare(what: str, keys: list[bytes], value: bytes) -> Callable[[int], Awaitable[int]]:
    def made(_: bytes) -> bytes:
        return value

    if what == "dict":
        get = dict.fromkeys(keys, value).__getitem__
    elif what == "functools":
        get = functools.lru_cache(maxsize=2 * len(keys))(made)
    elif what == "cachetools":
        if importlib.util.find_spec("cachetools") is None:
            raise Unsupported("cachetools is not installed; run: pip install cachetools")
        import cachetools  # pyright: ignore

        copies: Any = cachetools.TTLCache(maxsize=2 * len(keys), ttl=_TTL_S)  # pyright: ignore
        copies.update(dict.fromkeys(keys, value))
        get = copies.__getitem__
    else:
        raise AgentError(f"'what' must be get, tryGet, dict, functools or cachetools, not {what}")
    found: Callable[[bytes], bytes] = get

    async def read(rounds: int) -> int:
        size = 0
        for _ in range(rounds):
            for key in keys:
                size += len(found(key))
        return size

    return read


async def _fill(client: CacheClient, cache: CacheResults, keys: list[bytes], value: bytes) -> None:
    """Set the keys, and read them until each has a copy.

    The first reads may create no copy because the near stream is not open yet.
    """
    for key in keys:
        if isinstance(error := await cache.set(key, value, ttl=_TTL_S), r.Error):
            raise AgentError(f"a key could not be set: {error.message}")
    begun = time.monotonic()
    while time.monotonic() - begun < _PATIENCE_S:
        before = hits_of(client)
        for key in keys:
            await cache.get(key)
        if hits_of(client) - before == len(keys):
            return
    raise AgentError("the near cache has not stored all keys; check whether nearCache is configured")
