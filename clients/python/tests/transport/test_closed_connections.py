"""Attempts to connect to a server that accepts each connection and soon closes it (RETRY-7)."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from typing import Self

import pytest

from larder_cache import CacheClient, Configuration, CredentialProvider
from larder_cache._internal.http2 import hpack
from larder_cache._internal.http2 import http2_frames as h2
from larder_cache._internal.transport import channel, link_state
from tests.conftest import PATIENCE_S, pipelined, unary, until

_OK = hpack.encode([(":status", "200"), ("content-type", "application/grpc")])


class _Server:
    """A server that calls `on_connection` for each connection and `on_request` for the headers of each request."""

    def __init__(self) -> None:
        self.connections = 0
        self._open: set[asyncio.StreamWriter] = set()
        self.on_connection: Callable[[asyncio.StreamWriter], None] = lambda _: None
        self.on_request: Callable[[asyncio.StreamWriter], None] = lambda _: None

    async def __aenter__(self) -> Self:
        self._listener = await asyncio.start_server(self._serve, "127.0.0.1")
        self.port: int = self._listener.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *_: object) -> None:
        self._listener.close()
        await until(lambda: not self._open)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        self._open.add(writer)
        writer.write(h2.settings({}))
        self.on_connection(writer)
        try:
            await reader.readexactly(len(h2.PREFACE))
            while True:
                header = await reader.readexactly(9)
                await reader.readexactly(int.from_bytes(header[:3], "big"))
                if header[3] == h2.HEADERS:
                    self.on_request(writer)
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.transport.abort()
            with suppress(ConnectionError):
                await writer.wait_closed()
            self._open.discard(writer)


def _respond_and_close(writer: asyncio.StreamWriter, *frames: bytes) -> None:
    writer.write(b"".join(frames))
    writer.close()


def _closes_after_settings(server: _Server) -> None:
    server.on_connection = _respond_and_close


def _closes_after_request(server: _Server) -> None:
    server.on_request = _respond_and_close


def _closes_after_headers(server: _Server) -> None:
    server.on_request = lambda writer: _respond_and_close(writer, h2.frame(h2.HEADERS, h2.END_HEADERS, 1, _OK))


def _sends_goaway(server: _Server) -> None:
    server.on_request = lambda writer: _respond_and_close(writer, h2.frame(h2.GOAWAY, 0, 0, bytes(8)))


@pytest.fixture
def failures(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The number of consecutive failed attempts before each wait. The waits are shortened."""
    counted: list[int] = []

    def back_off_s(failed: int, longest_s: float) -> float:
        counted.append(failed)
        return 0.001

    monkeypatch.setattr(channel, "back_off_s", back_off_s)
    monkeypatch.setattr(link_state, "back_off_s", back_off_s)
    return counted


@asynccontextmanager
async def _use(kind: str, server: _Server) -> AsyncIterator[None]:
    """Use connections to the server, one after another."""
    settings: Configuration = pipelined() if kind == "pipeline" else unary()
    settings = settings.with_settings(
        request_timeout_s=PATIENCE_S, max_retries=0, initial_back_off_s=0.001, max_back_off_s=0.002
    )

    async def get(client: CacheClient) -> None:
        while True:
            await client.cache("cache").results.get("k")
            # A call that fails at once must not block the event loop.
            await asyncio.sleep(0)

    async def subscribe(client: CacheClient) -> None:
        async for _ in client.cache("cache").results.subscribe("topic"):
            pass

    credentials = CredentialProvider.local(port=server.port)
    async with CacheClient(credentials, default_ttl=60, configuration=settings) as client:
        using = asyncio.create_task(subscribe(client) if kind == "subscription" else get(client))
        try:
            yield
        finally:
            using.cancel()
            await asyncio.gather(using, return_exceptions=True)


@pytest.mark.parametrize("kind", ["unary", "pipeline", "subscription"])
@pytest.mark.parametrize(
    "prepare", [_closes_after_settings, _closes_after_request, _closes_after_headers, _sends_goaway]
)
async def test_retry_7_attempts_back_off_if_server_closes_each_connection(
    kind: str, prepare: Callable[[_Server], None], failures: list[int]
) -> None:
    async with _Server() as server:
        prepare(server)
        async with _use(kind, server):
            await until(lambda: len(failures) >= 6)
    assert failures[:6] == [1, 2, 3, 4, 5, 6]


@pytest.mark.parametrize("kind", ["unary", "pipeline", "subscription"])
async def test_retry_7_message_on_the_connection_ends_the_back_off(kind: str, failures: list[int]) -> None:
    message = h2.frame(h2.HEADERS, h2.END_HEADERS, 1, _OK) + h2.frame(h2.DATA, 0, 1, bytes(5))
    async with _Server() as server:
        server.on_request = lambda writer: _respond_and_close(writer, *([message] if server.connections == 4 else []))
        async with _use(kind, server):
            await until(lambda: len(failures) >= 6)
    assert failures[:6] == [1, 2, 3, 1, 2, 3]
