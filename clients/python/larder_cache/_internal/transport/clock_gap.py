"""Detects that the process was stopped, by gaps between two readings of a clock.

The caller reads the clocks.
"""

from __future__ import annotations

# The usual time between two readings of the clocks, in seconds.
TICK_S = 1.0
# A longer time between two readings is a gap. A busy event loop is rarely that late. No known network drops a
# connection after a shorter silence.
LIMIT_S = 4.0


class ClockGap:
    """Compares each reading of two clocks with the previous reading.

    Both clocks show a gap if a process was stopped (SIGSTOP, a frozen container). If a machine is suspended or a
    virtual machine is paused, the monotonic clock stops and only the wall clock shows the gap. Setting the wall clock
    back causes no gap.
    """

    __slots__ = ("_monotonic_s", "_wall_s")

    def __init__(self) -> None:
        self._monotonic_s: float | None = None
        self._wall_s = 0.0

    def look(self, monotonic_s: float, wall_s: float) -> bool:
        """Return whether there is a gap since the previous reading, and store this reading."""
        found = self.is_open(monotonic_s, wall_s)
        self._monotonic_s, self._wall_s = monotonic_s, wall_s
        return found

    def is_open(self, monotonic_s: float, wall_s: float) -> bool:
        """Return whether there would be a gap if the clocks were read now. Does not store the reading."""
        before = self._monotonic_s
        return before is not None and max(monotonic_s - before, wall_s - self._wall_s) > LIMIT_S
