"""C1: arguments of topics with every wrong type and value."""

from __future__ import annotations

from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from larder_cache import Cache, CacheClient, CacheResults, Configuration, CredentialProvider, ErrorCode, TopicStart
from larder_cache import responses as r
from larder_cache import sync
from larder_cache._internal.blocking.cross_loop_calls import CrossLoopCalls
from larder_cache._internal.calls.loop_calls import LoopCalls
from larder_cache._internal.calls.observers import Observers
from larder_cache._internal.topics import subscriptions
from larder_cache._internal.topics.subscription_state import Ask
from larder_cache._internal.topics.topic_messages import Wanted, publish_request, subscribe_request
from larder_cache.topic_event import Error
from protobuf_messages import pubsub_pb2 as pb
from tests.topics.conftest import quick, topics_client
from tests.topics.fake_topics import FakeTopics

_NO_TEXT: list[Any] = [None, 1, b"t", bytearray(b"t"), ["t"], object(), True, 1.5]


@pytest.mark.parametrize("topic", _NO_TEXT)
async def test_topic_that_is_not_text_raises_type_error(topics: FakeTopics, topic: Any) -> None:
    async with topics_client(topics) as client:
        with pytest.raises(TypeError, match="the topic must be str"):
            await client.cache("cache").results.publish(topic, "v")
        with pytest.raises(TypeError, match="the topic must be str"):
            client.cache("cache").results.subscribe(topic)
        with pytest.raises(TypeError, match="the cache name must be str|unhashable"):
            client.cache(topic).results.subscribe("t")
        assert client.held() == dict.fromkeys(client.held(), 0)


@pytest.mark.parametrize("value", [None, 1, 1.5, ["v"], {"v": 1}, object(), True])
async def test_published_value_of_wrong_type_raises_type_error(topics: FakeTopics, value: Any) -> None:
    async with topics_client(topics) as client:
        with pytest.raises(TypeError, match="str or bytes"):
            await client.cache("cache").results.publish("t", value)
    assert topics.published == []


@pytest.mark.parametrize(
    "options",
    [
        {"resume_at": True},
        {"resume_at": False},
        {"resume_at": 1.0},
        {"resume_at": "1"},
        {"resume_at": None},
        {"page": True, "resume_at": 1},
        {"page": b"1", "resume_at": 1},
        {"start": "now"},
        {"start": None},
        {"start": True},
        {"heartbeats": 1},
        {"heartbeats": None},
        {"heartbeats": "yes"},
        {"resumeAt": 1},
    ],
)
async def test_invalid_subscribe_option_raises_type_error(topics: FakeTopics, options: dict[str, Any]) -> None:
    async with topics_client(topics) as client:
        with pytest.raises(TypeError):
            client.cache("cache").results.subscribe("t", **options)
        with pytest.raises(TypeError):
            client.cache("cache").results.subscribe("t", **options)
    assert topics.asked == []


@pytest.mark.parametrize(
    ("cache", "topic", "options", "said"),
    [
        ("", "t", {}, "cache name"),
        (" ", "t", {}, "cache name"),
        ("x" * 256, "t", {}, "at most 255"),
        ("cache", "", {}, "the topic must not be empty"),
        ("cache", "\ud800", {}, "the topic cannot be encoded"),
        ("cache", "t", {"resume_at": -1}, "resume_at must be an unsigned 64-bit integer"),
        ("cache", "t", {"resume_at": 2**64}, "resume_at must be an unsigned 64-bit integer"),
        ("cache", "t", {"resume_at": 10**5_000}, "resume_at must be an unsigned 64-bit integer"),
        ("cache", "t", {"resume_at": 1, "page": -1}, "page must be an unsigned 64-bit integer"),
        ("cache", "t", {"resume_at": 1, "page": 2**64}, "page must be an unsigned 64-bit integer"),
        ("cache", "t", {"page": 1}, "page needs resume_at"),
        ("cache", "t", {"resume_at": 1, "start": TopicStart.NOW}, "pass one of them"),
    ],
)
async def test_invalid_subscription_argument_returns_one_error_and_ends(
    topics: FakeTopics, cache: str, topic: str, options: dict[str, Any], said: str
) -> None:
    async with topics_client(topics) as client:
        subscription = client.cache(cache).results.subscribe(topic, **options)
        refused = await subscription.established()
        assert refused is not None and refused.code is ErrorCode.INVALID_ARGUMENT and said in refused.message
        assert [event async for event in subscription] == [refused]
        assert client.held() == dict.fromkeys(client.held(), 0)
        if not options:
            answer = await client.cache(cache).results.publish(topic, "v")
            assert isinstance(answer, r.Error) and answer.code is ErrorCode.INVALID_ARGUMENT
            assert said in answer.message
    assert topics.asked == [] and topics.published == []


@pytest.mark.parametrize("number", [1, 2**63, 2**64 - 1])
async def test_64_bit_resume_numbers_are_sent(topics: FakeTopics, number: int) -> None:
    async with topics_client(topics) as client:
        subscription = client.cache("cache").results.subscribe("t", resume_at=number, page=number)
        assert await subscription.established() is None
        await subscription.aclose()
    assert topics.asked == [(number, number, False)]


@pytest.mark.parametrize("size", [0, 1, 1024 * 1024, 10_900_000])
async def test_published_value_within_the_message_size_is_sent(topics: FakeTopics, size: int) -> None:
    async with topics_client(topics) as client:
        assert await client.cache("cache").results.publish("t", b"x" * size) == r.SUCCESS
    assert len(topics.published[0].value.binary) == size


@pytest.mark.parametrize("size", [11_010_048, 110_100_480])
async def test_published_value_over_the_message_size_is_rejected(topics: FakeTopics, size: int) -> None:
    async with topics_client(topics) as client:
        answer = await client.cache("cache").results.publish("t", b"x" * size)
        assert isinstance(answer, r.Error) and answer.code is ErrorCode.LIMIT_EXCEEDED
        assert await client.cache("cache").results.publish("t", b"x") == r.SUCCESS
        assert client.held() == dict.fromkeys(client.held(), 0)


@pytest.mark.parametrize("value", [bytearray(b"ab"), memoryview(b"ab")])
async def test_bytes_like_values_are_published_as_bytes(topics: FakeTopics, value: Any) -> None:
    async with topics_client(topics) as client:
        assert await client.cache("cache").results.publish("t", value) == r.SUCCESS
    assert topics.published[0].value.WhichOneof("kind") == "binary"
    assert topics.published[0].value.binary == b"ab"


@given(st.text(min_size=1, max_size=30), st.text(max_size=200) | st.binary(max_size=200))
def test_publish_request_matches_protobuf(topic: str, value: str | bytes) -> None:
    read = pb.PublishRequest.FromString(publish_request("größe", topic, value))
    assert (read.cache_name, read.topic) == ("größe", topic)
    kind = "text" if isinstance(value, str) else "binary"
    assert read.value.WhichOneof("kind") == kind and getattr(read.value, kind) == value


@given(st.text(min_size=1, max_size=30), st.integers(0, 2**64 - 1), st.integers(0, 2**64 - 1))
def test_subscribe_request_matches_protobuf(topic: str, number: int, page: int) -> None:
    request = subscribe_request(Wanted("c", topic, 0, 0, False, False), Ask(number, page, False))
    read = pb.SubscribeRequest.FromString(request)
    assert (read.cache_name, read.topic) == ("c", topic)
    assert (read.resume_at_topic_sequence_number, read.sequence_page) == (number, page)


def test_blocking_client_accepts_the_same_topic_arguments() -> None:
    for asynchronous, blocking in ((Cache, sync.Cache), (CacheResults, sync.CacheResults)):
        for name in ("publish", "subscribe"):
            assert callable(getattr(asynchronous, name)) and callable(getattr(blocking, name))
    client = sync.CacheClient(default_ttl=60)
    with pytest.raises(TypeError, match="resume_at"):
        client.cache("cache").results.subscribe("t", resume_at=cast(Any, True))
    [refused] = client.cache("cache").results.subscribe("t", resume_at=-1)
    assert isinstance(refused, Error)


async def test_subscription_over_the_client_limit_is_rejected_until_one_closes(
    topics: FakeTopics, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(subscriptions, "MOST_SUBSCRIPTIONS", 3)
    async with topics_client(topics) as client:
        several = [client.cache("cache").results.subscribe("t") for _ in range(3)]
        assert [await each.established() for each in several] == [None] * 3
        for _ in range(30):
            refused = await client.cache("cache").results.subscribe("t").established()
            assert refused is not None and refused.code is ErrorCode.CLIENT_OVERLOADED
            assert "limit of 3 subscriptions" in refused.message
        await several[0].aclose()
        assert await client.cache("cache").results.subscribe("t").established() is None
        for each in several:
            await each.aclose()
    assert len(topics.asked) == 4


async def test_subscribe_raises_for_a_client_with_cross_loop_calls() -> None:
    def calls(
        credentials: CredentialProvider, configuration: Configuration, observers: Observers | None
    ) -> CrossLoopCalls:
        return CrossLoopCalls(LoopCalls(credentials, configuration, observers))

    client = CacheClient(default_ttl=60, configuration=quick(), calls=calls)
    with pytest.raises(RuntimeError, match="use a larder_cache.CacheClient"):
        await anext(client.cache("cache").results.subscribe("t"))
