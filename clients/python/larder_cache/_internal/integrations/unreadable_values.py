"""Stored values that a framework's cache cannot read: counted, and logged now and then."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic

from larder_cache._internal.common import log

# Between two log messages.
PAUSE_S = 60.0


class UnreadableValues:
    """Those of one process. `count`: all of them, since it started."""

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        self._logged_count = 0
        self._not_before = float("-inf")
        self.count = 0

    def add(self, error: Exception) -> None:
        """Count one, and log the first and then all since the last message, at most once a minute."""
        self.count += 1
        now = self._clock()
        if now >= self._not_before:
            self._not_before = now + PAUSE_S
            since, self._logged_count = self.count - self._logged_count, self.count
            log.values_unreadable(since, error)


unreadable = UnreadableValues()
