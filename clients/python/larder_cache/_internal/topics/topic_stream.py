"""One stream of a subscription.

Flow control limits the unread messages that the server sends to one window.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from dataclasses import replace
from time import monotonic

from larder_cache._internal.http2.http2_exchange import Exchange
from larder_cache._internal.transport.channel import Channel, Sending
from larder_cache.errors import CANCELLED, Failure

# The number of bytes that the server may send on a stream before they are read. It is small, because there may be many
# streams. Source: the default of HTTP/2.
TOPIC_WINDOW = 65_535
_OK = 0


class _Subscription(Exchange):
    """The gRPC call of a subscription. It keeps complete messages until they are read."""

    __slots__ = ("head", "queue", "ended", "waiter")

    def __init__(self, block: bytes, request: bytes, loop: asyncio.AbstractEventLoop) -> None:
        super().__init__(block, request, self._on_end, 0)
        self.head: asyncio.Future[str | None] = loop.create_future()
        self.queue: deque[bytes] = deque()
        self.ended: Failure | None = None
        self.waiter: asyncio.Future[None] | None = None

    @property
    def reads_on(self) -> bool:
        """Whether the reader has read all received messages and is waiting for the next message."""
        return self.waiter is not None and not self.queue

    def receive_head(self, headers: dict[str, str]) -> None:
        if not self.head.done():
            self.head.set_result(headers.get("topic-position"))

    def receive_message(self, message: bytes) -> Failure | None:
        self.queue.append(message)
        self._wake()
        return None

    def end(self, failure: Failure) -> None:
        """Record that the stream has ended."""
        if self.ended is None:
            self.ended = failure
        if not self.head.done():
            self.head.set_result(None)
        self._wake()

    def _on_end(self, failure: Failure | None) -> None:
        self.end(failure or Failure(_OK, "the server ended the stream"))

    def _wake(self) -> None:
        if self.waiter is not None and not self.waiter.done():
            self.waiter.set_result(None)


class TopicStream:
    """A stream that TopicChannels opens and one task reads. It must always be closed with `close`."""

    def __init__(
        self,
        block: bytes,
        request: bytes,
        channel: Channel,
        shown: int | None,
        let_go: Callable[[Channel], None],
        loop: asyncio.AbstractEventLoop,
    ) -> None:
        """Send the request on the channel.

        Args:
            block: The encoded request headers.
            request: The encoded request.
            channel: The channel.
            shown: The version of the provider's token that the stream uses.
            let_go: Called when the stream leaves its channel.
            loop: The event loop.
        """
        self._loop = loop
        self._exchange = _Subscription(block, request, loop)
        self._sending = Sending(self._exchange, None)
        self._channel = channel
        self._shown = shown
        self._let_go = let_go
        self._given_up: Failure | None = None
        channel.send(self._sending)

    async def opened(self) -> str | None:
        """Wait for the response headers and return the value of `topic-position`.

        Returns None if the server sent no position or rejected the stream.
        """
        return await asyncio.shield(self._exchange.head)

    async def read(self) -> bytes | Failure:
        """Return the next message, or a Failure with the reason why the stream ended."""
        exchange = self._exchange
        while self._given_up is None:
            if exchange.queue:
                if (connection := self._sending.connection) is not None:
                    connection.heard_at = monotonic()
                return exchange.queue.popleft()
            if exchange.ended is not None:
                return replace(exchange.ended, shown=self._shown)
            exchange.waiter = self._loop.create_future()
            if (connection := self._sending.connection) is not None:
                connection.give_credit(exchange)
            try:
                await exchange.waiter
            finally:
                exchange.waiter = None
        return self._given_up

    def give_up(self, failure: Failure, silence_s: float) -> None:
        """End a stream that was silent for too long. From now on `read` returns this failure."""
        self._given_up = failure
        connection = self._sending.connection
        self._channel.cancel(self._sending)
        # If the other streams of the connection are also silent, retire the connection. New streams then use another
        # connection. Each of the other streams is given up when its own silence is too long.
        if connection is not None and monotonic() - connection.heard_at >= silence_s:
            connection.retire()
        self._exchange.end(failure)

    def close(self) -> None:
        """Reset the stream if it is open, and leave its channel."""
        self._channel.cancel(self._sending)
        self._exchange.end(Failure(CANCELLED, "the stream was cancelled"))
        self._let_go(self._channel)
