"""The fake server: clients that share it, its clock, the errors that a test requests, and its counts."""

from __future__ import annotations

import asyncio
import math
import threading
from datetime import timedelta
from typing import Any

import pytest

from larder_cache import CacheClient, CacheError, Configurations, ErrorCode, NearCache
from larder_cache import responses as r
from larder_cache import sync
from larder_cache._internal.operations._generated import operations
from larder_cache._internal.operations.operation import Operation
from larder_cache._internal.testing.clock import MOST_ADVANCE_S
from larder_cache._internal.testing.faults import MOST_FAULTS, MOST_TIMES
from larder_cache._internal.testing.rpcs import Rpcs
from larder_cache.configuration import Transport
from larder_cache.fake import FakeServer
from tests.conftest import run_alone
from tests.support.larder_server import larder_server


async def test_fake_server_shares_items_only_among_its_own_clients() -> None:
    fake, other = FakeServer(), FakeServer()
    one, two = fake.client(), fake.client(default_ttl=5)
    assert await one.cache("cache").results.set("k", "v") == r.SUCCESS
    assert await two.cache("cache").results.get("k") == r.Hit(b"v")
    assert await other.client().cache("cache").results.get("k") == r.MISS
    # Each client has its own default TTL.
    await two.cache("cache").results.set("two", "v")
    fake.advance(5)
    assert await one.cache("cache").results.get("two") == r.MISS and await two.cache("cache").results.get("k") == r.Hit(
        b"v"
    )


def test_fake_server_shares_items_with_blocking_clients_on_any_thread() -> None:
    fake = FakeServer(caches=("a", "b"))
    with fake.sync_client() as client:
        assert client.list_caches() == r.Caches(["a", "b"], {"a": 86_400, "b": 86_400})
        threads = [
            threading.Thread(target=lambda: [client.cache("a").results.increment("n") for _ in range(200)])
            for _ in range(8)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert client.cache("a").results.get("n") == r.Hit(b"1600") and client.cache("a").get("n") == b"1600"

    async def read() -> None:
        assert await fake.client().cache("a").results.get("n") == r.Hit(b"1600")

    run_alone(read())


async def test_fake_client_validates_arguments_and_shares_concurrent_loads() -> None:
    fake = FakeServer()
    client = fake.client()
    with pytest.raises(TypeError):
        await client.cache("cache").results.get(7)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    for refused in (
        await client.cache("cache").results.get(""),
        await client.cache(" ").results.get("k"),
        await client.cache("cache").with_timeout(0).results.get("k"),
        await client.cache("cache").results.set("k", "v", ttl=-1),
    ):
        assert isinstance(refused, r.Error) and refused.code is ErrorCode.INVALID_ARGUMENT
    assert not fake.received
    loads = 0

    async def load() -> str:
        nonlocal loads
        loads += 1
        await asyncio.sleep(0)
        return "made"

    assert set(await asyncio.gather(*(client.cache("cache").results.get_or_set("k", load) for _ in range(20)))) == {
        b"made"
    }
    assert loads == 1 and fake.received["set"] == 1
    assert client.held() == {"flights": 0, "subscriptions": 0}


async def test_fake_server_receives_oversized_batches_in_parts() -> None:
    fake = FakeServer()
    client = fake.client()
    items = [(f"k{i}", b"x" * 4_000_000) for i in range(3)]
    assert await client.cache("cache").results.set_batch(items) == r.SUCCESS
    assert fake.received["set_batch"] == 2
    found = await client.cache("cache").results.get_batch([key for key, _ in items])
    assert isinstance(found, r.GetBatchSuccess) and all(isinstance(each, r.Hit) for each in found.responses)


async def test_fake_server_time_changes_only_when_advanced() -> None:
    fake = FakeServer(max_ttl=timedelta(days=365))
    client = fake.client()
    await client.cache("cache").results.set("k", "v", ttl=1)
    assert await client.cache("cache").results.item_get_ttl("k") == r.RemainingTtl(999)
    fake.advance(timedelta(milliseconds=999))
    assert await client.cache("cache").results.item_get_ttl("k") == r.RemainingTtl(0)
    fake.advance(0)
    assert await client.cache("cache").results.get("k") == r.Hit(b"v")
    fake.advance(0.001)
    assert await client.cache("cache").results.get("k") == r.MISS


@pytest.mark.parametrize(
    "seconds", [-1, -0.001, math.nan, math.inf, MOST_ADVANCE_S + 1, 10 * MOST_ADVANCE_S, 10**400]
)
def test_advance_rejects_seconds_outside_the_allowed_range(seconds: Any) -> None:
    fake = FakeServer()
    fake.advance(MOST_ADVANCE_S)
    with pytest.raises(ValueError, match="the time to advance must be"):
        fake.advance(seconds)


@pytest.mark.parametrize("seconds", ["1", None, True, b"1", [1]])
def test_advance_rejects_seconds_that_are_not_a_number(seconds: Any) -> None:
    with pytest.raises(TypeError, match="the time to advance must be"):
        FakeServer().advance(seconds)


async def test_fail_applies_only_to_the_next_matching_call() -> None:
    fake = FakeServer()
    client = fake.client()
    fake.fail(ErrorCode.LIMIT_EXCEEDED, "set", cause="item_size_limit_exceeded")
    assert await client.cache("cache").results.get("k") == r.MISS
    failed = await client.cache("cache").results.set("k", "v")
    assert isinstance(failed, r.Error)
    assert (failed.code, failed.cause) == (ErrorCode.LIMIT_EXCEEDED, "item_size_limit_exceeded")
    assert await client.cache("cache").results.get("k") == r.MISS
    assert await client.cache("cache").results.set("k", "v") == r.SUCCESS
    assert fake.received == {"get": 2, "set": 2}


async def test_fail_with_times_injects_errors_into_several_calls_in_order() -> None:
    fake = FakeServer()
    plain = fake.client().cache("cache")
    fake.fail(ErrorCode.TIMEOUT, times=2)
    fake.fail(ErrorCode.UNAVAILABLE, "get", times=None)
    codes: list[ErrorCode] = []
    for _ in range(5):
        with pytest.raises(CacheError) as raised:
            await plain.get("k")
        codes.append(raised.value.code)
    assert codes == [ErrorCode.TIMEOUT] * 2 + [ErrorCode.UNAVAILABLE] * 3
    await plain.set("k", "v")
    fake.clear_faults()
    assert await plain.get("k") == b"v"


async def test_fail_with_ran_true_executes_the_call_before_failing() -> None:
    fake = FakeServer()
    client = fake.client()
    fake.fail(ErrorCode.TIMEOUT, "increment", ran=True)
    hidden = await client.cache("cache").results.increment("n")
    assert isinstance(hidden, r.Error) and hidden.code is ErrorCode.TIMEOUT
    assert await client.cache("cache").results.increment("n") == r.Incremented(2)


async def test_fail_accepts_every_error_code_and_operation() -> None:
    fake = FakeServer()
    client = fake.client()
    for code in ErrorCode:
        fake.fail(code)
        with pytest.raises(CacheError) as failed:
            await client.ping()
        assert failed.value.code is code
    for each in vars(operations).values():
        if isinstance(each, Operation):
            fake.fail(ErrorCode.INTERNAL, each.name)


def test_fail_rejects_invalid_arguments() -> None:
    fake = FakeServer()
    wrong: list[tuple[type[Exception], dict[str, Any]]] = [
        (TypeError, {"code": "Timeout"}),
        (TypeError, {"operation": 7}),
        (ValueError, {"operation": "set_if_absent"}),
        (TypeError, {"times": 1.0}),
        (TypeError, {"times": True}),
        (ValueError, {"times": 0}),
        (ValueError, {"times": MOST_TIMES + 1}),
        (ValueError, {"times": 10 * MOST_TIMES}),
        (TypeError, {"cause": 7}),
        (TypeError, {"ran": 1}),
    ]
    for kind, arguments in wrong:
        with pytest.raises(kind, match=next(iter(arguments))):
            ordered: dict[str, Any] = {"code": ErrorCode.TIMEOUT} | arguments
            fake.fail(**ordered)
    for _ in range(MOST_FAULTS):
        fake.fail(ErrorCode.TIMEOUT, times=MOST_TIMES)
    for _ in range(10):
        with pytest.raises(ValueError, match="already has 1,000 injected errors"):
            fake.fail(ErrorCode.TIMEOUT)
    fake.clear_faults()
    fake.fail(ErrorCode.TIMEOUT)


@pytest.mark.parametrize(
    ("error", "arguments"),
    [
        (TypeError, {"caches": "cache"}),
        (TypeError, {"caches": [7]}),
        (ValueError, {"caches": [" "]}),
        (ValueError, {"caches": ["a" * 256]}),
        (ValueError, {"caches": ["a", "a"]}),
        (ValueError, {"caches": map(str, range(1_001))}),
        (TypeError, {"max_ttl": "1h"}),
        (ValueError, {"max_ttl": 0}),
        (ValueError, {"max_ttl": timedelta(days=366)}),
        (TypeError, {"max_topics": True}),
        (ValueError, {"max_topics": 0}),
        (ValueError, {"max_topics": 1_000_001}),
        (TypeError, {"max_topic_subscribers": "1"}),
        (ValueError, {"max_topic_subscribers": -1}),
    ],
)
def test_fake_server_rejects_invalid_options(error: type[Exception], arguments: dict[str, Any]) -> None:
    with pytest.raises(error):
        FakeServer(**arguments)


async def test_fake_server_rejects_a_cache_over_its_limit() -> None:
    fake = FakeServer(caches=map(str, range(1_000)))
    client = fake.client()
    with pytest.raises(CacheError, match="LimitExceeded"):
        await client.create_cache("more")
    await client.delete_cache("0")
    await client.create_cache("more")


async def test_closing_a_fake_client_does_not_stop_its_server() -> None:
    fake = FakeServer()
    async with fake.client() as client:
        await client.cache("cache").results.set("k", "v")
    closed = await client.cache("cache").results.get("k")
    assert isinstance(closed, r.Error) and closed.code is ErrorCode.CANCELLED
    assert await fake.client().cache("cache").results.get("k") == r.Hit(b"v")


def test_closed_blocking_fake_client_returns_cancelled() -> None:
    client = FakeServer().sync_client()
    client.close()
    closed = client.cache("cache").results.get("k")
    assert isinstance(closed, r.Error) and closed.code is ErrorCode.CANCELLED


async def test_fake_call_yields_to_the_event_loop() -> None:
    fake = FakeServer()
    client, plain = fake.client(), fake.client().cache("cache")

    async def write() -> None:
        await client.cache("cache").results.set("k", "v")

    writing = asyncio.ensure_future(write())
    while await plain.get("k") is None:
        pass
    await writing


async def test_fake_client_ignores_transport_settings() -> None:
    near = Configurations.Laptop.latest().with_settings(near_cache=NearCache(max_bytes=65_536))
    client = FakeServer().client(configuration=near)
    await client.cache("cache").results.set("k", "v")
    assert await client.cache("cache").results.get("k") == r.Hit(b"v")
    assert client.near_cache is None and client.cache("cache").results.try_get_near("k") is None
    assert client.configuration is near
    now = client.statistics()
    assert (now.in_flight, now.in_flight_limit, now.queued, now.connections, now.pipelined) == (0, None, 0, 0, False)
    unary = Configurations.Laptop.latest().with_settings(transport=Transport.UNARY)
    async with FakeServer().client(configuration=unary) as other:
        assert await other.connect()


def test_blocking_fake_client_raises_inside_a_running_loop() -> None:
    client = FakeServer().sync_client()

    async def misuse() -> None:
        with pytest.raises(RuntimeError, match="event loop"):
            client.cache("cache").results.get("k")

    run_alone(misuse())


async def test_client_subclass_can_use_a_fake_server() -> None:
    fake = FakeServer()

    class CustomClient(CacheClient):
        pass

    class CustomBlockingClient(sync.CacheClient):
        pass

    await CustomClient(default_ttl=60, calls=fake.calls).cache("cache").results.set("k", "v")
    blocking = CustomBlockingClient(default_ttl=60, calls=fake.blocking_calls)
    assert await asyncio.to_thread(blocking.cache("cache").results.get, "k") == r.Hit(b"v")


async def test_delete_each_makes_one_fake_call_per_key() -> None:
    fake = FakeServer()
    client = fake.client()
    assert await client.cache("cache").results.delete_each(["a", "b"]) == [r.SUCCESS] * 2
    assert fake.received == {"delete": 2}


def test_fake_server_supports_every_operation() -> None:
    rpcs = vars(Rpcs(FakeServer()._caches))["_control"]  # pyright: ignore[reportPrivateUsage]
    from larder_cache._internal.testing.rpcs import _ON_ITEMS  # pyright: ignore[reportPrivateUsage]

    for each in vars(operations).values():
        if isinstance(each, Operation) and each is not operations.PUBLISH:
            assert each.path in rpcs or each.path in _ON_ITEMS, each.name


def test_errors_of_a_fake_begin_like_errors_of_a_server() -> None:
    fake = FakeServer()
    with (
        larder_server() as port,
        fake.sync_client() as faked,
        sync.CacheClient(f"http://127.0.0.1:{port}", default_ttl=60) as real,
    ):
        for client in (faked, real):
            calls = client.cache("missing").results
            assert answer_text(calls.get("k")).startswith("get in cache 'missing': cache 'missing' does not exist")
            subscribed = "subscribe to 't' in cache 'missing': cache 'missing' does not exist"
            assert answer_text(next(calls.subscribe("t"))).startswith(subscribed)
    fake.fail(ErrorCode.UNAVAILABLE, operation="get")
    fake.fail(ErrorCode.UNAVAILABLE, operation="subscribe")
    fake.fail(ErrorCode.UNAVAILABLE, operation="ping")
    with fake.sync_client() as client:
        cache = client.cache("cache").results
        assert answer_text(cache.get("k")) == "get in cache 'cache': the test injected Unavailable into the fake server"
        assert answer_text(next(cache.subscribe("t"))).startswith(
            "subscribe to 't' in cache 'cache': the test injected"
        )
        with pytest.raises(CacheError, match="Unavailable: ping: the test injected"):
            client.ping()


def answer_text(answer: object) -> str:
    assert isinstance(answer, r.Error)
    return answer.message
