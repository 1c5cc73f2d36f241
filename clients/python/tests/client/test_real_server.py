"""The client with the real server. The fake server does not have the tested behaviour."""

from __future__ import annotations

import asyncio
import os
import re
import time

import pytest

from examples import (
    batches,
    cache_aside,
    cart,
    conditions,
    first_steps,
    game,
    jobs,
    leaderboard,
    metrics,
    near_cache,
    one_load,
    pages,
    rate_limit,
    sessions,
    topics,
    typed_values,
)
from larder_cache import CacheClient, CacheError, Configuration, Configurations, CredentialProvider, ErrorCode
from larder_cache import responses as r
from larder_cache import sync
from protobuf_messages import pipeline_pb2 as pipe
from tests.conftest import client_of, until
from tests.support.fake_server import FakeServer


def _client(port: int, configuration: Configuration) -> CacheClient:
    return CacheClient(CredentialProvider.local(port=port), default_ttl=60, configuration=configuration)


@pytest.mark.parametrize(
    "transport",
    [
        "auto",
        pytest.param(
            "unary",
            marks=pytest.mark.skipif(
                "LARDER_LONG" not in os.environ, reason="needs a machine that is not busy; LARDER_LONG=1 runs it"
            ),
        ),
    ],
)
async def test_5000_concurrent_gets_meet_a_deadline_of_1100_ms(port: int, transport: str) -> None:
    configuration = Configurations.InRegion.Default.v1()
    if transport == "unary":
        from larder_cache import Transport

        configuration = configuration.with_settings(transport=Transport.UNARY)
    assert configuration.request_timeout_s == 1.1
    async with _client(port, configuration) as client:
        # A server that has just started JIT-compiles the code of its first calls. Measure only afterwards.
        while not isinstance(await client.cache("cache").results.set("k", "v" * 100), r.Success):
            pass
        answers = await asyncio.gather(*(client.cache("cache").results.get("k") for _ in range(5_000)))
        assert {type(answer) for answer in answers} == {r.Hit}


async def test_large_values_bypass_the_pipeline(port: int, configuration: Configuration) -> None:
    async with _client(port, configuration) as client:
        for size in (65_535, 65_536, 65_537, 1_000_000, 4_000_000):
            value = os.urandom(size)
            assert isinstance(await client.cache("cache").results.set(f"large-{size}", value), r.Success)
            assert await client.cache("cache").results.get(f"large-{size}") == r.Hit(value)


async def test_pipeline_accepts_non_ascii_cache_names(port: int, configuration: Configuration) -> None:
    async with _client(port, configuration) as client:
        name = f"vorräte 🧺 {configuration.transport.value}"
        await client.create_cache(name)
        answer = await client.cache(name).results.set("k", "v")
        if configuration.transport.value == "pipeline":
            assert isinstance(answer, r.Success)
            assert await client.cache(name).results.get("k") == r.Hit(b"v")
        else:
            # A unary call sends the name of the cache as metadata, which must be ASCII.
            assert isinstance(answer, r.Error) and answer.code is ErrorCode.INVALID_ARGUMENT


async def test_error_message_contains_call_details_but_not_the_key(port: int, configuration: Configuration) -> None:
    async with _client(port, configuration) as client:
        answer = await client.cache("no such cache").results.get("a secret key")
        assert isinstance(answer, r.Error) and answer.code is ErrorCode.NOT_FOUND
        for said in (
            "get",
            "no such cache",
            "key of 12 bytes",
            "ms elapsed",
            "queued",
            "in flight",
            "attempt",
            "event loop",
        ):
            assert said in answer.message
        assert "secret" not in answer.message
        for call in (
            client.cache("no such cache").results.increment("k"),
            client.cache("no such cache").results.set_if_absent("k", "v"),
        ):
            answer = await call
            assert isinstance(answer, r.Error) and "key of 1 byte," in answer.message
        answer = await client.cache("no such cache").results.get_batch(["a secret key"])
        assert isinstance(answer, r.Error) and "key of" not in answer.message


async def test_timeout_error_reports_how_long_the_event_loop_was_blocked(
    server: FakeServer, configuration: Configuration
) -> None:
    async def nothing(_: pipe.Operation) -> pipe.Result | None:
        return None

    never = asyncio.Event()

    async def gate() -> None:
        await never.wait()

    brief = configuration.with_settings(max_retries=0)
    async with client_of(server, brief) as client:
        # Connect first, so that the deadline below does not include the time to connect.
        assert isinstance(await client.cache("cache").results.get("k"), r.Miss)
        server.on_operation = nothing
        server.unary_gate = gate
        call = asyncio.create_task(client.cache("cache").with_timeout(0.5).results.get("k"))
        await until(lambda: sum(server.received.values()) == 2)
        # Block the event loop, because the error message then reports how late the loop was.
        time.sleep(0.6)
        answer = await call
        assert isinstance(answer, r.Error) and answer.code is ErrorCode.TIMEOUT
        late = re.search(r"event loop up to (\d+) ms late", answer.message)
        assert late is not None and int(late[1]) >= 400, answer.message
        never.set()


async def test_cache_returns_plain_values_from_a_real_server(port: int) -> None:
    async with _client(port, Configurations.Laptop.v1()) as client:
        cache = client.cache("cache")
        await cache.set("bound", "1")
        assert await cache.get("bound") == b"1"
        assert await cache.get("absent") is None
        assert await cache.get("absent", 5) == 5
        assert not await cache.set_if_absent("bound", "2")
        assert await cache.increment("bound", 4) == 5
        assert await cache.increment("bound", -1) == 4
        assert await cache.key_exists("bound") and not await cache.key_exists("absent")
        assert await cache.update_ttl("bound", 30) and not await cache.update_ttl("absent", 30)
        left = await cache.item_get_ttl("bound")
        assert left is not None and 0 < left < 30
        await cache.set_batch({"a": "1", "b": b"2"})
        assert await cache.get_batch(["b", "absent", "a"]) == {"b": b"2", "a": b"1"}
        await cache.delete_each(["a", "b", "bound"])
        assert await cache.get_batch(["a", "b", "bound"]) == {}
        with pytest.raises(CacheError) as raised:
            await client.cache("no such cache").get("k")
        assert raised.value.code is ErrorCode.NOT_FOUND


def test_blocking_client_returns_values_from_a_real_server(port: int) -> None:
    with sync.CacheClient(CredentialProvider.local(port=port), default_ttl=60) as client:
        assert isinstance(client.cache("cache").results.set("blocking", "1"), r.Success)
        assert client.cache("cache").results.get("blocking") == r.Hit(b"1")
        assert client.cache("cache").increment("blocking") == 2
        calls: list[int] = []

        def make() -> str:
            calls.append(1)
            return "made"

        client.cache("cache").delete("blocking-made")
        assert [client.cache("cache").get_or_set("blocking-made", make) for _ in range(2)] == [b"made", b"made"]
        assert calls == [1]
        assert client.statistics().in_flight == 0


def test_blocking_client_raises_inside_a_running_loop(port: int) -> None:
    client = sync.CacheClient(CredentialProvider.local(port=port), default_ttl=60)

    async def call() -> None:
        with pytest.raises(RuntimeError, match="event loop"):
            client.cache("cache").results.get("k")

    loop = asyncio.new_event_loop()
    loop.run_until_complete(call())
    loop.close()
    client.close()


async def test_close_is_idempotent_and_later_calls_return_cancelled(port: int, configuration: Configuration) -> None:
    client = _client(port, configuration)
    await client.cache("cache").results.get("k")
    await client.aclose()
    await client.aclose()
    answer = await client.cache("cache").results.get("k")
    assert isinstance(answer, r.Error) and answer.code is ErrorCode.CANCELLED


async def test_examples_run_unchanged(port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LARDER_URL", f"http://127.0.0.1:{port}")
    assert await first_steps.main() == "hello"
    assert await cache_aside.main() == {"loads": 1, "user": {"id": 7, "name": "user 7"}}
    assert await one_load.main() == ["price list 1", "price list 1", "price list 2", "price list 2"]
    typed = ["True", "User(name='Grace', mail=None)", "True", "user:9", "user:8"]
    assert await typed_values.main() == typed
    assert await batches.main() == ["user:1 is Ada", "user:2 is Grace", "Hit", "Miss"]
    assert await game.main() == 'bo with 135; Ann of Bergen is online; "again?"'
    assert await pages.main() == "5,000 prices"
    assert await conditions.main() == ["Ada", "Barbara", "Edsger", "Grace", "[True, False, False]"]
    assert await topics.main() == ["order 1", "order 2", "later, order 3"]
    assert await near_cache.main() == ["b'12', 1000 hits", "b'13'", "seen"]
    assert await sessions.main() == ["Ada", "guest", "guest (Cancelled)"]
    assert await rate_limit.main() == ["5 of 8 pass", "retry within a minute: True", "without a cache: 0"]
    assert await cart.main() == [{"pencil": 3}, {}]
    assert await leaderboard.main() == ["130", "bo: 130", "ann: 120", "[3, None]"]
    assert await jobs.main() == ["backup after 1", "mail after 1", "report after 2"]
    kept = await metrics.main()
    assert kept.counts == {"cache.hits": 100, "cache.misses": 1}
    assert kept.gauges["cache.client.in_flight"]() == 0
