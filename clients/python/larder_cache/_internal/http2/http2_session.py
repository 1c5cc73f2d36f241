"""The client side of an HTTP/2 connection (RFC 9113) with many streams.

Converts between bytes and calls. Performs no input or output.
"""

from __future__ import annotations

from collections import deque
from typing import Protocol

from larder_cache._internal.http2 import hpack
from larder_cache._internal.http2 import http2_frames as h2
from larder_cache._internal.http2.grpc_status import failure_of_reset
from larder_cache._internal.http2.http2_exchange import Exchange
from larder_cache.errors import UNAVAILABLE, Failure

# The number of bytes that the server may send on all streams together before credit is returned. Credit is returned
# when half of it is used. 1 MB, as in the server.
WINDOW = 1_048_576
# The maximum frame size that this client accepts.
MAX_FRAME = 65_536
# The maximum number of concurrent streams. A server may allow fewer. Source: LIM-6.
STREAMS = 100
# The maximum size of a header block. A larger block is an error or an attack.
_MAX_HEADER_BLOCK = 65_536
# No more requests are written while this many bytes are queued and not yet passed to the socket.
_MAX_QUEUED = 1_048_576
# The maximum number and size of the header blocks whose decoded headers are cached. The cache is valid while the header
# table does not change.
_KEPT_BLOCKS = 32
_KEPT_BLOCK_BYTES = 256
_GOING_AWAY = "the server is shutting down and did not start the call"


class Http2Error(Exception):
    """The server violated RFC 9113. The connection cannot be used any more."""


class SessionListener(Protocol):
    """The callbacks with which a session notifies its connection."""

    def on_settings(self) -> None:
        """Called when the server's first settings arrived. Streams may now be opened."""

    def on_room(self) -> None:
        """Called when a stream has ended, or when the server allows more streams."""

    def on_draining(self) -> None:
        """Called when no more streams may be opened."""


class Http2Session:
    """Writes and reads the frames of many streams. Raises Http2Error if the server violates the protocol.

    The connection fetches the output with `take`.
    """

    def __init__(self, listener: SessionListener, stream_window: int = WINDOW, next_id: int = 1) -> None:
        """Create a session with its first output.

        Args:
            listener: Receives the callbacks of the session.
            stream_window: The number of bytes that the server may send on one stream.
            next_id: The id of the first stream. Tests set it to use up the 2^30 ids.
        """
        self._listener = listener
        self._stream_window = stream_window
        self._next_id = next_id
        self.streams: dict[int, Exchange] = {}
        self.max_streams = STREAMS
        self.is_open = False
        self.is_draining = False
        self.is_closed = False
        # Whether the server has sent data on any stream, or has ended a stream with a status.
        self.heard = False
        # Whether the server has announced that it accepts no more streams.
        self.is_going_away = False
        self.writes = 0
        self.queued = 0
        self.blocked = False
        ours = {h2.ENABLE_PUSH: 0, h2.INITIAL_WINDOW_SIZE: stream_window, h2.MAX_FRAME_SIZE: MAX_FRAME}
        self._out = [h2.PREFACE, h2.settings(ours), h2.window_update(0, WINDOW - h2.DEFAULT_WINDOW)]
        self._pending = b""
        self._decoder = hpack.Decoder()
        self._decoded: dict[bytes, dict[str, str]] = {}
        self._block: bytearray | None = None
        self._block_stream = self._block_flags = 0
        self._taken = 0
        self._window = h2.DEFAULT_WINDOW
        self._initial_window = h2.DEFAULT_WINDOW
        self._unsent: deque[Exchange] = deque()

    @property
    def has_room(self) -> bool:
        """Whether another stream may be opened now."""
        return self.is_open and not self.is_draining and len(self.streams) < self.max_streams

    @property
    def has_output(self) -> bool:
        """Whether there is output to write."""
        return bool(self._out)

    def take(self) -> bytes:
        """Return the pending output. The caller must write it now."""
        data = self._out[0] if len(self._out) == 1 else b"".join(self._out)
        self._out.clear()
        self.queued = 0
        self.writes += 1
        return data

    def start(self, exchange: Exchange, more: bytes = b"") -> None:
        """Open a stream. Requires `has_room`. `more` contains headers to add after those of the exchange."""
        exchange.id = number = self._next_id
        self._next_id += 2
        exchange.window = self._initial_window
        exchange.sent_with = self.writes
        self.streams[number] = exchange
        self._write(h2.header_frames(exchange.block + more, number))
        request = exchange.request
        n = len(request) + 5
        if n <= self._window and n <= exchange.window and n <= h2.DEFAULT_MAX_FRAME and not self._unsent:
            self._window -= n
            exchange.window -= n
            self._write(h2.frame(h2.DATA, h2.END_STREAM, number, b"\0" + len(request).to_bytes(4, "big") + request))
        else:
            exchange.held = b"\0" + len(request).to_bytes(4, "big") + request
            self._unsent.append(exchange)
            self.pump()
        if self._next_id > h2.MAX_WINDOW:
            self.drain()

    def cancel(self, exchange: Exchange) -> None:
        """Ask the server to cancel a call. The call's `on_end` is not called."""
        if self._leave(exchange):
            self._write(h2.rst_stream(exchange.id, h2.CANCEL))
            self._listener.on_room()

    def drain(self) -> None:
        """Stop opening streams."""
        if not self.is_draining:
            self.is_draining = True
            self._listener.on_draining()

    def give_credit(self, exchange: Exchange) -> None:
        """Return credit for the bytes received on a stream, so that the server can send more."""
        if exchange.taken and exchange.id in self.streams:
            self._write(h2.window_update(exchange.id, exchange.taken))
            exchange.taken = 0

    def ping(self) -> None:
        """Send a ping."""
        self._write(h2.frame(h2.PING, 0, 0, b"larder\0\0"))

    def fail(self, failure: Failure) -> None:
        """End every stream, because the connection has ended.

        A call is reported as not executed if it was never passed to the socket.
        """
        self.is_closed = True
        streams, self.streams = self.streams, {}
        self._unsent.clear()
        self._out.clear()
        for exchange in streams.values():
            ran = exchange.sent_with < self.writes
            exchange.on_end(Failure(failure.status, failure.message, code=failure.code, not_executed=not ran))

    def pump(self) -> None:
        """Send requests that wait for credit.

        Each request sends one frame in turn, so that a large request does not block others.
        """
        unsent, idle = self._unsent, 0
        while idle < len(unsent) and self._window > 0 and self.queued < _MAX_QUEUED and not self.blocked:
            exchange = unsent.popleft()
            at, size = exchange.position, len(exchange.held)
            n = min(size - at, self._window, exchange.window, h2.DEFAULT_MAX_FRAME)
            if n > 0:
                self._window -= n
                exchange.window -= n
                exchange.position = at = at + n
                flags = h2.END_STREAM if at == size else 0
                self._write(h2.frame(h2.DATA, flags, exchange.id, exchange.held[at - n : at]))
                idle = 0
            else:
                idle += 1
            if at < size:
                unsent.append(exchange)
            else:
                exchange.held = b""

    def receive(self, data: bytes) -> None:
        """Process received bytes. The input may be split at any position."""
        if self._pending:
            data = self._pending + data
        at, n = 0, len(data)
        while n - at >= 9 and not self.is_closed:
            length = data[at] << 16 | data[at + 1] << 8 | data[at + 2]
            end = at + 9 + length
            if end > n:
                if length > MAX_FRAME:
                    raise Http2Error(f"a frame of {length:,} bytes exceeds the limit of {MAX_FRAME:,}")
                break
            kind, flags = data[at + 3], data[at + 4]
            stream = int.from_bytes(data[at + 5 : at + 9], "big") & 0x7FFF_FFFF
            if not self.is_open and kind != h2.SETTINGS:
                raise Http2Error("the first frame is not SETTINGS")
            if self._block is not None and kind != h2.CONTINUATION:
                raise Http2Error("a header block is interrupted by another frame")
            if kind == h2.DATA:
                self._on_data(flags, stream, data[at + 9 : end])
            else:
                self._on_frame(kind, flags, stream, data[at + 9 : end])
            at = end
        self._pending = data[at:]

    def _named(self, stream: int) -> Exchange | None:
        """Return the stream of a frame, or None if the stream has already ended on this side."""
        found = self.streams.get(stream)
        if found is None and (stream >= self._next_id or stream % 2 == 0):
            raise Http2Error(f"a frame has the id of stream {stream}, which was never opened")
        return found

    def _on_data(self, flags: int, stream: int, payload: bytes) -> None:
        size = len(payload)
        self._taken += size
        if self._taken >= WINDOW // 2:
            self._write(h2.window_update(0, self._taken))
            self._taken = 0
        exchange = self._named(stream)
        if exchange is None:
            return
        self.heard = True
        exchange.taken += size
        if flags & h2.PADDED:
            payload = h2.without_padding(payload, flags)
        if payload and (failure := exchange.receive_data(payload)) is not None:
            self._refuse(exchange, failure)
        elif flags & h2.END_STREAM:
            self._over(exchange)
        elif exchange.taken >= self._stream_window // 2 and exchange.reads_on:
            self.give_credit(exchange)

    def _on_frame(self, kind: int, flags: int, stream: int, payload: bytes) -> None:
        if kind == h2.HEADERS:
            payload = h2.without_padding(payload, flags)
            self._block_stream, self._block_flags = stream, flags
            self._on_block_part(flags, bytearray(), payload[5:] if flags & h2.PRIORITY_FLAG else payload)
        elif kind == h2.CONTINUATION:
            if self._block is None or stream != self._block_stream or not payload:
                raise Http2Error("unexpected CONTINUATION frame")
            self._on_block_part(flags, self._block, payload)
        elif kind == h2.WINDOW_UPDATE:
            self._on_credit(stream, payload)
        elif kind == h2.SETTINGS:
            self._on_settings(flags, stream, payload)
        elif kind == h2.PING:
            if stream or len(payload) != 8:
                raise Http2Error("invalid PING frame")
            if not flags & h2.ACK:
                self._write(h2.frame(h2.PING, h2.ACK, 0, payload))
        elif kind == h2.RST_STREAM:
            if len(payload) != 4:
                raise Http2Error("invalid RST_STREAM frame")
            exchange = self._named(stream)
            if exchange is not None:
                self._leave(exchange)
                exchange.on_end(failure_of_reset(int.from_bytes(payload, "big")))
                self._listener.on_room()
        elif kind == h2.GOAWAY:
            self._on_goaway(payload)
        elif kind == h2.PUSH_PROMISE:
            raise Http2Error("unexpected PUSH_PROMISE frame")

    def _on_block_part(self, flags: int, before: bytearray, part: bytes) -> None:
        if flags & h2.END_HEADERS:
            self._block = None
            self._on_headers(bytes(before + part) if before else part)
            return
        before += part
        if len(before) > _MAX_HEADER_BLOCK:
            raise Http2Error("a header block exceeds 64 KB")
        self._block = before

    def _on_headers(self, block: bytes) -> None:
        # Decode the block even if its stream has already ended, because all streams of the connection share the header
        # table.
        headers = self._decode(block)
        exchange = self._named(self._block_stream)
        if exchange is None:
            return
        is_last = bool(self._block_flags & h2.END_STREAM)
        failure = exchange.receive_headers(headers, is_last)
        if failure is not None:
            self._refuse(exchange, failure, is_over=is_last)
        elif is_last:
            self._over(exchange)

    def _decode(self, block: bytes) -> dict[str, str]:
        found = self._decoded.get(block)
        if found is None:
            before = self._decoder.changes
            found = self._decoder.decode(block)
            if self._decoder.changes != before:
                self._decoded.clear()
            elif len(block) <= _KEPT_BLOCK_BYTES and len(self._decoded) < _KEPT_BLOCKS:
                self._decoded[block] = found
        return found

    def _on_credit(self, stream: int, payload: bytes) -> None:
        if len(payload) != 4:
            raise Http2Error("invalid WINDOW_UPDATE frame")
        n = int.from_bytes(payload, "big") & h2.MAX_WINDOW
        exchange = self._named(stream) if stream else None
        if exchange is not None:
            exchange.window += n
        elif not stream:
            self._window += n
        if not n or self._window > h2.MAX_WINDOW or (exchange is not None and exchange.window > h2.MAX_WINDOW):
            raise Http2Error("a flow-control window is out of range")
        self.pump()

    def _on_settings(self, flags: int, stream: int, payload: bytes) -> None:
        if flags & h2.ACK:
            if not self.is_open:
                raise Http2Error("the first frame is a SETTINGS acknowledgement instead of SETTINGS")
            return
        if stream or len(payload) % 6:
            raise Http2Error("invalid SETTINGS frame")
        values = h2.read_settings(payload)
        initial = values.get(h2.INITIAL_WINDOW_SIZE, self._initial_window)
        frame_size = values.get(h2.MAX_FRAME_SIZE, h2.DEFAULT_MAX_FRAME)
        if initial > h2.MAX_WINDOW or not h2.DEFAULT_MAX_FRAME <= frame_size <= h2.LARGEST_MAX_FRAME:
            raise Http2Error("a setting is out of range")
        for exchange in self.streams.values():
            exchange.window += initial - self._initial_window
            if exchange.window > h2.MAX_WINDOW:
                raise Http2Error("a flow-control window is out of range")
        self._initial_window = initial
        self.max_streams = min(values.get(h2.MAX_CONCURRENT_STREAMS, self.max_streams), STREAMS)
        self._write(h2.frame(h2.SETTINGS, h2.ACK, 0))
        if not self.is_open:
            self.is_open = True
            self._listener.on_settings()
        self._listener.on_room()
        self.pump()

    def _on_goaway(self, payload: bytes) -> None:
        """Fail the calls whose stream id is above the last stream that the server accepted.

        The server did not process these calls and will not process them.
        """
        if len(payload) < 8:
            raise Http2Error("invalid GOAWAY frame")
        last = int.from_bytes(payload[:4], "big") & h2.MAX_WINDOW
        self.is_going_away = True
        self.drain()
        for exchange in [each for each in self.streams.values() if each.id > last]:
            if self._leave(exchange):
                exchange.on_end(Failure(UNAVAILABLE, _GOING_AWAY, not_executed=True))
        self._listener.on_room()

    def _over(self, exchange: Exchange) -> None:
        """Complete a call whose stream the server has ended."""
        self.heard = True
        is_cut_short = bool(exchange.held)
        if not self._leave(exchange):
            return
        if is_cut_short:
            # The server ended the stream before the whole request was sent.
            self._write(h2.rst_stream(exchange.id, h2.NO_ERROR))
        exchange.on_end(exchange.outcome())
        self._listener.on_room()

    def _refuse(self, exchange: Exchange, failure: Failure, *, is_over: bool = False) -> None:
        """End a stream after an invalid response.

        `is_over`: whether the server has already ended the stream.
        """
        self.heard = True
        is_cut_short = bool(exchange.held)
        if not self._leave(exchange):
            return
        if is_cut_short or not is_over:
            self._write(h2.rst_stream(exchange.id, h2.CANCEL))
        exchange.on_end(failure)
        self._listener.on_room()

    def _leave(self, exchange: Exchange) -> bool:
        """Remove a stream and the unsent part of its request. Returns whether the stream existed."""
        if self.streams.pop(exchange.id, None) is None:
            return False
        if exchange.held:
            exchange.held = b""
            self._unsent.remove(exchange)
        return True

    def _write(self, data: bytes) -> None:
        self._out.append(data)
        self.queued += len(data)
