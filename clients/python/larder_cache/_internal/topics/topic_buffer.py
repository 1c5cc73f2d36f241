"""The buffer of a subscription's events.

The reader adds events on its event loop. The consumer takes them on that event loop or on any thread.
"""

from __future__ import annotations

import enum
import threading
from collections import deque
from collections.abc import Callable

from larder_cache.responses import Error
from larder_cache.topic_event import TopicEvent

# The maximum numbers of buffered events and bytes. If either is reached, the reader stops, and HTTP/2 flow control then
# stops the server. After that, one more message and an error may still be added. Source: the backlog that a server
# keeps for a reader (TOP-4).
MOST_EVENTS = 256
MOST_BYTES = 4 * 1024 * 1024


class Stage(enum.Enum):
    """The stage of a subscription.

    ESTABLISHED: a message has arrived. LEFT: the consumer has left, so buffered events are no longer taken.
    """

    OPENING = enum.auto()
    ESTABLISHED = enum.auto()
    ENDED = enum.auto()
    LEFT = enum.auto()


def _nothing() -> None:
    pass


class TopicBuffer:
    """Passes events from a TopicReader to their consumer."""

    def __init__(self, on_news: Callable[[], None] = _nothing) -> None:
        """Create an empty buffer.

        Args:
            on_news: Called when there is an event to take, or when the subscription has ended. Runs on the thread that
                added the event or ended the subscription.
        """
        self._events: deque[tuple[TopicEvent, int]] = deque()
        self._bytes = 0
        # This is not a Condition, because the Python code of Condition leaves its lock held if a signal handler raises
        # in it. The reader would then wait forever. Entering a plain lock is a single interpreter step. Each waiter
        # waits for its own lock.
        self._changed = threading.RLock()
        self._waiters: list[threading.Lock] = []
        self._on_news = on_news
        self._reader_waits = False
        self.stage = Stage.OPENING
        # The error that ended the subscription before it was established.
        self.refusal: Error | None = None
        # The reader sets these functions. They are called on the consumer's thread: `on_room` when there is room again,
        # and `on_left` when the consumer has left.
        self.on_room: Callable[[], None] = _nothing
        self.on_left: Callable[[], None] = _nothing

    @property
    def full(self) -> bool:
        """Whether the buffer is full, so that reading must stop."""
        return len(self._events) >= MOST_EVENTS or self._bytes >= MOST_BYTES

    @property
    def is_followed(self) -> bool:
        """Whether a reader adds events to this buffer."""
        return self.on_left is not _nothing

    @property
    def over(self) -> bool:
        """Whether no more events will be added. Buffered events may still be available."""
        return self.stage in (Stage.ENDED, Stage.LEFT)

    # The reader calls the following methods.

    def put(self, event: TopicEvent, size: int) -> None:
        """Add an event. `size` is the number of bytes that it counts toward MOST_BYTES."""
        with self._changed:
            if self.over:
                return
            self._events.append((event, size))
            self._bytes += size
            self._wake()
        self._on_news()

    def establish(self) -> None:
        """Record that a message has arrived."""
        self._go_on(Stage.ESTABLISHED, None)

    def end(self, error: Error | None) -> None:
        """End the subscription, with `error` if there is one.

        Also releases the reader's functions, because they reference the reader and its connection.
        """
        self._go_on(Stage.ENDED, error)
        self.on_room = self.on_left = _nothing

    def _go_on(self, stage: Stage, error: Error | None) -> None:
        with self._changed:
            if not self.over:
                if error is not None:
                    self._events.append((error, 0))
                    if self.stage is Stage.OPENING:
                        self.refusal = error
                self.stage = stage
                self._wake()
        # Notify even if the consumer has left, because a waiter on the event loop is notified only by this function.
        self._on_news()

    def wait_for_room(self) -> bool:
        """Request a call of `on_room` when there is room. Returns False if there is room already."""
        with self._changed:
            self._reader_waits = self.full and not self.over
            return self._reader_waits

    # The consumer calls the following methods.

    def take(self) -> TopicEvent | None:
        """Return the next event, or None if there is none now."""
        with self._changed:
            return self._taken()

    def wait(self) -> TopicEvent | None:
        """Wait in this thread for the next event and return it, or None if the subscription has ended."""
        while True:
            with self._changed:
                if self._events or self.over:
                    return self._taken()
            self._wait_unless(lambda: bool(self._events) or self.over)

    def wait_until_established(self) -> None:
        """Wait in this thread until a message has arrived, or the subscription has ended."""
        self._wait_unless(lambda: self.stage is not Stage.OPENING)

    def _wait_unless(self, is_over: Callable[[], bool]) -> None:
        """Wait until a condition holds. It is checked after each change."""
        while True:
            waiter = threading.Lock()
            waiter.acquire()
            try:
                with self._changed:
                    if is_over():
                        return
                    self._waiters.append(waiter)
                waiter.acquire()
            except BaseException:
                with self._changed:
                    if waiter in self._waiters:
                        self._waiters.remove(waiter)
                raise

    def _wake(self) -> None:
        """Wake all waiters. The caller must have the lock `_changed`."""
        waiters, self._waiters = self._waiters, []
        for waiter in waiters:
            waiter.release()

    def leave(self) -> None:
        """Record that the consumer has left. Drops the events and stops the reader. Thread-safe.

        May be called several times. A later call completes an earlier one that a signal handler has interrupted.
        """
        with self._changed:
            self.stage = Stage.LEFT
            self._events.clear()
            self._bytes = 0
            self._wake()
        self.on_left()
        self.on_left = _nothing

    def _taken(self) -> TopicEvent | None:
        if not self._events:
            return None
        event, size = self._events.popleft()
        self._bytes -= size
        # Call `on_room` when half the buffer is free, not after each event, because waking the reader costs more than
        # reading an event.
        if self._reader_waits and len(self._events) <= MOST_EVENTS // 2 and self._bytes <= MOST_BYTES // 2:
            self._reader_waits = False
            self.on_room()
        return event
