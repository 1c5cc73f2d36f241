"""Publishing and subscribing on the event loop: which events arrive, in which order, and how a subscription ends."""

from __future__ import annotations

import asyncio
import gc
import os

import pytest

from larder_cache import ErrorCode, TopicStart
from larder_cache import responses as r
from larder_cache.topic_event import HEARTBEAT, Discontinuity, Error, Item, TopicEvent
from tests.conftest import until
from tests.topics.conftest import topics_client
from tests.topics.fake_topics import PAGE, FakeTopics, Stream


async def test_subscription_receives_items_in_published_order(topics: FakeTopics) -> None:
    async with topics_client(topics) as client:
        cache = client.cache("cache").results
        async with cache.subscribe("t", start=TopicStart.NOW) as subscription:
            assert await cache.publish("t", "größe") == r.SUCCESS
            assert await client.cache("cache").results.publish("t", b"\xff\x00") == r.SUCCESS
            assert await client.cache("cache").results.publish("t", "") == r.SUCCESS
            told = [await anext(subscription) for _ in range(3)]
        assert told == [Item("größe", 1, PAGE), Item(b"\xff\x00", 2, PAGE), Item("", 3, PAGE)]
    assert topics.asked == [(0, 0, True)]
    assert {(each.cache_name, each.topic) for each in topics.published} == {("cache", "t")}


async def test_subscription_starts_with_newest_item_and_closes_on_break(topics: FakeTopics) -> None:
    topics.say("t", "one", "two")
    async with topics_client(topics) as client:
        async for event in client.cache("cache").results.subscribe("t"):
            assert event == Item("two", 2, PAGE)
            break
        await until(lambda: topics.open == [])
        assert client.held() == dict.fromkeys(client.held(), 0)
        assert client.statistics().topics.items == 1


async def test_exception_in_the_loop_closes_the_subscription(topics: FakeTopics) -> None:
    topics.say("t", "one")
    async with topics_client(topics) as client:
        subscription = client.cache("cache").results.subscribe("t")
        with pytest.raises(LookupError):
            async for _ in subscription:
                raise LookupError
        await until(lambda: topics.open == [])
        assert [event async for event in subscription] == []


async def test_garbage_collected_subscription_is_closed(topics: FakeTopics) -> None:
    async with topics_client(topics) as client:
        subscription = client.cache("cache").results.subscribe("t")
        assert await subscription.established() is None
        assert len(topics.open) == 1
        del subscription
        gc.collect()
        await until(lambda: topics.open == [])


@pytest.mark.parametrize("how", ["closed", "dropped"])
async def test_topic_connection_closes_with_its_last_subscription(topics: FakeTopics, how: str) -> None:
    async def follow() -> None:
        subscription = client.cache("cache").results.subscribe("t")
        assert isinstance(await anext(subscription), Item)
        if how == "closed":
            await subscription.aclose()

    topics.say("t", "one")
    async with topics_client(topics) as client:
        # The first subscription opens resources that stay open for the process and the client.
        await follow()
        await until(lambda: topics.open == [])
        gc.collect()
        gc.disable()
        try:
            before = len(os.listdir("/proc/self/fd"))
            for _ in range(10):
                await follow()
            await until(lambda: len(os.listdir("/proc/self/fd")) <= before)
        finally:
            gc.enable()


async def test_aclose_frees_the_stream_and_is_idempotent(topics: FakeTopics) -> None:
    async with topics_client(topics) as client:
        subscription = client.cache("cache").results.subscribe("t")
        await subscription.established()
        await subscription.aclose()
        assert client.held() == dict.fromkeys(client.held(), 0)
        await subscription.aclose()
        with pytest.raises(StopAsyncIteration):
            await anext(subscription)
        assert await subscription.established() is None
        await until(lambda: topics.open == [])


async def test_unused_subscription_opens_no_stream(topics: FakeTopics) -> None:
    async with topics_client(topics) as client:
        await client.cache("cache").results.subscribe("t").aclose()
        unused = client.cache("cache").results.subscribe("t")
        del unused
    assert topics.asked == []


async def test_client_close_ends_subscriptions_and_waiting_readers(topics: FakeTopics) -> None:
    client = topics_client(topics)
    subscriptions = [client.cache("cache").results.subscribe("t") for _ in range(3)]
    waiting = [asyncio.ensure_future(anext(each, None)) for each in subscriptions]
    await until(lambda: len(topics.open) == 3)
    await client.aclose()
    assert await asyncio.gather(*waiting) == [None] * 3
    late = [event async for event in client.cache("cache").results.subscribe("t")]
    assert len(late) == 1 and isinstance(late[0], Error) and late[0].code is ErrorCode.CANCELLED
    assert "closed" in late[0].message
    await until(lambda: topics.open == [])


async def test_top_27_heartbeats_are_delivered_only_on_request(topics: FakeTopics) -> None:
    async def script(stream: Stream) -> None:
        await stream.head(f"{PAGE}-1")
        await stream.heartbeat()
        await stream.heartbeat()
        await stream.item(1, "a")
        await stream.stay()

    topics.script = script
    async with topics_client(topics) as client:
        subscription = client.cache("cache").results.subscribe("t", heartbeats=True)
        assert [await anext(subscription) for _ in range(3)] == [HEARTBEAT, HEARTBEAT, Item("a", 1, PAGE)]
        assert await anext(client.cache("cache").results.subscribe("t")) == Item("a", 1, PAGE)


async def test_top_23_lost_stream_resumes_without_losses_or_duplicates(topics: FakeTopics) -> None:
    async def script(stream: Stream) -> None:
        resume_at, _, _ = stream.asked
        at = resume_at or 5
        await stream.head(f"{PAGE}-{at}")
        await stream.heartbeat()
        await stream.item(at, str(at), publisher="me")
        # Simulate a server that repeats old messages: send a message that the client already has, and then the next
        # message.
        await stream.item(at - 1, "old")
        await stream.item(at + 1, str(at + 1), publisher="me")

    topics.script = script
    async with topics_client(topics) as client:
        subscription = client.cache("cache").results.subscribe("t")
        told = [await anext(subscription) for _ in range(6)]
        assert told == [Item(str(n), n, PAGE, "me") for n in range(5, 11)]
        assert client.statistics().topics.reconnects >= 2
    assert topics.asked[:3] == [(0, 0, False), (7, PAGE, False), (9, PAGE, False)]


async def test_top_21_and_22_each_gap_is_reported_once(topics: FakeTopics) -> None:
    async def script(stream: Stream) -> None:
        await stream.head(f"{PAGE}-5")
        await stream.item(5)
        await stream.gap(5, 20)
        await stream.gap(5, 20)
        await stream.item(21)
        await stream.item(30)
        await stream.item(1, page=PAGE + 1)
        await stream.stay()

    topics.script = script
    async with topics_client(topics) as client:
        subscription = client.cache("cache").results.subscribe("t", resume_at=5, page=PAGE)
        told = [await anext(subscription) for _ in range(7)]
        assert client.statistics().topics.discontinuities == 3
    gaps = Discontinuity(5, 21, PAGE), Discontinuity(21, 30, PAGE), Discontinuity(30, 1, PAGE + 1)
    items = Item(b"", 5, PAGE), Item(b"", 21, PAGE), Item(b"", 30, PAGE), Item(b"", 1, PAGE + 1)
    expected: list[TopicEvent] = [items[0], gaps[0], items[1], gaps[1], items[2], gaps[2], items[3]]
    assert told == expected


async def test_using_a_subscription_on_another_event_loop_raises(topics: FakeTopics) -> None:
    async with topics_client(topics) as client:
        subscription = client.cache("cache").results.subscribe("t")
        await subscription.established()

        def elsewhere() -> str:
            try:
                asyncio.run(subscription.established())
            except RuntimeError as error:
                return str(error)
            return ""

        said = await asyncio.get_running_loop().run_in_executor(None, elsewhere)
        assert "belongs to another event loop" in said
        topics.say("t", "still")
        assert await anext(subscription) == Item("still", 1, PAGE)


async def test_concurrent_readers_each_receive_one_event(topics: FakeTopics) -> None:
    async with topics_client(topics) as client:
        subscription = client.cache("cache").results.subscribe("t")
        both = [asyncio.ensure_future(anext(subscription)) for _ in range(2)]
        await until(lambda: len(topics.open) == 1)
        topics.say("t", "a", "b")
        numbers = sorted(event.number for event in await asyncio.gather(*both) if isinstance(event, Item))
        assert numbers == [1, 2]


async def test_cancelled_reader_loses_no_event(topics: FakeTopics) -> None:
    async with topics_client(topics) as client:
        subscription = client.cache("cache").results.subscribe("t")
        await subscription.established()
        for n in range(1, 20):
            with pytest.raises(TimeoutError):
                async with asyncio.timeout(0):
                    await anext(subscription)
            topics.say("t", str(n))
            assert await anext(subscription) == Item(str(n), n, PAGE)
