"""Adjusts the limit of requests in flight so that p99.9 stays at a target (protocol/spec/adaptive-cap.md)."""

from __future__ import annotations

import enum
import math
from dataclasses import dataclass

# The initial limit, unless the maximum is lower.
INITIAL_CAP = 16
# The minimum length of a window. In a shorter window a single garbage collection of a few milliseconds could affect
# every call.
LEAST_WINDOW_AGE_S = 0.1

# The number of calls that completes a window. With a target for p99.9, 2 of 2,000 calls may exceed the target. In
# smaller windows a single slow call would decide the result.
_FULL_CALLS = 2_000
_FEW_CALLS = 100
_FEW_CALLS_AGE_S = 2.0
_CALLS_PER_VIOLATION = 1_000
_FIRST_REST_S = 5.0
_LONGEST_REST_S = 40.0
# A smaller limit loses no throughput if it preserves at least this fraction.
_KEPT = 0.97


class AdaptiveCapState(enum.Enum):
    """Describes how the limit relates to the target."""

    # At most 1 call in 1,000 of the last window exceeded the target, or no window was judged yet.
    STEADY = "steady"
    # More calls exceed the target. The limit shrinks for as long as shrinking helps.
    SHRINKING = "shrinking"
    # Shrinking did not help. This state lasts until a window has at most 1 call in 1,000 that exceeds the target.
    OUT_OF_REACH = "outOfReach"


@dataclass(frozen=True, slots=True, kw_only=True)
class CapCounts:
    """The counts of one window of calls. Times are in seconds."""

    # The number of calls, at least 1.
    calls: int
    # The number of calls that took longer than the target.
    over: int
    # The number of calls that ended while other calls waited for a permit.
    waited: int
    mean_s: float
    least_s: float
    # The time from the end of the first call to the judgement of the window.
    span_s: float

    @property
    def over_share(self) -> float:
        """The fraction of calls that took longer than the target."""
        return self.over / self.calls

    @property
    def calls_per_second(self) -> float:
        """The throughput of the window. The first call is not counted, because the measured time begins at its end."""
        return (self.calls - 1) / max(self.span_s, 1e-6)


@dataclass(frozen=True, slots=True)
class _CapTrial:
    """A limit with which the target was exceeded, and the counts of its window."""

    limit: int
    gave: CapCounts

    def helped_after(self, larger: _CapTrial) -> bool:
        """Return whether this smaller limit is an improvement over the larger limit (ADAPT-8).

        It is an improvement in any of these cases:

        - clearly fewer calls exceeded the target
        - the latency fell at least half as much as it would if a queue were its only cause
        - no throughput was lost
        """
        fewer = self.gave.over_share < larger.gave.over_share * 0.7
        quicker = 2 * larger.limit * self.gave.mean_s <= larger.gave.mean_s * (larger.limit + self.limit)
        return fewer or quicker or self.gave.calls_per_second >= larger.gave.calls_per_second * _KEPT


class AdaptiveCap:
    """The controller of the adaptive limit. It receives the counts and the time of each window and reads no clock.

    - If more than 1 call in 1,000 exceeds the target, the controller shrinks the limit by a fifth.
    - If fewer than 1 call in 2,000 exceeds the target and callers wait for permits, the controller grows the limit.
    - If shrinking costs throughput without reducing latency, the target is out of reach, because the server is slow and
      the latency is not caused by a queue. The controller returns to the smallest limit that preserved the throughput,
      and pauses.
    """

    __slots__ = ("limit", "state", "_most", "_quick_below", "_least_s", "_rest_s", "_rest_until_s", "_episode")

    def __init__(self, most: int) -> None:
        """Start with the initial limit, or with `most` if that is lower.

        Args:
            most: The maximum limit, at least 1.
        """
        # The current limit, and how it relates to the target.
        self.limit = min(INITIAL_CAP, most)
        self.state = AdaptiveCapState.STEADY
        self._most = most
        self._quick_below = most
        self._least_s = math.inf
        self._rest_s = _FIRST_REST_S
        self._rest_until_s = -math.inf
        # The limits tried since the last window that met the target. The list stays short: shrinking by a fifth takes
        # about sixty steps from 1,000,000 to 1.
        self._episode: list[_CapTrial] = []

    def change_most(self, most: int) -> None:
        """Set another maximum. Called when calls switch to another transport."""
        self._most = most
        self.limit = min(self.limit, most)

    def is_due(self, calls: int, over: int, age_s: float) -> bool:
        """Return whether a window of this many calls is judged now (ADAPT-3)."""
        if age_s < LEAST_WINDOW_AGE_S:
            return False
        # Do not wait for a full window if four times the allowed number of calls exceeded the target and each permit
        # was used twice.
        beyond_doubt = over >= 4 and over * _CALLS_PER_VIOLATION > 4 * calls and calls >= 2 * self.limit
        return calls >= _FULL_CALLS or beyond_doubt or (age_s >= _FEW_CALLS_AGE_S and calls >= _FEW_CALLS)

    def judge(self, window: CapCounts, now_s: float) -> None:
        """Judge a window. This may change the limit and the state."""
        self._least_s = min(self._least_s, window.least_s)
        if window.over * _CALLS_PER_VIOLATION <= window.calls:
            self._keep_or_grow(window)
        elif now_s >= self._rest_until_s:
            self._shrink(_CapTrial(self.limit, window), now_s)

    def _keep_or_grow(self, window: CapCounts) -> None:
        self._episode.clear()
        self._rest_s = _FIRST_REST_S
        self._rest_until_s = -math.inf
        self.state = AdaptiveCapState.STEADY
        well_under = 2 * window.over * _CALLS_PER_VIOLATION < window.calls
        if not well_under or 2 * window.waited < window.calls:
            return
        if self.limit < self._quick_below:
            grown = min(self._quick_below, self.limit + (self.limit + 1) // 2)
        else:
            grown = self.limit + (self.limit + 19) // 20
        self.limit = min(self._most, grown)

    def _shrink(self, trial: _CapTrial, now_s: float) -> None:
        before = self._episode[-1] if self._episode else None
        self._episode.append(trial)
        floor = self._floor(trial)
        if (before is not None and not trial.helped_after(before)) or self.limit == floor:
            self._give_up(now_s)
            return
        self.limit = max(floor, self.limit * 4 // 5)
        if self.state is AdaptiveCapState.STEADY:
            self.state = AdaptiveCapState.SHRINKING
            self._quick_below = 0

    def _floor(self, trial: _CapTrial) -> int:
        """Return the smallest limit that can sustain the throughput of this trial.

        By Little's law that limit is the throughput multiplied by the minimum latency.
        """
        return min(max(math.ceil(trial.gave.calls_per_second * self._least_s), 1), self.limit)

    def _give_up(self, now_s: float) -> None:
        if self.state is not AdaptiveCapState.OUT_OF_REACH:
            # The server may recover soon. In that case the limit grows back quickly, up to one step below the limit
            # that was too large.
            self._quick_below = self._episode[0].limit * 4 // 5
        best = max(trial.gave.calls_per_second for trial in self._episode)
        self.limit = min(trial.limit for trial in self._episode if trial.gave.calls_per_second >= best * _KEPT)
        self._episode.clear()
        self.state = AdaptiveCapState.OUT_OF_REACH
        self._rest_until_s = now_s + self._rest_s
        self._rest_s = min(self._rest_s * 2, _LONGEST_REST_S)
