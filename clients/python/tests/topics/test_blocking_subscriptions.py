"""The blocking client's subscriptions, in threads."""

from __future__ import annotations

import asyncio
import gc
import threading
from collections.abc import Callable
from typing import TypeVar

import pytest

from larder_cache import CredentialProvider, ErrorCode, TopicStart
from larder_cache import responses as r
from larder_cache import sync
from larder_cache._internal.topics.topic_buffer import MOST_EVENTS
from larder_cache.topic_event import Error, Item
from tests.conftest import until
from tests.topics.conftest import quick
from tests.topics.fake_topics import PAGE, FakeTopics, Stream

T = TypeVar("T")


def _client(topics: FakeTopics) -> sync.CacheClient:
    return sync.CacheClient(CredentialProvider.local(port=topics.port), default_ttl=60, configuration=quick())


async def _in_thread(work: Callable[[], T]) -> T:
    return await asyncio.get_running_loop().run_in_executor(None, work)


async def test_blocking_subscription_receives_items_in_order(topics: FakeTopics) -> None:
    def use() -> list[object]:
        with _client(topics) as client:
            cache = client.cache("cache").results
            with cache.subscribe("t", start=TopicStart.NOW) as subscription:
                assert cache.publish("t", "größe") == r.SUCCESS
                assert client.cache("cache").results.publish("t", b"\xff") == r.SUCCESS
                told: list[object] = [next(subscription), next(subscription)]
            with pytest.raises(StopIteration):
                next(subscription)
            assert client.statistics().topics.items == 2
            return told

    assert await _in_thread(use) == [Item("größe", 1, PAGE), Item(b"\xff", 2, PAGE)]
    await until(lambda: topics.open == [])


async def test_break_exception_and_garbage_collection_close_the_subscription(topics: FakeTopics) -> None:
    topics.say("t", "one")
    client = _client(topics)

    def use() -> None:
        for event in client.cache("cache").results.subscribe("t"):
            assert event == Item("one", 1, PAGE)
            break
        named = client.cache("cache").results.subscribe("t")
        with pytest.raises(LookupError):
            for _ in named:
                raise LookupError
        assert list(named) == []
        held = client.cache("cache").results.subscribe("t")
        assert held.established() is None
        del held
        gc.collect()

    await _in_thread(use)
    await until(lambda: topics.open == [])
    assert len(topics.asked) == 3
    await _in_thread(client.close)


async def test_close_ends_a_subscription_that_another_thread_reads(topics: FakeTopics) -> None:
    def use() -> list[object]:
        with _client(topics) as client:
            subscription = client.cache("cache").results.subscribe("t")
            assert subscription.established() is None
            told: list[object] = []
            waiting = threading.Thread(target=lambda: told.extend(subscription), daemon=True)
            waiting.start()
            subscription.close()
            waiting.join(20)
            assert not waiting.is_alive()
            subscription.close()
            assert client.held() == dict.fromkeys(client.held(), 0) or client.statistics().topics.subscriptions <= 1
            return told

    assert await _in_thread(use) == []
    await until(lambda: topics.open == [])


async def test_client_close_ends_subscriptions_of_all_threads(topics: FakeTopics) -> None:
    def use() -> None:
        client = _client(topics)
        ends: list[list[object]] = []
        subscriptions = [client.cache("cache").results.subscribe(f"t{n}") for n in range(8)]

        def follow(each: sync.TopicSubscription) -> None:
            ends.append(list(each))

        threads = [threading.Thread(target=follow, args=(each,), daemon=True) for each in subscriptions]
        for thread in threads:
            thread.start()
        for each in subscriptions:
            assert each.established() is None
        client.close()
        for thread in threads:
            thread.join(20)
        assert ends == [[]] * 8
        [late] = client.cache("cache").results.subscribe("t")
        assert isinstance(late, Error) and late.code is ErrorCode.CANCELLED

    await _in_thread(use)
    await until(lambda: topics.open == [])


async def test_each_event_is_received_by_one_of_several_reading_threads(topics: FakeTopics) -> None:
    async def script(stream: Stream) -> None:
        for number in range(1, 1_001):
            await stream.item(number)
        await stream.stay()

    topics.script = script

    def use() -> None:
        with _client(topics) as client:
            subscription = client.cache("cache").results.subscribe("t")
            told: list[object] = []
            enough = threading.Event()

            def take() -> None:
                while len(told) < 1_000:
                    try:
                        told.append(next(subscription))
                    except StopIteration:
                        break
                enough.set()

            threads = [threading.Thread(target=take, daemon=True) for _ in range(4)]
            for thread in threads:
                thread.start()
            assert enough.wait(20)
            subscription.close()
            for thread in threads:
                thread.join(20)
            numbers = sorted(event.number for event in told if isinstance(event, Item))
            assert numbers == list(range(1, 1_001))

    await _in_thread(use)


async def test_slow_blocking_reader_applies_backpressure_and_loses_no_events(topics: FakeTopics) -> None:
    async def script(stream: Stream) -> None:
        await stream.head(f"{PAGE}-1")
        for number in range(1, 3_001):
            await stream.item(number, b"x" * 1_000)
        await stream.stay()

    topics.script = script

    def use() -> None:
        with _client(topics) as client:
            subscription = client.cache("cache").results.subscribe("t")
            assert subscription.established() is None
            while client.statistics().topics.items < MOST_EVENTS:
                pass
            assert client.statistics().topics.items == MOST_EVENTS
            for number in range(1, 3_001):
                event = next(subscription)
                assert isinstance(event, Item) and event.number == number
            subscription.close()

    await _in_thread(use)


async def test_blocking_subscription_inside_running_loop_raises_but_stays_open(topics: FakeTopics) -> None:
    client = _client(topics)
    subscription = client.cache("cache").results.subscribe("t")
    for use in (lambda: next(subscription), subscription.established):
        with pytest.raises(RuntimeError, match="this thread runs an event loop"):
            use()
    assert await _in_thread(subscription.established) is None
    subscription.close()
    await _in_thread(client.close)


async def test_rejected_blocking_subscription_returns_one_error_event(topics: FakeTopics) -> None:
    def use() -> list[object]:
        with _client(topics) as client:
            return list(client.cache("cache").results.subscribe(""))

    [error] = await _in_thread(use)
    assert isinstance(error, Error) and error.code is ErrorCode.INVALID_ARGUMENT
    assert topics.asked == []
