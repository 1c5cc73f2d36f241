"""Connections for threads: each call has one to itself, for as long as it takes."""

from __future__ import annotations

import threading
import weakref
from collections import Counter
from collections.abc import Callable, Iterator
from time import monotonic
from typing import Generic, TypeVar

from larder_cache._internal.blocking.blocking_stream import BlockingStream

# A gateway's name ("" where there is one server), and what opens a connection to it or raises OSError.
Opening = tuple[str, Callable[[], BlockingStream]]
# After a connection could not be opened, none is tried for so long: calls go by the shared pipeline meanwhile.
_PAUSE_S = 1.0
T = TypeVar("T")


class _LiveObjects(Generic[T]):
    """Objects that something else keeps alive; one that was collected is no longer a member.

    WeakSet removes members in a callback. If a signal handler raises in it, the object counts forever; so this class
    has no callback.
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
    """A connection that is being opened, for as long as a thread's frame holds this."""

    __slots__ = ("name", "__weakref__")

    def __init__(self, name: str) -> None:
        self.name = name


class BlockingPool:
    """At most `most` connections, the last used first. None free, or none to be had: `take` answers None.

    A connection is opened only once a call has succeeded by the shared pipeline since the last failure: what is wrong
    with a server is then found out, waited for and told of in one place.
    """

    def __init__(self, choose: Callable[[Counter[str]], Opening | None], most: int) -> None:
        """`choose`: given how many connections each gateway has or is getting, what to open; None: nothing now."""
        self._choose = choose
        self.most = most
        self.after_fork()

    def after_fork(self) -> None:
        """Begin anew, in a forked child (forks.Forked): its copies of sockets are closed, and nobody is told."""
        # Appended and popped without a lock: each is one step of the interpreter.
        self._idle: list[BlockingStream] = []
        # If a signal handler raises in a call, the connection of that call is collected, and no longer counts.
        self._all: _LiveObjects[BlockingStream] = _LiveObjects()
        self._opening: _LiveObjects[_Opened] = _LiveObjects()
        self._lock = threading.Lock()
        self._not_before = 0.0
        self.proven = False
        self.closed = False

    @property
    def connections(self) -> int:
        """Connections open."""
        return len(self._all)

    @property
    def in_flight(self) -> int:
        """Calls that have a connection."""
        return len(self._all) - len(self._idle)

    def take(self) -> BlockingStream | None:
        """Return a connection to be given back, or None."""
        while self._idle:
            try:
                stream = self._idle.pop()
            except IndexError:
                break  # Another thread was faster.
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
        """Take a connection back after a call."""
        if stream.retired or self.closed:
            self.drop(stream)
        else:
            self._idle.append(stream)

    def drop(self, stream: BlockingStream) -> None:
        """Close a connection that was taken."""
        with self._lock:
            self._all.discard(stream)
        stream.close()

    def doubt(self) -> None:
        """A connection failed: the idle ones are no better, and new ones wait until a call has succeeded."""
        self.proven = False
        while self._idle:
            try:
                self.drop(self._idle.pop())
            except IndexError:
                break  # Another thread was faster.

    def close(self) -> None:
        """Close every connection; threads that wait for an answer get a failure."""
        with self._lock:
            self.closed = True
            streams, self._all = list(self._all), _LiveObjects()
        self._idle.clear()
        for stream in streams:
            stream.close()
