"""What a client's calls and streams tell its near cache, and ask of it."""

from __future__ import annotations

import functools
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

from larder_cache._internal.common import log
from larder_cache._internal.near.near_clock import boot_clock
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

# An answer of a near get: its value or none, the wire's ticket, and what the value has left, in seconds.
NearAnswer = tuple[NearGet, bytes | None, int, float]


class NearReads:
    """One for a client, whatever loops and threads it is used on: its state, and which stream is the near one.

    `find` takes no lock. Changes are made one at a time, and each whole: one that comes in the middle of another on the
    same thread (a collection of garbage may end a call, a signal's handler make one) is made right after it. Streams
    are asked on their own loops. Times are seconds of `now`.
    """

    def __init__(self, settings: NearCache, make_clock: Callable[[], Callable[[], float]] = boot_clock) -> None:
        """`make_clock`: called once in each process."""
        self.settings = settings
        self._make_clock = make_clock
        self._closed = False
        self._said = False
        self.after_fork()

    def after_fork(self) -> None:
        """Begin anew, in a forked child: a stream of its parent's keeps the copies right, and none of its own."""
        self._lock = threading.RLock()
        self._is_changing = False
        self._later: list[Callable[[], object]] = []
        self.now = self._make_clock()
        self.state = NearState(self.settings.max_bytes, self.settings.max_age_s)
        # Those that are up and have not refused, first come first; of them the one that is, or is asked to be, near.
        self._streams: dict[NearStream, None] = {}
        self._asked: NearStream | None = None

    def _change(self, change: Callable[P, T], *arguments: P.args, **named: P.kwargs) -> T | None:
        """Make a change and return what it does; None where it is made later."""
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
        """Serve and keep nothing more."""
        self._closed = True
        self._change(self._lose_all)

    # Reads.

    def find(self, cache: str, key: bytes) -> bytes | None:
        """The copy of a key's value that may be served now. From any thread."""
        copy = self.state.find(cache, key, self.now())
        return None if copy is None else copy.value

    @property
    def stream(self) -> NearStream | None:
        """The near stream, by which gets are to go; None: there is none."""
        asked = self._asked
        return asked if asked is not None and asked.is_near else None

    @property
    def has_stream(self) -> bool:
        """Whether there is a near stream."""
        return self.stream is not None

    def begin(self, cache: str, key: bytes, stream: NearStream) -> NearGet | None:
        """A near get is written into a stream. None: what it is answered is not kept."""
        return self._change(self.state.begin, cache, key, stream, self.now())

    def failed(self, get: NearGet) -> None:
        """A near get has no answer, or none that counts."""
        self._change(self.state.failed, get)

    def ended(self, operation: Operation[Any], cache: str, request: bytes, get: NearGet | None = None) -> None:
        """A call has ended, in whatever way, and its caller is not told yet. `get`: the near get that it was."""
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

    # Streams; each of these on the stream's own loop.

    def connected(self, stream: NearStream) -> None:
        """A stream is up."""
        if not self._closed and self._change(self._add, stream):
            stream.open_near()

    def _add(self, stream: NearStream) -> bool:
        """Whether the stream is the one to be asked."""
        self._streams[stream] = None
        if self._asked is not None and self._asked.is_over:
            self._lose(self._asked)
        if self._asked is None:
            self._asked = stream
        return self._asked is stream

    def opened(self, stream: NearStream, sent_at: float, lease_s: float) -> bool:
        """A stream has a lease. False: it is not the one that was to have it."""
        return bool(self._change(self._open, stream, sent_at, lease_s))

    def _open(self, stream: NearStream, sent_at: float, lease_s: float) -> bool:
        if self._asked is not stream:
            return False
        self.state.opened(stream, sent_at, lease_s)
        return True

    def refused(self, stream: NearStream, why: str) -> None:
        """A stream has no lease: it goes on without, and another is asked."""
        if not self._said:
            self._said = True
            log.near_refused(why)
        self.gone(stream)

    def gone(self, stream: NearStream) -> None:
        """A stream is lost, replaced, drains or is at its end. Again: nothing happens."""
        self._change(self._lose, stream)
        # Another is asked, where there is one; one whose event loop was closed is gone too.
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
        """What a message of a stream says."""
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
        # What has changed comes first (NEAR-6); the lease too is renewed by what was told before.
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
        """The figures now."""
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
