"""Runs one call per key at a time for blocking callers. Concurrent callers share its outcome."""

from __future__ import annotations

import threading
import time
from collections.abc import Awaitable, Callable, Hashable
from time import monotonic
from typing import Any, TypeVar

from larder_cache._internal.calls.single_flight import (
    MOST_BACKGROUND,
    Flight,
    SingleFlight,
    current_flight,
    in_background,
    run_inside,
)
from larder_cache._internal.calls.soft_timeout import SoftTimeout
from larder_cache._internal.calls.thread_load import ThreadLoad, run_to_end
from larder_cache._internal.common import log

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")
T = TypeVar("T")

# A caller with a soft timeout checks the flight at least this often, in seconds. A signal handler that raises while the
# flight ends may prevent the release of the caller's lock, and a stale value may be offered after the soft timeout.
_CHECK_S = 0.05


class ThreadFlights(SingleFlight[K, V]):
    """Single flights of blocking callers. The factory runs in the first caller's thread, and the other callers wait.

    `run` never suspends, so its coroutine completes at the first `send`.
    """

    def __init__(self) -> None:
        super().__init__()
        self.forget()

    runs_in_caller = True

    async def run(
        self,
        key: K,
        make: Callable[[], Awaitable[V]],
        alone: Callable[[], Awaitable[V]] | None = None,
        soft_timeout: SoftTimeout | None = None,
    ) -> V:
        inside = current_flight.get()
        while True:
            own = flight = Flight()
            own.inside = inside
            own.under_way.acquire()
            stale: Any = None
            waits_for_us = False
            try:
                with self._lock:
                    found = self._of_key.get(key)
                    if found is None or found.is_landed:
                        # There is no running flight. A completed flight is still registered if its thread was
                        # interrupted before removing it.
                        self._of_key[key] = own
                    else:
                        flight = found
                        waits_for_us = inside is not None and _waits_for(flight, inside)
                        if not waits_for_us:
                            flight.waiting.append(own)
                if flight is own:
                    own.value = await run_inside(own, make)
                    return own.value
                if waits_for_us:
                    return await (alone or make)()
                if soft_timeout is None:
                    with flight.under_way:
                        pass
                else:
                    stale = _wait_with_soft_timeout(flight, soft_timeout)
            except BaseException as error:
                own.error = error
                raise
            finally:
                # Do this first and without calling Python functions, because a signal handler could raise in such a
                # function.
                if flight is own:
                    own.is_landed = True
                    own.under_way.release()
                    while own.alerts:
                        own.alerts.pop().release()
                    self._remove(key, own)
                else:
                    try:
                        flight.waiting.remove(own)
                    except ValueError:
                        pass  # The flight waits for this caller, or this caller was interrupted before it was added.
            if stale is not None:
                return stale
            if flight.error is None:
                return flight.value
            if isinstance(flight.error, Exception):
                raise flight.error
            # The flight's thread was interrupted or is exiting. Other callers do not share this outcome. The next
            # caller runs the factory instead.

    def _remove(self, key: K, flight: Flight) -> None:
        with self._lock:
            if self._of_key.get(key) is flight:
                del self._of_key[key]

    async def pause(self, seconds: float) -> None:
        time.sleep(seconds)

    async def to_its_end(self, make: Callable[[], Awaitable[T]], unwanted: Callable[[T], Awaitable[None]]) -> T:
        return await make()

    def begin(self, make: Callable[[], Awaitable[V]]) -> bool:
        """Call `make` in a new thread. Exceptions are logged.

        Returns False without calling `make` if 32 background calls are already running.
        """
        return self._begin(lambda: run_to_end(in_background(make)), "larder: refresh")

    async def outlast(self, make: Callable[[], Awaitable[V]], soft_timeout_s: float, otherwise: V) -> V | None:
        """Return the result of `make`, or `otherwise` after `soft_timeout_s`.

        `make` runs in a new thread, which counts as a background call from its start, because it cannot be stopped.
        After a timeout it continues, and its exception is logged.

        Returns None without calling `make` if 32 background calls are already running.
        """
        load = ThreadLoad(make)

        def run() -> None:
            if (error := load.run()) is not None:
                log.not_made_anew(error)

        if not self._begin(run, "larder: load"):
            return None
        return load.result() if load.wait(soft_timeout_s) else otherwise

    async def within(self, make: Callable[[], Awaitable[T]], timeout_s: float) -> T:
        """Return the result of `make`. On timeout, raise TimeoutError.

        `make` runs in a new thread, which cannot be stopped. After a timeout it continues, and its outcome is
        discarded. While 32 calls continue after their timeout, no other call is started: TimeoutError is raised at
        once. The number of threads is therefore limited even if no factory ever returns.
        """
        load = ThreadLoad(make)

        def run() -> None:
            try:
                load.run()
            finally:
                with self._lock:
                    self._timed.discard(load)

        with self._lock:
            if sum(each.is_abandoned for each in self._timed) >= MOST_BACKGROUND:
                raise TimeoutError(
                    f"the factory was not started, because {MOST_BACKGROUND} factories are still running after their"
                    " hard_timeout"
                )
            self._timed.add(load)
        try:
            _start(run, "larder: load")
        except BaseException as error:
            with self._lock:
                self._timed.discard(load)
            if isinstance(error, RuntimeError):
                raise TimeoutError(f"the factory was not started: {error}") from None
            raise
        if not load.wait(timeout_s):
            raise TimeoutError(f"the factory took longer than {timeout_s:g} s")
        return load.result()

    def _begin(self, run: Callable[[], None], name: str) -> bool:
        """Call `run` in a new thread. Returns False if 32 background calls are already running."""

        def to_its_end() -> None:
            try:
                run()
            finally:
                with self._lock:
                    self._begun_threads.discard(to_its_end)

        with self._lock:
            if len(self._begun_threads) >= MOST_BACKGROUND:
                return False
            self._begun_threads.add(to_its_end)
        try:
            _start(to_its_end, name)
        except BaseException as error:
            with self._lock:
                self._begun_threads.discard(to_its_end)
            if isinstance(error, RuntimeError):
                return False
            raise
        return True

    @property
    def under_way(self) -> int:
        return len(self._of_key)

    def waiting(self) -> int:
        """Return the number of threads that wait for a factory that another thread runs."""
        with self._lock:
            return sum(len(flight.waiting) for flight in self._of_key.values())

    def forget(self) -> None:
        # Also replace the lock, because another thread of the parent may have held it during the fork.
        self._lock = threading.Lock()
        self._of_key: dict[K, Flight] = {}
        # The functions that background threads run.
        self._begun_threads: set[Callable[[], None]] = set()
        # The calls of `within` whose threads are running.
        self._timed: set[ThreadLoad[Any]] = set()


def _waits_for(flight: Flight, other: Flight) -> bool:
    """Return whether `flight`, directly or indirectly, waits for `other`."""
    seen = {other}
    ahead = [other]
    while ahead:
        new = {each.inside for each in ahead.pop().waiting if each.inside is not None} - seen
        seen |= new
        ahead.extend(new)
    return flight in seen


def _wait_with_soft_timeout(flight: Flight, soft_timeout: SoftTimeout) -> bytes | None:
    """Wait for the outcome of a flight. Returns the stale value if the soft timeout passes first."""
    joined_s = monotonic()
    until_s = joined_s + soft_timeout.soft_timeout_s
    alert = threading.Lock()
    alert.acquire()
    flight.alerts.append(alert)
    try:
        while not flight.is_landed:
            left_s = until_s - monotonic()
            if left_s <= 0 and (stale := soft_timeout.choose(flight.offer, joined_s)) is not None:
                return stale
            alert.acquire(timeout=min(left_s, _CHECK_S) if left_s > 0 else _CHECK_S)
        return None
    finally:
        try:
            flight.alerts.remove(alert)
        except ValueError:
            pass  # The flight has landed and has removed it.


def _start(run: Callable[[], None], name: str) -> None:
    """Call `run` in a daemon thread, so that the program's exit does not wait for it.

    Raises:
        RuntimeError: Python cannot start more threads, or the program is exiting.
    """
    threading.Thread(target=run, name=name, daemon=True).start()
