"""Permanent errors, missing responses and TLS failures: a subscription ends with one error (TOP-24, TOP-26)."""

from __future__ import annotations

from pathlib import Path

import grpc
import pytest

from larder_cache import CacheClient, CredentialProvider, ErrorCode, TlsOptions
from larder_cache.topic_event import Error, Item
from tests.conftest import until
from tests.support.certificates import Certificates, needs_openssl
from tests.topics.conftest import quick, topics_client
from tests.topics.fake_topics import PAGE, FakeTopics, Script, Stream


async def _final_error(client: CacheClient, topics: FakeTopics) -> Error:
    """Read the subscription to its end, which must be exactly one error."""
    events = [event async for event in client.cache("cache").results.subscribe("t")]
    assert len(events) == 1 and isinstance(events[0], Error), events
    await until(lambda: topics.open == [])
    assert client.held() == dict.fromkeys(client.held(), 0)
    return events[0]


def _failing(status: grpc.StatusCode, cause: str | None = None, *, after_a_heartbeat: bool = False) -> Script:
    async def script(stream: Stream) -> None:
        if after_a_heartbeat:
            await stream.heartbeat()
        await stream.fail(status, "injected", cause)

    return script


@pytest.mark.parametrize("after_a_heartbeat", [False, True])
@pytest.mark.parametrize(
    ("status", "code"),
    [
        (grpc.StatusCode.INVALID_ARGUMENT, ErrorCode.INVALID_ARGUMENT),
        (grpc.StatusCode.NOT_FOUND, ErrorCode.NOT_FOUND),
        (grpc.StatusCode.PERMISSION_DENIED, ErrorCode.PERMISSION_DENIED),
        (grpc.StatusCode.FAILED_PRECONDITION, ErrorCode.FAILED_PRECONDITION),
        (grpc.StatusCode.UNIMPLEMENTED, ErrorCode.UNKNOWN),
        (grpc.StatusCode.UNAUTHENTICATED, ErrorCode.UNAUTHENTICATED),
    ],
)
async def test_top_24_permanent_error_ends_the_subscription_with_one_error(
    topics: FakeTopics, client: CacheClient, status: grpc.StatusCode, code: ErrorCode, after_a_heartbeat: bool
) -> None:
    topics.script = _failing(status, "some_cause", after_a_heartbeat=after_a_heartbeat)
    error = await _final_error(client, topics)
    assert (error.code, error.cause) == (code, "some_cause")
    assert "subscribe to 't' in cache 'cache': injected" in error.message and "1 attempt" in error.message
    assert len(topics.asked) == 1


async def test_top_24_full_server_ends_new_but_not_established_subscriptions(
    topics: FakeTopics, client: CacheClient
) -> None:
    topics.script = _failing(grpc.StatusCode.RESOURCE_EXHAUSTED, "topic_subscriptions_limit_exceeded")
    error = await _final_error(client, topics)
    assert (error.code, error.cause) == (ErrorCode.LIMIT_EXCEEDED, "topic_subscriptions_limit_exceeded")

    async def stay_full_briefly(stream: Stream) -> None:
        if len(topics.asked) == 2:
            await stream.heartbeat()
        elif len(topics.asked) < 6:
            await stream.fail(grpc.StatusCode.RESOURCE_EXHAUSTED)
        await stream.item(1, "room")
        await stream.stay()

    async def lose_stream_after_start(stream: Stream) -> None:
        if len(topics.asked) == 2:
            await stream.heartbeat()
            await stream.fail(grpc.StatusCode.UNAVAILABLE)
        await stay_full_briefly(stream)

    topics.script = lose_stream_after_start
    assert await anext(client.cache("cache").results.subscribe("t")) == Item("room", 1, PAGE)
    assert len(topics.asked) == 6


async def test_top_24_subscription_that_never_starts_fails_within_request_timeout(
    topics: FakeTopics,
) -> None:
    topics.script = _failing(grpc.StatusCode.UNAVAILABLE, "its_cause")
    async with topics_client(topics, request_timeout_s=1.0) as client:
        error = await _final_error(client, topics)
    assert (error.code, error.cause) == (ErrorCode.UNAVAILABLE, "its_cause")
    assert len(topics.asked) > 1 and f"{len(topics.asked)} attempts" in error.message


async def test_top_24_unreachable_server_ends_the_subscription_as_unavailable() -> None:
    async with FakeTopics() as gone:
        pass
    async with topics_client(gone, request_timeout_s=0.2) as client:
        [error] = [event async for event in client.cache("cache").results.subscribe("t")]
        assert isinstance(error, Error) and error.code is ErrorCode.UNAVAILABLE
        assert client.held() == dict.fromkeys(client.held(), 0)


@needs_openssl
async def test_a2_subscription_reports_tls_failure_and_uses_changed_tls_files(
    tmp_path: Path,
) -> None:
    files, others = Certificates(tmp_path / "files"), Certificates(tmp_path / "others")
    files.issue("server", host="localhost")
    trusted = tmp_path / "trusted.pem"
    trusted.write_bytes(others.authority.read_bytes())
    own = files.path("server.key").read_bytes(), files.path("server.pem").read_bytes()
    async with FakeTopics(tls=own) as topics:
        options = TlsOptions(authority_files=(trusted,), server_name="localhost")
        credentials = CredentialProvider(endpoint=f"127.0.0.1:{topics.port}", tls=True).with_tls(options)
        configuration = quick(request_timeout_s=1.0, max_back_off_s=0.1)
        async with CacheClient(credentials, default_ttl=60, configuration=configuration) as client:
            [error] = [event async for event in client.cache("cache").results.subscribe("t")]
            assert isinstance(error, Error) and error.code is ErrorCode.UNAVAILABLE
            assert "is from an authority that this client does not trust" in error.message
            assert topics.asked == []
            trusted.write_bytes(files.authority.read_bytes())
            topics.say("t", "hello")
            assert await anext(client.cache("cache").results.subscribe("t")) == Item("hello", 1, PAGE)
        async with CacheClient(
            CredentialProvider(endpoint=f"127.0.0.1:{topics.port}", tls=False),
            default_ttl=60,
            configuration=quick(request_timeout_s=0.3),
        ) as plain:
            [error] = [event async for event in plain.cache("cache").subscribe("t")]
            assert isinstance(error, Error) and error.code is ErrorCode.UNAVAILABLE


async def test_top_26_missing_first_message_ends_subscription_with_timeout(topics: FakeTopics) -> None:
    topics.script = Stream.stay
    async with topics_client(topics, request_timeout_s=0.5) as client:
        error = await _final_error(client, topics)
    assert error.code is ErrorCode.TIMEOUT and "did not respond for 0.5 s" in error.message


async def test_top_26_headers_without_a_message_do_not_start_a_subscription(topics: FakeTopics) -> None:
    async def script(stream: Stream) -> None:
        await stream.head(f"{PAGE}-7")
        await stream.stay()

    topics.script = script
    async with topics_client(topics, request_timeout_s=0.5) as client:
        assert (await _final_error(client, topics)).code is ErrorCode.TIMEOUT
