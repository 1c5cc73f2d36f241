"""Adjusts the limit of requests in flight so that p99.9 stays at a target (protocol/spec/adaptive-cap.md)."""

from __future__ import annotations

import enum
import math
from dataclasses import dataclass

# The initial limit, unless the maximum is lower.
INITIAL_CAP = 16
# Windows are at least this long; otherwise one garbage collection of a few milliseconds could fill a window.
LEAST_WINDOW_AGE_S = 0.1

# At p99.9, two of 2,000 calls may exceed the target: the smallest window in which one more or less is not decisive.
_FULL_CALLS = 2_000
_FEW_CALLS = 100
_FEW_CALLS_AGE_S = 2.0
_CALLS_PER_VIOLATION = 1_000
_FIRST_REST_S = 5.0
_LONGEST_REST_S = 40.0
# The part of the throughput that a smaller limit must preserve to count as lossless.
_KEPT = 0.97


class AdaptiveCapState(enum.Enum):
    """How the limit relates to the target."""

    # The last window was within the budget, or none was judged yet.
    STEADY = "steady"
    # Windows exceed the budget, and the limit shrinks as long as that helps.
    SHRINKING = "shrinking"
    # Shrinking did not help. Lasts until a window is within the budget again.
    OUT_OF_REACH = "outOfReach"


@dataclass(frozen=True, slots=True, kw_only=True)
class CapCounts:
    """The counts of one window of calls. Times are in seconds."""

    # At least 1.
    calls: int
    # The number of them that took longer than the target.
    over: int
    # The number of them that ended while other calls waited for a permit.
    waited: int
    mean_s: float
    least_s: float
    # From the end of the first call to the judgement.
    span_s: float

    @property
    def over_share(self) -> float:
        """The share of calls over the target."""
        return self.over / self.calls

    @property
    def calls_per_second(self) -> float:
        """The throughput. The first call is not counted, because its end starts the span."""
        return (self.calls - 1) / max(self.span_s, 1e-6)


@dataclass(frozen=True, slots=True)
class _CapTrial:
    """A limit that exceeded the target, and its results."""

    limit: int
    gave: CapCounts

    def helped_after(self, larger: _CapTrial) -> bool:
        """Return whether a smaller limit was worth it (ADAPT-8).

        It was if clearly fewer calls exceeded the target, or at least half of the latency that a pure queue would have
        saved was saved, or no throughput was lost.
        """
        fewer = self.gave.over_share < larger.gave.over_share * 0.7
        quicker = 2 * larger.limit * self.gave.mean_s <= larger.gave.mean_s * (larger.limit + self.limit)
        return fewer or quicker or self.gave.calls_per_second >= larger.gave.calls_per_second * _KEPT


class AdaptiveCap:
    """The controller. Pure: it receives the counts and time of each window and reads no clock.

    If more than 1 call in 1,000 exceeds the target, it shrinks the limit by a fifth. If fewer than half as many do and
    callers wait for permits, it grows the limit. If shrinking costs throughput without reducing latency, the target is
    out of reach (a slow server, not a queue): it returns to the smallest limit that preserved the throughput, and
    pauses.
    """

    __slots__ = ("limit", "state", "_most", "_quick_below", "_least_s", "_rest_s", "_rest_until_s", "_episode")

    def __init__(self, most: int) -> None:
        """`most`: the maximum limit, at least 1."""
        # The current limit, and its relation to the target.
        self.limit = min(INITIAL_CAP, most)
        self.state = AdaptiveCapState.STEADY
        self._most = most
        self._quick_below = most
        self._least_s = math.inf
        self._rest_s = _FIRST_REST_S
        self._rest_until_s = -math.inf
        # Bounded: shrinking by fifths takes about sixty steps from 1,000,000 to 1.
        self._episode: list[_CapTrial] = []

    def change_most(self, most: int) -> None:
        """Set another maximum, because calls use another transport from now on."""
        self._most = most
        self.limit = min(self.limit, most)

    def is_due(self, calls: int, over: int, age_s: float) -> bool:
        """Return whether a window of this many calls is judged now (ADAPT-3)."""
        if age_s < LEAST_WINDOW_AGE_S:
            return False
        # Four times the budget is conclusive after two rounds of all permits.
        beyond_doubt = over >= 4 and over * _CALLS_PER_VIOLATION > 4 * calls and calls >= 2 * self.limit
        return calls >= _FULL_CALLS or beyond_doubt or (age_s >= _FEW_CALLS_AGE_S and calls >= _FEW_CALLS)

    def judge(self, window: CapCounts, now_s: float) -> None:
        """Judge a window. May change the limit and the state."""
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
        """Little's law: fewer calls in flight than throughput × the minimum latency cannot sustain that throughput."""
        return min(max(math.ceil(trial.gave.calls_per_second * self._least_s), 1), self.limit)

    def _give_up(self, now_s: float) -> None:
        if self.state is not AdaptiveCapState.OUT_OF_REACH:
            # The server may recover soon: then grow back quickly, to a step below the limit that was too large.
            self._quick_below = self._episode[0].limit * 4 // 5
        best = max(trial.gave.calls_per_second for trial in self._episode)
        self.limit = min(trial.limit for trial in self._episode if trial.gave.calls_per_second >= best * _KEPT)
        self._episode.clear()
        self.state = AdaptiveCapState.OUT_OF_REACH
        self._rest_until_s = now_s + self._rest_s
        self._rest_s = min(self._rest_s * 2, _LONGEST_REST_S)
