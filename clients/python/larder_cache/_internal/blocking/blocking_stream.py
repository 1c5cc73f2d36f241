"""A pipeline stream over a blocking socket, for one call at a time.

The calling thread reads the socket itself, so it does not depend on another thread.
"""

from __future__ import annotations

import select
import socket
import ssl
import struct
import sys
from collections.abc import Callable
from concurrent.futures import Future
from time import monotonic
from typing import Any, cast

from larder_cache._internal.common import log
from larder_cache._internal.configuration.token_source import CallMetadata
from larder_cache._internal.http2.http2_stream import Http2Stream, address_of, request_of, tls_of
from larder_cache._internal.operations import pipeline_codec as codec
from larder_cache._internal.operations.operation import Operation
from larder_cache._internal.transport.pipeline_result import outcome_of
from larder_cache._internal.transport.stale_connections import SILENCE_S
from larder_cache.credential_provider import CredentialProvider
from larder_cache.errors import DEADLINE_EXCEEDED, UNAVAILABLE, ErrorCode, Failure

_PATH = "/larder.v1.Pipeline/Run"
# The number of bytes to read at a time. A small response fits in one read.
_READ_BYTES = 16_384
# A connection that was idle for longer than this time is checked before use, because the server may have closed it.
_RESTED_S = 0.050
# The socket's timeout is changed only if it would differ from the wanted timeout by more than this fraction.
_PART = 1 / 20


class _Socket:
    """A connected socket with the transport interface that Http2Stream expects.

    Uses the system's socket timeout options on Linux without TLS, otherwise Python's socket timeout.
    """

    def __init__(self, credentials: CredentialProvider, timeout_s: float, address: str | None) -> None:
        host, port = address_of(credentials)
        self.raw: socket.socket = socket.create_connection((address or host, port), timeout_s)
        self._timeout_s = timeout_s
        try:
            self.raw.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            tls = tls_of(credentials)
            if tls is not None:
                self.raw = tls.wrap_socket(self.raw, server_hostname=credentials.server_name)
            # Use the socket options of the system where possible, because Python implements a timeout with a poll
            # before each read and write.
            self._by_system = tls is None and sys.platform == "linux"
            if self._by_system:
                self.raw.settimeout(None)
            self._set(timeout_s)
        except BaseException:
            self.raw.close()
            raise

    def within(self, seconds: float) -> None:
        """Set the timeout of reads and writes, in seconds."""
        if abs(seconds - self._timeout_s) > self._timeout_s * _PART:
            self._set(seconds)

    def _set(self, seconds: float) -> None:
        self._timeout_s = seconds
        if self._by_system:
            # A `struct timeval`. The value 0 would mean no timeout.
            time = struct.pack("ll", int(seconds), max(1, int(seconds % 1 * 1_000_000)))
            self.raw.setsockopt(socket.SOL_SOCKET, socket.SO_RCVTIMEO, time)
            self.raw.setsockopt(socket.SOL_SOCKET, socket.SO_SNDTIMEO, time)
        else:
            self.raw.settimeout(seconds)

    def write(self, data: bytes) -> None:
        self.raw.sendall(data)

    def set_write_buffer_limits(self, high: int) -> None:
        """Do nothing, because this class does not buffer writes."""

    def abort(self) -> None:
        self.raw.close()

    close = abort


class _NoLoop:
    """The part of an event loop's interface that Http2Stream uses, implemented without an event loop."""

    time = staticmethod(monotonic)

    def create_future(self) -> Future[None]:
        return Future()


class BlockingStream:
    """A connected stream that one thread at a time may use. `call` sends an operation and waits for its result."""

    def __init__(
        self,
        credentials: CredentialProvider,
        metadata: CallMetadata,
        timeout_s: float,
        address: str | None = None,
        name: str = "",
        gap_since: Callable[[float], bool] = lambda _: False,
    ) -> None:
        """Connect and open the stream.

        Args:
            address: The address to connect to, if the host name has several.
            name: The name of the gateway, if there are several.
            gap_since: A function that returns whether the process was suspended since a given `time.monotonic` time.

        Raises:
            OSError: The server is unreachable or rejects the stream (includes ssl.SSLError).
        """
        self.name = name
        self._metadata = metadata
        self._shown = metadata.version
        self._socket = _Socket(credentials, timeout_s, address)
        self._http = Http2Stream(self, cast(Any, _NoLoop()))
        self._http.request = request_of(credentials, _PATH, metadata.pairs())
        self._operation: Operation[Any] | None = None
        self._request = b""
        self._response: Any = None
        self._failure: Failure | None = None
        self._poll: Any = select.poll() if hasattr(select, "poll") else None
        if self._poll is not None:
            self._poll.register(self._socket.raw, select.POLLIN)
        self._used_at = monotonic()
        self._gap_since = gap_since
        # Whether the server accepts no more calls on this connection.
        self.retired = False
        # Whether the server has sent a message on this connection.
        self.heard = False
        try:
            self._http.connection_made(cast(Any, self._socket))
            until = self._used_at + timeout_s
            while not self._http.ready.done():
                if monotonic() > until:
                    raise TimeoutError(f"no response from the server within {timeout_s:g} s")
                self._receive()
            self._http.ready.result()
        except BaseException:
            self._socket.abort()
            raise
        log.connection_opened(name or credentials.endpoint)

    def usable(self) -> bool:
        """Return whether a call may be sent.

        Returns False if the server has closed the stream or announced that it will close it, if the process was
        suspended since the last use, or if the token has changed.
        """
        if monotonic() - self._used_at > _RESTED_S:
            if self._gap_since(self._used_at):
                return False
            try:
                while self._readable() and self._failure is None:
                    self._receive()
            except OSError:
                return False
        return not self.retired and self._failure is None and self._shown == self._metadata.version

    def call(self, operation: Operation[Any], cache: bytes, payload: bytes, timeout_s: float) -> Any:
        """Send an operation and return its response or a Failure. A Failure of the connection closes the connection."""
        outcome = self._call(operation, cache, payload, timeout_s)
        if outcome.__class__ is Failure:
            outcome.shown = self._shown
        return outcome

    def _call(self, operation: Operation[Any], cache: bytes, payload: bytes, timeout_s: float) -> Any:
        until = monotonic() + timeout_s
        self._operation, self._request, self._response = operation, payload, None
        try:
            self._socket.within(timeout_s)
            deadline = codec.encode_deadline(round(timeout_s * 1_000))
            self._http.silent_since = until - timeout_s
            self._http.send(codec.encode_operation(0, cache, deadline, operation.tag, payload))
            while True:
                self._receive()
                if self._response is not None:
                    break
                if self._failure is not None:
                    return self._failure
                left = until - monotonic()
                if left <= 0:
                    raise TimeoutError
                self._socket.within(left)
        except (BlockingIOError, TimeoutError):
            late = Failure(
                DEADLINE_EXCEEDED, "the deadline passed while waiting for the response", code=ErrorCode.TIMEOUT
            )
            late.silent = monotonic() - self._http.silent_since >= SILENCE_S
            self._http.fail(late)
            return late
        except OSError as lost:
            self._http.fail(Failure(UNAVAILABLE, f"the connection was lost: {lost}"))
            return self._failure
        except BaseException:
            # The call was interrupted. Close the connection, because a late response would be taken for the response of
            # the next call.
            self.close()
            raise
        self._operation = None
        self._used_at = monotonic()
        return self._response

    def close(self) -> None:
        """Close the connection. A thread that waits in `call` receives a Failure."""
        closed = Failure(UNAVAILABLE, "the connection was closed by this client")
        # Set `_failure` before waking the waiting thread, because that thread checks only this field.
        self._failure = self._failure or closed
        try:
            self._socket.raw.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass  # The socket was already closed, or was never fully open.
        self._http.fail(closed)

    @property
    def failed(self) -> bool:
        """Whether the connection has failed."""
        return self._failure is not None

    def _readable(self) -> bool:
        if isinstance(self._socket.raw, ssl.SSLSocket) and self._socket.raw.pending():
            return True
        if self._poll is None:
            return bool(select.select([self._socket.raw], [], [], 0)[0])
        return bool(self._poll.poll(0))

    def _receive(self) -> None:
        data = self._socket.raw.recv(_READ_BYTES)
        if data:
            self._http.data_received(data)
        else:
            self._http.connection_lost(None)

    # Callbacks of Http2Stream.

    def on_message(self, message: bytes) -> None:
        self.heard = True
        try:
            for field, kind, first, last in codec.read_fields(message, 0, len(message)):
                if field == 1 and kind == 2:
                    if self._operation is None or self._response is not None:
                        raise codec.Malformed("a result arrived, but no call is in flight")
                    self._response = outcome_of(self._operation, self._request, message, first, last)
                elif field == 2 and kind == 0 and first:
                    self.retired = True
        except Exception as broken:
            # The message is invalid. End the stream. The current call then ends with a Failure instead of a response.
            self._response = None
            self._http.fail(Failure(13, f"pipeline protocol error from the server: malformed result: {broken}"))

    def on_writable(self) -> None:
        """Do nothing, because Http2Stream itself sends the rest when the peer accepts more data."""

    def on_going_away(self) -> None:
        self.retired = True

    def on_end(self, failure: Failure | None) -> None:
        self.retired = True
        self._failure = failure or Failure(UNAVAILABLE, "the server ended the stream")
