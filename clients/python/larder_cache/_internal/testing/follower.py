"""One subscription to a fake's topic."""

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

# What is held for a reader that has no room, of what is published meanwhile. Source: TOP-4.
MOST_MESSAGES, MOST_BYTES = 256, 4 * 1024 * 1024
# What is held for one that has room, and whose event loop does not run.
MOST_UNDER_WAY = 100_000
# No connection is ever lost here, and none is made again: the state's times are not used.
_UNUSED_S = 1.0


class Message(NamedTuple):
    """An item, and how many bytes its value has."""

    item: Item
    size: int


Said = Union[Message, Gap, Heartbeat]


class Follower:
    """Holds what its buffer has no room for, and gives it over on an event loop.

    Nothing is put into a buffer with the fake's lock: who takes from one holds its lock, and may ask for the fake's.
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
        # Whether its buffer had no room, and how many of those that wait were published since.
        self._is_full = False
        self._behind = 0
        # The number of the last message that was given over.
        self._last_taken = 0
        self._ending: list[Error | None] = []
        buffer.on_room = self.soon

    def left(self, leave: Callable[[], None]) -> None:
        """Say whom to tell once nobody takes its events any more."""
        self._buffer.on_left = leave

    def begin(self, position: str, last: int) -> None:
        """It is there: with its place, and the number before it."""
        self._state.opened(position)
        self._last_taken = last
        self.say(HEARTBEAT)

    def say(self, said: Said) -> None:
        """Give something over, in order. Called with the fake's lock."""
        if isinstance(said, Heartbeat) and self._waiting:
            return  # What waits is a sign of life.
        self._waiting.append(said)
        if isinstance(said, Message):
            self._behind += self._is_full
            if self._is_too_far_behind():
                # It goes on with the newest (TOP-4).
                self._waiting = deque([Gap(self._last_taken, said.item.number - 1, said.item.page), said])
                self._behind = int(self._is_full)
        self.soon()

    def _is_too_far_behind(self) -> bool:
        if len(self._waiting) > MOST_UNDER_WAY or self._behind > MOST_MESSAGES:
            return True
        newest = islice(reversed(self._waiting), self._behind)
        return sum(each.size for each in newest if isinstance(each, Message)) > MOST_BYTES

    def end(self, refused: Refused | None, subject: str) -> None:
        """Nothing comes after what is there. Called with the fake's lock."""
        error = None if refused is None else Error(refused.code, f"{subject}: {refused.message}", refused.cause)
        self._ending.append(error)
        self.soon()

    def soon(self) -> None:
        """Give over what there is room for. From any thread."""
        try:
            self._loop.call_soon_threadsafe(self._give)
        except RuntimeError:
            pass  # The loop was closed, and nobody takes anything.

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
