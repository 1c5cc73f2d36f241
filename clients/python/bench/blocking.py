"""`python -m bench.blocking`: compares the blocking client with redis-py, on 1 and on 32 threads.

The rounds of the two alternate. Prints the medians.
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import threading
from collections.abc import Callable
from time import perf_counter

import redis

from bench.compare import start_redis, start_server
from larder_cache import CredentialProvider, sync

_VALUE = b"x" * 100
_KEYS = [f"key-{i}" for i in range(1_000)]


def _larder(endpoint: str) -> Callable[[int], None]:
    client = sync.CacheClient(CredentialProvider(endpoint=endpoint, tls=False), default_ttl=600)
    cache = client.cache("cache").results

    def call(i: int) -> None:
        if i & 1:
            cache.set(_KEYS[i % 1_000], _VALUE)
        else:
            cache.get(_KEYS[i % 1_000])

    return call


def _redis(endpoint: str) -> Callable[[int], None]:
    host, port = endpoint.split(":")
    client = redis.Redis(host, int(port))

    def call(i: int) -> None:
        if i & 1:
            client.set(_KEYS[i % 1_000], _VALUE, px=600_000)
        else:
            client.get(_KEYS[i % 1_000])

    return call


def rate(call: Callable[[int], None], threads: int, seconds: float) -> float:
    """Return how many calls per second this many threads make. Half of the calls are gets, and half are sets."""
    done: list[int] = []
    until = perf_counter() + seconds

    def run(first: int) -> None:
        i = first
        while perf_counter() < until:
            call(i)
            i += 1
        done.append(i - first)

    crowd = [threading.Thread(target=run, args=(n * 31,)) for n in range(threads)]
    started = perf_counter()
    for thread in crowd:
        thread.start()
    for thread in crowd:
        thread.join()
    return sum(done) / (perf_counter() - started)


async def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.blocking")
    parser.add_argument("--server", required=True, help="the command that starts Larder, arguments parted by spaces")
    parser.add_argument("--threads", default="1,32")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=2)
    arguments = parser.parse_args()
    server, endpoint = await start_server(arguments.server.split())
    peer, peers_endpoint = await start_redis()
    try:
        calls = {"larder sync": _larder(endpoint), "redis-py": _redis(peers_endpoint)}
        for threads in map(int, arguments.threads.split(",")):
            rates: dict[str, list[float]] = {name: [] for name in calls}
            for call in calls.values():
                rate(call, threads, 0.5)
            for _ in range(arguments.rounds):
                for name, call in calls.items():
                    rates[name].append(rate(call, threads, arguments.seconds))
            ours, theirs = (statistics.median(rates[name]) for name in calls)
            print(
                f"{threads:>3} threads: larder sync {ours:>8,.0f}/s, redis-py {theirs:>8,.0f}/s, {ours / theirs:.2f} ×"
            )
    finally:
        for process in (server, peer):
            process.terminate()
            await process.wait()


if __name__ == "__main__":
    asyncio.run(main())
