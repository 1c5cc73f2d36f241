"""Subscriptions over several gateways: distribution, and resumption after a failure (GATEWAY-6, GATEWAY-7)."""

from __future__ import annotations

import grpc

from larder_cache import CacheClient, CredentialProvider
from larder_cache.topic_event import Item
from tests.conftest import until
from tests.topics.conftest import quick
from tests.topics.fake_topics import PAGE, FakeTopics, Stream


def _client(*servers: FakeTopics) -> CacheClient:
    text = ",".join(f"http://127.0.0.1:{each.port}" for each in servers)
    return CacheClient(CredentialProvider.from_string(text), default_ttl=60, configuration=quick())


async def test_subscriptions_are_spread_over_the_gateways() -> None:
    async with FakeTopics() as one, FakeTopics() as two, _client(one, two) as client:
        subscriptions = [client.cache("cache").results.subscribe("t") for _ in range(40)]
        for each in subscriptions:
            assert await each.established() is None
        assert (len(one.open), len(two.open)) == (20, 20)
        for each in subscriptions:
            await each.aclose()


async def test_top_23_subscription_moves_from_a_killed_gateway_without_loss() -> None:
    async with FakeTopics() as one, FakeTopics() as two, _client(one, two) as client:
        for server in (one, two):
            server.say("t", "one")
        subscriptions = [client.cache("cache").results.subscribe("t") for _ in range(10)]
        for each in subscriptions:
            assert await anext(each) == Item("one", 1, PAGE)
        await one.stop()
        two.say("t", "two")
        for each in subscriptions:
            assert await anext(each) == Item("two", 2, PAGE)
        await until(lambda: len(two.open) == 10)
        for each in subscriptions:
            await each.aclose()


async def test_subscription_moves_from_a_rejecting_gateway_to_the_other() -> None:
    async def refuse(stream: Stream) -> None:
        await stream.fail(grpc.StatusCode.UNAVAILABLE, "draining", "not_executed")

    async with FakeTopics() as one, FakeTopics() as two, _client(one, two) as client:
        one.script = refuse
        for _ in range(20):
            subscription = client.cache("cache").results.subscribe("t")
            assert await subscription.established() is None
            await subscription.aclose()
        assert len(two.asked) == 20
        assert len(one.asked) <= 20
