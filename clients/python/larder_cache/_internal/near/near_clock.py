"""A clock that includes the time that the machine sleeps, for near-cache leases (NEAR-21)."""

from __future__ import annotations

import functools
import threading
import time
from collections.abc import Callable


def boot_clock() -> Callable[[], float]:
    """Return the seconds of a monotonic clock that includes sleep, or of the closest substitute."""
    number = getattr(time, "CLOCK_BOOTTIME", None)
    if number is not None:
        try:
            time.clock_gettime(number)
        except OSError:
            pass  # An old kernel, or a sandbox without this clock.
        else:
            return functools.partial(time.clock_gettime, number)
    return ElapsedClock().now


class ElapsedClock:
    """Combines a clock that stops while the machine sleeps and one that users can set: the larger difference counts.

    The differences are between successive readings. A wall clock that is set forward and back again thus adds time but
    never subtracts any. Thread-safe.
    """

    def __init__(self, monotonic: Callable[[], float] = time.monotonic, wall: Callable[[], float] = time.time) -> None:
        self._monotonic = monotonic
        self._wall = wall
        self._lock = threading.Lock()
        self._last = monotonic(), wall()
        self._elapsed = 0.0

    def now(self) -> float:
        """Return the seconds since the clock was created."""
        with self._lock:
            now = self._monotonic(), self._wall()
            self._elapsed += max(now[0] - self._last[0], now[1] - self._last[1])
            self._last = now
            return self._elapsed
