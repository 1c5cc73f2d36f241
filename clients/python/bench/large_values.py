"""`python -m bench.large_values`: measures how large values delay the small calls of the same client (fault N10).

The rounds alternate. In one kind of round, the client that makes the small calls also writes and reads a large value
each second. In the other, a separate process writes and reads it. Compares the median p99 latency of the small calls.
The ratio must be at most 1.5.
"""

from __future__ import annotations

import argparse
import asyncio
import importlib.util
import json
import statistics
import sys
from asyncio.subprocess import PIPE
from typing import Any

from agent.larder_target import LarderTarget
from agent.load import Load
from bench.compare import quantile_us, start_server
from larder_cache import CacheClient, Configurations, CredentialProvider
from larder_cache import responses as r

_LARGE_BYTES = 5_000_000
_EVERY_S = 1.0
_ROLES = ("both", "small", "large")


async def _large(client: CacheClient) -> None:
    """Write and read the large value, once a second, forever."""
    value = bytes(_LARGE_BYTES)
    while True:
        stored = await client.cache("cache").results.set("large", value)
        read = await client.cache("cache").results.get("large")
        if not isinstance(stored, r.Success) or not isinstance(read, r.Hit) or len(read.value) != _LARGE_BYTES:
            raise RuntimeError(f"the large value: {stored}, {read if isinstance(read, r.Error) else 'another value'}")
        await asyncio.sleep(_EVERY_S)


async def _work(role: str, endpoint: str, callers: int, seconds: float) -> None:
    """Run one process of a round. After its small calls, it prints their measurements."""
    request = {"endpoint": endpoint, "configuration": "laptop", "maxInFlight": callers}
    target = LarderTarget(request)
    large: asyncio.Task[None] | None = None
    if role != "small":
        credentials = CredentialProvider(endpoint=endpoint, tls=False)
        configuration = Configurations.Laptop.latest()
        client = (
            target.client if role == "both" else CacheClient(credentials, default_ttl=60, configuration=configuration)
        )
        large = asyncio.create_task(_large(client))
    if role == "large":
        assert large is not None
        print("ready", flush=True)
        await large
    result = await Load(target, {"callers": callers, "seconds": seconds, "warmupSeconds": 1}).run()
    if large is not None:
        if large.done():
            large.result()
        large.cancel()
    await target.aclose()
    print(json.dumps(result), flush=True)


async def _process(role: str, endpoint: str, arguments: argparse.Namespace) -> asyncio.subprocess.Process:
    flags = ["--role", role, "--endpoint", endpoint, "--callers", str(arguments.callers)]
    command = [sys.executable, "-m", "bench.large_values", *flags, "--seconds", str(arguments.seconds)]
    return await asyncio.create_subprocess_exec(*command, stdout=PIPE, limit=2**26)


async def _round(beside: bool, endpoint: str, arguments: argparse.Namespace) -> dict[str, Any]:
    other = None
    if beside:
        other = await _process("large", endpoint, arguments)
        assert other.stdout is not None
        await other.stdout.readline()
    small = await _process("small" if beside else "both", endpoint, arguments)
    assert small.stdout is not None
    result = json.loads(await small.stdout.readline())
    await small.wait()
    if other is not None:
        other.kill()
        await other.wait()
    return result


async def _compare(arguments: argparse.Namespace) -> None:
    server, endpoint = await start_server(arguments.server.split())
    rounds: dict[str, list[dict[str, Any]]] = {"same client": [], "own process": []}
    try:
        for _ in range(arguments.rounds):
            for name, results in rounds.items():
                results.append(await _round(name == "own process", endpoint, arguments))
    finally:
        server.terminate()
        await server.wait()
    print(f"{'5 MB a second by':<16} {'small req/s':>11} {'p50 µs':>8} {'p99 µs':>8} {'p99.9 µs':>8} errors")
    p99: list[float] = []
    for name, results in rounds.items():
        rate = statistics.median(each["requests"] / each["seconds"] for each in results)
        p = [statistics.median(quantile_us(each["histogram"], q) for each in results) for q in (0.5, 0.99, 0.999)]
        p99.append(p[1])
        errors = sum(sum(each["errors"].values()) for each in results)
        print(f"{name:<16} {rate:>11,.0f} {p[0]:>8,.0f} {p[1]:>8,.0f} {p[2]:>8,.0f} {errors}")
    print(f"p99, same client to own process: {p99[0] / p99[1]:.2f} (N10: at most 1.5)")


def main() -> None:
    """Run the comparison. If `--role` is given, run one process of a round instead."""
    parser = argparse.ArgumentParser(prog="python -m bench.large_values")
    parser.add_argument("--server", help="the command that starts Larder, arguments parted by spaces")
    parser.add_argument("--callers", type=int, default=50)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=5)
    parser.add_argument("--role", choices=_ROLES, help=argparse.SUPPRESS)
    parser.add_argument("--endpoint", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if not arguments.role and not arguments.server:
        parser.error("--server is needed")
    factory = None
    if importlib.util.find_spec("uvloop") is not None:
        import uvloop

        factory = uvloop.new_event_loop
    with asyncio.Runner(loop_factory=factory) as runner:
        if arguments.role:
            runner.run(_work(arguments.role, arguments.endpoint, arguments.callers, arguments.seconds))
        else:
            runner.run(_compare(arguments))


if __name__ == "__main__":
    main()
