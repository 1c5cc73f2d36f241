"""Error messages state what the reader can do (ERR-5)."""

from __future__ import annotations

import socket

import grpc
import pytest

from larder_cache import CacheClient, CacheError, Configuration, Configurations, CredentialProvider, Transport
from larder_cache import responses as r
from larder_cache import sync
from tests.support.fake_server import FakeServer

ONCE: Configuration = Configurations.Laptop.latest().with_settings(transport=Transport.PIPELINE, max_retries=0)


@pytest.fixture(autouse=True)
def no_grace(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make calls fail without a retry if the server is unreachable."""
    monkeypatch.setattr("larder_cache._internal.transport.outage._GRACE_S", 0.0)


async def _text_of(credentials: CredentialProvider, configuration: Configuration = ONCE) -> str:
    async with CacheClient(credentials, default_ttl=60, configuration=configuration) as client:
        answer = await client.cache("cache").results.get("k")
        assert isinstance(answer, r.Error)
        return answer.message


async def test_error_of_unreachable_server_mentions_waiting_for_a_connection() -> None:
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        text = await _text_of(CredentialProvider.local(port=bound.getsockname()[1]))
    assert "get in cache 'cache': the server is unreachable: ConnectionRefusedError" in text
    assert "queued for a connection, 1/1000 in flight" in text and "1 attempt," in text
    assert text.count("ConnectionRefusedError") == 1 and text.endswith("not connected]")


@pytest.mark.parametrize("limit", [1_000, 40, 1, None])
def test_error_of_blocking_client_contains_the_limit_of_the_whole_client(limit: int | None) -> None:
    configuration = ONCE.with_settings(max_in_flight_pipeline=limit)
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        credentials = CredentialProvider.local(port=bound.getsockname()[1])
        with sync.CacheClient(credentials, default_ttl=60, configuration=configuration) as client:
            answer = client.cache("cache").results.get("k")
    assert isinstance(answer, r.Error)
    assert f"1/{'off' if limit is None else limit} in flight" in answer.message


async def test_error_of_a_call_without_cache_contains_no_cache_name() -> None:
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        credentials = CredentialProvider.local(port=bound.getsockname()[1])
        configuration = Configurations.Laptop.latest().with_settings(request_timeout_s=0.2)
        async with CacheClient(credentials, default_ttl=60, configuration=configuration) as client:
            with pytest.raises(CacheError) as failed:
                await client.create_cache("made")
    assert failed.value.message.startswith("create_cache: ")


async def test_error_of_tls_to_plaintext_port_suggests_http_address(server: FakeServer) -> None:
    text = await _text_of(CredentialProvider(endpoint=f"127.0.0.1:{server.port}", tls=True))
    assert "the port does not use TLS; use an http:// address" in text


async def test_error_of_a_rejected_token_names_its_source(server: FakeServer) -> None:
    server.refuse_streams = grpc.StatusCode.UNAUTHENTICATED
    text = await _text_of(CredentialProvider.local(port=server.port))
    assert "refused; set the token in the credentials: http[s]://token@host" in text
