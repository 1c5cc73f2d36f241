"""C3: each process, event loop and thread gets separate connections."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.larder_server import larder_server

FOLDER = Path(__file__).resolve().parents[2]

HEAD = """
import asyncio, contextvars, os, sys, threading
from larder_cache import CacheClient, CacheError, CredentialProvider, ErrorCode, sync
from larder_cache import responses as r
at = CredentialProvider.local(port=int(sys.argv[1]))

def child(work):
    # Forks; the child does the work, and its exit code says whether it did.
    pid = os.fork()
    if pid == 0:
        try:
            work()
        except BaseException as failure:
            print(repr(failure), flush=True)
            os._exit(1)
        os._exit(0)
    return os.waitpid(pid, 0)[1]
"""


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    with larder_server() as running:
        yield running


def run_program(port: int, program: str) -> None:
    """Run a separate program, so that forks do not affect the test runner. A hang is a failure."""
    command = [sys.executable, "-c", HEAD + textwrap.dedent(program), str(port)]
    ended = subprocess.run(
        command, cwd=FOLDER, capture_output=True, text=True, timeout=float(os.environ.get("LARDER_PATIENCE_S", "60"))
    )
    assert ended.returncode == 0, ended.stdout + ended.stderr


def test_client_serves_calls_in_consecutive_event_loops(port: int) -> None:
    run_program(
        port,
        """
        client = CacheClient(at, default_ttl=60)
        async def use(n):
            assert isinstance(await client.cache("cache").results.set("k", str(n)), r.Success)
            assert await client.cache("cache").results.get("k") == r.Hit(str(n).encode())
            cache = client.cache("cache")
            async def make():
                return str(n)
            assert await cache.get_or_set(f"made-{n}", make) == str(n).encode()
        for n in range(3):
            asyncio.run(use(n))
        async def end():
            await use(3)
            await client.aclose()
            answer = await client.cache("cache").results.get("k")
            assert isinstance(answer, r.Error) and "closed" in answer.message, answer
        asyncio.run(end())
        """,
    )


def test_client_serves_calls_in_event_loops_of_two_threads(port: int) -> None:
    run_program(
        port,
        """
        client = CacheClient(at, default_ttl=60)
        async def use(name):
            for n in range(200):
                key = f"{name}-{n % 7}"
                assert isinstance(await client.cache("cache").results.set(key, key), r.Success)
                assert await client.cache("cache").results.get(key) == r.Hit(key.encode())
        failures = []
        def run(name):
            try:
                asyncio.run(use(name))
            except BaseException as failure:
                failures.append(failure)
        threads = [threading.Thread(target=run, args=(f"t{i}",)) for i in range(2)]
        [t.start() for t in threads]
        [t.join(20) for t in threads]
        assert not failures and not any(t.is_alive() for t in threads), failures
        """,
    )


def test_forked_child_opens_its_own_connections(port: int) -> None:
    run_program(
        port,
        """
        client = sync.CacheClient(at, default_ttl=60)
        other = CacheClient(at, default_ttl=60)
        async def use():
            assert isinstance(await other.cache("cache").results.set("a", "a"), r.Success)
            assert await other.cache("cache").results.get("a") == r.Hit(b"a")
        def both():
            for n in range(50):
                assert isinstance(client.cache("cache").results.set(f"k{n}", f"v{n}"), r.Success)
                assert client.cache("cache").results.get(f"k{n}") == r.Hit(f"v{n}".encode())
            asyncio.run(use())
        both()
        assert child(both) == 0
        assert child(lambda: child(both) and os._exit(2)) == 0, "a grandchild"
        both()
        """,
    )


def test_child_forked_during_calls_of_other_threads_can_make_calls(port: int) -> None:
    run_program(
        port,
        """
        client = sync.CacheClient(at, default_ttl=60)
        stop = threading.Event()
        def busy(i):
            while not stop.is_set():
                client.cache("cache").results.set(f"busy-{i}", "x" * 100)
                client.cache("cache").get_or_set("shared", lambda: "made")
        threads = [threading.Thread(target=busy, args=(i,), daemon=True) for i in range(8)]
        [t.start() for t in threads]
        def use():
            for n in range(20):
                assert isinstance(client.cache("cache").results.set(f"c{n}", f"v{n}"), r.Success)
                assert client.cache("cache").results.get(f"c{n}") == r.Hit(f"v{n}".encode())
                assert client.cache("cache").get_or_set(f"made{os.getpid()}", lambda: "made") == b"made"
        for _ in range(10):
            assert child(use) == 0
        stop.set()
        [t.join(10) for t in threads]
        assert not any(t.is_alive() for t in threads)
        """,
    )


def test_call_raises_runtime_error_after_fork_inside_a_running_loop(port: int) -> None:
    run_program(
        port,
        """
        client = CacheClient(at, default_ttl=60)
        async def use():
            assert isinstance(await client.cache("cache").results.set("k", "v"), r.Success)
            pid = os.fork()
            if pid == 0:
                try:
                    client.cache("cache").results.get("k").send(None)
                except RuntimeError as error:
                    os._exit(0 if "event loop" in str(error) and "fork" in str(error) else 3)
                os._exit(4)
            assert os.waitpid(pid, 0)[1] == 0
            assert await client.cache("cache").results.get("k") == r.Hit(b"v")
        asyncio.run(use())
        """,
    )


def test_factory_runs_in_the_calling_thread_and_its_context(port: int) -> None:
    run_program(
        port,
        """
        who = contextvars.ContextVar("who")
        client = sync.CacheClient(at, default_ttl=60)
        cache = client.cache("cache")
        client.flush_cache("cache")
        def nest(name, depth):
            assert who.get() == name and threading.current_thread().name == name
            if depth:
                cache.get_or_set(f"{name}-{depth}", lambda: nest(name, depth - 1))
            return "made"
        failures = []
        def run(name):
            who.set(name)
            try:
                nest(name, 20)
            except BaseException as failure:
                failures.append(failure)
        threads = [threading.Thread(target=run, args=(f"t{i}",), name=f"t{i}", daemon=True) for i in range(64)]
        [t.start() for t in threads]
        [t.join(20) for t in threads]
        assert not failures and not any(t.is_alive() for t in threads), failures
        """,
    )


def test_threads_share_one_factory_call_and_its_error(port: int) -> None:
    run_program(
        port,
        """
        client = sync.CacheClient(at, default_ttl=60)
        cache = client.cache("cache")
        client.flush_cache("cache")
        loads, gate, got = [], threading.Event(), []
        def load():
            loads.append(1)
            gate.wait(10)
            if len(loads) == 1:
                raise LookupError("first")
            return "value"
        def run():
            try:
                got.append(cache.get_or_set("k", load))
            except LookupError as error:
                got.append(str(error))
        threads = [threading.Thread(target=run, daemon=True) for _ in range(10)]
        [t.start() for t in threads]
        while client._async._calls.flights.waiting() < 9:
            pass
        gate.set()
        [t.join(10) for t in threads]
        assert got == ["first"] * 10 and len(loads) == 1, (got, loads)
        assert cache.get_or_set("k", load) == b"value"
        """,
    )


def test_factories_that_need_each_others_keys_do_not_deadlock(port: int) -> None:
    run_program(
        port,
        """
        client = sync.CacheClient(at, default_ttl=60)
        cache = client.cache("cache")
        client.flush_cache("cache")
        met = threading.Barrier(2)
        def make(mine, others, wait=True):
            if wait:
                met.wait(10)
            cache.get_or_set(others, lambda: "plain")
            return mine
        threads = [
            threading.Thread(target=lambda: cache.get_or_set("a", lambda: make("a", "b")), daemon=True),
            threading.Thread(target=lambda: cache.get_or_set("b", lambda: make("b", "a")), daemon=True),
        ]
        [t.start() for t in threads]
        [t.join(10) for t in threads]
        assert not any(t.is_alive() for t in threads)
        assert cache.get_or_set("own", lambda: cache.get_or_set("own", lambda: "inner")) == b"inner"

        async def main():
            async with CacheClient(at, default_ttl=60) as client:
                cache = client.cache("cache")
                await client.flush_cache("cache")
                both = [asyncio.Event(), asyncio.Event()]
                async def plain():
                    return "plain"
                async def make(i):
                    both[i].set()
                    await both[1 - i].wait()
                    await asyncio.gather(*(cache.get_or_set("ab"[1 - i], plain) for _ in range(2)))
                    return "ab"[i]
                made = asyncio.gather(*(cache.get_or_set("ab"[i], lambda i=i: make(i)) for i in range(2)))
                assert set(await asyncio.wait_for(made, 10)) <= {b"a", b"b", b"plain"}
                async def own():
                    return await cache.get_or_set("own", plain)
                assert await asyncio.wait_for(cache.get_or_set("own", own), 10) == b"plain"
        asyncio.run(main())
        """,
    )


def test_blocking_client_raises_inside_a_running_loop(port: int) -> None:
    run_program(
        port,
        """
        client = sync.CacheClient(at, default_ttl=60)
        async def use():
            try:
                client.cache("cache").results.get("k")
            except RuntimeError as error:
                assert "event loop" in str(error)
                return
            raise AssertionError("not refused")
        asyncio.run(use())
        assert isinstance(client.cache("cache").results.get("absent"), r.Miss)
        client.close()
        client.close()
        answer = client.cache("cache").results.get("k")
        assert isinstance(answer, r.Error) and "closed" in answer.message, answer
        """,
    )


def test_forked_child_makes_calls_of_every_kind(port: int) -> None:
    run_program(
        port,
        """
        client = sync.CacheClient(at, default_ttl=60)
        large = bytes(200_000)
        assert isinstance(client.cache("cache").results.set("large", large), r.Success)
        def use():
            for value in (large, bytes(300_000)):
                answer = client.cache("cache").results.set("large", value)
                assert isinstance(answer, r.Success), answer
                assert client.cache("cache").results.get("large") == r.Hit(value)
            assert client.cache("cache").results.set("large", large) == r.Success()
            assert "cache" in client.list_caches().names
            try:
                client.flush_cache("absent")
                raise AssertionError("it was flushed")
            except CacheError as error:
                assert error.code is ErrorCode.NOT_FOUND, error
            assert client.cache("cache").results.set_batch({f"large {n}": large for n in range(3)})
            assert client.cache("cache").results.get("large 2") == r.Hit(large)
            assert isinstance(client.cache("cache").results.set("small", "v"), r.Success)
            assert client.cache("cache").results.get("small") == r.Hit(b"v")
        assert child(use) == 0
        assert child(lambda: child(use)) == 0
        assert client.cache("cache").results.get("large") == r.Hit(large)
        """,
    )


def test_forked_child_cannot_use_a_subscription_of_its_parent(port: int) -> None:
    run_program(
        port,
        """
        from larder_cache import TopicStart
        from larder_cache.topic_event import Item
        client = sync.CacheClient(at, default_ttl=60)
        topic = f"forked-{os.getpid()}"
        subscription = client.cache("cache").results.subscribe(topic, start=TopicStart.NOW)
        assert subscription.established() is None
        def use():
            for act in (lambda: next(subscription), subscription.established):
                try:
                    act()
                except RuntimeError as error:
                    assert "before the process was forked" in str(error), error
                else:
                    raise AssertionError("not refused")
            subscription.close()
            own = client.cache("cache").results.subscribe(topic + "-child", start=TopicStart.NOW)
            assert own.established() is None
            assert client.cache("cache").results.publish(topic + "-child", "mine") == r.Success()
            event = next(own)
            assert isinstance(event, Item) and event.value == "mine", event
            own.close()
        assert child(use) == 0
        assert child(lambda: subscription.__del__()) == 0
        assert isinstance(client.cache("cache").results.publish(topic, "still"), r.Success)
        event = next(subscription)
        assert isinstance(event, Item) and event.value == "still", event
        subscription.close()
        """,
    )


def test_subscription_is_released_when_its_event_loop_ends(port: int) -> None:
    run_program(
        port,
        """
        from larder_cache.topic_event import Item
        client = CacheClient(at, default_ttl=60)
        kept = []
        async def use(n):
            topic = f"loops-{os.getpid()}-{n}"
            subscription = client.cache("cache").results.subscribe(topic)
            assert await subscription.established() is None
            assert client.statistics().topics.subscriptions == 1
            await client.cache("cache").results.publish(topic, str(n))
            event = await anext(subscription)
            assert isinstance(event, Item) and event.value == str(n)
            kept.append(subscription)
        for n in range(3):
            asyncio.run(use(n))
        async def again():
            try:
                await anext(kept[0])
            except RuntimeError as error:
                assert "belongs to another event loop" in str(error), error
                return
            raise AssertionError("not refused")
        asyncio.run(again())
        kept.clear()
        """,
    )


def test_interrupt_ends_a_blocked_subscription_and_frees_its_stream(port: int) -> None:
    run_program(
        port,
        """
        import signal
        client = sync.CacheClient(at, default_ttl=60)
        subscription = client.cache("cache").results.subscribe(f"interrupted-{os.getpid()}")
        assert subscription.established() is None
        threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT)).start()
        try:
            for event in subscription:
                raise AssertionError(event)
        except KeyboardInterrupt:
            pass
        else:
            raise AssertionError("not interrupted")
        while client.statistics().topics.subscriptions:
            pass
        assert list(subscription) == []
        """,
    )
