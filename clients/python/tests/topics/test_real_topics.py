"""Topics of the real server: restarts, deleted caches and slow readers."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator

import pytest

from larder_cache import CacheClient, CredentialProvider, ErrorCode, TopicStart
from larder_cache import responses as r
from larder_cache._internal.topics import subscription_state
from larder_cache.topic_event import Discontinuity, Error, Heartbeat, Item
from tests.support.larder_server import larder_server
from tests.topics.conftest import quick


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    with larder_server("--topic-heartbeat", "0.1s") as running:
        yield running


def _client(port: int) -> CacheClient:
    return CacheClient(CredentialProvider.local(port=port), default_ttl=60, configuration=quick())


async def test_real_subscription_receives_numbered_items_and_can_resume(port: int) -> None:
    async with _client(port) as client:
        cache = client.cache("cache").results
        async with cache.subscribe("a", start=TopicStart.NOW) as subscription:
            for value in ("größe", b"\xff", "", "x" * 1_048_576):
                assert await cache.publish("a", value) == r.SUCCESS
            told = [await anext(subscription) for _ in range(4)]
        assert [each.value for each in told if isinstance(each, Item)] == ["größe", b"\xff", "", "x" * 1_048_576]
        assert [each.number for each in told if isinstance(each, Item)] == [1, 2, 3, 4]
        last = told[-1]
        assert isinstance(last, Item)
        assert await cache.publish("a", "next") == r.SUCCESS
        resumed = cache.subscribe("a", resume_at=5, page=last.page)
        assert await anext(resumed) == Item("next", 5, last.page)
        refused = await cache.publish("a", "x" * 1_048_577)
        assert isinstance(refused, r.Error) and refused.code is ErrorCode.LIMIT_EXCEEDED


async def test_top_7_deleted_cache_ends_its_subscriptions_with_not_found(port: int) -> None:
    async with _client(port) as client:
        await client.create_cache("gone")
        subscription = client.cache("gone").results.subscribe("t")
        assert await subscription.established() is None
        await client.delete_cache("gone")
        [error] = [event async for event in subscription]
        assert isinstance(error, Error) and error.code is ErrorCode.NOT_FOUND
        [error] = [event async for event in client.cache("gone").results.subscribe("t")]
        assert isinstance(error, Error) and error.code is ErrorCode.NOT_FOUND


async def test_top_1_heartbeats_arrive_on_an_idle_topic(port: int) -> None:
    async with _client(port) as client:
        subscription = client.cache("cache").results.subscribe("beats", heartbeats=True)
        assert [await anext(subscription) for _ in range(3)] == [Heartbeat()] * 3


async def test_top_26_blocking_the_event_loop_does_not_lose_the_stream(
    port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(subscription_state, "_SILENCE_S", 0.6)
    async with _client(port) as client:
        async with client.cache("cache").results.subscribe("still", start=TopicStart.NOW) as subscription:
            for number in range(1, 4):
                # Block the event loop, so that nothing in this process runs. This is the fault that the test simulates.
                time.sleep(1.5)
                assert await client.cache("cache").results.publish("still", "v") == r.SUCCESS
                event = await anext(subscription)
                assert isinstance(event, Item) and event.number == number
        assert client.statistics().topics.reconnects == 0


async def test_top_4_only_the_slow_reader_is_notified_of_a_gap(port: int) -> None:
    async with _client(port) as client:
        slow = client.cache("cache").results.subscribe("slow", start=TopicStart.NOW)
        quick_one = client.cache("cache").results.subscribe("slow", start=TopicStart.NOW)
        assert await slow.established() is None and await quick_one.established() is None
        value = b"x" * 100_000
        for number in range(1, 401):
            assert await client.cache("cache").results.publish("slow", value) == r.SUCCESS
            event = await anext(quick_one)
            assert isinstance(event, Item) and event.number == number
        expected = 1
        gaps = 0
        while expected <= 400:
            event = await anext(slow)
            if isinstance(event, Discontinuity):
                gaps += 1
                assert event.last == expected - 1 and event.next > expected
                expected = event.next
            else:
                assert isinstance(event, Item) and event.number == expected
                expected += 1
        assert gaps == 1


@pytest.mark.parametrize("topics", [1, 5_000])
async def test_5000_subscriptions_of_one_client_receive_their_own_items(topics: int) -> None:
    # Use the default heartbeat interval, because an event loop in Python cannot process ten times as many heartbeats.
    with larder_server() as usual:
        await _check_subscribers(usual, topics)


async def _check_subscribers(port: int, topics: int) -> None:
    async with _client(port) as client:
        names = [f"of{topics}-{number}" for number in range(topics)]
        many = [
            client.cache("cache").results.subscribe(names[each % topics], start=TopicStart.NOW) for each in range(5_000)
        ]
        assert await asyncio.gather(*(each.established() for each in many)) == [None] * 5_000
        for name in names:
            assert await client.cache("cache").results.publish(name, name) == r.SUCCESS
        events = await asyncio.gather(*(anext(each) for each in many))
        told = [event.value for event in events if isinstance(event, Item)]
        assert told == [names[each % topics] for each in range(5_000)]
        await asyncio.gather(*(each.aclose() for each in many))


async def test_top_2_server_restart_causes_one_gap_and_a_new_page() -> None:
    with larder_server() as port:
        client = _client(port)
        subscription = client.cache("cache").results.subscribe("t")
        assert await client.cache("cache").results.publish("t", "before") == r.SUCCESS
        before = await anext(subscription)
        assert isinstance(before, Item) and before.number == 1
    with larder_server(port=port):
        while isinstance(await client.cache("cache").results.publish("t", "after"), r.Error):
            pass
        gap, after = await anext(subscription), await anext(subscription)
        assert isinstance(after, Item) and (after.value, after.number) == ("after", 1)
        assert gap == Discontinuity(1, 1, after.page) and after.page > before.page
        await client.aclose()
