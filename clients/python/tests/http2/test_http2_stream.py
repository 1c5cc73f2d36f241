"""The HTTP/2 stream, frame by frame, on a transport that records the output."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from hypothesis import given, strategies

from larder_cache._internal.http2 import hpack
from larder_cache._internal.http2 import http2_frames as h2
from larder_cache._internal.http2.http2_stream import Http2Stream
from larder_cache.errors import Failure
from tests.conftest import run_alone, until


class Transport:
    def __init__(self) -> None:
        self.written = b""
        self.closed = False

    def write(self, data: bytes) -> None:
        self.written += data

    def set_write_buffer_limits(self, high: int) -> None:
        """Do nothing."""

    def abort(self) -> None:
        self.closed = True

    close = abort

    def frames(self) -> list[tuple[int, int, int, bytes]]:
        """Return the frames written since the last call: type, flags, stream, payload."""
        data, self.written = self.written.removeprefix(h2.PREFACE), b""
        found: list[tuple[int, int, int, bytes]] = []
        while data:
            length = int.from_bytes(data[:3], "big")
            found.append((data[3], data[4], int.from_bytes(data[5:9], "big"), data[9 : 9 + length]))
            data = data[9 + length :]
        return found


class Handler:
    def __init__(self) -> None:
        self.messages: list[bytes] = []
        self.ends: list[Failure | None] = []
        self.going_away = 0

    def on_message(self, message: bytes) -> None:
        self.messages.append(message)

    def on_writable(self) -> None:
        """Do nothing."""

    def on_going_away(self) -> None:
        self.going_away += 1

    def on_end(self, failure: Failure | None) -> None:
        self.ends.append(failure)


def _open() -> tuple[Http2Stream, Handler, Transport]:
    handler, transport = Handler(), Transport()
    stream = Http2Stream(handler, asyncio.get_running_loop())
    made: Any = transport
    stream.connection_made(made)
    stream.data_received(h2.settings({}))
    transport.frames()
    return stream, handler, transport


def _message(body: bytes) -> bytes:
    return b"\0" + len(body).to_bytes(4, "big") + body


def _trailers(*headers: tuple[str, str]) -> bytes:
    return h2.frame(h2.HEADERS, h2.END_HEADERS | h2.END_STREAM, 1, hpack.encode(headers))


async def test_message_within_the_window_is_sent_in_one_frame() -> None:
    stream, _, transport = _open()
    stream.send(b"hello")
    assert transport.frames() == [(h2.DATA, 0, 1, _message(b"hello"))]
    assert stream.writable


async def test_data_over_the_window_waits_for_credit() -> None:
    stream, _, transport = _open()
    body = bytes(range(256)) * 400
    stream.send(body)
    assert not stream.writable
    sent = b"".join(payload for _, _, _, payload in transport.frames())
    assert len(sent) == h2.DEFAULT_WINDOW
    stream.data_received(h2.window_update(1, 1_000_000))
    assert transport.frames() == [], "the connection's own window is spent"
    stream.data_received(h2.window_update(0, 1_000_000))
    frames = transport.frames()
    assert all(len(payload) <= h2.DEFAULT_MAX_FRAME for _, _, _, payload in frames)
    assert sent + b"".join(payload for _, _, _, payload in frames) == _message(body)
    assert stream.writable


async def test_bytes_already_sent_count_toward_a_reduced_window() -> None:
    stream, _, transport = _open()
    stream.send(bytes(1_000))
    transport.frames()
    stream.data_received(h2.settings({h2.INITIAL_WINDOW_SIZE: 1_005}))
    transport.frames()
    stream.send(b"x")
    assert transport.frames() == [] and not stream.writable
    stream.data_received(h2.window_update(1, 6))
    assert transport.frames() == [(h2.DATA, 0, 1, _message(b"x"))]


async def test_received_data_renews_the_flow_control_windows() -> None:
    stream, handler, transport = _open()
    part = h2.frame(h2.DATA, 0, 1, _message(bytes(100_000)))
    for _ in range(6):
        stream.data_received(part)
    updates = [frame for frame in transport.frames() if frame[0] == h2.WINDOW_UPDATE]
    assert [(stream_id, int.from_bytes(payload, "big")) for _, _, stream_id, payload in updates] == [
        (0, 600_030),
        (1, 600_030),
    ]
    assert len(handler.messages) == 6


@given(strategies.lists(strategies.binary(max_size=300), max_size=6), strategies.data())
def test_messages_are_reassembled_from_any_split(bodies: list[bytes], data: strategies.DataObject) -> None:
    async def feed() -> None:
        stream, handler, _ = _open()
        body = b"".join(map(_message, bodies))
        frames = b""
        while body:
            n = data.draw(strategies.integers(1, len(body)))
            frames += h2.frame(h2.DATA, 0, 1, body[:n])
            body = body[n:]
        while frames:
            n = data.draw(strategies.integers(1, len(frames)))
            stream.data_received(frames[:n])
            frames = frames[n:]
        assert handler.messages == bodies and handler.ends == []

    run_alone(feed())


@given(strategies.binary(max_size=200))
def test_arbitrary_bytes_end_the_stream_once_without_raising(data: bytes) -> None:
    async def feed() -> None:
        stream, handler, _ = _open()
        stream.data_received(data)
        stream.connection_lost(None)
        assert len(handler.ends) == 1

    run_alone(feed())


@pytest.mark.parametrize(
    ("frames", "status", "not_executed"),
    [
        (_trailers(("grpc-status", "14"), ("grpc-message", "no%20room"), ("err", "not_executed")), 14, True),
        (_trailers(("grpc-status", "16")), 16, False),
        (_trailers((":status", "404")), 12, False),
        (_trailers((":status", "503")), 14, False),
        (h2.frame(h2.RST_STREAM, 0, 1, b"\0\0\0\7"), 14, True),
        (h2.frame(h2.RST_STREAM, 0, 1, b"\0\0\0\2"), 14, False),
        (h2.frame(h2.GOAWAY, 0, 0, bytes(8)), 14, True),
        (h2.frame(h2.DATA, h2.END_STREAM, 1), 13, False),
        (h2.frame(h2.DATA, 0, 1, b"\1\0\0\0\0"), 13, False),
        (h2.frame(h2.DATA, 0, 1, b"\0\x40\0\0\0"), 8, False),
        (b"\xff\xff\xff\0\0\0\0\0\1", 13, False),
    ],
)
async def test_stream_end_is_reported_with_its_status(frames: bytes, status: int, not_executed: bool) -> None:
    stream, handler, transport = _open()
    stream.data_received(frames)
    assert len(handler.ends) == 1 and transport.closed
    failure = handler.ends[0]
    assert failure is not None
    assert (failure.status, failure.not_executed) == (status, not_executed)
    if status == 14 and b"no%20room" in frames:
        assert failure.message == "no room"


@pytest.mark.parametrize(
    "told, keeps",
    [(["7"], True), (["7", "7"], True), (["6"], False), (["8"], False), (["8", "7"], False), ([""], False)],
)
async def test_stream_fails_if_body_length_contradicts_content_length(told: list[str], keeps: bool) -> None:
    stream, handler, _ = _open()
    head = hpack.encode([(":status", "200"), *(("content-length", each) for each in told)])
    data = h2.frame(h2.HEADERS, h2.END_HEADERS, 1, head) + h2.frame(h2.DATA, 0, 1, b"\0\0\0\0\2hi")
    stream.data_received(data + _trailers(("grpc-status", "14"), ("grpc-message", "over")))
    [end] = handler.ends
    assert end is not None
    text = "HTTP/2 protocol error from the server: the length of the response differs from its content-length"
    assert end.message == ("over" if keeps else text)


async def test_content_length_of_an_informational_response_is_ignored() -> None:
    stream, handler, _ = _open()
    early = hpack.encode([(":status", "103"), ("content-length", "1")])
    stream.data_received(h2.frame(h2.HEADERS, h2.END_HEADERS, 1, early) + h2.frame(h2.DATA, 0, 1, b"\0\0\0\0\2hi"))
    assert (handler.ends, handler.messages) == ([], [b"hi"])


async def test_stream_that_ends_with_ok_reports_no_failure() -> None:
    stream, handler, _ = _open()
    stream.data_received(_trailers(("grpc-status", "0")))
    assert handler.ends == [None]


async def test_goaway_that_includes_the_stream_does_not_end_it() -> None:
    stream, handler, _ = _open()
    stream.data_received(h2.frame(h2.GOAWAY, 0, 0, b"\0\0\0\1\0\0\0\0"))
    assert (handler.going_away, handler.ends) == (1, [])


async def test_ping_is_acknowledged_with_its_payload() -> None:
    stream, _, transport = _open()
    stream.data_received(h2.frame(h2.PING, 0, 0, b"12345678"))
    assert transport.frames() == [(h2.PING, h2.ACK, 0, b"12345678")]


async def test_stream_ends_if_a_keepalive_ping_is_not_acknowledged() -> None:
    stream, handler, transport = _open()
    stream.keep_alive(0.01, 0.01)
    await until(lambda: handler.ends != [])
    assert any(frame[0] == h2.PING for frame in transport.frames())
    assert handler.ends[0] is not None and "ping" in handler.ends[0].message


async def test_empty_continuation_flood_ends_the_stream() -> None:
    stream, handler, _ = _open()
    stream.data_received(h2.frame(h2.HEADERS, 0, 1) + h2.frame(h2.CONTINUATION, 0, 1))
    assert handler.ends[0] is not None and "CONTINUATION" in handler.ends[0].message
