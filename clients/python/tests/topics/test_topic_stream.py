"""A stream of a subscription, over a call that does what grpcio does at the wrong moment."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from types import SimpleNamespace
from typing import Any, cast

import grpc
import grpc.aio
import pytest

from larder_cache import Configurations, CredentialProvider, channel_pool
from larder_cache import responses as r
from larder_cache.errors import UNAVAILABLE, ErrorCode, Failure
from larder_cache.subscription_state import Ask
from larder_cache.topic_channels import TopicChannels
from larder_cache.topic_messages import Wanted, subscribe_request
from larder_cache.topic_stream import TopicStream
from tests.conftest import client_of, unary, until
from tests.fake_server import FakeServer
from tests.proxy import Proxy
from tests.topics.fake_topics import FakeTopics

_make_error: Any = grpc.aio.AioRpcError


class _Call:
    """Swallows a cancellation, as grpcio does where the call has just ended with a status."""

    cancelled = False

    async def initial_metadata(self) -> tuple[tuple[str, str], ...]:
        return (("topic-position", "7-1"), ("other", "x"))

    async def __aiter__(self) -> AsyncIterator[bytes]:
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            raise _make_error(grpc.StatusCode.UNAVAILABLE, (), (), "gone") from None
        yield b""

    def cancel(self) -> None:
        self.cancelled = True


async def test_a_cancellation_that_grpcio_swallows_is_raised_all_the_same() -> None:
    call, left = _Call(), list[object]()
    stream = TopicStream(call, cast(Any, "channel"), None, left.append)
    assert await stream.opened() == "7-1"
    reading = asyncio.create_task(stream.read())
    await asyncio.sleep(0)
    reading.cancel()
    with pytest.raises(asyncio.CancelledError):
        await reading
    stream.close()
    assert call.cancelled and left == ["channel"]


async def test_a_stream_that_was_given_up_says_so_and_not_that_it_was_cancelled() -> None:
    class Local(_Call):
        def __init__(self) -> None:
            self.end: asyncio.Future[None] = asyncio.get_running_loop().create_future()

        async def __aiter__(self) -> AsyncIterator[bytes]:
            await self.end
            yield b""

        def cancel(self) -> None:
            self.end.cancel()

    channel = cast(Any, SimpleNamespace(up=True, doubted=False, heard_at=0.0))
    stream = TopicStream(Local(), channel, None, lambda _: None)
    reading = asyncio.create_task(stream.read())
    await asyncio.sleep(0)
    silent = Failure(UNAVAILABLE, "silent")
    stream.give_up(silent, 0.0)
    assert await reading is silent and channel.doubted


class _Strange(_Call):
    """Ends with a status that grpcio has no name for."""

    async def __aiter__(self) -> AsyncIterator[bytes]:
        raise KeyError(17)
        yield b""

    def __await__(self) -> Any:
        raise KeyError(17)
        yield


async def test_a_status_that_there_is_none_of_is_unknown_and_no_fault_of_the_clients() -> None:
    stream = TopicStream(_Strange(), cast(Any, "channel"), None, lambda _: None)
    ended = await stream.read()
    assert isinstance(ended, Failure) and ended.status == 2


async def test_a_unary_call_with_a_status_that_there_is_none_of_may_have_run(
    server: FakeServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    def call_of(*_: Any, **__: Any) -> _Strange:
        return _Strange()

    def strange(*_: Any) -> Any:
        return call_of

    async with client_of(server, unary()) as client:
        monkeypatch.setattr(channel_pool.Channel, "callable", strange)
        for answer in (await client.set("cache", "k", "v"), await client.get_batch("cache", ["k"])):
            assert isinstance(answer, r.Error) and answer.code is ErrorCode.UNKNOWN
            assert "sent" not in answer.message


async def test_n8_a_unary_calls_cancellation_that_grpcio_swallows_is_raised_all_the_same(
    server: FakeServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    def call_of(*_: Any, **__: Any) -> _Call:
        return _Call()

    def swallowing(*_: Any) -> Any:
        return call_of

    async with client_of(server, unary()) as client:
        assert isinstance(await client.set("cache", "k", "v"), r.Success)
        monkeypatch.setattr(channel_pool.Channel, "callable", swallowing)
        call = asyncio.create_task(client.get_batch("cache", ["k"]))
        for _ in range(10):
            await asyncio.sleep(0)
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call
        assert client.held() == dict.fromkeys(client.held(), 0)


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
