"""One call per key at a time; those who ask meanwhile share its outcome. For event loops, and for threads."""

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

# Values that one client makes anew in the background at one time (GOC-13).
_MOST_BACKGROUND = 32


class Flight:
    """A factory under way. `awaits`: the flights that it waits for, whose factories must then not wait for it."""

    __slots__ = ("awaits", "waiters", "task", "is_landed", "under_way", "value", "error")

    def __init__(self) -> None:
        self.awaits: list[Flight] = []
        self.waiters = 0
        self.task: asyncio.Task[Any] | None = None
        # A thread's: held until there is a value or an error. No Event, whose Python code leaves its lock held where a
        # signal handler raises in it.
        self.is_landed = False
        self.under_way = threading.Lock()
        self.value: Any = None
        self.error: BaseException | None = None

    def waits_for(self, other: Flight | None) -> bool:
        """Whether this one cannot land before `other`."""
        seen: set[Flight] = {self}
        ahead: list[Flight] = [self]
        while ahead:
            new = set(ahead.pop().awaits) - seen
            seen |= new
            ahead.extend(new)
        return other in seen


# The flight whose factory the caller runs in: a key that waits for it must not be waited for.
_inside: ContextVar[Flight | None] = ContextVar("larder_inside", default=None)


class SingleFlight(Generic[K, V]):
    """For coroutines, loop by loop. Bounded by its callers: a flight lives no longer than those who wait for it.

    A caller that is cancelled leaves; the flight goes on for the others, and is cancelled with the last of them. A
    factory that asks for a key which waits for it makes that key's value by itself.
    """

    # Whether a factory can be left: `outlast` and `within`.
    can_leave = True

    def __init__(self) -> None:
        self._flights: dict[tuple[asyncio.AbstractEventLoop, K], Flight] = {}
        # Nobody waits for these; and those of them that `begin` began.
        self._background: set[asyncio.Task[Any]] = set()
        self._begun: set[asyncio.Task[Any]] = set()

    async def run(self, key: K, make: Callable[[], Awaitable[V]], alone: Callable[[], Awaitable[V]] | None = None) -> V:
        """Return what `make` returns, called now or already under way for the key. Raises what it raises.

        `alone`: called in its place where what is under way waits for the caller.
        """
        where = (asyncio.get_running_loop(), key)
        flight, inside = self._flights.get(where), _inside.get()
        if flight is None:
            flight = self._flights[where] = Flight()
            task = flight.task = asyncio.ensure_future(_within(flight, make))
            task.add_done_callback(lambda done: self._landed(where, done))
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
                self._landed(where, task)
                self._cancel(task)

    async def pause(self, seconds: float) -> None:
        """Let others go on for so long."""
        await asyncio.sleep(seconds)

    def begin(self, make: Callable[[], Awaitable[V]]) -> bool:
        """Call `make` in the background, where nobody waits for it: what it raises is logged.

        False: not called, as there are 32 already.
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
        """Return what `make` returns. It is not cancelled with its caller: `unwanted` is then given what it returns."""
        task = asyncio.ensure_future(make())
        try:
            return await asyncio.shield(task)
        except asyncio.CancelledError:

            async def give_back() -> None:
                await unwanted(await task)

            self._keep(asyncio.ensure_future(give_back()))
            raise

    async def outlast(self, make: Callable[[], Awaitable[V]], patience_s: float, otherwise: V) -> V:
        """Return what `make` returns; `otherwise` where that takes longer: it then goes on in the background."""
        task = await self._ended_within(make, patience_s)
        if task.done():
            return task.result()
        self._keep(task)
        task.add_done_callback(_say_why)
        return otherwise

    async def within(self, make: Callable[[], Awaitable[T]], timeout_s: float) -> T:
        """Return what `make` returns. Raises TimeoutError where it takes longer: cancelled, and not waited for."""
        task = await self._ended_within(make, timeout_s)
        if task.done():
            return task.result()
        self._cancel(task)
        raise asyncio.TimeoutError(f"the factory took longer than {timeout_s:g} s")

    async def _ended_within(self, make: Callable[[], Awaitable[T]], seconds: float) -> asyncio.Task[T]:
        """Return the task of a call, which may go on. It is cancelled with its caller."""
        task: asyncio.Task[T] = asyncio.ensure_future(_awaited(make))
        try:
            await asyncio.wait([task], timeout=seconds)
        except asyncio.CancelledError:
            self._cancel(task)
            raise
        return task

    def _cancel(self, task: asyncio.Task[Any]) -> None:
        if task.cancel():
            # It may have something to give back yet.
            self._keep(task)

    def _keep(self, task: asyncio.Task[Any]) -> None:
        # The loop's own reference is a weak one.
        self._background.add(task)
        task.add_done_callback(self._let_go)

    def _let_go(self, task: asyncio.Task[Any]) -> None:
        self._background.discard(task)
        self._begun.discard(task)
        if not task.cancelled():
            # Retrieved here, so that a failure nobody waits for is not reported as lost.
            task.exception()

    @property
    def under_way(self) -> int:
        """Flights now."""
        return len(self._flights)

    def forget_closed_loops(self) -> None:
        """Let go of flights that will never land."""
        for where in [where for where in self._flights if where[0].is_closed()]:
            del self._flights[where]
        self._background, self._begun = _of_open_loops(self._background), _of_open_loops(self._begun)

    def forget(self) -> None:
        """Let go of every flight: this process was forked, and they are the parent's."""
        self._flights = {}
        self._background, self._begun = set(), set()

    def _landed(self, where: tuple[asyncio.AbstractEventLoop, K], task: asyncio.Task[V]) -> None:
        flight = self._flights.get(where)
        if flight is not None and flight.task is task:
            del self._flights[where]
        if task.done() and not task.cancelled():
            # Retrieved here, so that a failure nobody waits for any more is not reported as lost.
            task.exception()


class ThreadFlights(SingleFlight[K, V]):
    """For callers that block: the factory runs in the thread of the first, and the others' threads wait for it.

    `run` never waits at an await of its own, so that its coroutine ends at the first `send`.
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
                        # One that has landed was not removed: its thread was interrupted.
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
                # First, and without a call of Python code, at which a signal handler may raise.
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
            # Its thread was interrupted or ends, which is not ours to share: the next takes its place.

    def _remove(self, key: K, flight: Flight) -> None:
        with self._lock:
            if self._of_key.get(key) is flight:
                del self._of_key[key]

    async def pause(self, seconds: float) -> None:
        time.sleep(seconds)

    async def to_its_end(self, make: Callable[[], Awaitable[T]], unwanted: Callable[[T], Awaitable[None]]) -> T:
        return await make()

    def begin(self, make: Callable[[], Awaitable[V]]) -> bool:
        """As SingleFlight.begin, in a thread; False where there are 32 already."""
        with self._lock:
            if self._threads >= _MOST_BACKGROUND:
                return False
            self._threads += 1
        try:
            # A daemon: a program's end does not wait for it.
            threading.Thread(target=self._run, args=[make], name="larder: refresh", daemon=True).start()
        except RuntimeError:
            # There are no more threads to be had, or the program ends.
            self._ended()
            return False
        return True

    def _run(self, make: Callable[[], Awaitable[V]]) -> None:
        try:
            # It never waits at an await of its own.
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
        """Threads that wait for another's factory."""
        with self._lock:
            return sum(flight.waiters for flight in self._of_key.values())

    def forget(self) -> None:
        # The lock too: another thread of the parent may have held it.
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


def _say_why(task: asyncio.Task[Any]) -> None:
    error = None if task.cancelled() else task.exception()
    if error is not None:
        _say(error)


def _say(error: BaseException) -> None:
    # Whoever asks next tries again.
    log.not_made_anew(error)


async def _within(flight: Flight, make: Callable[[], Awaitable[V]]) -> V:
    token = _inside.set(flight)
    try:
        return await make()
    finally:
        try:
            _inside.reset(token)
        except ValueError:
            pass  # Its event loop was closed under it: it is taken apart in another context.
