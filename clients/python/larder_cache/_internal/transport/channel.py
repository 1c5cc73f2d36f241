"""A channel: one HTTP/2 connection at a time. The first call opens the connection. A lost connection is reopened."""

from __future__ import annotations

import asyncio
import random
import sys
from collections import OrderedDict
from functools import lru_cache
from math import ceil
from typing import Protocol

from larder_cache._internal.common.detached import detached
from larder_cache._internal.http2 import hpack
from larder_cache._internal.http2.connection_loss import lasts, unreachable_reason
from larder_cache._internal.http2.http2_connection import CLOSED_HERE, IDLE, Http2Connection
from larder_cache._internal.http2.http2_exchange import Exchange
from larder_cache._internal.http2.http2_session import STREAMS, WINDOW
from larder_cache._internal.transport.link_state import back_off_s
from larder_cache.configuration import Configuration
from larder_cache.credential_provider import CredentialProvider
from larder_cache.errors import Failure

# The maximum number of retired connections. A retired connection accepts no more calls but processes its earlier calls.
# If there are more, the oldest retired connection is closed.
_MOST_RETIRED = 8
_GREETING = hpack.encode([("agent", "larder-python:0.1.0"), ("runtime-version", sys.version.split()[0])])


@lru_cache(maxsize=1_024)
def _timeout(left_ms: int) -> bytes:
    """Return the encoded header that contains the remaining time of a call."""
    return hpack.encode([("grpc-timeout", f"{left_ms}m")])


class ChannelOwner(Protocol):
    """The callbacks with which a channel notifies its transport."""

    def on_connected(self, channel: Channel) -> None:
        """Called when a connection was established."""

    def on_unconnected(self, channel: Channel, why: str, *, lasting: bool = False) -> None:
        """Called when an attempt to connect failed. Waiting calls wait for the next attempt.

        `lasting`: whether a retry would fail in the same way (RETRY-9).
        """

    def on_lost(self, channel: Channel, failure: Failure) -> None:
        """Called when the connection was lost, but not if this client closed it."""


class Sending:
    """A call that a channel sends as soon as possible.

    `connection` is the connection on which it was sent, or None if the call is queued.
    """

    __slots__ = ("exchange", "deadline", "connection")

    def __init__(self, exchange: Exchange, deadline: float | None) -> None:
        self.exchange = exchange
        self.deadline = deadline
        self.connection: Http2Connection | None = None


class Channel:
    """Sends calls on its connection, or queues them until the connection can open another stream."""

    def __init__(
        self,
        owner: ChannelOwner,
        credentials: CredentialProvider,
        configuration: Configuration,
        address: str | None,
        loop: asyncio.AbstractEventLoop,
        stream_window: int = WINDOW,
    ) -> None:
        """Create the channel without connecting.

        Args:
            owner: Receives the callbacks of the channel.
            address: The address to connect to, if the host name has several.
            stream_window: The number of bytes that the server may send on one stream.
        """
        self._owner = owner
        self._credentials = credentials
        self._configuration = configuration
        self._address = address
        self._loop = loop
        self._stream_window = stream_window
        # The number of calls that the pool assigned to this channel.
        self.in_flight = 0
        self.connection: Http2Connection | None = None
        self._retired: list[Http2Connection] = []
        self._waiting: OrderedDict[Sending, None] = OrderedDict()
        self._connecting: asyncio.Task[None] | None = None
        self._connected = asyncio.Event()
        self._connect_waiters = 0
        self._tries = 0
        self._next_try_at = 0.0
        self._is_closed = False

    @property
    def up(self) -> bool:
        """Whether the channel has a connection that accepts calls."""
        return self.connection is not None

    @property
    def takes_streams(self) -> bool:
        """Whether another long-lived stream may be opened on this channel."""
        most = STREAMS if self.connection is None else self.connection.max_streams
        return self.in_flight < most

    @property
    def connections(self) -> int:
        """The number of open connections, including those that are closing."""
        return len(self._retired) + (self.connection is not None)

    def send(self, sending: Sending) -> None:
        """Send a call now, or as soon as a connection can open another stream."""
        connection = self.connection
        if connection is not None and not self._waiting and connection.has_room:
            self._start(sending, connection)
        elif self._is_closed:
            sending.exchange.on_end(CLOSED_HERE)
        else:
            self._waiting[sending] = None
            self.connect_soon()

    def cancel(self, sending: Sending) -> None:
        """Cancel a call for which no caller waits."""
        if sending.connection is None:
            self._waiting.pop(sending, None)
        else:
            sending.connection.cancel(sending.exchange)

    def fail_waiting(self, failure: Failure) -> None:
        """Fail all calls that wait for a connection."""
        waiting, self._waiting = self._waiting, OrderedDict()
        for sending in waiting:
            sending.exchange.on_end(failure)

    async def wait_connected(self) -> None:
        """Wait until the channel has a connection or is closed."""
        self._connect_waiters += 1
        try:
            while self.connection is None and not self._is_closed:
                self._connected.clear()
                self.connect_soon()
                await self._connected.wait()
        finally:
            self._connect_waiters -= 1

    def retire(self) -> None:
        """Send no more calls on the connection. Calls already sent continue on it."""
        if self.connection is not None:
            self.connection.retire()

    def close_idle(self) -> None:
        """Close the connection if it has no open stream."""
        if self.connection is not None and not self.connection.streams:
            self.connection.close(IDLE)

    def connect_soon(self) -> None:
        """Start to connect, unless an attempt is in progress or there is a connection."""
        if self.connection is None and not self._is_closed and (self._connecting is None or self._connecting.done()):
            self._connecting = detached(self._loop.create_task, self._connect(), name="larder: connect a channel")

    async def aclose(self) -> None:
        """Close the connections. Calls end with CANCELLED."""
        self._is_closed = True
        self._connected.set()
        if self._connecting is not None:
            self._connecting.cancel()
            await asyncio.gather(self._connecting, return_exceptions=True)
        for connection in (self.connection, *self._retired):
            if connection is not None:
                connection.close()
        self.fail_waiting(CLOSED_HERE)

    async def _connect(self) -> None:
        """Try to connect until there is a connection, or until no call waits for one."""
        configuration = self._configuration
        while not self._is_closed:
            if (wait_s := self._next_try_at - self._loop.time()) > 0:
                await asyncio.sleep(wait_s)
            lasting = False
            try:
                async with asyncio.timeout(configuration.connect_timeout_s):
                    connection = await Http2Connection.open(self, self._credentials, self._address, self._stream_window)
                why = "" if connection.is_open else "the server is shutting down"
            except Exception as failure:
                connection = None
                why = f"{type(failure).__name__}: {failure}"
                if isinstance(failure, OSError):
                    why = unreachable_reason(failure, self._credentials)
                    lasting = lasts(failure)
            if connection is None or why:
                self._back_off()
                self._owner.on_unconnected(self, why, lasting=lasting)
                if not self._waiting and not self._connect_waiters:
                    return
                continue
            self.connection = connection
            interval_s = configuration.keepalive_interval_s
            if interval_s is not None:
                connection.keep_alive(interval_s, configuration.keepalive_timeout_s)
            self._connected.set()
            self._owner.on_connected(self)
            self.on_room(connection)
            return

    def _back_off(self) -> None:
        """Set the time of the next attempt to connect.

        The wait depends on the number of failures since the server last responded. A connection that the server ends
        before it has responded is a failure, because a server may accept each connection and close it at once.
        """
        self._tries += 1
        longest_s = back_off_s(self._tries, self._configuration.max_back_off_s)
        self._next_try_at = self._loop.time() + longest_s * random.uniform(0.5, 1.0)

    def _start(self, sending: Sending, connection: Http2Connection) -> None:
        sending.connection = connection
        more = b""
        if not connection.greeted:
            connection.greeted = True
            more = _GREETING
        if sending.deadline is not None:
            more += _timeout(max(1, ceil((sending.deadline - self._loop.time()) * 1_000)))
        connection.start(sending.exchange, more)

    # Callbacks of a connection.

    def on_room(self, connection: Http2Connection) -> None:
        while self._waiting and connection is self.connection and connection.has_room:
            sending, _ = self._waiting.popitem(last=False)
            self._start(sending, connection)

    def on_draining(self, connection: Http2Connection) -> None:
        if connection is not self.connection:
            return
        self.connection = None
        if connection.is_going_away and not connection.heard:
            self._back_off()
        self._retired.append(connection)
        if len(self._retired) > _MOST_RETIRED:
            self._retired[0].close()
        if self._waiting:
            self.connect_soon()

    def on_ended(self, connection: Http2Connection, failure: Failure) -> None:
        if connection in self._retired:
            self._retired.remove(connection)
        if connection.heard:
            self._tries, self._next_try_at = 0, 0.0
        elif connection is self.connection and failure is not IDLE:
            self._back_off()
        if connection is self.connection:
            self.connection = None
            if failure is not IDLE and not self._is_closed:
                self._owner.on_lost(self, failure)
            if self._waiting or self._connect_waiters:
                self.connect_soon()
