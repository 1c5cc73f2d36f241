"""Gaps between two looks at the clock: the process was stopped meanwhile. Pure: the caller reads the clocks."""

from __future__ import annotations

# Between two looks.
TICK_S = 1.0
# Longer than this between two looks is a gap. A busy event loop is rarely that late, and a network that forgets a
# connection that was silent for less is not known.
LIMIT_S = 4.0


class ClockGap:
    """Compares each look with the one before, by two clocks.

    A process that was stopped (SIGSTOP, a frozen container) finds a gap in both. A suspended or virtual machine that is
    paused stops the monotonic clock, and only the wall clock shows the gap. A wall clock that is set back is no gap.
    """

    __slots__ = ("_monotonic_s", "_wall_s")

    def __init__(self) -> None:
        self._monotonic_s: float | None = None
        self._wall_s = 0.0

    def look(self, monotonic_s: float, wall_s: float) -> bool:
        """Return whether there is a gap, and compare the next look with this one."""
        found = self.is_open(monotonic_s, wall_s)
        self._monotonic_s, self._wall_s = monotonic_s, wall_s
        return found

    def is_open(self, monotonic_s: float, wall_s: float) -> bool:
        """Return whether a look now would find a gap."""
        before = self._monotonic_s
        return before is not None and max(monotonic_s - before, wall_s - self._wall_s) > LIMIT_S
