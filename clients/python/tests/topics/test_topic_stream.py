"""Streams of subscriptions, and the connections that they share."""

from __future__ import annotations

import asyncio

from larder_cache import Configurations, CredentialProvider
from larder_cache.errors import UNAVAILABLE, Failure
from larder_cache.subscription_state import Ask
from larder_cache.topic_channels import TopicChannels
from larder_cache.topic_messages import Wanted, subscribe_request
from tests.conftest import until
from tests.proxy import Proxy
from tests.topics.fake_topics import FakeTopics


async def test_stream_after_silence_is_opened_on_another_connection() -> None:
    async with FakeTopics() as topics, Proxy(topics.port) as proxy:
        credentials = CredentialProvider.local(port=proxy.port)
        loop = asyncio.get_running_loop()
        channels = TopicChannels(credentials, Configurations.Lambda.v1(), lambda: None, None, loop)
        request = subscribe_request(Wanted("cache", "t", 0, 0, False, False), Ask(0, 0, False))
        place = channels.place(None)
        silent, other = (channels.open(place, request, ()) for _ in range(2))
        assert await silent.opened() and await other.opened() and proxy.accepted == 1
        assert isinstance(await other.read(), bytes)
        proxy.freeze()
        # As a reader does that finds one stream silent, and then one that finds the connection silent.
        silent.give_up(Failure(UNAVAILABLE, "silent"), 60.0)
        assert (again := channels.open(place, request, ())) and proxy.accepted == 1
        again.give_up(Failure(UNAVAILABLE, "silent"), 0.0)
        silent.close()
        again.close()
        third = channels.open(place, request, ())
        assert await third.opened() and proxy.accepted == 2
        for each in (other, third):
            each.close()
        await until(lambda: channels.streams == channels.connections == 0)
        await channels.aclose()
