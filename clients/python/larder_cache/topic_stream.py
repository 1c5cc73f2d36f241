"""One stream of a subscription, by grpcio, which reads from the connection only what is asked for."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from time import monotonic
from typing import Any

import grpc.aio

from larder_cache.channel_pool import Channel
from larder_cache.errors import CANCELLED, UNKNOWN, Failure, no_such_status

_OK = 0


class TopicStream:
    """Opened by TopicChannels, read by one task. `close` it, whatever came."""

    def __init__(self, call: Any, channel: Channel, shown: int | None, let_go: Callable[[Channel], None]) -> None:
        """`shown`: the number of the provider's token that it shows. `let_go`: hears that the channel is left."""
        self._call = call
        # Not `call.read`, which looks at the stream's end first: it would leave out what was sent just before.
        self._messages = aiter(call)
        self._channel = channel
        self._shown = shown
        self._let_go = let_go
        self._given_up: Failure | None = None

    async def opened(self) -> str | None:
        """Return the server's `topic-position`; None: it told none, or answered no stream."""
        try:
            metadata: Any = await self._call.initial_metadata()
        except (grpc.aio.AioRpcError, asyncio.CancelledError):
            metadata = ()
        self._raise_if_cancelled()
        found = [value for key, value in metadata or () if key == "topic-position"]
        return str(found[0]) if len(found) == 1 else None

    async def read(self) -> bytes | Failure:
        """Return the next message, or how the stream ended."""
        try:
            read: bytes | Failure = await anext(self._messages)
        except StopAsyncIteration:
            read = self._given_up or Failure(_OK, "the server ended the stream")
        except (grpc.aio.AioRpcError, asyncio.CancelledError) as error:
            read = self._failure(error)
        except KeyError as status:
            read = Failure(UNKNOWN, no_such_status(status), shown=self._shown)
        self._raise_if_cancelled()
        if isinstance(read, bytes):
            self._channel.heard_at = monotonic()
        return read

    def give_up(self, failure: Failure, silence_s: float) -> None:
        """End the stream, which was silent for so long: `read` returns this."""
        self._given_up = failure
        # If the other streams are silent too, they end by themselves, and new ones go to another connection.
        if self._channel.up and monotonic() - self._channel.heard_at >= silence_s:
            self._channel.doubted = True
        self._call.cancel()

    def close(self) -> None:
        """Reset the stream where it is open, and leave its channel."""
        self._call.cancel()
        self._let_go(self._channel)

    def _raise_if_cancelled(self) -> None:
        """Raise what cancelled the task that reads.

        grpcio raises the same for a stream that was given up; and where the stream has just ended by itself it swallows
        a task's cancellation, and raises the stream's status.
        """
        if _cancelling():
            raise asyncio.CancelledError

    def _failure(self, error: BaseException) -> Failure:
        if self._given_up is not None or not isinstance(error, grpc.aio.AioRpcError):
            return self._given_up or Failure(CANCELLED, "the stream was cancelled")
        cause = next((str(value) for key, value in error.trailing_metadata() or () if key == "err"), None)
        return Failure(error.code().value[0], error.details() or "", cause, shown=self._shown)


# Out of the frame that raises: a task keeps what it was cancelled with, that its frames, and they their names. One that
# names the task would keep the call and its connection until garbage is collected.
def _cancelling() -> bool:
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0
