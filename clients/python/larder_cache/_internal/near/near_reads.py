"""Connects a client's calls and streams with its near cache."""

from __future__ import annotations

import functools
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

from larder_cache._internal.common import log
from larder_cache._internal.near.near_clock import boot_clock
from larder_cache._internal.near.near_copies import KeptObject, NearCopy
from larder_cache._internal.near.near_get import NearGet
from larder_cache._internal.near.near_state import NearState
from larder_cache._internal.operations import pipeline_codec as codec
from larder_cache._internal.operations._generated.operations import DELETE_CACHE, FLUSH_CACHE, REMOVE_BY_TAG
from larder_cache._internal.operations.operation import Operation
from larder_cache._internal.telemetry.statistics import NearCacheStatistics
from larder_cache.near_cache import NearCache

if TYPE_CHECKING:
    from larder_cache._internal.transport.near_stream import NearStream

P = ParamSpec("P")
T = TypeVar("T")

# The response to a near get: the get, the value or None, the ticket as sent, and the value's remaining time in seconds.
NearAnswer = tuple[NearGet, bytes | None, int, float]


class NearReads:
    """A client's near cache for all its event loops and threads. Also records which stream is the near stream.

    `find` takes no lock. Changes are applied one at a time. A change can start during another change on the same
    thread, because garbage collection may end a call, and a signal handler may start a call. The second change is then
    applied right after the first one. Streams are called on their own event loops. Times are in seconds of `now`.
    """

    def __init__(self, settings: NearCache, make_clock: Callable[[], Callable[[], float]] = boot_clock) -> None:
        """Create an empty near cache.

        Args:
            settings: The settings of the near cache.
            make_clock: Creates the clock. Called once in each process.
        """
        self.settings = settings
        self._make_clock = make_clock
        self._closed = False
        self._said = False
        self.after_fork()

    def after_fork(self) -> None:
        """Reset the state in a forked child process.

        The parent's stream invalidates only the parent's copies.
        """
        self._lock = threading.RLock()
        self._is_changing = False
        self._later: list[Callable[[], object]] = []
        self.now = self._make_clock()
        self.state = NearState(self.settings.max_bytes, self.settings.max_age_s)
        # The connected streams for which the server has not refused a lease, in order. One of them is the near stream,
        # or has requested a lease to become the near stream.
        self._streams: dict[NearStream, None] = {}
        self._asked: NearStream | None = None

    def _change(self, change: Callable[P, T], *arguments: P.args, **named: P.kwargs) -> T | None:
        """Apply a change and return its result, or None if it is applied later."""
        with self._lock:
            if self._is_changing:
                self._later.append(functools.partial(change, *arguments, **named))
                return None
            self._is_changing = True
            try:
                done = change(*arguments, **named)
                while self._later:
                    self._later.pop(0)()
                return done
            except BaseException:
                self.state.restart()
                raise
            finally:
                self._is_changing = False

    def close(self) -> None:
        """Close the near cache. From now on it returns and keeps no copies."""
        self._closed = True
        self._change(self._lose_all)

    def find(self, cache: str, key: bytes) -> bytes | None:
        """Return the copy of a key's value, or None if there is no valid copy. Thread-safe."""
        copy = self.state.find(cache, key, self.now())
        return None if copy is None else copy.value

    def find_copy(self, cache: str, key: bytes) -> NearCopy | None:
        """Return the copy of a key, or None if there is no valid copy. Thread-safe."""
        return self.state.find(cache, key, self.now())

    def attach(self, copy: NearCopy, decoded: KeptObject, decoded_bytes: int) -> None:
        """Keep a decoded value with a copy. See `NearCopies.attach`."""
        self._change(self.state.attach, copy, decoded, decoded_bytes)

    @property
    def stream(self) -> NearStream | None:
        """The near stream, on which gets must be sent, or None if there is none."""
        asked = self._asked
        return asked if asked is not None and asked.is_near else None

    @property
    def has_stream(self) -> bool:
        """Whether there is a near stream."""
        return self.stream is not None

    def begin(self, cache: str, key: bytes, stream: NearStream) -> NearGet | None:
        """Record that a near get is sent on a stream. Returns None if the response will not be kept."""
        return self._change(self.state.begin, cache, key, stream, self.now())

    def failed(self, get: NearGet) -> None:
        """Record that a near get has no usable response."""
        self._change(self.state.failed, get)

    def ended(self, operation: Operation[Any], cache: str, request: bytes, get: NearGet | None = None) -> None:
        """Record that a call has ended, before its caller is notified. `get` is the near get of the call, if any."""
        if operation is FLUSH_CACHE or operation is DELETE_CACHE:
            self._change(self.state.flushed, codec.read_key(request).decode())
        elif operation is REMOVE_BY_TAG:
            self._change(self.state.flushed, cache)
        else:
            self._change(self._end, cache, operation.keys_of(request), get)

    def _end(self, cache: str, keys: list[bytes], get: NearGet | None) -> None:
        if get is not None:
            self.state.failed(get)
        for key in keys:
            self.state.ended(cache, key)

    # Each of the following methods runs on the event loop of the stream.

    def connected(self, stream: NearStream) -> None:
        """Record that a stream is connected. Ask the stream for a lease if it is chosen."""
        if not self._closed and self._change(self._add, stream):
            stream.open_near()

    def _add(self, stream: NearStream) -> bool:
        """Add a stream. Returns whether the stream must be asked for a lease."""
        self._streams[stream] = None
        if self._asked is not None and self._asked.is_over:
            self._lose(self._asked)
        if self._asked is None:
            self._asked = stream
        return self._asked is stream

    def opened(self, stream: NearStream, sent_at: float, lease_s: float) -> bool:
        """Record that a stream has a lease. Returns False if another stream was asked."""
        return bool(self._change(self._open, stream, sent_at, lease_s))

    def _open(self, stream: NearStream, sent_at: float, lease_s: float) -> bool:
        if self._asked is not stream:
            return False
        self.state.opened(stream, sent_at, lease_s)
        return True

    def refused(self, stream: NearStream, why: str) -> None:
        """Record that the server refused a lease for a stream.

        The stream continues without a lease, and another stream is asked.
        """
        if not self._said:
            self._said = True
            log.near_refused(why)
        self.gone(stream)

    def gone(self, stream: NearStream) -> None:
        """Record that a stream is lost, replaced, draining or ended. May be called several times."""
        self._change(self._lose, stream)
        # Ask another stream, if any. A stream whose event loop is closed cannot be asked and is removed.
        while (another := self._change(self._next)) is not None and not another.ask():
            self._change(self._lose, another)

    def _next(self) -> NearStream | None:
        if self._asked is not None or not self._streams:
            return None
        self._asked = next(iter(self._streams))
        return self._asked

    def _lose(self, stream: NearStream) -> None:
        self._streams.pop(stream, None)
        if self._asked is stream:
            self.state.lost(stream)
            self._asked = None

    def _lose_all(self) -> None:
        for stream in list(self._streams):
            self._lose(stream)

    def told(
        self, stream: NearStream, clear: bool, tickets: list[int], renewed_at: float | None, answers: list[NearAnswer]
    ) -> None:
        """Process the content of a stream's message."""
        self._change(self._tell, stream, clear, tickets, renewed_at, answers, self.now())

    def _tell(
        self,
        stream: NearStream,
        clear: bool,
        tickets: list[int],
        renewed_at: float | None,
        answers: list[NearAnswer],
        now: float,
    ) -> None:
        # Process invalidations first (NEAR-6), because the server sent them before the renewal of the lease.
        state = self.state
        if clear:
            state.cleared(stream)
        if tickets:
            state.invalidated(stream, tickets)
        if renewed_at is not None:
            state.renewed(stream, renewed_at)
        for get, value, ticket, ttl_left_s in answers:
            state.answered(get, value, ticket, ttl_left_s, now)

    def statistics(self) -> NearCacheStatistics:
        """Return the current statistics."""
        state = self.state
        return NearCacheStatistics(
            hits=state.hits,
            kept=state.kept,
            invalidations=state.invalidations,
            clears=state.clears,
            poisoned=state.poisoned,
            evictions=state.copies.evictions,
            copies=len(state.copies),
            bytes=state.copies.size,
        )
