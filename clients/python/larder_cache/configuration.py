"""Settings: immutable, checked once, each documented where it stands."""

from __future__ import annotations

import dataclasses
import enum
from dataclasses import dataclass


class Transport(enum.Enum):
    """How calls travel. AUTO is pipelined, and unary where the server has no pipeline or a value is large."""

    AUTO = "auto"
    UNARY = "unary"
    PIPELINE = "pipeline"


@dataclass(frozen=True, slots=True, kw_only=True)
class Configuration:
    """How a client behaves. Start from `Configurations` and override with the `with_…` methods.

    Errors: ValueError where a value is outside its range, naming it.
    """

    # The one deadline of a call: all its waiting, sending and retrying. Seconds, above 0. Raise it for links with
    # long round trips; lower it where a late value is worth no more than a miss.
    request_timeout_s: float
    # Calls in flight at once over the unary transport; None: no cap. Each is an HTTP/2 request, and in Python the
    # event loop's one thread is the limit: past 50–100 only latency rises (the published tuning runs).
    max_in_flight_unary: int | None
    # Calls in flight at once over the pipelined transport; None: no cap. Calls share messages, so that more of them
    # make each cheaper (tuner/results; docs/decisions).
    max_in_flight_pipeline: int | None
    # A cap that finds itself: the time from a call's permit to its end that at most 1 call in 1,000 may exceed (p99.9).
    # Seconds, 0.0001 to request_timeout_s; None: the cap stays as it is set. The cap then moves between 1 and the one
    # above (at most 100,000), beginning at 16; waiting for it is not counted. Set it where the server's speed changes,
    # or nobody has tuned the cap. Rules: protocol/spec/adaptive-cap.md.
    adaptive_target_s: float | None = None
    # Calls that may wait for the cap; past that a call fails at once with CLIENT_OVERLOADED. 1 to 1,000,000.
    # Source: 20,000 waiters are about a second's work at the slowest published rate.
    queue_limit: int = 20_000
    # Connections for unary calls. 1 to 100. One is enough in asyncio: its one thread is the limit (published runs).
    channels: int = 1
    # Sends after the first, all within the deadline. 0 to 10. Source: names.md, as the published clients.
    max_retries: int = 3
    # Part of the calls that may be added by retries, over time. 0 to 1. Source: RETRY-6, at most 10 %.
    retry_budget: float = 0.1
    # The longest first wait before a retry, in seconds; each further one doubles it. 0.001 to 10. Source: RETRY-11.
    initial_back_off_s: float = 0.08
    # The longest wait before any retry, in seconds. initial_back_off_s to 60. Source: RETRY-11.
    max_back_off_s: float = 1.0
    transport: Transport = Transport.AUTO
    # Connect when the client is entered, waiting at most this long, in seconds; None: on the first call.
    eager_connect_timeout_s: float | None = None
    # HTTP/2 ping after this long without traffic, in seconds, at least 5 (servers take more often as abuse);
    # None: no pings, for places that freeze processes between calls.
    keepalive_interval_s: float | None = 5.0
    # A connection whose ping is unanswered this long, in seconds, is replaced. At most 10 s pass between packets
    # vanishing and reconnecting (interval + timeout).
    keepalive_timeout_s: float = 1.0

    def __post_init__(self) -> None:
        _check("request_timeout_s", self.request_timeout_s, 0.001, 86_400)
        for name in ("max_in_flight_unary", "max_in_flight_pipeline"):
            if (cap := getattr(self, name)) is not None:
                _check(name, cap, 1, 1_000_000)
        if self.adaptive_target_s is not None:
            _check("adaptive_target_s", self.adaptive_target_s, 0.0001, self.request_timeout_s)
        _check("queue_limit", self.queue_limit, 1, 1_000_000)
        _check("channels", self.channels, 1, 100)
        _check("max_retries", self.max_retries, 0, 10)
        _check("retry_budget", self.retry_budget, 0, 1)
        _check("initial_back_off_s", self.initial_back_off_s, 0.001, 10)
        _check("max_back_off_s", self.max_back_off_s, self.initial_back_off_s, 60)
        if self.eager_connect_timeout_s is not None:
            _check("eager_connect_timeout_s", self.eager_connect_timeout_s, 0.001, 3_600)
        if self.keepalive_interval_s is not None:
            _check("keepalive_interval_s", self.keepalive_interval_s, 5, 86_400)
        _check("keepalive_timeout_s", self.keepalive_timeout_s, 0.1, 3_600)

    def with_request_timeout_s(self, seconds: float) -> Configuration:
        """Return a copy with another deadline for each call."""
        return dataclasses.replace(self, request_timeout_s=seconds)

    def with_max_in_flight(self, cap: int | None) -> Configuration:
        """Return a copy with another cap, for both transports; None takes the cap off."""
        return dataclasses.replace(self, max_in_flight_unary=cap, max_in_flight_pipeline=cap)

    def with_adaptive_target_s(self, seconds: float | None) -> Configuration:
        """Return a copy whose cap adapts to a target for p99.9; None: it stays as it is set."""
        return dataclasses.replace(self, adaptive_target_s=seconds)

    def with_queue_limit(self, callers: int) -> Configuration:
        """Return a copy with another bound on the callers that wait for the cap."""
        return dataclasses.replace(self, queue_limit=callers)

    def with_channels(self, channels: int) -> Configuration:
        """Return a copy with another number of connections for unary calls."""
        return dataclasses.replace(self, channels=channels)

    def with_max_retries(self, retries: int) -> Configuration:
        """Return a copy with another number of sends after the first."""
        return dataclasses.replace(self, max_retries=retries)

    def with_transport(self, transport: Transport) -> Configuration:
        """Return a copy with another transport."""
        return dataclasses.replace(self, transport=transport)

    def with_eager_connect_timeout_s(self, seconds: float | None) -> Configuration:
        """Return a copy that connects on entry, waiting at most so long (None: on the first call)."""
        return dataclasses.replace(self, eager_connect_timeout_s=seconds)


def _check(name: str, value: float, least: float, most: float) -> None:
    if not least <= value <= most:
        raise ValueError(f"{name} must be from {least:,} to {most:,}, not {value!r}")
