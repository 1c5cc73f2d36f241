"""`python -m bench.near`: the cost of a near-cache hit, compared with dictionaries without invalidation.

Also measures the gain for reads with a Zipf distribution. The rounds alternate, and the results are medians. A hit does
not wait, so its CPU time is measured. Other work of the machine does not affect the CPU time.
"""

from __future__ import annotations

import argparse
import asyncio
import functools
import importlib
import random
import statistics
from collections.abc import Awaitable, Callable
from itertools import accumulate
from time import monotonic, perf_counter, thread_time
from typing import Any

from bench.compare import start_server
from larder_cache import CacheClient, Configuration, Configurations, CredentialProvider, NearCache, sync

_VALUE = b"x" * 100
_KEYS = [f"key-{number}" for number in range(1_000)]
_NEAR = Configurations.Laptop.latest().with_settings(near_cache=NearCache(max_bytes=64 * 1024**2, max_age_s=3_600))


class TtlDictionary:
    """A dictionary whose values expire. A program could implement it in this way without a library."""

    def __init__(self) -> None:
        self._items = {key: (_VALUE, monotonic() + 3_600) for key in _KEYS}

    def get(self, key: str) -> bytes | None:
        found = self._items.get(key)
        return found[0] if found is not None and monotonic() < found[1] else None


@functools.lru_cache(maxsize=10_000)
def _remembered(key: str) -> bytes:
    return _VALUE


def _peers() -> dict[str, Callable[[str], object]]:
    peers: dict[str, Callable[[str], object]] = {
        "functools.lru_cache": _remembered,
        "a dictionary": TtlDictionary().get,
    }
    try:
        made: Any = importlib.import_module("cachetools").TTLCache(10_000, 3_600)
    except ImportError:
        return peers
    made.update(dict.fromkeys(_KEYS, _VALUE))
    return peers | {"cachetools.TTLCache": made.get}


def _calls(call: Callable[[str], object], count: int) -> float:
    """Return the average CPU time of a call in nanoseconds."""
    keys = (_KEYS * (count // len(_KEYS) + 1))[:count]
    began = thread_time()
    for key in keys:
        call(key)
    return (thread_time() - began) / count * 1e9


async def _awaited(call: Callable[[str], Awaitable[object]], count: int) -> float:
    keys = (_KEYS * (count // len(_KEYS) + 1))[:count]
    began = thread_time()
    for key in keys:
        await call(key)
    return (thread_time() - began) / count * 1e9


async def hits(endpoint: str, rounds: int, count: int) -> None:
    """Print the cost of a hit by each method."""
    credentials = CredentialProvider(endpoint=endpoint, tls=False)
    blocking = sync.CacheClient(credentials, default_ttl=3_600, configuration=_NEAR)
    async with CacheClient(credentials, default_ttl=3_600, configuration=_NEAR) as client:
        cache, blocking_cache = client.cache("cache").results, blocking.cache("cache").results

        async def get(key: str) -> None:
            assert (await cache.get(key)) is not None

        for key in _KEYS:
            await cache.set(key, _VALUE)
        for near, read in ((cache, get), (blocking_cache, _in_thread(blocking))):
            while any(near.try_get_near(key) is None for key in _KEYS):
                for key in _KEYS:
                    await read(key)
        times: dict[str, list[float]] = {}
        ways: dict[str, Callable[[str], object]] = {
            "try_get_near": cache.try_get_near,
            "blocking client.get": blocking_cache.get,
        }
        loop = asyncio.get_running_loop()
        for _ in range(rounds):
            for name, way in (ways | _peers()).items():
                # Use another thread, because the blocking client rejects a thread with a running event loop.
                taken = await loop.run_in_executor(None, _calls, way, count)
                times.setdefault(name, []).append(taken)
            times.setdefault("await client.get", []).append(await _awaited(cache.get, count))
        for name, taken_each in sorted(times.items(), key=lambda each: statistics.median(each[1])):
            print(f"{name:<22} {statistics.median(taken_each):>8,.0f} ns a hit")
        figures = client.near_cache
        print(f"of the asyncio client: {figures}")
    await loop.run_in_executor(None, blocking.close)


def _in_thread(blocking: sync.CacheClient) -> Callable[[str], Awaitable[object]]:
    async def read(key: str) -> object:
        return await asyncio.get_running_loop().run_in_executor(None, blocking.cache("cache").results.get, key)

    return read


async def zipf(endpoint: str, rounds: int, seconds: float, callers: int) -> None:
    """Print the calls per second for Zipf-distributed reads with 1 % writes, with and without a near cache."""
    keys = [f"zipf-{number}" for number in range(10_000)]
    weights = list(accumulate(1 / (rank + 1) for rank in range(len(keys))))
    rates: dict[str, list[float]] = {}
    configurations: dict[str, Configuration] = {"near": _NEAR, "without": Configurations.Laptop.latest()}
    for _ in range(rounds):
        for name, configuration in configurations.items():
            credentials = CredentialProvider(endpoint=endpoint, tls=False)
            async with CacheClient(credentials, default_ttl=3_600, configuration=configuration) as client:
                rates.setdefault(name, []).append(await _rate(client, keys, weights, seconds, callers))
    near, without = (statistics.median(rates[name]) for name in configurations)
    print(
        f"Zipf 1.0, 1 % writes, {callers} callers: near {near:,.0f}/s, without {without:,.0f}/s, {near / without:.1f} ×"
    )


async def _rate(client: CacheClient, keys: list[str], weights: list[float], seconds: float, callers: int) -> float:
    drawn = random.Random(1)
    chosen = drawn.choices(keys, cum_weights=weights, k=100_000)
    done, until, cache = 0, perf_counter() + seconds, client.cache("cache").results

    async def call(first: int) -> None:
        nonlocal done
        at = first
        while perf_counter() < until:
            key = chosen[at % len(chosen)]
            if at % 100 == 0:
                await cache.set(key, _VALUE)
            else:
                await cache.get(key)
            at += 1
            done += 1

    await asyncio.gather(*(cache.set(key, _VALUE) for key in keys))
    began = perf_counter()
    until = began + seconds
    await asyncio.gather(*(call(number * 997) for number in range(callers)))
    return done / (perf_counter() - began)


async def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.near")
    parser.add_argument("--server", required=True, help="the command that starts Larder, arguments parted by spaces")
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--count", type=int, default=50_000, help="hits of a round")
    parser.add_argument("--seconds", type=float, default=2)
    parser.add_argument("--callers", type=int, default=50)
    arguments = parser.parse_args()
    server, endpoint = await start_server(arguments.server.split())
    try:
        await hits(endpoint, arguments.rounds, arguments.count)
        await zipf(endpoint, arguments.rounds, arguments.seconds, arguments.callers)
    finally:
        server.terminate()
        await server.wait()


if __name__ == "__main__":
    asyncio.run(main())
