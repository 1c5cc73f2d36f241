"""The clock of a fake server. It advances only when a test advances it."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

# The maximum number of seconds of one `advance`: a hundred years of 365 days. The longest time to live is one year.
MOST_ADVANCE_S = 100 * 365 * 86_400


class Clock:
    """Counts nanoseconds since the fake was created."""

    def __init__(self) -> None:
        self.now_ns = 0

    def advance(self, seconds: Any) -> None:
        """Advance the clock.

        Raises:
            TypeError: The argument is neither a number of seconds nor a timedelta.
            ValueError: The argument is not between 0 and 100 years.
        """
        if isinstance(seconds, timedelta):
            seconds = seconds.total_seconds()
        if not isinstance(seconds, (int, float)) or isinstance(seconds, bool):
            raise TypeError(
                f"the time to advance must be a number of seconds or a timedelta, not {type(seconds).__name__}"
            )
        if not 0 <= seconds <= MOST_ADVANCE_S:
            raise ValueError(f"the time to advance must be 0 to {MOST_ADVANCE_S:,} seconds, not {seconds!r:.40}")
        self.now_ns += round(seconds * 1_000_000_000)
