"""A topic that is followed: an async iterator of its events."""

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

# Begins a subscription whose events come by the buffer; may raise RuntimeError where no event loop runs.
Follow = Callable[[TopicBuffer], None]
FORKED = "this subscription was made before the process was forked, and is the parent's; subscribe again here"


class TopicSubscription(Unpicklable):
    """Made by `cache.subscribe(…)`; begun by what is done with it first. `async for event in subscription: …`

    It connects again by itself, and goes on where it was. It ends with an Error that another attempt would not mend, or
    without one where it was closed: by leaving the loop or an `async with`, by `aclose()`, or with its client. Events
    that nobody takes wait, at most 256 or 4 MiB; then reading stops, and the server tells of what was missed.

    It belongs to the event loop that began it. `anext` takes one event, and leaves it open.
    """

    def __init__(self, follow: Follow, gone: Callable[[TopicBuffer], Awaitable[None]]) -> None:
        """`follow` begins it; `gone` waits until what it held is let go."""
        self.follow = follow
        self._gone = gone
        self._news = asyncio.Event()
        self._buffer = TopicBuffer(self._news.set)
        self._loop: asyncio.AbstractEventLoop | None = None
        self._process = os.getpid()

    async def established(self) -> Error | None:
        """Wait until the server has confirmed it: what is published from then on comes. The Error where it ended so.

        The Error is the first event, too. None also where it was closed before.
        """
        self._begin()
        while self._buffer.stage is Stage.OPENING:
            await self._wait()
        return self._buffer.refusal

    def __aiter__(self) -> AsyncIterator[TopicEvent]:
        """Begin a loop. Leaving it, by whatever way, closes the subscription."""
        return _Loop(self)

    async def __anext__(self) -> TopicEvent:
        self._begin()
        while (event := self._buffer.take()) is None:
            if self._buffer.over:
                raise StopAsyncIteration
            await self._wait()
        return event

    async def __aenter__(self) -> Self:
        """Begin it, and wait as `established` does; nothing is raised where it failed."""
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
        """End it, and free its stream. What was not taken is let go. Calling it again does nothing."""
        self.leave()
        if self._loop is asyncio.get_running_loop():
            await self._gone(self._buffer)

    def leave(self) -> None:
        """End it, from any thread, without waiting until its stream is free."""
        if self._process == os.getpid():
            self._buffer.leave()

    def __del__(self) -> None:
        # Nobody can take its events any more. Not made whole, where what made it raised.
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
            raise RuntimeError("this subscription belongs to the event loop that began it; subscribe again in this one")

    async def _wait(self) -> None:
        self._news.clear()
        await self._news.wait()


class _Loop(AsyncIterator[TopicEvent]):
    """What an `async for` holds until it is left."""

    __slots__ = ("_subscription",)

    def __init__(self, subscription: TopicSubscription) -> None:
        self._subscription = subscription

    def __anext__(self) -> Any:
        return self._subscription.__anext__()

    def __del__(self) -> None:
        self._subscription.leave()
