"""Predefined settings. A version such as `v1()` never changes. `latest()` may return other settings in a later release.

The limits of unary calls come from the published tuning runs. `docs/story/python.md` repeats those runs with this
client. The limits of pipelined calls come from our own runs through a delay proxy that simulates the network
(`tuner/results/in-region-1ms`, `tuner/results/laptop-30ms`).
"""

from __future__ import annotations

from larder_cache.configuration import Configuration


class Laptop:
    """Settings for development against a local or remote server, with long deadlines.

    With a round trip of 30 to 35 ms, each caller completes about 30 calls a second in any language. With 1,000 calls in
    flight, the .NET client completed 27,000 calls a second. The limit of unary calls is 100; see
    `docs/story/python.md`, "Five to five thousand callers" and "From a laptop".
    """

    @staticmethod
    def v1() -> Configuration:
        return Configuration(request_timeout_s=5.0, max_in_flight_unary=100, max_in_flight_pipeline=1_000)

    latest = v1


class InRegionDefault:
    """Settings for clients near the server that prefer throughput: p99.9 is below 20 ms.

    A higher limit of calls in flight would only increase the latency.

    With a round trip of 1 ms, 987 calls in flight completed 161,620 calls a second at a p99.9 of 11.7 ms. With
    1,597 calls in flight, throughput was no higher and p99.9 was 22.8 ms. The limit of unary calls is 50; see
    `docs/story/python.md`, "In the server's region" and "Two targets".
    """

    @staticmethod
    def v1() -> Configuration:
        return Configuration(request_timeout_s=1.1, max_in_flight_unary=50, max_in_flight_pipeline=1_000)

    latest = v1


class InRegionLowLatency:
    """Settings for clients near the server that prefer low tail latency: p99.9 is below 5 ms.

    With a round trip of 1 ms, 377 calls in flight completed 132,849 calls a second at a p99.9 of 4.97 ms. With 610
    calls in flight, p99.9 was 6.74 ms, which exceeds the target. The limit of unary calls is 5; see
    `docs/story/python.md`, "In the server's region" and "Two targets".
    """

    @staticmethod
    def v1() -> Configuration:
        return Configuration(request_timeout_s=0.5, max_in_flight_unary=5, max_in_flight_pipeline=350)

    latest = v1


class InRegion:
    """Settings for clients in the same region or rack as the server."""

    Default = InRegionDefault
    LowLatency = InRegionLowLatency


class Lambda:
    """Settings for processes that are frozen between calls: one channel, connected before the first call, and no pings.

    Idle connections are replaced if the process was stopped for more than 4 s. They are also replaced after a call
    timed out while its connection received nothing.
    """

    @staticmethod
    def v1() -> Configuration:
        return Configuration(
            request_timeout_s=1.1,
            max_in_flight_unary=50,
            max_in_flight_pipeline=1_000,
            eager_connect=True,
            keepalive_interval_s=None,
        )

    latest = v1


class Configurations:
    """The predefined configurations by environment.

    For example, `Configurations.Laptop.latest()` returns the newest configuration for a laptop.
    """

    Laptop = Laptop
    InRegion = InRegion
    Lambda = Lambda
