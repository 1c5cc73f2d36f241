"""The buffer of a subscription's events: filled on the reading event loop, drained there or on any thread."""

from __future__ import annotations

import enum
import threading
from collections import deque
from collections.abc import Callable

from larder_cache.responses import Error
from larder_cache.topic_event import TopicEvent

# Maximum numbers of buffered events and bytes. When either is reached, reading stops and HTTP/2's flow control stops
# the server. One more message and an error may still arrive. Source: the backlog that a server keeps for a reader
# (TOP-4).
MOST_EVENTS = 256
MOST_BYTES = 4 * 1024 * 1024


class Stage(enum.Enum):
    """ESTABLISHED: a message has arrived at some time. LEFT: nobody takes the buffered events."""

    OPENING = enum.auto()
    ESTABLISHED = enum.auto()
    ENDED = enum.auto()
    LEFT = enum.auto()


def _nothing() -> None:
    pass


class TopicBuffer:
    """Connects a TopicReader with the consumer of its events."""

    def __init__(self, on_news: Callable[[], None] = _nothing) -> None:
        """`on_news`: called on the reader's thread when there is something to take, or the subscription has ended."""
        self._events: deque[tuple[TopicEvent, int]] = deque()
        self._bytes = 0
        # Not a Condition: its Python code leaves its lock held if a signal handler raises in it, and the reader would
        # wait forever. A lock's own `with` is one step of the interpreter. Each waiter has its own lock to wait for.
        self._changed = threading.RLock()
        self._waiters: list[threading.Lock] = []
        self._on_news = on_news
        self._reader_waits = False
        self.stage = Stage.OPENING
        # The error that ended it before it was established.
        self.refusal: Error | None = None
        # Set by the reader; called on the consumer's thread when there is room again, or when the consumer has left.
        self.on_room: Callable[[], None] = _nothing
        self.on_left: Callable[[], None] = _nothing

    @property
    def full(self) -> bool:
        """Whether reading must stop."""
        return len(self._events) >= MOST_EVENTS or self._bytes >= MOST_BYTES

    @property
    def over(self) -> bool:
        """Whether no more events will arrive. Buffered ones may be left to take."""
        return self.stage in (Stage.ENDED, Stage.LEFT)

    # For the reader.

    def put(self, event: TopicEvent, size: int) -> None:
        """Add an event with this many bytes."""
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
        """End the subscription with `error`. Releases the reader, and with it the connection."""
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
        # Also after the consumer left: a waiter on the event loop is notified here.
        self._on_news()

    def wait_for_room(self) -> bool:
        """Call `on_room` once there is room. Returns False if there already is."""
        with self._changed:
            self._reader_waits = self.full and not self.over
            return self._reader_waits

    # For the consumer.

    def take(self) -> TopicEvent | None:
        """Return the next event; None: there is none now."""
        with self._changed:
            return self._taken()

    def wait(self) -> TopicEvent | None:
        """Wait for the next event in this thread, and return it. None: the subscription has ended."""
        while True:
            with self._changed:
                if self._events or self.over:
                    return self._taken()
                waiter = self._waiter()
            self._wait_by(waiter)

    def wait_until_established(self) -> None:
        """Wait in this thread until a message has arrived, or the subscription has ended."""
        while True:
            with self._changed:
                if self.stage is not Stage.OPENING:
                    return
                waiter = self._waiter()
            self._wait_by(waiter)

    def _waiter(self) -> threading.Lock:
        """Return a lock that the next change releases. Requires the lock."""
        waiter = threading.Lock()
        waiter.acquire()
        self._waiters.append(waiter)
        return waiter

    def _wait_by(self, waiter: threading.Lock) -> None:
        try:
            waiter.acquire()
        except BaseException:
            with self._changed:
                if waiter in self._waiters:
                    self._waiters.remove(waiter)
            raise

    def _wake(self) -> None:
        """Wake all waiters. Requires the lock."""
        waiters, self._waiters = self._waiters, []
        for waiter in waiters:
            waiter.release()

    def leave(self) -> None:
        """Record that the consumer has left: drop the events and stop the reader. Thread-safe."""
        with self._changed:
            if self.stage is Stage.LEFT:
                return
            was_over, self.stage = self.over, Stage.LEFT
            self._events.clear()
            self._bytes = 0
            self._wake()
        if not was_over:
            self.on_left()

    def _taken(self) -> TopicEvent | None:
        if not self._events:
            return None
        event, size = self._events.popleft()
        self._bytes -= size
        # Wait for half the buffer instead of one event: waking the reader costs more than reading an event.
        if self._reader_waits and len(self._events) <= MOST_EVENTS // 2 and self._bytes <= MOST_BYTES // 2:
            self._reader_waits = False
            self.on_room()
        return event
