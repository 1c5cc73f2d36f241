"""`python -m pytest with_a_fake.py`: tests of code that uses Larder, without a server."""

import pytest

from larder_cache import CacheClient, ErrorCode, sync
from larder_cache.fake import FakeServer


async def greeting(client: CacheClient, name: str) -> str:
    """Code under test: return a greeting, cached for a minute. It works even if the cache is unavailable."""

    async def make() -> str:
        return f"hello {name}"

    return (await client.cache("cache").get_or_set(name, make, ttl=60)).decode()


def visits(client: sync.CacheClient) -> int:
    """Code under test, with the blocking client."""
    return client.cache("cache").increment("visits")


@pytest.fixture
def fake() -> FakeServer:
    return FakeServer()


@pytest.mark.asyncio
async def test_greeting_is_cached_for_a_minute(fake: FakeServer) -> None:
    client = fake.client()
    assert [await greeting(client, "Ada") for _ in range(3)] == ["hello Ada"] * 3
    assert fake.received["set"] == 1  # Received calls, by operation.
    fake.advance(60)
    await greeting(client, "Ada")
    assert fake.received["set"] == 2


@pytest.mark.asyncio
async def test_greeting_is_returned_if_the_cache_fails(fake: FakeServer) -> None:
    fake.fail(ErrorCode.UNAVAILABLE, times=None)  # Every call fails until fake.clear_faults().
    assert await greeting(fake.client(), "Ada") == "hello Ada"


def test_visits_increases_with_each_call(fake: FakeServer) -> None:
    fake.fail(ErrorCode.TIMEOUT, "get")  # Only the next get fails.
    with fake.sync_client() as client:
        assert [visits(client), visits(client)] == [1, 2]
