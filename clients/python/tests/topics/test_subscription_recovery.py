"""Transient errors and lost connections: a subscription backs off and resumes on another stream (N4, TOP-24)."""

from __future__ import annotations

import asyncio

import grpc
import pytest

from larder_cache import CacheClient, CredentialProvider
from larder_cache._internal.topics import subscription_state
from larder_cache.topic_event import Discontinuity, Item
from tests.conftest import until
from tests.support.proxy import Proxy
from tests.topics.conftest import quick, topics_client
from tests.topics.fake_topics import PAGE, FakeTopics, Stream


@pytest.mark.parametrize(
    "status",
    [
        grpc.StatusCode.CANCELLED,
        grpc.StatusCode.UNKNOWN,
        grpc.StatusCode.DEADLINE_EXCEEDED,
        grpc.StatusCode.ABORTED,
        grpc.StatusCode.OUT_OF_RANGE,
        grpc.StatusCode.INTERNAL,
        grpc.StatusCode.UNAVAILABLE,
        grpc.StatusCode.DATA_LOSS,
        None,
    ],
)
async def test_top_24_subscription_resumes_after_transient_error_or_ok_status(
    topics: FakeTopics, client: CacheClient, status: grpc.StatusCode | None
) -> None:
    async def script(stream: Stream) -> None:
        at = stream.asked[0] or 1
        await stream.item(at, str(at))
        if status is not None:
            await stream.fail(status)

    topics.script = script
    subscription = client.cache("cache").results.subscribe("t")
    assert [await anext(subscription) for _ in range(4)] == [Item(str(n), n, PAGE) for n in range(1, 5)]
    assert [asked[:2] for asked in topics.asked[:4]] == [(0, 0), (2, PAGE), (3, PAGE), (4, PAGE)]


async def test_subscription_resumes_after_a_connection_reset(topics: FakeTopics) -> None:
    async with Proxy(topics.port) as proxy:
        credentials = CredentialProvider.local(port=proxy.port)
        async with CacheClient(credentials, default_ttl=60, configuration=quick()) as client:
            subscription = client.cache("cache").results.subscribe("t")
            for number in range(1, 6):
                topics.say("t", str(number))
                assert await anext(subscription) == Item(str(number), number, PAGE)
                proxy.cut()
            assert client.statistics().topics.reconnects >= 4


async def test_top_7_subscription_resumes_after_a_server_restart_without_loss(topics: FakeTopics) -> None:
    async with topics_client(topics) as client:
        subscription = client.cache("cache").results.subscribe("t")
        topics.say("t", "one")
        assert await anext(subscription) == Item("one", 1, PAGE)
        port = topics.port
        await topics.stop()
        async with FakeTopics(port) as again:
            again.say("t", "one", "two")
            assert await anext(subscription) == Item("two", 2, PAGE)
            assert again.asked[0] == (2, PAGE, False)
            again.say("t", "three")
            assert await anext(subscription) == Item("three", 3, PAGE)
            await subscription.aclose()


async def test_subscription_backs_off_between_retries_while_server_is_unavailable(topics: FakeTopics) -> None:
    async def script(stream: Stream) -> None:
        if len(topics.asked) in (1, 12):
            await stream.item(len(topics.asked), "up")
        await stream.fail(grpc.StatusCode.UNAVAILABLE, "down", "not_executed")

    topics.script = script
    async with topics_client(topics, initial_back_off_s=0.002, max_back_off_s=0.016) as client:
        loop = asyncio.get_running_loop()
        subscription = client.cache("cache").results.subscribe("t")
        began = loop.time()
        assert await anext(subscription) == Item("up", 1, PAGE)
        assert await anext(subscription) == Discontinuity(1, 12, PAGE)
        # There are eleven waits. Each wait is at least half of its nominal time, which is 2, 4, 8 and then 16 ms.
        assert loop.time() - began >= (2 + 4 + 8 + 8 * 16) / 2_000
        await subscription.aclose()


async def test_retry_7_disconnected_subscriptions_share_a_few_connection_attempts(
    topics: FakeTopics,
) -> None:
    async with Proxy(topics.port) as proxy:
        credentials = CredentialProvider.local(port=proxy.port)
        configuration = quick(initial_back_off_s=0.08, max_back_off_s=1.0)
        async with CacheClient(credentials, default_ttl=60, configuration=configuration) as client:
            subscriptions = [client.cache("cache").results.subscribe("t") for _ in range(100)]
            assert set(await asyncio.gather(*(each.established() for each in subscriptions))) == {None}
            loop = asyncio.get_running_loop()
            target, proxy.target, before, began = proxy.target, 1, proxy.accepted, loop.time()
            proxy.cut()
            await until(lambda: client.statistics().topics.reconnects >= 500)
            # The first waits are 100, 160 and 256 ms, and jitter shortens each by at most a fifth.
            assert proxy.accepted - before <= 4 + (loop.time() - began) / 0.25
            proxy.target = target
            topics.say("t", "back")
            for each in subscriptions:
                assert await anext(each) == Item("back", 1, PAGE)
            await asyncio.gather(*(each.aclose() for each in subscriptions))
            await until(lambda: client.statistics().connections == 0)


async def test_n4_silently_lost_connection_is_replaced_and_subscription_resumes(
    topics: FakeTopics, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(subscription_state, "_SILENCE_S", 0.2)
    async with Proxy(topics.port) as proxy:
        credentials = CredentialProvider.local(port=proxy.port)
        async with CacheClient(credentials, default_ttl=60, configuration=quick()) as client:
            subscription = client.cache("cache").results.subscribe("t")
            topics.say("t", "one")
            assert await anext(subscription) == Item("one", 1, PAGE)
            proxy.freeze()
            topics.say("t", "two")
            assert await anext(subscription) == Item("two", 2, PAGE)
            assert topics.asked[-1] == (2, PAGE, False)
