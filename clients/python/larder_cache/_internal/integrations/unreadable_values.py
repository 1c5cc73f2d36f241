"""Counts stored values that a framework's cache cannot decode, and logs them at intervals."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic

from larder_cache._internal.common import log

# The minimum time between two log messages, in seconds.
PAUSE_S = 60.0


class UnreadableValues:
    """Counts the unreadable values of a process. `count` is the number of all values counted so far."""

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        self._logged_count = 0
        self._not_before = float("-inf")
        self.count = 0

    def add(self, error: Exception) -> None:
        """Count an unreadable value.

        Logs the first value immediately. After that, logs the number of new values at most once a minute.
        """
        self.count += 1
        now = self._clock()
        if now >= self._not_before:
            self._not_before = now + PAUSE_S
            since, self._logged_count = self.count - self._logged_count, self.count
            log.values_unreadable(since, error)


unreadable = UnreadableValues()
