"""Settings: immutable, checked once, each documented where it stands (protocol/spec/configuration.md)."""

from __future__ import annotations

import dataclasses
import enum
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypedDict, Unpack

from larder_cache._internal.configuration.headers import Headers
from larder_cache.near_cache import NearCache

# A call's own deadline has the same bound.
MOST_TIMEOUT_S = 3_600


class Transport(enum.Enum):
    """How calls travel. AUTO is pipelined, and unary where the server has no pipeline or a value is large."""

    AUTO = "auto"
    UNARY = "unary"
    PIPELINE = "pipeline"


class Settings(TypedDict, total=False):
    """What `Configuration.with_settings` takes, by name."""

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
    """How a client behaves. Start from `Configurations` and change a copy: `.with_settings(queue_limit=100)`.

    Errors name the setting: ValueError where a value is outside its range, TypeError where it is of another type.
    """

    # The one deadline of a call: all its waiting, sending and retrying. Seconds, 0.001 to 3,600. Raise it for links
    # with long round trips; lower it where a late value is worth no more than a miss.
    request_timeout_s: float
    # Calls in flight at once where all travel unary, 1 to 100,000; None: no cap. Each is an HTTP/2 request, and in
    # Python the event loop's one thread is the limit: past 50–100 only latency rises (the published tuning runs).
    max_in_flight_unary: int | None
    # Calls in flight at once where they are pipelined, 1 to 100,000; None: no cap. Calls share messages, so that more
    # of them make each cheaper (tuner/results; docs/decisions). Large ones, which travel unary, are among them.
    max_in_flight_pipeline: int | None
    # A cap that finds itself: the time from a call's permit to its end that at most 1 call in 1,000 may exceed (p99.9).
    # Seconds, 0.0001 to request_timeout_s; None: the cap stays as it is set. The cap then moves between 1 and the one
    # above (at most 100,000), beginning at 16; waiting for it is not counted. Set it where the server's speed changes,
    # or nobody has tuned the cap. Rules: protocol/spec/adaptive-cap.md.
    adaptive_target_s: float | None = None
    # Calls that may wait for the cap; past that a call fails at once with CLIENT_OVERLOADED. 0 to 1,000,000.
    # Source: two seconds of work at 10,000 answers a second.
    queue_limit: int = 20_000
    # Connections for unary calls, 0 to 100; 0: one for each 100 of max_in_flight_unary, as many as a server lets
    # share one (LIM-6). One is enough in asyncio: its one thread is the limit (published runs).
    channels: int = 1
    # Sends after the first, all within the deadline. 0 to 10. Source: RETRY-4, as the published clients.
    max_retries: int = 3
    # Part of the calls that may be added by retries, over time. 0 to 1. Source: RETRY-6, at most 10 %.
    retry_budget: float = 0.1
    # The longest first wait before a retry, in seconds; each further one doubles it. 0.001 to 10. Source: RETRY-11.
    initial_back_off_s: float = 0.08
    # The longest wait before a retry or a reconnection, in seconds. initial_back_off_s to 60. Source: RETRY-11.
    max_back_off_s: float = 1.0
    # How calls travel: Transport.AUTO is pipelined, and unary if the server has no pipeline or a value is large.
    transport: Transport = Transport.AUTO
    # Whether entering a client (`async with`, `with`) connects it, or fails; otherwise its first call connects.
    eager_connect: bool = False
    # How long one attempt to connect may take, in seconds, 0.001 to 60. Source: a SYN is sent again after 1 and 3 s.
    connect_timeout_s: float = 5.0
    # HTTP/2 ping after this long without traffic, in seconds, 1 to 3,600; None: no pings, for places that freeze
    # processes between calls.
    keepalive_interval_s: float | None = 5.0
    # A connection whose ping is unanswered this long, in seconds, 1 to 60, is replaced. At most 10 s pass between
    # packets vanishing and reconnecting (interval + timeout).
    keepalive_timeout_s: float = 1.0
    # Metadata sent with every call besides the client's own: names in lower case, values of printable ASCII.
    headers: Mapping[str, str] = Headers({})
    # Copies of what the client reads, which the server keeps right: `NearCache(max_bytes=…)`; None: there are none. A
    # read that finds one takes a microsecond and asks nobody. Not with Transport.UNARY, as it lives on the pipeline's
    # stream. Rules: protocol/spec/near-cache.md.
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
                raise ValueError("near_cache cannot be had with Transport.UNARY: it lives on the pipeline's stream")

    def with_settings(self, **changes: Unpack[Settings]) -> Configuration:
        """Return a copy with other values for the settings named, checked likewise. TypeError for an unknown name."""
        return dataclasses.replace(self, **changes)

    def _is(self, name: str, kind: type[Any], said: str) -> None:
        if not isinstance(value := getattr(self, name), kind):
            raise TypeError(f"{name} must be {said}, not {type(value).__name__}")

    def _number(self, name: str, least: float, most: float, *, whole: bool = False, none: bool = False) -> None:
        value = getattr(self, name)
        if value is None and none:
            return
        # A truth value is an int to Python, and no number to anybody.
        if not isinstance(value, int if whole else (int, float)) or isinstance(value, bool):
            kind = "a whole number" if whole else "a number"
            raise TypeError(f"{name} must be {kind}{' or None' if none else ''}, not {type(value).__name__}")
        # Also refuses NaN, which compares false.
        if not least <= value <= most:
            raise ValueError(
                f"{name} must be from {least:,} to {most:,}{' or None' if none else ''}, not {value!r:.40}"
            )
