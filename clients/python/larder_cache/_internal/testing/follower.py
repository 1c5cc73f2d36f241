"""One subscription to a topic of a fake server."""

from __future__ import annotations

import asyncio
import threading
from collections import deque
from collections.abc import Callable
from itertools import islice
from typing import NamedTuple, Union

from larder_cache._internal.testing.refused import Refused
from larder_cache._internal.topics.subscription_state import SubscriptionOptions, SubscriptionState
from larder_cache._internal.topics.topic_buffer import TopicBuffer
from larder_cache._internal.topics.topic_messages import Gap, Wanted
from larder_cache.responses import Error
from larder_cache.topic_event import HEARTBEAT, Heartbeat, Item, TopicEvent

# The maximum backlog of a slow reader: messages and bytes. Source: TOP-4.
MOST_MESSAGES, MOST_BYTES = 256, 4 * 1024 * 1024
# The maximum backlog of a reader whose buffer has room but whose event loop is not running.
MOST_UNDER_WAY = 100_000
# A placeholder for the times that SubscriptionState requires. They are not used, because connections to a fake are
# never lost.
_UNUSED_S = 1.0


class Message(NamedTuple):
    """An item and the size of its value in bytes."""

    item: Item
    size: int


Said = Union[Message, Gap, Heartbeat]


class Follower:
    """Keeps the messages for which the buffer has no room, and delivers them on an event loop.

    The follower never adds to a buffer while it has the fake's lock. The reason is the lock order: a thread that takes
    an event from the buffer has the buffer's lock and may then request the fake's lock.
    """

    def __init__(
        self, wanted: Wanted, buffer: TopicBuffer, loop: asyncio.AbstractEventLoop, lock: threading.RLock
    ) -> None:
        self._buffer = buffer
        self._loop = loop
        self._lock = lock
        options = SubscriptionOptions(
            resume_at=wanted.resume_at,
            page=wanted.page,
            now=wanted.now,
            heartbeats=wanted.heartbeats,
            request_timeout_s=_UNUSED_S,
            initial_back_off_s=_UNUSED_S,
            max_back_off_s=_UNUSED_S,
        )
        self._state = SubscriptionState(options)
        self._state.connect(0.0)
        self._waiting: deque[Said] = deque()
        # Whether the buffer is full, and the number of waiting messages that were published since it became full.
        self._is_full = False
        self._behind = 0
        # The sequence number of the last delivered message.
        self._last_taken = 0
        self._ending: list[Error | None] = []
        buffer.on_room = self.soon

    def left(self, leave: Callable[[], None]) -> None:
        """Set the function that is called when the consumer has left the subscription."""
        self._buffer.on_left = leave

    def begin(self, position: str, last: int) -> None:
        """Start the subscription.

        Args:
            position: The position of the first message, in the format in which a server sends it.
            last: The sequence number of the message before the first message.
        """
        self._state.opened(position)
        self._last_taken = last
        self.say(HEARTBEAT)

    def say(self, said: Said) -> None:
        """Queue a message, gap or heartbeat for delivery. The caller must have the fake's lock."""
        if isinstance(said, Heartbeat) and self._waiting:
            return  # The waiting messages already show that the stream is alive.
        self._waiting.append(said)
        if isinstance(said, Message):
            self._behind += self._is_full
            if self._is_too_far_behind():
                # Skip the waiting messages and continue with the newest message (TOP-4).
                self._waiting = deque([Gap(self._last_taken, said.item.number - 1, said.item.page), said])
                self._behind = int(self._is_full)
        self.soon()

    def _is_too_far_behind(self) -> bool:
        if len(self._waiting) > MOST_UNDER_WAY or self._behind > MOST_MESSAGES:
            return True
        newest = islice(reversed(self._waiting), self._behind)
        return sum(each.size for each in newest if isinstance(each, Message)) > MOST_BYTES

    def end(self, refused: Refused | None, subject: str) -> None:
        """End the subscription after the queued messages. The caller must have the fake's lock."""
        error = None if refused is None else Error(refused.code, f"{subject}: {refused.message}", refused.cause)
        self._ending.append(error)
        self.soon()

    def soon(self) -> None:
        """Schedule the delivery of the queued messages for which the buffer has room. Thread-safe."""
        try:
            self._loop.call_soon_threadsafe(self._give)
        except RuntimeError:
            pass  # The loop was closed, so no consumer takes events.

    def _give(self) -> None:
        while True:
            is_full = self._buffer.full and self._buffer.wait_for_room()
            with self._lock:
                if is_full:
                    if not self._is_full:
                        self._is_full, self._behind = True, 0
                    return
                self._is_full, self._behind = False, 0
                said = self._waiting.popleft() if self._waiting else None
                if isinstance(said, Message):
                    self._last_taken = said.item.number
                ending = self._ending[:1] if said is None else []
            if said is None:
                for error in ending:
                    self._buffer.end(error)
                return
            for event in self._told(said):
                self._buffer.put(event, said.size if isinstance(said, Message) else 0)
            self._buffer.establish()

    def _told(self, said: Said) -> tuple[TopicEvent, ...]:
        if isinstance(said, Message):
            return self._state.item(said.item, 0.0)
        if isinstance(said, Gap):
            return self._state.discontinuity(said.last, said.new, said.page, 0.0)
        return self._state.heartbeat(0.0)
