"""Reports metrics and spans of a client through OpenTelemetry's API.

Example: `CacheClient(…, metrics=OpenTelemetryMetrics(), tracing=OpenTelemetryTracing())`.

Requires the package opentelemetry-api: `larder-cache[opentelemetry]`.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from typing import Any

from larder_cache._internal.telemetry.telemetry import DATABASE_DURATION, NEAR_BYTES, NEAR_COPIES, NEAR_COUNTS

_SCOPE = "larder"


class OpenTelemetryMetrics:
    """Reports metrics through the instruments of one meter. Instruments are created on first use.

    Create one object per client, because each object registers the gauges of a single client.
    """

    def __init__(self, meter: Any = None) -> None:
        """Create the object that reports the metrics of one client.

        Args:
            meter: The `opentelemetry.metrics.Meter` that creates the instruments. The default is a meter of the
                global meter provider.

        Raises:
            ImportError: The package opentelemetry-api is not installed.
        """
        api = importlib.import_module("opentelemetry.metrics") if meter is None else None
        self._meter = meter if api is None else api.get_meter(_SCOPE)
        self._instruments: dict[str, Any] = {}

    def record(self, name: str, seconds: float, attributes: Mapping[str, str]) -> None:
        """Record a duration in a histogram."""
        histogram = self._instruments.get(name)
        if histogram is None:
            histogram = self._instruments[name] = self._meter.create_histogram(name, unit="s")
        histogram.record(seconds, attributes)

    def record_call(self, seconds: float, attributes: Mapping[str, Any]) -> None:
        """Record the duration of a call in the histogram of OpenTelemetry's semantic conventions for databases."""
        self.record(DATABASE_DURATION, seconds, attributes)

    def add(self, name: str, count: int, attributes: Mapping[str, str]) -> None:
        """Add to a counter."""
        counter = self._instruments.get(name)
        if counter is None:
            counter = self._instruments[name] = self._meter.create_counter(name, unit="{item}")
        counter.add(count, attributes)

    def watch(self, name: str, read: Callable[[], int | None]) -> None:
        """Register an observable gauge, or an observable counter for the counts of the near cache."""

        def observe(_: Any) -> list[Any]:
            observation = importlib.import_module("opentelemetry.metrics").Observation
            value = read()
            return [] if value is None else [observation(value)]

        if name in NEAR_COUNTS.values():
            self._meter.create_observable_counter(name, callbacks=[observe], unit="{item}")
        else:
            unit = {NEAR_BYTES: "By", NEAR_COPIES: "{item}"}.get(name, "{request}")
            self._meter.create_observable_gauge(name, callbacks=[observe], unit=unit)


class OpenTelemetryTracing:
    """Reports each call as a span of one tracer.

    The spans have the kind "client". The caller's current span is their parent.
    """

    def __init__(self, tracer: Any = None) -> None:
        """Create the object that starts the spans of one client.

        Args:
            tracer: The `opentelemetry.trace.Tracer` that starts the spans. The default is a tracer of the global
                tracer provider.

        Raises:
            ImportError: The package opentelemetry-api is not installed.
        """
        self._api: Any = importlib.import_module("opentelemetry.trace")
        self._tracer = self._api.get_tracer(_SCOPE) if tracer is None else tracer

    def start(self, name: str, attributes: Mapping[str, Any]) -> Any:
        """Start a span."""
        return self._tracer.start_span(name, kind=self._api.SpanKind.CLIENT, attributes=attributes)

    def end(self, span: Any, attributes: Mapping[str, Any]) -> None:
        """End a span. Its status is an error if the call failed."""
        for name, value in attributes.items():
            span.set_attribute(name, value)
        if "error.type" in attributes:
            span.set_status(self._api.Status(self._api.StatusCode.ERROR))
        span.end()
