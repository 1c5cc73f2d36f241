"""C3: each forked process gets separate connections, and cannot use a subscription of its parent."""

from __future__ import annotations

from tests.support.programs import run_program


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
