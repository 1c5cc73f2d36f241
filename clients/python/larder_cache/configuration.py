"""Client settings: immutable, validated once, documented at each field (protocol/spec/configuration.md)."""

from __future__ import annotations

import dataclasses
import enum
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypedDict, Unpack

from larder_cache._internal.configuration.headers import Headers
from larder_cache.near_cache import NearCache

# The maximum of a call's own deadline too.
MOST_TIMEOUT_S = 3_600


class Transport(enum.Enum):
    """The transport of calls. AUTO is pipelined, and unary if the server has no pipeline or a value is large."""

    AUTO = "auto"
    UNARY = "unary"
    PIPELINE = "pipeline"


class Settings(TypedDict, total=False):
    """The keyword arguments of `Configuration.with_settings`."""

    request_timeout_s: float
    max_in_flight_unary: int | None
    max_in_flight_pipeline: int | None
    adaptive_target_s: float | None
    queue_limit: int
    channels: int
    max_retries: int
    retry_budget: float
    initial_back_off_s: float
    max_back_off_s: float
    transport: Transport
    eager_connect: bool
    connect_timeout_s: float
    keepalive_interval_s: float | None
    keepalive_timeout_s: float
    headers: Mapping[str, str]
    near_cache: NearCache | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Configuration:
    """The settings of a client. Start from `Configurations` and change a copy: `.with_settings(queue_limit=100)`.

    Errors name the setting: ValueError if a value is outside its range, TypeError if it has the wrong type.
    """

    # The deadline of a call, including all waiting, sending and retrying. Seconds, 0.001 to 3,600. Raise it for links
    # with long round trips; lower it if a late value is as useless as a miss.
    request_timeout_s: float
    # Maximum number of calls in flight if all are unary, 1 to 100,000; None: unlimited. Each is an HTTP/2 request, and
    # in Python the event loop's single thread is the limit: past 50–100 only latency rises (the published tuning runs).
    max_in_flight_unary: int | None
    # Maximum number of calls in flight if they are pipelined, 1 to 100,000; None: unlimited. Calls share messages, so
    # more of them make each cheaper (tuner/results; docs/decisions). Large calls that go unary count too.
    max_in_flight_pipeline: int | None
    # An adaptive concurrency limit: the time from a call's permit to its end that at most 1 call in 1,000 may exceed
    # (p99.9). Seconds, 0.0001 to request_timeout_s; None: the limit above is fixed. If set, the limit starts at 16 and
    # moves between 1 and the limit above (at most 100,000). Time spent waiting for a permit is not counted. Use it if
    # the server's speed varies or nobody has tuned the limit. Rules: protocol/spec/adaptive-cap.md.
    adaptive_target_s: float | None = None
    # Maximum number of calls that wait for a permit; further calls fail at once with CLIENT_OVERLOADED. 0 to 1,000,000.
    # Source: two seconds of work at 10,000 answers a second.
    queue_limit: int = 20_000
    # Connections for unary calls, 0 to 100. 0: one for each 100 of max_in_flight_unary, the number of calls that a
    # server allows on one connection (LIM-6). In asyncio one is enough, as its single thread is the limit (published
    # runs).
    channels: int = 1
    # Maximum number of retries of a call, all within its deadline. 0 to 10. Source: RETRY-4, as in the published
    # clients.
    max_retries: int = 3
    # Maximum share of calls that retries may add over time, 0 to 1. Source: RETRY-6, at most 10 %.
    retry_budget: float = 0.1
    # Maximum wait before the first retry, in seconds; it doubles with each further retry. 0.001 to 10. Source:
    # RETRY-11.
    initial_back_off_s: float = 0.08
    # Maximum wait before any retry or reconnection, in seconds, initial_back_off_s to 60. Source: RETRY-11.
    max_back_off_s: float = 1.0
    # Transport.AUTO is pipelined, and unary if the server has no pipeline or a value is large.
    transport: Transport = Transport.AUTO
    # Whether entering a client (`async with`, `with`) connects it or fails. Otherwise its first call connects.
    eager_connect: bool = False
    # Timeout of one attempt to connect, in seconds, 0.001 to 60. Source: TCP repeats a SYN after 1 and 3 s.
    connect_timeout_s: float = 5.0
    # Idle time before an HTTP/2 ping, in seconds, 1 to 3,600. None: no pings, for platforms that freeze processes
    # between calls.
    keepalive_interval_s: float | None = 5.0
    # A connection whose ping is unanswered for this long is replaced. Seconds, 1 to 60. A client reconnects at most
    # interval + timeout after packets began to be lost, at most 10 s.
    keepalive_timeout_s: float = 1.0
    # Metadata sent with every call in addition to the client's own: lower-case names, values of printable ASCII.
    headers: Mapping[str, str] = Headers({})
    # Keeps local copies of values that the client reads; the server invalidates them: `NearCache(max_bytes=…)`. None:
    # off. A read of a local copy takes a microsecond and sends nothing. Not available with Transport.UNARY, because it
    # uses the pipeline's stream. Rules: protocol/spec/near-cache.md.
    near_cache: NearCache | None = None

    def __post_init__(self) -> None:
        self._number("request_timeout_s", 0.001, MOST_TIMEOUT_S)
        self._number("max_in_flight_unary", 1, 100_000, none=True, whole=True)
        self._number("max_in_flight_pipeline", 1, 100_000, none=True, whole=True)
        self._number("adaptive_target_s", 0.0001, self.request_timeout_s, none=True)
        self._number("queue_limit", 0, 1_000_000, whole=True)
        self._number("channels", 0, 100, whole=True)
        self._number("max_retries", 0, 10, whole=True)
        self._number("retry_budget", 0, 1)
        self._number("initial_back_off_s", 0.001, 10)
        self._number("max_back_off_s", self.initial_back_off_s, 60)
        self._is("transport", Transport, "a Transport")
        self._is("eager_connect", bool, "True or False")
        self._number("connect_timeout_s", 0.001, 60)
        self._number("keepalive_interval_s", 1, 3_600, none=True)
        self._number("keepalive_timeout_s", 1, 60)
        object.__setattr__(self, "headers", Headers(self.headers))
        if self.near_cache is not None:
            self._is("near_cache", NearCache, "a NearCache or None")
            if self.transport is Transport.UNARY:
                raise ValueError("near_cache needs the pipeline and cannot be used with Transport.UNARY")

    def with_settings(self, **changes: Unpack[Settings]) -> Configuration:
        """Return a copy with the named settings changed and validated. Raises TypeError for an unknown name."""
        return dataclasses.replace(self, **changes)

    def _is(self, name: str, kind: type[Any], said: str) -> None:
        if not isinstance(value := getattr(self, name), kind):
            raise TypeError(f"{name} must be {said}, not {type(value).__name__}")

    def _number(self, name: str, least: float, most: float, *, whole: bool = False, none: bool = False) -> None:
        value = getattr(self, name)
        if value is None and none:
            return
        # A bool is an int in Python but not a valid number here.
        if not isinstance(value, int if whole else (int, float)) or isinstance(value, bool):
            kind = "an integer" if whole else "a number"
            raise TypeError(f"{name} must be {kind}{' or None' if none else ''}, not {type(value).__name__}")
        # Also rejects NaN, which compares false.
        if not least <= value <= most:
            raise ValueError(
                f"{name} must be from {least:,} to {most:,}{' or None' if none else ''}, not {value!r:.40}"
            )
