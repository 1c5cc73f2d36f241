"""Scans: the keys of a cache, page by page."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from larder_cache import CacheClient, Configuration, CredentialProvider, ErrorCode
from larder_cache import responses as r
from larder_cache import sync
from tests.conftest import client_of
from tests.support.fake_server import FakeServer
from tests.support.larder_server import larder_server


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    with larder_server() as running:
        yield running


async def test_scan_keys_returns_every_key_with_type_ttl_and_size(port: int, configuration: Configuration) -> None:
    credentials = CredentialProvider.local(port=port)
    async with CacheClient(credentials, default_ttl=60, configuration=configuration) as client:
        cache = client.cache("cache").results
        await cache.set_batch({f"page {number}": "value" for number in range(300)})
        met: dict[bytes, r.ScannedKey] = {}
        cursor, pages = b"", 0
        while cursor or pages == 0:
            page = await cache.scan_keys("page ", cursor=cursor, count=50)
            assert isinstance(page, r.KeyPage) and len(page.keys) <= 50
            met |= {each.key: each for each in page.keys}
            cursor, pages = page.cursor, pages + 1
        assert met.keys() == {f"page {number}".encode() for number in range(300)}
        assert {(each.type, each.size_bytes) for each in met.values()} == {(r.ItemType.SCALAR, 5)}
        assert all(0 < each.remaining_ttl_ms <= 60_000 for each in met.values())
        assert pages >= 6
        assert await cache.scan_keys("page ", type=r.ItemType.LIST) == r.KeyPage([], b"")
        assert repr(r.KeyPage([], b"")) == "KeyPage(0 keys, the last)"


def test_blocking_scan_keys_returns_binary_keys_unchanged(port: int) -> None:
    with sync.CacheClient(CredentialProvider.local(port=port), default_ttl=60) as client:
        hostile = b"\xff\x1b[2J\n*\x00"
        client.cache("cache").results.set(hostile, "v")
        page = client.cache("cache").results.scan_keys(b"\xff\x1b")
        assert isinstance(page, r.KeyPage) and [each.key for each in page.keys] == [hostile]
        client.cache("cache").results.delete(hostile)


async def test_scan_keys_rejects_invalid_cursor_count_and_type(port: int, configuration: Configuration) -> None:
    credentials = CredentialProvider.local(port=port)
    async with CacheClient(credentials, default_ttl=60, configuration=configuration) as client:
        refused: list[dict[str, Any]] = [{"cursor": b"garbage"}, {"count": -1}, {"count": 2**32}]
        for arguments in refused:
            answer = await client.cache("cache").results.scan_keys(**arguments)
            assert isinstance(answer, r.Error) and answer.code == ErrorCode.INVALID_ARGUMENT
        wrong: Any = {"type": "scalar"}, {"count": 1.5}, {"cursor": 7}
        for arguments in wrong:
            with pytest.raises(TypeError):
                await client.cache("cache").results.scan_keys(**arguments)


async def test_scan_keys_returns_unknown_if_server_does_not_support_it(server: FakeServer) -> None:
    async with client_of(server) as client:
        answer = await client.cache("cache").results.scan_keys()
        assert isinstance(answer, r.Error) and answer.code == ErrorCode.UNKNOWN
        assert "scan_keys" in answer.message
        assert isinstance(await client.cache("cache").results.get("k"), r.Miss), "other calls go on"
