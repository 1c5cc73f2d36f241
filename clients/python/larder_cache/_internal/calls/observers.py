"""The observers of a client's calls: metrics and tracing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from larder_cache._internal.calls.in_flight_limiter import InFlightLimiter
from larder_cache._internal.operations.call import Call
from larder_cache._internal.telemetry.telemetry import CallListener, GuardedMetrics, Metrics, ObservedCall, Telemetry
from larder_cache._internal.telemetry.tracing import Spans, Tracing


@dataclass(frozen=True, slots=True)
class Observers:
    """The observers that were passed to CacheClient."""

    metrics: Metrics | None = None
    tracing: Tracing | None = None

    def guarded(self) -> GuardedMetrics | None:
        """Return the metrics, wrapped so that their exceptions do no harm."""
        return None if self.metrics is None else GuardedMetrics(self.metrics)

    def listener(
        self, metrics: GuardedMetrics | None, endpoint: str, limiter: InFlightLimiter, is_timed: bool
    ) -> tuple[CallListener | None, Callable[..., Call]]:
        """Return the listener for the end of calls, and the function that creates a call.

        `metrics`: those of `guarded`. `is_timed`: whether calls must record when they were created, whichever listeners
        there are.
        """
        told = None if metrics is None else Telemetry(metrics, limiter, endpoint)
        if self.tracing is None:
            return told, ObservedCall if is_timed or told is not None else Call
        spans = Spans(self.tracing, endpoint, told)
        return spans, spans.make


NOBODY = Observers()
