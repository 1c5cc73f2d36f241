"""One stream of a subscription. Flow control limits what the server sends to one window beyond what was read."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from dataclasses import replace
from time import monotonic

from larder_cache._internal.http2.http2_exchange import Exchange
from larder_cache._internal.transport.channel import Channel, Sending
from larder_cache.errors import CANCELLED, Failure

# Bytes that the server may send on a stream before they are read. Small, as there are many streams. Source: HTTP/2's
# default.
TOPIC_WINDOW = 65_535
_OK = 0


class _Subscription(Exchange):
    """Keeps complete messages until they are read."""

    __slots__ = ("head", "queue", "ended", "waiter")

    def __init__(self, block: bytes, request: bytes, loop: asyncio.AbstractEventLoop) -> None:
        super().__init__(block, request, self._on_end, 0)
        self.head: asyncio.Future[str | None] = loop.create_future()
        self.queue: deque[bytes] = deque()
        self.ended: Failure | None = None
        self.waiter: asyncio.Future[None] | None = None

    @property
    def reads_on(self) -> bool:
        """Whether the reader waits for more than has arrived."""
        return self.waiter is not None and not self.queue

    def receive_head(self, headers: dict[str, str]) -> None:
        if not self.head.done():
            self.head.set_result(headers.get("topic-position"))

    def receive_message(self, message: bytes) -> Failure | None:
        self.queue.append(message)
        self._wake()
        return None

    def end(self, failure: Failure) -> None:
        """End the stream."""
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
    """Opened by TopicChannels and read by one task. It must always be closed with `close`."""

    def __init__(
        self,
        block: bytes,
        request: bytes,
        channel: Channel,
        shown: int | None,
        let_go: Callable[[Channel], None],
        loop: asyncio.AbstractEventLoop,
    ) -> None:
        """`shown`: the version of the provider's token that it uses.

        `let_go`: called when the stream leaves its channel.
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
        """Return the server's `topic-position`; None: it sent none, or rejected the stream."""
        return await asyncio.shield(self._exchange.head)

    async def read(self) -> bytes | Failure:
        """Return the next message, or how the stream ended."""
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
        """End a stream that was silent for too long; `read` then returns this failure."""
        self._given_up = failure
        connection = self._sending.connection
        self._channel.cancel(self._sending)
        # If the other streams are silent too, they end by themselves, and new ones use another connection.
        if connection is not None and monotonic() - connection.heard_at >= silence_s:
            connection.retire()
        self._exchange.end(failure)

    def close(self) -> None:
        """Reset the stream if it is open, and leave its channel."""
        self._channel.cancel(self._sending)
        self._exchange.end(Failure(CANCELLED, "the stream was cancelled"))
        self._let_go(self._channel)
