"""Time that stands still, but where it is moved by hand."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

# At once: a hundred years of 365 days, as many as the longest time to live a hundred times over.
MOST_ADVANCE_S = 100 * 365 * 86_400


class Clock:
    """Nanoseconds since the fake was made."""

    def __init__(self) -> None:
        self.now_ns = 0

    def advance(self, seconds: Any) -> None:
        """Move it. TypeError where it is no number of seconds and no timedelta, ValueError outside 0 to 100 years."""
        if isinstance(seconds, timedelta):
            seconds = seconds.total_seconds()
        if not isinstance(seconds, (int, float)) or isinstance(seconds, bool):
            raise TypeError(f"time is moved by seconds or a timedelta, not {type(seconds).__name__}")
        if not 0 <= seconds <= MOST_ADVANCE_S:
            raise ValueError(f"time is moved by 0 to {MOST_ADVANCE_S:,} seconds, not {seconds!r:.40}")
        self.now_ns += round(seconds * 1_000_000_000)
