"""Who is told of a client's calls."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from larder_cache._internal.calls.in_flight_limiter import InFlightLimiter
from larder_cache._internal.operations.call import Call
from larder_cache._internal.telemetry.telemetry import CallListener, GuardedMetrics, Metrics, ObservedCall, Telemetry
from larder_cache._internal.telemetry.tracing import Spans, Tracing


@dataclass(frozen=True, slots=True)
class Observers:
    """As CacheClient was given them."""

    metrics: Metrics | None = None
    tracing: Tracing | None = None

    def guarded(self) -> GuardedMetrics | None:
        """Return the metrics, whose failures cost nothing."""
        return None if self.metrics is None else GuardedMetrics(self.metrics)

    def listener(
        self, metrics: GuardedMetrics | None, endpoint: str, limiter: InFlightLimiter, is_timed: bool
    ) -> tuple[CallListener | None, Callable[..., Call]]:
        """Return who is told of each call's end, and what makes a call.

        `metrics`: those of `guarded`. `is_timed`: calls are to know when they were made, whoever else listens.
        """
        told = None if metrics is None else Telemetry(metrics, limiter, endpoint)
        if self.tracing is None:
            return told, ObservedCall if is_timed or told is not None else Call
        spans = Spans(self.tracing, endpoint, told)
        return spans, spans.make


NOBODY = Observers()
