"""Protocol violations and network faults: a subscription continues, or ends with one error (N12)."""

from __future__ import annotations

import asyncio
import logging
import resource
from collections.abc import AsyncIterator
from pathlib import Path

import grpc
import pytest

from larder_cache import CacheClient, CredentialProvider, ErrorCode, TlsOptions
from larder_cache._internal.topics import subscription_state
from larder_cache._internal.topics.topic_buffer import MOST_EVENTS
from larder_cache.topic_event import Discontinuity, Error, Item
from tests.conftest import until
from tests.support.certificates import Certificates, needs_openssl
from tests.support.proxy import Proxy
from tests.topics.conftest import quick, topics_client
from tests.topics.fake_topics import PAGE, FakeTopics, Script, Stream


@pytest.fixture
async def client(topics: FakeTopics) -> AsyncIterator[CacheClient]:
    async with topics_client(topics) as made:
        yield made
        assert made.held()["permits"] == 0


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


@pytest.mark.parametrize(
    "status",
    [
        grpc.StatusCode.CANCELLED,
        grpc.StatusCode.UNKNOWN,
        grpc.StatusCode.DEADLINE_EXCEEDED,
        grpc.StatusCode.ABORTED,
        grpc.StatusCode.OUT_OF_RANGE,
        grpc.StatusCode.INTERNAL,
        grpc.StatusCode.UNAVAILABLE,
        grpc.StatusCode.DATA_LOSS,
        None,
    ],
)
async def test_top_24_subscription_resumes_after_transient_error_or_ok_status(
    topics: FakeTopics, client: CacheClient, status: grpc.StatusCode | None
) -> None:
    async def script(stream: Stream) -> None:
        at = stream.asked[0] or 1
        await stream.item(at, str(at))
        if status is not None:
            await stream.fail(status)

    topics.script = script
    subscription = client.cache("cache").results.subscribe("t")
    assert [await anext(subscription) for _ in range(4)] == [Item(str(n), n, PAGE) for n in range(1, 5)]
    assert [asked[:2] for asked in topics.asked[:4]] == [(0, 0), (2, PAGE), (3, PAGE), (4, PAGE)]


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


async def test_subscription_resumes_after_a_connection_reset(topics: FakeTopics) -> None:
    async with Proxy(topics.port) as proxy:
        credentials = CredentialProvider.local(port=proxy.port)
        async with CacheClient(credentials, default_ttl=60, configuration=quick()) as client:
            subscription = client.cache("cache").results.subscribe("t")
            for number in range(1, 6):
                topics.say("t", str(number))
                assert await anext(subscription) == Item(str(number), number, PAGE)
                proxy.cut()
            assert client.statistics().topics.reconnects >= 4


async def test_top_7_subscription_resumes_after_a_server_restart_without_loss(topics: FakeTopics) -> None:
    async with topics_client(topics) as client:
        subscription = client.cache("cache").results.subscribe("t")
        topics.say("t", "one")
        assert await anext(subscription) == Item("one", 1, PAGE)
        port = topics.port
        await topics.stop()
        async with FakeTopics(port) as again:
            again.say("t", "one", "two")
            assert await anext(subscription) == Item("two", 2, PAGE)
            assert again.asked[0] == (2, PAGE, False)
            again.say("t", "three")
            assert await anext(subscription) == Item("three", 3, PAGE)
            await subscription.aclose()


async def test_subscription_backs_off_between_retries_while_server_is_unavailable(topics: FakeTopics) -> None:
    async def script(stream: Stream) -> None:
        if len(topics.asked) in (1, 12):
            await stream.item(len(topics.asked), "up")
        await stream.fail(grpc.StatusCode.UNAVAILABLE, "down", "not_executed")

    topics.script = script
    async with topics_client(topics, initial_back_off_s=0.002, max_back_off_s=0.016) as client:
        loop = asyncio.get_running_loop()
        subscription = client.cache("cache").results.subscribe("t")
        began = loop.time()
        assert await anext(subscription) == Item("up", 1, PAGE)
        assert await anext(subscription) == Discontinuity(1, 12, PAGE)
        # There are eleven waits. Each wait is at least half of its nominal time, which is 2, 4, 8 and then 16 ms.
        assert loop.time() - began >= (2 + 4 + 8 + 8 * 16) / 2_000
        await subscription.aclose()


async def test_retry_7_disconnected_subscriptions_share_a_few_connection_attempts(
    topics: FakeTopics,
) -> None:
    async with Proxy(topics.port) as proxy:
        credentials = CredentialProvider.local(port=proxy.port)
        configuration = quick(initial_back_off_s=0.08, max_back_off_s=1.0)
        async with CacheClient(credentials, default_ttl=60, configuration=configuration) as client:
            subscriptions = [client.cache("cache").results.subscribe("t") for _ in range(100)]
            assert set(await asyncio.gather(*(each.established() for each in subscriptions))) == {None}
            loop = asyncio.get_running_loop()
            target, proxy.target, before, began = proxy.target, 1, proxy.accepted, loop.time()
            proxy.cut()
            await until(lambda: client.statistics().topics.reconnects >= 500)
            # The first waits are 100, 160 and 256 ms, and jitter shortens each by at most a fifth.
            assert proxy.accepted - before <= 4 + (loop.time() - began) / 0.25
            proxy.target = target
            topics.say("t", "back")
            for each in subscriptions:
                assert await anext(each) == Item("back", 1, PAGE)
            await asyncio.gather(*(each.aclose() for each in subscriptions))
            await until(lambda: client.statistics().connections == 0)


async def test_n4_silently_lost_connection_is_replaced_and_subscription_resumes(
    topics: FakeTopics, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(subscription_state, "_SILENCE_S", 0.2)
    async with Proxy(topics.port) as proxy:
        credentials = CredentialProvider.local(port=proxy.port)
        async with CacheClient(credentials, default_ttl=60, configuration=quick()) as client:
            subscription = client.cache("cache").results.subscribe("t")
            topics.say("t", "one")
            assert await anext(subscription) == Item("one", 1, PAGE)
            proxy.freeze()
            topics.say("t", "two")
            assert await anext(subscription) == Item("two", 2, PAGE)
            assert topics.asked[-1] == (2, PAGE, False)


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
