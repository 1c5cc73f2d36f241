"""Reports the spans of a client's calls to the application's `Tracing`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from larder_cache._internal.common import log
from larder_cache._internal.operations.call import Call
from larder_cache._internal.telemetry.call_attributes import CallAttributes, at_end, batch_size
from larder_cache._internal.telemetry.telemetry import CallListener, ObservedCall


class Tracing(Protocol):
    """Receives the spans of a client. Use `OpenTelemetryTracing`, or implement these two methods.

    The methods must return quickly. An exception is logged once and does not affect the call.
    """

    def start(self, name: str, attributes: Mapping[str, Any]) -> Any:
        """Start the span of a call and return it.

        The method runs in the context of the caller. The caller's current span is the parent of the new span. The new
        span does not become the current span.

        Args:
            name: The operation and its cache, for example `get orders`.
            attributes: The attributes that are known at the start.
        """

    def end(self, span: Any, attributes: Mapping[str, Any]) -> None:
        """End a span that `start` returned.

        Args:
            span: The span.
            attributes: The attributes that are known now, including `error.type` if the call failed.
        """


class TracedCall(ObservedCall):
    """A call with its span."""

    __slots__ = ("span",)

    span: Any


class Spans:
    """Creates a span for each call of one event loop. The span covers all retries of the call.

    When a call ends, the next listener is also notified.
    """

    def __init__(self, tracing: Tracing, endpoint: str, next_listener: CallListener | None) -> None:
        self._tracing = tracing
        self._attributes = CallAttributes(endpoint)
        self._next = next_listener
        self._said = False

    def make(self, *arguments: Any) -> Call:
        """Create a call and start its span."""
        call = TracedCall(*arguments)
        name = f"{call.operation.name} {call.cache}" if call.cache else call.operation.name
        call.span = None
        try:
            call.span = self._tracing.start(name, self._attributes.of(call) | batch_size(call))
        except Exception as error:
            self._say(error)
        return call

    def ended(self, call: Call, response: Any) -> None:
        """End the span of a call. `response` is what the caller gets, or None if the caller was cancelled."""
        if isinstance(call, TracedCall) and call.span is not None:
            span, call.span = call.span, None
            try:
                self._tracing.end(span, at_end(call.sends, response))
            except Exception as error:
                self._say(error)
        if self._next is not None:
            self._next.ended(call, response)

    def _say(self, error: Exception) -> None:
        if not self._said:
            self._said = True
            log.observer_raised("tracing", error)
