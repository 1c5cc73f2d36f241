"""One concurrent call per key; concurrent callers share its outcome. For event loops and for threads."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Awaitable, Callable, Hashable
from contextvars import ContextVar
from typing import Any, Generic, TypeVar

from larder_cache._internal.common import log

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")
T = TypeVar("T")

# Maximum number of concurrent background refreshes per client (GOC-13).
_MOST_BACKGROUND = 32


class Flight:
    """A running factory. `awaits`: the flights that it waits for; their factories must not wait for it."""

    __slots__ = ("awaits", "waiters", "task", "is_landed", "under_way", "value", "error")

    def __init__(self) -> None:
        self.awaits: list[Flight] = []
        self.waiters = 0
        self.task: asyncio.Task[Any] | None = None
        # For threads: held until there is a value or an error. Not an Event: its Python code leaves its lock held if a
        # signal handler raises in it.
        self.is_landed = False
        self.under_way = threading.Lock()
        self.value: Any = None
        self.error: BaseException | None = None

    def waits_for(self, other: Flight | None) -> bool:
        """Return whether this flight cannot complete before `other`."""
        seen: set[Flight] = {self}
        ahead: list[Flight] = [self]
        while ahead:
            new = set(ahead.pop().awaits) - seen
            seen |= new
            ahead.extend(new)
        return other in seen


# The flight whose factory is running. It must not wait for a key that waits for it.
_inside: ContextVar[Flight | None] = ContextVar("larder_inside", default=None)


class SingleFlight(Generic[K, V]):
    """Single flights of coroutines, per event loop. A flight lives no longer than the callers that wait for it.

    If one caller is cancelled, the flight continues for the others; it is cancelled with the last of them. A factory
    that requests a key which waits for it loads that key's value itself.
    """

    # Whether a caller can stop waiting for a factory: `outlast` and `within`.
    can_leave = True

    def __init__(self) -> None:
        self._flights: dict[tuple[asyncio.AbstractEventLoop, K], Flight] = {}
        # Flights that nobody waits for, and those of them that `begin` started.
        self._background: set[asyncio.Task[Any]] = set()
        self._begun: set[asyncio.Task[Any]] = set()

    async def run(self, key: K, make: Callable[[], Awaitable[V]], alone: Callable[[], Awaitable[V]] | None = None) -> V:
        """Return what `make` returns, called now or already running for the key. Raises what it raises.

        `alone`: called instead if the running call waits for this caller.
        """
        where = (asyncio.get_running_loop(), key)
        flight, inside = self._flights.get(where), _inside.get()
        if flight is None:
            flight = self._flights[where] = Flight()
            task = flight.task = asyncio.ensure_future(_within(flight, make))
            task.add_done_callback(lambda done: self._finish_flight(where, done))
        elif inside is not None and flight.waits_for(inside):
            return await (alone or make)()
        task = flight.task
        assert task is not None
        flight.waiters += 1
        if inside is not None:
            inside.awaits.append(flight)
        try:
            return await asyncio.shield(task)
        finally:
            if inside is not None:
                inside.awaits.remove(flight)
            flight.waiters -= 1
            if not flight.waiters:
                self._finish_flight(where, task)
                self._cancel(task)

    async def pause(self, seconds: float) -> None:
        """Yield to other work for this many seconds."""
        await asyncio.sleep(seconds)

    def begin(self, make: Callable[[], Awaitable[V]]) -> bool:
        """Call `make` in the background. What it raises is logged.

        Returns False without calling it if there are already 32.
        """
        if len(self._begun) >= _MOST_BACKGROUND:
            self._begun = _of_open_loops(self._begun)
            if len(self._begun) >= _MOST_BACKGROUND:
                return False
        task = asyncio.ensure_future(_in_background(make))
        self._begun.add(task)
        self._keep(task)
        return True

    async def to_its_end(self, make: Callable[[], Awaitable[T]], unwanted: Callable[[T], Awaitable[None]]) -> T:
        """Return what `make` returns. It continues if the caller is cancelled; `unwanted` then receives its result."""
        task = asyncio.ensure_future(make())
        try:
            return await asyncio.shield(task)
        except asyncio.CancelledError:

            async def give_back() -> None:
                await unwanted(await task)

            self._keep(asyncio.ensure_future(give_back()))
            raise

    async def outlast(self, make: Callable[[], Awaitable[V]], patience_s: float, otherwise: V) -> V:
        """Return what `make` returns, or `otherwise` on timeout; it then continues in the background."""
        task = await self._ended_within(make, patience_s)
        if task.done():
            return task.result()
        self._keep(task)
        task.add_done_callback(_log_failure)
        return otherwise

    async def within(self, make: Callable[[], Awaitable[T]], timeout_s: float) -> T:
        """Return what `make` returns. On timeout cancel it without waiting, and raise TimeoutError."""
        task = await self._ended_within(make, timeout_s)
        if task.done():
            return task.result()
        self._cancel(task)
        raise asyncio.TimeoutError(f"the factory took longer than {timeout_s:g} s")

    async def _ended_within(self, make: Callable[[], Awaitable[T]], seconds: float) -> asyncio.Task[T]:
        """Return the task of a call once it ended or the time passed. It is cancelled with its caller."""
        task: asyncio.Task[T] = asyncio.ensure_future(_awaited(make))
        try:
            await asyncio.wait([task], timeout=seconds)
        except asyncio.CancelledError:
            self._cancel(task)
            raise
        return task

    def _cancel(self, task: asyncio.Task[Any]) -> None:
        if task.cancel():
            # It may still have a lease to release.
            self._keep(task)

    def _keep(self, task: asyncio.Task[Any]) -> None:
        # The event loop keeps only a weak reference.
        self._background.add(task)
        task.add_done_callback(self._let_go)

    def _let_go(self, task: asyncio.Task[Any]) -> None:
        self._background.discard(task)
        self._begun.discard(task)
        if not task.cancelled():
            # Retrieve the exception, so that asyncio does not report it as never retrieved.
            task.exception()

    @property
    def under_way(self) -> int:
        """The number of flights."""
        return len(self._flights)

    def forget_closed_loops(self) -> None:
        """Drop the flights of closed event loops, which never complete."""
        for where in [where for where in self._flights if where[0].is_closed()]:
            del self._flights[where]
        self._background, self._begun = _of_open_loops(self._background), _of_open_loops(self._begun)

    def forget(self) -> None:
        """Drop every flight in a forked child: they are the parent's."""
        self._flights = {}
        self._background, self._begun = set(), set()

    def _finish_flight(self, where: tuple[asyncio.AbstractEventLoop, K], task: asyncio.Task[V]) -> None:
        flight = self._flights.get(where)
        if flight is not None and flight.task is task:
            del self._flights[where]
        if task.done() and not task.cancelled():
            # Retrieve the exception, so that asyncio does not report it as never retrieved.
            task.exception()


class ThreadFlights(SingleFlight[K, V]):
    """Single flights of blocking callers: the factory runs in the first caller's thread, and the others wait.

    `run` never suspends, so that its coroutine completes at the first `send`.
    """

    can_leave = False

    def __init__(self) -> None:
        super().__init__()
        self.forget()

    async def run(self, key: K, make: Callable[[], Awaitable[V]], alone: Callable[[], Awaitable[V]] | None = None) -> V:
        inside = _inside.get()
        while True:
            own = flight = Flight()
            own.under_way.acquire()
            waits_for_us = False
            try:
                with self._lock:
                    found = self._of_key.get(key)
                    if found is None or found.is_landed:
                        # A completed flight that was not removed: its thread was interrupted.
                        self._of_key[key] = own
                    else:
                        flight = found
                        waits_for_us = inside is not None and flight.waits_for(inside)
                        if not waits_for_us:
                            flight.waiters += 1
                            if inside is not None:
                                inside.awaits.append(flight)
                if flight is own:
                    own.value = await _within(own, make)
                    return own.value
            except BaseException as error:
                own.error = error
                raise
            finally:
                # First, and without calling Python code, in which a signal handler could raise.
                own.is_landed = True
                own.under_way.release()
                if flight is own:
                    self._remove(key, own)
            if waits_for_us:
                return await (alone or make)()
            try:
                with flight.under_way:
                    pass
            finally:
                with self._lock:
                    flight.waiters -= 1
                    if inside is not None:
                        inside.awaits.remove(flight)
            if flight.error is None:
                return flight.value
            if isinstance(flight.error, Exception):
                raise flight.error
            # The flight's thread was interrupted or is exiting. That outcome is not shared: the next caller takes over.

    def _remove(self, key: K, flight: Flight) -> None:
        with self._lock:
            if self._of_key.get(key) is flight:
                del self._of_key[key]

    async def pause(self, seconds: float) -> None:
        time.sleep(seconds)

    async def to_its_end(self, make: Callable[[], Awaitable[T]], unwanted: Callable[[T], Awaitable[None]]) -> T:
        return await make()

    def begin(self, make: Callable[[], Awaitable[V]]) -> bool:
        """Call `make` in a thread, as SingleFlight.begin does. Returns False if there are already 32."""
        with self._lock:
            if self._threads >= _MOST_BACKGROUND:
                return False
            self._threads += 1
        try:
            # A daemon thread: the program's exit does not wait for it.
            threading.Thread(target=self._run, args=[make], name="larder: refresh", daemon=True).start()
        except RuntimeError:
            # No more threads can be started, or the program is exiting.
            self._ended()
            return False
        return True

    def _run(self, make: Callable[[], Awaitable[V]]) -> None:
        try:
            # It never suspends.
            _in_background(make).send(None)
        except StopIteration:
            pass
        finally:
            self._ended()

    def _ended(self) -> None:
        with self._lock:
            self._threads -= 1

    @property
    def under_way(self) -> int:
        return len(self._of_key)

    def waiting(self) -> int:
        """The number of threads that wait for another's factory."""
        with self._lock:
            return sum(flight.waiters for flight in self._of_key.values())

    def forget(self) -> None:
        # Replace the lock too: another thread of the parent may have held it.
        self._lock = threading.Lock()
        self._of_key: dict[K, Flight] = {}
        self._threads = 0


def _of_open_loops(tasks: set[asyncio.Task[Any]]) -> set[asyncio.Task[Any]]:
    return {task for task in list(tasks) if not task.get_loop().is_closed()}


async def _awaited(make: Callable[[], Awaitable[T]]) -> T:
    return await make()


async def _in_background(make: Callable[[], Awaitable[Any]]) -> None:
    try:
        await _within(Flight(), make)
    except Exception as error:
        _say(error)


def _log_failure(task: asyncio.Task[Any]) -> None:
    error = None if task.cancelled() else task.exception()
    if error is not None:
        _say(error)


def _say(error: BaseException) -> None:
    # The next caller tries again.
    log.not_made_anew(error)


async def _within(flight: Flight, make: Callable[[], Awaitable[V]]) -> V:
    token = _inside.set(flight)
    try:
        return await make()
    finally:
        try:
            _inside.reset(token)
        except ValueError:
            pass  # Its event loop was closed while it ran, so it is finalized in another context.
