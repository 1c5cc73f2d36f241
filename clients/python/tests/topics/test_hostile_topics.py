"""Protocol violations, slow readers and cancelled tasks: subscriptions continue, and memory is bounded (N12)."""

from __future__ import annotations

import asyncio
import logging
import resource

import grpc
import pytest

from larder_cache import CacheClient
from larder_cache._internal.topics.topic_buffer import MOST_EVENTS
from larder_cache.topic_event import Item
from tests.conftest import until
from tests.topics.conftest import topics_client
from tests.topics.fake_topics import PAGE, FakeTopics, Stream


async def test_malformed_topic_message_restarts_the_stream_and_is_logged_once(
    topics: FakeTopics, client: CacheClient, caplog: pytest.LogCaptureFixture
) -> None:
    # Messages with an incomplete tag, with a length that exceeds the message, and with text that is not UTF-8.
    garbage = [b"\xff\xff\xff", b"\x0a\x7f", b"\x0a\x06\x08\x01\x12\x02\x0a\xff"]

    async def script(stream: Stream) -> None:
        await stream.head(f"{PAGE}-1")
        await stream.heartbeat()
        if garbage:
            await stream.raw(garbage.pop())
        else:
            await stream.item(1, "after all")
        await stream.stay()

    topics.script = script
    with caplog.at_level(logging.WARNING, "larder_cache"):
        assert await anext(client.cache("cache").results.subscribe("t")) == Item("after all", 1, PAGE)
    assert [asked[0] for asked in topics.asked] == [0, 1, 1, 1]
    # Ignore the log messages of grpcio. It logs errors if a process uses several event loops.
    said = [record.getMessage() for record in caplog.records if record.name == "larder_cache"]
    assert len(said) == 1 and "could not be decoded" in said[0]


async def test_unknown_topic_messages_and_fields_are_ignored(topics: FakeTopics, client: CacheClient) -> None:
    async def script(stream: Stream) -> None:
        # Unknown content: an empty message, a message of kind 9, and an item with a field 9 and a value of kind 7.
        for message in (b"", b"\x4a\x03\x08\x01\x10", b"\x0a\x0b\x08\x05\x12\x02\x3a\x00\x20\x07\x4a\x01\x00"):
            await stream.raw(message)
        await stream.stay()

    topics.script = script
    # The subscription must not deliver these messages as heartbeats, although heartbeats were requested.
    assert await anext(client.cache("cache").results.subscribe("t", heartbeats=True)) == Item(b"", 5, 7)


async def test_unknown_topic_message_counts_as_activity(topics: FakeTopics, client: CacheClient) -> None:
    async def script(stream: Stream) -> None:
        # A server at its limit ends only subscriptions that have not started.
        if len(topics.asked) == 1:
            await stream.raw(b"")
            await stream.fail(grpc.StatusCode.RESOURCE_EXHAUSTED)
        await stream.item(1, "one")
        await stream.stay()

    topics.script = script
    assert await anext(client.cache("cache").results.subscribe("t")) == Item("one", 1, PAGE)


async def test_items_with_decreasing_numbers_are_dropped(topics: FakeTopics, client: CacheClient) -> None:
    async def script(stream: Stream) -> None:
        await stream.head(f"{PAGE}-5000")
        for number in range(4_999, 0, -1):
            await stream.item(number, "old")
        await stream.item(5_000, "at last")
        await stream.stay()

    topics.script = script
    assert await anext(client.cache("cache").results.subscribe("t")) == Item("at last", 5_000, PAGE)


async def test_unrequested_heartbeats_are_not_buffered(topics: FakeTopics, client: CacheClient) -> None:
    sent = 0

    async def script(stream: Stream) -> None:
        nonlocal sent
        while True:
            await stream.heartbeat()
            sent += 1

    topics.script = script
    subscription = client.cache("cache").results.subscribe("t")
    await subscription.established()
    await until(lambda: sent > 5_000)
    assert client.statistics().topics.items == 0
    await subscription.aclose()
    await until(lambda: topics.open == [])


@pytest.mark.parametrize("size", [1, 100_000])
async def test_top_27_slow_consumer_applies_backpressure_with_bounded_memory(
    topics: FakeTopics, client: CacheClient, size: int
) -> None:
    sent = 0
    stalled = asyncio.Event()

    async def script(stream: Stream) -> None:
        nonlocal sent
        await stream.head(f"{PAGE}-1")
        while True:
            try:
                async with asyncio.timeout(1.0):
                    await stream.item(sent + 1, b"x" * size)
            except TimeoutError:
                stalled.set()
                await stream.stay()
            sent += 1

    topics.script = script
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    subscription = client.cache("cache").results.subscribe("t")
    await subscription.established()
    await stalled.wait()
    # The client buffers at most 256 events or 4 MiB. Each connection buffers more: a window of 64 KB and system
    # buffers.
    assert client.statistics().topics.items <= MOST_EVENTS
    assert client.statistics().topics.items * size <= 4 * 1024 * 1024 + size
    assert sent * size < 16_000_000
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 64_000
    held = client.statistics().topics.items
    numbers = [event.number for _ in range(held) if isinstance(event := await anext(subscription), Item)]
    assert numbers == list(range(1, held + 1))


async def test_unread_stream_does_not_block_others_on_its_connection(topics: FakeTopics, client: CacheClient) -> None:
    async def script(stream: Stream) -> None:
        number = 0
        await stream.head(f"{PAGE}-1")
        while True:
            number += 1
            await stream.item(number, b"x" * 10_000)

    topics.script = script
    stuck = client.cache("cache").results.subscribe("stuck")
    await stuck.established()
    await until(lambda: client.statistics().topics.items >= MOST_EVENTS)
    quick_one = client.cache("cache").results.subscribe("quick")
    for number in range(1, 1_000):
        assert await anext(quick_one) == Item(b"x" * 10_000, number, PAGE)
    assert len(set(topics.peers)) == 1
    await stuck.aclose()


async def test_cancelled_subscription_task_leaks_nothing(topics: FakeTopics) -> None:
    turn = 0

    async def script(stream: Stream) -> None:
        nonlocal turn
        turn += 1
        await stream.head(f"{PAGE}-1")
        for number in range(1, 400):
            await stream.item(number, "x")
        if turn % 3:
            await stream.fail(grpc.StatusCode.UNAVAILABLE)
        await stream.stay()

    async def follow(client: CacheClient) -> None:
        async for _ in client.cache("cache").results.subscribe("t"):
            await asyncio.sleep(0)

    topics.script = script
    async with topics_client(topics) as client:
        for steps in range(60):
            task = asyncio.create_task(follow(client))
            for _ in range(steps):
                await asyncio.sleep(0)
            if steps % 4 == 3:
                await asyncio.sleep(0.005)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
        await until(lambda: topics.open == [])
        await until(lambda: not any(client.held().values()))
        assert client.statistics().connections == 0


async def test_1000_subscriptions_share_ten_connections_and_leak_nothing(
    topics: FakeTopics,
) -> None:
    async with topics_client(topics) as client:
        subscriptions = [client.cache("cache").results.subscribe(f"t{n % 7}") for n in range(1_000)]
        assert set(await asyncio.gather(*(each.established() for each in subscriptions))) == {None}
        assert len(topics.open) == 1_000 and len(set(topics.open)) == 10
        assert client.statistics().topics.subscriptions == 1_000
        topics.say("t3", "news")
        for each in subscriptions[3::7]:
            assert await anext(each) == Item("news", 1, PAGE)
        await asyncio.gather(*(each.aclose() for each in subscriptions))
        await until(lambda: topics.open == [])
        assert client.held() == dict.fromkeys(client.held(), 0)
        await until(lambda: client.statistics().connections == 0)
