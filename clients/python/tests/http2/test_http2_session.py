"""The HTTP/2 session, frame by frame: the tests pass bytes in and check the bytes that it writes."""

from __future__ import annotations

import pytest

from larder_cache._internal.http2 import hpack
from larder_cache._internal.http2 import http2_frames as h2
from larder_cache._internal.http2.http2_exchange import MAX_MESSAGE, Exchange
from larder_cache._internal.http2.http2_session import MAX_FRAME, STREAMS, WINDOW, Http2Error, Http2Session
from larder_cache.errors import CANCELLED, INTERNAL, RESOURCE_EXHAUSTED, UNAVAILABLE, UNKNOWN, Failure

_HEAD = hpack.encode([(":status", "200"), ("content-type", "application/grpc")])
_OK = hpack.encode([("grpc-status", "0")])
_BLOCK = hpack.encode([(":method", "POST")])
_NONE = Failure(-1, "not ended")


class _Listener:
    def __init__(self) -> None:
        self.settings = self.room = self.draining = 0

    def on_settings(self) -> None:
        self.settings += 1

    def on_room(self) -> None:
        self.room += 1

    def on_draining(self) -> None:
        self.draining += 1


class _Peer:
    """A session and its simulated server."""

    def __init__(self, settings: dict[int, int] | None = None, *, window: int = WINDOW, next_id: int = 1) -> None:
        self.listener = _Listener()
        self.session = Http2Session(self.listener, window, next_id)
        self.ends: list[Failure | None] = []
        assert self.session.take().startswith(h2.PREFACE)
        self.session.receive(h2.settings(settings or {}))
        self.frames()

    def start(self, request: bytes = b"q", most: int = 1) -> Exchange:
        exchange = Exchange(_BLOCK, request, self.ends.append, most)
        self.session.start(exchange)
        return exchange

    def frames(self) -> list[tuple[int, int, int, bytes]]:
        data, found = self.session.take() if self.session.has_output else b"", list[tuple[int, int, int, bytes]]()
        while data:
            length = int.from_bytes(data[:3], "big")
            found.append((data[3], data[4], int.from_bytes(data[5:9], "big"), data[9 : 9 + length]))
            data = data[9 + length :]
        return found

    def answer(self, stream: int, *messages: bytes) -> None:
        body = b"".join(b"\0" + len(each).to_bytes(4, "big") + each for each in messages)
        self.session.receive(h2.frame(h2.HEADERS, h2.END_HEADERS, stream, _HEAD))
        for at in range(0, len(body), MAX_FRAME):
            self.session.receive(h2.frame(h2.DATA, 0, stream, body[at : at + MAX_FRAME]))
        self.session.receive(h2.frame(h2.HEADERS, h2.END_HEADERS | h2.END_STREAM, stream, _OK))


_TOO_LONG = "the length of the response differs from its content-length"


@pytest.mark.parametrize(
    "told, message",
    [
        (["7"], ""),
        (["7", "7"], ""),
        (["6"], _TOO_LONG),
        (["8"], _TOO_LONG),
        (["70"], _TOO_LONG),
        (["0"], _TOO_LONG),
        (["8", "7"], _TOO_LONG),
        (["7", "8", "7"], _TOO_LONG),
        (["-7"], _TOO_LONG),
        (["+7"], _TOO_LONG),
        ([" 7"], _TOO_LONG),
        (["seven"], _TOO_LONG),
        ([""], _TOO_LONG),
        (["9" * 5_000], _TOO_LONG),
    ],
)
@pytest.mark.parametrize("cut", [False, True])
def test_response_fails_if_body_length_contradicts_content_length(told: list[str], message: str, cut: bool) -> None:
    peer = _Peer()
    call = peer.start()
    head = [(":status", "200"), ("content-type", "application/grpc"), *(("content-length", each) for each in told)]
    frames = h2.frame(h2.HEADERS, h2.END_HEADERS, call.id, hpack.encode(head))
    for part in (b"\0\0\0", b"\0\2hi") if cut else (b"\0\0\0\0\2hi",):
        frames += h2.frame(h2.DATA, 0, call.id, part)
    # Receive all frames in one call. If the first frames cause a reset, the stream ignores the remaining frames.
    peer.session.receive(frames + h2.frame(h2.HEADERS, h2.END_HEADERS | h2.END_STREAM, call.id, _OK))
    [end] = peer.ends
    assert (end.message if end else "") == (f"HTTP/2 protocol error from the server: {message}" if message else "")
    if not message:
        assert call.messages == [b"hi"]


def test_trailers_only_response_fails_if_content_length_is_not_zero() -> None:
    for told, fails in (("0", False), ("1", True)):
        peer = _Peer()
        call = peer.start()
        only = hpack.encode([(":status", "200"), ("content-length", told), ("grpc-status", "5")])
        peer.session.receive(h2.frame(h2.HEADERS, h2.END_HEADERS | h2.END_STREAM, call.id, only))
        assert [end and end.status for end in peer.ends] == [INTERNAL if fails else 5]


def test_responses_match_their_calls_in_any_order() -> None:
    peer = _Peer()
    calls = [peer.start() for _ in range(3)]
    assert [each.id for each in calls] == [1, 3, 5]
    for each in reversed(calls):
        peer.answer(each.id, b"%d" % each.id)
    assert [each.messages for each in calls] == [[b"1"], [b"3"], [b"5"]]
    assert peer.ends == [None] * 3 and not peer.session.streams


def test_response_split_into_single_bytes_is_read() -> None:
    peer = _Peer()
    call = peer.start()
    body = b"\0\0\0\0\2hi"
    whole = h2.frame(h2.HEADERS, h2.END_HEADERS, 1, _HEAD)
    whole += b"".join(h2.frame(h2.DATA, 0, 1, body[i : i + 1]) for i in range(len(body)))
    whole += h2.frame(h2.HEADERS, h2.END_STREAM, 1, _OK[:3])
    whole += h2.frame(h2.CONTINUATION, h2.END_HEADERS, 1, _OK[3:])
    for i in range(len(whole)):
        peer.session.receive(whole[i : i + 1])
    assert call.messages == [b"hi"] and peer.ends == [None]


@pytest.mark.parametrize("allowed, room", [(STREAMS - 1, STREAMS - 1), (STREAMS, STREAMS), (STREAMS * 10, STREAMS)])
def test_concurrent_streams_respect_client_and_server_limits(allowed: int, room: int) -> None:
    peer = _Peer({h2.MAX_CONCURRENT_STREAMS: allowed})
    while peer.session.has_room:
        peer.start()
    assert len(peer.session.streams) == room
    peer.answer(1, b"a")
    assert peer.session.has_room


def test_request_respects_stream_and_connection_flow_control_windows() -> None:
    peer = _Peer({h2.INITIAL_WINDOW_SIZE: 20_000})
    large, small = peer.start(bytes(30_000)), peer.start(b"s")
    sent = [(stream, len(payload)) for kind, _, stream, payload in peer.frames() if kind == h2.DATA]
    assert sent == [(1, 16_384), (1, 3_616), (3, 6)] or sent == [(1, 16_384), (3, 6), (1, 3_616)]
    peer.session.receive(h2.window_update(large.id, 100_000))
    rest = peer.frames()
    assert [(stream, len(payload), flags) for _, flags, stream, payload in rest] == [(1, 10_005, h2.END_STREAM)]
    # The connection's window of 65,535 bytes is nearly used up, regardless of the window of the stream.
    third = peer.start(bytes(60_000))
    peer.session.receive(h2.window_update(third.id, 100_000))
    sent_bytes = sum(len(payload) for kind, _, _, payload in peer.frames() if kind == h2.DATA)
    assert sent_bytes == 65_535 - 30_005 - 6 and small.held == b""
    peer.session.receive(h2.window_update(0, 100_000))
    assert sum(len(payload) for kind, _, _, payload in peer.frames() if kind == h2.DATA) == 60_005 - sent_bytes


def test_smaller_initial_window_can_make_the_stream_window_negative() -> None:
    peer = _Peer()
    call = peer.start(bytes(100_000))
    peer.frames()
    peer.session.receive(h2.settings({h2.INITIAL_WINDOW_SIZE: 0}) + h2.window_update(0, 100_000))
    assert call.window == -65_535
    peer.session.receive(h2.window_update(1, 65_535))
    assert not [each for each in peer.frames() if each[0] == h2.DATA]
    peer.session.receive(h2.window_update(1, 10))
    assert [len(each[3]) for each in peer.frames() if each[0] == h2.DATA] == [10]


def test_received_data_renews_stream_and_connection_flow_control_windows() -> None:
    peer = _Peer()
    call = peer.start()
    peer.answer(call.id, bytes(WINDOW))
    updates = [(stream, int.from_bytes(payload, "big")) for k, _, stream, payload in peer.frames() if k == 8]
    assert {stream for stream, _ in updates} == {0, call.id}
    assert sum(n for stream, n in updates if stream == 0) >= WINDOW // 2
    assert call.messages == [bytes(WINDOW)]


@pytest.mark.parametrize("size", [MAX_MESSAGE, MAX_MESSAGE + 1, MAX_MESSAGE * 10])
def test_message_over_the_size_limit_ends_the_call(size: int) -> None:
    peer = _Peer()
    call = peer.start()
    peer.frames()
    if size == MAX_MESSAGE:
        peer.answer(call.id, bytes(size))
        assert peer.ends == [None] and len(call.messages[0]) == size
        return
    head = h2.frame(h2.HEADERS, h2.END_HEADERS, 1, _HEAD) + h2.frame(h2.DATA, 0, 1, b"\0" + size.to_bytes(4, "big"))
    peer.session.receive(head)
    assert [end and end.status for end in peer.ends] == [RESOURCE_EXHAUSTED]
    assert (h2.RST_STREAM, 0, 1, h2.CANCEL.to_bytes(4, "big")) in peer.frames()


@pytest.mark.parametrize("sent, ok", [(2, True), (3, False), (20, False)])
def test_call_fails_if_it_receives_more_messages_than_expected(sent: int, ok: bool) -> None:
    peer = _Peer()
    call = peer.start(most=2)
    peer.answer(call.id, *[b"m"] * sent)
    [end] = peer.ends
    assert (end is None) is ok and len(call.messages) == 2


def test_goaway_fails_streams_with_higher_ids_as_not_executed() -> None:
    peer = _Peer()
    calls = [peer.start() for _ in range(3)]
    peer.session.receive(h2.frame(h2.GOAWAY, 0, 0, (3).to_bytes(4, "big") + bytes(4)))
    [end] = peer.ends
    assert end is not None and end.status == UNAVAILABLE and end.not_executed
    assert not peer.session.has_room and peer.listener.draining == 1
    peer.answer(calls[0].id, b"a")
    assert peer.ends[1] is None and calls[0].messages == [b"a"]


@pytest.mark.parametrize(
    "code, status, refused",
    [(h2.REFUSED_STREAM, UNAVAILABLE, True), (h2.CANCEL, CANCELLED, False), (2, INTERNAL, False)],
)
def test_reset_stream_fails_only_its_own_call(code: int, status: int, refused: bool) -> None:
    peer = _Peer()
    call, other = peer.start(bytes(200_000)), peer.start()
    peer.session.receive(h2.rst_stream(call.id, code))
    [end] = peer.ends
    assert end is not None and (end.status, end.not_executed) == (status, refused)
    peer.frames()
    peer.session.receive(h2.window_update(0, 1_000_000))
    assert {stream for _, _, stream, _ in peer.frames()} <= {other.id}, "the rest of its request is not sent"


def test_cancelled_call_resets_its_stream_and_ignores_a_late_response() -> None:
    peer = _Peer()
    call = peer.start()
    peer.frames()
    peer.session.cancel(call)
    peer.session.cancel(call)
    assert peer.frames() == [(h2.RST_STREAM, 0, 1, h2.CANCEL.to_bytes(4, "big"))]
    peer.answer(call.id, b"late")
    assert peer.ends == [] and call.messages == []


def test_call_with_early_response_resets_its_unsent_request() -> None:
    peer = _Peer()
    call = peer.start(bytes(200_000))
    peer.frames()
    peer.answer(call.id, b"no")
    assert peer.ends == [None] and peer.frames() == [(h2.RST_STREAM, 0, 1, bytes(4))]


def test_unsent_calls_of_a_lost_connection_fail_as_not_executed() -> None:
    peer = _Peer()
    peer.start()
    peer.frames()
    peer.start()
    peer.session.fail(Failure(UNAVAILABLE, "lost"))
    assert [end and end.not_executed for end in peer.ends] == [False, True]


def test_ping_and_settings_are_acknowledged() -> None:
    peer = _Peer()
    peer.session.receive(h2.frame(h2.PING, 0, 0, b"12345678") + h2.frame(h2.PING, h2.ACK, 0, bytes(8)))
    peer.session.receive(h2.settings({}))
    assert peer.frames() == [(h2.PING, h2.ACK, 0, b"12345678"), (h2.SETTINGS, h2.ACK, 0, b"")]


def test_connection_drains_after_using_the_last_stream_id() -> None:
    peer = _Peer(next_id=h2.MAX_WINDOW)
    call = peer.start()
    assert call.id == 2**31 - 1 and not peer.session.has_room and peer.listener.draining == 1
    peer.answer(call.id, b"a")
    assert peer.ends == [None]


def test_long_header_block_is_split_into_continuation_frames() -> None:
    peer = _Peer()
    peer.session.start(Exchange(hpack.encode([("x", "a" * 40_000)]), b"", peer.ends.append, 1))
    frames = peer.frames()
    assert [each[0] for each in frames] == [h2.HEADERS, h2.CONTINUATION, h2.CONTINUATION, h2.DATA]
    assert [each[1] & h2.END_HEADERS for each in frames[:3]] == [0, 0, 4] and max(len(e[3]) for e in frames) <= 16_384


@pytest.mark.parametrize(
    "headers, status",
    [
        ([(":status", "200"), ("content-type", "application/grpc"), ("grpc-status", "7")], 7),
        ([(":status", "503"), ("content-type", "text/html")], UNAVAILABLE),
        ([(":status", "200"), ("content-type", "text/html")], UNKNOWN),
        ([(":status", "200"), ("grpc-status", "17")], UNKNOWN),
        ([(":status", "200"), ("grpc-status", "abc")], UNKNOWN),
        ([("content-type", "application/grpc")], INTERNAL),
    ],
)
def test_trailers_only_response_keeps_its_status(headers: list[tuple[str, str]], status: int) -> None:
    peer = _Peer()
    peer.start()
    peer.session.receive(h2.frame(h2.HEADERS, h2.END_HEADERS | h2.END_STREAM, 1, hpack.encode(headers)))
    assert [end and end.status for end in peer.ends] == [status]


def test_grpc_message_is_percent_decoded_and_error_cause_is_parsed() -> None:
    peer = _Peer()
    peer.start()
    trailers = [(":status", "200"), ("grpc-status", "14"), ("grpc-message", "a%20b"), ("err", "not_executed")]
    peer.session.receive(h2.frame(h2.HEADERS, h2.END_HEADERS | h2.END_STREAM, 1, hpack.encode(trailers)))
    [end] = peer.ends
    assert end == Failure(14, "a b", "not_executed", not_executed=True)


@pytest.mark.parametrize(
    "data",
    [
        h2.frame(h2.PUSH_PROMISE, 0, 1, bytes(4)),
        h2.frame(h2.DATA, 0, 9, b""),
        h2.frame(h2.DATA, 0, 2, b""),
        h2.frame(h2.HEADERS, 0, 1, _HEAD) + h2.frame(h2.DATA, 0, 1, b""),
        h2.frame(h2.CONTINUATION, h2.END_HEADERS, 1, _HEAD),
        h2.frame(h2.PING, 0, 0, b"short"),
        h2.frame(h2.GOAWAY, 0, 0, b""),
        h2.frame(h2.RST_STREAM, 0, 1, b""),
        h2.window_update(0, 0),
        h2.window_update(0, h2.MAX_WINDOW),
        h2.window_update(1, h2.MAX_WINDOW),
        h2.settings({h2.INITIAL_WINDOW_SIZE: h2.MAX_WINDOW + 1}),
        h2.settings({h2.MAX_FRAME_SIZE: h2.DEFAULT_MAX_FRAME - 1}),
        h2.frame(h2.SETTINGS, 0, 0, b"12345"),
        (MAX_FRAME + 1).to_bytes(3, "big") + bytes(6),
        (MAX_FRAME * 10).to_bytes(3, "big") + bytes(6),
        h2.frame(h2.HEADERS, 0, 1, bytes(65_536)) + h2.frame(h2.CONTINUATION, 0, 1, b"x"),
        h2.frame(h2.HEADERS, 0, 1, b"") + h2.frame(h2.CONTINUATION, 0, 1, bytes(65_536)) * 10,
    ],
)
def test_invalid_frames_end_the_connection(data: bytes) -> None:
    peer = _Peer()
    peer.start()
    with pytest.raises(Http2Error):
        peer.session.receive(data)


def test_first_frame_must_be_settings() -> None:
    for first in (h2.frame(h2.PING, 0, 0, bytes(8)), h2.frame(h2.SETTINGS, h2.ACK, 0)):
        with pytest.raises(Http2Error):
            Http2Session(_Listener()).receive(first)


def test_cached_header_blocks_respect_hpack_table_changes() -> None:
    peer = _Peer()
    indexed = b"\xbe"  # The newest entry of the dynamic table.
    for status in ("5", "7"):
        call = peer.start()
        added = b"\x40" + b"\x0bgrpc-status" + b"\x01" + status.encode()
        block = hpack.encode([(":status", "200")]) + added
        flags = h2.END_HEADERS | h2.END_STREAM
        peer.session.receive(h2.frame(h2.HEADERS, flags, call.id, block))
        call = peer.start()
        peer.session.receive(h2.frame(h2.HEADERS, flags, call.id, hpack.encode([(":status", "200")]) + indexed))
    assert [end and end.status for end in peer.ends] == [5, 5, 7, 7]
