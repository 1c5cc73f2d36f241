"""Applies the adaptive limit to a client: counts completed calls and sets the limit of the limiter."""

from __future__ import annotations

import math
from time import perf_counter
from typing import Any

from larder_cache._internal.calls.adaptive_cap import LEAST_WINDOW_AGE_S, AdaptiveCap, AdaptiveCapState, CapCounts
from larder_cache._internal.calls.in_flight_limiter import InFlightLimiter
from larder_cache._internal.common import log
from larder_cache._internal.operations.call import Call
from larder_cache._internal.telemetry.telemetry import CallListener, ObservedCall
from larder_cache.responses import Error

# The maximum of an adaptive limit if the configuration sets none.
MOST_IN_FLIGHT = 100_000


class AdaptiveLimiter:
    """Counts completed calls and judges them in windows. Times are in seconds.

    The end of a call also ends a window, so no timer is needed.
    """

    __slots__ = (
        *("_limiter", "_cap", "_target_s", "_counts_from_s", "_begun_at_s"),
        *("_calls", "_over", "_waited", "_sum_s", "_least_s", "_first_ended_at_s"),
    )

    def __init__(self, limiter: InFlightLimiter, target_s: float, now_s: float) -> None:
        """Replace the limit of `limiter` with an adaptive limit.

        Args:
            limiter: The limiter. Its current limit becomes the maximum.
            target_s: The p99.9 target for the time from a call's permit to its end.
            now_s: The current time.
        """
        self._limiter = limiter
        self._cap = AdaptiveCap(limiter.limit or MOST_IN_FLIGHT)
        self._target_s = target_s
        # Calls that got their permit before the last change of the limit are not counted (ADAPT-2).
        self._counts_from_s = now_s
        self._begin(now_s)
        limiter.change_limit(self._cap.limit)

    @property
    def state(self) -> AdaptiveCapState:
        """How the limit relates to the target."""
        return self._cap.state

    @property
    def out_of_reach(self) -> bool:
        """Whether the target is out of reach, because a smaller limit does not help."""
        return self._cap.state is AdaptiveCapState.OUT_OF_REACH

    def change_most(self, most: int | None) -> None:
        """Set another maximum. Called when calls switch to another transport."""
        self._cap.change_most(most or MOST_IN_FLIGHT)
        self._limiter.change_limit(self._cap.limit)

    def ended(self, granted_at_s: float, now_s: float, *, failed: bool) -> None:
        """Count a completed call. A failed call counts only if it took longer than the target."""
        took = now_s - granted_at_s
        over = took > self._target_s
        if granted_at_s < self._counts_from_s or (failed and not over):
            return
        if self._calls == 0:
            self._first_ended_at_s = now_s
        self._calls += 1
        self._sum_s += took
        if over:
            self._over += 1
        if self._limiter.queued:
            self._waited += 1
        if took < self._least_s:
            self._least_s = took
        age = now_s - self._begun_at_s
        if age >= LEAST_WINDOW_AGE_S and self._cap.is_due(self._calls, self._over, age):
            self._judge(now_s)

    def _judge(self, now_s: float) -> None:
        cap, before, was_out = self._cap, self._cap.limit, self.out_of_reach
        counts = CapCounts(
            calls=self._calls,
            over=self._over,
            waited=self._waited,
            mean_s=self._sum_s / self._calls,
            least_s=self._least_s,
            span_s=now_s - self._first_ended_at_s,
        )
        cap.judge(counts, now_s)
        self._begin(now_s)
        if cap.limit != before:
            self._counts_from_s = now_s
            log.cap_changed(before, cap.limit)
            self._limiter.change_limit(cap.limit)
        if self.out_of_reach and not was_out:
            log.target_out_of_reach(self._target_s * 1_000, cap.limit)
        elif was_out and not self.out_of_reach:
            log.target_in_reach(self._target_s * 1_000, cap.limit)

    def _begin(self, now_s: float) -> None:
        self._begun_at_s = now_s
        self._calls = self._over = self._waited = 0
        self._sum_s = 0.0
        self._least_s = math.inf
        self._first_ended_at_s = 0.0


class AdaptiveCalls:
    """Reports the end of each call to the adaptive limit and to the next listener."""

    __slots__ = ("_adaptive", "_next")

    def __init__(self, adaptive: AdaptiveLimiter, next_listener: CallListener | None) -> None:
        self._adaptive = adaptive
        self._next = next_listener

    def ended(self, call: Call, response: Any) -> None:
        """Record the end of a call. A call that was never sent is not counted."""
        if call.attempts and isinstance(call, ObservedCall):
            failed = response is None or response.__class__ is Error
            self._adaptive.ended(call.admitted_at, perf_counter(), failed=failed)
        if self._next is not None:
            self._next.ended(call, response)
