"""A client's log events and their fields, which contain no key, value or token."""

from __future__ import annotations

import ast
import asyncio
import inspect
import logging
from typing import Any

import pytest

from larder_cache import CacheClient, CredentialProvider, ErrorCode, GetOrSetOptions, Transport
from larder_cache import responses as r
from larder_cache._internal.common import log
from larder_cache.fake import FakeServer as Fake
from larder_cache.sync import CacheClient as BlockingClient
from tests.conftest import PATIENCE_S, pipelined, unary, until
from tests.leases.loads import Loader, ready, stale
from tests.support.fake_server import FakeServer

_SECRETS = ("secret-key", "secret-value", "secret-token")


def told(caplog: pytest.LogCaptureFixture, event: str) -> list[dict[str, Any]]:
    """Return the fields and level of each record of an event."""
    found = [each.__dict__ for each in caplog.records if getattr(each, "larder_event", "") == event]
    return [
        {name.removeprefix("larder_"): value for name, value in each.items() if name.startswith("larder_")}
        | {"level": each["levelname"]}
        for each in found
    ]


@pytest.fixture(autouse=True)
def everything(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG, "larder_cache")


def client_of(port: int, token: str | None = None, **changes: Any) -> CacheClient:
    credentials = CredentialProvider.from_string(f"http://{'' if token is None else token + '@'}127.0.0.1:{port}")
    return CacheClient(credentials, default_ttl=60, configuration=pipelined().with_settings(**changes))


async def test_opened_and_lost_connections_are_logged_with_their_endpoint(
    server: FakeServer, caplog: pytest.LogCaptureFixture
) -> None:
    async with client_of(server.port, "secret-token") as client:
        await client.cache("cache").results.set("secret-key", "secret-value")
        assert told(caplog, "connection_opened") == [
            {"event": "connection_opened", "endpoint": f"127.0.0.1:{server.port}", "level": "DEBUG"}
        ]
        server.end_streams("abort")
        await until(lambda: bool(told(caplog, "connection_lost")))
        await client.cache("cache").results.get("secret-key")
    [lost] = told(caplog, "connection_lost")
    expected = {"endpoint": f"127.0.0.1:{server.port}", "error_code": "Unavailable", "level": "INFO"}
    assert lost == {"event": "connection_lost", **expected}
    assert len(told(caplog, "connection_opened")) == 2
    # A connection that the client itself closes is not logged.
    assert len(told(caplog, "connection_lost")) == 1
    assert not [secret for secret in _SECRETS if secret in caplog.text]


async def test_unreachable_server_is_logged_once(caplog: pytest.LogCaptureFixture) -> None:
    async with client_of(1, request_timeout_s=0.3, eager_connect=False) as client:
        for _ in range(3):
            assert isinstance(await client.cache("cache").results.get("secret-key"), r.Error)
    [failed] = told(caplog, "connection_failed")
    assert failed == {"event": "connection_failed", "endpoint": "127.0.0.1:1", "level": "INFO"}


async def test_unary_client_logs_server_loss_and_recovery(caplog: pytest.LogCaptureFixture) -> None:
    settings = unary().with_settings(request_timeout_s=0.2, eager_connect=False)
    async with FakeServer() as first:
        port = first.port
        client = CacheClient(CredentialProvider.local(port=port), default_ttl=60, configuration=settings)
        assert await client.cache("cache").results.get("k") == r.MISS
    while not (told(caplog, "connection_failed") or told(caplog, "connection_lost")):
        await client.cache("cache").results.get("k")
    async with FakeServer(port=port), asyncio.timeout(PATIENCE_S):
        while await client.cache("cache").results.get("k") != r.MISS:
            pass
        assert told(caplog, "connection_opened")
        await client.aclose()


async def test_server_without_pipeline_is_logged_once(caplog: pytest.LogCaptureFixture) -> None:
    async with FakeServer(pipeline=False) as server:
        async with client_of(server.port, transport=Transport.AUTO) as client:
            await asyncio.gather(*(client.cache("cache").results.get(f"{number}") for number in range(5)))
        [unsupported] = told(caplog, "pipeline_unsupported")
        assert unsupported["endpoint"] == f"127.0.0.1:{server.port}" and unsupported["level"] == "INFO"


async def test_retry_is_logged_with_attempt_and_delay(server: FakeServer, caplog: pytest.LogCaptureFixture) -> None:
    server.refuse_first(2)
    async with client_of(server.port) as client:
        assert await client.cache("cache").results.get("secret-key") == r.MISS
    retries = told(caplog, "retry")
    assert [each["attempts"] for each in retries] == [1, 2] and all(each["wait_ms"] > 0 for each in retries)
    expected = {"operation": "get", "cache_name": "cache", "error_code": "Unavailable", "level": "DEBUG"}
    assert all(expected.items() <= each.items() for each in retries)
    assert "secret" not in caplog.text


async def test_exclusive_connections_of_blocking_client_are_logged(
    server: FakeServer, caplog: pytest.LogCaptureFixture
) -> None:
    def use() -> None:
        credentials = CredentialProvider.local(port=server.port)
        with BlockingClient(credentials, default_ttl=60, configuration=pipelined()) as client:
            while client.statistics().connections < 2:
                client.cache("cache").results.get("secret-key")

    await asyncio.get_running_loop().run_in_executor(None, use)
    assert len(told(caplog, "connection_opened")) == 2 and "secret" not in caplog.text


async def test_gateway_removal_and_recovery_are_logged(caplog: pytest.LogCaptureFixture) -> None:
    async with FakeServer() as one:
        async with FakeServer() as other:
            port = other.port
        listed = CredentialProvider.from_string(f"http://127.0.0.1:{one.port},http://127.0.0.1:{port}")
        async with CacheClient(listed, default_ttl=60, configuration=pipelined()) as client:
            async with asyncio.timeout(PATIENCE_S):
                while not told(caplog, "gateway_left_out"):
                    await client.cache("cache").results.get("k")
                async with FakeServer(port=port):
                    while not told(caplog, "gateway_up"):
                        await client.cache("cache").results.get("k")
    assert told(caplog, "gateway_left_out") == [
        {"event": "gateway_left_out", "endpoint": f"127.0.0.1:{port}", "level": "WARNING"}
    ]
    assert told(caplog, "gateway_up")[0]["level"] == "INFO"


async def test_stale_results_and_unavailable_caches_are_logged(caplog: pytest.LogCaptureFixture) -> None:
    fake = Fake()
    async with fake.client() as client:
        safe = GetOrSetOptions(fail_safe_for=3_600, soft_timeout=0.01)
        await stale(client, fake, safe)
        await client.cache("cache").results.get_or_set("k", ready(OSError("down")), options=safe)
        slow = Loader()
        await client.cache("cache").results.get_or_set("k", slow, options=safe)
        slow.go_on.set()
        raised, took = told(caplog, "stale_answered")
        expected = {"event": "stale_answered", "cache_name": "cache"}
        assert raised == {**expected, "exception": "OSError", "level": "WARNING"}
        assert took == {**expected, "level": "INFO"}
        fake.fail(ErrorCode.UNAVAILABLE, operation="get")
        await client.cache("cache").results.get_or_set("secret-key", ready())
        expected = {"event": "made_without_cache", "cache_name": "cache", "error_code": "Unavailable"}
        assert told(caplog, "made_without_cache") == [{**expected, "level": "DEBUG"}]
        await client.cache("absent").results.get_or_set("secret-key", ready())
        await client.cache("absent").results.get_or_set("secret-key", ready())
        expected = {"event": "cache_unusable", "cache_name": "absent", "error_code": "NotFound"}
        assert told(caplog, "cache_unusable") == [{**expected, "level": "ERROR"}]
    assert "secret" not in caplog.text


async def test_failed_and_postponed_refreshes_are_logged(caplog: pytest.LogCaptureFixture) -> None:
    fake = Fake()
    async with fake.client() as client:
        options = GetOrSetOptions(revalidate_for=3_600)
        for number in range(33):
            await client.cache("cache").results.get_or_set(f"secret-key {number}", ready(), ttl=1, options=options)
        fake.advance(2)
        load = Loader(*(OSError("down") for _ in range(33)))
        for number in range(33):
            await client.cache("cache").results.get_or_set(f"secret-key {number}", load, options=options)
        assert told(caplog, "refresh_put_off") == [
            {"event": "refresh_put_off", "cache_name": "cache", "level": "DEBUG"}
        ]
        load.go_on.set()
        await until(lambda: len(told(caplog, "not_made_anew")) == 32)
    expected = {"event": "not_made_anew", "exception": "OSError", "level": "WARNING"}
    assert told(caplog, "not_made_anew")[0] == expected
    assert "secret" not in caplog.text


def test_every_log_event_has_a_unique_name() -> None:
    calls = [node for node in ast.walk(ast.parse(inspect.getsource(log))) if isinstance(node, ast.Call)]
    said = [ast.literal_eval(call.args[1]) for call in calls if ast.unparse(call.func) == "_say"]
    assert len(said) > 20 and len(set(said) - {"stale_answered"}) == len(
        [each for each in said if each != "stale_answered"]
    )
