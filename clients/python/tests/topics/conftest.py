"""Fixtures: a server with topics, and its clients."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import pytest

from larder_cache import CacheClient, Configuration, Configurations, CredentialProvider, Transport
from tests.conftest import PATIENCE_S
from tests.topics.fake_topics import FakeTopics


@pytest.fixture
async def topics() -> AsyncIterator[FakeTopics]:
    async with FakeTopics() as server:
        yield server


def quick(**changes: Any) -> Configuration:
    """Return settings with short waits between retries. Calls are unary."""
    base = Configurations.Laptop.v1().with_settings(
        request_timeout_s=PATIENCE_S, initial_back_off_s=0.001, max_back_off_s=0.01, transport=Transport.UNARY
    )
    return base.with_settings(**changes)


def topics_client(server: FakeTopics, **changes: Any) -> CacheClient:
    return CacheClient(CredentialProvider.local(port=server.port), default_ttl=60, configuration=quick(**changes))


@pytest.fixture
async def client(topics: FakeTopics) -> AsyncIterator[CacheClient]:
    async with topics_client(topics) as made:
        yield made
        assert made.held()["permits"] == 0
