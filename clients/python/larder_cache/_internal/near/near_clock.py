"""A clock that goes on while the machine sleeps, for leases (NEAR-21)."""

from __future__ import annotations

import functools
import threading
import time
from collections.abc import Callable


def boot_clock() -> Callable[[], float]:
    """Seconds from any beginning that never go back: the system's own clock of that kind, or the nearest to it."""
    number = getattr(time, "CLOCK_BOOTTIME", None)
    if number is not None:
        try:
            time.clock_gettime(number)
        except OSError:
            pass  # An old kernel, or a sandbox that does not know it.
        else:
            return functools.partial(time.clock_gettime, number)
    return ElapsedClock().now


class ElapsedClock:
    """Of two clocks, one that stands still while the machine sleeps and one that people set, what says more went by.

    From one reading to the next, so that a wall clock that was set forward and back again leaves time gone by and no
    time given back. Safe for threads.
    """

    def __init__(self, monotonic: Callable[[], float] = time.monotonic, wall: Callable[[], float] = time.time) -> None:
        self._monotonic = monotonic
        self._wall = wall
        self._lock = threading.Lock()
        self._last = monotonic(), wall()
        self._elapsed = 0.0

    def now(self) -> float:
        """Seconds since it was made."""
        with self._lock:
            now = self._monotonic(), self._wall()
            self._elapsed += max(now[0] - self._last[0], now[1] - self._last[1])
            self._last = now
            return self._elapsed
