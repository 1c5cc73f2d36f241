"""A blocking subscription: an iterator over events that the background loop receives."""

from __future__ import annotations

import os
import threading
from asyncio import _get_running_loop  # pyright: ignore[reportPrivateUsage]
from collections.abc import Iterator
from types import TracebackType
from typing import Self

from larder_cache._internal.common.unpicklable import Unpicklable
from larder_cache._internal.topics.topic_buffer import TopicBuffer
from larder_cache.responses import Error
from larder_cache.topic_event import TopicEvent
from larder_cache.topic_subscription import FORKED, TopicSubscription


class BlockingSubscription(Unpicklable):
    """The blocking counterpart of larder_cache.TopicSubscription.

    Use `for event in subscription: …`, `with`, or `close()`.

    Thread-safe: one thread may close the subscription while another waits for an event. If several threads iterate,
    each event is returned to one of them. Leaving a `for` loop closes the subscription. `next` returns one event and
    leaves the subscription open.
    """

    def __init__(self, subscription: TopicSubscription) -> None:
        """Create the blocking subscription. It sends nothing before it is first used.

        Args:
            subscription: An asyncio subscription that was not started. Its `follow` function starts this subscription.
        """
        self._follow = subscription.follow
        self._buffer = TopicBuffer()
        self._beginning = threading.Lock()
        self._begun = False
        self._process = os.getpid()

    def established(self) -> Error | None:
        """Wait until the server has confirmed the subscription. See `TopicSubscription.established`."""
        self._begin()
        self._buffer.wait_until_established()
        return self._buffer.refusal

    def __iter__(self) -> Iterator[TopicEvent]:
        """Return an iterator for a `for` loop. Leaving the loop in any way closes the subscription."""
        return _Loop(self)

    def __next__(self) -> TopicEvent:
        self._begin()
        event = self._buffer.wait()
        if event is None:
            raise StopIteration
        return event

    def __enter__(self) -> Self:
        """Start the subscription and wait as `established` does. Does not raise if the subscription failed."""
        try:
            self.established()
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the subscription, release its stream, and wake the waiting threads. May be called several times."""
        if self._process == os.getpid():
            self._buffer.leave()

    def __del__(self) -> None:
        if getattr(self, "_process", 0):
            self.close()

    def _begin(self) -> None:
        if self._process != os.getpid():
            raise RuntimeError(FORKED)
        if _get_running_loop() is not None:  # pyright: ignore[reportUnnecessaryComparison]
            raise RuntimeError(
                "this thread runs an event loop, which the subscription would block; "
                "subscribe with larder_cache.CacheClient"
            )
        with self._beginning:
            if not self._begun and not self._buffer.over:
                self._follow(self._buffer)
            self._begun = True


class _Loop(Iterator[TopicEvent]):
    """The iterator of a `for` loop. Deleting the iterator closes the subscription."""

    __slots__ = ("_subscription",)

    def __init__(self, subscription: BlockingSubscription) -> None:
        self._subscription = subscription

    def __next__(self) -> TopicEvent:
        return self._subscription.__next__()

    def __del__(self) -> None:
        self._subscription.close()
