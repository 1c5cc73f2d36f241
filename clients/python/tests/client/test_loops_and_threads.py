"""C3: each event loop and thread gets separate connections.

Threads share factory calls without a deadlock. A subscription ends with its event loop or with an interrupt.
"""

from __future__ import annotations

from tests.support.programs import run_program


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
