"""Runs one call per key at a time on an event loop. Concurrent callers share its outcome."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable, Hashable
from contextvars import ContextVar
from time import monotonic
from typing import Any, Generic, TypeVar

from larder_cache._internal.calls.soft_timeout import Offer, SoftTimeout
from larder_cache._internal.common import log

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")
T = TypeVar("T")

# The maximum number of concurrent background refreshes per client (GOC-13).
MOST_BACKGROUND = 32


class Flight:
    """A running call of a factory, which all concurrent callers of a key share.

    `awaits` contains the flights that this flight's factory waits for. Their factories must not wait for this flight.
    """

    __slots__ = (
        "awaits",
        "waiters",
        "inside",
        "waiting",
        "task",
        "offer",
        "offered",
        "is_overdue",
        "is_landed",
        "under_way",
        "alerts",
        "value",
        "error",
    )

    def __init__(self) -> None:
        self.awaits: list[Flight] = []
        self.waiters = 0
        self.task: asyncio.Task[Any] | None = None
        # The stale value that callers may get after their soft timeouts.
        self.offer: Offer | None = None
        # Completes when `offer` changes. Used by SingleFlight.
        self.offered: asyncio.Future[None] | None = None
        # Whether a caller has left with the stale value. If so, the load continues when no caller waits for it.
        self.is_overdue = False
        # Used by ThreadFlights: the flight whose factory requested this one, and a list with an entry for each thread
        # that waits for this flight. The entry is the flight that the thread would have run itself. Appending and
        # removing it are single interpreter steps, so that a signal handler that raises cannot leave an entry behind.
        self.inside: Flight | None = None
        self.waiting: list[Flight] = []
        # Used by ThreadFlights: locked until there is a value or an error. This is not an Event, because the Python
        # code of Event leaves its lock held if a signal handler raises in it.
        self.is_landed = False
        self.under_way = threading.Lock()
        # Used by ThreadFlights: the locks of the callers with a soft timeout. The end of the flight releases them.
        self.alerts: list[threading.Lock] = []
        self.value: Any = None
        self.error: BaseException | None = None

    def make_offer(self, offer: Offer | None) -> None:
        """Set the stale value that callers may get after their soft timeouts, or None if no such value exists."""
        self.offer = offer
        if self.offered is not None and not self.offered.done():
            self.offered.set_result(None)

    def waits_for(self, other: Flight | None) -> bool:
        """Return whether this flight, directly or indirectly, waits for `other`."""
        seen: set[Flight] = {self}
        ahead: list[Flight] = [self]
        while ahead:
            new = set(ahead.pop().awaits) - seen
            seen |= new
            ahead.extend(new)
        return other in seen


# The flight whose factory is running in this context. The factory must not wait for a flight that waits for this one.
current_flight: ContextVar[Flight | None] = ContextVar("larder_inside", default=None)


class SingleFlight(Generic[K, V]):
    """Single flights of coroutines, separately for each event loop.

    A flight ends at the latest when no caller waits for it.

    If one caller is cancelled, the flight continues for the other callers. The flight is cancelled when its last caller
    is cancelled. A factory may request a key whose flight waits for this factory. To avoid a deadlock, it then loads
    that key's value itself.
    """

    def __init__(self) -> None:
        self._flights: dict[tuple[asyncio.AbstractEventLoop, K], Flight] = {}
        # The tasks for which no caller waits, and the subset of them that `begin` started.
        self._background: set[asyncio.Task[Any]] = set()
        self._begun: set[asyncio.Task[Any]] = set()

    # Whether the first caller of a key runs the factory, and waits for other processes, in its own thread.
    runs_in_caller = False

    async def run(
        self,
        key: K,
        make: Callable[[], Awaitable[V]],
        alone: Callable[[], Awaitable[V]] | None = None,
        soft_timeout: SoftTimeout | None = None,
    ) -> V:
        """Return the result of `make`. Join the running call for the key if there is one, otherwise call `make`.

        Args:
            alone: Called instead of `make` if the running call waits for this caller. The default is `make`.
            soft_timeout: The caller's soft timeout. It starts when there is a stale value that the caller could get.

        Raises:
            Exception: The exception that `make` raised.
        """
        where = (asyncio.get_running_loop(), key)
        flight, inside = self._flights.get(where), current_flight.get()
        if flight is None:
            flight = self._flights[where] = Flight()
            task = flight.task = asyncio.ensure_future(run_inside(flight, make))
            task.add_done_callback(lambda done: self._finish_flight(where, done))
        elif inside is not None and flight.waits_for(inside):
            return await (alone or make)()
        task = flight.task
        assert task is not None
        flight.waiters += 1
        if inside is not None:
            inside.awaits.append(flight)
        try:
            if soft_timeout is None:
                return await asyncio.shield(task)
            return await self._outcome_or_stale(flight, task, soft_timeout)
        finally:
            if inside is not None:
                inside.awaits.remove(flight)
            flight.waiters -= 1
            if not flight.waiters:
                self._finish_flight(where, task)
                if not flight.is_overdue or not self._continue(flight, task):
                    self._cancel(task)

    async def _outcome_or_stale(self, flight: Flight, task: asyncio.Task[V], soft_timeout: SoftTimeout) -> V:
        joined_s = monotonic()
        until_s: float | None = None
        while not task.done():
            left_s: float | None = None
            if flight.offer is not None:
                if until_s is None:
                    until_s = monotonic() + soft_timeout.soft_timeout_s
                left_s = until_s - monotonic()
                if left_s <= 0:
                    left_s = None
                    stale: Any = soft_timeout.choose(flight.offer, joined_s)
                    if stale is not None:
                        flight.is_overdue = True
                        return stale
            if flight.offered is None or flight.offered.done():
                flight.offered = asyncio.get_running_loop().create_future()
            await asyncio.wait({task, flight.offered}, timeout=left_s, return_when=asyncio.FIRST_COMPLETED)
        return await asyncio.shield(task)

    def _continue(self, flight: Flight, task: asyncio.Task[Any]) -> bool:
        """Continue a load in the background, because its callers have left with the stale value.

        Returns False if the task must be cancelled: it waits for another process, or 32 background calls are running.
        """
        offer = flight.offer
        if task.done() or offer is None or not offer.is_loading:
            return False
        if not self._has_background_slot():
            offer.put_off()
            return False
        offer.is_in_background = True
        self._begun.add(task)
        self._keep(task)
        task.add_done_callback(_log_failure)
        return True

    async def pause(self, seconds: float) -> None:
        """Wait for this many seconds. Other coroutines can run during the wait."""
        await asyncio.sleep(seconds)

    def begin(self, make: Callable[[], Awaitable[V]]) -> bool:
        """Call `make` in the background. Exceptions are logged.

        Returns False without calling `make` if 32 background calls are already running.
        """
        if not self._has_background_slot():
            return False
        task = asyncio.ensure_future(in_background(make))
        self._begun.add(task)
        self._keep(task)
        return True

    def _has_background_slot(self) -> bool:
        if len(self._begun) >= MOST_BACKGROUND:
            self._begun = _of_open_loops(self._begun)
        return len(self._begun) < MOST_BACKGROUND

    async def to_its_end(self, make: Callable[[], Awaitable[T]], unwanted: Callable[[T], Awaitable[None]]) -> T:
        """Return the result of `make`.

        If the caller is cancelled, `make` continues, and `unwanted` then receives its result.
        """
        task = asyncio.ensure_future(make())
        try:
            return await asyncio.shield(task)
        except asyncio.CancelledError:

            async def give_back() -> None:
                await unwanted(await task)

            self._keep(asyncio.ensure_future(give_back()))
            raise

    async def outlast(self, make: Callable[[], Awaitable[V]], soft_timeout_s: float, otherwise: V) -> V | None:
        """Return the result of `make`, which a caller with a soft timeout runs. `run` ends the wait after the timeout.

        ThreadFlights returns `otherwise` after `soft_timeout_s`, and None if `make` could not be started.
        """
        return await make()

    async def within(self, make: Callable[[], Awaitable[T]], timeout_s: float) -> T:
        """Return the result of `make`. On timeout cancel `make` without waiting for its end, and raise TimeoutError."""
        task: asyncio.Task[T] = asyncio.ensure_future(_awaited(make))
        try:
            await asyncio.wait([task], timeout=timeout_s)
        except asyncio.CancelledError:
            self._cancel(task)
            raise
        if task.done():
            return task.result()
        self._cancel(task)
        raise asyncio.TimeoutError(f"the factory took longer than {timeout_s:g} s")

    def _cancel(self, task: asyncio.Task[Any]) -> None:
        if task.cancel():
            # Keep a reference until the task ends, because it may still have to release a lease.
            self._keep(task)

    def _keep(self, task: asyncio.Task[Any]) -> None:
        # Keep a strong reference, because the event loop has only a weak reference to a task.
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
        """Remove the flights of closed event loops, because they never complete."""
        for where in [where for where in self._flights if where[0].is_closed()]:
            del self._flights[where]
        self._background, self._begun = _of_open_loops(self._background), _of_open_loops(self._begun)

    def forget(self) -> None:
        """Remove every flight. Called in a forked child process, because the flights belong to the parent."""
        self._flights = {}
        self._background, self._begun = set(), set()

    def _finish_flight(self, where: tuple[asyncio.AbstractEventLoop, K], task: asyncio.Task[V]) -> None:
        flight = self._flights.get(where)
        if flight is not None and flight.task is task:
            del self._flights[where]
        if task.done() and not task.cancelled():
            # Retrieve the exception, so that asyncio does not report it as never retrieved.
            task.exception()


def _of_open_loops(tasks: set[asyncio.Task[Any]]) -> set[asyncio.Task[Any]]:
    return {task for task in list(tasks) if not task.get_loop().is_closed()}


async def _awaited(make: Callable[[], Awaitable[T]]) -> T:
    return await make()


async def in_background(make: Callable[[], Awaitable[Any]]) -> None:
    try:
        await run_inside(Flight(), make)
    except Exception as error:
        _say(error)


def _log_failure(task: asyncio.Task[Any]) -> None:
    error = None if task.cancelled() else task.exception()
    if error is not None:
        _say(error)


def _say(error: BaseException) -> None:
    # Only log the error. The next caller tries again.
    log.not_made_anew(error)


async def run_inside(flight: Flight, make: Callable[[], Awaitable[V]]) -> V:
    token = current_flight.set(flight)
    try:
        return await make()
    finally:
        try:
            current_flight.reset(token)
        except ValueError:
            pass  # The event loop was closed while the factory ran, so the coroutine is finalized in another context.
