"""`./larder lab stampede --client python`: 1,000 callers in four processes request one missing key.

A load takes 200 ms. Measures for each library the number of loads and the time until all callers have the value. Prints
medians of five rounds. The rows of dogpile.cache need the package dogpile.cache and redis-server.
"""

from __future__ import annotations

import asyncio
import json
import shutil
import socket
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from larder_cache import CacheClient, Configurations, CredentialProvider, GetOrSetOptions
from tests.support.larder_server import larder_server

_PROCESSES, _CALLERS, _LOAD_S, _ROUNDS = 4, 250, 0.2, 5
_FOLDER = Path(__file__).resolve().parent.parent
_LARDER = {"Larder, get_or_set with a lease": True, "Larder, get_or_set": False}
_DOGPILE = {"dogpile.cache on Redis, distributed_lock": True, "dogpile.cache on Redis": False}


async def _larder(port: int, leased: bool) -> None:
    configuration = Configurations.Laptop.latest().with_settings(eager_connect=True, request_timeout_s=30)
    options = GetOrSetOptions() if leased else None
    loads = 0

    async def load() -> str:
        nonlocal loads
        loads += 1
        await asyncio.sleep(_LOAD_S)
        return "value"

    async with CacheClient(CredentialProvider.local(port=port), default_ttl=60, configuration=configuration) as client:
        print("ready", flush=True)
        for line in sys.stdin:
            loads, key = 0, line.strip()
            asked = (client.cache("cache").results.get_or_set(key, load, options=options) for _ in range(_CALLERS))
            assert set(await asyncio.gather(*asked)) == {b"value"}
            print(loads, flush=True)


def _dogpile(port: int, locked: bool) -> None:
    from dogpile.cache import make_region

    lock, loads = threading.Lock(), 0

    def written(value: Any) -> bytes:
        return json.dumps(value).encode()

    region = make_region(serializer=written, deserializer=json.loads)
    arguments = {"host": "127.0.0.1", "port": port, "distributed_lock": locked, "thread_local_lock": False}
    region.configure("dogpile.cache.redis", expiration_time=60, arguments=arguments)

    def load() -> str:
        nonlocal loads
        with lock:
            loads += 1
        time.sleep(_LOAD_S)
        return "value"

    with ThreadPoolExecutor(_CALLERS) as callers:
        print("ready", flush=True)
        for line in sys.stdin:
            loads, key = 0, line.strip()
            assert set(callers.map(region.get_or_create, [key] * _CALLERS, [load] * _CALLERS)) == {"value"}
            print(loads, flush=True)


@contextmanager
def _redis() -> Iterator[int]:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = int(probe.getsockname()[1])
    command = ["redis-server", "--port", str(port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            next(line for line in process.stdout if "Ready to accept" in line)
            yield port
        finally:
            process.kill()


def _row(name: str, port: int) -> str:
    command = [sys.executable, "-m", "bench.stampede", name, str(port)]
    with ExitStack() as stack:
        each: list[Any] = []
        for _ in range(_PROCESSES):
            pipes: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True, "cwd": _FOLDER}
            each.append(stack.enter_context(subprocess.Popen(command, **pipes)))
        assert [process.stdout.readline() for process in each] == ["ready\n"] * _PROCESSES
        loads: list[int] = []
        took: list[float] = []
        for number in range(_ROUNDS):
            begun = time.perf_counter()
            for process in each:
                process.stdin.write(f"cold-{name}-{number}\n")
                process.stdin.flush()
            loads.append(sum(int(process.stdout.readline()) for process in each))
            took.append((time.perf_counter() - begun) * 1e3)
        for process in each:
            process.stdin.close()
    return f"| {name} | {statistics.median(loads):.0f} | {statistics.median(took):,.0f} |"


def main() -> None:
    modes: dict[str, Callable[[str, int], None]] = {
        **{name: lambda name, port: asyncio.run(_larder(port, _LARDER[name])) for name in _LARDER},
        **{name: lambda name, port: _dogpile(port, _DOGPILE[name]) for name in _DOGPILE},
    }
    if len(sys.argv) == 3:
        modes[sys.argv[1]](sys.argv[1], int(sys.argv[2]))
        return
    print("| 1,000 callers in four processes, a load of 200 ms | loads | ms until all have it |\n|---|---|---|")
    with larder_server() as port:
        for name in _LARDER:
            print(_row(name, port), flush=True)
    if shutil.which("redis-server") is not None:
        with _redis() as port:
            for name in _DOGPILE:
                print(_row(name, port), flush=True)


if __name__ == "__main__":
    main()
