"""A clock that also advances while the machine sleeps, for near-cache leases (NEAR-21)."""

from __future__ import annotations

import functools
import threading
import time
from collections.abc import Callable


def boot_clock() -> Callable[[], float]:
    """Return a function that returns the seconds of a monotonic clock.

    The clock also advances while the machine sleeps. If there is no such clock, the function uses the closest
    substitute.
    """
    number = getattr(time, "CLOCK_BOOTTIME", None)
    if number is not None:
        try:
            time.clock_gettime(number)
        except OSError:
            pass  # The kernel is old, or a sandbox does not provide this clock.
        else:
            return functools.partial(time.clock_gettime, number)
    return ElapsedClock().now


class ElapsedClock:
    """Combines a clock that stops while the machine sleeps with a clock that users can set. Thread-safe.

    Each reading adds the larger of the times by which the two clocks have advanced. If a user sets the wall clock
    forward and back again, the result therefore grows too fast but never decreases.
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
