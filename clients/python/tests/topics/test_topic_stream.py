"""Streams of subscriptions, and the connections that they share."""

from __future__ import annotations

import asyncio
from typing import Any, cast

import pytest

from larder_cache import Configurations, CredentialProvider
from larder_cache._internal.http2 import hpack
from larder_cache._internal.http2 import http2_frames as h2
from larder_cache._internal.http2.http2_session import Http2Session
from larder_cache._internal.topics.subscription_state import Ask
from larder_cache._internal.topics.topic_channels import TopicChannels
from larder_cache._internal.topics.topic_messages import Wanted, subscribe_request
from larder_cache._internal.topics.topic_stream import TOPIC_WINDOW, TopicStream
from larder_cache._internal.transport.channel import Sending
from larder_cache.errors import UNAVAILABLE, Failure
from tests.conftest import until
from tests.support.proxy import Proxy
from tests.topics.fake_topics import FakeTopics


async def test_stream_opened_after_a_silent_one_uses_another_connection() -> None:
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
        # Give up a stream whose connection was not silent for 60 s. The next stream uses the same connection. Then give
        # up that stream because its connection is silent. The next stream uses a new connection.
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


class _Server:
    """A fake server with one stream. It also replaces the channel that opens the stream."""

    def __init__(self) -> None:
        self.session = Http2Session(self, TOPIC_WINDOW)
        self.session.receive(h2.settings({}))
        self.heard_at = 0.0
        self.give_credit = self.session.give_credit

    def on_settings(self) -> None:
        """Do nothing."""

    on_room = on_draining = on_settings

    def send(self, sending: Sending) -> None:
        sending.connection = cast(Any, self)
        self.session.start(sending.exchange)
        head = hpack.encode([(":status", "200"), ("content-type", "application/grpc"), ("topic-position", "7-1")])
        self.session.receive(h2.frame(h2.HEADERS, h2.END_HEADERS, 1, head))
        self.session.take()

    def cancel(self, sending: Sending) -> None:
        self.session.cancel(sending.exchange)

    def say(self, data: bytes) -> None:
        for at in range(0, len(data), 10_000):
            self.session.receive(h2.frame(h2.DATA, 0, 1, data[at : at + 10_000]))

    def credit(self) -> int:
        """Return the number of bytes by which the stream has increased its window since the last call."""
        data, credit = self.session.take() if self.session.has_output else b"", 0
        while data:
            length = int.from_bytes(data[:3], "big")
            if data[3] == h2.WINDOW_UPDATE and int.from_bytes(data[5:9], "big") == 1:
                credit += int.from_bytes(data[9:13], "big")
            data = data[9 + length :]
        return credit

    def open(self) -> TopicStream:
        loop = asyncio.get_running_loop()
        return TopicStream(b"", b"", cast(Any, self), None, lambda _: None, loop)


def _message(size: int) -> bytes:
    return b"\0" + size.to_bytes(4, "big") + bytes(size)


async def test_unread_stream_returns_no_flow_control_credit() -> None:
    server = _Server()
    stream = server.open()
    assert await stream.opened() == "7-1"
    server.say(_message(6_000) * 10)
    assert server.credit() == 0
    for _ in range(10):
        assert await stream.read() == bytes(6_000)
    assert server.credit() == 0, "what was read leaves nothing to wait for yet"
    reading = asyncio.create_task(stream.read())
    await asyncio.sleep(0)
    assert server.credit() == 60_050
    server.say(_message(1))
    assert await reading == bytes(1)


async def test_stream_grants_flow_control_credit_for_an_oversized_message() -> None:
    server = _Server()
    stream = server.open()
    reading = asyncio.create_task(stream.read())
    await asyncio.sleep(0)
    server.say(_message(TOPIC_WINDOW * 10))
    assert server.credit() >= TOPIC_WINDOW * 9
    assert await reading == bytes(TOPIC_WINDOW * 10)
    stream.close()


async def test_stream_delivers_a_received_message_before_its_failure() -> None:
    server = _Server()
    stream = server.open()
    server.say(_message(1))
    server.session.fail(Failure(UNAVAILABLE, "lost"))
    assert await stream.read() == bytes(1)
    ended = await stream.read()
    assert isinstance(ended, Failure) and ended.status == UNAVAILABLE


async def test_pending_read_returns_the_failure_of_an_abandoned_stream() -> None:
    stream = _Server().open()
    reading = asyncio.create_task(stream.read())
    await asyncio.sleep(0)
    silent = Failure(UNAVAILABLE, "silent")
    stream.give_up(silent, 1e12)
    assert await reading is silent


async def test_cancelled_stream_reader_raises_cancelled_error() -> None:
    stream = _Server().open()
    reading = asyncio.create_task(stream.read())
    await asyncio.sleep(0)
    reading.cancel()
    with pytest.raises(asyncio.CancelledError):
        await reading
    stream.close()
