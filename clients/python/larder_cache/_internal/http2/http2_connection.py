"""Runs an Http2Session on a socket. All output of one iteration of the event loop is sent in one write."""

from __future__ import annotations

import asyncio
import math
from contextvars import Context
from typing import Protocol, cast

from larder_cache._internal.common.detached import detached
from larder_cache._internal.http2 import hpack
from larder_cache._internal.http2.connection_loss import WrongProtocol, lost, wrong_protocol
from larder_cache._internal.http2.http2_exchange import Exchange
from larder_cache._internal.http2.http2_session import WINDOW, Http2Error, Http2Session
from larder_cache._internal.http2.http2_stream import address_of, tls_of
from larder_cache.credential_provider import CredentialProvider
from larder_cache.errors import CANCELLED, UNAVAILABLE, ErrorCode, Failure

# The maximum number of bytes in the socket's buffer if the server does not read. If there are more, the connection is
# closed.
_MAX_UNTAKEN = 4 * 1_048_576
CLOSED_HERE = Failure(CANCELLED, "the client was closed", code=ErrorCode.CANCELLED)
IDLE = Failure(UNAVAILABLE, "the connection was idle and was closed by this client")


class ConnectionOwner(Protocol):
    """The callbacks with which a connection notifies its channel."""

    def on_room(self, connection: Http2Connection) -> None:
        """Called when another stream may be opened, or when a stream has ended."""

    def on_draining(self, connection: Http2Connection) -> None:
        """Called when no more streams may be opened. Open streams still get their responses."""

    def on_ended(self, connection: Http2Connection, failure: Failure) -> None:
        """Called once when the connection has ended, before its calls are notified."""


class Http2Connection(asyncio.Protocol):
    """A connection with many streams. `open` connects it.

    The connection ends when `close` is called, when the server closes it, or on an error.
    """

    def __init__(self, owner: ConnectionOwner, loop: asyncio.AbstractEventLoop, stream_window: int) -> None:
        self._owner = owner
        self._loop = loop
        self._session = Http2Session(self, stream_window)
        self._transport: asyncio.Transport | None = None
        self.ready: asyncio.Future[None] = loop.create_future()
        # Timers and writes run in an empty context, so that they do not keep the context of the call that started them.
        self.context = Context()
        self._is_scheduled = False
        self._keepalive: asyncio.TimerHandle | None = None
        self._is_alive = True
        # The time of the last input, or of the first request after an idle period. 0 means that no request is waiting
        # for a response.
        self.silent_since = 0.0
        # The time at which a stream last received a message. Used by subscriptions.
        self.heard_at = -math.inf
        # Whether the first call has already sent the user agent.
        self.greeted = False

    @classmethod
    async def open(
        cls,
        owner: ConnectionOwner,
        credentials: CredentialProvider,
        address: str | None,
        stream_window: int = WINDOW,
    ) -> Http2Connection:
        """Connect and wait for the server's settings. Cancellation closes the connection.

        Args:
            owner: Receives the callbacks of the connection.
            credentials: The server and its TLS settings.
            address: The address to connect to, if the host name has several.
            stream_window: The number of bytes that the server may send on one stream.

        Raises:
            OSError: The server is unreachable.
        """
        loop = asyncio.get_running_loop()
        connection = cls(owner, loop, stream_window)
        host, port = address_of(credentials)
        tls = tls_of(credentials)
        named = None if tls is None else credentials.server_name
        await loop.create_connection(lambda: connection, address or host, port, ssl=tls, server_hostname=named)
        try:
            await connection.ready
        except BaseException:
            connection.close()
            raise
        return connection

    @property
    def is_open(self) -> bool:
        """Whether the connection accepts new calls, either now or after other calls have ended."""
        session = self._session
        return session.is_open and not session.is_draining and not session.is_closed

    @property
    def has_room(self) -> bool:
        """Whether another stream may be opened now."""
        return self._session.has_room

    @property
    def streams(self) -> int:
        """The number of open streams."""
        return len(self._session.streams)

    @property
    def max_streams(self) -> int:
        """The maximum number of concurrent streams that the server allows."""
        return self._session.max_streams

    @property
    def heard(self) -> bool:
        """Whether the server has sent data on a stream, or has ended a stream with a status."""
        return self._session.heard

    @property
    def is_going_away(self) -> bool:
        """Whether the server has announced that it accepts no more streams."""
        return self._session.is_going_away

    def start(self, exchange: Exchange, more: bytes = b"") -> None:
        """Open a stream. Requires `has_room`."""
        session = self._session
        session.start(exchange, more)
        if not self.silent_since:
            self.silent_since = self._loop.time()
        if len(session.streams) == 1 and not self._is_scheduled:
            # Write immediately, because there is no other pending output to combine with.
            self.context.run(self._flush)
        else:
            self._schedule()

    def cancel(self, exchange: Exchange) -> None:
        """Reset a stream. Its `on_end` is not called."""
        self._session.cancel(exchange)
        self._schedule()
        self._end_if_drained()

    def give_credit(self, exchange: Exchange) -> None:
        """Return credit for the bytes received on a stream, so that the server can send more."""
        self._session.give_credit(exchange)
        self._schedule()

    def retire(self) -> None:
        """Stop opening streams. Close the connection once the open streams have completed or were cancelled."""
        self._session.drain()
        self._end_if_drained()

    def close(self, failure: Failure = CLOSED_HERE) -> None:
        """Close the connection. Its calls end with `failure`."""
        self._end(failure)

    def keep_alive(self, interval_s: float, timeout_s: float) -> None:
        """Send a ping if nothing was received for `interval_s`.

        Close the connection if nothing is received within a further `timeout_s`.
        """
        if self._session.is_closed:
            return
        self._is_alive = False
        self._keepalive = detached(self._loop.call_later, interval_s, self._ping, interval_s, timeout_s)

    def _ping(self, interval_s: float, timeout_s: float) -> None:
        if self._is_alive:
            self.keep_alive(interval_s, timeout_s)
            return
        self._session.ping()
        self._flush()
        self._keepalive = detached(self._loop.call_later, timeout_s, self._pinged, interval_s, timeout_s)

    def _pinged(self, interval_s: float, timeout_s: float) -> None:
        if self._is_alive:
            self.keep_alive(interval_s, timeout_s)
        else:
            self._end(Failure(UNAVAILABLE, f"the connection was lost: no response to a ping within {timeout_s:g} s"))

    # Callbacks of the event loop.

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        # uvloop's transports are not subclasses of asyncio's.
        self._transport = made = cast(asyncio.Transport, transport)
        if self._session.is_closed:
            made.abort()
            return
        made.set_write_buffer_limits(high=WINDOW)
        self._flush()

    def connection_lost(self, exc: Exception | None) -> None:
        self._end(lost(exc))

    def pause_writing(self) -> None:
        self._session.blocked = True

    def resume_writing(self) -> None:
        self._session.blocked = False
        self._session.pump()
        self._flush()

    def data_received(self, data: bytes) -> None:
        if self._session.is_closed:
            return
        self._is_alive = True
        if not self.ready.done() and (problem := wrong_protocol(data)) is not None:
            self.ready.set_exception(WrongProtocol(problem))
            # Retrieve the exception, so that asyncio does not report it as never retrieved if no task awaits `ready`.
            self.ready.exception()
            self._end(Failure(UNAVAILABLE, problem))
            return
        try:
            self._session.receive(data)
        except (Http2Error, hpack.MalformedHeaders, ValueError) as broken:
            self._end(Failure(UNAVAILABLE, f"HTTP/2 protocol error from the server: {broken}"))
            return
        self.silent_since = self._loop.time() if self._session.streams else 0.0
        self._flush()
        self._end_if_drained()

    # Callbacks of the session.

    def on_settings(self) -> None:
        if not self.ready.done():
            self.ready.set_result(None)

    def on_room(self) -> None:
        self._owner.on_room(self)

    def on_draining(self) -> None:
        self._owner.on_draining(self)

    def _schedule(self) -> None:
        if not self._is_scheduled:
            self._is_scheduled = True
            self._loop.call_soon(self._flush, context=self.context)

    def _flush(self) -> None:
        self._is_scheduled = False
        session, transport = self._session, self._transport
        while session.has_output and transport is not None and not session.is_closed:
            transport.write(session.take())
            if session.blocked and transport.get_write_buffer_size() > _MAX_UNTAKEN:
                why = "the connection was lost: the server does not read the data that this client sends"
                self._end(Failure(UNAVAILABLE, why))
                return
            session.pump()

    def _end_if_drained(self) -> None:
        session = self._session
        if session.is_draining and not session.streams:
            self._end(IDLE)

    def _end(self, failure: Failure) -> None:
        session = self._session
        if session.is_closed:
            return
        session.is_closed = True
        if self._keepalive is not None:
            self._keepalive.cancel()
        if self._transport is not None:
            if failure is IDLE and session.has_output:
                # Send the resets of the last streams before closing.
                self._transport.write(session.take())
            self._transport.close() if failure is IDLE else self._transport.abort()
        if not self.ready.done():
            self.ready.set_exception(ConnectionError(failure.message))
            # Retrieve the exception, so that asyncio does not report it as never retrieved if no task awaits `ready`.
            self.ready.exception()
        self._owner.on_ended(self, failure)
        session.fail(failure)
