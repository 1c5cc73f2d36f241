"""A pool of connections for threads. Each call has exclusive use of one connection."""

from __future__ import annotations

import threading
import weakref
from collections import Counter
from collections.abc import Callable, Iterator
from time import monotonic
from typing import Generic, TypeVar

from larder_cache._internal.blocking.blocking_stream import BlockingStream

# The name of a gateway ("" if there is only one server), and a function that opens a connection to it. The function
# raises OSError if connecting fails.
Opening = tuple[str, Callable[[], BlockingStream]]
# After a failed attempt to connect, the pool opens no connection for this time. Calls use the shared pipeline until
# then. The time is also the longest back-off of the shared pipeline by default (RETRY-7).
_PAUSE_S = 1.0
T = TypeVar("T")


class _LiveObjects(Generic[T]):
    """A weak set of objects. An object that was garbage-collected is no longer a member.

    WeakSet removes members in a callback. If a signal handler raises in that callback, the object stays a member
    forever. This class uses no callback.
    """

    def __init__(self) -> None:
        self._references: list[weakref.ref[T]] = []

    def __iter__(self) -> Iterator[T]:
        return (each for reference in self._references if (each := reference()) is not None)

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def add(self, added: T) -> None:
        self._references = [weakref.ref(each) for each in (*self, added)]

    def discard(self, removed: T) -> None:
        self._references = [weakref.ref(each) for each in self if each is not removed]


class _Opened:
    """Represents a connection that is being opened.

    The object lives for as long as the frame of the opening thread references it.
    """

    __slots__ = ("name", "__weakref__")

    def __init__(self, name: str) -> None:
        self.name = name


class BlockingPool:
    """A pool of at most `most` connections. The most recently used connection is taken first.

    `take` returns None if no connection is available.

    After a failure the pool opens no connection until a call has succeeded through the shared pipeline. Only the shared
    pipeline therefore detects server problems, waits for their end and logs them.
    """

    def __init__(self, choose: Callable[[Counter[str]], Opening | None], most: int) -> None:
        """Create an empty pool.

        Args:
            choose: Receives the number of connections per gateway, including those that are being opened. Returns the
                connection to open, or None if none should be opened now.
            most: The maximum number of connections.
        """
        self._choose = choose
        self.most = most
        self.after_fork()

    def after_fork(self) -> None:
        """Reset the state in a forked child process (forks.Forked).

        Closes the child's copies of the sockets. The server is not notified.
        """
        # Items are appended and popped without a lock, because each of these operations is a single interpreter step.
        self._idle: list[BlockingStream] = []
        # Use weak references. If a signal handler raises during a call, the connection of that call is then
        # garbage-collected and no longer counted.
        self._all: _LiveObjects[BlockingStream] = _LiveObjects()
        self._opening: _LiveObjects[_Opened] = _LiveObjects()
        self._lock = threading.Lock()
        self._not_before = 0.0
        self.proven = False
        self.closed = False

    @property
    def connections(self) -> int:
        """The number of open connections."""
        return len(self._all)

    @property
    def in_flight(self) -> int:
        """The number of calls that have a connection."""
        return len(self._all) - len(self._idle)

    def take(self) -> BlockingStream | None:
        """Take a connection, or return None if none is available.

        Pass the connection to `give_back` or `drop` after the call.
        """
        while self._idle:
            try:
                stream = self._idle.pop()
            except IndexError:
                break  # Another thread took the last connection first.
            if stream.usable():
                return stream
            self.drop(stream)
        if not self.proven or self.closed or len(self._all) >= self.most or monotonic() < self._not_before:
            return None
        with self._lock:
            if len(self._all) + len(self._opening) >= self.most:
                return None
            chosen = self._choose(Counter(each.name for each in (*self._all, *self._opening)))
            if chosen is None:
                self._not_before = monotonic() + _PAUSE_S
                return None
            name, connect = chosen
            opened = _Opened(name)
            self._opening.add(opened)
        try:
            stream = connect()
        except OSError:
            with self._lock:
                self._opening.discard(opened)
            self._not_before = monotonic() + _PAUSE_S
            return None
        with self._lock:
            self._opening.discard(opened)
            if not self.closed:
                self._all.add(stream)
                return stream
        stream.close()
        return None

    def give_back(self, stream: BlockingStream) -> None:
        """Return a connection to the pool after a call."""
        if stream.retired or self.closed:
            self.drop(stream)
        else:
            self._idle.append(stream)

    def drop(self, stream: BlockingStream) -> None:
        """Close a taken connection and remove it from the pool."""
        with self._lock:
            self._all.discard(stream)
        stream.close()

    def failed(self, stream: BlockingStream) -> None:
        """Close a taken connection whose call failed, and the idle connections.

        A connection that the server closed before it had responded counts as a failed attempt to connect, because a
        server may accept each connection and close it at once.
        """
        if not stream.heard:
            self._not_before = monotonic() + _PAUSE_S
        self.drop(stream)
        self.doubt()

    def doubt(self) -> None:
        """Record that a connection failed: close the idle connections, and open none until a call has succeeded."""
        self.proven = False
        while self._idle:
            try:
                self.drop(self._idle.pop())
            except IndexError:
                break  # Another thread took the last connection first.

    def close(self) -> None:
        """Close every connection. Threads that wait for a response receive a failure."""
        with self._lock:
            self.closed = True
            streams, self._all = list(self._all), _LiveObjects()
        self._idle.clear()
        for stream in streams:
            stream.close()
