"""A subscription to a topic: an async iterator over its events."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Awaitable, Callable
from types import TracebackType
from typing import Any, Self

from larder_cache._internal.common.unpicklable import Unpicklable
from larder_cache._internal.topics.topic_buffer import Stage, TopicBuffer
from larder_cache.responses import Error
from larder_cache.topic_event import TopicEvent

# A function that starts a subscription. The subscription adds its events to the buffer. May raise RuntimeError if no
# event loop is running.
Follow = Callable[[TopicBuffer], None]
FORKED = "this subscription was created before the process was forked; subscribe again in this process"


class TopicSubscription(Unpicklable):
    """A subscription to a topic, created by `cache.subscribe(…)`.

    The subscription starts when it is first used, for example by `async for event in subscription: …`.

    It reconnects and resumes automatically. It ends with an Error if a retry would not help. It ends without an Error
    if it was closed: by leaving the loop or an `async with`, by `aclose()`, or with its client. At most 256 events or 4
    MiB are buffered. If the buffer is full, reading stops, and the server later reports the missed messages.

    A subscription belongs to the event loop that started it. `anext` returns one event and leaves the subscription
    open.
    """

    def __init__(self, follow: Follow, gone: Callable[[TopicBuffer], Awaitable[None]]) -> None:
        """Create a subscription that is not started.

        Args:
            follow: Starts the subscription.
            gone: Waits until the resources of the subscription are released.
        """
        self.follow = follow
        self._gone = gone
        self._news = asyncio.Event()
        self._buffer = TopicBuffer(self._news.set)
        self._loop: asyncio.AbstractEventLoop | None = None
        self._process = os.getpid()

    async def established(self) -> Error | None:
        """Wait until the server has confirmed the subscription.

        The subscription receives all messages that are published from then on.

        Returns the Error if the subscription failed before it was confirmed. That Error is also the first event.
        Returns None if the subscription was confirmed or was already closed.
        """
        self._begin()
        while self._buffer.stage is Stage.OPENING:
            await self._wait()
        return self._buffer.refusal

    def __aiter__(self) -> AsyncIterator[TopicEvent]:
        """Return an iterator for an `async for` loop. Leaving the loop in any way closes the subscription."""
        return _Loop(self)

    async def __anext__(self) -> TopicEvent:
        self._begin()
        while (event := self._buffer.take()) is None:
            if self._buffer.over:
                raise StopAsyncIteration
            await self._wait()
        return event

    async def __aenter__(self) -> Self:
        """Start the subscription and wait as `established` does. Does not raise if the subscription failed."""
        try:
            await self.established()
        except BaseException:
            self.leave()
            raise
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Close the subscription and release its stream. Discards buffered events. May be called several times."""
        self.leave()
        if self._loop is asyncio.get_running_loop():
            await self._gone(self._buffer)

    def leave(self) -> None:
        """Close the subscription without waiting for its stream. Thread-safe."""
        if self._process == os.getpid():
            self._buffer.leave()

    def __del__(self) -> None:
        # Close the subscription, because no reference to it is left. The attribute is missing if the constructor
        # raised.
        if getattr(self, "_process", 0):
            self.leave()

    def _begin(self) -> None:
        if self._process != os.getpid():
            raise RuntimeError(FORKED)
        if self._loop is None:
            if not self._buffer.over:
                self.follow(self._buffer)
            self._loop = asyncio.get_running_loop()
        elif self._loop is not asyncio.get_running_loop():
            raise RuntimeError("this subscription belongs to another event loop; subscribe again in the current loop")

    async def _wait(self) -> None:
        self._news.clear()
        await self._news.wait()


class _Loop(AsyncIterator[TopicEvent]):
    """The iterator of an `async for` loop. Deleting the iterator closes the subscription."""

    __slots__ = ("_subscription",)

    def __init__(self, subscription: TopicSubscription) -> None:
        self._subscription = subscription

    def __anext__(self) -> Any:
        return self._subscription.__anext__()

    def __del__(self) -> None:
        self._subscription.leave()
