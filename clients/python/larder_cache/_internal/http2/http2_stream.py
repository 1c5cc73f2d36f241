"""One HTTP/2 connection with one gRPC stream on an event loop's transport. For many streams see Http2Connection."""

from __future__ import annotations

import asyncio
import ssl
from typing import Protocol, cast

from larder_cache._internal.http2 import hpack
from larder_cache._internal.http2 import http2_frames as h2
from larder_cache._internal.http2.body_length import BROKEN_LENGTH, length_of
from larder_cache._internal.http2.connection_loss import WrongProtocol, lost, wrong_protocol
from larder_cache._internal.http2.grpc_status import not_grpc, status_of
from larder_cache._internal.http2.http2_exchange import MAX_MESSAGE
from larder_cache.credential_provider import CredentialProvider
from larder_cache.errors import INTERNAL, RESOURCE_EXHAUSTED, UNAVAILABLE, UNKNOWN, Failure

# The number of bytes that the server may send before they are read. Credit is returned when half of it is used. 1 MB,
# as in the server.
_WINDOW = 1_048_576
# The maximum frame size that this client accepts. The server's whole 64 KB buffer fits in one frame.
_MAX_FRAME = 131_072
# The maximum size of a header block. A larger block is an error or an attack.
_MAX_HEADER_BLOCK = 65_536

CLOSED_HERE = "the connection was closed by this client"


class StreamHandler(Protocol):
    """The callbacks with which a stream notifies its owner. They run on the event loop and must not raise."""

    def on_message(self, message: bytes) -> None:
        """Called with each complete message."""

    def on_writable(self) -> None:
        """Called when all output has been sent. More messages may now be sent."""

    def on_going_away(self) -> None:
        """Called when the server accepts no more streams on this connection. This stream continues."""

    def on_end(self, failure: Failure | None) -> None:
        """Called once when the stream has ended. `failure` is None if the server ended the stream with OK."""


class Http2Stream(asyncio.Protocol):
    """Sends and receives whole messages. The flow-control windows of both sides limit the data in transit."""

    def __init__(self, handler: StreamHandler, loop: asyncio.AbstractEventLoop) -> None:
        self._handler = handler
        self._loop = loop
        self._transport: asyncio.Transport | None = None
        self.ready: asyncio.Future[None] = loop.create_future()
        self._ended = False
        self._paused = False
        self._pending = b""
        self._body = bytearray()
        self._needed = 5
        self._headers = bytearray()
        self._header_flags = 0
        self._decoder = hpack.Decoder()
        # The number of bytes of the body still to be received. None means that the headers do not announce a length.
        self._left: int | None = None
        self._taken = 0
        self._window = h2.DEFAULT_WINDOW
        self._stream_window = h2.DEFAULT_WINDOW
        self._initial_window = h2.DEFAULT_WINDOW
        self._max_frame = h2.DEFAULT_MAX_FRAME
        self._backlog = bytearray()
        self._keepalive: asyncio.TimerHandle | None = None
        self._heard = True
        # The time of the last input, or of the first request after an idle period. The handler sets it for a request.
        self.silent_since = 0.0
        # The frames that open the stream. They are sent once connected.
        self.request = b""

    @classmethod
    async def open(
        cls,
        handler: StreamHandler,
        credentials: CredentialProvider,
        path: str,
        metadata: list[tuple[str, str]],
        address: str | None = None,
    ) -> Http2Stream:
        """Connect and open the stream. Cancellation closes the connection.

        `address` is the address to connect to, if the host name has several. Raises OSError, including ssl.SSLError, if
        the server is unreachable.
        """
        loop = asyncio.get_running_loop()
        stream = cls(handler, loop)
        stream.request = request_of(credentials, path, metadata)
        host, port = address_of(credentials)
        tls = tls_of(credentials)
        named = None if tls is None else credentials.server_name
        await loop.create_connection(lambda: stream, address or host, port, ssl=tls, server_hostname=named)
        try:
            await stream.ready
        except BaseException:
            stream.abort()
            raise
        return stream

    @property
    def writable(self) -> bool:
        """Whether the stream can probably send a message immediately. A message that exceeds the window is buffered."""
        return not (self._backlog or self._paused or self._ended)

    def send(self, message: bytes) -> None:
        """Send one message. Bytes beyond the peer's window are buffered, so check `writable` before sending more."""
        n = len(message) + 5
        if n <= self._window and n <= self._stream_window and n <= self._max_frame and not self._backlog:
            self._window -= n
            self._stream_window -= n
            self._write(b"".join((n.to_bytes(3, "big"), b"\0\0\0\0\0\1\0", len(message).to_bytes(4, "big"), message)))
        else:
            self._backlog += b"\0" + len(message).to_bytes(4, "big")
            self._backlog += message
            self._pump()

    def finish(self) -> None:
        """End this side of the stream. The server processes the received messages and then ends its side."""
        if not self._ended and not self._backlog:
            self._write(h2.frame(h2.DATA, h2.END_STREAM, 1))

    def close(self, failure: Failure | None = None) -> None:
        """End this side of the stream, send GOAWAY and close the connection. Calls without a response get `failure`."""
        if not self._ended:
            self._write(h2.frame(h2.DATA, h2.END_STREAM, 1) + h2.frame(h2.GOAWAY, 0, 0, bytes(8)))
            if self._transport is not None:
                self._transport.close()
                self._transport = None
        self.fail(failure or Failure(UNAVAILABLE, CLOSED_HERE))

    def abort(self) -> None:
        """Close the connection immediately."""
        self.fail(Failure(UNAVAILABLE, CLOSED_HERE))

    def fail(self, failure: Failure) -> None:
        """Close the connection immediately and end the stream with `failure`."""
        self._end(failure)

    def keep_alive(self, interval_s: float, timeout_s: float) -> None:
        """Send a ping after `interval_s` without input. End the stream after a further `timeout_s` without input."""
        if self._ended:
            return
        if self._heard:
            self._heard = False
            self._keepalive = self._loop.call_later(interval_s, self._ping, interval_s, timeout_s)

    def _ping(self, interval_s: float, timeout_s: float) -> None:
        if self._heard:
            self.keep_alive(interval_s, timeout_s)
            return
        self._write(h2.frame(h2.PING, 0, 0, b"larder\0\0"))
        self._keepalive = self._loop.call_later(timeout_s, self._pinged, interval_s, timeout_s)

    def _pinged(self, interval_s: float, timeout_s: float) -> None:
        if self._heard:
            self.keep_alive(interval_s, timeout_s)
        else:
            self._end(Failure(UNAVAILABLE, f"the connection was lost: no response to a ping within {timeout_s:g} s"))

    # Callbacks of the event loop.

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        # uvloop's transports are not subclasses of asyncio's.
        self._transport = transport = cast(asyncio.Transport, transport)
        transport.set_write_buffer_limits(high=_WINDOW)
        ours = {h2.ENABLE_PUSH: 0, h2.INITIAL_WINDOW_SIZE: _WINDOW, h2.MAX_FRAME_SIZE: _MAX_FRAME}
        grow = h2.window_update(0, _WINDOW - h2.DEFAULT_WINDOW)
        self._write(h2.PREFACE + h2.settings(ours) + grow + self.request)

    def connection_lost(self, exc: Exception | None) -> None:
        self._end(lost(exc))

    def pause_writing(self) -> None:
        self._paused = True

    def resume_writing(self) -> None:
        self._paused = False
        self._pump()

    def data_received(self, data: bytes) -> None:
        self._heard = True
        self.silent_since = self._loop.time()
        if self._pending:
            data = self._pending + data
        if not self.ready.done() and (problem := wrong_protocol(data)) is not None:
            self.ready.set_exception(WrongProtocol(problem))
            self.ready.exception()
            self._end(Failure(UNAVAILABLE, problem))
            return
        at, n = 0, len(data)
        while n - at >= 9 and not self._ended:
            length = data[at] << 16 | data[at + 1] << 8 | data[at + 2]
            end = at + 9 + length
            if end > n:
                if length > _MAX_FRAME:
                    self._end(Failure(INTERNAL, f"a frame of {length:,} bytes exceeds the limit of {_MAX_FRAME:,}"))
                break
            try:
                if data[at + 3] == h2.DATA:
                    self._on_data(data[at + 9 : end], data[at + 4])
                else:
                    stream = int.from_bytes(data[at + 5 : at + 9], "big") & 0x7FFF_FFFF
                    self._on_frame(data[at + 3], data[at + 4], stream, data[at + 9 : end])
            except (hpack.MalformedHeaders, ValueError) as broken:
                self._end(Failure(INTERNAL, f"HTTP/2 protocol error from the server: {broken}"))
            at = end
        self._pending = data[at:]

    def _on_data(self, payload: bytes, flags: int) -> None:
        self._taken += len(payload)
        if self._taken >= _WINDOW // 2:
            self._write(h2.window_update(0, self._taken) + h2.window_update(1, self._taken))
            self._taken = 0
        if flags & h2.PADDED:
            payload = h2.without_padding(payload, flags)
        if self._left is not None:
            self._count(len(payload))
        # Fast path: nearly always one frame contains exactly one message.
        if not self._body and len(payload) >= 5 and int.from_bytes(payload[1:5], "big") == len(payload) - 5:
            if payload[0]:
                raise ValueError("the server sent a compressed message, which this client does not support")
            self._handler.on_message(payload[5:])
        else:
            self._assemble(payload)
        if flags & h2.END_STREAM:
            self._end(Failure(INTERNAL, "the server ended the stream without a status"))

    def _count(self, size: int) -> None:
        """Count a part of a body whose length is known. Raises ValueError if the body is longer than announced."""
        assert self._left is not None
        self._left -= size
        if self._left < 0:
            raise ValueError(BROKEN_LENGTH)

    def _assemble(self, payload: bytes) -> None:
        self._body += payload
        while len(self._body) >= self._needed:
            if self._needed == 5:
                size = int.from_bytes(self._body[1:5], "big")
                if self._body[0]:
                    raise ValueError("the server sent a compressed message, which this client does not support")
                if size > MAX_MESSAGE:
                    why = f"a message of {size:,} bytes exceeds the limit of {MAX_MESSAGE:,}"
                    self._end(Failure(RESOURCE_EXHAUSTED, why))
                    return
                self._needed = 5 + size
                if len(self._body) < self._needed:
                    return
            message = bytes(self._body[5 : self._needed])
            del self._body[: self._needed]
            self._needed = 5
            self._handler.on_message(message)

    def _on_frame(self, kind: int, flags: int, stream: int, payload: bytes) -> None:
        if kind == h2.SETTINGS and not flags & h2.ACK:
            self._on_settings(h2.read_settings(payload))
        elif kind == h2.WINDOW_UPDATE:
            increment = int.from_bytes(payload[:4], "big") & 0x7FFF_FFFF
            if stream == 0:
                self._window += increment
            else:
                self._stream_window += increment
            self._pump()
        elif kind == h2.PING and not flags & h2.ACK:
            self._write(h2.frame(h2.PING, h2.ACK, 0, payload))
        elif kind == h2.HEADERS or kind == h2.CONTINUATION:
            self._on_headers(kind, flags, payload)
        elif kind == h2.RST_STREAM:
            error = int.from_bytes(payload[:4], "big")
            refused = error == h2.REFUSED_STREAM
            self._end(Failure(UNAVAILABLE, f"the server reset the stream (HTTP/2 error {error})", not_executed=refused))
        elif kind == h2.GOAWAY:
            last = int.from_bytes(payload[:4], "big") & 0x7FFF_FFFF
            if last < 1:
                self._end(Failure(UNAVAILABLE, "the server is shutting down", not_executed=True))
            else:
                self._handler.on_going_away()

    def _on_settings(self, values: dict[int, int]) -> None:
        initial = values.get(h2.INITIAL_WINDOW_SIZE, self._initial_window)
        self._stream_window += initial - self._initial_window
        self._initial_window = initial
        self._max_frame = values.get(h2.MAX_FRAME_SIZE, self._max_frame)
        self._write(h2.frame(h2.SETTINGS, h2.ACK, 0))
        if not self.ready.done():
            self.ready.set_result(None)
        self._pump()

    def _on_headers(self, kind: int, flags: int, payload: bytes) -> None:
        if kind == h2.HEADERS:
            payload = h2.without_padding(payload, flags)
            if flags & h2.PRIORITY_FLAG:
                payload = payload[5:]
            self._headers.clear()
            self._header_flags = flags
        elif not payload:
            raise ValueError("unexpected empty CONTINUATION frame")
        self._headers += payload
        if len(self._headers) > _MAX_HEADER_BLOCK:
            raise ValueError("a header block exceeds 64 KB")
        if flags & h2.END_HEADERS:
            headers = self._decoder.decode(bytes(self._headers))
            self._check_length(headers)
            status = headers.get(":status", "200")
            # The actual response follows after a 1xx status.
            if self._header_flags & h2.END_STREAM or (status != "200" and not status.startswith("1")):
                self._end(_failure_of(headers))

    def _check_length(self, headers: dict[str, str]) -> None:
        """Read the announced length of the body. Raises ValueError if it is invalid or if the body was shorter."""
        status = headers.get(":status", "")
        if status and not status.startswith("1"):
            self._left = length_of(headers)
        is_last = self._header_flags & h2.END_STREAM
        if self._left is not None and (self._left < 0 or (is_last and self._left)):
            raise ValueError(BROKEN_LENGTH)

    def _write(self, data: bytes) -> None:
        if self._transport is not None and not self._ended:
            self._transport.write(data)

    def _pump(self) -> None:
        if not self._backlog:
            self._handler.on_writable()
            return
        while self._backlog and not self._paused:
            n = min(len(self._backlog), self._window, self._stream_window, self._max_frame)
            if n <= 0:
                return
            self._window -= n
            self._stream_window -= n
            self._write(h2.frame(h2.DATA, 0, 1, bytes(self._backlog[:n])))
            del self._backlog[:n]
        if not self._backlog:
            self._handler.on_writable()

    def _end(self, failure: Failure | None) -> None:
        if self._ended:
            return
        self._ended = True
        if self._keepalive is not None:
            self._keepalive.cancel()
        if self._transport is not None:
            self._transport.abort() if failure is not None else self._transport.close()
        if not self.ready.done():
            message = failure.message if failure is not None else "the stream ended before the response headers"
            self.ready.set_exception(ConnectionError(message))
            # Retrieve the exception, so that asyncio does not report it as never retrieved if no task awaits `ready`.
            self.ready.exception()
        self._handler.on_end(failure)


def address_of(credentials: CredentialProvider) -> tuple[str, int]:
    """Return the host and port to connect to."""
    host, _, port = credentials.endpoint.rpartition(":")
    return host.strip("[]"), int(port)


def tls_of(credentials: CredentialProvider) -> ssl.SSLContext | None:
    """Return the TLS context, or None for plaintext."""
    if not credentials.tls:
        return None
    if credentials.tls_files is not None:
        return credentials.tls_files.material().context
    trusted = credentials.trusted_pem() if credentials.root_certificates is not None else None
    context = ssl.create_default_context(cadata=trusted)
    context.set_alpn_protocols(["h2"])
    return context


def headers_of(credentials: CredentialProvider, path: str, metadata: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """Return the headers of a call's request."""
    return [
        (":method", "POST"),
        (":scheme", "https" if credentials.tls else "http"),
        (":path", path),
        (":authority", credentials.endpoint),
        ("te", "trailers"),
        ("content-type", "application/grpc"),
        ("user-agent", "larder-python"),
        *metadata,
    ]


def request_of(credentials: CredentialProvider, path: str, metadata: list[tuple[str, str]]) -> bytes:
    """Return the frames that open a call's stream."""
    return h2.header_frames(hpack.encode(headers_of(credentials, path, metadata)), 1)


def _failure_of(headers: dict[str, str]) -> Failure | None:
    """Return the failure in the last headers of a response, or None for OK."""
    status = status_of(headers)
    if status is None:
        http = headers.get(":status", "")
        return not_grpc(headers) or Failure(UNKNOWN, f"the server returned HTTP status {http} without a gRPC status")
    return status if status.status else None
