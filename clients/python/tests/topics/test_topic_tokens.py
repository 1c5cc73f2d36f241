"""Subscriptions with expiring tokens: the client calls the provider again, and the subscription continues (AUTH-31)."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import grpc

from larder_cache import CacheClient, CredentialProvider, ErrorCode
from larder_cache import responses as r
from larder_cache.topic_event import Error, Item
from tests.conftest import until
from tests.topics.conftest import quick
from tests.topics.fake_topics import PAGE, FakeTopics, Stream


def _client(topics: FakeTopics, provider: Callable[[], Any], **changes: Any) -> CacheClient:
    credentials = CredentialProvider.local(port=topics.port).with_token(provider)
    return CacheClient(credentials, default_ttl=60, configuration=quick(**changes))


async def _refuse(stream: Stream) -> None:
    await stream.fail(grpc.StatusCode.UNAUTHENTICATED, "unknown token")


async def test_auth_30_provider_is_called_once_before_the_first_stream(topics: FakeTopics) -> None:
    asked = 0

    def provider() -> str:
        nonlocal asked
        asked += 1
        return "sesame"

    async with _client(topics, provider) as client:
        several = [client.cache("cache").results.subscribe("t") for _ in range(20)]
        assert set(await asyncio.gather(*(each.established() for each in several))) == {None}
        assert await client.cache("cache").results.publish("t", "v") == r.SUCCESS
    assert asked == 1 and topics.tokens == ["sesame"] * 21


async def test_auth_31_subscription_loses_no_item_when_its_token_expires(topics: FakeTopics) -> None:
    good, asked = "token0", 0
    ended = asyncio.Event()

    async def provider() -> str:
        nonlocal asked
        asked += 1
        return good

    async def script(stream: Stream) -> None:
        if stream.metadata["authorization"] != good:
            await _refuse(stream)
        at = stream.asked[0] or 1
        await stream.item(at, str(at))
        await ended.wait()
        ended.clear()
        await _refuse(stream)

    topics.script = script
    async with _client(topics, provider) as client:
        subscription = client.cache("cache").results.subscribe("t")
        for number in range(1, 5):
            assert await anext(subscription) == Item(str(number), number, PAGE)
            good = f"token{number}"
            ended.set()
            # The client does not call the provider within a second of its last result, except after the first result.
            if number > 1:
                break
        last = await anext(subscription)
    assert isinstance(last, Error) and last.code is ErrorCode.UNAUTHENTICATED
    assert asked == 2 and topics.tokens == ["token0", "token1"]


async def test_auth_31_subscription_ends_as_unauthenticated_if_all_tokens_are_rejected(topics: FakeTopics) -> None:
    asked = 0

    def provider() -> str:
        nonlocal asked
        asked += 1
        return f"token{asked}"

    topics.script = _refuse
    async with _client(topics, provider) as client:
        [error] = [event async for event in client.cache("cache").results.subscribe("t")]
        assert isinstance(error, Error) and error.code is ErrorCode.UNAUTHENTICATED
        assert "unknown token; the token comes from the token provider" in error.message
        assert "token1" not in error.message
        assert client.held() == dict.fromkeys(client.held(), 0)
    assert topics.tokens == ["token1", "token2"]


async def test_auth_33_error_includes_provider_exception_but_hides_its_text(
    topics: FakeTopics,
) -> None:
    raised = LookupError("sesame")

    def provider() -> str:
        raise raised

    async with _client(topics, provider) as client:
        [error] = [event async for event in client.cache("cache").results.subscribe("t")]
    assert isinstance(error, Error) and error.exception is raised
    assert error.code is ErrorCode.UNAUTHENTICATED and "sesame" not in repr(error)
    assert topics.asked == []


async def test_auth_32_hanging_provider_times_out_the_subscription(topics: FakeTopics) -> None:
    async def provider() -> str:
        await asyncio.Event().wait()
        return "never"

    async with _client(topics, provider, request_timeout_s=0.1) as client:
        [error] = [event async for event in client.cache("cache").results.subscribe("t")]
        assert isinstance(error, Error) and error.code is ErrorCode.TIMEOUT
        assert "before the token provider returned" in error.message
    async with _client(topics, provider) as client:
        waiting = asyncio.ensure_future(anext(client.cache("cache").results.subscribe("t"), None))
        await until(lambda: client.held()["subscriptions"] == 1)
        await client.aclose()
        assert await waiting is None
    assert topics.asked == []
