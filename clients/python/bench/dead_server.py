"""`./larder lab dead-server --client python`: the cost of calls to a server that is down, after the first call."""

from __future__ import annotations

import asyncio
import socket
from time import perf_counter

from larder_cache import CacheClient, Configurations, CredentialProvider, sync

_CALLS = 2_000


def _say(what: str, seconds: list[float]) -> None:
    seconds.sort()
    mean, p99 = sum(seconds) / len(seconds) * 1e3, seconds[len(seconds) * 99 // 100] * 1e3
    print(f"{what:<24} mean {mean:.3f} ms, p99 {p99:.3f} ms, worst {seconds[-1] * 1e3:.2f} ms")


async def _asyncio(credentials: CredentialProvider) -> None:
    configuration = Configurations.InRegion.Default.latest()
    async with CacheClient(credentials, default_ttl=60, configuration=configuration) as client:
        cache = client.cache("cache")

        async def make() -> str:
            return "made"

        started = perf_counter()
        await client.cache("cache").results.get("k")
        print(f"{'the first get':<24} {(perf_counter() - started) * 1e3:.0f} ms: it waits for a restart")
        took: dict[str, list[float]] = {"get": [], "get_or_set": []}
        for i in range(_CALLS):
            for name, call in (
                ("get", client.cache("cache").results.get(f"k{i}")),
                ("get_or_set", cache.get_or_set(f"k{i}", make)),
            ):
                started = perf_counter()
                await call
                took[name].append(perf_counter() - started)
        for name, seconds in took.items():
            _say(f"asyncio {name}", seconds)


def _blocking(credentials: CredentialProvider) -> None:
    configuration = Configurations.InRegion.Default.latest()
    with sync.CacheClient(credentials, default_ttl=60, configuration=configuration) as client:
        client.cache("cache").results.get("k")
        seconds: list[float] = []
        for _ in range(_CALLS):
            started = perf_counter()
            client.cache("cache").results.get("k")
            seconds.append(perf_counter() - started)
        _say("blocking get", seconds)


def main() -> None:
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        credentials = CredentialProvider.local(port=bound.getsockname()[1])
        asyncio.run(_asyncio(credentials))
        _blocking(credentials)


if __name__ == "__main__":
    main()
