"""Topics of a fake server, on event loops and threads, with slow and fast readers."""

from __future__ import annotations

import asyncio
import threading
from typing import Any

import pytest

from larder_cache import CacheClient, ErrorCode, TopicStart, TopicSubscription
from larder_cache import responses as r
from larder_cache._internal.testing.follower import MOST_MESSAGES
from larder_cache._internal.topics.topic_buffer import MOST_EVENTS
from larder_cache.fake import FakeServer
from larder_cache.topic_event import Discontinuity, Heartbeat, Item
from tests.conftest import until


@pytest.fixture
def fake() -> FakeServer:
    return FakeServer()


@pytest.fixture
def client(fake: FakeServer) -> CacheClient:
    return fake.client()


async def numbers(subscription: TopicSubscription, count: int) -> list[Any]:
    events = [await anext(subscription) for _ in range(count)]
    return [each.number if isinstance(each, Item) else each for each in events]


async def test_fake_subscription_receives_items_of_other_clients_and_threads(
    fake: FakeServer, client: CacheClient
) -> None:
    async with client.cache("cache").results.subscribe("t") as followed:
        blocking = fake.sync_client()
        threads = [threading.Thread(target=blocking.cache("cache").publish, args=("t", f"{n}")) for n in range(3)]
        for thread in threads:
            thread.start()
        assert await numbers(followed, 3) == [1, 2, 3]
        for thread in threads:
            thread.join()


def test_blocking_fake_subscription_receives_published_items(fake: FakeServer) -> None:
    client = fake.sync_client()
    with client.cache("cache").results.subscribe("t") as followed:
        for n in range(2 * MOST_EVENTS):
            client.cache("cache").results.publish("t", f"{n}")
        got: list[int] = []
        for event in followed:
            if isinstance(event, Item):
                got.append(event.number)
                if event.number == 2 * MOST_EVENTS:
                    break
    assert got == sorted(got) and got[-1] == 2 * MOST_EVENTS
    assert next(followed, None) is None


async def test_fake_subscription_receives_every_item_of_a_fast_publisher(client: CacheClient) -> None:
    async with client.cache("cache").results.subscribe("t") as followed:
        taking = asyncio.ensure_future(numbers(followed, 5_000))
        await asyncio.gather(*(client.cache("cache").results.publish("t", "x") for _ in range(5_000)))
        assert await taking == list(range(1, 5_001))


@pytest.mark.parametrize("more", [0, 1, 10 * MOST_MESSAGES])
async def test_slow_fake_subscriber_gets_a_gap_and_continues(client: CacheClient, more: int) -> None:
    count = MOST_EVENTS + MOST_MESSAGES + more
    async with client.cache("cache").results.subscribe("t") as slow:
        for _ in range(count):
            await client.cache("cache").results.publish("t", "x")
        first = await numbers(slow, MOST_EVENTS)
        assert first == list(range(1, MOST_EVENTS + 1))
        if not more:
            assert await numbers(slow, MOST_MESSAGES) == list(range(MOST_EVENTS + 1, count + 1))
            return
        gap, *rest = await numbers(slow, 2)
        assert isinstance(gap, Discontinuity) and (gap.last, rest[-1]) == (MOST_EVENTS, gap.next)
        # The slow reader is still subscribed after the gap.
        while rest[-1] != count:
            rest += await numbers(slow, 1)
        await client.cache("cache").results.publish("t", "x")
        assert await numbers(slow, 1) == [count + 1]


async def test_fake_subscription_ends_on_cache_deletion_close_or_break(fake: FakeServer, client: CacheClient) -> None:
    await client.create_cache("other")
    ended = client.cache("other").results.subscribe("t")
    assert await ended.established() is None
    await client.delete_cache("other")
    last = await anext(ended)
    assert isinstance(last, r.Error) and last.code is ErrorCode.NOT_FOUND
    assert [each async for each in ended] == []

    another = fake.client()
    closed = another.cache("cache").results.subscribe("t")
    await closed.established()
    assert another.held()["subscriptions"] == another.statistics().topics.subscriptions == 1
    await another.aclose()
    assert [each async for each in closed] == []
    refused = await another.cache("cache").results.subscribe("t").established()
    assert isinstance(refused, r.Error) and refused.code is ErrorCode.CANCELLED

    await client.cache("cache").results.publish("t", "x")
    async for _ in client.cache("cache").results.subscribe("t"):
        break
    await until(lambda: client.held()["subscriptions"] == 0)


async def test_fail_makes_the_next_fake_subscription_fail(fake: FakeServer, client: CacheClient) -> None:
    fake.fail(ErrorCode.PERMISSION_DENIED, "subscribe")
    refused = await client.cache("cache").results.subscribe("t").established()
    assert isinstance(refused, r.Error) and refused.code is ErrorCode.PERMISSION_DENIED
    assert await client.cache("cache").results.subscribe("t").established() is None
    assert fake.received == {"subscribe": 2}


async def test_fake_heartbeats_are_sent_when_time_advances(fake: FakeServer, client: CacheClient) -> None:
    async with client.cache("cache").results.subscribe("t", heartbeats=True) as followed:
        assert await anext(followed) == Heartbeat()
        await client.cache("cache").results.publish("t", "x")
        assert await numbers(followed, 1) == [1]
        fake.advance(0.9)
        fake.advance(0.1)
        assert await anext(followed) == Heartbeat()
        # If no reader takes the heartbeat, later advances of the time do not add further heartbeats.
        for _ in range(10):
            fake.advance(60)
        assert await anext(followed) == Heartbeat()
        await client.cache("cache").results.publish("t", "x")
        assert await numbers(followed, 1) == [2]


async def test_fake_topic_unused_for_ten_minutes_starts_a_new_page(fake: FakeServer, client: CacheClient) -> None:
    await client.cache("cache").results.publish("t", "a")
    fake.advance(599)
    async with client.cache("cache").results.subscribe("t") as followed:
        first = await anext(followed)
        assert isinstance(first, Item)
        fake.advance(3_600)
        await client.cache("cache").results.publish("t", "b")
        assert await numbers(followed, 1) == [2]
    fake.advance(600)
    async with client.cache("cache").results.subscribe("t", resume_at=3, page=first.page) as anew:
        await client.cache("cache").results.publish("t", "c")
        gap, item = await anext(anew), await anext(anew)
        assert isinstance(gap, Discontinuity) and isinstance(item, Item)
        assert item.number == 1 and item.page == gap.page > first.page


async def test_fake_subscription_from_now_skips_stored_items(client: CacheClient) -> None:
    await client.cache("cache").results.publish("t", "old")
    async with client.cache("cache").results.subscribe("t", start=TopicStart.NOW) as followed:
        await client.cache("cache").results.publish("t", b"new")
        item = await anext(followed)
    assert isinstance(item, Item) and (item.value, item.number) == (b"new", 2)
