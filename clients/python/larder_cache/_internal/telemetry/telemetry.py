"""Reports the metrics of a client's calls to the application's `Metrics`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from time import perf_counter
from typing import TYPE_CHECKING, Any, Protocol

from larder_cache import responses as r
from larder_cache._internal.common import log
from larder_cache._internal.operations._generated.operations import GET, GET_WITH_HASH
from larder_cache._internal.operations.call import Call
from larder_cache._internal.telemetry.call_attributes import CallAttributes, at_end

if TYPE_CHECKING:
    from larder_cache._internal.calls.in_flight_limiter import InFlightLimiter

# Histograms in seconds. The duration of an operation is the sum of its queue duration and its wire duration.
OPERATION_DURATION = "cache.client.operation.duration"
QUEUE_DURATION = "cache.client.queue.duration"
WIRE_DURATION = "cache.client.wire.duration"
# The duration of an operation, with attributes according to OpenTelemetry's semantic conventions for databases
# (`record_call`).
DATABASE_DURATION = "db.client.operation.duration"
# The names of counters.
HITS = "cache.hits"
MISSES = "cache.misses"
# The names of gauges.
IN_FLIGHT = "cache.client.in_flight"
IN_FLIGHT_LIMIT = "cache.client.in_flight.limit"
# 1 if the latency target cannot be reached even with a smaller limit, otherwise 0. Missing if no target is configured.
OUT_OF_REACH = "cache.client.target.out_of_reach"
# The number of connections to all gateways, and the number of gateways that get no calls. Missing with a single server.
CONNECTIONS = "cache.client.connections"
GATEWAYS_LEFT_OUT = "cache.client.gateways.left_out"

# The counters of the near cache. The keys are the names of the fields of NearCacheStatistics. Two gauges follow: the
# number and the size of the current copies.
NEAR_COUNTS = {
    name: f"cache.client.near.{name}" for name in ("hits", "kept", "invalidations", "clears", "poisoned", "evictions")
}
NEAR_COPIES = "cache.client.near.copies"
NEAR_BYTES = "cache.client.near.bytes"

# Metrics of topics: counters of items, discontinuities and reopened streams, and a gauge of subscriptions.
TOPIC_ITEMS = "cache.client.topic.items"
TOPIC_DISCONTINUITIES = "cache.client.topic.discontinuities"
TOPIC_RECONNECTS = "cache.client.topic.reconnects"
SUBSCRIPTIONS = "cache.client.topic.subscriptions"


class Metrics(Protocol):
    """Receives the metrics of a client. Use `OpenTelemetryMetrics`, or implement these three methods.

    A fourth method, `record_call(seconds, attributes)`, is optional. It receives the duration of each call with
    attributes according to OpenTelemetry's semantic conventions for databases (docs/names.md).

    The methods run on the client's event loop and must return quickly. An exception is logged once and does not affect
    the call.
    """

    def record(self, name: str, seconds: float, attributes: Mapping[str, str]) -> None:
        """Record a duration in a histogram. The attributes are `cache.operation` and `cache.outcome`."""

    def add(self, name: str, count: int, attributes: Mapping[str, str]) -> None:
        """Add to a counter. The attribute is `cache.operation`."""

    def watch(self, name: str, read: Callable[[], int | None]) -> None:
        """Register a gauge.

        `read` may be called at any time and on any thread. It returns the value of the gauge, or None if there is no
        value.

        The counters of a near cache (`cache.client.near.hits` …) are also registered with this method.
        """


class GuardedMetrics:
    """Wraps the metrics of an application and catches their exceptions.

    The first exception is logged with its traceback.
    """

    def __init__(self, metrics: Metrics) -> None:
        self._metrics = metrics
        self._record_call: Callable[[float, Mapping[str, Any]], None] | None = getattr(metrics, "record_call", None)
        self._said = False

    @property
    def wants_calls(self) -> bool:
        """Whether the application's metrics have a `record_call` method."""
        return self._record_call is not None

    def record_call(self, seconds: float, attributes: Mapping[str, Any]) -> None:
        """Forward to `record_call`, if the application's metrics have this method."""
        if self._record_call is not None:
            try:
                self._record_call(seconds, attributes)
            except Exception as error:
                self._say(error)

    def record(self, name: str, seconds: float, attributes: Mapping[str, str]) -> None:
        """Forward to `Metrics.record`."""
        try:
            self._metrics.record(name, seconds, attributes)
        except Exception as error:
            self._say(error)

    def add(self, name: str, count: int, attributes: Mapping[str, str]) -> None:
        """Forward to `Metrics.add`."""
        try:
            self._metrics.add(name, count, attributes)
        except Exception as error:
            self._say(error)

    def watch(self, name: str, read: Callable[[], int | None]) -> None:
        """Forward to `Metrics.watch`."""
        try:
            self._metrics.watch(name, read)
        except Exception as error:
            self._say(error)

    def _say(self, error: Exception) -> None:
        if not self._said:
            self._said = True
            log.observer_raised("metrics", error)


class CallListener(Protocol):
    """Is notified when a call ends."""

    def ended(self, call: Call, response: Any) -> None:
        """Record the end of a call. `response` is what the caller gets, or None if the caller was cancelled."""


class ObservedCall(Call):
    """A call that records when it was created and when it got its permit.

    The times have a resolution of nanoseconds. The clock of the event loop is not precise enough, because uvloop's
    clock counts milliseconds.
    """

    __slots__ = ("made_at", "admitted_at", "earlier")

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        # The number of attempts before the attempt counter was reset.
        self.earlier = 0
        # A call that does not wait gets its permit immediately.
        self.made_at = self.admitted_at = perf_counter()

    def admit(self) -> None:
        """Take the permit, record the time, and send the call."""
        self.admitted_at = perf_counter()
        super().admit()

    @property
    def sends(self) -> int:
        """The number of attempts on both transports."""
        return self.earlier + self.attempts


class Telemetry:
    """Reports the calls of one client to its metrics. Only created if the client has metrics."""

    def __init__(self, metrics: GuardedMetrics, limiter: InFlightLimiter, endpoint: str) -> None:
        self._metrics = metrics
        self._by_convention = CallAttributes(endpoint) if metrics.wants_calls else None
        # The size is limited by the number of operations times the number of outcomes.
        self._attributes: dict[tuple[str, str], dict[str, str]] = {}
        metrics.watch(IN_FLIGHT, lambda: limiter.in_flight)
        metrics.watch(IN_FLIGHT_LIMIT, lambda: limiter.limit)

    def ended(self, call: Call, response: Any) -> None:
        """Report a call. `response` is what the caller gets, or None if the caller was cancelled."""
        if not isinstance(call, ObservedCall):
            return
        now = perf_counter()
        name = call.operation.name
        attributes = self._of(name, _outcome(response))
        self._metrics.record(OPERATION_DURATION, now - call.made_at, attributes)
        # A call that was never sent spent its whole time in the queue.
        admitted = call.admitted_at if call.attempts else now
        self._metrics.record(QUEUE_DURATION, admitted - call.made_at, attributes)
        if call.attempts:
            self._metrics.record(WIRE_DURATION, now - admitted, attributes)
        if self._by_convention is not None:
            told = self._by_convention.of(call) | at_end(call.sends, response)
            self._metrics.record_call(now - call.made_at, told)
        hits, misses = _found(call, response)
        if hits:
            self._metrics.add(HITS, hits, self._of(name, ""))
        if misses:
            self._metrics.add(MISSES, misses, self._of(name, ""))

    def _of(self, operation: str, outcome: str) -> dict[str, str]:
        found = self._attributes.get((operation, outcome))
        if found is None:
            found = {"cache.operation": operation} | ({"cache.outcome": outcome} if outcome else {})
            self._attributes[operation, outcome] = found
        return found


def _outcome(response: Any) -> str:
    """Return the name of the response's type, or the code if the response is an error."""
    if response is None:
        return "Cancelled"
    return response.code.value if isinstance(response, r.Error) else type(response).__name__


def _found(call: Call, response: Any) -> tuple[int, int]:
    """Return the numbers of hits and misses of a read.

    Counts reads of single items, batches and values with hashes. Does not count reads of collections.
    """
    if isinstance(response, (r.Hit, r.FoundWithHash)):
        return 1, 0
    missed = (GET, r.Miss), (GET_WITH_HASH, r.Missing)
    if (call.operation, type(response)) in missed:
        return 0, 1
    if isinstance(response, r.GetBatchSuccess):
        hits = sum(isinstance(each, r.Hit) for each in response.responses)
        return hits, sum(isinstance(each, r.Miss) for each in response.responses)
    return 0, 0
