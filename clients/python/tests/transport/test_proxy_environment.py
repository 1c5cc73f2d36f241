"""Proxies in environment variables: the client's connections ignore them."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Iterator

import pytest

from agent.grpcio_target import GrpcioTarget
from larder_cache import responses as r
from larder_cache.topic_event import Item
from tests.conftest import PATIENCE_S, client_of, pipelined, unary
from tests.support.fake_server import FakeServer
from tests.topics.conftest import topics_client
from tests.topics.fake_topics import PAGE, FakeTopics

# The client sends a request of this size as a unary call.
_LARGE = bytes(100_000)


@pytest.fixture(params=["http_proxy", "https_proxy", "grpc_proxy"], autouse=True)
def proxy(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Configure a proxy for every host. The proxy refuses connections."""
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        for name in ("no_proxy", "no_grpc_proxy", "NO_PROXY"):
            monkeypatch.delenv(name, raising=False)
        monkeypatch.setenv(request.param, f"http://127.0.0.1:{closed.getsockname()[1]}")
        yield


async def test_unary_calls_ignore_proxies_from_the_environment(server: FakeServer) -> None:
    async with client_of(server, unary()) as client:
        assert await client.cache("cache").results.set("k", "v") == r.Success()
        await client.ping()


async def test_large_values_ignore_proxies_from_the_environment(server: FakeServer) -> None:
    async with client_of(server, pipelined()) as client:
        assert await client.cache("cache").results.set("k", _LARGE) == r.Success()


async def test_subscriptions_ignore_proxies_from_the_environment() -> None:
    async with FakeTopics() as topics, topics_client(topics) as client:
        topics.say("t", "one")
        async with client.cache("cache").results.subscribe("t") as subscription:
            assert await anext(subscription) == Item("one", 1, PAGE)


async def test_benchmark_targets_ignore_proxies_from_the_environment(server: FakeServer) -> None:
    target = GrpcioTarget({"endpoint": f"127.0.0.1:{server.port}"})
    try:
        async with asyncio.timeout(PATIENCE_S):
            assert target.outcome(await target.get(b"k")) == "miss"
    finally:
        await target.aclose()
