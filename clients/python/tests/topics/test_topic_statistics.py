"""The topic statistics and metrics of a client, and the repr of events."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import grpc

from larder_cache import CacheClient, CredentialProvider
from larder_cache import responses as r
from larder_cache._internal.telemetry.statistics import TopicStatistics
from larder_cache.topic_event import Item
from tests.conftest import until
from tests.topics.conftest import quick
from tests.topics.fake_topics import PAGE, FakeTopics, Stream

_ITEMS, _GAPS, _AGAIN, _OPEN = (
    f"cache.client.topic.{name}" for name in ("items", "discontinuities", "reconnects", "subscriptions")
)


class _Kept:
    """Metrics that record counters and gauges, and raise on request."""

    def __init__(self, raises: bool) -> None:
        self.raises = raises
        self.counts: dict[str, int] = {}
        self.gauges: dict[str, Callable[[], int | None]] = {}
        self.outcomes: set[tuple[str, str]] = set()

    def record(self, name: str, seconds: float, attributes: Mapping[str, str]) -> None:
        self.outcomes.add((attributes["cache.operation"], attributes["cache.outcome"]))

    def add(self, name: str, count: int, attributes: Mapping[str, str]) -> None:
        assert attributes == {"cache.operation": "subscribe"}
        self.counts[name] = self.counts.get(name, 0) + count
        if self.raises:
            raise LookupError("metrics")

    def watch(self, name: str, read: Callable[[], int | None]) -> None:
        self.gauges[name] = read


async def _used(topics: FakeTopics, raises: bool) -> _Kept:
    async def script(stream: Stream) -> None:
        at = stream.asked[0] or 1
        await stream.item(at)
        await stream.item(at + 5)
        await stream.fail(grpc.StatusCode.UNAVAILABLE)

    topics.script = script
    kept = _Kept(raises)
    credentials = CredentialProvider.local(port=topics.port)
    async with CacheClient(credentials, default_ttl=60, configuration=quick(), metrics=kept) as client:
        assert await client.cache("cache").results.publish("t", "v") == r.SUCCESS
        subscription = client.cache("cache").results.subscribe("t")
        for _ in range(6):
            await anext(subscription)
        assert kept.gauges[_OPEN]() == client.statistics().topics.subscriptions == 1
        await subscription.aclose()
        now = client.statistics().topics
        assert now == TopicStatistics(
            subscriptions=0,
            items=kept.counts[_ITEMS],
            discontinuities=kept.counts[_GAPS],
            reconnects=kept.counts[_AGAIN],
        )
        assert now.items >= 4 and now.discontinuities >= 2 and now.reconnects >= 1
        assert kept.gauges[_OPEN]() == 0
    return kept


async def test_topic_events_are_counted_equally_in_statistics_and_metrics(topics: FakeTopics) -> None:
    kept = await _used(topics, raises=False)
    assert kept.outcomes == {("publish", "Success")}


async def test_c2_exception_in_metrics_loses_no_event(topics: FakeTopics) -> None:
    await _used(topics, raises=True)


async def test_subscription_connections_are_counted_but_take_no_call_permits(topics: FakeTopics) -> None:
    credentials = CredentialProvider.local(port=topics.port)
    configuration = quick(max_in_flight_unary=1)
    async with CacheClient(credentials, default_ttl=60, configuration=configuration) as client:
        several = [client.cache("cache").results.subscribe("t") for _ in range(150)]
        for each in several:
            assert await each.established() is None
        assert client.statistics().in_flight == 0
        assert client.statistics().connections == 2
        assert await client.cache("cache").results.publish("t", "v") == r.SUCCESS
        assert client.statistics().connections == 3
        for each in several:
            assert await anext(each) == Item("v", 1, PAGE)
            await each.aclose()
        await until(lambda: client.statistics().connections == 1)


def test_item_repr_truncates_a_large_value() -> None:
    assert repr(Item("x" * 1_000, 1, 2)) == f"Item(1,000 characters: '{'x' * 32}'…, number 1 of page 2)"
    assert repr(Item(b"ab", 1, 2, "me")) == "Item(2 bytes: b'ab', number 1 of page 2, by 'me')"
