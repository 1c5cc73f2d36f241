"""Fixtures with the real server, and a handle on its cache for each transport."""

from __future__ import annotations

import uuid
from collections.abc import AsyncIterator, Iterator

import pytest

from larder_cache import CacheClient, CacheResults, Configuration, CredentialProvider
from tests.support.larder_server import larder_server


@pytest.fixture(scope="package")
def port() -> Iterator[int]:
    with larder_server() as running:
        yield running


@pytest.fixture
async def client(port: int, configuration: Configuration) -> AsyncIterator[CacheClient]:
    credentials = CredentialProvider.local(port=port)
    async with CacheClient(credentials, default_ttl=60, configuration=configuration) as running:
        yield running


@pytest.fixture
def cache(client: CacheClient) -> CacheResults:
    return client.cache("cache").results


def new_key() -> str:
    """Return a unique key. All of these keys are in the same slot."""
    return f"{{c}}{uuid.uuid4()}"
