"""Events read ahead of who takes them: put on the event loop that reads, taken there or on any thread."""

from __future__ import annotations

import enum
import threading
from collections import deque
from collections.abc import Callable

from larder_cache.responses import Error
from larder_cache.topic_event import TopicEvent

# Read ahead at most, whichever comes first; past it reading stops, and HTTP/2's flow control holds the server. One
# message more may come, and an error. Source: as many as a server holds for a reader (TOP-4).
MOST_EVENTS = 256
MOST_BYTES = 4 * 1024 * 1024


class Stage(enum.Enum):
    """ESTABLISHED: a message has come, at some time. LEFT: nobody takes what is there."""

    OPENING = enum.auto()
    ESTABLISHED = enum.auto()
    ENDED = enum.auto()
    LEFT = enum.auto()


def _nothing() -> None:
    pass


class TopicBuffer:
    """Between a TopicReader and who takes its events."""

    def __init__(self, on_news: Callable[[], None] = _nothing) -> None:
        """`on_news`: called on the reader's thread, where there is something to take, or it has ended."""
        self._events: deque[tuple[TopicEvent, int]] = deque()
        self._bytes = 0
        # No Condition, whose Python code leaves its lock held where a signal handler raises in it: the reader would
        # wait for it forever. A lock's own `with` is one step of the interpreter; each waiter has a lock to wait for.
        self._changed = threading.RLock()
        self._waiters: list[threading.Lock] = []
        self._on_news = on_news
        self._reader_waits = False
        self.stage = Stage.OPENING
        # What it ended with before it was established.
        self.refusal: Error | None = None
        # The reader's, called on the thread of who takes: there is room again; nobody takes any more.
        self.on_room: Callable[[], None] = _nothing
        self.on_left: Callable[[], None] = _nothing

    @property
    def full(self) -> bool:
        """Whether reading stops."""
        return len(self._events) >= MOST_EVENTS or self._bytes >= MOST_BYTES

    @property
    def over(self) -> bool:
        """Whether nothing comes any more, though something may be left to take."""
        return self.stage in (Stage.ENDED, Stage.LEFT)

    # The reader's side.

    def put(self, event: TopicEvent, size: int) -> None:
        """Add an event of so many bytes."""
        with self._changed:
            if self.over:
                return
            self._events.append((event, size))
            self._bytes += size
            self._wake()
        self._on_news()

    def establish(self) -> None:
        """A message has come."""
        self._go_on(Stage.ESTABLISHED, None)

    def end(self, error: Error | None) -> None:
        """Nothing comes any more but `error`. The reader is let go, and the connection with it."""
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
        # Also where it was left: whoever waits on the event loop hears of it here.
        self._on_news()

    def wait_for_room(self) -> bool:
        """Have `on_room` called once there is room. False: there is some now."""
        with self._changed:
            self._reader_waits = self.full and not self.over
            return self._reader_waits

    # The side of who takes.

    def take(self) -> TopicEvent | None:
        """Return the next event; None: there is none now."""
        with self._changed:
            return self._taken()

    def wait(self) -> TopicEvent | None:
        """Return the next event, waiting for it in this thread. None: it has ended."""
        while True:
            with self._changed:
                if self._events or self.over:
                    return self._taken()
                waiter = self._waiter()
            self._wait_by(waiter)

    def wait_until_established(self) -> None:
        """Wait in this thread until a message has come, or it has ended."""
        while True:
            with self._changed:
                if self.stage is not Stage.OPENING:
                    return
                waiter = self._waiter()
            self._wait_by(waiter)

    def _waiter(self) -> threading.Lock:
        """Under the lock: return what the next change releases."""
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
        """Under the lock: let all who wait look again."""
        waiters, self._waiters = self._waiters, []
        for waiter in waiters:
            waiter.release()

    def leave(self) -> None:
        """Nobody takes any more: what is there is let go, and the reader stops. From any thread."""
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
        # Half of it, and not one event: to wake the reader costs more than to read one.
        if self._reader_waits and len(self._events) <= MOST_EVENTS // 2 and self._bytes <= MOST_BYTES // 2:
            self._reader_waits = False
            self.on_room()
        return event
