"""Connections and other background work keep no reference to the request that started them."""

from __future__ import annotations

import asyncio
import contextvars
import gc
import threading
import weakref
from collections.abc import Callable, Coroutine, Iterator
from typing import Any

import pytest

from larder_cache import CacheClient, Configuration, CredentialProvider, sync
from larder_cache._internal.topics.topic_reader import TopicReader
from larder_cache.near_cache import NearCache
from tests.conftest import PATIENCE_S, pipelined, unary
from tests.support.larder_server import larder_server

_request: contextvars.ContextVar[Any] = contextvars.ContextVar("request")


class Request:
    """The state that a web framework keeps for a request."""


@pytest.fixture(scope="module")
def real_port() -> Iterator[int]:
    with larder_server() as port:
        yield port


def keep_alive(configuration: Configuration) -> Configuration:
    return configuration.with_settings(keepalive_interval_s=PATIENCE_S, keepalive_timeout_s=PATIENCE_S)


async def in_request(work: Callable[[], Coroutine[Any, Any, None]]) -> weakref.ref[Request]:
    """Run a request to its end in a separate context. Returns a weak reference to the request."""

    async def handled() -> weakref.ref[Request]:
        request = Request()
        _request.set(request)
        await work()
        return weakref.ref(request)

    return await asyncio.create_task(handled())


async def is_gone(request: weakref.ref[Request]) -> bool:
    """Wait for the work that the request started. Returns whether nothing references the request any more."""
    for _ in range(20):
        await asyncio.sleep(0)
        gc.collect()
        if request() is None:
            return True
    return False


@pytest.mark.parametrize(
    "configuration",
    [
        pytest.param(pipelined(), id="pipeline"),
        pytest.param(keep_alive(pipelined()), id="pipeline with keepalive"),
        pytest.param(unary(), id="unary"),
        pytest.param(keep_alive(unary()), id="unary with keepalive"),
        pytest.param(pipelined().with_settings(near_cache=NearCache(max_bytes=1_000_000)), id="near cache"),
    ],
)
async def test_connection_releases_the_context_of_its_first_call(real_port: int, configuration: Configuration) -> None:
    client = CacheClient(CredentialProvider.local(port=real_port), default_ttl=60, configuration=configuration)
    async with client:

        async def first() -> None:
            await client.cache("cache").results.set("k", b"v" * 100_000)
            await client.cache("cache").with_timeout(PATIENCE_S / 2).results.get("k")
            await client.cache("cache").results.get("other")

        request = await in_request(first)
        assert await is_gone(request)
        assert client.statistics().connections >= 1


async def test_topic_reader_runs_outside_the_context_of_the_subscriber(
    real_port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[Any] = []
    run = TopicReader.run

    async def recording(self: TopicReader) -> Any:
        seen.append(_request.get(None))
        return await run(self)

    monkeypatch.setattr(TopicReader, "run", recording)
    async with CacheClient(CredentialProvider.local(port=real_port), default_ttl=60) as client:
        subscription = client.cache("cache").results.subscribe("topic")

        async def begin() -> None:
            assert await subscription.established() is None

        await in_request(begin)
        assert seen == [None] and client.statistics().topics.subscriptions == 1
        await subscription.aclose()


async def test_connected_gateways_release_the_context_of_the_first_call(real_port: int) -> None:
    credentials = CredentialProvider.from_string(f"http://127.0.0.1:{real_port},http://localhost:{real_port}")
    async with CacheClient(credentials, default_ttl=60, configuration=keep_alive(pipelined())) as client:

        async def first() -> None:
            await client.cache("cache").results.get("k")

        assert await is_gone(await in_request(first))


def test_background_loop_releases_the_context_of_its_starting_thread(real_port: int) -> None:
    requests: list[weakref.ref[Request]] = []
    client = sync.CacheClient(CredentialProvider.local(port=real_port), default_ttl=60)

    def handle() -> None:
        request = Request()
        _request.set(request)
        client.cache("cache").results.set("k", b"v" * 100_000)
        client.cache("cache").results.get("k")
        requests.append(weakref.ref(request))

    thread = threading.Thread(target=contextvars.copy_context().run, args=(handle,))
    thread.start()
    thread.join()
    del thread
    # Make two more calls, as a second request would. When they have ended, the loop has run everything that the first
    # request scheduled.
    client.cache("cache").results.get("k")
    client.cache("cache").results.set("k", b"w" * 100_000)
    gc.collect()
    assert requests[0]() is None
    client.close()
