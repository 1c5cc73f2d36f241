"""Predefined settings. A version such as `v1()` never changes; `latest()` may improve.

The limits of unary calls come from the published tuning runs, repeated with our own figures in `docs/story/python.md`.
The pipelined ones are the knees of our own runs through a delay proxy that simulates the network
(`tuner/results/in-region-1ms`, `tuner/results/laptop-30ms`).
"""

from __future__ import annotations

from larder_cache.configuration import Configuration


class Laptop:
    """For development against a local or remote server: lenient deadlines.

    At a round trip of 30 to 35 ms, each call in flight completes about 30 times a second in any language: 1,000 in
    flight give 27,000 a second (measured with the .NET client). Unary: 100 in flight; see `docs/story/python.md`, "From
    5 to 5,000 concurrent callers" and "Client on a laptop".
    """

    @staticmethod
    def v1() -> Configuration:
        return Configuration(request_timeout_s=5.0, max_in_flight_unary=100, max_in_flight_pipeline=1_000)

    latest = v1


class InRegionDefault:
    """For clients near the server that prefer throughput: p99.9 under 20 ms. More calls in flight only add latency.

    At a round trip of 1 ms, 987 in flight gave 161,620 calls a second at p99.9 11.7 ms; 1,597 gave no more, at 22.8 ms.
    Unary: 50 in flight; see `docs/story/python.md`, "In the server's region" and "Two targets".
    """

    @staticmethod
    def v1() -> Configuration:
        return Configuration(request_timeout_s=1.1, max_in_flight_unary=50, max_in_flight_pipeline=1_000)

    latest = v1


class InRegionLowLatency:
    """For clients near the server that prefer low tail latency: p99.9 under 5 ms.

    At a round trip of 1 ms, 377 in flight gave 132,849 calls a second at p99.9 4.97 ms; 610 exceeded the target with
    6.74 ms. Unary: 5 in flight; see `docs/story/python.md`, "In the server's region" and "Two targets".
    """

    @staticmethod
    def v1() -> Configuration:
        return Configuration(request_timeout_s=0.5, max_in_flight_unary=5, max_in_flight_pipeline=350)

    latest = v1


class InRegion:
    """For clients in the same region or rack as the server."""

    Default = InRegionDefault
    LowLatency = InRegionLowLatency


class Lambda:
    """For processes that are frozen between calls: one channel, connected before the first call, no pings.

    Idle connections are replaced if the process was stopped for more than 4 s, and after a call timed out while its
    connection received nothing.
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
    """The pre-built configurations, by environment. `Configurations.Laptop.latest()` returns the newest for a laptop."""

    Laptop = Laptop
    InRegion = InRegion
    Lambda = Lambda
