"""The blocking client: one near cache for all of its threads and transports."""

from __future__ import annotations

import asyncio
import random
import threading
from collections import Counter
from collections.abc import Callable
from time import sleep
from typing import Any, TypeVar

import pytest

from larder_cache import CacheClient, Configuration, CredentialProvider, cached
from larder_cache import responses as r
from larder_cache import sync
from larder_cache._internal.blocking.background_loop import awaited
from larder_cache._internal.blocking.blocking_pool import BlockingPool
from larder_cache._internal.blocking.cross_loop_calls import CrossLoopCalls
from larder_cache._internal.calls.loop_calls import LoopCalls
from larder_cache._internal.telemetry.statistics import NearCacheStatistics
from larder_cache.near_cache import NearCache
from protobuf_messages import pipeline_pb2 as pipe
from tests.conftest import PATIENCE_S, capped, pipelined, run_alone, until
from tests.near.conftest import new_key, with_near
from tests.near.near_server import NearServer

T = TypeVar("T")


def _client(port: int, configuration: Configuration | None = None) -> sync.CacheClient:
    credentials = CredentialProvider.local(port=port)
    return sync.CacheClient(credentials, default_ttl=60, configuration=configuration or with_near())


def _wait(condition: Callable[[], bool]) -> None:
    """Wait in a thread until a condition is true. Fail after a long timeout."""
    for _ in range(int(PATIENCE_S / 0.002)):
        if condition():
            return
        sleep(0.002)
    raise TimeoutError


def _figures(client: sync.CacheClient) -> NearCacheStatistics:
    figures = client.near_cache
    assert figures is not None
    return figures


def _keep(client: sync.CacheClient, key: str) -> None:
    """Read until there is a near copy. The first calls may create none because the near stream is not open yet."""

    def kept() -> bool:
        client.cache("cache").results.get(key)
        return client.cache("cache").results.try_get_near(key) is not None

    _wait(kept)


async def _in_thread(work: Callable[[], T]) -> T:
    return await asyncio.get_running_loop().run_in_executor(None, work)


def test_blocking_client_reads_its_own_writes_with_near_cache(real_port: int) -> None:
    with _client(real_port) as client:
        key = new_key()
        for number in range(50):
            assert client.cache("cache").results.set(key, str(number)) == r.SUCCESS
            assert (
                client.cache("cache").results.get(key)
                == r.Hit(b"%d" % number)
                == client.cache("cache").results.get(key)
            )
        assert client.statistics().connections > 1, "by a connection of the thread's own, too"
        assert client.cache("cache").results.increment(key) == r.Incremented(50)
        assert client.cache("cache").results.get(key) == r.Hit(b"50")
        assert client.cache("cache").results.delete_each([key]) == [r.SUCCESS]
        assert client.cache("cache").results.get(key) == r.MISS
        assert _figures(client).hits > 0


def test_near_copy_is_invalidated_by_the_write_of_another_client(real_port: int) -> None:
    with _client(real_port) as one, _client(real_port, pipelined()) as another:
        key = new_key()
        assert another.cache("cache").results.set(key, "v1") == r.SUCCESS
        _keep(one, key)
        assert another.cache("cache").results.set(key, "v2") == r.SUCCESS
        _wait(lambda: one.cache("cache").results.try_get_near(key) is None)
        assert one.cache("cache").results.get(key) == r.Hit(b"v2")
        assert another.near_cache is None and another.cache("cache").results.try_get_near(key) is None


def test_get_or_set_and_cached_functions_read_near_copies(real_port: int) -> None:
    with _client(real_port) as client:
        cache, made, name = client.cache("cache"), list[int](), new_key()

        def key(number: int) -> str:
            return f"{name}-{number}"

        @cached(cache, ttl=60, key=key)
        def double(number: int) -> int:
            made.append(number)
            return 2 * number

        assert double(4) == 8
        _keep(client, f"{name}-4")
        calls = _figures(client).hits
        assert double(4) == double(4) == 8 and made == [4]
        assert _figures(client).hits == calls + 2
        double.invalidate(4)
        assert client.cache("cache").results.try_get_near(f"{name}-4") is None and double(4) == 8 and made == [4, 4]
        assert client.cache("cache").results.try_get_near("no such key") is None


def test_blocking_near_hit_raises_inside_a_running_loop(real_port: int) -> None:
    with _client(real_port) as client:
        key = new_key()
        client.cache("cache").results.set(key, "v1")
        _keep(client, key)

        async def inside() -> None:
            with pytest.raises(RuntimeError, match="event loop"):
                client.cache("cache").results.get(key)
            assert client.cache("cache").results.try_get_near(key) == b"v1"

        run_alone(inside())


async def test_near_hit_needs_no_permit_while_other_threads_wait(near_server: NearServer) -> None:
    hanging = asyncio.Event()

    async def hang(call: pipe.Operation) -> pipe.Result:
        if call.get.key == b"absent":
            await hanging.wait()
        return near_server.answer(call)

    client = _client(near_server.port, capped(with_near(), 1))
    await _in_thread(lambda: _keep(client, "k"))
    near_server.on_operation = hang
    waiting = asyncio.create_task(_in_thread(lambda: client.cache("cache").results.get("absent")))
    await until(lambda: client.statistics().in_flight == 1)
    assert await _in_thread(lambda: client.cache("cache").results.get("k")) == r.Hit(b"v1")
    hanging.set()
    assert await waiting == r.MISS
    await _in_thread(client.close)
    assert client.cache("cache").results.try_get_near("k") is None


async def test_uncacheable_reads_use_exclusive_connections(near_server: NearServer) -> None:
    client = _client(near_server.port, with_near(key_prefixes=["near:"]))

    def use() -> None:
        for _ in range(20):
            assert client.cache("cache").results.get("k") == r.Hit(b"v1")

    await _in_thread(use)
    assert near_server.streams == 2 and near_server.near_gets == 0
    assert _figures(client).copies == 0
    await _in_thread(client.close)


async def test_reads_use_exclusive_connections_if_server_rejects_near_cache(near_server: NearServer) -> None:
    near_server.refuses_open = pipe.CallStatus(code=12)
    client = _client(near_server.port)

    def use() -> None:
        for _ in range(20):
            assert client.cache("cache").results.get("k") == r.Hit(b"v1")

    await _in_thread(use)
    assert near_server.streams == 2
    await _in_thread(client.close)


@pytest.mark.parametrize("how", ["one", "several"])
async def test_interrupted_write_drops_the_near_copy(
    near_server: NearServer, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    client = _client(near_server.port)
    await _in_thread(lambda: _keep(client, "k"))

    def interrupted(work: Any, _: float) -> None:
        work.close()
        raise KeyboardInterrupt

    def no_connection(_: BlockingPool) -> None:
        """Return None, so that the call gets no exclusive connection."""

    monkeypatch.setattr("larder_cache._internal.blocking.blocking_calls.wait_for", interrupted)
    monkeypatch.setattr(BlockingPool, "take", no_connection)

    def write() -> bytes | None:
        with pytest.raises(KeyboardInterrupt):
            client.cache("cache").results.set("k", "v2") if how == "one" else client.cache("cache").results.delete_each(
                ["k"]
            )
        return client.cache("cache").results.try_get_near("k")

    assert await _in_thread(write) is None
    monkeypatch.undo()
    await _in_thread(client.close)


@pytest.mark.parametrize("how", ["one", "several"])
async def test_cancelled_write_from_another_loop_drops_the_near_copy(near_server: NearServer, how: str) -> None:
    """The copy is dropped even if the end of the call is recorded later.

    This is the case if calls run on the background loop, as with Django.
    """
    remote = LoopCalls(CredentialProvider.local(port=near_server.port), with_near(), None)

    def hopping(*_: Any) -> CrossLoopCalls:
        return CrossLoopCalls(remote)

    client = CacheClient(default_ttl=60, configuration=with_near(), calls=hopping)

    async def kept() -> bool:
        return (
            await client.cache("cache").results.get("k") == r.Hit(b"v1")
            and client.cache("cache").results.try_get_near("k") is not None
        )

    async with asyncio.timeout(PATIENCE_S):
        while not await kept():
            pass
    hits = near_server.received["get"]
    assert await client.cache("cache").results.get("k") == r.Hit(b"v1") and near_server.received["get"] == hits

    async def hold(call: pipe.Operation) -> pipe.Result | None:
        return None

    near_server.on_operation = hold
    write = (
        client.cache("cache").results.set("k", "v2")
        if how == "one"
        else client.cache("cache").results.delete_each(["k"])
    )
    writing = asyncio.create_task(write)
    name = "set" if how == "one" else "delete"
    await until(lambda: near_server.received.get(name) == 1)
    writing.cancel()
    with pytest.raises(asyncio.CancelledError):
        await writing
    assert client.cache("cache").results.try_get_near("k") is None
    await awaited(remote.aclose())


def test_near_reads_of_threads_never_return_values_out_of_order(real_port: int) -> None:
    keys = [new_key() for _ in range(3)]
    near = NearCache(max_bytes=1_048_576)
    failures: list[BaseException] = []
    with _client(real_port, pipelined().with_settings(near_cache=near)) as one, _client(real_port) as two:
        for key in keys:
            one.cache("cache").results.set(key, "0")
            _keep(one, key)
            _keep(two, key)
        done = threading.Event()

        def read(client: sync.CacheClient, seen: Counter[str], drawn: random.Random) -> None:
            while not done.is_set():
                key = drawn.choice(keys)
                least = seen[key]
                found = client.cache("cache").results.get(key)
                assert isinstance(found, r.Hit)
                assert int(found.value) >= least, "older than a value that this client has seen, or written"
                with lock:
                    seen[key] = max(seen[key], int(found.value))

        def write(client: sync.CacheClient, seen: Counter[str], own: list[str]) -> None:
            for version in range(1, 200):
                for key in own:
                    assert client.cache("cache").results.set(key, str(version)) == r.SUCCESS
                    with lock:
                        seen[key] = max(seen[key], version)

        def run(work: Callable[..., None], *arguments: object) -> None:
            try:
                work(*arguments)
            except BaseException as failure:
                failures.append(failure)

        lock, threads, writers = threading.Lock(), list[threading.Thread](), list[threading.Thread]()
        for number, client in enumerate((one, two)):
            seen: Counter[str] = Counter()
            writers.append(threading.Thread(target=run, args=(write, client, seen, keys[number::2])))
            threads += [
                threading.Thread(target=run, args=(read, client, seen, random.Random(reader))) for reader in range(2)
            ]
        for each in threads + writers:
            each.start()
        for each in writers:
            each.join()
        done.set()
        for each in threads:
            each.join()
        assert not failures, failures
        assert _figures(one).hits > 0 and _figures(two).hits > 0
