"""The objects that observe the calls of a client: metrics and tracing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from larder_cache._internal.calls.in_flight_limiter import InFlightLimiter
from larder_cache._internal.operations.call import Call
from larder_cache._internal.telemetry.telemetry import CallListener, GuardedMetrics, Metrics, ObservedCall, Telemetry
from larder_cache._internal.telemetry.tracing import Spans, Tracing


@dataclass(frozen=True, slots=True)
class Observers:
    """The metrics and tracing objects that were passed to CacheClient."""

    metrics: Metrics | None = None
    tracing: Tracing | None = None

    def guarded(self) -> GuardedMetrics | None:
        """Return the metrics in a wrapper that catches their exceptions, or None if there are no metrics."""
        return None if self.metrics is None else GuardedMetrics(self.metrics)

    def listener(
        self, metrics: GuardedMetrics | None, endpoint: str, limiter: InFlightLimiter, is_timed: bool
    ) -> tuple[CallListener | None, Callable[..., Call]]:
        """Return the listener for the end of calls, and the function that creates a call.

        Args:
            metrics: The result of `guarded`.
            is_timed: Whether a call must record when it was created, even if there is no listener.
        """
        told = None if metrics is None else Telemetry(metrics, limiter, endpoint)
        if self.tracing is None:
            return told, ObservedCall if is_timed or told is not None else Call
        spans = Spans(self.tracing, endpoint, told)
        return spans, spans.make


NOBODY = Observers()
