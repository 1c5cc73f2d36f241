"""Calls to a wrong port fail without delay with a clear message, on both transports and in blocking clients (RETRY-9).
"""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from larder_cache import CacheClient, Configurations, CredentialProvider, ErrorCode, Transport
from larder_cache import responses as r
from larder_cache import sync
from larder_cache._internal.http2.connection_loss import WrongProtocol, lasts, unreachable_reason, wrong_protocol
from larder_cache._internal.transport.outage import Outage

ALERT = bytes((0x15, 3, 1, 0, 2, 2, 70))
HTTP1 = b"HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n"
# The response of a server that supports only HTTP/1.1 to the HTTP/2 connection preface.
GOAWAY = bytes((0, 0, 8, 7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 13))
NEEDS_TLS = "the port requires TLS; use an https:// address"
CONSOLE = "the port uses HTTP/1 and may be the console port; use the data port"
WITHOUT_TLS = "the port does not use TLS; use an http:// address or the TLS port"
ANSWERS = [
    ("http", ALERT, NEEDS_TLS),
    ("http", HTTP1, CONSOLE),
    ("http", GOAWAY, CONSOLE),
    ("https", HTTP1, WITHOUT_TLS),
]


class Answering:
    """A server that responds to any input with fixed bytes, closes the connection, and counts its connections."""

    def __init__(self, answer: bytes) -> None:
        self.answer, self.connections, self.port = answer, 0, 0

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        await reader.read(1)
        writer.write(self.answer)
        writer.close()


@asynccontextmanager
async def answering(answer: bytes) -> AsyncIterator[Answering]:
    made = Answering(answer)
    server = await asyncio.start_server(made.serve, "127.0.0.1", 0)
    made.port = server.sockets[0].getsockname()[1]
    async with server:
        yield made


@pytest.mark.parametrize(("scheme", "answer", "reason"), ANSWERS)
@pytest.mark.parametrize("transport", [Transport.PIPELINE, Transport.UNARY])
async def test_call_fails_immediately_if_server_expects_another_protocol(
    transport: Transport, scheme: str, answer: bytes, reason: str
) -> None:
    async with answering(answer) as server:
        configuration = Configurations.Laptop.latest().with_settings(transport=transport, channels=1)
        credentials = CredentialProvider.from_string(f"{scheme}://127.0.0.1:{server.port}")
        async with CacheClient(credentials, configuration=configuration, default_ttl=60) as client:
            got = await client.cache("cache").results.get("k")
    assert isinstance(got, r.Error) and got.code is ErrorCode.UNAVAILABLE
    assert reason in got.message
    # A call that waited for the server to return would have made several attempts.
    assert server.connections == 1


@pytest.mark.parametrize(("scheme", "answer", "reason"), ANSWERS)
async def test_blocking_client_reports_if_server_expects_another_protocol(
    scheme: str, answer: bytes, reason: str
) -> None:
    async with answering(answer) as server:

        def call() -> object:
            credentials = CredentialProvider.from_string(f"{scheme}://127.0.0.1:{server.port}")
            with sync.CacheClient(credentials, default_ttl=60) as client:
                return client.cache("cache").results.get("k")

        got = await asyncio.to_thread(call)
    assert isinstance(got, r.Error) and reason in got.message


@pytest.mark.parametrize("first", [b"", b"\x15", b"\0\0\x12\4\0\0\0\0\0", GOAWAY[:16], GOAWAY[:16] + b"\0"])
def test_partial_http2_bytes_are_not_reported_as_the_wrong_protocol(first: bytes) -> None:
    assert wrong_protocol(first) is None


def test_protocol_and_tls_failures_are_permanent() -> None:
    assert lasts(WrongProtocol("TLS")) and lasts(ssl.SSLCertVerificationError("not trusted")) and lasts(ssl.SSLError())
    for passing in (
        ConnectionRefusedError(),
        ConnectionResetError(),
        TimeoutError(),
        ssl.SSLEOFError(),
        ConnectionError(),
    ):
        assert not lasts(passing)


def test_permanent_outage_skips_the_grace_period() -> None:
    outage = Outage(request_timeout_s=5)
    assert outage.seen("refused", 100.0)
    assert not outage.past_grace(101.9) and outage.past_grace(102.0)
    assert not outage.seen("TLS", 100.5, lasting=True)
    assert outage.past_grace(100.5)
    outage.over()
    assert not outage.past_grace(200.0)


def test_reason_for_refused_or_silently_closed_connection_suggests_a_cause() -> None:
    plain = CredentialProvider.from_string("http://127.0.0.1:1")
    refused = ConnectionRefusedError(111, "Connect call failed ('127.0.0.1', 1)")
    assert "Connect call failed ('127.0.0.1', 1): no server is listening" in unreachable_reason(refused, plain)
    assert "if the port requires TLS" in unreachable_reason(ConnectionError("closed by the server"), plain)
