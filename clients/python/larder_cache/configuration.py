"""The settings of a client. They are immutable and validated once (protocol/spec/configuration.md)."""

from __future__ import annotations

import dataclasses
import enum
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypedDict, Unpack

from larder_cache._internal.configuration.headers import Headers
from larder_cache.near_cache import NearCache

# The maximum of the default timeout and of the timeouts of single calls.
MOST_TIMEOUT_S = 3_600


class Transport(enum.Enum):
    """The transport of calls.

    - AUTO: the pipeline, or unary calls if the server has no pipeline. Large values are always sent in unary calls.
    - UNARY: one HTTP/2 request for each call.
    - PIPELINE: one stream, with many calls in each message. Calls fail if the server has no pipeline.
    """

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

    Raises:
        ValueError: A value is out of range. The message contains the name of the setting.
        TypeError: A value has the wrong type. The message contains the name of the setting.
    """

    # The deadline of a call in seconds, 0.001 to 3,600. It includes all waiting, sending and retrying. Raise it for
    # links with long round trips. Lower it if a late value is as useless as a miss.
    request_timeout_s: float
    # The maximum number of calls in flight if all calls are unary, 1 to 100,000. None: unlimited. Each call is an
    # HTTP/2 request. In Python the single thread of the event loop limits the throughput, so more than 50 to 100 calls
    # in flight only increase the latency (the published tuning runs).
    max_in_flight_unary: int | None
    # The maximum number of calls in flight if calls are pipelined, 1 to 100,000. None: unlimited. Pipelined calls share
    # messages, so each call costs less if more calls are in flight (tuner/results; docs/decisions). Large calls, which
    # are unary, also count.
    max_in_flight_pipeline: int | None
    # The target of an adaptive concurrency limit, in seconds, 0.0001 to request_timeout_s. None: the limit is fixed at
    # max_in_flight_unary or max_in_flight_pipeline. At most 1 call in 1,000 may take longer than the target (p99.9).
    # The time of a call is measured from its permit to its end. Time spent waiting for a permit does not count. The
    # limit starts at 16 and moves between 1 and the fixed limit (at most 100,000). Use it if the speed of the server
    # varies or the limit is not tuned. Rules: protocol/spec/adaptive-cap.md.
    adaptive_target_s: float | None = None
    # The maximum number of calls that wait for a permit, 0 to 1,000,000. Further calls fail immediately with
    # CLIENT_OVERLOADED. Source: two seconds of work at 10,000 responses a second.
    queue_limit: int = 20_000
    # The number of connections for unary calls, 0 to 100. 0: one for each 100 of max_in_flight_unary, because a server
    # allows 100 concurrent calls on one connection (LIM-6). In asyncio one connection is enough, because the single
    # thread of the event loop limits the throughput (the published tuning runs).
    channels: int = 1
    # The maximum number of retries of a call, 0 to 10. All retries happen within the call's deadline. Source: RETRY-4,
    # as in the published clients.
    max_retries: int = 3
    # The maximum number of retries as a fraction of all calls over time, 0 to 1. Source: RETRY-6, at most 10 %.
    retry_budget: float = 0.1
    # The maximum wait before the first retry, in seconds, 0.001 to 10. It doubles with each further retry. Source:
    # RETRY-11.
    initial_back_off_s: float = 0.08
    # The maximum wait before any retry or reconnection, in seconds, initial_back_off_s to 60. Source: RETRY-11.
    max_back_off_s: float = 1.0
    # The transport. With Transport.AUTO calls are pipelined. They are unary if the server has no pipeline or a value is
    # large.
    transport: Transport = Transport.AUTO
    # Whether entering a client (`async with`, `with`) connects it, and fails if that is not possible. If false, the
    # first call connects.
    eager_connect: bool = False
    # The timeout of one attempt to connect, in seconds, 0.001 to 60. Source: TCP repeats a SYN after 1 and 3 s.
    connect_timeout_s: float = 5.0
    # The idle time before an HTTP/2 ping, in seconds, 1 to 3,600. None: no pings. Use None on platforms that freeze
    # processes between calls.
    keepalive_interval_s: float | None = 5.0
    # The time to wait for the response to a ping, in seconds, 1 to 60. If there is no response, the connection is
    # replaced. If the network starts to drop all packets, a client reconnects within keepalive_interval_s plus this
    # time. With the defaults this is 6 s.
    keepalive_timeout_s: float = 1.0
    # Metadata to send with every call in addition to the client's own. Names are lower-case, values are printable
    # ASCII.
    headers: Mapping[str, str] = Headers({})
    # The near cache, for example `NearCache(max_bytes=…)`. None: off. It keeps local copies of values that the client
    # reads, and the server invalidates them. A read of a local copy takes a microsecond and sends nothing. The near
    # cache is not available with Transport.UNARY, because it uses the pipeline's stream. Rules:
    # protocol/spec/near-cache.md.
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
        """Return a copy with changed settings, which are validated. Raises TypeError if a name is unknown."""
        return dataclasses.replace(self, **changes)

    def _is(self, name: str, kind: type[Any], said: str) -> None:
        if not isinstance(value := getattr(self, name), kind):
            raise TypeError(f"{name} must be {said}, not {type(value).__name__}")

    def _number(self, name: str, least: float, most: float, *, whole: bool = False, none: bool = False) -> None:
        value = getattr(self, name)
        if value is None and none:
            return
        # Reject a bool. It is an int in Python but not a valid number here.
        if not isinstance(value, int if whole else (int, float)) or isinstance(value, bool):
            kind = "an integer" if whole else "a number"
            raise TypeError(f"{name} must be {kind}{' or None' if none else ''}, not {type(value).__name__}")
        # This also rejects NaN, for which every comparison is false.
        if not least <= value <= most:
            raise ValueError(
                f"{name} must be from {least:,} to {most:,}{' or None' if none else ''}, not {value!r:.40}"
            )
