"""What a client reports of its calls: to whatever `Metrics` its user gives it."""

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

# Histograms, in seconds. Queue and wire together are the operation.
OPERATION_DURATION = "cache.client.operation.duration"
QUEUE_DURATION = "cache.client.queue.duration"
WIRE_DURATION = "cache.client.wire.duration"
# The operation's once more, with attributes by OpenTelemetry's conventions for databases (`record_call`).
DATABASE_DURATION = "db.client.operation.duration"
# Counters.
HITS = "cache.hits"
MISSES = "cache.misses"
# Gauges.
IN_FLIGHT = "cache.client.in_flight"
IN_FLIGHT_LIMIT = "cache.client.in_flight.limit"
# 1 while the adaptive cap found that a smaller one does not help; there is none without a target.
OUT_OF_REACH = "cache.client.target.out_of_reach"
# Connections to all gateways, and how many gateways get no calls; there are none with one server.
CONNECTIONS = "cache.client.connections"
GATEWAYS_LEFT_OUT = "cache.client.gateways.left_out"

# Of a near cache: what was counted so far, by its name in NearCacheStatistics; copies now, and their bytes.
NEAR_COUNTS = {
    name: f"cache.client.near.{name}" for name in ("hits", "kept", "invalidations", "clears", "poisoned", "evictions")
}
NEAR_COPIES = "cache.client.near.copies"
NEAR_BYTES = "cache.client.near.bytes"

# Topics: counters of items, of discontinuities and of streams asked for again; a gauge of subscriptions.
TOPIC_ITEMS = "cache.client.topic.items"
TOPIC_DISCONTINUITIES = "cache.client.topic.discontinuities"
TOPIC_RECONNECTS = "cache.client.topic.reconnects"
SUBSCRIPTIONS = "cache.client.topic.subscriptions"


class Metrics(Protocol):
    """Where a client's figures go: `OpenTelemetryMetrics`, or three methods of your own.

    With a fourth, `record_call(seconds, attributes)`, they are told each call's duration once more, with attributes by
    OpenTelemetry's conventions for databases (docs/names.md).

    Called in line, on the client's event loop: be quick. What they raise is logged once and costs no call.
    """

    def record(self, name: str, seconds: float, attributes: Mapping[str, str]) -> None:
        """Put one duration into a histogram. `attributes`: `cache.operation`, `cache.outcome`."""

    def add(self, name: str, count: int, attributes: Mapping[str, str]) -> None:
        """Add to a counter. `attributes`: `cache.operation`."""

    def watch(self, name: str, read: Callable[[], int | None]) -> None:
        """Show a gauge: `read` answers its value at any time and on any thread; None: there is none.

        The figures of a near cache that only grow (`cache.client.near.hits` …) are shown by it too.
        """


class GuardedMetrics:
    """A user's metrics, whose failures stay theirs: the first is logged, with its trace."""

    def __init__(self, metrics: Metrics) -> None:
        self._metrics = metrics
        self._record_call: Callable[[float, Mapping[str, Any]], None] | None = getattr(metrics, "record_call", None)
        self._said = False

    @property
    def wants_calls(self) -> bool:
        """Whether they have a `record_call`."""
        return self._record_call is not None

    def record_call(self, seconds: float, attributes: Mapping[str, Any]) -> None:
        """As Metrics, where they have one."""
        if self._record_call is not None:
            try:
                self._record_call(seconds, attributes)
            except Exception as error:
                self._say(error)

    def record(self, name: str, seconds: float, attributes: Mapping[str, str]) -> None:
        """As Metrics."""
        try:
            self._metrics.record(name, seconds, attributes)
        except Exception as error:
            self._say(error)

    def add(self, name: str, count: int, attributes: Mapping[str, str]) -> None:
        """As Metrics."""
        try:
            self._metrics.add(name, count, attributes)
        except Exception as error:
            self._say(error)

    def watch(self, name: str, read: Callable[[], int | None]) -> None:
        """As Metrics."""
        try:
            self._metrics.watch(name, read)
        except Exception as error:
            self._say(error)

    def _say(self, error: Exception) -> None:
        if not self._said:
            self._said = True
            log.observer_raised("metrics given to the client raise; they go", error)


class CallListener(Protocol):
    """What is told of each call's end."""

    def ended(self, call: Call, response: Any) -> None:
        """Hear of a call. `response`: what its caller gets; None where the caller was cancelled."""


class ObservedCall(Call):
    """A call that remembers when it was made and when it got its permit, by a clock of nanoseconds.

    The loop's own clock will not do: uvloop's counts milliseconds.
    """

    __slots__ = ("made_at", "admitted_at", "earlier")

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        # Sends before its attempts were counted anew.
        self.earlier = 0
        # A call that waits for no permit has it at once.
        self.made_at = self.admitted_at = perf_counter()

    def admit(self) -> None:
        """Take the permit, note when, and be sent."""
        self.admitted_at = perf_counter()
        super().admit()

    @property
    def sends(self) -> int:
        """How often it was sent, by either transport."""
        return self.earlier + self.attempts


class Telemetry:
    """Names what the calls of one client did, and reports it. There is none where no metrics were given."""

    def __init__(self, metrics: GuardedMetrics, limiter: InFlightLimiter, endpoint: str) -> None:
        self._metrics = metrics
        self._by_convention = CallAttributes(endpoint) if metrics.wants_calls else None
        # Bounded: as many as there are operations, times outcomes.
        self._attributes: dict[tuple[str, str], dict[str, str]] = {}
        metrics.watch(IN_FLIGHT, lambda: limiter.in_flight)
        metrics.watch(IN_FLIGHT_LIMIT, lambda: limiter.limit)

    def ended(self, call: Call, response: Any) -> None:
        """Report a call. `response`: what its caller gets; None where the caller was cancelled."""
        if not isinstance(call, ObservedCall):
            return
        now = perf_counter()
        name = call.operation.name
        attributes = self._of(name, _outcome(response))
        self._metrics.record(OPERATION_DURATION, now - call.made_at, attributes)
        # A call that was never sent has waited all its life.
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
    """Return the response's name, or its error's code."""
    if response is None:
        return "Cancelled"
    return response.code.value if isinstance(response, r.Error) else type(response).__name__


def _found(call: Call, response: Any) -> tuple[int, int]:
    """Return how many items a read found, and how many not: single ones, batches and hashes, no collections."""
    if isinstance(response, (r.Hit, r.FoundWithHash)):
        return 1, 0
    missed = (GET, r.Miss), (GET_WITH_HASH, r.Missing)
    if (call.operation, type(response)) in missed:
        return 0, 1
    if isinstance(response, r.GetBatchSuccess):
        hits = sum(isinstance(each, r.Hit) for each in response.responses)
        return hits, sum(isinstance(each, r.Miss) for each in response.responses)
    return 0, 0
