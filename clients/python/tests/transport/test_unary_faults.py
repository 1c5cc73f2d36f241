"""Unary calls to a server that the test scripts frame by frame."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable
from typing import Any, Self, cast

import pytest

from larder_cache import CacheClient, Configuration, CredentialProvider, ErrorCode
from larder_cache import responses as r
from larder_cache._internal.http2 import hpack, http2_connection
from larder_cache._internal.http2 import http2_frames as h2
from larder_cache._internal.http2.http2_session import MAX_FRAME
from larder_cache._internal.transport import unary_transport
from protobuf_messages import cache_pb2 as pb
from tests.conftest import PATIENCE_S, capped, unary, until

_GRPC = [(":status", "200"), ("content-type", "application/grpc")]
_LAST = h2.END_HEADERS | h2.END_STREAM


def _hit(stream: int) -> bytes:
    message = pb.GetResponse(result=cast(Any, pb.Hit), value=b"v").SerializeToString()
    body = b"\0" + len(message).to_bytes(4, "big") + message
    return (
        h2.frame(h2.HEADERS, h2.END_HEADERS, stream, hpack.encode(_GRPC))
        + h2.frame(h2.DATA, 0, stream, body)
        + h2.frame(h2.HEADERS, _LAST, stream, hpack.encode([("grpc-status", "0")]))
    )


def _goaway(last: int) -> bytes:
    return h2.frame(h2.GOAWAY, 0, 0, last.to_bytes(4, "big") + bytes(4))


class _Scripted:
    """A server that responds to each request with the bytes that `script` returns.

    `script` gets the connection's number from 1 and the stream id.
    """

    def __init__(
        self, script: Callable[[int, int], bytes], settings: dict[int, int] | None = None, more: bytes = b""
    ) -> None:
        """Create a server. `more` contains the frames to send after the settings."""
        self._script = script
        self._more = more
        self._settings = settings or {}
        self.connections = 0
        # For each connection: types and streams of the received frames.
        self.frames: list[tuple[int, int]] = []
        self.writers: list[asyncio.StreamWriter] = []
        self._tasks: set[asyncio.Task[None]] = set()

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1")
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *_: object) -> None:
        self._server.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def requests(self) -> int:
        return sum(kind == h2.HEADERS for kind, _ in self.frames)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._tasks.add(cast("asyncio.Task[None]", asyncio.current_task()))
        self.connections += 1
        number = self.connections
        self.writers.append(writer)
        writer.write(h2.settings(self._settings) + self._more)
        try:
            await reader.readexactly(len(h2.PREFACE))
            while True:
                header = await reader.readexactly(9)
                await reader.readexactly(int.from_bytes(header[:3], "big"))
                kind, stream = header[3], int.from_bytes(header[5:9], "big")
                self.frames.append((kind, stream))
                if kind == h2.HEADERS:
                    writer.write(self._script(number, stream))
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.transport.abort()


def _client(server: _Scripted, settings: Configuration | None = None) -> CacheClient:
    credentials = CredentialProvider.local(port=server.port)
    return CacheClient(credentials, default_ttl=60, configuration=settings or unary())


async def test_call_above_goaway_last_stream_is_sent_on_another_connection() -> None:
    async with _Scripted(lambda at, stream: _goaway(0) if at == 1 else _hit(stream)) as server:
        async with _client(server) as client:
            assert await client.cache("cache").results.get("k") == r.Hit(b"v")
            assert server.connections == 2


async def test_call_below_goaway_last_stream_completes_on_its_connection() -> None:
    async with _Scripted(lambda at, stream: _goaway(stream) + _hit(stream)) as server, _client(server) as client:
        for _ in range(3):
            assert await client.cache("cache").results.get("k") == r.Hit(b"v")
        assert server.connections == 3 and server.requests() == 3


async def test_repeated_goaway_causes_few_connection_attempts() -> None:
    async with _Scripted(lambda _, __: b"", more=_goaway(0)) as server:
        async with _client(server, unary().with_settings(request_timeout_s=1.0)) as client:
            answer = await client.cache("cache").results.get("k")
            assert isinstance(answer, r.Error) and answer.code is ErrorCode.UNAVAILABLE
            # The back-off starts at 50 ms and doubles. Jitter at most halves each wait, so within one second the
            # attempts are at least 25, 50, 100, 200 and 400 ms apart.
            assert 1 < server.connections <= 8
            await until(lambda: client.statistics().connections == 0)


@pytest.mark.parametrize("code, sent", [(h2.REFUSED_STREAM, 2), (2, 1)])
async def test_non_idempotent_call_is_retried_only_on_refused_streams(code: int, sent: int) -> None:
    def script(_: int, stream: int) -> bytes:
        return h2.rst_stream(stream, code) if stream == 1 else h2.rst_stream(stream, h2.CANCEL)

    async with _Scripted(script) as server, _client(server) as client:
        answer = await client.cache("cache").results.increment("k")
        assert isinstance(answer, r.Error) and server.requests() == sent
        assert answer.code is (ErrorCode.CANCELLED if sent == 2 else ErrorCode.INTERNAL)


async def test_calls_over_the_server_stream_limit_wait_in_order() -> None:
    async with _Scripted(lambda _, __: b"", {h2.MAX_CONCURRENT_STREAMS: 2}) as server, _client(server) as client:
        calls = [asyncio.create_task(client.cache("cache").results.get(f"{n}")) for n in range(6)]
        for n in range(6):
            await until(lambda n=n: server.requests() == min(n + 2, 6))
            server.writers[0].write(_hit(2 * n + 1))
            assert await calls[n] == r.Hit(b"v")
        assert server.connections == 1


async def test_deadline_resets_the_stream_and_keeps_the_connection(monkeypatch: pytest.MonkeyPatch) -> None:
    # Increase the limit, because on a very slow machine the connection would otherwise count as silent.
    monkeypatch.setattr(unary_transport, "SILENCE_S", PATIENCE_S)
    async with _Scripted(lambda _, stream: b"" if stream == 1 else _hit(stream)) as server, _client(server) as client:
        assert await client.connect()
        answer = await client.cache("cache").with_timeout(0.05).results.get("k")
        assert isinstance(answer, r.Error) and answer.code is ErrorCode.TIMEOUT
        assert await client.cache("cache").results.get("k") == r.Hit(b"v")
        await until(lambda: (h2.RST_STREAM, 1) in server.frames)
        assert server.connections == 1


async def test_calls_time_out_if_the_server_accepts_no_streams() -> None:
    async with _Scripted(lambda _, __: b"", {h2.MAX_CONCURRENT_STREAMS: 0}) as server, _client(server) as client:
        assert await client.connect()
        answer = await client.cache("cache").with_timeout(0.1).results.get("k")
        assert isinstance(answer, r.Error) and answer.code is ErrorCode.TIMEOUT
        assert server.requests() == 0 and client.statistics().in_flight == 0


async def test_connection_without_a_settings_frame_is_abandoned() -> None:
    # The operating system accepts connections to this socket, but no program responds.
    with socket.create_server(("127.0.0.1", 0)) as silent:
        credentials = CredentialProvider.local(port=silent.getsockname()[1])
        settings = unary().with_settings(connect_timeout_s=0.05, request_timeout_s=0.3)
        async with CacheClient(credentials, default_ttl=60, configuration=settings) as client:
            answer = await client.cache("cache").results.get("k")
            assert isinstance(answer, r.Error) and answer.code is ErrorCode.UNAVAILABLE


@pytest.mark.parametrize(
    "broken",
    [
        (MAX_FRAME + 1).to_bytes(3, "big") + bytes(6),
        h2.frame(h2.DATA, 0, 99, b""),
        h2.frame(h2.HEADERS, _LAST, 1, b"\xff\xff\xff\xff\xff\xff"),
    ],
)
async def test_connection_that_violates_http2_is_replaced(broken: bytes) -> None:
    async with _Scripted(lambda at, stream: broken if at == 1 else _hit(stream)) as server, _client(server) as client:
        assert await client.cache("cache").results.get("k") == r.Hit(b"v")
        assert server.connections == 2


@pytest.mark.parametrize("factor, ends", [(0.9, False), (1.1, True), (10, True)])
async def test_connection_ends_if_ping_flood_fills_the_write_buffer(
    monkeypatch: pytest.MonkeyPatch, factor: float, ends: bool
) -> None:
    class StuckConnection:
        """A transport whose peer reads nothing."""

        written = 0
        aborted = False

        def write(self, data: bytes) -> None:
            self.written += len(data)
            if self.written > 1_048_576:
                connection.pause_writing()

        def get_write_buffer_size(self) -> int:
            return self.written

        def set_write_buffer_limits(self, high: int) -> None:
            """Do nothing."""

        def abort(self) -> None:
            self.aborted = True

    class Owner:
        ended = 0

        def on_room(self, connection: http2_connection.Http2Connection) -> None:
            """Do nothing."""

        on_draining = on_room

        def on_ended(self, connection: http2_connection.Http2Connection, failure: object) -> None:
            self.ended += 1

    owner, transport = Owner(), StuckConnection()
    connection = http2_connection.Http2Connection(owner, asyncio.get_running_loop(), 65_535)
    connection.connection_made(cast(Any, transport))
    connection.data_received(h2.settings({}))
    pings = h2.frame(h2.PING, 0, 0, bytes(8)) * 1_000
    for _ in range(round(4 * 1_048_576 * factor / len(pings))):
        connection.data_received(pings)
    assert transport.aborted is ends and owner.ended == int(ends)


async def test_after_grace_period_calls_to_unreachable_server_fail_without_delay() -> None:
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        credentials = CredentialProvider.local(port=closed.getsockname()[1])
        settings = unary().with_settings(request_timeout_s=0.3)
        async with CacheClient(credentials, default_ttl=60, configuration=settings) as client:
            first = await client.cache("cache").results.get("k")
            # A loop that never suspends must still let the event loop run.
            for _ in range(1_000):
                answer = await client.cache("cache").with_timeout(PATIENCE_S).results.get("k")
                assert isinstance(answer, r.Error) and answer.code is ErrorCode.UNAVAILABLE
            assert isinstance(first, r.Error) and "unreachable" in first.message and client.statistics().in_flight == 0


async def test_close_ends_calls_in_flight() -> None:
    async with _Scripted(lambda _, __: b"") as server:
        client = _client(server, capped(unary(), 150))
        calls = [asyncio.create_task(client.cache("cache").results.get("k")) for _ in range(120)]
        await until(lambda: server.requests() == 100)
        await client.aclose()
        answers = await asyncio.gather(*calls)
        assert {each.code for each in answers if isinstance(each, r.Error)} == {ErrorCode.CANCELLED}
        assert len(answers) == 120


async def test_large_headers_are_sent_in_continuation_frames() -> None:
    async with _Scripted(lambda _, stream: _hit(stream)) as server:
        settings = unary().with_settings(headers={"x-long": "a" * 30_000})
        async with _client(server, settings) as client:
            assert await client.cache("cache").results.get("k") == r.Hit(b"v")
            blocks = [kind for kind, _ in server.frames if kind in (h2.HEADERS, h2.CONTINUATION)]
    assert blocks == [h2.HEADERS, h2.CONTINUATION]


async def test_request_over_the_size_limit_is_not_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    most = 1_000
    monkeypatch.setattr(unary_transport, "MAX_MESSAGE", most)

    def script(_: int, stream: int) -> bytes:
        return h2.frame(h2.HEADERS, _LAST, stream, hpack.encode([*_GRPC, ("grpc-status", "5")]))

    async with _Scripted(script) as server, _client(server) as client:
        far = await client.cache("cache").results.set("k", bytes(most * 10))
        assert isinstance(far, r.Error) and far.code is ErrorCode.LIMIT_EXCEEDED, far
        answer = await client.cache("cache").results.set("k", bytes(most))
        assert isinstance(answer, r.Error) and answer.code is ErrorCode.LIMIT_EXCEEDED, answer
        # The number of bytes that the request contains in addition to its value of 1,000 bytes. The error message
        # contains the size of the whole request.
        more = int(answer.message.split(" request bytes")[0].split()[-1]) - most
        for size, code in ((most - more + 1, ErrorCode.LIMIT_EXCEEDED), (most - more, ErrorCode.NOT_FOUND)):
            assert server.requests() == 0
            answer = await client.cache("cache").results.set("k", bytes(size))
            assert isinstance(answer, r.Error) and answer.code is code, answer
        assert server.requests() == 1
